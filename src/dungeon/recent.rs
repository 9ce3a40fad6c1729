//! What a branch remembers of the rooms it made last, so that nobody reads the same twice in a short while: no
//! description again within 30 rooms, no opening sentence within 10, and major set pieces far apart. It is bounded, and
//! stored with the branch, because the next room depends on it as it does on the seed.

use crate::base::{Dice, Point, Seed};
use crate::catalog::pattern::{Pattern, Piece};
use crate::catalog::{Neighbour, PerilKind, RoomKind};
use crate::dungeon::RoomPlan;
use serde::{Deserialize, Serialize};

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
    /// The mark of its description.
    text: u32,
    /// The marks of the patterns it is made of, the opening first.
    patterns: Vec<u32>,
}

impl Recent {
    /// For how many rooms no description comes again; also how many rooms are kept.
    pub const ROOMS: usize = 30;
    /// For how many rooms no opening sentence comes again.
    pub const OPENINGS: usize = 10;
    /// For how many rooms other sentences do not come again as long as there are enough of them.
    pub const SENTENCES: usize = 5;
    /// How many rooms a party sees first: they differ most.
    pub const FIRST: u32 = 5;

    /// Keeps a room that has just been made, and forgets the oldest.
    pub(super) fn note(&mut self, floor: u32, plan: &RoomPlan, patterns: Vec<u32>) {
        let over = (self.0.len() + 1).saturating_sub(Self::ROOMS);
        self.0.drain(..over);
        self.0.push(Trace {
            floor,
            at: plan.at,
            kind: plan.kind,
            set_piece: plan.is_set_piece(),
            beside: plan.as_neighbour(),
            text: mark(&plan.description),
            patterns,
        });
    }

    /// How many rooms ago a text was told: 1 for the last one. None if it is forgotten or never was.
    pub(super) fn told_ago(&self, text: &str) -> Option<usize> {
        let text = mark(text);
        ago(self.0.iter().rev().position(|room| room.text == text))
    }

    /// How many rooms ago a pattern was used.
    fn used_ago(&self, pattern: u32) -> Option<usize> {
        ago(self.0.iter().rev().position(|room| room.patterns.contains(&pattern)))
    }

    /// One of these patterns that was not used in so many rooms; else one of those that were used longest ago.
    pub(super) fn fresh<'p>(
        &self,
        patterns: impl IntoIterator<Item = &'p Pattern>,
        rooms: usize,
        dice: &mut impl Dice,
    ) -> Option<&'p Pattern> {
        let age = |pattern: &Pattern| {
            let ago = self.used_ago(pattern_mark(pattern)).unwrap_or(usize::MAX);
            if ago > rooms { usize::MAX } else { ago }
        };
        let aged: Vec<(usize, &Pattern)> =
            patterns.into_iter().map(|pattern| (age(pattern), pattern)).collect();
        let oldest = aged.iter().map(|(age, _)| *age).max()?;
        let fresh: Vec<&Pattern> =
            aged.into_iter().filter(|(age, _)| *age == oldest).map(|(_, pattern)| pattern).collect();
        dice.pick(&fresh).copied()
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

    /// How many of the rooms so far held a thing of a kind, as long as the branch is young.
    pub(super) fn seen(&self, kind: PerilKind) -> u32 {
        let seen = self.0.iter().filter(|room| room.peril() == kind).count();
        u32::try_from(seen).unwrap_or(u32::MAX)
    }
}

/// Positions count from 0, rooms from 1.
fn ago(position: Option<usize>) -> Option<usize> {
    position.map(|position| position + 1)
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

/// A text as it is remembered: two texts with one mark are one in four thousand million.
pub(super) fn mark(text: &str) -> u32 {
    fold(Seed(0).named(text).0)
}

/// A pattern as it is remembered, whatever its slots were filled with.
pub(super) fn pattern_mark(pattern: &Pattern) -> u32 {
    let mut seed = Seed(0);
    for piece in &pattern.0 {
        seed = match piece {
            Piece::Text(text) => seed.named(text),
            Piece::Slot(slot) => seed.numbered(1).named(slot),
        };
    }
    fold(seed.0)
}

fn fold(wide: u64) -> u32 {
    u32::try_from(wide >> 32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| Pattern::parse(text).unwrap()).collect()
    }

    fn room(x: i32, description: &str) -> RoomPlan {
        let mut plan = crate::dungeon::describe::tests::room_at(1, &[]);
        (plan.at, plan.description) = (Point::new(x, 1), description.to_owned());
        plan
    }

    /// What was not used lately comes first; where everything was, what was used longest ago.
    #[test]
    fn the_least_recently_used_comes_next() {
        let lines = patterns(&["One {wet}.", "Two.", "Three."]);
        let mut recent = Recent::default();
        let mut dice = Seed(1).rng();
        let mut order = Vec::new();
        for x in 0..9 {
            let next = recent.fresh(&lines, 10, &mut dice).unwrap();
            recent.note(1, &room(x, "text"), vec![pattern_mark(next)]);
            order.push(lines.iter().position(|line| line == next).unwrap());
        }
        let mut first: Vec<usize> = order[..3].to_vec();
        assert_eq!((order[3..6].to_vec(), order[6..].to_vec()), (first.clone(), first.clone()));
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2]);
    }

    /// The memory is bounded, and survives being stored.
    #[test]
    fn old_rooms_are_forgotten() {
        let mut recent = Recent::default();
        for x in 0..100 {
            recent.note(1, &room(x, &format!("text {x}")), Vec::new());
        }
        assert_eq!(recent.0.len(), Recent::ROOMS);
        assert_eq!((recent.told_ago("text 99"), recent.told_ago("text 70")), (Some(1), Some(30)));
        assert_eq!(recent.told_ago("text 69"), None);
        let stored = serde_json::to_string(&recent).unwrap();
        assert!(stored.len() < 4_000, "{} bytes", stored.len());
        assert_eq!(serde_json::from_str::<Recent>(&stored).unwrap(), recent);
    }
}
