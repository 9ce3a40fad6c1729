//! Tests of the documentation: generated pages are up to date, examples load, and commands are valid.

mod commands;
mod examples;
/// Faults and the tests that find them.
mod faults;
mod fences;
/// Kinds of fenced blocks.
mod languages;
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
mod spans;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use deepwell::game::Class;
use deepwell::game::command::reference;
use deepwell::server::config::Config;
use deepwell::world::Role;

use crate::fences::pages;

/// Text before the first command.
const COMMANDS_HEAD: &str = "\
# Commands

For players, builders and staff: the commands of the game, by the role that may type them. Each role may also type the
commands of the roles before it. In the game, `commands` lists your commands and `help COMMAND` describes one. This page is
generated from the command table, with the help text that the game shows; update it with `WRITE_GENERATED=1 cargo test --test docs`.

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

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns `true` if a page has a heading with this anchor, outside of fenced blocks.
fn has_heading(page: &str, name: &str) -> bool {
    let outside = page.split("\n```").step_by(2);
    let mut lines = outside.flat_map(str::lines);
    lines.any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == name)
}

/// Every page is linked from another page, and no link between pages is dead.
#[test]
fn links_between_pages_are_valid() {
    let pages = pages();
    let mut linked = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(path.exists(), "{}: the link to {target} is dead", page.display());
            if !heading.is_empty() {
                let found = has_heading(&fs::read_to_string(&path).unwrap(), heading);
                assert!(found, "{}: {target} has no such heading", page.display());
            }
            if path != *page {
                linked.push(path.canonicalize().unwrap());
            }
        }
    }
    for page in &pages[1..] {
        assert!(linked.contains(&page.canonicalize().unwrap()), "{}: nothing links to it", page.display());
    }
}
