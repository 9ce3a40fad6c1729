//! Stands for the virtual machine where the program is built without it: every script is a mistake.

use super::contents::Contents;
use super::fault::{Fault, FaultKind};
use super::limits::ScriptLimits;
use super::value::Value;
use crate::base::Seed;
use crate::data::{CatalogError, Position};

/// What a file would be compiled to: nothing ever is.
#[derive(Debug)]
pub(super) enum Code {}

pub(super) fn compile(file: &str, _: &str, _: &ScriptLimits) -> Result<(Code, Contents), CatalogError> {
    let wrong = "this server is built without scripts";
    let expected = "no such file, or a build with the feature `scripts`, which needs g++";
    Err(CatalogError::new(&Position::start(file), wrong, expected))
}

pub(super) fn call(
    _: &Code,
    place: &Position,
    function: &str,
    _: &[Value],
    _: (Seed, &ScriptLimits),
) -> Result<Value, Fault> {
    Err(Fault { place: place.clone(), kind: FaultKind::NoFunction(function.to_owned()) })
}
