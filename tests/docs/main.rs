//! Tests of the documentation: generated pages are up to date, examples load, and commands are valid.

mod commands;
/// Units and compose files.
mod deploy;
mod examples;
/// Faults and the tests that find them.
mod faults;
mod fences;
/// Kinds of fenced blocks.
mod languages;
mod limitations;
mod links;
/// Design rules and the socket tests that show them.
mod rules;
/// Files that tests generate.
#[path = "../it/generated.rs"]
mod generated;
/// The example puzzle of docs/build/puzzles.md.
#[path = "../it/lamps.rs"]
mod lamps;
mod moss;
mod pictures;
mod scripts;
/// Errors for operators that no test causes.
mod sentences;
mod spans;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use deepwell::game::Class;
use deepwell::game::command::reference;
use deepwell::server::config::Config;
use deepwell::world::Role;

use crate::fences::{name, pages};

/// Text before the first command.
const COMMANDS_HEAD: &str = "\
# Commands

This page is for players, builders and staff who look up the syntax of a command. `help COMMAND` shows the same text in
the game:

```text from tests/data/transcripts/settings.txt
> help kill
kill
Attacks a creature here. The fight goes on by itself, a blow a round, until one falls or flees.
Type: kill, and if you like CREATURE
Example: kill rat: you strike at the rat, and it strikes back.
Also: attack, k, hit, fight, slay
```

The commands are listed by the rank that may type them. Each rank may also type the commands of the ranks before it;
`commands` lists those that you may type. This page is generated from the command table; update it with
`WRITE_GENERATED=1 cargo test --test docs`.

To move, type `north`, `east`, `south`, `west`, `up` or `down`, their first letters, or the name of any exit of the room.
Commands may be abbreviated, as in `inv`, as long as no earlier command begins with the same letters. For an unknown
command, the server suggests the most similar one. A leading `@` is ignored.
";

fn commands_page() -> String {
    let mut page = String::from(COMMANDS_HEAD);
    let mut told = Vec::new();
    for role in Role::ALL {
        let fresh: Vec<_> = reference(role).filter(|[name, ..]| !told.contains(name)).collect();
        if fresh.is_empty() {
            continue;
        }
        let mut title = role.name().to_owned();
        title[..1].make_ascii_uppercase();
        let _ = writeln!(page, "\n## {title}");
        for [name, syntax, summary, example] in fresh {
            told.push(name);
            let help = [wrapped(summary), wrapped(&format!("Example: {example}"))].join("\n\n");
            let _ = writeln!(page, "\n### {name}\n\n`{syntax}`\n\n```text help\n{help}\n```");
        }
    }
    page
}

/// Breaks a line of help into lines of at most 100 characters, since renderers do not wrap a block.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("a line");
        if line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[test]
fn commands_page_matches_the_command_table() {
    let is_current = generated::is_up_to_date("docs/play/commands.md", &commands_page());
    assert!(is_current, "docs/play/commands.md is not what the command table says; {}", generated::HOW);
}

#[test]
fn config_toml_matches_the_settings_table() {
    let stands = generated::is_up_to_date("config.toml", &Config::shipped());
    assert!(stands, "config.toml is not what the table of settings says; {}", generated::HOW);
}

/// docs/play/screen-reader.md lists the line starts of every class, as in the code.
#[test]
fn protocols_10_line_starts_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/play/screen-reader.md");
    let page = fs::read_to_string(path).unwrap();
    for class in Class::ALL {
        let form = class.screen_reader_form();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", form.cue)));
        let row = row.unwrap_or_else(|| panic!("docs/play/screen-reader.md has no row for {}", form.cue));
        for start in form.begins {
            assert!(row.contains(&format!("`{start}`")), "{start:?} is missing for {}", form.cue);
        }
    }
}

/// Every page names its readers first, and shows an example before its next heading.
#[test]
fn pages_begin_with_readers_and_an_example() {
    // The first page is the README. A decision record is read from the index, and the changelog is a list.
    let is_record = |page: &str| page.contains("decisions/0") || page == "CHANGELOG.md";
    for page in pages().iter().skip(1) {
        let text = fs::read_to_string(page).unwrap();
        let (_, text) = text.split_once("\n\n").expect("a title");
        let start = text.split("\n## ").next().unwrap_or_default();
        let has_example = start.contains("\n```") || start.contains("or example");
        let page = name(page);
        if !is_record(&page) {
            assert!(start.starts_with("This page is for "), "{page} does not begin with its readers");
            assert!(has_example, "{page} has no example before its first section");
        }
    }
}

#[test]
fn changelog_has_a_section_for_this_version() {
    let changelog = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md")).unwrap();
    assert!(changelog.contains(concat!("\n## [", env!("CARGO_PKG_VERSION"), "]")));
}
