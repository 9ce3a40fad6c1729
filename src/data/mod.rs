//! Definition files as typed values: each key is asked for once, and every mistake is noted with its place, so that an
//! author gets all of them at once.

mod mistake;
mod reader;
mod source;
mod value;

pub use mistake::{CatalogError, Mistake, Place};
pub use reader::{Reader, SUFFIX};
pub use source::Source;
pub use value::Value;
