//! Definition files as typed values: each key is asked for once, and every mistake is noted with its place, so that an
//! author gets all of them at once.

mod reader;
mod value;

pub use reader::{CatalogError, Expected, Nearest, Place, Reader, SUFFIX, nearest};
pub use value::Value;
