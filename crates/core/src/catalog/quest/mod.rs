//! Quests: what a player is to do, in steps, and the reward.

pub(super) mod goal_kinds;

use crate::base::{Digest, listed};
use crate::catalog::area::script::Named;
use crate::catalog::creature::route;
use crate::catalog::references::Referent;
use crate::catalog::script::condition::{Condition, Expected, QuestState, Test};
use crate::catalog::{Catalog, Script};
use crate::data::{CatalogError, Position, Reader, definition};
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
        pub items: Vec<Named> = placed_texts(0),
        /// Affect at the end, by key.
        pub affect: Option<String> = filled_text(),
        /// Title at the end.
        pub title: Option<String> = filled_text(),
        /// Script that runs at the end.
        pub lines: Script => |file| Script::read_lasting(file, "lines"),
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
        pub goal: Option<Goal> => |table| goal(table),
        /// Number of times.
        pub count: u32 = number_or(1..=1_000, 1),
        /// The quest can end without it.
        pub optional: bool = bool_or(false),
        /// Does as well as the step before it: one of them suffices.
        pub alternative: bool = bool_or(false),
        /// Script that runs when the step is done.
        pub lines: Script => |table| Script::read_lasting(table, "lines"),
    }
}

/// Goal of a step. A goal by key names one kind or several, of which any counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
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
    /// A condition holds.
    If(Condition),
    /// A script says that the step is done.
    Script,
}

/// Word in place of a key that stands for all captives or puzzles.
pub const ANY: &str = "any";

/// Keys of the goals, for error messages.
const GOALS: &str = "one of `kill`, `reach`, `depth`, `fetch`, `give` and `to`, `escort` and `to`, `talk`, `use`, `rescue`, `solve`, `condition` or `script = true`";

fn goal(table: &mut Reader<'_>) -> Option<Goal> {
    let mut kinds =
        |name: &str, about| Some(table.about(about).one_or_more(name)).filter(|kinds| !kinds.is_empty());
    let give = kinds("give", "Goal: items are given to a creature, `to`; by key.");
    let escort = kinds("escort", "Goal: a companion, by key, is brought to a hand-built room, `to`.");
    let to = kinds("to", "Creature that gets the items of `give`, or `ZONE/KEY` of the room of `escort`.");
    let mut found: Vec<Goal> = [
        kinds("kill", "Goal: creatures are killed, by key.").map(Goal::Kill),
        kinds("fetch", "Goal: items are carried, by key.").map(Goal::Fetch),
        kinds("talk", "Goal: a dialogue is begun, by key.").map(Goal::Talk),
        kinds("use", "Goal: an item is used, by key.").map(Goal::Use),
        kinds("rescue", "Goal: a captive is brought out of the dungeon, by key, or `any`.").map(Goal::Rescue),
        kinds("solve", "Goal: a puzzle is solved, by name, or `any`.").map(Goal::Solve),
        give.zip(to.clone()).map(|(items, takers)| Goal::Give(items, takers)),
    ]
    .into_iter()
    .flatten()
    .collect();
    // A companion is brought to one room.
    let to = to.filter(|rooms| rooms.len() == 1).and_then(|mut rooms| rooms.pop());
    found.extend(escort.zip(to).map(|(creatures, room)| Goal::Escort(creatures, room)));
    table.about("Goal: a hand-built room is entered, by `ZONE/KEY`.");
    found.extend(table.filled_text("reach").map(Goal::Reach));
    table.about("Goal: a room of a branch at this depth or below is entered.");
    found.extend(table.number_if_any("depth", &(1..=10_000)).map(Goal::Depth));
    table.about("Goal: a condition holds.");
    found.extend(Condition::read(table, "condition").map(Goal::If));
    table.about("Goal: a script says that the step is done.");
    found.extend(table.bool_or("script", false).then_some(Goal::Script));
    if found.len() != 1 {
        table.note(CatalogError::new(&table.place(), "the step has no goal, or more than one", GOALS));
        return None;
    }
    found.pop()
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
            Some(Goal::Reach(to) | Goal::Escort(_, to)) => Some(to.as_str()),
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
        let mut all = Vec::new();
        for step in &self.steps {
            let named: Vec<(Referent, &str)> = match &step.goal {
                Some(Goal::If(condition)) => condition.names().collect(),
                Some(goal) => goal.kinds().collect(),
                None => Vec::new(),
            };
            all.extend(named.into_iter().map(|(of, key)| (&step.place, of, key)));
        }
        all
    }

    /// Returns its conditions: for its start, and those that are goals.
    pub(in crate::catalog) fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let goals = self.steps.iter().filter_map(|step| match &step.goal {
            Some(Goal::If(condition)) => Some(condition),
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
            Test::Quest(key, QuestState::Done) if *expected == Expected::Yes => Some(key.as_str()),
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
                let wrong = format!("the step `{}` is an alternative to nothing", step.key);
                mistakes.push(CatalogError::new(&step.place, wrong, "a required step before a required one"));
            }
            before = Some(step);
            if !keys.insert(step.key.as_str()) {
                let wrong = format!("two steps have the key `{}`", step.key);
                mistakes.push(CatalogError::new(&step.place, wrong, "a key of its own for each step"));
            }
            match &step.goal {
                Some(Goal::Reach(name) | Goal::Escort(_, name)) => {
                    route::check_room(&step.place, name, catalog, mistakes);
                }
                Some(Goal::Solve(names)) => {
                    let unknown = |name: &&String| *name != ANY && catalog.puzzles.find(name).is_none();
                    for name in names.iter().filter(unknown) {
                        let known = catalog.puzzles.names();
                        mistakes.push(CatalogError::unknown_name(&step.place, "puzzle", name, known));
                    }
                }
                _ => {}
            }
        }
        if let Some(circle) = self.circle(catalog) {
            let wrong = format!("the quest `{}` can never begin: it needs {circle}", self.key);
            mistakes.push(CatalogError::new(&self.place, wrong, "an `only_if` without a circle"));
        }
        if self.steps.iter().all(|step| step.optional) {
            let wrong = format!("the quest `{}` has no required step", self.key);
            mistakes.push(CatalogError::new(&self.place, wrong, "a step that is not `optional`"));
        }
        for (place, of, key) in self.references().into_iter().filter(|(_, of, key)| !catalog.has(*of, key)) {
            mistakes.push(CatalogError::unknown_name(place, of.name(), key, catalog.keys(of)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAILS: &str = "name = \"Tails\"\ntext = \"Three tails.\"\nrepeat = \"daily\"\n\
        [[steps]]\nkey = \"rats\"\ntext = \"Kill rats.\"\nkill = \"rat\"\ncount = 3\n\
        [[steps]]\nkey = \"back\"\ntext = \"Come back.\"\nreach = \"town/lodge\"\n";

    fn read(text: &str) -> (Quest, Vec<String>) {
        let mut mistakes = Vec::new();
        let quest = Reader::whole("quests/tails.toml", text, &mut mistakes, Quest::read).expect("TOML");
        quest.check(&Catalog::builtin(), &mut mistakes);
        (quest, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn quest_is_read_with_steps_and_rewards() {
        let (quest, mistakes) = read(&format!("experience = 40\nitems = [\"club\"]\n{TAILS}"));
        assert_eq!(mistakes, Vec::<String>::new());
        assert_eq!((quest.repeat, quest.experience, quest.items.len()), (Repeat::Daily, 40, 1));
        assert_eq!(
            quest.step("rats").and_then(|step| step.goal.clone()),
            Some(Goal::Kill(vec!["rat".into()]))
        );
    }

    #[test]
    fn quests_that_need_each_other_are_a_mistake() {
        let needs = |key: &str| format!("only_if = \"quest {key} done and level 2\"\n{TAILS}");
        let mut mistakes = Vec::new();
        let mut read =
            |file: &str, text: &str| Reader::whole(file, text, &mut mistakes, Quest::read).expect("TOML");
        let quests = [
            read("quests/one.toml", &needs("two")),
            read("quests/two.toml", &needs("three")),
            read("quests/three.toml", &needs("one")),
            read("quests/four.toml", &needs("one")),
        ];
        let mut catalog = Catalog::builtin();
        catalog.quests =
            quests.into_iter().map(|quest| (quest.key.clone(), quest)).collect::<BTreeMap<_, _>>().into();
        catalog.quests.values().for_each(|quest| quest.check(&catalog, &mut mistakes));
        let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 3, "{told:#?}");
        let wrong = "the quest `one` can never begin: it needs `two`, which needs `three`, which needs `one`";
        assert!(told.iter().any(|line| line.contains(wrong)), "{told:#?}");
    }

    #[test]
    fn mistakes_of_a_quest_are_reported_together() {
        let wrong = TAILS
            .replace("kill = \"rat\"", "kill = \"rta\"")
            .replace("reach = \"town/lodge\"", "reach = \"town/lodeg\"\noptional = true")
            + "[[steps]]\nkey = \"rats\"\ntext = \"?\"\noptional = true\n[[steps]]\nkey = \"x\"\ntext = \"?\"\nfetch = \"club\"\nuse = \"club\"\n";
        let (_, told) = read(&format!("{wrong}alternative = true\n"));
        for begin in [
            "quests/tails.toml:4:1: unknown creature `rta`",
            "quests/tails.toml:9:1: unknown room `lodeg`",
            "quests/tails.toml:14:1: the step has no goal, or more than one",
            "quests/tails.toml:14:1: two steps have the key `rats`",
            "quests/tails.toml:18:1: the step has no goal, or more than one",
            "quests/tails.toml:18:1: the step `x` is an alternative to nothing",
        ] {
            assert!(told.iter().any(|line| line.starts_with(begin)), "{begin}: {told:#?}");
        }
        let (_, told) = read(
            &TAILS.replace("reach", "optional = true\nreach").replace("count", "optional = true\ncount"),
        );
        assert!(told.iter().any(|line| line.contains("the quest `tails` has no required step")), "{told:#?}");
    }
}
