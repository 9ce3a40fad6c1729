//! Replacement for the virtual machine in builds without the feature `scripts`: every script is an error.

use super::contents::Contents;
use super::fault::{Fault, FaultKind};
use super::limits::{ScriptCost, ScriptLimits};
use super::value::Value;
use crate::base::Seed;
use crate::data::{CatalogError, Position};

/// Compiled code; has no values, because nothing can be compiled.
#[derive(Debug)]
pub(super) enum Bytecode {}

pub(super) fn compile(file: &str, _: &str, _: &ScriptLimits) -> Result<(Bytecode, Contents), CatalogError> {
    let mistake = "this server is built without scripts";
    let expected = "no such file, or a build with the feature `scripts`, which needs g++";
    Err(CatalogError::new(&Position::start(file), mistake, expected))
}

pub(super) fn call(
    _: &Bytecode,
    place: &Position,
    function: &str,
    _: &[Value],
    _: Seed,
    _: &ScriptLimits,
) -> (Result<Value, Fault>, ScriptCost) {
    let fault = Fault::new(place.clone(), FaultKind::NoFunction(function.to_owned()));
    (Err(fault), ScriptCost::default())
}
