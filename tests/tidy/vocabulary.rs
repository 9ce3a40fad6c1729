//! Unambiguous terms: `level` is that of a character, `dungeon_level` that of a floor, and `level_type` the kind of a
//! floor. `floor` is a grid of rooms; its surface is the `ground`. The glossary defines these terms for readers.

use crate::{Source, assert_no_complaints, words};
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
    let wrong = source.code().filter(|(_, line)| complaint("level", line).is_some());
    assert_eq!(wrong.map(|(number, _)| number).collect::<Vec<_>>(), [2]);
}
