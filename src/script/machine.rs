//! A virtual machine for one call, and what stops it.

use super::convert;
use super::fault::{Fault, FaultKind};
use super::library;
use super::limits::ScriptLimits;
use super::program::{Contents, Program};
use super::steps;
use super::value::Value;
use crate::base::Seed;
use crate::data::{CatalogError, Position};
use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Error, Function, Lua, LuaOptions, StdLib, Table, VmState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// Code that is ready to be loaded.
pub(super) type Code = Vec<u8>;

/// Bytes that a call may have in use before its steps count more: memory comes in pages.
const FREE_BYTES: usize = 49_152;
/// Bytes beyond, for each of which so many a step counts once more: what it costs to move a table about.
const BYTES_PER_STEP: usize = 1_024;

/// What one call has used up.
#[derive(Debug)]
pub(super) struct Meter {
    pub(super) limits: ScriptLimits,
    pub(super) file: Arc<str>,
    steps: AtomicU32,
    /// Bytes that were in use when it began.
    base: AtomicUsize,
    stopped: AtomicBool,
    /// The line where it was stopped.
    line: AtomicU32,
}

impl Meter {
    /// Counts so many steps.
    pub(super) fn charge(&self, lua: &Lua, steps: usize) -> Result<(), Error> {
        let used = lua.used_memory().saturating_sub(self.base.load(Ordering::Relaxed));
        let weight = 1 + used.saturating_sub(FREE_BYTES) / BYTES_PER_STEP;
        let cost = u32::try_from(steps.saturating_mul(weight)).unwrap_or(u32::MAX);
        let spent = self.steps.load(Ordering::Relaxed).saturating_add(cost);
        self.steps.store(spent, Ordering::Relaxed);
        if spent <= self.limits.steps {
            return Ok(());
        }
        if !self.stopped.swap(true, Ordering::Relaxed) {
            self.line.store(self.line_of(lua).unwrap_or(0), Ordering::Relaxed);
        }
        Err(Error::runtime("too many steps"))
    }

    /// The line of the program that runs just now.
    fn line_of(&self, lua: &Lua) -> Option<u32> {
        let line = |level| {
            lua.inspect_stack(level, |frame| {
                let own = frame.source().source.is_some_and(|source| source.get(1..) == Some(&*self.file));
                own.then(|| frame.current_line()).flatten()
            })
        };
        (0..4).map_while(line).flatten().next().and_then(|line| u32::try_from(line).ok())
    }

    /// What a function of the library cannot do, with the line that wanted it.
    pub(super) fn fail(&self, lua: &Lua, words: &str) -> Error {
        match self.line_of(lua) {
            Some(line) => Error::runtime(format!("{}:{line}: {words}", self.file)),
            None => Error::runtime(words),
        }
    }

    /// What an error of the machine means, and where it was; without a line it is where the caller says.
    fn fault(&self, error: &Error, otherwise: &Position) -> Fault {
        let at = |line: u32| Position { line: line.max(1), ..Position::start(&self.file) };
        if self.stopped.load(Ordering::Relaxed) {
            let line = self.line.load(Ordering::Relaxed);
            let place = if line > 0 { at(line) } else { otherwise.clone() };
            return Fault { place, kind: FaultKind::TooManySteps };
        }
        let words = match words_of(error) {
            Ok(words) => words,
            Err(kind) => return Fault { place: otherwise.clone(), kind },
        };
        let (line, words) = split_line(&self.file, words);
        let place = line.map_or_else(|| otherwise.clone(), at);
        let words: String = words.chars().filter(|c| !c.is_control()).take(300).collect();
        Fault { place, kind: FaultKind::Failed(words) }
    }
}

/// The words of an error without what the machine adds to them.
fn words_of(error: &Error) -> Result<&str, FaultKind> {
    match error {
        Error::CallbackError { cause, .. } | Error::BadArgument { cause, .. } => words_of(cause),
        Error::MemoryError(_) | Error::StackError => Err(FaultKind::TooMuchMemory),
        Error::RuntimeError(words) | Error::SyntaxError { message: words, .. } => {
            let words = words.split("\nstack traceback:").next().unwrap_or_default();
            if words.contains("not enough memory") { Err(FaultKind::TooMuchMemory) } else { Ok(words) }
        }
        Error::FromLuaConversionError { from, to, .. } => {
            Err(FaultKind::Failed(format!("{from} where {to} is wanted")))
        }
        _ => Err(FaultKind::Failed("it cannot go on".into())),
    }
}

/// The line that words begin with, as in `FILE:12: words`.
fn split_line<'w>(file: &str, words: &'w str) -> (Option<u32>, &'w str) {
    let split = || {
        let (line, rest) = words.strip_prefix(file)?.strip_prefix(':')?.split_once(':')?;
        Some((line.parse().ok()?, rest.trim_start()))
    };
    split().map_or((None, words), |(line, rest): (u32, &str)| (Some(line), rest))
}

/// Compiles a file and reads the table that it returns.
pub(super) fn compile(
    file: &str,
    source: &str,
    limits: &ScriptLimits,
) -> Result<(Code, Contents), CatalogError> {
    let start = Position::start(file);
    let mistake = |line: u32, wrong: String, expected: &str| {
        CatalogError::new(&Position { line: line.max(1), ..start.clone() }, wrong, expected)
    };
    // Without optimisation nothing is computed beforehand, unrolled, or called without asking.
    let compiler = Compiler::new().set_optimization_level(0).set_debug_level(1).set_coverage_level(2);
    let mut code = compiler.compile(source).map_err(|error| {
        let words = words_of(&error).unwrap_or("it cannot be read").to_owned();
        let (line, words) = match words.trim_start_matches(':').split_once(':') {
            Some((line, rest)) if line.parse::<u32>().is_ok() => (line.parse().unwrap_or(1), rest.trim()),
            _ => (1, words.trim()),
        };
        mistake(line, words.to_owned(), "")
    })?;
    let found = steps::mark(&mut code, limits.text_bytes as usize)
        .ok_or_else(|| mistake(1, "it cannot be made to count its steps".into(), ""))?;
    if let Some(line) = found.joined {
        let expected = "texts put together between backticks, as `{one} and {other}`, or by table.concat";
        return Err(mistake(line, "`..` is not to be had".into(), expected));
    }
    if found.long_text {
        let wrong = format!("a text of more than {} bytes", limits.text_bytes);
        return Err(mistake(1, wrong, "shorter ones"));
    }
    let meter = meter(file, limits);
    let fault = |error: &Error| CatalogError::from(meter.fault(error, &start));
    let lua = fresh(&meter, Seed::default()).map_err(|error| fault(&error))?;
    let table = run(&lua, &meter, &code).map_err(|error| fault(&error))?;
    let contents = convert::contents(&table, limits).map_err(|words| {
        let kind = FaultKind::Unfit(words);
        CatalogError::from(Fault { place: start.clone(), kind })
    })?;
    Ok((code, contents))
}

/// Calls a function of a program in a machine of its own.
pub(super) fn call(
    program: &Program,
    function: &str,
    arguments: &[Value],
    seed: Seed,
    limits: &ScriptLimits,
) -> Result<Value, Fault> {
    let meter = meter(&program.file, limits);
    let place = program.place_of(function);
    let lua = fresh(&meter, seed).map_err(|error| meter.fault(&error, &place))?;
    let answer = || -> Result<mlua::Value, Error> {
        let table = run(&lua, &meter, &program.code)?;
        let called: Function = table.raw_get(function)?;
        let given = arguments.iter().map(|value| convert::into_lua(&lua, value));
        called.call(given.collect::<Result<mlua::MultiValue, Error>>()?)
    };
    let answer = answer().map_err(|error| meter.fault(&error, &place))?;
    convert::from_lua(&answer, limits).map_err(|words| Fault { place, kind: FaultKind::Unfit(words) })
}

fn meter(file: &str, limits: &ScriptLimits) -> Arc<Meter> {
    Arc::new(Meter {
        limits: limits.clone(),
        file: file.into(),
        steps: AtomicU32::new(0),
        base: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        line: AtomicU32::new(0),
    })
}

/// A machine in which nothing has happened.
fn fresh(meter: &Arc<Meter>, seed: Seed) -> Result<Lua, Error> {
    let lua = Lua::new_with(StdLib::STRING | StdLib::TABLE | StdLib::MATH, LuaOptions::new())?;
    // What is never collected is never collected at a moment that depends on anything.
    lua.gc_stop();
    let library = library::build(&lua, meter, seed)?;
    lua.set_globals(library)?;
    meter.base.store(lua.used_memory(), Ordering::Relaxed);
    Ok(lua)
}

/// Runs a file; the table that it returns.
fn run(lua: &Lua, meter: &Arc<Meter>, code: &[u8]) -> Result<Table, Error> {
    let chunk = lua.load(code).set_name(format!("@{}", meter.file)).set_mode(ChunkMode::Binary);
    let main = chunk.into_function()?;
    let base = lua.used_memory();
    meter.base.store(base, Ordering::Relaxed);
    lua.set_memory_limit(base.saturating_add(meter.limits.memory_bytes as usize))?;
    let counted = Arc::clone(meter);
    lua.set_interrupt(move |lua| counted.charge(lua, 1).map(|()| VmState::Continue));
    let returned: mlua::Value = main.call(())?;
    match returned {
        mlua::Value::Table(table) => Ok(table),
        _ => Err(Error::runtime("a script returns a table of functions")),
    }
}
