//! Values of the fields of made creatures, items and help pages, as builders type them.

use deepwell_core::catalog::help;
use deepwell_core::data::{Value, edit};
use deepwell_core::text::sanitise;

/// Parses the typed value of a field: a number, list or text in file syntax, unquoted text, or several parts separated
/// by semicolons or commas.
pub(in crate::command::build) fn parse_value(field: &str, typed: &str) -> Value {
    if let Some(value) = edit::value(typed) {
        return value;
    }
    let parts = |by: char| typed.split(by).map(str::trim).filter(|part| !part.is_empty());
    let texts = |by| Value::List(parts(by).map(|part| Value::Text(part.to_owned())).collect());
    match field {
        "strikes" | "conditions" | "cures" | "creatures" | "treasure" | "items" | "filled_with" => texts(','),
        "on_tick" | "lines" | "patrol" | "schedule" => texts(';'),
        _ => match first_of_part(field) {
            Some(first) => {
                let read: Option<Vec<Value>> = parts(';').map(|part| parse_part(first, part)).collect();
                read.map_or_else(|| Value::Text(typed.to_owned()), Value::List)
            }
            None => Value::Text(sanitise::clean_line(typed, usize::MAX)),
        },
    }
}

/// Returns the value of a field as builders type it: parts with parameters separated by semicolons, other values in file
/// syntax.
pub(in crate::command::build) fn written(field: &str, value: &Value) -> String {
    let in_parts = || {
        let (Value::List(parts), first) = (value, first_of_part(field)?) else { return None };
        let words: Option<Vec<String>> = parts.iter().map(|part| written_part(first, part)).collect();
        words.map(|words| words.join("; "))
    };
    // A text with a semicolon needs file syntax.
    let typed = in_parts().filter(|typed| parse_value(field, typed) == *value);
    typed.unwrap_or_else(|| edit::written(value))
}

/// Returns the key of the first word of each part of a field; `None` if it has no parts with parameters.
fn first_of_part(field: &str) -> Option<&'static str> {
    match field {
        "behaviours" => Some("part"),
        "steps" => Some("key"),
        _ => None,
    }
}

fn written_part(first: &str, part: &Value) -> Option<String> {
    let Value::Table(fields) = part else { return None };
    let name = fields.get(first)?.text()?;
    let rest = fields.iter().filter(|(key, _)| *key != first);
    let rest: Vec<String> = rest.map(|(key, value)| format!("{key} = {}", edit::written(value))).collect();
    Some([name, &rest.join(", ")].join(" ").trim_end().to_owned())
}

/// Parses the typed value of a help page's field: file syntax if quoted, otherwise the text as it is.
pub(in crate::command::build) fn parse_page_value(field: &str, typed: &str) -> Value {
    match edit::value(typed) {
        Some(value @ (Value::Text(_) | Value::List(_))) => value,
        _ if field == help::text::BODY => {
            Value::Text(help::text::body(&sanitise::clean_text(typed, usize::MAX)))
        }
        _ => Value::Text(sanitise::clean_line(typed, usize::MAX)),
    }
}

/// Parses a part of a creature's behaviour or a step of a quest with its parameters: `wander percent = 30, ...`. Its first
/// word is the value of `first`.
fn parse_part(first: &str, words: &str) -> Option<Value> {
    let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    edit::value(&format!(
        "{{ {first} = {}{}{rest} }}",
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
        for (field, typed) in [
            ("behaviours", "guard; heard rooms = 3, sound = \"A hum.\""),
            ("steps", "rats count = 3, kill = \"rat\"; back reach = \"town/lodge\""),
            ("steps", "[{ key = \"one\", script = true, text = \"Wait; then go.\" }]"),
            ("hp", "5"),
        ] {
            assert_eq!(super::written(field, &parse_value(field, typed)), typed);
        }
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
            written("steps", "rats kill = \"rat\", count = 3"),
            "[{ key = \"rats\", count = 3, kill = \"rat\" }]"
        );
        assert_eq!(
            written("behaviours", parts),
            "[{ part = \"guard\" }, { part = \"heard\", rooms = 3, sound = \"A hum.\" }]"
        );
    }
}
