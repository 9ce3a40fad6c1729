//! Theme texts that depend on a room: its shape and materials, the number of its exits, and adjacent rooms; and the
//! nouns of these sentences for a closer look.

use crate::base::Keyed;
use crate::catalog::pattern::Pattern;
use crate::catalog::room_kind::RoomKind;
use crate::catalog::theme::room_name::ThemeRoomName;
use crate::data::{CatalogError, Position, Reader};
use crate::level::Crossing;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sentences that depend on a room's location. Every list is optional.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scenery {
    /// Sentences by shape of the room; `{width}` and `{length}` are paces in words.
    pub spaces: BTreeMap<String, Vec<Pattern>>,
    /// Sentences by material of the ground.
    pub grounds: BTreeMap<String, Vec<Pattern>>,
    /// Sentences by material of the walls; `{sides}` are the sides that such a wall closes.
    pub walls: BTreeMap<String, Vec<Pattern>>,
    /// Room names by number and arrangement of the exits; they override those of the band.
    pub passages: BTreeMap<Crossing, Vec<ThemeRoomName>>,
    /// Sentences about an adjacent room; `{exit}` is the exit to it.
    pub nearby: BTreeMap<NeighbourProperty, Vec<Pattern>>,
    /// Chance of such a sentence in a room that qualifies, in percent.
    pub nearby_percent: u32,
}

/// Property of an adjacent room that a sentence may mention. It must stay true after the room has been cleared and
/// left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeighbourProperty {
    /// The room has or had guards.
    Monsters,
    /// The room has stairs down.
    Stairs,
    /// The room is or was of a kind that themes generate.
    #[serde(untagged)]
    Room(RoomKind),
}

impl NeighbourProperty {
    /// Returns all properties with their names in content.
    fn names() -> impl Iterator<Item = (&'static str, Self)> {
        let rooms = RoomKind::drawn().map(|kind| (kind.name(), Self::Room(kind)));
        [("monsters", Self::Monsters), ("stairs", Self::Stairs)].into_iter().chain(rooms)
    }
}

/// Text for a closer look at a noun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noun {
    /// Synonyms in lower case.
    pub names: Vec<String>,
    /// First and last depth where it applies: a wall is earth near the well and marble far from it.
    pub depth: (u32, u32),
    /// Texts of which each room has one. Slots are filled as in its description.
    pub texts: Vec<Pattern>,
}

impl Noun {
    /// Returns `true` if it applies to rooms at a depth.
    pub fn appears_at(&self, depth: u32) -> bool {
        (self.depth.0..=self.depth.1).contains(&depth)
    }
}

/// Slot of the room's width in paces.
pub const WIDTH: &str = "width";
/// Slot of the room's length in paces.
pub const LENGTH: &str = "length";

/// Word lists of a theme by slot.
type Lists = Keyed<Vec<String>>;

pub(in crate::catalog) fn scenery(reader: &mut Reader<'_>, lists: &Lists) -> Scenery {
    reader.about("Sentences by shape of the room; `{width}` and `{length}` are numbers of paces in words.");
    let spaces = named(reader, "spaces", &[WIDTH, LENGTH], lists);
    let grounds = named(reader.about("Sentences by material of the floor."), "floors", &[], lists);
    reader.about("Sentences by material of the walls; `{sides}` are the sides, `{are}` is or are.");
    let walls = named(reader, "walls", &[Pattern::SIDES, Pattern::ARE], lists);
    let passages = passages(reader.about("Names by the exits of a room, in place of those of the band."));
    let nearby = nearby(reader.about("Sentences about an adjacent room; `{exit}` leads there."), lists);
    reader.about("Chance of such a sentence in a room that qualifies.");
    Scenery {
        spaces,
        grounds,
        walls,
        passages,
        nearby,
        nearby_percent: reader.number_or("nearby_percent", 0..=100, 40),
    }
}

/// Reads an optional table of sentence lists with free keys.
fn named(
    reader: &mut Reader<'_>,
    table: &str,
    own: &[&str],
    lists: &Lists,
) -> BTreeMap<String, Vec<Pattern>> {
    let Some(mut table) = reader.table_if_any(table) else { return BTreeMap::new() };
    let names = table.names();
    let read = |name: String| {
        let patterns = sentences(&mut table, &name, own, lists);
        (name, patterns)
    };
    names.into_iter().map(read).collect()
}

fn passages(reader: &mut Reader<'_>) -> BTreeMap<Crossing, Vec<ThemeRoomName>> {
    by_name(reader, "passages", Crossing::NAMES.iter().copied(), |table, name| {
        table.texts(name, 1).into_iter().map(ThemeRoomName::from).collect()
    })
}

fn nearby(reader: &mut Reader<'_>, lists: &Lists) -> BTreeMap<NeighbourProperty, Vec<Pattern>> {
    let read = |table: &mut Reader<'_>, name: &str| sentences(table, name, &[Pattern::EXIT], lists);
    by_name(reader, "nearby", NeighbourProperty::names(), read)
}

/// Reads an optional table with keys from a fixed list; each key is optional.
fn by_name<K: Ord, T>(
    reader: &mut Reader<'_>,
    table: &str,
    names: impl Iterator<Item = (&'static str, K)>,
    mut read: impl FnMut(&mut Reader<'_>, &str) -> T,
) -> BTreeMap<K, T> {
    let mut found = BTreeMap::new();
    reader.table_of(table, |table| {
        for (name, key) in names {
            if table.has(name) {
                found.insert(key, read(table, name));
            }
        }
    });
    found
}

/// Reads at least one sentence. Each slot must be one of `own` or have a word list shared by all depths.
fn sentences(reader: &mut Reader<'_>, name: &str, own: &[&str], lists: &Lists) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (place, text) in reader.placed_list("sentence", name, 1) {
        let Some(pattern) = Pattern::parse(&text) else {
            let mistake = format!("a brace is not paired in `{text}`");
            reader.note(CatalogError::new(&place, mistake, "slots like `{width}`"));
            continue;
        };
        for slot in pattern.slots() {
            if !own.contains(&slot) && !lists.contains_key(slot) {
                let valid = own.iter().copied().chain(lists.keys().map(String::as_str));
                reader.note(CatalogError::unknown_name(&place, "slot", slot, valid));
            }
        }
        patterns.push(pattern);
    }
    patterns
}

pub(in crate::catalog) fn nouns(reader: &mut Reader<'_>, lists: &Lists) -> Vec<Noun> {
    let nouns = reader.tables_if_any("nouns", |table| noun(table, lists));
    let mut known: Vec<(&str, (u32, u32))> = Vec::new();
    let mut mistakes = Vec::new();
    for (place, noun) in &nouns {
        for name in &noun.names {
            let clash = |(other, depth): &&(&str, (u32, u32))| {
                *other == name && depth.0 <= noun.depth.1 && noun.depth.0 <= depth.1
            };
            if known.iter().any(|entry| clash(&entry)) {
                let message = format!("noun `{name}` is there twice");
                mistakes.push(CatalogError::new(place, message, "one entry for each noun at each depth"));
            }
            known.push((name, noun.depth));
        }
    }
    for mistake in mistakes {
        reader.note(mistake);
    }
    nouns.into_iter().map(|(_, noun)| noun).collect()
}

fn noun(table: &mut Reader<'_>, lists: &Lists) -> (Position, Noun) {
    let place = table.place_of("noun");
    table.about("Words that players look at, separated by commas.");
    let source = table.text("noun");
    let names: Vec<String> = source.split(',').map(|name| name.trim().to_lowercase()).collect();
    if !source.is_empty() && names.iter().any(String::is_empty) {
        let mistake = format!("a noun is empty in `{source}`");
        table.note(CatalogError::new(&place, mistake, "words with commas between them"));
    }
    let depth = table.about("First and last depth; any if absent.").first_and_last("depth", 100_000);
    table.about("Answers, of which each room has one.");
    (place, Noun { names, depth, texts: sentences(table, "texts", &[], lists) })
}

#[cfg(test)]
mod tests {
    use crate::catalog::{BUILTIN, Catalog, CatalogError, ThemeRoomName};
    use crate::level::Crossing;

    fn with(added: &str) -> Result<Catalog, Vec<CatalogError>> {
        let files: Vec<(&str, String)> = BUILTIN
            .iter()
            .map(|(path, text)| (*path, (*text).to_owned()))
            .chain([("themes/bare.toml", format!("{BARE}{added}"))])
            .collect();
        Catalog::load(&files)
    }

    const BARE: &str = r#"name = "Bare"
creatures = ["brood_rat"]
treasure = ["bread_crust"]
hints = ["A word."]
perils = [{kind="monsters", weight=1}, {kind="puzzle", weight=1}, {kind="treasure", weight=1}]
[threat]
base = 9
per_difficulty = 9
[words]
wet = ["wet", "damp"]
[other]
family = "Room"
names = ["Room"]
environment = "bare"
openings = ["A room."]
details = ["Dust.", "Dirt."]
ways_on = ["On to the {exit}."]
dead_ends = ["The end."]
[[bands]]
depth = 1
family = "Room"
names = ["Room"]
environment = "bare"
openings = ["A room."]
details = ["Dust.", "Dirt."]
ways_on = ["On to the {exit}."]
dead_ends = ["The end."]
"#;

    /// P14, P19, R13: every table is read, and its slots are its own or have word lists.
    #[test]
    fn every_scenery_table_is_read() {
        let catalog = with(
            r#"
[spaces]
square = ["It is {width} paces by {length}."]
[floors]
brick = ["Brick, {wet}, lies underfoot."]
[walls]
rock = ["Rough rock closes {sides}.", "{sides} {are} of rock."]
[passages]
dead_end = ["Blind alley"]
[nearby]
rest = ["From the {exit} it smells of soup."]
[[nouns]]
noun = "brick, Bricks"
texts = ["It is {wet}.", "It is red."]
[[nouns]]
noun = "wall"
last_depth = 3
texts = ["Earth."]
[[nouns]]
noun = "wall"
first_depth = 4
texts = ["Rock."]
"#,
        )
        .unwrap();
        let theme = &catalog.themes["bare"];
        assert_eq!(
            theme.scenery.passages[&Crossing::DeadEnd],
            [ThemeRoomName::from("Blind alley".to_owned())]
        );
        assert_eq!(theme.scenery.walls["rock"].len(), 2);
        assert_eq!(theme.nouns[0].names, ["brick", "bricks"]);
        assert!(theme.nouns[1].appears_at(3) && !theme.nouns[1].appears_at(4));
    }

    /// All errors are reported together, each with its place and the nearest valid name.
    #[test]
    fn scenery_errors_have_places_and_suggestions() {
        let mistakes = with(
            r#"
[spaces]
square = ["It is {widht} paces."]
round = []
[passages]
dead_ends = ["Blind alley"]
[nearby]
rest = ["From the {exit"]
rets = ["Soup."]
[[nouns]]
noun = "brick, bricks"
texts = ["It is {wat}."]
[[nouns]]
noun = "bricks,"
texts = ["Red."]
"#,
        )
        .unwrap_err();
        let wanted = [
            (3, "11: unknown slot `widht`, expected one of width, length, wet, did you mean `width`?"),
            (4, "9: `round` does not fit, expected a list of at least one sentence"),
            (
                6,
                "1: unknown key `dead_ends`, expected one of dead_end, straight, corner, junction, crossing, \
                 did you mean `dead_end`?",
            ),
            (8, "9: a brace is not paired in `From the {exit`, expected slots like `{width}`"),
            (9, "1: unknown key `rets`"),
            (12, "10: unknown slot `wat`, expected one of wet, did you mean `wet`?"),
            (14, "8: a noun is empty in `bricks,`, expected words with commas between them"),
            (14, "8: noun `bricks` is there twice, expected one entry for each noun at each depth"),
        ];
        for (line, wanted) in wanted {
            let wanted = format!("themes/bare.toml:{}:{wanted}", BARE.lines().count() + line);
            assert!(
                mistakes.iter().any(|mistake| mistake.to_string().starts_with(&wanted)),
                "{wanted}\n{mistakes:#?}"
            );
        }
        assert_eq!(mistakes.len(), wanted.len(), "{mistakes:#?}");
    }
}
