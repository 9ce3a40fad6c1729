//! Values of the fields of made creatures, items and help pages, as builders type them.

use deepwell_core::catalog::{DefinitionKind, help};
use deepwell_core::data::{Field, FileValue, edit};
use deepwell_core::text::sanitise;

/// Parses the typed value of a field: a number, list or text in file syntax, unquoted text, or several parts separated
/// by semicolons or commas.
pub(in crate::command::build) fn parse_value(kind: DefinitionKind, field: &str, typed: &str) -> FileValue {
    let fields = kind.all_fields();
    let is_it = |one: &&Field| one.table.is_empty() && one.name == field;
    let list_of = fields.iter().find(is_it).map_or("", |one| one.list_of);
    let is_quoted = typed.starts_with(['"', '\'']) && !list_of.is_empty();
    let value = if is_quoted { edit::value(&format!("[{typed}]")) } else { edit::value(typed) };
    if let Some(value) = value.or_else(|| parse_parts(first_of_part(field)?, typed)) {
        return value;
    }
    let separator = match list_of {
        "" => return FileValue::Text(sanitise::clean_line(typed, usize::MAX)),
        "text" if !typed.contains(';') => ',',
        // Sentences and lines of scripts contain commas.
        _ => ';',
    };
    FileValue::List(split(typed, separator).map(|part| FileValue::Text(part.to_owned())).collect())
}

fn split(typed: &str, separator: char) -> impl Iterator<Item = &str> {
    typed.split([separator, '\n']).map(str::trim).filter(|part| !part.is_empty())
}

/// Parses parts with parameters, separated by semicolons.
fn parse_parts(first: &str, typed: &str) -> Option<FileValue> {
    let read: Option<Vec<FileValue>> = split(typed, ';').map(|part| parse_part(first, part)).collect();
    read.map(FileValue::List)
}

/// Returns the value of a field as builders type it: parts with parameters separated by semicolons, other values in file
/// syntax.
pub(in crate::command::build) fn written(field: &str, value: &FileValue) -> String {
    let in_parts = || {
        let (FileValue::List(parts), first) = (value, first_of_part(field)?) else { return None };
        let texts: Option<Vec<String>> = parts.iter().map(|part| written_part(first, part)).collect();
        // A text with a semicolon needs file syntax.
        texts.map(|texts| texts.join("; ")).filter(|typed| parse_parts(first, typed).as_ref() == Some(value))
    };
    in_parts().unwrap_or_else(|| edit::written(value))
}

/// Returns the key of the first word of each part of a field; `None` if it has no parts with parameters.
fn first_of_part(field: &str) -> Option<&'static str> {
    match field {
        "behaviours" => Some("part"),
        "steps" => Some("key"),
        _ => None,
    }
}

fn written_part(first: &str, part: &FileValue) -> Option<String> {
    let FileValue::Table(fields) = part else { return None };
    let name = fields.get(first)?.text()?;
    let rest = fields.iter().filter(|(key, _)| *key != first);
    let rest: Vec<String> = rest.map(|(key, value)| format!("{key} = {}", edit::written(value))).collect();
    Some([name, &rest.join(", ")].join(" ").trim_end().to_owned())
}

/// Parses the typed value of a help page's field: file syntax if quoted, otherwise the text as it is.
pub(in crate::command::build) fn parse_page_value(field: &str, typed: &str) -> FileValue {
    match edit::value(typed) {
        Some(value @ (FileValue::Text(_) | FileValue::List(_))) => value,
        _ if field == help::text::BODY => {
            FileValue::Text(help::text::body(&sanitise::clean_text(typed, usize::MAX)))
        }
        _ => FileValue::Text(sanitise::clean_line(typed, usize::MAX)),
    }
}

/// Parses a part of a creature's behaviour or a step of a quest with its parameters: `wander percent = 30, ...`. Its first
/// word is the value of `first`.
fn parse_part(first: &str, part: &str) -> Option<FileValue> {
    let (name, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
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
        let kind_of = |field| if field == "steps" { DefinitionKind::Quest } else { DefinitionKind::Creature };
        let parse = |field, typed| parse_value(kind_of(field), field, typed);
        for (field, typed) in [
            ("behaviours", "guard; heard rooms = 3, sound = \"A hum.\""),
            ("steps", "rats count = 3, kill = \"rat\"; back reach = \"town/lodge\""),
            ("steps", "[{ key = \"one\", script = true, text = \"Wait; then go.\" }]"),
            ("hp", "5"),
        ] {
            assert_eq!(written(field, &parse(field, typed)), typed);
        }
        for (field, typed, value) in [
            ("hp", "5", "5"),
            ("stacks", "true", "true"),
            ("death", "It \"dies\".", "\"It \\\"dies\\\".\""),
            ("strikes", "bites, claws at", "[\"bites\", \"claws at\"]"),
            ("strikes", "bites; claws at", "[\"bites\", \"claws at\"]"),
            ("strikes", "\"bites\", \"claws at\"", "[\"bites\", \"claws at\"]"),
            ("strikes", "['bites']", "[\"bites\"]"),
            ("manoeuvres", "feint", "[\"feint\"]"),
            (
                "on_tick",
                "20% say Squeak, squeak.; tell It looks at you.",
                "[\"20% say Squeak, squeak.\", \"tell It looks at you.\"]",
            ),
            ("steps", "rats kill = \"rat\", count = 3", "[{ key = \"rats\", count = 3, kill = \"rat\" }]"),
            (
                "behaviours",
                "guard; heard sound = \"A hum.\", rooms = 3",
                "[{ part = \"guard\" }, { part = \"heard\", rooms = 3, sound = \"A hum.\" }]",
            ),
        ] {
            assert_eq!(edit::written(&parse(field, typed)), value, "{field} = {typed}");
        }
    }
}
