//! Tutorial for new players: the steps of the guided start, and a tip for each event that is explained once. The texts
//! are content (`content/guide.toml`, `content/tips.toml`).

pub use crate::catalog::help::lesson::Lesson;

use crate::catalog::figures::TextFigures;
use crate::catalog::room_kind::{RoomKind, RoomOrigin};
use crate::data::{CatalogError, Position, Reader};
use crate::text::{Markup, Style};
use std::collections::BTreeMap;

/// Path of the guide's file.
pub(in crate::catalog) const FILE: &str = "guide.toml";
/// Path of the tips' file.
pub(in crate::catalog) const TIPS_FILE: &str = "tips.toml";

/// A slot in a suggested command that the game fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blank {
    /// A creature in the room that the player may attack.
    Creature,
    /// A creature in the room that the player would probably beat.
    Opponent,
    /// A noun of the room that can be looked at.
    Detail,
    /// An item on the ground.
    Item,
    /// A carried item that can be worn.
    Gear,
    /// The action that leads on in this room of a branch: an exit, a lever to pull, a creature to fight.
    Onward,
    /// Way to the character's home: `recall` where it is possible.
    Home,
    /// The same for a character in a branch.
    Out,
    /// Path to the nearest room of a kind; empty if the player is in one.
    WayTo(RoomKind),
    /// Path to the nearest room with equipment for new characters that the player lacks.
    WayToGear,
}

impl Blank {
    /// Returns the names used in content, with one path slot per kind of hand-built room.
    fn names() -> Vec<(String, Self)> {
        let fixed = [
            ("here.creature", Self::Creature),
            ("here.opponent", Self::Opponent),
            ("here.detail", Self::Detail),
            ("here.thing", Self::Item),
            ("here.gear", Self::Gear),
            ("here.onward", Self::Onward),
            ("way.gear", Self::WayToGear),
            ("way.home", Self::Home),
            ("way.out", Self::Out),
        ];
        let places = RoomKind::made_by(&[RoomOrigin::Areas, RoomOrigin::Builders]).into_iter();
        let places = places.filter(|(_, kind)| *kind != RoomKind::Room);
        let ways = places.map(|(name, kind)| (format!("way.{name}"), Self::WayTo(kind)));
        fixed.into_iter().map(|(name, blank)| (name.to_owned(), blank)).chain(ways).collect()
    }
}

/// A piece of a suggested command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandPiece {
    /// Literal text.
    Words(String),
    /// A slot.
    Blank(Blank),
}

/// A suggested command.
pub type SuggestedCommand = Vec<CommandPiece>;

/// A step of the guided start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuideStep {
    /// Stable key, stored with characters.
    pub key: String,
    /// Text of the step.
    pub words: Markup,
    /// Events that complete it; any of these is enough.
    pub moments: Vec<Lesson>,
    /// Completing this step also completes earlier open steps.
    pub passes: bool,
    /// Suggested commands in order of preference. The first list whose slots can all be filled is shown.
    pub lines: Vec<Vec<SuggestedCommand>>,
}

/// The guided start and the tips.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HelpGuide {
    /// Message to a new character.
    pub offer: Markup,
    /// Message at the beginning, before the first step.
    pub begins: Markup,
    /// Message when the player turns the guide off.
    pub stops: Markup,
    /// Message after the last step.
    pub ends: Markup,
    /// Steps in order.
    pub steps: Vec<GuideStep>,
    /// Tips by event, each shown once per character.
    pub tips: BTreeMap<Lesson, Markup>,
}

/// Reads the two files; both are optional.
pub(in crate::catalog) fn read(
    guide: Option<&str>,
    tips: Option<&str>,
    figures: &TextFigures,
    mistakes: &mut Vec<CatalogError>,
) -> HelpGuide {
    let mut read = HelpGuide::default();
    if let Some(mut reader) = guide.and_then(|text| Reader::parse(FILE, text, mistakes)) {
        let mut text_of = |name: &str| read_text(&mut reader, name, figures).unwrap_or_default();
        (read.offer, read.begins, read.stops, read.ends) =
            (text_of("offer"), text_of("begins"), text_of("stops"), text_of("ends"));
        read.steps = reader.tables("steps", |table| step(table, figures));
        for (at, step) in read.steps.iter().enumerate() {
            if read.steps.iter().take(at).any(|before| before.key == step.key) {
                reader.record_mistake(
                    "steps",
                    format!("names `{}` twice", step.key),
                    "a key of its own for each",
                );
            }
        }
        reader.finish();
    }
    if let Some(mut reader) = tips.and_then(|text| Reader::parse(TIPS_FILE, text, mistakes)) {
        for (name, lesson) in Lesson::NAMES {
            if reader.has(name) {
                read.tips.insert(lesson, read_text(&mut reader, name, figures).unwrap_or_default());
            }
        }
        reader.finish();
    }
    read
}

fn step(table: &mut Reader<'_>, figures: &TextFigures) -> GuideStep {
    let moments = table.placed_texts("moments", 1);
    let lines = table.placed_texts("type", 1);
    GuideStep {
        key: table.text("key"),
        words: read_text(table, "words", figures).unwrap_or_default(),
        moments: moments.into_iter().filter_map(|(place, name)| moment(table, &place, &name)).collect(),
        passes: table.bool_or("passes", false),
        lines: lines.iter().map(|(place, text)| to_type(table, place, text)).collect(),
    }
}

fn moment(table: &mut Reader<'_>, place: &Position, name: &str) -> Option<Lesson> {
    let found = Lesson::named(name);
    if found.is_none() {
        let valid = Lesson::NAMES.iter().map(|(known, _)| *known);
        table.note(CatalogError::unknown_name(place, "moment", name, valid));
    }
    found
}

/// Parses commands separated by semicolons: `{way.shop}; list` is the path to a shop, then `list`.
fn to_type(table: &mut Reader<'_>, place: &Position, text: &str) -> Vec<SuggestedCommand> {
    text.split(';').map(|line| pieces(table, place, line.trim())).collect()
}

fn pieces(table: &mut Reader<'_>, place: &Position, line: &str) -> SuggestedCommand {
    let mut pieces = Vec::new();
    for (at, part) in line.split(['{', '}']).enumerate().filter(|(_, part)| !part.is_empty()) {
        if at % 2 == 0 {
            pieces.push(CommandPiece::Words(part.to_owned()));
            continue;
        }
        let blanks = Blank::names();
        if let Some((_, blank)) = blanks.iter().find(|(name, _)| *name == part) {
            pieces.push(CommandPiece::Blank(*blank));
        } else {
            let valid = blanks.iter().map(|(name, _)| name.as_str());
            table.note(CatalogError::unknown_name(place, "blank", part, valid));
        }
    }
    pieces
}

/// Reads a required text, fills in its numbers, and marks words between backticks as commands.
pub(in crate::catalog) fn read_text(
    table: &mut Reader<'_>,
    name: &str,
    figures: &TextFigures,
) -> Option<Markup> {
    let place = table.place_of(name);
    let (text, bad) = figures.fill(table.text(name).trim());
    for slot in bad {
        let mistake = CatalogError::new(&place, format!("`{}` names no figure", slot.name), "");
        table.note(mistake.with_nearest(slot.nearest));
    }
    if text.matches('`').count() % 2 == 1 {
        table.note(CatalogError::new(&place, "a backtick has no other half", ""));
    }
    if let Some(odd) = text.chars().find(|c| !matches!(c, ' '..='~')) {
        let message = format!("{odd:?} is not a printable ASCII character; stock text has no other");
        table.note(CatalogError::new(&place, message, ""));
    }
    let mut markup = Markup::new();
    for (at, piece) in text.split('`').enumerate() {
        markup.push(if at % 2 == 1 { Style::Command } else { Style::Plain }, piece);
    }
    Some(markup).filter(|markup| !markup.is_empty())
}

impl HelpGuide {
    /// Returns every command that the guide and the tips mention, for a check against the command table.
    pub fn words_to_type(&self) -> impl Iterator<Item = &str> {
        let texts = [&self.offer, &self.begins, &self.stops, &self.ends];
        let sentences =
            texts.into_iter().chain(self.steps.iter().map(|step| &step.words)).chain(self.tips.values());
        let named = sentences.flat_map(Markup::runs).filter(|(style, _)| *style == Style::Command);
        let lines = self.steps.iter().flat_map(|step| &step.lines).flatten();
        let typed = lines.filter_map(|line| match line.first() {
            Some(CommandPiece::Words(text)) => Some(text.as_str()),
            _ => None,
        });
        named.map(|(_, text)| text).chain(typed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "[levels]\nbase = 200\n";

    const GUIDE: &str = "\
offer = \"Type `guide`.\"
begins = \"Well then.\"
stops = \"It is off.\"
ends = \"That was {rules.levels.base}.\"
[[steps]]
key = \"shop\"
words = \"Type `list`.\"
moments = [\"saw_wares\"]
type = [\"{way.shop}; list\", \"kill {here.creature}\"]
";

    fn mistakes(guide: &str, tips: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        let figures = TextFigures::of([("rules.toml", RULES)]);
        read(Some(guide), Some(tips), &figures, &mut mistakes);
        mistakes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn guide_file_is_parsed_into_steps() {
        let figures = TextFigures::of([("rules.toml", RULES)]);
        let mut mistakes = Vec::new();
        let guide = read(Some(GUIDE), Some("won = \"Well done.\"\n"), &figures, &mut mistakes);
        assert_eq!(mistakes, []);
        assert_eq!(guide.ends.text(), "That was 200.");
        assert_eq!(guide.tips[&Lesson::Won].text(), "Well done.");
        let step = &guide.steps[0];
        assert_eq!((step.moments.as_slice(), step.passes), ([Lesson::SawWares].as_slice(), false));
        let way = vec![CommandPiece::Blank(Blank::WayTo(RoomKind::Shop))];
        let kill = vec![CommandPiece::Words("kill ".into()), CommandPiece::Blank(Blank::Creature)];
        assert_eq!(step.lines, [vec![way, vec![CommandPiece::Words("list".into())]], vec![kill]]);
        assert_eq!(guide.words_to_type().collect::<Vec<_>>(), ["guide", "list", "list", "kill "]);
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        let first_mistake = |from: &str, to: &str| {
            assert!(GUIDE.contains(from), "{from}");
            mistakes(&GUIDE.replacen(from, to, 1), "").remove(0)
        };
        let mistake = first_mistake("saw_wares", "saw_wears");
        assert!(mistake.starts_with("guide.toml:8:12: unknown moment `saw_wears`"), "{mistake}");
        assert!(mistake.ends_with("did you mean `saw_wares`?"), "{mistake}");
        let mistake = first_mistake("{way.shop}", "{way.shoe}");
        assert!(mistake.starts_with("guide.toml:9:9: unknown blank `way.shoe`"), "{mistake}");
        assert_eq!(
            first_mistake("rules.levels.base", "rules.levels.bass"),
            "guide.toml:4:8: `rules.levels.bass` names no figure, did you mean `rules.levels.base`?"
        );
        assert_eq!(
            first_mistake("Type `guide`.", "Type `guide."),
            "guide.toml:1:9: a backtick has no other half"
        );
        let again = format!("{GUIDE}{}", &GUIDE[GUIDE.find("[[steps]]").unwrap()..]);
        assert!(mistakes(&again, "")[0].contains("names `shop` twice"));
        let mistake = mistakes(GUIDE, "wun = \"x\"\n").remove(0);
        assert!(mistake.starts_with("tips.toml:1:1: unknown key `wun`"), "{mistake}");
        assert!(mistake.ends_with("did you mean `won`?"), "{mistake}");
    }
}
