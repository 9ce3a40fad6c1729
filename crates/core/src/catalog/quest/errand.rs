//! Errands: quests that the board of the lodge offers, each for an exit into the dungeon. Whether one can be done behind an
//! exit follows from what the generator can make of the theme there.

use crate::base::listed;
use crate::catalog::quest::{ANY, Quest, QuestGoal};
use crate::catalog::theme::peril::PerilKind;
use crate::catalog::{Catalog, CreaturePrototype, RoomKind, Theme};
use crate::puzzle::PuzzleEntry;
use std::collections::BTreeSet;

listed! {
    /// Time that an errand takes, and so how long the board offers it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum ErrandLength {
        /// About 20 minutes; offered for a day.
        #[default]
        Short = "short",
        /// About five evenings; offered for a week.
        Long = "long",
    }
}

impl ErrandLength {
    /// Returns the length in words: "about twenty minutes".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Short => "about twenty minutes",
            Self::Long => "about five evenings",
        }
    }
}

/// Greatest difficulty that branches which end are sure to have.
const DEEPEST_OF_ENDING: u32 = 2;

/// Branches behind an exit, as the generator can make them.
#[derive(Clone, Copy, Debug)]
pub struct ErrandGround<'a> {
    /// Theme of their first floor.
    pub theme: &'a Theme,
    /// Set if they end.
    pub ends: bool,
}

impl ErrandGround<'_> {
    /// Returns `true` if rooms of a kind occur, with all kinds that must come before. A branch that ends has no mechanisms,
    /// because it does not promise another way on.
    fn offers(self, kind: RoomKind) -> bool {
        let perils = &self.theme.perils;
        let mut before = Some(kind);
        // A chain visits each peril at most once.
        for _ in 0..=perils.len() {
            let Some(kind) = before else { return true };
            if !self.theme.offers(PerilKind::Room(kind)) || (self.ends && kind.has_mechanism()) {
                return false;
            }
            let peril = perils.iter().find(|peril| peril.kind == PerilKind::Room(kind));
            before = peril.and_then(|peril| peril.after);
        }
        false
    }
}

impl Quest {
    /// Returns `true` if all required steps can be done in branches of a kind, without a room beyond the greatest difficulty
    /// that the errand asks for.
    pub fn can_be_done(&self, catalog: &Catalog, ground: ErrandGround<'_>) -> bool {
        let deepest =
            if ground.ends { self.errand_deepest.min(DEEPEST_OF_ENDING) } else { self.errand_deepest };
        let is_met = |goal: &QuestGoal| goal.can_be_met(catalog, ground, deepest);
        let mut required = self.groups().filter(|group| !group.iter().any(|step| step.optional));
        required.all(|group| group.iter().any(|step| step.goal.as_ref().is_some_and(is_met)))
    }
}

impl QuestGoal {
    /// Returns `true` if the goal can be met in branches of a theme, in rooms up to a difficulty. Goals for other places
    /// can, except that items to give or bring must be found in the branch.
    fn can_be_met(&self, catalog: &Catalog, ground: ErrandGround<'_>, deepest: u32) -> bool {
        let ErrandGround { theme, ends } = ground;
        match self {
            Self::Kill(kinds) => {
                let all = theme.creatures.iter().filter_map(|key| catalog.creatures.get(key));
                let named = |creature: &&CreaturePrototype| names(kinds, &creature.key);
                all.filter(named).any(|creature| is_met_by(theme, creature, deepest))
            }
            Self::Depth(depth) | Self::Clear(depth) | Self::Carry(_, depth) => *depth <= deepest,
            Self::Rescue(kinds) => {
                ground.offers(RoomKind::Rescue)
                    && theme.captives.iter().any(|captive| names(kinds, &captive.creature))
            }
            Self::Solve(kinds) => {
                let is_drawn = |entry: &PuzzleEntry| {
                    let is_fit = entry.weight > 0 && entry.puzzle.check_config(&entry.config).is_ok();
                    is_fit && (1..=deepest).any(|difficulty| entry.is_for(difficulty))
                };
                let mut named = theme.puzzles.iter().filter(|entry| names(kinds, entry.puzzle.name()));
                ground.offers(RoomKind::Puzzle) && named.any(is_drawn)
            }
            Self::See(kinds) => kinds.iter().any(|kind| {
                let known = RoomKind::drawn().find(|known| known.name() == kind);
                kind == ANY || known.is_some_and(|kind| ground.offers(kind))
            }),
            Self::Coffer => ground.offers(RoomKind::Coffer),
            Self::Finish => ends,
            Self::Give(items, _) | Self::Bring(items, _) => {
                let found = items_found(catalog, theme, deepest);
                items.iter().any(|item| found.contains(item.as_str()))
            }
            _ => true,
        }
    }
}

fn names(kinds: &[String], key: &str) -> bool {
    kinds.iter().any(|kind| kind == key || kind == ANY)
}

/// Returns `true` if a creature of the theme is met in rooms up to a difficulty: as a guard that the budget pays for, or as
/// one that roams.
fn is_met_by(theme: &Theme, creature: &CreaturePrototype, deepest: u32) -> bool {
    let is_drawn = |difficulty: u32| {
        let is_paid = creature.threat <= theme.threat.budget(difficulty).1;
        let comes = if creature.guards() { is_paid } else { theme.roamer_percent > 0 };
        creature.appears_at(difficulty) && comes
    };
    creature.weight > 0 && (1..=deepest).any(is_drawn)
}

/// Returns the items that creatures and hoards of a theme have up to a difficulty, by key.
fn items_found<'c>(catalog: &'c Catalog, theme: &Theme, deepest: u32) -> BTreeSet<&'c str> {
    let creatures = theme.creatures.iter().filter_map(|key| catalog.creatures.get(key));
    let met = creatures.filter(|creature| is_met_by(theme, creature, deepest));
    let of_creatures = met.filter_map(|creature| creature.loot.as_deref());
    let of_hoards = (1..=deepest).filter_map(|difficulty| theme.hoard_at(difficulty));
    let tables = of_creatures.chain(of_hoards).filter_map(|key| catalog.loot.get(key));
    let items = tables.flat_map(|table| &table.items).filter(|item| item.difficulty.0 <= deepest);
    items.map(|item| item.item.as_str()).collect()
}
