//! Programs that builders write in Luau, for what data cannot say. A program is a table of functions; the game calls one
//! with plain values and gets plain values back. It never touches the world: what should happen it says, and the rules
//! carry that out or do not.
//!
//! Each call has a virtual machine of its own without garbage collection, so that nothing of one call is left for the next
//! and what a limit cuts off depends on this call alone. There is no clock, no file, no chance but the dice handed in, and
//! nothing whose order or name comes from an address in memory.
//!
//! `steps.rs` makes every statement and expression a step that is counted, `library.rs` is all that a program may call,
//! `convert.rs` the border. Built without the feature `scripts`, a program is a mistake with the cure (`absent.rs`).

#[cfg(not(feature = "scripts"))]
mod absent;
mod contents;
#[cfg(feature = "scripts")]
mod convert;
mod fault;
mod laid_out;
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

pub use fault::{Fault, FaultKind};
pub use laid_out::LaidOut;
pub use limits::ScriptLimits;
pub use program::{Program, SUFFIX};
pub use value::Value;
