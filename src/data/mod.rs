//! Definition files as typed values: each key is asked for once, and every mistake is noted with its place, so that an
//! author gets all of them at once.

mod definition;
pub mod edit;
mod mistake;
mod reader;
mod source;
mod value;

pub(crate) use definition::definition;
pub use mistake::{CatalogError, Mistake, Position};
pub use reader::{Reader, SUFFIX, key_of};
pub use source::Source;
pub use value::Value;
