//! The functions a script may call. Standard Luau functions are used if their cost is at most linear in the size of
//! their arguments. All others are replaced by versions that count steps, or are missing.

use super::meter::Meter;
use crate::base::{Dice, Rng, Seed};
use mlua::{Error, Lua, LuaString, Table, Value, Variadic};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Standard functions that are available unchanged, by library.
const TAKEN: [(&str, &[&str]); 4] = [
    ("", &["type", "tonumber", "ipairs", "select"]),
    ("math", &["abs", "ceil", "clamp", "floor", "max", "min", "round", "sign", "sqrt"]),
    ("string", &["byte", "char", "len", "lower", "reverse", "sub", "upper"]),
    ("table", &["find", "insert", "remove", "unpack"]),
];

/// Maximum difference between the bounds of `math.random`.
const DRAWN_MAX: i64 = 1_000_000;

/// Builds the table of global names.
pub(super) fn build(lua: &Lua, meter: &Arc<Meter>, seed: Seed) -> Result<Table, Error> {
    let all = lua.create_table()?;
    for (library, names) in TAKEN {
        let (from, into) = if library.is_empty() {
            (lua.globals(), all.clone())
        } else {
            (lua.globals().raw_get(library)?, lua.create_table()?)
        };
        for name in names {
            into.raw_set(*name, from.raw_get::<Value>(*name)?)?;
        }
        if !library.is_empty() {
            all.raw_set(library, into)?;
        }
    }
    add_basics(lua, meter, &all)?;
    let (strings, tables, math) =
        (all.raw_get::<Table>("string")?, all.raw_get::<Table>("table")?, all.raw_get::<Table>("math")?);
    add_texts(lua, meter, &strings)?;
    add_tables(lua, meter, &tables)?;
    add_dice(lua, meter, &math, seed)?;
    // String methods are limited to the functions of this table, too.
    let methods = lua.create_table()?;
    methods.raw_set("__index", strings.clone())?;
    lua.set_type_metatable::<LuaString>(Some(methods));
    for table in [&strings, &tables, &math, &all] {
        table.set_readonly(true);
    }
    Ok(all)
}

fn add_basics(lua: &Lua, meter: &Arc<Meter>, all: &Table) -> Result<(), Error> {
    let own = Arc::clone(meter);
    all.raw_set(
        "error",
        lua.create_function(move |lua, message: Value| -> Result<(), Error> {
            Err(own.fail(lua, &shown(&message)?))
        })?,
    )?;
    let own = Arc::clone(meter);
    all.raw_set(
        "assert",
        lua.create_function(move |lua, (held, message): (Value, Option<Value>)| {
            if matches!(held, Value::Nil | Value::Boolean(false)) {
                let message = message
                    .map_or_else(|| Ok("an assertion does not hold".into()), |message| shown(&message))?;
                return Err(own.fail(lua, &message));
            }
            Ok(held)
        })?,
    )?;
    all.raw_set("tostring", lua.create_function(|_, value: Value| shown(&value))?)?;
    let own = Arc::clone(meter);
    all.raw_set("pairs", lua.create_function(move |lua, table: Value| walk(lua, &own, &table))?)
}

/// Formats a value; tables, functions and the like only as their type, because their addresses vary.
fn shown(value: &Value) -> Result<String, Error> {
    match value {
        Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Number(_) | Value::String(_) => {
            value.to_string()
        }
        other => Ok(other.type_name().to_owned()),
    }
}

/// A table key with a defined order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum TableKey {
    Number(i64),
    Text(Vec<u8>),
}

/// Implements `pairs`: iterates over a table in key order, numbers before texts.
fn walk(lua: &Lua, meter: &Meter, value: &Value) -> Result<mlua::Function, Error> {
    let Value::Table(table) = value else {
        return Err(meter.fail(lua, &format!("pairs wants a table, not {}", value.type_name())));
    };
    let mut keys = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair?.0 {
            Value::Integer(number) => keys.push(TableKey::Number(number)),
            Value::String(text) => keys.push(TableKey::Text(text.as_bytes().to_vec())),
            other => {
                let message = format!("pairs knows no order of keys that are a {}", other.type_name());
                return Err(meter.fail(lua, &message));
            }
        }
    }
    meter.charge(lua, 1 + keys.len())?;
    keys.sort_unstable();
    let (table, next) = (table.clone(), AtomicUsize::new(0));
    lua.create_function(move |lua, _: Variadic<Value>| {
        let Some(key) = keys.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return Ok((Value::Nil, Value::Nil));
        };
        let key = match key {
            TableKey::Number(number) => Value::Integer(*number),
            TableKey::Text(text) => Value::String(lua.create_string(text)?),
        };
        let value = table.raw_get(&key)?;
        Ok((key, value))
    })
}

/// Charges for a text of `bytes` bytes, or fails if it exceeds the limit.
fn require_room(lua: &Lua, meter: &Meter, bytes: usize) -> Result<(), Error> {
    let most = meter.limits.text_bytes as usize;
    if bytes > most {
        return Err(meter.fail(lua, &format!("a text of more than {most} bytes")));
    }
    meter.charge(lua, 1 + bytes / 16)
}

fn add_texts(lua: &Lua, meter: &Arc<Meter>, strings: &Table) -> Result<(), Error> {
    let own = Arc::clone(meter);
    strings.raw_set(
        "rep",
        lua.create_function(move |lua, (text, count, between): (LuaString, i64, Option<LuaString>)| {
            let count = usize::try_from(count).unwrap_or(0);
            let between = between.map(|text| text.as_bytes().to_vec()).unwrap_or_default();
            let text = text.as_bytes().to_vec();
            let bytes = count.saturating_mul(text.len().saturating_add(between.len()));
            require_room(lua, &own, bytes.max(count))?;
            lua.create_string(vec![text; count].join(between.as_slice()))
        })?,
    )?;
    let own = Arc::clone(meter);
    strings.raw_set(
        "format",
        lua.create_function(move |lua, (pattern, values): (LuaString, Variadic<Value>)| {
            format(lua, &own, &pattern.to_string_lossy(), &values)
        })?,
    )?;
    let own = Arc::clone(meter);
    strings.raw_set(
        "find",
        lua.create_function(move |lua, (text, wanted): (LuaString, LuaString)| {
            let (text, wanted) = (text.to_string_lossy(), wanted.to_string_lossy());
            own.charge(lua, 1 + text.len() / 16)?;
            Ok(text
                .find(&wanted)
                .map(|at| (at + 1, at + wanted.len()))
                .map_or((None, None), |(first, last)| (Some(first), Some(last))))
        })?,
    )?;
    let own = Arc::clone(meter);
    strings.raw_set(
        "split",
        lua.create_function(move |lua, (text, between): (LuaString, Option<LuaString>)| {
            let text = text.to_string_lossy();
            own.charge(lua, 1 + text.len())?;
            match between.map(|text| text.to_string_lossy()) {
                None => lua.create_sequence_from(text.split_whitespace()),
                Some(between) if between.is_empty() => Err(own.fail(lua, "split wants a text between")),
                Some(between) => lua.create_sequence_from(text.split(between.as_str())),
            }
        })?,
    )
}

/// Implements `string.format`: `%s` and `%*` are any value, `%d` a whole number, `%%` a percent sign.
fn format(lua: &Lua, meter: &Meter, pattern: &str, values: &[Value]) -> Result<String, Error> {
    let (mut text, mut values) = (String::new(), values.iter());
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let value = match letters.next() {
            Some('%') => {
                text.push('%');
                continue;
            }
            Some('s' | '*' | 'd') => values.next(),
            _ => return Err(meter.fail(lua, "format knows %s, %d and %% alone")),
        };
        let value = value.ok_or_else(|| meter.fail(lua, "format lacks a value"))?;
        text.push_str(&shown(value)?);
        if text.len() > meter.limits.text_bytes as usize {
            break;
        }
    }
    require_room(lua, meter, text.len())?;
    Ok(text)
}

fn add_tables(lua: &Lua, meter: &Arc<Meter>, tables: &Table) -> Result<(), Error> {
    let own = Arc::clone(meter);
    tables.raw_set(
        "concat",
        lua.create_function(move |lua, (list, between): (Table, Option<LuaString>)| {
            let between = between.map(|text| text.to_string_lossy()).unwrap_or_default();
            let mut text = String::new();
            for at in 1..=list.raw_len() {
                own.charge(lua, 1)?;
                let value: Value = list.raw_get(at)?;
                if at > 1 {
                    text.push_str(&between);
                }
                text.push_str(&shown(&value)?);
                require_room(lua, &own, text.len())?;
            }
            Ok(text)
        })?,
    )?;
    let own = Arc::clone(meter);
    tables.raw_set(
        "sort",
        lua.create_function(move |lua, (list, by): (Table, Option<Value>)| {
            if by.is_some() {
                return Err(own.fail(lua, "sort puts numbers and texts in their own order alone"));
            }
            let count = list.raw_len();
            own.charge(lua, 1 + count.saturating_mul(8))?;
            let mut keys = Vec::new();
            for at in 1..=count {
                keys.push(match list.raw_get::<Value>(at)? {
                    Value::Integer(number) => TableKey::Number(number),
                    Value::String(text) => TableKey::Text(text.as_bytes().to_vec()),
                    other => {
                        let message = format!("sort knows no order of a {}", other.type_name());
                        return Err(own.fail(lua, &message));
                    }
                });
            }
            keys.sort_unstable();
            for (at, key) in (1..).zip(keys) {
                let key = match key {
                    TableKey::Number(number) => Value::Integer(number),
                    TableKey::Text(text) => Value::String(lua.create_string(text)?),
                };
                list.set(at, key)?;
            }
            Ok(())
        })?,
    )
}

/// Adds `math.random(6)` and `math.random(2, 5)`, seeded by the game.
fn add_dice(lua: &Lua, meter: &Arc<Meter>, math: &Table, seed: Seed) -> Result<(), Error> {
    let dice: Mutex<Rng> = Mutex::new(seed.rng());
    let own = Arc::clone(meter);
    math.raw_set(
        "random",
        lua.create_function(move |lua, (first, last): (i64, Option<i64>)| {
            let (least, most) = last.map_or((1, first), |last| (first, last));
            let span = most.checked_sub(least).filter(|span| (0..=DRAWN_MAX).contains(span));
            let Some(span) = span.and_then(|span| u32::try_from(span).ok()) else {
                return Err(own.fail(lua, "random wants one whole number, or a lesser and a greater one"));
            };
            let drawn = dice.lock().unwrap_or_else(PoisonError::into_inner).up_to(span);
            Ok(least + i64::from(drawn))
        })?,
    )
}
