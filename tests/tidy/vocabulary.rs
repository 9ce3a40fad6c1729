//! Words that mean one thing: a level is a character's, that of a floor is its dungeon level, what floors are made by is
//! a level type; a floor is a grid of rooms, and what one walks on is the ground. The glossary says so to people.

use crate::{Source, nothing_wrong, sources, words};
use std::fmt::Write as _;

/// Where no character's level is known, so that the bare word could only mean something else.
const WITHOUT_CHARACTERS: [&str; 4] = ["level", "puzzle", "dungeon", "protocol"];

/// Lines of code without what stands in quotes, with their numbers.
fn unquoted(source: &Source) -> impl Iterator<Item = (usize, String)> {
    source.code().map(|(number, line)| (number, line.split('"').step_by(2).collect()))
}

/// What is wrong with the words of a line.
fn complaint(layer: &str, line: &str) -> Option<&'static str> {
    // The name of the layer is no variable.
    let named = line.replace("level::", "").replace("mod level;", "");
    let has = |looked_for: &str| words(&named).any(|word| word == looked_for);
    if WITHOUT_CHARACTERS.contains(&layer) && (has("level") || has("levels")) {
        return Some("a level is a character's: say dungeon_level, or level_type");
    }
    ((has("floor") || has("floors")) && has("Material")).then_some("a material is of the ground: say ground")
}

#[test]
fn levels_floors_and_ground_are_what_the_glossary_says() {
    let mut complaints = String::new();
    for source in sources("src") {
        for (number, line) in unquoted(&source) {
            if let Some(complaint) = complaint(source.layer(), &line) {
                let _ = writeln!(complaints, "{}:{number}: {complaint}", source.path);
            }
        }
    }
    nothing_wrong(&complaints);
}

#[test]
fn words_with_two_meanings_are_seen() {
    assert!(complaint("dungeon", "pub level: u32,").is_some() && complaint("game", "body.level").is_none());
    assert_eq!(complaint("level", "use crate::level::{Cell, grow};"), None);
    assert!(complaint("catalog", "floors: BTreeMap<Material, Material>,").is_some());
    let text = "let text = \"level\"; // level\nlet level = 1;\n";
    let source = Source { path: "src/level/a.rs".into(), text: text.into() };
    let wrong = unquoted(&source).filter(|(_, line)| complaint("level", line).is_some());
    assert_eq!(wrong.map(|(number, _)| number).collect::<Vec<_>>(), [2]);
}
