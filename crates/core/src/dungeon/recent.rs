//! Memory of the most recent rooms of a branch, which prevents repetition: no statement repeats within 30 rooms while
//! new ones are available, names and patterns take turns, and set pieces are kept apart. It is bounded, and stored with
//! the branch, because the next room depends on it as well as on the seed.

use crate::base::{Dice, Point};
use crate::catalog::pattern::Pattern;
use crate::catalog::room_kind::RoomVisit;
use crate::catalog::{NeighbourProperty, PerilKind, RoomKind, ThemeRoomName};
use crate::dungeon::RoomPlan;
use crate::text::sentence;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The most recent rooms of a branch, newest last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<RoomSummary>);

/// Summary of one room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct RoomSummary {
    floor: u32,
    at: Point,
    kind: RoomKind,
    /// Set for a set piece, such as a landmark.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    set_piece: bool,
    /// Kind of the room as described in neighbouring rooms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<NeighbourProperty>,
    /// Mark (hash) of its name.
    #[serde(default)]
    name: u32,
    /// Marks (hashes) of all its statements, and of the patterns with slots used for them.
    #[serde(alias = "patterns")]
    said: Vec<u32>,
}

impl Recent {
    /// Number of rooms remembered, within which no statement repeats.
    pub const ROOMS: usize = 30;
    /// Number of rooms within which no opening pattern repeats, even with other words in its slots.
    pub const OPENINGS: usize = 10;
    /// Number of rooms within which no other pattern repeats with other words in its slots, if there are enough
    /// patterns.
    pub const SENTENCES: usize = 8;
    /// Number of rooms at the start of a branch that vary most.
    pub const FIRST: u32 = 5;
    /// Minimum distance, in rooms created, between rooms of a kind with its own sentence, and between merchants,
    /// shrines and captives.
    pub const APART: usize = 6;
    /// Number of attempts to fill a pattern with new words.
    const DRAWS: u32 = 4;

    /// Records a new room with the marks of its statements and patterns, and evicts the oldest.
    pub(super) fn note(&mut self, floor: u32, plan: &RoomPlan, mut marks: Vec<u32>) {
        let over = (self.0.len() + 1).saturating_sub(Self::ROOMS);
        self.0.drain(..over);
        marks.sort_unstable();
        marks.dedup();
        self.0.push(RoomSummary {
            floor,
            at: plan.at,
            kind: plan.sheet.kind,
            set_piece: plan.is_set_piece(),
            beside: plan.as_neighbour(),
            name: ThemeRoomName::mark(&plan.sheet.name),
            said: marks,
        });
    }

    /// Records a room with a hand-written text.
    pub(super) fn record_written_room(&mut self, floor: u32, plan: &RoomPlan) {
        let texts = plan.omens.values().chain([&plan.sheet.description]);
        self.note(floor, plan, texts.flat_map(|text| sentence::marks(text)).collect());
    }

    /// Builds a table of the remembered statements for fast lookup.
    pub(super) fn statements(&self) -> RecentStatements {
        let marks: usize =
            self.0.iter().map(|room| room.said.len().min(RecentStatements::MARKS_OF_A_ROOM)).sum();
        let mut statements = RecentStatements(vec![(0, 0); (2 * marks).next_power_of_two()]);
        for (ago, room) in (1..).zip(self.0.iter().rev()) {
            room.said
                .iter()
                .take(RecentStatements::MARKS_OF_A_ROOM)
                .for_each(|mark| statements.note(*mark, ago));
        }
        statements
    }

    /// Picks a name that no remembered room has, otherwise one of the least recently used.
    pub(super) fn fresh_name<'n>(
        &self,
        names: &[&'n ThemeRoomName],
        dice: &mut impl Dice,
    ) -> Option<&'n ThemeRoomName> {
        let had: SmallVec<[u32; Self::ROOMS]> = self.0.iter().rev().map(|room| room.name).collect();
        let age = |name: &ThemeRoomName| had.iter().position(|mark| *mark == name.mark).unwrap_or(usize::MAX);
        let aged: Vec<(usize, &ThemeRoomName)> = names.iter().map(|name| (age(name), *name)).collect();
        pick_least_recent(&aged, dice).map(|(name, _)| name)
    }

    /// Returns `true` if a remembered room has the name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let mark = ThemeRoomName::mark(name);
        self.0.iter().any(|room| room.name == mark)
    }

    /// Returns the kind of the room at a position as described in neighbouring rooms, if the room is remembered and
    /// notable.
    pub(super) fn neighbour(&self, floor: u32, at: Point) -> Option<NeighbourProperty> {
        self.0.iter().rev().find(|room| room.floor == floor && room.at == at).and_then(|room| room.beside)
    }

    /// Returns `true` if the next room may be a set piece, with at most one in `every` rooms.
    pub fn allows_set_piece(&self, every: u32) -> bool {
        let before = (every as usize).saturating_sub(1);
        !self.0.iter().rev().take(before).any(|room| room.set_piece)
    }

    /// Returns `true` if the next room may be of a kind: no similar kind is among the most recent rooms.
    pub(super) fn allows_kind(&self, kind: RoomKind) -> bool {
        let spec = kind.spec();
        let is_business = |kind: RoomKind| kind.spec().visit == RoomVisit::Business;
        let alike =
            |other: RoomKind| (other == kind && spec.is_told()) || (is_business(kind) && is_business(other));
        !self.0.iter().rev().take(Self::APART - 1).any(|room| alike(room.kind))
    }

    /// Returns the number of remembered rooms with a peril of a kind.
    pub(super) fn seen(&self, kind: PerilKind) -> u32 {
        let seen = self.0.iter().filter(|room| room.peril() == kind).count();
        u32::try_from(seen).unwrap_or(u32::MAX)
    }
}

/// Marks of the remembered statements with their age in rooms: a hash table with linear probing. An age of 0 is an
/// empty slot. The number of slots is a power of two and at least twice the number of marks.
pub(super) struct RecentStatements(Vec<(u32, u8)>);

impl RecentStatements {
    /// Maximum number of marks used per room; a room has about fifteen.
    const MARKS_OF_A_ROOM: usize = 32;

    /// Returns the slot of a mark, or the slot where it would be inserted.
    fn slot(&self, mark: u32) -> usize {
        let last = self.0.len() - 1;
        let mut at = mark as usize & last;
        while self.0.get(at).is_some_and(|(other, ago)| *ago > 0 && *other != mark) {
            at = (at + 1) & last;
        }
        at
    }

    /// Inserts a mark with its age, unless it is present with a lower age.
    fn note(&mut self, mark: u32, ago: u8) {
        let at = self.slot(mark);
        if let Some(slot) = self.0.get_mut(at).filter(|slot| slot.1 == 0) {
            *slot = (mark, ago);
        }
    }

    /// Returns the age of a mark in rooms: 1 for the last room. `None` if it is not remembered.
    fn ago(&self, mark: u32) -> Option<usize> {
        self.0.get(self.slot(mark)).map(|(_, ago)| usize::from(*ago)).filter(|ago| *ago > 0)
    }

    /// Returns `true` if all statements of a text are new.
    pub(super) fn is_new(&self, text: &str) -> bool {
        sentence::marks(text).all(|mark| self.ago(mark).is_none())
    }

    /// Returns the marks of a filled pattern if each is new, both in the remembered rooms and in this one.
    fn new_marks(&self, pattern: &Pattern, draft: &FilledPattern, here: &[u32]) -> Option<Vec<u32>> {
        let new = |mark: u32| Some(mark).filter(|mark| !here.contains(mark) && self.ago(*mark).is_none());
        match (&pattern.marks, draft.mark) {
            (Some(marks), _) => marks.iter().map(|mark| new(*mark)).collect(),
            (None, Some(mark)) => new(mark).map(|mark| vec![mark]),
            (None, None) => sentence::marks(&draft.words).map(new).collect(),
        }
    }

    /// Picks and fills a pattern so that its statements are new, also in this room, whose marks are `here`. Patterns not used within `rooms` rooms are preferred,
    /// then the least recently used. Returns `None` if no pattern yields new statements.
    pub(super) fn fresh<'p, D: Dice>(
        &self,
        patterns: impl IntoIterator<Item = &'p Pattern>,
        rooms: usize,
        here: &[u32],
        dice: &mut D,
        mut fill: impl FnMut(&Pattern, &mut D) -> FilledPattern,
    ) -> Option<DrawnSentence<'p>> {
        let aged = |pattern: &'p Pattern| match self.ago(pattern.mark) {
            Some(_) if !pattern.has_words() => None,
            Some(ago) if ago <= rooms => Some((ago, pattern)),
            _ => Some((usize::MAX, pattern)),
        };
        let patterns = patterns.into_iter();
        let mut left: Vec<(usize, &Pattern)> = Vec::with_capacity(patterns.size_hint().1.unwrap_or(0));
        left.extend(patterns.filter_map(aged));
        while let Some((pattern, at)) = pick_least_recent(&left, dice) {
            let tries = if pattern.has_words() { Recent::DRAWS } else { 1 };
            for _ in 0..tries {
                let draft = fill(pattern, dice);
                if let Some(marks) = self.new_marks(pattern, &draft, here) {
                    return Some(DrawnSentence { pattern, words: draft.words, marks });
                }
            }
            left.swap_remove(at);
        }
        None
    }

    /// Picks a pattern like [`Self::fresh`], but falls back to the least recently used one if nothing new is left.
    pub(super) fn fresh_or_stale<'p, D: Dice>(
        &self,
        patterns: &'p [Pattern],
        here: &[u32],
        dice: &mut D,
        mut fill: impl FnMut(&Pattern, &mut D) -> FilledPattern,
    ) -> Option<DrawnSentence<'p>> {
        if let Some(found) = self.fresh(patterns, Recent::ROOMS, here, dice, &mut fill) {
            return Some(found);
        }
        let oldest = patterns.iter().max_by_key(|pattern| self.ago(pattern.mark).unwrap_or(usize::MAX))?;
        let FilledPattern { words, .. } = fill(oldest, dice);
        Some(DrawnSentence { pattern: oldest, marks: sentence::marks(&words).collect(), words })
    }
}

/// A filled pattern.
pub(super) struct FilledPattern {
    pub(super) words: String,
    /// Mark of the text, if it is known to be a single statement.
    pub(super) mark: Option<u32>,
}

/// A generated sentence.
pub(super) struct DrawnSentence<'p> {
    /// Pattern of the sentence.
    pub(super) pattern: &'p Pattern,
    pub(super) words: String,
    /// Marks of its statements.
    pub(super) marks: Vec<u32>,
}

impl RoomSummary {
    fn peril(&self) -> PerilKind {
        if self.kind.is_generated() {
            PerilKind::Room(self.kind)
        } else if self.beside == Some(NeighbourProperty::Monsters) {
            PerilKind::Monsters
        } else {
            PerilKind::None
        }
    }
}

/// Picks one of the entries with the greatest age at random; returns it with its index.
fn pick_least_recent<T: Copy>(aged: &[(usize, T)], dice: &mut impl Dice) -> Option<(T, usize)> {
    let oldest = aged.iter().map(|(age, _)| *age).max()?;
    let of_age = aged.iter().filter(|(age, _)| *age == oldest).count();
    let drawn = dice.up_to(u32::try_from(of_age - 1).unwrap_or(0)) as usize;
    let mut of_age = aged.iter().enumerate().filter(|(_, (age, _))| *age == oldest);
    of_age.nth(drawn).map(|(at, (_, one))| (*one, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::catalog::pattern::PatternPiece;

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| Pattern::parse(text).unwrap()).collect()
    }

    fn room(x: i32, description: &str) -> RoomPlan {
        let mut plan = crate::dungeon::describe::tests::room_at(1, &[]);
        (plan.at, plan.sheet.description) = (Point::new(x, 1), description.to_owned());
        plan
    }

    fn say(recent: &mut Recent, x: i32, lines: &[Pattern]) -> Option<String> {
        let mut dice = Seed(1).numbered(u64::from(x.unsigned_abs())).rng();
        let wet = |pattern: &Pattern, dice: &mut _| {
            let word = Dice::pick(dice, &["wet", "damp", "dry"]).copied().unwrap_or_default();
            let sentence = pattern
                .pieces
                .iter()
                .map(|piece| match piece {
                    PatternPiece::Text(text, _) => text.as_str(),
                    PatternPiece::Slot(_) => word,
                })
                .collect();
            FilledPattern { words: sentence, mark: None }
        };
        let found = recent.statements().fresh(lines, 10, &[], &mut dice, wet);
        let (mut marks, text) =
            found.map_or((Vec::new(), String::new()), |drawn| (vec![drawn.pattern.mark], drawn.words));
        marks.extend(sentence::marks(&text));
        recent.note(1, &room(x, &text), marks);
        Some(text).filter(|text| !text.is_empty())
    }

    /// All patterns are used before any repeats with other words; then nothing is said until the first statement is
    /// forgotten.
    #[test]
    fn statements_do_not_repeat_within_thirty_rooms() {
        let lines = patterns(&["Here {wet}.", "Moss.", "Rust."]);
        let mut recent = Recent::default();
        let sentences: Vec<Option<String>> = (0..36).map(|x| say(&mut recent, x, &lines)).collect();
        assert!(sentences[..3].iter().flatten().any(|text| text == "Moss."), "{sentences:?}");
        let first: std::collections::BTreeSet<&String> = sentences.iter().flatten().collect();
        assert_eq!(first.len(), 5, "{sentences:?}");
        for (at, text) in sentences.iter().enumerate().filter(|(_, text)| text.is_some()) {
            let before = &sentences[at.saturating_sub(Recent::ROOMS)..at];
            assert!(!before.contains(text), "{text:?} again in room {at}: {sentences:?}");
        }
        assert!(sentences[31..].iter().any(Option::is_some), "{sentences:?}");
    }

    /// Names take turns too, and a landmark suffix does not make a name different.
    #[test]
    fn names_are_used_in_rotation() {
        let names = ["Low hall", "High hall", "Hall"].map(|name| ThemeRoomName::from(name.to_owned()));
        let mut recent = Recent::default();
        let mut dice = Seed(1).rng();
        let mut order = Vec::new();
        for x in 0..6 {
            let name = recent.fresh_name(&names.iter().collect::<Vec<_>>(), &mut dice).unwrap();
            let name = name.text.as_str();
            let mut plan = room(x, "Text.");
            plan.sheet.name = format!("{name}: a boat");
            recent.note(1, &plan, Vec::new());
            order.push(name);
        }
        assert_eq!(order[..3], order[3..]);
        assert!(names.iter().all(|name| order.contains(&name.text.as_str())), "{order:?}");
    }

    /// Merchants, shrines and captives are at least six rooms apart, and so are two camps; a camp may be beside a
    /// shrine.
    #[test]
    fn merchants_shrines_and_captives_are_kept_apart() {
        let mut recent = Recent::default();
        let mut shrine = room(0, "");
        shrine.sheet.kind = RoomKind::Shrine;
        recent.note(1, &shrine, Vec::new());
        for x in 1..Recent::APART {
            let kinds = [RoomKind::Merchant, RoomKind::Rescue, RoomKind::Shrine, RoomKind::Rest];
            assert_eq!(kinds.map(|kind| recent.allows_kind(kind)), [false, false, false, true], "room {x}");
            recent.note(1, &room(i32::try_from(x).unwrap(), ""), Vec::new());
        }
        assert!(recent.allows_kind(RoomKind::Merchant));
    }

    /// The memory is bounded and survives serialization, including rows stored without names.
    #[test]
    fn memory_is_bounded_and_survives_serialization() {
        let mut recent = Recent::default();
        for x in 0..100 {
            recent.note(1, &room(x, ""), vec![sentence::mark(&format!("Text {x}."))]);
        }
        assert_eq!(recent.0.len(), Recent::ROOMS);
        let new = |text: &str| recent.statements().is_new(text);
        assert_eq!(["Text 99.", "Text 70.", "Text 69."].map(new), [false, false, true]);
        let stored = serde_json::to_string(&recent).unwrap();
        assert!(stored.len() < 4_000, "{} bytes", stored.len());
        assert_eq!(serde_json::from_str::<Recent>(&stored).unwrap(), recent);
        let older = r#"[{"floor":1,"at":[0,1],"kind":"dungeon","text":7,"patterns":[3,9]}]"#;
        let older: Recent = serde_json::from_str(older).unwrap();
        assert_eq!(older.statements().ago(9), Some(1));
    }
}
