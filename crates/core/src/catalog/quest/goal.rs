//! Goals of the steps of quests.

use crate::catalog::creature::route;
use crate::catalog::help::guide::Lesson;
use crate::catalog::references::Referent;
use crate::catalog::script::condition::Condition;
use crate::catalog::{Catalog, RoomKind};
use crate::data::{CatalogError, Position, Reader};
use std::ops::RangeInclusive;

/// Goal of a step. A goal by key names one kind or several, of which any counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestGoal {
    /// Creatures are killed, by key.
    Kill(Vec<String>),
    /// A hand-built room is entered, by `ZONE/KEY`.
    Reach(String),
    /// A room of a branch at this depth or below is entered.
    Depth(u32),
    /// Items are carried, by key.
    Fetch(Vec<String>),
    /// Items are given to a creature, by key.
    Give(Vec<String>, Vec<String>),
    /// Items, by key, are carried into a hand-built room, by `ZONE/KEY`, and stay there.
    Bring(Vec<String>, String),
    /// A companion, by key, is brought to a hand-built room, by `ZONE/KEY`.
    Escort(Vec<String>, String),
    /// A dialogue is begun, by key.
    Talk(Vec<String>),
    /// An item is used, by key.
    Use(Vec<String>),
    /// A captive is brought out of the dungeon, by key, or any.
    Rescue(Vec<String>),
    /// A puzzle is solved, by name, or any.
    Solve(Vec<String>),
    /// A room of a branch of this difficulty or more becomes clear while the player is in it.
    Clear(u32),
    /// A room of a branch, by kind or any, is entered that the player has not left before.
    See(Vec<String>),
    /// The coffer at the end of a chain of clues is opened.
    Coffer,
    /// A room of a branch in which every way has been walked is entered for the first time.
    Finish,
    /// Something of a kind happens to the player, of `MOMENTS`.
    Moment(Lesson),
    /// An item, by key, is carried into a room of a branch at this depth or below.
    Carry(Vec<String>, u32),
    /// A condition holds.
    If(Condition),
    /// A script says that the step is done.
    Script,
}

/// Word in place of a key that stands for all creatures, captives, puzzles or kinds of rooms.
pub const ANY: &str = "any";

/// Keys of the goals, for error messages.
const GOALS: &str = "one of `kill`, `reach`, `depth`, `fetch`, `give` and `to`, `escort` and `to`, `bring` and `to`, `talk`, `use`, `rescue`, `solve`, `clear`, `see`, `coffer = true`, `carry` and `to_depth`, `finish = true`, `moment`, `condition` or `script = true`";

/// Moments that can be a goal, by keyword.
const MOMENTS: [(&str, Lesson); 4] = [
    (Lesson::WentOut.name(), Lesson::WentOut),
    (Lesson::Levelled.name(), Lesson::Levelled),
    (Lesson::Traded.name(), Lesson::Traded),
    (Lesson::Rested.name(), Lesson::Rested),
];

/// Depths and difficulties that a goal may ask for.
const DEPTHS: RangeInclusive<u32> = 1..=10_000;

/// Reads the goal of a step.
pub(super) fn goal(table: &mut Reader<'_>) -> Option<QuestGoal> {
    let mut kinds =
        |name: &str, about| Some(table.about(about).one_or_more(name)).filter(|kinds| !kinds.is_empty());
    let see = kinds("see", "Goal: rooms of a branch are entered for the first time, by kind, or `any`.");
    let carry = kinds("carry", "Goal: an item is carried down, `to_depth`; by key.");
    let give = kinds("give", "Goal: items are given to a creature, `to`; by key.");
    let escort = kinds("escort", "Goal: a companion, by key, is brought to a hand-built room, `to`.");
    let bring =
        kinds("bring", "Goal: items, by key, are brought to a hand-built room, `to`, and stay there.");
    let to = kinds(
        "to",
        "Creature that gets the items of `give`, or `ZONE/KEY` of the room of `escort` or `bring`.",
    );
    let mut found: Vec<QuestGoal> = [
        kinds("kill", "Goal: creatures are killed, by key, or `any`.").map(QuestGoal::Kill),
        kinds("fetch", "Goal: items are carried, by key.").map(QuestGoal::Fetch),
        kinds("talk", "Goal: a dialogue is begun, by key.").map(QuestGoal::Talk),
        kinds("use", "Goal: an item is used, by key.").map(QuestGoal::Use),
        kinds("rescue", "Goal: a captive is brought out of the dungeon, by key, or `any`.")
            .map(QuestGoal::Rescue),
        kinds("solve", "Goal: a puzzle is solved, by name, or `any`.").map(QuestGoal::Solve),
        give.zip(to.clone()).map(|(items, takers)| QuestGoal::Give(items, takers)),
        see.map(QuestGoal::See),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Companions and items are brought to one room.
    let to = to.filter(|rooms| rooms.len() == 1).and_then(|mut rooms| rooms.pop());
    found.extend(escort.zip(to.clone()).map(|(creatures, room)| QuestGoal::Escort(creatures, room)));
    found.extend(bring.zip(to).map(|(items, room)| QuestGoal::Bring(items, room)));
    table.about("Goal: a hand-built room is entered, by `ZONE/KEY`.");
    found.extend(table.filled_text("reach").map(QuestGoal::Reach));
    table.about("Goal: a room of a branch at this depth or below is entered.");
    found.extend(table.number_if_any("depth", &DEPTHS).map(QuestGoal::Depth));
    table.about("Depth to which the item of `carry` is brought, or below.");
    let to_depth = table.number_if_any("to_depth", &DEPTHS);
    found.extend(carry.zip(to_depth).map(|(items, depth)| QuestGoal::Carry(items, depth)));
    table.about("Goal: a room of this difficulty or more becomes clear while the player is in it.");
    found.extend(table.number_if_any("clear", &DEPTHS).map(QuestGoal::Clear));
    table.about("Goal: the coffer at the end of a chain of clues is opened.");
    found.extend(table.bool_or("coffer", false).then_some(QuestGoal::Coffer));
    table.about("Goal: a room of a branch that ends is entered when every way in it has been walked.");
    found.extend(table.bool_or("finish", false).then_some(QuestGoal::Finish));
    table.about("Goal: something happens to the player: is carried out of the dungeon, rises in level, buys or sells, rests.");
    found.extend(table.choice_if_any("moment", &MOMENTS).map(QuestGoal::Moment));
    table.about("Goal: a condition holds.");
    found.extend(Condition::read(table, "condition").map(QuestGoal::If));
    table.about("Goal: a script says that the step is done.");
    found.extend(table.bool_or("script", false).then_some(QuestGoal::Script));
    if found.len() != 1 {
        table.note(CatalogError::new(&table.place(), "the step has no goal, or more than one", GOALS));
        return None;
    }
    found.pop()
}

impl QuestGoal {
    /// Returns `true` if the goal concerns deeds in branches: for errands, only those behind their exit count.
    pub const fn is_below(&self) -> bool {
        matches!(
            self,
            Self::Kill(_)
                | Self::Depth(_)
                | Self::Rescue(_)
                | Self::Solve(_)
                | Self::Clear(_)
                | Self::See(_)
                | Self::Coffer
                | Self::Finish
                | Self::Carry(..)
        )
    }

    /// Returns `true` if deeds in hand-built rooms count too, unless the step says `dungeon`.
    pub const fn counts_outside(&self) -> bool {
        matches!(self, Self::Kill(_) | Self::Solve(_))
    }

    /// Returns `true` if an event can meet a goal.
    pub fn may_be_moment(lesson: Lesson) -> bool {
        MOMENTS.iter().any(|(_, moment)| *moment == lesson)
    }

    /// Returns the references of the goal to other content.
    pub(in crate::catalog) fn references(&self) -> Vec<(Referent, &str)> {
        match self {
            Self::If(condition) => condition.names().collect(),
            goal => goal.kinds().collect(),
        }
    }

    /// Records unknown rooms, puzzles and kinds of rooms. Rooms are checked only in areas that the content defines.
    pub(in crate::catalog) fn check(
        &self,
        place: &Position,
        catalog: &Catalog,
        mistakes: &mut Vec<CatalogError>,
    ) {
        let (what, names, known): (&str, &[String], Vec<&str>) = match self {
            Self::Reach(name) | Self::Escort(_, name) | Self::Bring(_, name) => {
                return route::check_room(place, name, catalog, mistakes);
            }
            Self::Solve(names) => ("puzzle", names, catalog.puzzles.names().collect()),
            Self::See(names) => ("kind of room", names, RoomKind::drawn().map(RoomKind::name).collect()),
            _ => return,
        };
        for name in names.iter().filter(|name| *name != ANY && !known.contains(&name.as_str())) {
            mistakes.push(CatalogError::unknown_name(place, what, name, known.iter().copied()));
        }
    }
}
