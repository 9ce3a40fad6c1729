//! Tests of the documentation: generated pages are up to date, examples load, and commands are valid.

mod commands;
mod commands_page;
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
/// The map on the login page of the web client.
mod login_map;
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
mod reference;
mod scripts;
/// Errors for operators that no test causes.
mod sentences;
mod spans;

use std::fs;
use std::path::Path;

use deepwell::game::Class;
use deepwell::server::config::Config;

use crate::fences::{name, pages};

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
