//! Text and markup: meaning only, without colours until [`render`] adds them for one client.

mod renderings;
pub mod markup;
pub mod wrap;
pub mod palette;
mod links;
pub mod ansi;
pub mod plain;
pub mod form;
pub mod highlight;
pub mod grammar;
pub mod act;
pub mod sanitise;
pub mod sentence;
pub mod names;
mod nearest;
pub mod coins;

pub use ansi::{render, render_with_links};
pub use form::TextForm;
pub use markup::{Markup, Style};
pub use nearest::{least_unlike, nearest, nearest_within, slips_between};
pub use palette::Colours;
