//! A file of a program, compiled: its functions by name, and what else its table says.

use super::fault::{Fault, FaultKind};
use super::limits::ScriptLimits;
use super::machine::{self, Code};
use super::value::Value;
use crate::base::Seed;
use crate::data::{CatalogError, Position};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What the names of programs end with.
pub const SUFFIX: &str = ".luau";

/// What the table that a file returns has in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// Its functions, each with the line where it begins.
    pub(super) functions: BTreeMap<String, u32>,
    /// Everything else.
    pub(super) data: BTreeMap<String, Value>,
}

/// A program that can be called.
#[derive(Clone)]
pub struct Program {
    pub(super) file: Arc<str>,
    pub(super) code: Arc<Code>,
    source: Arc<str>,
    contents: Arc<Contents>,
}

impl Program {
    /// Compiles a file, at a path below `content/`, and reads the table that it returns.
    ///
    /// # Errors
    /// The first mistake, with its line.
    pub fn compile(file: &str, source: &str) -> Result<Self, CatalogError> {
        let start = Position::start(file);
        if source.len() > ScriptLimits::SOURCE_BYTES {
            let wrong = format!("the file has {} bytes", source.len());
            return Err(CatalogError::new(&start, wrong, format!("at most {}", ScriptLimits::SOURCE_BYTES)));
        }
        let (code, contents) = machine::compile(file, source, &ScriptLimits::default())?;
        Ok(Self {
            file: file.into(),
            code: Arc::new(code),
            source: source.into(),
            contents: Arc::new(contents),
        })
    }

    /// The file that it was read from.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The names of its functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.contents.functions.keys().map(String::as_str)
    }

    /// What its table says besides functions, by name.
    pub fn data(&self) -> &BTreeMap<String, Value> {
        &self.contents.data
    }

    /// Where a function begins; the start of the file if there is no such function.
    pub fn place_of(&self, function: &str) -> Position {
        let line = self.contents.functions.get(function).copied().unwrap_or(1);
        Position { line, ..Position::start(&self.file) }
    }

    /// Calls a function. The same arguments and seed bring the same, whatever was called before.
    ///
    /// # Errors
    /// Why nothing came of it; nothing else has happened then.
    pub fn call(
        &self,
        function: &str,
        arguments: &[Value],
        seed: Seed,
        limits: &ScriptLimits,
    ) -> Result<Value, Fault> {
        if !self.contents.functions.contains_key(function) {
            return Err(self.fault(function, FaultKind::NoFunction(function.to_owned())));
        }
        machine::call(self, function, arguments, seed, limits)
    }

    /// A fault of a function as a whole.
    pub(super) fn fault(&self, function: &str, kind: FaultKind) -> Fault {
        Fault { place: self.place_of(function), kind }
    }
}

/// A program is its file: what it is compiled to follows.
impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file && self.source == other.source
    }
}

impl Eq for Program {}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("file", &self.file)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}
