//! A compiled script file: its functions by name, and the data in its table.

use super::contents::Contents;
use super::fault::{Fault, FaultKind};
use super::limits::{ScriptCost, ScriptLimits};
use super::machine::{self, Bytecode};
use super::value::Value;
use crate::base::Seed;
use crate::data::{CatalogError, Position};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Suffix of script files.
pub const SUFFIX: &str = ".luau";

/// A compiled script.
#[derive(Clone)]
pub struct Program {
    file: Arc<str>,
    code: Arc<Bytecode>,
    source: Arc<str>,
    contents: Arc<Contents>,
}

impl Program {
    /// Compiles a file and reads the table that it returns. `file` is a path below `content/`.
    ///
    /// # Errors
    /// The first error, with its line.
    pub fn compile(file: &str, source: &str) -> Result<Self, CatalogError> {
        let start = Position::start(file);
        if source.len() > ScriptLimits::SOURCE_BYTES {
            let mistake = format!("the file has {} bytes", source.len());
            return Err(CatalogError::new(
                &start,
                mistake,
                format!("at most {}", ScriptLimits::SOURCE_BYTES),
            ));
        }
        let (code, contents) = machine::compile(file, source, &ScriptLimits::default())?;
        Ok(Self {
            file: file.into(),
            code: Arc::new(code),
            source: source.into(),
            contents: Arc::new(contents),
        })
    }

    /// Returns the path of the script file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the text of the script.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the names of its functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.contents.functions.keys().map(String::as_str)
    }

    /// Returns the entries of its table that are not functions, by name.
    pub fn data(&self) -> &BTreeMap<String, Value> {
        &self.contents.data
    }

    /// Returns the position of a function, or the start of the file if there is no such function.
    pub fn place_of(&self, function: &str) -> Position {
        let line = self.contents.functions.get(function).copied().unwrap_or(1);
        Position { line, ..Position::start(&self.file) }
    }

    /// Calls a function. The same arguments and seed always give the same result.
    ///
    /// # Errors
    /// The reason of the failure; a failed call has no side effects.
    pub fn call(
        &self,
        function: &str,
        arguments: &[Value],
        seed: Seed,
        limits: &ScriptLimits,
    ) -> Result<Value, Fault> {
        self.measure(function, arguments, seed, limits).0
    }

    /// Calls a function as [`Program::call`], and returns what the call has used of its limits.
    pub fn measure(
        &self,
        function: &str,
        arguments: &[Value],
        seed: Seed,
        limits: &ScriptLimits,
    ) -> (Result<Value, Fault>, ScriptCost) {
        let place = self.place_of(function);
        if !self.contents.functions.contains_key(function) {
            let kind = FaultKind::NoFunction(function.to_owned());
            return (Err(Fault::new(place, kind)), ScriptCost::default());
        }
        machine::call(&self.code, &place, function, arguments, seed, limits)
    }
}

/// Equality compares files and sources; the code is derived from them.
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
