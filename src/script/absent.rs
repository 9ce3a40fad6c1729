//! Stands for the virtual machine where the program is built without it: every script is a mistake.

use super::limits::ScriptLimits;
use super::program::Contents;
use super::value::Value;
use super::{Fault, Program};
use crate::base::Seed;
use crate::data::{CatalogError, Position};

/// What a file would be compiled to.
pub(super) type Code = ();

pub(super) fn compile(file: &str, _: &str, _: &ScriptLimits) -> Result<(Code, Contents), CatalogError> {
    let wrong = "this server is built without scripts";
    Err(CatalogError::new(
        &Position::start(file),
        wrong,
        "a build with the feature `scripts`, which needs g++",
    ))
}

pub(super) fn call(
    program: &Program,
    function: &str,
    _: &[Value],
    _: Seed,
    _: &ScriptLimits,
) -> Result<Value, Fault> {
    Err(program.fault(function, super::FaultKind::NoFunction(function.to_owned())))
}
