//! Scripts that builders write in Luau, for content that data files cannot express. A script is a table of functions.
//! The game calls one with plain values and receives plain values. Scripts never change the world: they return
//! requests, which the rules of the game carry out or refuse.
//!
//! Each call runs in a new virtual machine without garbage collection. No state survives a call, and where a limit
//! stops it depends on this call alone. There is no clock, no file access and no randomness except the given seed. No
//! order or name depends on memory addresses.
//!
//! `steps.rs` makes every statement and expression a counted step, `library.rs` holds all functions a script may call,
//! and `convert.rs` converts values in both directions. In a build without the feature `scripts`, every script is an
//! error that says how to enable them (`absent.rs`).

mod result_text;
#[cfg(not(feature = "scripts"))]
mod absent;
mod contents;
#[cfg(feature = "scripts")]
mod convert;
mod fault;
#[cfg(feature = "scripts")]
mod library;
mod limits;
#[cfg(feature = "scripts")]
mod machine;
#[cfg(feature = "scripts")]
mod meter;
mod program;
#[cfg(feature = "scripts")]
mod steps;
mod value;

#[cfg(not(feature = "scripts"))]
use absent as machine;

pub use fault::{CHAIN_MAX, Fault, FaultKind, Frame};
pub use limits::{ScriptCost, ScriptLimits};
pub use program::{Program, SUFFIX};
pub use result_text::DefinitionText;
pub use value::Value;
