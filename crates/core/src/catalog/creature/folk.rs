//! Townspeople: what they say when talked to, and the topics they answer questions about.

use crate::catalog::creature::rumours::{self, Rumours};
use crate::catalog::{Area, RoomKind};
use crate::data::{CatalogError, Position, Reader};
use std::collections::BTreeMap;

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "folk.toml";

/// Placeholder in an answer for current and recent events in the dungeon.
pub const LATELY: &str = "{lately}";
/// Placeholder in an answer for a recent rumour; empty if there is no recent one.
pub const RUMOUR: &str = "{rumour}";

/// A townsperson.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folk {
    /// Name with its article: "the chandler".
    pub name: String,
    /// Nouns by which players address them.
    pub nouns: Vec<String>,
    /// Area and key of their room; empty for those of a kind of room.
    pub room: (String, String),
    /// Kind of room in branches where such a person is.
    pub kind: Option<RoomKind>,
    /// Reply when talked to.
    pub says: String,
    /// Reply to an unknown topic.
    pub shrugs: String,
    /// Replies by topic, each with its keywords.
    pub topics: Vec<(Vec<String>, String)>,
    /// Dialogue in place of the greeting, by key.
    pub dialogue: Option<String>,
    /// Place of the definition.
    pub place: Position,
}

impl Folk {
    /// Returns the reply to a player's question.
    pub fn answer(&self, question: &str) -> &str {
        let question = question.to_lowercase();
        let asks =
            |known: &String| question.split_whitespace().any(|word| word == known) || question == *known;
        let found = self.topics.iter().find(|(known, _)| known.iter().any(asks));
        found.map_or(self.shrugs.as_str(), |(_, says)| says)
    }
}

/// Reads the file, which is optional.
pub(in crate::catalog) fn read(text: Option<&str>, mistakes: &mut Vec<CatalogError>) -> (Vec<Folk>, Rumours) {
    let Some(mut file) = text.and_then(|text| Reader::parse(FILE, text, mistakes)) else {
        return Default::default();
    };
    let rumours = file.table_if_any("rumours").map(|mut table| {
        let rumours = rumours::read(&mut table);
        table.finish();
        rumours
    });
    let folk = file.tables("folk", |table| {
        let kind_place = table.place_of("kind");
        let kind = table.filled_text("kind");
        let place = table.place_of("room");
        let room = if kind.is_some() { String::new() } else { table.text("room") };
        let names = || RoomKind::ALL.iter().map(|kind| kind.name());
        let all = RoomKind::ALL.iter().copied();
        let found = kind.as_ref().and_then(|kind| all.clone().find(|one| one.name() == kind));
        if let Some(kind) = kind.as_ref().filter(|_| found.is_none()) {
            table.note(CatalogError::unknown_name(&kind_place, "kind of room", kind, names()));
        }
        let (area, key) = room.split_once('/').unwrap_or((room.as_str(), ""));
        Folk {
            name: table.text("name"),
            nouns: table.texts("nouns", 1),
            room: (area.to_owned(), key.to_owned()),
            kind: found,
            says: read_sentence(table, "says"),
            shrugs: read_sentence(table, "shrugs"),
            topics: table.tables("topics", |topic| (topic.texts("words", 1), read_sentence(topic, "says"))),
            dialogue: table.filled_text("dialogue"),
            place,
        }
    });
    file.finish();
    (folk, rumours.unwrap_or_default())
}

/// Reads a text that may contain no slots except [`LATELY`] and [`RUMOUR`].
fn read_sentence(table: &mut Reader<'_>, name: &str) -> String {
    let place = table.place_of(name);
    let text = table.text(name);
    if text.replace(LATELY, "").replace(RUMOUR, "").contains(['{', '}']) {
        let mistake = format!("`{name}` has a slot that nobody fills");
        table.note(CatalogError::new(&place, mistake, format!("no slot but `{LATELY}` and `{RUMOUR}`")));
    }
    text
}

/// Records townspeople whose room does not exist.
pub(in crate::catalog) fn check(
    folk: &[Folk],
    areas: &BTreeMap<String, Area>,
    mistakes: &mut Vec<CatalogError>,
) {
    let rooms: Vec<String> = areas
        .iter()
        .flat_map(|(key, area)| area.rooms.iter().map(move |room| format!("{key}/{}", room.key)))
        .collect();
    for one in folk.iter().filter(|one| one.kind.is_none()) {
        let room = format!("{}/{}", one.room.0, one.room.1);
        if !rooms.contains(&room) {
            mistakes.push(CatalogError::unknown_name(
                &one.place,
                "room",
                &room,
                rooms.iter().map(String::as_str),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLERK: &str = "[[folk]]\nname = \"the clerk\"\nnouns = [\"clerk\"]\nroom = \"town/bank\"\nsays = \"Yes?\"\n\
        shrugs = \"She counts.\"\ntopics = [{ words = [\"well\"], says = \"Deep. {lately}\" }]\n";

    fn mistakes(text: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        let (folk, _) = read(Some(text), &mut mistakes);
        check(&folk, &crate::catalog::Catalog::builtin().areas, &mut mistakes);
        mistakes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn topic_is_found_by_one_word_of_a_question() {
        let mut none = Vec::new();
        let clerk = &read(Some(CLERK), &mut none).0[0];
        assert_eq!(clerk.answer("the old well?".trim_end_matches('?')), "Deep. {lately}");
        assert_eq!(clerk.answer("cheese"), "She counts.");
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        assert_eq!(mistakes(CLERK), Vec::<String>::new());
        let mistake = mistakes(&CLERK.replace("town/bank", "town/bnak")).remove(0);
        assert!(mistake.starts_with("folk.toml:4:8: unknown room `town/bnak`"), "{mistake}");
        assert!(mistake.ends_with("did you mean `town/bank`?"), "{mistake}");
        let mistake = mistakes(&CLERK.replace("{lately}", "{later}")).remove(0);
        assert!(mistake.contains("`says` has a slot that nobody fills"), "{mistake}");
    }
}
