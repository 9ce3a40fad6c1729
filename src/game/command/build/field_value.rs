//! Values of the fields of made creatures, items and help pages, as builders type them.

use crate::catalog::help;
use crate::data::{Value, edit};
use crate::text::sanitise;

/// Parses the typed value of a field: a number, list or text in file syntax, unquoted text, or several parts separated
/// by semicolons or commas.
pub(super) fn parse_value(field: &str, typed: &str) -> Value {
    if let Some(value) = edit::value(typed) {
        return value;
    }
    let parts = |by: char| typed.split(by).map(str::trim).filter(|part| !part.is_empty());
    let texts = |by| Value::List(parts(by).map(|part| Value::Text(part.to_owned())).collect());
    match field {
        "strikes" | "conditions" | "cures" | "creatures" | "treasure" => texts(','),
        "on_tick" => texts(';'),
        "behaviours" => {
            let read: Option<Vec<Value>> = parts(';').map(parse_part).collect();
            read.map_or_else(|| Value::Text(typed.to_owned()), Value::List)
        }
        _ => Value::Text(sanitise::clean_line(typed, usize::MAX)),
    }
}

/// Parses the typed value of a help page's field: file syntax if quoted, otherwise the text as it is.
pub(super) fn parse_page_value(field: &str, typed: &str) -> Value {
    match edit::value(typed) {
        Some(value @ (Value::Text(_) | Value::List(_))) => value,
        _ if field == help::text::BODY => {
            Value::Text(help::text::body(&sanitise::clean_text(typed, usize::MAX)))
        }
        _ => Value::Text(sanitise::clean_line(typed, usize::MAX)),
    }
}

/// Parses a part of a creature's behaviour with its parameters: `wander percent = 30, ...`.
fn parse_part(words: &str) -> Option<Value> {
    let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    edit::value(&format!(
        "{{ part = {}{}{rest} }}",
        edit::quoted(name),
        if rest.is_empty() { "" } else { ", " }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_values_parse_without_file_syntax() {
        let written = |field, typed| edit::written(&parse_value(field, typed));
        assert_eq!(written("hp", "5"), "5");
        assert_eq!(written("stacks", "true"), "true");
        assert_eq!(written("death", "It \"dies\"."), "\"It \\\"dies\\\".\"");
        assert_eq!(written("strikes", "bites, claws at"), "[\"bites\", \"claws at\"]");
        assert_eq!(written("strikes", "['bites']"), "[\"bites\"]");
        assert_eq!(
            written("on_tick", "20% say Squeak.; tell It looks at you."),
            "[\"20% say Squeak.\", \"tell It looks at you.\"]"
        );
        let parts = "guard; heard sound = \"A hum.\", rooms = 3";
        assert_eq!(
            written("behaviours", parts),
            "[{ part = \"guard\" }, { part = \"heard\", rooms = 3, sound = \"A hum.\" }]"
        );
    }
}
