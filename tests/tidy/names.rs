//! Unambiguous terms: `level` is that of a character, `dungeon_level` that of a floor, and `level_type` the kind of a
//! floor. `floor` is a grid of rooms; its surface is the `ground`. The glossary defines these terms for readers.

use crate::{Source, assert_no_complaints, words};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Layers without characters, in which a bare `level` is therefore wrong.
const WITHOUT_CHARACTERS: [&str; 4] = ["level", "puzzle", "dungeon", "protocol"];

/// Returns the violation in a line, if any.
fn complaint(layer: &str, line: &str) -> Option<&'static str> {
    // The module name is not a variable.
    let named = line.replace("level::", "").replace("mod level;", "");
    let has = |looked_for: &str| words(&named).any(|word| word == looked_for);
    if WITHOUT_CHARACTERS.contains(&layer) && (has("level") || has("levels")) {
        return Some("a level is a character's: say dungeon_level, or level_type");
    }
    ((has("floor") || has("floors")) && has("Material")).then_some("a material is of the ground: say ground")
}

#[test]
fn code_uses_the_terms_of_the_glossary() {
    let mut complaints = String::new();
    for source in crate::product() {
        for (number, line) in source.code() {
            if let Some(complaint) = complaint(source.layer(), &line) {
                let _ = writeln!(complaints, "{}:{number}: {complaint}", source.path);
            }
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn ambiguous_terms_are_found() {
    assert!(complaint("dungeon", "pub level: u32,").is_some() && complaint("game", "body.level").is_none());
    assert_eq!(complaint("level", "use crate::level::{Cell, grow};"), None);
    assert!(complaint("catalog", "floors: BTreeMap<Material, Material>,").is_some());
    let text = "let text = \"level\"; // level\nlet level = 1;\n";
    let source = Source { path: "crates/core/src/level/a.rs".into(), text: text.into() };
    let lines = source.code().filter(|(_, line)| complaint("level", line).is_some());
    assert_eq!(lines.map(|(number, _)| number).collect::<Vec<_>>(), [2]);
}

/// Returns the words of a name in any case: `LoginLimits` and `login_limits` are "login" and "limits".
fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().expect("a word").extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the name of the type or of the visible function that a line declares.
fn declared(line: &str) -> Option<&str> {
    let types = ["struct ", "enum ", "trait ", "type "];
    let line = line.trim_start();
    let (before, rest) = match line.split_once("fn ") {
        Some(parts) if parts.0.starts_with("pub") => parts,
        _ => types.iter().find_map(|word| line.split_once(word))?,
    };
    let is_declared = before.is_empty() || before.starts_with("pub");
    is_declared.then(|| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default())
}

#[test]
fn names_have_no_retired_words() {
    let list = include_str!("retired-words.txt");
    let retired: Vec<(&str, &str)> =
        list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": ")).collect();
    assert!(retired.len() > 5);
    let find = |name: &str| {
        let words = name_words(name);
        retired.iter().find(|(word, _)| words.iter().any(|used| used == word))
    };
    let mut complaints = String::new();
    for source in crate::product() {
        let file = source.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        let lines: Vec<(usize, String)> = source.code().collect();
        let names = lines.iter().filter_map(|(number, line)| Some((*number, declared(line)?)));
        for (number, name) in std::iter::once((0, file.as_str())).chain(names) {
            if let Some((word, instead)) = find(name) {
                let _ = writeln!(complaints, "{}:{number}: {name} has {word}: say {instead}", source.path);
            }
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn names_are_split_into_words() {
    assert_eq!(name_words("OverlaidTidings"), ["overlaid", "tidings"]);
    assert_eq!(declared("    pub(crate) const fn stir_room(turn: &mut Turn) {"), Some("stir_room"));
    assert_eq!(declared("pub struct Tidings<T> {"), Some("Tidings"));
    assert_eq!(declared("let enumerated = a_type (b);"), None);
}

/// Returns the types that sources declare, each with its files. Associated types have the names that their traits give
/// them. A file `absent.rs` declares what another module declares, for builds without a feature.
fn declared_types(sources: &[Source]) -> BTreeMap<String, Vec<&str>> {
    let mut types: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.path.ends_with("/absent.rs")) {
        for (_, line) in source.code().filter(|(_, line)| !line.starts_with(' ') || !line.contains("type ")) {
            if let Some(name) = declared(&line).filter(|name| name.starts_with(char::is_uppercase)) {
                types.entry(name.to_owned()).or_default().push(&source.path);
            }
        }
    }
    types
}

#[test]
fn each_type_has_its_own_name() {
    let sources = crate::paths::product();
    let mut complaints = String::new();
    for (name, files) in declared_types(&sources).iter().filter(|(_, files)| files.len() > 1) {
        let _ = writeln!(complaints, "{name} is declared more than once: {}", files.join(", "));
    }
    assert_no_complaints(&complaints);
}

#[test]
fn types_of_one_name_are_found() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = [
        source(
            "src/a.rs",
            "pub(crate) struct Order<'a> {}\nimpl Iterator for Walk {\n    type Item = u8;\n}\n",
        ),
        source(
            "src/b.rs",
            "fn f() {\n    enum Order {}\n}\ntrait Walk {\n    type Item;\n}\ntype Text = u8;\n",
        ),
        source("src/absent.rs", "pub(crate) struct Text;\n// struct Walk\n"),
    ];
    let types = declared_types(&sources);
    let several: Vec<_> = types.iter().filter(|(_, files)| files.len() > 1).collect();
    assert_eq!(several, [(&"Order".to_owned(), &vec!["src/a.rs", "src/b.rs"])]);
    assert_eq!(types.keys().collect::<Vec<_>>(), ["Order", "Text", "Walk"]);
}
