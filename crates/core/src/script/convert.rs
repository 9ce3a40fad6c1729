//! Conversion between [`Value`] and Lua values. Only plain data passes: no references with identity, no fractions, no
//! cycles.

use super::contents::Contents;
use super::limits::ScriptLimits;
use super::value::Value;
use mlua::{Error, Lua, Table};
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// An invalid Lua value, with the path to it; without a path if the value as a whole is invalid.
#[derive(Debug)]
pub(super) struct UnfitLuaValue {
    flaw: ConversionFlaw,
    place: Option<String>,
}

impl fmt::Display for UnfitLuaValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} at `{place}`", self.flaw),
            None => self.flaw.fmt(f),
        }
    }
}

impl From<ConversionFlaw> for UnfitLuaValue {
    fn from(flaw: ConversionFlaw) -> Self {
        Self { flaw, place: None }
    }
}

/// Reasons why a Lua value cannot be converted.
#[derive(Debug, thiserror::Error)]
enum ConversionFlaw {
    #[error("it cannot be read")]
    Unreadable,
    #[error("what cannot be read")]
    UnreadableEntry,
    #[error("a script returns a table of functions by name")]
    NoNames,
    #[error("more than {0} values")]
    TooMany(u32),
    #[error("texts of more than {0} bytes")]
    TooLong(u32),
    #[error("tables more than {0} deep")]
    TooDeep(u32),
    #[error("a {0}")]
    Type(&'static str),
    #[error("a key that is a {0}")]
    Key(&'static str),
    #[error("a number that is not whole")]
    Fraction,
    #[error("a text that is not UTF-8")]
    Encoding,
    #[error("a text with a control character")]
    ControlCharacter,
    #[error("a table with names and numbers")]
    Mixed,
    #[error("a list with a gap")]
    Gap,
}

/// Converts a value into a Lua value.
pub(super) fn into_lua(lua: &Lua, value: &Value) -> Result<mlua::Value, Error> {
    Ok(match value {
        Value::Nil => mlua::Value::Nil,
        Value::Truth(truth) => mlua::Value::Boolean(*truth),
        Value::Number(number) => mlua::Value::Integer((*number).clamp(-Value::NUMBER_MAX, Value::NUMBER_MAX)),
        Value::Text(text) => mlua::Value::String(lua.create_string(text)?),
        Value::List(values) => {
            let list = lua.create_table()?;
            for (at, value) in (1_i64..).zip(values) {
                list.raw_set(at, into_lua(lua, value)?)?;
            }
            mlua::Value::Table(list)
        }
        Value::Table(entries) => {
            let table = lua.create_table()?;
            for (name, value) in entries {
                table.raw_set(name.as_str(), into_lua(lua, value)?)?;
            }
            mlua::Value::Table(table)
        }
    })
}

/// Converts a Lua value into a plain value.
pub(super) fn from_lua(value: &mlua::Value, limits: &ScriptLimits) -> Result<Value, UnfitLuaValue> {
    LuaConversion { limits, path: Vec::new(), entries: 0, bytes: 0 }.value(value)
}

/// Reads the table that a file returns: functions by name, and plain values.
pub(super) fn contents(table: &Table, limits: &ScriptLimits) -> Result<Contents, UnfitLuaValue> {
    let mut reading = LuaConversion { limits, path: Vec::new(), entries: 0, bytes: 0 };
    let mut contents = Contents::default();
    for pair in table.pairs::<mlua::Value, mlua::Value>() {
        let (key, value) = pair.map_err(|_| ConversionFlaw::Unreadable)?;
        let mlua::Value::String(name) = key else {
            return Err(ConversionFlaw::NoNames.into());
        };
        let name = name.to_string_lossy();
        if let mlua::Value::Function(function) = value {
            let line = function.info().line_defined.and_then(|line| u32::try_from(line).ok());
            contents.functions.insert(name, line.unwrap_or(1).max(1));
        } else {
            reading.path.push(name.clone());
            contents.data.insert(name, reading.value(&value)?);
            reading.path.pop();
        }
    }
    Ok(contents)
}

/// State of a conversion: current path, and totals for the limits.
struct LuaConversion<'l> {
    limits: &'l ScriptLimits,
    path: Vec<String>,
    entries: u32,
    bytes: usize,
}

impl LuaConversion<'_> {
    /// Returns an error at the current path.
    fn unfit(&self, flaw: ConversionFlaw) -> UnfitLuaValue {
        let mut place = String::new();
        for key in self.path.iter().take(6) {
            let key: String = key.chars().filter(|c| !c.is_control()).take(40).collect();
            let _ = if key.parse::<i64>().is_ok() {
                write!(place, "[{key}]")
            } else if place.is_empty() {
                write!(place, "{key}")
            } else {
                write!(place, ".{key}")
            };
        }
        UnfitLuaValue { flaw, place: (!self.path.is_empty()).then_some(place) }
    }

    fn value(&mut self, value: &mlua::Value) -> Result<Value, UnfitLuaValue> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(ConversionFlaw::TooMany(self.limits.entries).into());
        }
        match value {
            mlua::Value::Nil => Ok(Value::Nil),
            mlua::Value::Boolean(truth) => Ok(Value::Truth(*truth)),
            mlua::Value::Integer(number) if number.abs() <= Value::NUMBER_MAX => Ok(Value::Number(*number)),
            // Lua writes 0 times a negative number as -0.
            mlua::Value::Number(_) if value.to_string().is_ok_and(|text| text == "-0") => {
                Ok(Value::Number(0))
            }
            mlua::Value::Integer(_) | mlua::Value::Number(_) => Err(self.unfit(ConversionFlaw::Fraction)),
            mlua::Value::String(text) => self.text(text).map(Value::Text),
            mlua::Value::Table(table) => self.table(table),
            other => Err(self.unfit(ConversionFlaw::Type(other.type_name()))),
        }
    }

    fn text(&mut self, text: &mlua::LuaString) -> Result<String, UnfitLuaValue> {
        let bytes = text.as_bytes().len();
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.result_bytes as usize {
            return Err(ConversionFlaw::TooLong(self.limits.result_bytes).into());
        }
        let text = text.to_str().map_err(|_| self.unfit(ConversionFlaw::Encoding))?;
        if text.chars().any(char::is_control) {
            return Err(self.unfit(ConversionFlaw::ControlCharacter));
        }
        Ok(text.to_owned())
    }

    fn table(&mut self, table: &Table) -> Result<Value, UnfitLuaValue> {
        if self.path.len() >= self.limits.depth as usize {
            return Err(self.unfit(ConversionFlaw::TooDeep(self.limits.depth)));
        }
        let (mut list, mut named) = (BTreeMap::new(), BTreeMap::new());
        for pair in table.pairs::<mlua::Value, mlua::Value>() {
            let (key, value) = pair.map_err(|_| self.unfit(ConversionFlaw::UnreadableEntry))?;
            match key {
                mlua::Value::Integer(number) => {
                    list.insert(number, value);
                }
                mlua::Value::String(name) => {
                    named.insert(self.text(&name)?, value);
                }
                other => return Err(self.unfit(ConversionFlaw::Key(other.type_name()))),
            }
            if list.len() + named.len() > self.limits.entries as usize {
                return Err(ConversionFlaw::TooMany(self.limits.entries).into());
            }
        }
        if !list.is_empty() && !named.is_empty() {
            return Err(self.unfit(ConversionFlaw::Mixed));
        }
        if named.is_empty() && !list.is_empty() {
            let mut values = Vec::new();
            for (at, (number, value)) in (1..).zip(&list) {
                if at != *number {
                    return Err(self.unfit(ConversionFlaw::Gap));
                }
                values.push(self.inner(number.to_string(), value)?);
            }
            return Ok(Value::List(values));
        }
        let mut entries = BTreeMap::new();
        for (name, value) in named {
            let value = self.inner(name.clone(), &value)?;
            entries.insert(name, value);
        }
        Ok(Value::Table(entries))
    }

    fn inner(&mut self, key: String, value: &mlua::Value) -> Result<Value, UnfitLuaValue> {
        self.path.push(key);
        let value = self.value(value);
        self.path.pop();
        value
    }
}
