//! The reference page of builders follows from the tables in the code.

use std::fmt::Write as _;

use deepwell::catalog::reference::{behaviours, definitions};
use deepwell::catalog::script::verbs::{ScriptVerb, VerbRow};
use deepwell::catalog::script::{ScriptDeed, Test};
use deepwell::catalog::{CreatureEvent, ItemEvent, TriggerEvent};
use deepwell::data::Field;
use deepwell::game::command::{free_verbs, settings};

use crate::commands_page::wrapped;
use crate::generated;

/// Text before the first list.
const HEAD: &str = "\
# Reference for builders

This page is for builders who look up a setting, a field, an event or a verb of a script. In the game, `set here`, `set
EXIT` and `set creature KEY` list the same settings and fields, with their values:

```text typed
set here
set here dark = yes
```

This page is generated from the code that reads what builders write; update it with `WRITE_GENERATED=1 cargo test --test
docs`. An empty default means that nothing is set.
";

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn table(page: &mut String, heads: &[&str]) {
    let _ = writeln!(page, "\n| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()));
}

fn row(page: &mut String, cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

/// Adds the fields of a definition: those of the file, then those of each nested table.
fn add_fields(page: &mut String, fields: &[Field]) {
    let mut tables: Vec<&str> = fields.iter().map(|field| field.table.as_str()).collect();
    tables.sort_by_key(|name| fields.iter().position(|field| field.table == **name));
    tables.dedup();
    for name in tables {
        let of_table: Vec<&Field> = fields.iter().filter(|field| field.table == name).collect();
        if !name.is_empty() {
            let about = of_table[0].about_table.as_str();
            let _ = write!(page, "\nFields of `{name}`");
            let _ = writeln!(page, "{}{}", if about.is_empty() { "" } else { ". " }, about);
        }
        table(page, &["field", "value", "default", "effect"]);
        for field in of_table {
            let default = match (field.is_required, field.default.as_str()) {
                (true, _) => "required".to_owned(),
                (false, "") => String::new(),
                (false, default) => format!("`{default}`"),
            };
            row(page, &[&format!("`{}`", field.name), &field.value, &default, &field.about]);
        }
    }
}

/// Adds a list of verbs or events.
fn add_rows(page: &mut String, title: &str, heads: [&str; 2], rows: &[VerbRow]) {
    let _ = writeln!(page, "\n## {title}");
    table(page, &heads);
    for VerbRow { verb, form, about } in rows {
        // The form of an action is a description, that of a test or event is what is typed.
        let is_typed = form.chars().any(char::is_uppercase);
        let form = if form.is_empty() || *form == "nothing" {
            format!("`{verb}`")
        } else if is_typed {
            format!("`{verb} {form}`")
        } else {
            format!("`{verb}` and {form}")
        };
        row(page, &[&form, about]);
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    page += "\n## Settings of rooms and exits\n";
    for (group, rows) in settings() {
        let _ = writeln!(page, "\n### {group}");
        table(&mut page, &["setting", "value", "default", "effect"]);
        for setting in rows {
            let name = format!("`{}`", setting.name);
            row(&mut page, &[&name, &setting.takes.to_string(), setting.default, setting.about]);
        }
    }
    add_rows(&mut page, "Events of rooms", ["event", "runs when"], TriggerEvent::ROWS);
    let free: Vec<String> = free_verbs().map(|verb| format!("`{verb}`")).collect();
    let _ = writeln!(
        page,
        "\n`command` takes words that mean nothing yet, and these verbs of commands, for which it runs where they find\n\
         nothing to act on:\n{}.",
        wrapped(&free.join(", "))
    );
    add_rows(&mut page, "Events of creatures", ["event", "runs when"], CreatureEvent::ROWS);
    add_rows(&mut page, "Events of items", ["event", "runs when"], ItemEvent::ROWS);
    add_rows(&mut page, "Verbs of lines", ["verb", "effect"], ScriptDeed::ROWS);
    add_rows(&mut page, "Conditions", ["condition", "true when"], Test::ROWS);
    for definition in definitions() {
        let _ = writeln!(page, "\n## {}\n\nFile: `content/{}`.", definition.title, definition.path);
        add_fields(&mut page, &definition.fields);
    }
    page += "\n## Parts of the behaviour of a creature\n";
    table(&mut page, &["part", "field", "value", "default", "effect"]);
    for (name, about, fields) in behaviours() {
        row(&mut page, &[&format!("`{name}`"), "", "", "", about]);
        for field in fields {
            let default = if field.is_required { "required" } else { &field.default };
            row(&mut page, &["", &format!("`{}`", field.name), &field.value, default, &field.about]);
        }
    }
    page
}

#[test]
fn reference_page_matches_the_tables_in_the_code() {
    let is_current = generated::is_up_to_date("docs/build/reference.md", &page());
    assert!(is_current, "docs/build/reference.md is not what the tables say; {}", generated::HOW);
}
