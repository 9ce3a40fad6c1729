//! Documents that follow from the code are up to date. Examples in the documents are loaded, commands are read; what the
//! documents say beyond that is for people to keep true.

mod commands;
mod examples;
/// Which test finds which fault.
mod faults;
mod fences;
/// Which kinds of blocks there are.
mod languages;
/// Which test over sockets shows which rule.
mod rules;
/// Files that tests write anew.
#[path = "../it/generated.rs"]
mod generated;
/// The puzzle that docs/puzzles.md teaches.
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

/// The lines before the first command.
const COMMANDS_HEAD: &str = "\
# Commands

Everything that can be typed in the game, by the role that may type it; each role may also type what stands before it.
The server tells the same: `help COMMAND` for one of them, `commands` for the list. This page is generated from the
command table; `WRITE_GENERATED=1 cargo test --test docs` writes it again.

Directions need no command: `north`, `east`, `south`, `west`, `up` and `down`, or their first letters, and the name of
any exit of the room. A command may be shortened as long as it stays the first one that begins so, as in `inv`. A word
that means nothing is answered with the nearest one that does. A leading `@` is ignored.
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
            let _ = writeln!(page, "\n### {name}\n\n`{syntax}`\n\n{summary}\n\nExample: {example}");
        }
    }
    page
}

#[test]
fn the_page_of_commands_is_what_the_command_table_says() {
    let stands = generated::stands("docs/commands.md", &commands_page());
    assert!(stands, "docs/commands.md is not what the command table says; {}", generated::HOW);
}

#[test]
fn the_shipped_settings_are_those_of_the_code() {
    let stands = generated::stands("config.toml", &Config::shipped());
    assert!(stands, "config.toml is not what the table of settings says; {}", generated::HOW);
}

/// Protocols 10: the line starts that triggers wait for are written down, and are those of the code.
#[test]
fn the_line_starts_are_written_down() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/screen-reader.md");
    let page = fs::read_to_string(path).unwrap();
    for class in Class::ALL {
        let form = class.screen_reader_form();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", form.cue)));
        let row = row.unwrap_or_else(|| panic!("docs/screen-reader.md has no row for {}", form.cue));
        for start in form.begins {
            assert!(row.contains(&format!("`{start}`")), "{start:?} is missing for {}", form.cue);
        }
    }
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Whether a page has a heading of that name, outside its blocks.
fn has_heading(page: &str, name: &str) -> bool {
    let outside = page.split("\n```").step_by(2);
    let mut lines = outside.flat_map(str::lines);
    lines.any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == name)
}

/// Every page is linked from somewhere a reader comes by, and no link between pages is dead.
#[test]
fn links_between_the_documents_lead_to_files() {
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
