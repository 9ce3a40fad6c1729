//! Words and markup: meaning, no colours.

pub mod markup;

pub use markup::{Markup, Style};
