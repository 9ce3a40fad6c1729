//! The state machine and the rules.

pub mod config;
pub mod effect;
pub mod input;

pub use config::{DungeonConfig, GameConfig};
pub use effect::{Class, Closed, Data, Effect, Effects, Output, PromptFields};
pub use input::Input;
