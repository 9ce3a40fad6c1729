//! The composition: configuration, the driver of the game loop, start and stop.

pub mod config;
pub mod control_protocol;
pub mod logging;
