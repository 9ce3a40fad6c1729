//! A virtual machine for a single call.

use super::contents::Contents;
use super::fault::{Fault, FaultKind};
use super::limits::{ScriptCost, ScriptLimits};
use super::meter::{Meter, words_of};
use super::value::Value;
use super::{convert, library, steps};
use crate::base::Seed;
use crate::data::{CatalogError, Position};
use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Error, Function, Lua, LuaOptions, StdLib, Table, VmState};
use std::sync::Arc;

/// Compiled bytecode.
pub(super) type Bytecode = Vec<u8>;

/// Compiles a file and reads the table that it returns.
pub(super) fn compile(
    file: &str,
    source: &str,
    limits: &ScriptLimits,
) -> Result<(Bytecode, Contents), CatalogError> {
    let start = Position::start(file);
    let mistake = |line: u32, message: String, expected: &str| {
        CatalogError::new(&Position { line: line.max(1), ..start.clone() }, message, expected)
    };
    // Without optimisation no code is precomputed or unrolled, and no built-in call bypasses the step counter.
    let compiler = Compiler::new().set_optimization_level(0).set_debug_level(1).set_coverage_level(2);
    let mut code = compiler.compile(source).map_err(|error| {
        let message = words_of(&error).unwrap_or("it cannot be read").to_owned();
        let (line, message) = match message.trim_start_matches(':').split_once(':') {
            Some((line, rest)) if line.parse::<u32>().is_ok() => (line.parse().unwrap_or(1), rest.trim()),
            _ => (1, message.trim()),
        };
        mistake(line, message.to_owned(), "")
    })?;
    let found = steps::mark(&mut code, limits.text_bytes as usize)
        .ok_or_else(|| mistake(1, "it cannot be made to count its steps".into(), ""))?;
    if let Some(line) = found.joined {
        let expected = "texts put together between backticks, as `{one} and {other}`, or by table.concat";
        return Err(mistake(line, "`..` is not to be had".into(), expected));
    }
    if found.long_text {
        let long_text = format!("a text of more than {} bytes", limits.text_bytes);
        return Err(mistake(1, long_text, "shorter ones"));
    }
    let meter = Arc::new(Meter::new(file, limits));
    let fault = |error: &Error| CatalogError::from(meter.fault(error, &start));
    let lua = fresh(&meter, Seed::default()).map_err(|error| fault(&error))?;
    let table = run(&lua, &meter, &code).map_err(|error| fault(&error))?;
    let contents = convert::contents(&table, limits).map_err(|unfit| {
        let kind = FaultKind::Unfit(unfit.to_string());
        CatalogError::from(Fault::new(start.clone(), kind))
    })?;
    Ok((code, contents))
}

/// Calls a function of a script in a new virtual machine. Returns its result and what it has used.
pub(super) fn call(
    code: &Bytecode,
    place: &Position,
    function: &str,
    arguments: &[Value],
    seed: Seed,
    limits: &ScriptLimits,
) -> (Result<Value, Fault>, ScriptCost) {
    let meter = Arc::new(Meter::new(&place.file, limits));
    let lua = match fresh(&meter, seed) {
        Ok(lua) => lua,
        Err(error) => return (Err(meter.fault(&error, place)), ScriptCost::default()),
    };
    let answer = || -> Result<mlua::Value, Error> {
        let table = run(&lua, &meter, code)?;
        let called: Function = table.raw_get(function)?;
        let given = arguments.iter().map(|value| convert::into_lua(&lua, value));
        called.call(given.collect::<Result<mlua::MultiValue, Error>>()?)
    };
    let answer = answer().map_err(|error| meter.fault(&error, place)).and_then(|answer| {
        let unfit =
            |unfit: convert::UnfitLuaValue| Fault::new(place.clone(), FaultKind::Unfit(unfit.to_string()));
        convert::from_lua(&answer, limits).map_err(unfit)
    });
    (answer, meter.cost(&lua))
}

/// Creates a new virtual machine.
fn fresh(meter: &Arc<Meter>, seed: Seed) -> Result<Lua, Error> {
    let lua = Lua::new_with(StdLib::STRING | StdLib::TABLE | StdLib::MATH, LuaOptions::new())?;
    // Garbage collection would make memory use, and so the step count, unpredictable.
    lua.gc_stop();
    let library = library::build(&lua, meter, seed)?;
    lua.set_globals(library)?;
    meter.begin(&lua);
    Ok(lua)
}

/// Runs a file and returns its table.
fn run(lua: &Lua, meter: &Arc<Meter>, code: &[u8]) -> Result<Table, Error> {
    let chunk = lua.load(code).set_name(format!("@{}", meter.file)).set_mode(ChunkMode::Binary);
    let main = chunk.into_function()?;
    let base = meter.begin(lua);
    lua.set_memory_limit(base.saturating_add(meter.limits.memory_bytes as usize))?;
    let counted = Arc::clone(meter);
    lua.set_interrupt(move |lua| counted.charge(lua, 1).map(|()| VmState::Continue));
    let returned: mlua::Value = main.call(())?;
    match returned {
        mlua::Value::Table(table) => Ok(table),
        _ => Err(Error::runtime("a script returns a table of functions")),
    }
}
