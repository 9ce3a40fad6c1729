//! Editing of definition files by key. Text that is not edited keeps its formatting and comments.

use super::FileValue;
use std::collections::BTreeMap;
use toml::de::DeTable;

/// Returns the top-level keys with their values, in file order. `None` if the text is not valid TOML or contains
/// fractions or dates.
pub fn fields(text: &str) -> Option<Vec<(String, FileValue)>> {
    let (table, mistakes) = DeTable::parse_recoverable(text);
    if !mistakes.is_empty() {
        return None;
    }
    let entries = table.into_inner().into_iter();
    let read = entries.map(|(key, value)| {
        let place = key.span().start;
        Some((place, key.into_inner().into_owned(), FileValue::of(value.into_inner())?))
    });
    let mut fields: Vec<(usize, String, FileValue)> = read.collect::<Option<_>>()?;
    fields.sort_by_key(|(place, ..)| *place);
    Some(fields.into_iter().map(|(_, key, value)| (key, value)).collect())
}

/// Parses the text after an `=`. `None` if it is not exactly one value.
pub fn value(text: &str) -> Option<FileValue> {
    let mut fields = fields(&format!("value = {text}\n"))?;
    let (_, value) = fields.pop()?;
    fields.is_empty().then_some(value)
}

/// Returns the text as a quoted TOML string.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.extend(["\\u", &format!("{:04X}", u32::from(c))]),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Formats a value on one line.
pub fn written(value: &FileValue) -> String {
    match value {
        FileValue::Text(text) => quoted(text),
        FileValue::Number(number) => number.to_string(),
        FileValue::Truth(truth) => truth.to_string(),
        FileValue::List(values) => {
            let values: Vec<String> = values.iter().map(written).collect();
            format!("[{}]", values.join(", "))
        }
        FileValue::Table(table) if table.is_empty() => "{}".to_owned(),
        FileValue::Table(table) => {
            let entries: Vec<String> = in_order(table)
                .map(|(key, value)| format!("{} = {}", key_written(key), written(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Returns the text with a key set to a value, or removed for `None`. `None` if the text is not valid TOML.
pub fn with(text: &str, name: &str, value: Option<&FileValue>) -> Option<String> {
    let mut wanted = fields(text)?;
    match (wanted.iter_mut().find(|(key, _)| key == name), value) {
        (Some((_, old)), Some(value)) => *old = value.clone(),
        (None, Some(value)) => wanted.push((name.to_owned(), value.clone())),
        (_, None) => wanted.retain(|(key, _)| key != name),
    }
    let edited = edited(text, name, value);
    let same = |edited: &String| fields(edited).is_some_and(|found| sorted(found) == sorted(wanted.clone()));
    Some(Some(edited).filter(same).unwrap_or_else(|| whole(&wanted)))
}

fn sorted(fields: Vec<(String, FileValue)>) -> BTreeMap<String, FileValue> {
    fields.into_iter().collect()
}

/// Formats the whole file from its fields; formatting and comments are lost.
fn whole(fields: &[(String, FileValue)]) -> String {
    let (tables, lines): (Vec<_>, Vec<_>) = fields.iter().partition(|(_, value)| has_headers(value));
    let mut text = String::new();
    for (key, value) in lines {
        add_line(&mut text, key, value);
    }
    for (key, value) in tables {
        add_tables(&mut text, key, value);
    }
    text
}

/// Replaces, adds or removes the lines of a key. The caller must check the result, since not every form of TOML is
/// recognised.
fn edited(text: &str, name: &str, value: Option<&FileValue>) -> String {
    let (head, tables) = parts(text);
    let (line, headed) = match value {
        Some(value) if has_headers(value) => (None, Some(value)),
        value => (value, None),
    };
    let mut edited = head_with(head, name, line);
    for table in tables.into_iter().filter(|table| header(table) != name) {
        edited.push_str(table);
    }
    if let Some(value) = headed {
        add_tables(&mut edited, name, value);
    }
    edited.truncate(edited.trim_end().len());
    edited + "\n"
}

/// Splits a text into the part before the first table header, and one part per table, header included.
fn parts(text: &str) -> (&str, Vec<&str>) {
    let mut begins: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            begins.push(at);
        }
        at += line.len();
    }
    let head = &text[..begins.first().copied().unwrap_or(text.len())];
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    (head, begins.iter().copied().zip(ends).map(|(begin, end)| &text[begin..end]).collect())
}

/// Returns the first component of a table's header.
fn header(table: &str) -> &str {
    let name = table.trim_start_matches('[');
    name.split([']', '.']).next().unwrap_or_default().trim()
}

fn head_with(head: &str, name: &str, value: Option<&FileValue>) -> String {
    let (table, _) = DeTable::parse_recoverable(head);
    let entry = table.into_inner().into_iter().find(|(key, _)| key.get_ref() == name);
    let mut edited = head.to_owned();
    match (entry, value) {
        (Some((_, old)), Some(value)) => edited.replace_range(old.span(), &written(value)),
        (Some((key, old)), None) => {
            let begin = head[..key.span().start].rfind('\n').map_or(0, |end| end + 1);
            let end = head[old.span().end..].find('\n').map_or(head.len(), |end| old.span().end + end + 1);
            edited.replace_range(begin..end, "");
        }
        (None, Some(value)) => {
            let line = format!("{} = {}\n", key_written(name), written(value));
            let end = head.trim_end().len();
            let end = head[end..].find('\n').map_or(head.len(), |line| end + line + 1);
            let open = if edited.is_empty() || head[..end].ends_with('\n') { "" } else { "\n" };
            edited.insert_str(end, &format!("{open}{line}"));
        }
        (None, None) => {}
    }
    edited
}

/// Returns `true` if a value is written as one or more tables with headers.
fn has_headers(value: &FileValue) -> bool {
    match value {
        FileValue::Table(_) => true,
        FileValue::List(values) => {
            !values.is_empty() && values.iter().all(|value| matches!(value, FileValue::Table(_)))
        }
        _ => false,
    }
}

fn add_tables(text: &mut String, name: &str, value: &FileValue) {
    match value {
        FileValue::Table(table) => add_table(text, &key_written(name), ("[", "]"), table),
        FileValue::List(values) => {
            for value in values {
                if let FileValue::Table(table) = value {
                    add_table(text, &key_written(name), ("[[", "]]"), table);
                }
            }
        }
        _ => {}
    }
}

/// Adds a table under a header. Lists of tables in it follow under headers of their own.
fn add_table(text: &mut String, path: &str, brackets: (&str, &str), table: &BTreeMap<String, FileValue>) {
    text.truncate(text.trim_end().len());
    text.push_str(if text.is_empty() { "" } else { "\n\n" });
    text.extend([brackets.0, path, brackets.1, "\n"]);
    let is_headed = |value: &FileValue| matches!(value, FileValue::List(_)) && has_headers(value);
    for (key, value) in in_order(table).filter(|(_, value)| !is_headed(value)) {
        add_line(text, key, value);
    }
    for (key, value) in in_order(table).filter(|(_, value)| is_headed(value)) {
        let FileValue::List(values) = value else { continue };
        for value in values {
            if let FileValue::Table(table) = value {
                add_table(text, &format!("{path}.{}", key_written(key)), ("[[", "]]"), table);
            }
        }
    }
}

fn add_line(text: &mut String, key: &str, value: &FileValue) {
    text.extend([key_written(key).as_str(), " = ", written(value).as_str(), "\n"]);
}

/// Returns the entries with `part` and `key` first; these say which kind of entry a table is.
fn in_order(table: &BTreeMap<String, FileValue>) -> impl Iterator<Item = (&String, &FileValue)> {
    let is_first = |key: &String| matches!(key.as_str(), "part" | "key");
    let first = table.iter().filter(move |(key, _)| is_first(key));
    first.chain(table.iter().filter(move |(key, _)| !is_first(key)))
}

fn key_written(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.is_empty() && key.chars().all(is_bare) { key.to_owned() } else { quoted(key) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAT: &str = "# Small.\nname = \"rat\"\nhp = 3  # not much\nstrikes = [\"bites\", \"claws\"]\n\n[racket]\nhp = 5\n\n\
                       [[behaviours]]\npart = \"guard\"\n\n[[behaviours]]\npart = \"heard\"\nsound = \"A hum.\"\n";

    fn set(name: &str, typed: &str) -> String {
        with(RAT, name, Some(&value(typed).expect("a value"))).expect("TOML")
    }

    #[test]
    fn edit_changes_only_the_lines_of_its_key() {
        assert_eq!(set("hp", "9"), RAT.replace("hp = 3", "hp = 9"));
        assert_eq!(set("strikes", "['bites']"), RAT.replace("[\"bites\", \"claws\"]", "[\"bites\"]"));
        assert_eq!(set("xp", "2"), RAT.replace("\"claws\"]\n", "\"claws\"]\nxp = 2\n"));
        assert_eq!(
            set("racket", "{ hp = 7 }"),
            RAT.replace("[racket]\nhp = 5\n\n", "") + "\n[racket]\nhp = 7\n"
        );
        assert_eq!(with(RAT, "hp", None).unwrap(), RAT.replace("hp = 3  # not much\n", ""));
        assert_eq!(with(RAT, "racket", None).unwrap(), RAT.replace("[racket]\nhp = 5\n\n", ""));
        let parts = "[{ sound = 'A \"hum\".', part = 'heard' }]";
        let heard = RAT.split("[[").next().unwrap().to_owned()
            + "[[behaviours]]\npart = \"heard\"\nsound = \"A \\\"hum\\\".\"\n";
        assert_eq!(set("behaviours", parts), heard);
        assert_eq!(with("", "hp", Some(&FileValue::Number(1))).unwrap(), "hp = 1\n");
    }

    #[test]
    fn lists_of_tables_within_tables_have_headers() {
        let nodes = "[{ text = 'Yes?', choices = [{ text = 'No.' }, { text = 'Why?', to = 'why' }], key = 'a' }, { key = 'b' }]";
        let text = with("name = \"x\"\n", "nodes", Some(&value(nodes).unwrap())).unwrap();
        let expected = "name = \"x\"\n\n[[nodes]]\nkey = \"a\"\ntext = \"Yes?\"\n\n[[nodes.choices]]\ntext = \"No.\"\n\n\
                        [[nodes.choices]]\ntext = \"Why?\"\nto = \"why\"\n\n[[nodes]]\nkey = \"b\"\n";
        assert_eq!(text, expected);
        assert_eq!(with(&text, "nodes", None).unwrap(), "name = \"x\"\n");
        assert_eq!(with(&text, "nodes", Some(&value(nodes).unwrap())).unwrap(), expected);
    }

    #[test]
    fn file_is_rewritten_if_lines_cannot_be_edited() {
        let text = "racket.hp = 3\nlists = [\n[1],\n[2]]\n";
        let edited = with(text, "racket", Some(&value("{ hp = 4 }").unwrap())).unwrap();
        assert!(edited.ends_with("]\n\n[racket]\nhp = 4\n"), "{edited}");
        assert_eq!(fields(&edited).unwrap().len(), 2, "{edited}");
        assert_eq!(with("hp = ", "xp", None), None, "it is not TOML");
    }

    #[test]
    fn text_must_be_exactly_one_value() {
        assert_eq!(value("3"), Some(FileValue::Number(3)));
        assert_eq!(value("\"a\\nb\""), Some(FileValue::Text("a\nb".into())));
        for text in ["a rat", "3\nhp = 4", "", "1.5", "\"open"] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn written_value_is_read_back() {
        let tables = "[{ part = \"heard\", rooms = 3, sound = \"A \\\\ hum.\" }, { \"a b\" = [true, {}] }]";
        assert_eq!(written(&value(tables).unwrap()), tables);
    }
}
