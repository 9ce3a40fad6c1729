//! Quests: what a player is to do, in steps, and the reward.

pub mod achievement;
pub mod errand;
mod goal;
pub(super) mod goal_kinds;

use crate::base::{Digest, listed};
use crate::catalog::area::script::PlacedReference;
use crate::catalog::quest::errand::ErrandLength;
use crate::catalog::quest::goal::goal;
pub use crate::catalog::quest::goal::{ANY, QuestGoal};
use crate::catalog::references::Referent;
use crate::catalog::script::condition::{Condition, ExpectedResult, QuestState, Test};
use crate::catalog::{Catalog, Script};
use crate::data::{CatalogError, Position, definition};
use std::collections::{BTreeMap, BTreeSet};

listed! {
    /// Rule after which a quest can be done again.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Repeat {
        /// Never.
        #[default]
        Once = "once",
        /// At once.
        Always = "always",
        /// On another day, UTC.
        Daily = "daily",
        /// In another week, which begins on Monday, UTC.
        Weekly = "weekly",
        /// In another branch.
        Branch = "branch",
    }
}

definition! {
    /// A quest, from `content/quests/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Quest {
        /// Stable key.
        pub key: String => |file| file.key(),
        /// Name for players.
        pub name: String = text(),
        /// Description for players.
        pub text: String = text(),
        /// Condition for its start.
        pub only_if: Option<Condition> => |file| Condition::read(file, "only_if"),
        /// Rule after which it can be done again.
        pub repeat: Repeat = choice_or(&Repeat::NAMES, Repeat::Once),
        /// A kill counts for all members of a party who share its experience, not only for the slayer.
        pub shared: bool = bool_or(true),
        /// Time in which it has to be done, in seconds.
        pub limit_secs: Option<u32> = number_if_any(&(10..=604_800)),
        /// Steps, in order.
        pub steps: Vec<QuestStep> = tables(QuestStep::read),
        /// Experience at the end.
        pub experience: u32 = number_or(0..=1_000_000, 0),
        /// Coppers at the end.
        pub copper: u32 = number_or(0..=1_000_000, 0),
        /// Items at the end, by key.
        pub items: Vec<PlacedReference> = placed_texts(0),
        /// Affect at the end, by key.
        pub affect: Option<String> = filled_text(),
        /// Title at the end.
        pub title: Option<String> = filled_text(),
        /// Script that runs at the end.
        pub lines: Script => |file| Script::read_lasting(file, "lines"),
        /// Makes it an errand, which the board offers for an exit behind which it can be done: `short` takes about twenty
        /// minutes and is offered for a day, `long` takes about five evenings and is offered for a week.
        pub errand: Option<ErrandLength> = choice_if_any(&ErrandLength::NAMES),
        /// Least level of a character to whom an errand is offered.
        pub errand_level: u32 = number_or(1..=1_000, 1),
        /// Greatest difficulty of a room that one has to enter for an errand.
        pub errand_deepest: u32 = number_or(1..=10_000, 6),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// A step of a quest. The required ones are done in order, optional ones at any time.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct QuestStep {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Key, unique in the quest.
        pub key: String = text(),
        /// Instruction for players.
        pub text: String = text(),
        /// Goal; `None` only if invalid, which has been recorded.
        pub goal: Option<QuestGoal> => |table| goal(table),
        /// Number of times.
        pub count: u32 = number_or(1..=1_000, 1),
        /// Only deeds in the dungeon count, none in hand-built rooms.
        pub dungeon: bool = bool_or(false),
        /// The quest can end without it.
        pub optional: bool = bool_or(false),
        /// Does as well as the step before it: one of them suffices.
        pub alternative: bool = bool_or(false),
        /// Script that runs when the step is done.
        pub lines: Script => |table| Script::read_lasting(table, "lines"),
    }
}

impl Quest {
    /// Returns a step.
    pub fn step(&self, key: &str) -> Option<&QuestStep> {
        self.steps.iter().find(|step| step.key == key)
    }

    /// Returns the steps in groups: each step with its alternatives.
    pub fn groups(&self) -> impl Iterator<Item = &[QuestStep]> {
        self.steps.chunk_by(|_, next| next.alternative)
    }

    /// Returns a hash of what players read of the quest: its texts, its steps and its time. Never 0.
    pub fn edition(&self) -> u32 {
        let mut digest = Digest::default();
        digest.take(&(&self.name, &self.text, self.limit_secs));
        for step in &self.steps {
            digest.take(&(&step.key, &step.text, step.count, step.optional, step.alternative));
        }
        digest.folded().max(1)
    }

    /// Returns all scripts.
    pub fn scripts(&self) -> impl Iterator<Item = &Script> {
        [&self.lines].into_iter().chain(self.steps.iter().map(|step| &step.lines))
    }

    /// Returns the rooms that steps lead to, by `ZONE/KEY`.
    pub fn destinations(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match &step.goal {
            Some(QuestGoal::Reach(to) | QuestGoal::Escort(_, to) | QuestGoal::Bring(_, to)) => {
                Some(to.as_str())
            }
            _ => None,
        })
    }

    /// Returns the references of goals, conditions and rewards to other content, with their places.
    pub(in crate::catalog) fn references(&self) -> Vec<(&Position, Referent, &str)> {
        let mut all: Vec<_> =
            self.items.iter().map(|(place, key)| (place, Referent::Item, key.as_str())).collect();
        all.extend(self.affect.iter().map(|key| (&self.place, Referent::Affect, key.as_str())));
        all.extend(self.only_if.iter().flat_map(Condition::names).map(|(of, key)| (&self.place, of, key)));
        all.extend(self.goals());
        all
    }

    /// Returns the references of its rewards and scripts to other content.
    pub fn gives(&self) -> impl Iterator<Item = (Referent, &str)> {
        let rewards = self.items.iter().map(|(_, key)| (Referent::Item, key.as_str()));
        let affect = self.affect.iter().map(|key| (Referent::Affect, key.as_str()));
        rewards.chain(affect).chain(self.scripts().flat_map(Script::names).map(|(_, of, key)| (of, key)))
    }

    /// Returns the references of its goals to other content, with the places of the steps.
    pub fn goals(&self) -> Vec<(&Position, Referent, &str)> {
        let goals = self.steps.iter().filter_map(|step| Some((&step.place, step.goal.as_ref()?)));
        goals
            .flat_map(|(place, goal)| goal.references().into_iter().map(move |(of, key)| (place, of, key)))
            .collect()
    }

    /// Returns its conditions: for its start, and those that are goals.
    pub(in crate::catalog) fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let goals = self.steps.iter().filter_map(|step| match &step.goal {
            Some(QuestGoal::If(condition)) => Some(condition),
            _ => None,
        });
        self.only_if.iter().chain(goals)
    }

    /// Returns the quests that have to be done before this one, as its `only_if` says.
    fn needs(&self) -> impl Iterator<Item = &str> {
        // With alternatives, none of them is needed.
        let single = self
            .only_if
            .as_ref()
            .and_then(|condition| condition.any.first().filter(|_| condition.any.len() == 1));
        single.into_iter().flatten().filter_map(|(expected, test)| match test {
            Test::Quest(key, QuestState::Done) if *expected == ExpectedResult::Yes => Some(key.as_str()),
            _ => None,
        })
    }

    /// Returns the quests that need each other, from what this one needs to itself, as text.
    fn circle(&self, catalog: &Catalog) -> Option<String> {
        let mut before: BTreeMap<&str, &str> = self.needs().map(|key| (key, self.key.as_str())).collect();
        let mut open: Vec<&str> = before.keys().copied().collect();
        while let Some(key) = open.pop() {
            if key == self.key {
                let path = std::iter::successors(Some(key), |key| {
                    before.get(key).copied().filter(|key| *key != self.key)
                });
                let path: Vec<String> = path.map(|key| format!("`{key}`")).collect();
                return Some(path.into_iter().rev().collect::<Vec<_>>().join(", which needs "));
            }
            for next in catalog.quests.get(key).into_iter().flat_map(Self::needs) {
                if !before.contains_key(next) {
                    before.insert(next, key);
                    open.push(next);
                }
            }
        }
        None
    }

    /// Records steps of the same key, a quest without a required step, and unknown names of content. Rooms are checked only
    /// in areas that the content defines.
    pub(super) fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        let mut keys = BTreeSet::new();
        let mut before = None;
        for step in &self.steps {
            let has_counterpart = before.is_some_and(|other: &QuestStep| !other.optional) && !step.optional;
            if step.alternative && !has_counterpart {
                let mistake = format!("the step `{}` is an alternative to nothing", step.key);
                mistakes.push(CatalogError::new(
                    &step.place,
                    mistake,
                    "a required step before a required one",
                ));
            }
            before = Some(step);
            if !keys.insert(step.key.as_str()) {
                let mistake = format!("two steps have the key `{}`", step.key);
                mistakes.push(CatalogError::new(&step.place, mistake, "a key of its own for each step"));
            }
            if let Some(goal) = &step.goal {
                goal.check(&step.place, catalog, mistakes);
                if step.dungeon && !goal.is_below() {
                    let mistake = format!("the goal of the step `{}` is never in the dungeon", step.key);
                    mistakes.push(CatalogError::new(&step.place, mistake, "a goal without `dungeon`"));
                }
            }
        }
        if let Some(circle) = self.circle(catalog) {
            let mistake = format!("the quest `{}` can never begin: it needs {circle}", self.key);
            mistakes.push(CatalogError::new(&self.place, mistake, "an `only_if` without a circle"));
        }
        if self.steps.iter().all(|step| step.optional) {
            let mistake = format!("the quest `{}` has no required step", self.key);
            mistakes.push(CatalogError::new(&self.place, mistake, "a step that is not `optional`"));
        }
        for (place, of, key) in self.references().into_iter().filter(|(_, of, key)| !catalog.has(*of, key)) {
            mistakes.push(CatalogError::unknown_name(place, of.name(), key, catalog.keys(of)));
        }
    }
}

#[cfg(test)]
mod tests;
