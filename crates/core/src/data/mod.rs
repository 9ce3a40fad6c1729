//! Definition files as typed values. Each key is read once and every error is recorded with its place, so authors see
//! all errors of a file together.

pub mod archive;
mod definition;
pub mod edit;
mod mistake;
mod reader;
mod source;
mod value;
mod written;

pub(crate) use definition::{definition, doc_text, written};
pub use mistake::{CatalogError, Mistake, Nearest, Position};
pub use reader::{Field, Reader, SUFFIX, fields_of, key_of};
pub use source::SourceFile;
pub use value::FileValue;
pub(crate) use written::{FileField, WrittenField};
