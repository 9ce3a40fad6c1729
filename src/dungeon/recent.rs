//! What a branch remembers of the rooms it made last, so that nobody reads the same twice in a short while: no statement
//! again within 30 rooms as long as there is another, names and patterns in turn, and major set pieces far apart. It is
//! bounded, and stored with the branch, because the next room depends on it as it does on the seed.

use crate::base::{Dice, Point};
use crate::catalog::pattern::Pattern;
use crate::catalog::room_kind::Visit;
use crate::catalog::{Neighbour, PerilKind, RoomKind, RoomName};
use crate::dungeon::RoomPlan;
use crate::text::sentence;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The rooms a branch made last, the newest at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<Trace>);

/// What is kept of one of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Trace {
    floor: u32,
    at: Point,
    kind: RoomKind,
    /// Whether it is one of the great things of a branch.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    set_piece: bool,
    /// What can be said of it next door.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<Neighbour>,
    /// The mark of its name.
    #[serde(default)]
    name: u32,
    /// The marks of all that is said in it, and of the patterns with words to fill in that it is said by.
    #[serde(alias = "patterns")]
    said: Vec<u32>,
}

impl Recent {
    /// For how many rooms nothing is said again; also how many rooms are kept.
    pub const ROOMS: usize = 30;
    /// For how many rooms no opening comes again with other words in it.
    pub const OPENINGS: usize = 10;
    /// For how many rooms no other sentence comes again with other words in it as long as there are enough of them.
    pub const SENTENCES: usize = 8;
    /// How many rooms a party sees first: they differ most.
    pub const FIRST: u32 = 5;
    /// How far rooms of a kind that say a sentence of their own are apart at least, and places of business: merchants,
    /// shrines, captives.
    pub const APART: usize = 6;
    /// How often the words of a pattern are drawn anew before it is given up.
    const DRAWS: u32 = 4;

    /// Keeps a room that has just been made, with the marks of what is said in it and of its patterns, and forgets the
    /// oldest.
    pub(super) fn note(&mut self, floor: u32, plan: &RoomPlan, mut said: Vec<u32>) {
        let over = (self.0.len() + 1).saturating_sub(Self::ROOMS);
        self.0.drain(..over);
        said.sort_unstable();
        said.dedup();
        self.0.push(Trace {
            floor,
            at: plan.at,
            kind: plan.kind,
            set_piece: plan.is_set_piece(),
            beside: plan.as_neighbour(),
            name: RoomName::mark(&plan.name),
            said,
        });
    }

    /// The same for a room that was written as a whole.
    pub(super) fn note_written(&mut self, floor: u32, plan: &RoomPlan) {
        let texts = plan.omens.values().chain([&plan.description]);
        self.note(floor, plan, texts.flat_map(|text| sentence::marks(text)).collect());
    }

    /// What was said in the rooms that are kept, for whoever looks many sentences up.
    pub(super) fn said(&self) -> Said {
        let marks: usize = self.0.iter().map(|room| room.said.len().min(Said::MARKS_OF_A_ROOM)).sum();
        let mut said = Said(vec![(0, 0); (2 * marks).next_power_of_two()]);
        for (ago, room) in (1..).zip(self.0.iter().rev()) {
            room.said.iter().take(Said::MARKS_OF_A_ROOM).for_each(|mark| said.note(*mark, ago));
        }
        said
    }

    /// One of these names, of those that no room kept has had, else of those that were used longest ago.
    pub(super) fn fresh_name<'n>(
        &self,
        names: &[&'n RoomName],
        dice: &mut impl Dice,
    ) -> Option<&'n RoomName> {
        let had: SmallVec<[u32; Self::ROOMS]> = self.0.iter().rev().map(|room| room.name).collect();
        let age = |name: &RoomName| had.iter().position(|mark| *mark == name.mark).unwrap_or(usize::MAX);
        let aged: Vec<(usize, &RoomName)> = names.iter().map(|name| (age(name), *name)).collect();
        draw_oldest(&aged, dice).map(|(name, _)| name)
    }

    /// Whether a room that is kept is called so.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let mark = RoomName::mark(name);
        self.0.iter().any(|room| room.name == mark)
    }

    /// What can be said of the room at a place, if it is one of those that are kept.
    pub(super) fn neighbour(&self, floor: u32, at: Point) -> Option<Neighbour> {
        self.0.iter().rev().find(|room| room.floor == floor && room.at == at).and_then(|room| room.beside)
    }

    /// Whether a major set piece may come next, if there may be one in so many rooms.
    pub fn allows_set_piece(&self, every: u32) -> bool {
        let before = (every as usize).saturating_sub(1);
        !self.0.iter().rev().take(before).any(|room| room.set_piece)
    }

    /// Whether a room of a kind may come next: none that is too much like it is among the rooms made last.
    pub(super) fn keeps_apart(&self, kind: RoomKind) -> bool {
        let spec = kind.spec();
        let is_business = |kind: RoomKind| kind.spec().visit == Visit::Business;
        let alike =
            |other: RoomKind| (other == kind && spec.is_told()) || (is_business(kind) && is_business(other));
        !self.0.iter().rev().take(Self::APART - 1).any(|room| alike(room.kind))
    }

    /// How many of the rooms so far held a thing of a kind, as long as the branch is young.
    pub(super) fn seen(&self, kind: PerilKind) -> u32 {
        let seen = self.0.iter().filter(|room| room.peril() == kind).count();
        u32::try_from(seen).unwrap_or(u32::MAX)
    }
}

/// What was said in the rooms that are kept, each mark with how many rooms ago it was: a table in which a mark stands at
/// the place that it names, or at the next that was free. An age of 0 is a place that nobody has taken. There are at
/// least twice as many places as marks, and a power of two.
pub(super) struct Said(Vec<(u32, u8)>);

impl Said {
    /// How many marks of a room are looked up; a room has some fifteen.
    const MARKS_OF_A_ROOM: usize = 32;

    /// The place of a mark, or the one where it belongs.
    fn slot(&self, mark: u32) -> usize {
        let last = self.0.len() - 1;
        let mut at = mark as usize & last;
        while self.0.get(at).is_some_and(|(other, ago)| *ago > 0 && *other != mark) {
            at = (at + 1) & last;
        }
        at
    }

    /// Notes how long ago a mark was, if it was not later besides.
    fn note(&mut self, mark: u32, ago: u8) {
        let at = self.slot(mark);
        if let Some(slot) = self.0.get_mut(at).filter(|slot| slot.1 == 0) {
            *slot = (mark, ago);
        }
    }

    /// How many rooms ago a mark was noted: 1 for the last one. None if it is forgotten or never was.
    fn ago(&self, mark: u32) -> Option<usize> {
        self.0.get(self.slot(mark)).map(|(_, ago)| usize::from(*ago)).filter(|ago| *ago > 0)
    }

    /// Whether nothing that a text says was said in the rooms that are kept.
    pub(super) fn is_new(&self, text: &str) -> bool {
        sentence::marks(text).all(|mark| self.ago(mark).is_none())
    }

    /// The marks of what a pattern says with its words, if nothing of it was said in the rooms that are kept or is among
    /// the marks of this one.
    fn new_marks(&self, pattern: &Pattern, draft: &Draft, here: &[u32]) -> Option<Vec<u32>> {
        let new = |mark: u32| Some(mark).filter(|mark| !here.contains(mark) && self.ago(*mark).is_none());
        match (&pattern.marks, draft.mark) {
            (Some(marks), _) => marks.iter().map(|mark| new(*mark)).collect(),
            (None, Some(mark)) => new(mark).map(|mark| vec![mark]),
            (None, None) => sentence::marks(&draft.words).map(new).collect(),
        }
    }

    /// One of these patterns, with its words: one that was not used in so many rooms, else one that was used longest
    /// ago, and in either case with words that make it new. None if nothing new can be said with any of them.
    pub(super) fn fresh<'p, D: Dice>(
        &self,
        patterns: impl IntoIterator<Item = &'p Pattern>,
        (rooms, here): (usize, &[u32]),
        dice: &mut D,
        mut fill: impl FnMut(&Pattern, &mut D) -> Draft,
    ) -> Option<Drawn<'p>> {
        let aged = |pattern: &'p Pattern| match self.ago(pattern.mark) {
            Some(_) if !pattern.has_words() => None,
            Some(ago) if ago <= rooms => Some((ago, pattern)),
            _ => Some((usize::MAX, pattern)),
        };
        let patterns = patterns.into_iter();
        let mut left: Vec<(usize, &Pattern)> = Vec::with_capacity(patterns.size_hint().1.unwrap_or(0));
        left.extend(patterns.filter_map(aged));
        while let Some((pattern, at)) = draw_oldest(&left, dice) {
            let tries = if pattern.has_words() { Recent::DRAWS } else { 1 };
            for _ in 0..tries {
                let draft = fill(pattern, dice);
                if let Some(marks) = self.new_marks(pattern, &draft, here) {
                    return Some(Drawn { pattern, words: draft.words, marks });
                }
            }
            left.swap_remove(at);
        }
        None
    }

    /// The same, or where nothing new is left, whatever was said longest ago.
    pub(super) fn fresh_or_stale<'p, D: Dice>(
        &self,
        patterns: &'p [Pattern],
        here: &[u32],
        dice: &mut D,
        mut fill: impl FnMut(&Pattern, &mut D) -> Draft,
    ) -> Option<Drawn<'p>> {
        if let Some(found) = self.fresh(patterns, (Recent::ROOMS, here), dice, &mut fill) {
            return Some(found);
        }
        let oldest = patterns.iter().max_by_key(|pattern| self.ago(pattern.mark).unwrap_or(usize::MAX))?;
        let Draft { words, .. } = fill(oldest, dice);
        Some(Drawn { pattern: oldest, marks: sentence::marks(&words).collect(), words })
    }
}

/// A pattern with words in its slots.
pub(super) struct Draft {
    pub(super) words: String,
    /// The mark of what it says, if that is known to be one statement.
    pub(super) mark: Option<u32>,
}

/// A sentence that was drawn.
pub(super) struct Drawn<'p> {
    /// What it was made by.
    pub(super) pattern: &'p Pattern,
    pub(super) words: String,
    /// The marks of what it says.
    pub(super) marks: Vec<u32>,
}

impl Trace {
    fn peril(&self) -> PerilKind {
        if self.kind.is_drawn() {
            PerilKind::Room(self.kind)
        } else if self.beside == Some(Neighbour::Monsters) {
            PerilKind::Monsters
        } else {
            PerilKind::None
        }
    }
}

/// One of those that were used longest ago, each with its age, and where it stands.
fn draw_oldest<T: Copy>(aged: &[(usize, T)], dice: &mut impl Dice) -> Option<(T, usize)> {
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
    use crate::catalog::pattern::Piece;

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| Pattern::parse(text).unwrap()).collect()
    }

    fn room(x: i32, description: &str) -> RoomPlan {
        let mut plan = crate::dungeon::describe::tests::room_at(1, &[]);
        (plan.at, plan.description) = (Point::new(x, 1), description.to_owned());
        plan
    }

    fn say(recent: &mut Recent, x: i32, lines: &[Pattern]) -> Option<String> {
        let mut dice = Seed(1).numbered(u64::from(x.unsigned_abs())).rng();
        let wet = |pattern: &Pattern, dice: &mut _| {
            let words = Dice::pick(dice, &["wet", "damp", "dry"]).copied().unwrap_or_default();
            let words = pattern
                .pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text, _) => text.as_str(),
                    Piece::Slot(_) => words,
                })
                .collect();
            Draft { words, mark: None }
        };
        let found = recent.said().fresh(lines, (10, &[]), &mut dice, wet);
        let (mut marks, text) =
            found.map_or((Vec::new(), String::new()), |drawn| (vec![drawn.pattern.mark], drawn.words));
        marks.extend(sentence::marks(&text));
        recent.note(1, &room(x, &text), marks);
        Some(text).filter(|text| !text.is_empty())
    }

    /// Every pattern has its turn, then those with other words in them; when nothing new is left, nothing is said until
    /// the first is forgotten.
    #[test]
    fn nothing_is_said_again_within_thirty_rooms() {
        let lines = patterns(&["Here {wet}.", "Moss.", "Rust."]);
        let mut recent = Recent::default();
        let said: Vec<Option<String>> = (0..36).map(|x| say(&mut recent, x, &lines)).collect();
        assert!(said[..3].iter().flatten().any(|text| text == "Moss."), "{said:?}");
        let first: std::collections::BTreeSet<&String> = said.iter().flatten().collect();
        assert_eq!(first.len(), 5, "{said:?}");
        for (at, text) in said.iter().enumerate().filter(|(_, text)| text.is_some()) {
            let before = &said[at.saturating_sub(Recent::ROOMS)..at];
            assert!(!before.contains(text), "{text:?} again in room {at}: {said:?}");
        }
        assert!(said[31..].iter().any(Option::is_some), "{said:?}");
    }

    /// Names have their turns as well, and a landmark does not make a name another.
    #[test]
    fn names_take_turns() {
        let names = ["Low hall", "High hall", "Hall"].map(|name| RoomName::from(name.to_owned()));
        let mut recent = Recent::default();
        let mut dice = Seed(1).rng();
        let mut order = Vec::new();
        for x in 0..6 {
            let name = recent.fresh_name(&names.iter().collect::<Vec<_>>(), &mut dice).unwrap();
            let name = name.text.as_str();
            recent.note(1, &RoomPlan { name: format!("{name}: a boat"), ..room(x, "Text.") }, Vec::new());
            order.push(name);
        }
        assert_eq!(order[..3], order[3..]);
        assert!(names.iter().all(|name| order.contains(&name.text.as_str())), "{order:?}");
    }

    /// Merchants, shrines and captives are six rooms apart at least, and so are two camps; a camp may be beside a shrine.
    #[test]
    fn places_of_business_are_apart() {
        let mut recent = Recent::default();
        recent.note(1, &RoomPlan { kind: RoomKind::Shrine, ..room(0, "") }, Vec::new());
        for x in 1..Recent::APART {
            let kinds = [RoomKind::Merchant, RoomKind::Rescue, RoomKind::Shrine, RoomKind::Rest];
            assert_eq!(kinds.map(|kind| recent.keeps_apart(kind)), [false, false, false, true], "room {x}");
            recent.note(1, &room(i32::try_from(x).unwrap(), ""), Vec::new());
        }
        assert!(recent.keeps_apart(RoomKind::Merchant));
    }

    /// The memory is bounded, and survives being stored, also as it was stored before names were kept.
    #[test]
    fn old_rooms_are_forgotten() {
        let mut recent = Recent::default();
        for x in 0..100 {
            recent.note(1, &room(x, ""), vec![sentence::mark(&format!("Text {x}."))]);
        }
        assert_eq!(recent.0.len(), Recent::ROOMS);
        let new = |text: &str| recent.said().is_new(text);
        assert_eq!(["Text 99.", "Text 70.", "Text 69."].map(new), [false, false, true]);
        let stored = serde_json::to_string(&recent).unwrap();
        assert!(stored.len() < 4_000, "{} bytes", stored.len());
        assert_eq!(serde_json::from_str::<Recent>(&stored).unwrap(), recent);
        let older = r#"[{"floor":1,"at":[0,1],"kind":"dungeon","text":7,"patterns":[3,9]}]"#;
        let older: Recent = serde_json::from_str(older).unwrap();
        assert_eq!(older.said().ago(9), Some(1));
    }
}
