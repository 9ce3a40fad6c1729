//! Accounting of one call, and translation of the errors that stop it.

use super::fault::{CHAIN_MAX, Fault, FaultKind, Frame};
use super::limits::{ScriptCost, ScriptLimits};
use crate::data::Position;
use mlua::{Error, Lua};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// Memory in bytes that a call may use before its steps cost more. Memory is allocated in pages.
const FREE_BYTES: usize = 49_152;
/// Each further block of this many bytes adds 1 to the cost of a step, to account for copying large tables.
const BYTES_PER_STEP: usize = 1_024;

/// Resource usage of one call.
#[derive(Debug)]
pub(super) struct Meter {
    pub(super) limits: ScriptLimits,
    pub(super) file: Arc<str>,
    steps: AtomicU32,
    /// Bytes in use when the call began.
    base: AtomicUsize,
    stopped: AtomicBool,
    /// Line at which the call was stopped; 0 if unknown.
    line: AtomicU32,
}

impl Meter {
    /// Creates a meter with no usage.
    pub(super) fn new(file: &str, limits: &ScriptLimits) -> Self {
        Self {
            limits: limits.clone(),
            file: file.into(),
            steps: AtomicU32::new(0),
            base: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            line: AtomicU32::new(0),
        }
    }

    /// Starts to count memory. Returns the bytes in use so far.
    pub(super) fn begin(&self, lua: &Lua) -> usize {
        let base = lua.used_memory();
        self.base.store(base, Ordering::Relaxed);
        base
    }

    /// Counts steps.
    ///
    /// # Errors
    /// An error if the step limit is exceeded.
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

    /// Returns what the call has used so far, at most its limits.
    pub(super) fn cost(&self, lua: &Lua) -> ScriptCost {
        let used = lua.used_memory().saturating_sub(self.base.load(Ordering::Relaxed));
        ScriptCost {
            steps: self.steps.load(Ordering::Relaxed).min(self.limits.steps),
            memory_bytes: u32::try_from(used).unwrap_or(u32::MAX).min(self.limits.memory_bytes),
        }
    }

    /// Returns the line of the script that is running.
    fn line_of(&self, lua: &Lua) -> Option<u32> {
        let line = |level| {
            lua.inspect_stack(level, |frame| {
                let own = frame.source().source.is_some_and(|source| source.get(1..) == Some(&*self.file));
                own.then(|| frame.current_line()).flatten()
            })
        };
        (0..4).map_while(line).flatten().next().and_then(|line| u32::try_from(line).ok())
    }

    /// Creates an error of a library function, with the line of the script that called it.
    pub(super) fn fail(&self, lua: &Lua, message: &str) -> Error {
        match self.line_of(lua) {
            Some(line) => Error::runtime(format!("{}:{line}: {message}", self.file)),
            None => Error::runtime(message),
        }
    }

    /// Translates an error of the virtual machine. `otherwise` is used as the place if the error has no line.
    pub(super) fn fault(&self, error: &Error, otherwise: &Position) -> Fault {
        let at = |line: u32| Position { line: line.max(1), ..Position::start(&self.file) };
        let chain = traceback_of(error).map_or_else(Vec::new, |text| frames(&self.file, text));
        if self.stopped.load(Ordering::Relaxed) {
            let line = self.line.load(Ordering::Relaxed);
            let place = if line > 0 { at(line) } else { otherwise.clone() };
            return Fault { place, kind: FaultKind::TooManySteps, chain };
        }
        let message = match words_of(error) {
            Ok(message) => message,
            Err(kind) => return Fault { place: otherwise.clone(), kind, chain },
        };
        let (line, message) = split_line(&self.file, message);
        let place = line.map_or_else(|| otherwise.clone(), at);
        let message: String = message.chars().filter(|c| !c.is_control()).take(300).collect();
        Fault { place, kind: FaultKind::Failed(message), chain }
    }
}

/// Returns the message of an error without traceback and wrappers.
pub(super) fn words_of(error: &Error) -> Result<&str, FaultKind> {
    match error {
        Error::CallbackError { cause, .. } | Error::BadArgument { cause, .. } => words_of(cause),
        Error::MemoryError(_) | Error::StackError => Err(FaultKind::TooMuchMemory),
        Error::RuntimeError(message) | Error::SyntaxError { message, .. } => {
            let message = message.split(TRACEBACK).next().unwrap_or_default();
            if message.contains("not enough memory") { Err(FaultKind::TooMuchMemory) } else { Ok(message) }
        }
        Error::FromLuaConversionError { from, to, .. } => {
            Err(FaultKind::Failed(format!("{from} where {to} is wanted")))
        }
        _ => Err(FaultKind::Failed("it cannot go on".into())),
    }
}

/// Separates a message from the traceback behind it.
const TRACEBACK: &str = "\nstack traceback:";

/// Returns the traceback of an error, if it has one.
fn traceback_of(error: &Error) -> Option<&str> {
    match error {
        Error::CallbackError { traceback, cause } => {
            Some(traceback.as_str()).filter(|text| !text.is_empty()).or_else(|| traceback_of(cause))
        }
        Error::BadArgument { cause, .. } => traceback_of(cause),
        Error::RuntimeError(message) => message.split_once(TRACEBACK).map(|(_, text)| text),
        _ => None,
    }
}

/// Reads the functions of a script file out of a traceback, with lines such as `FILE:12: in function 'walk'`.
fn frames(file: &str, traceback: &str) -> Vec<Frame> {
    let frame = |line: &str| {
        let (line, place) = split_line(file, line.trim());
        let function = place.split('\'').nth(1).map(|name| name.chars().take(40).collect());
        line.map(|line| Frame { line, function })
    };
    traceback.lines().filter_map(frame).take(CHAIN_MAX).collect()
}

/// Splits the line number off a message such as `FILE:12: words`.
fn split_line<'w>(file: &str, message: &'w str) -> (Option<u32>, &'w str) {
    let split = || {
        let (line, rest) = message.strip_prefix(file)?.strip_prefix(':')?.split_once(':')?;
        Some((line.parse().ok()?, rest.trim_start()))
    };
    split().map_or((None, message), |(line, rest): (u32, &str)| (Some(line), rest))
}
