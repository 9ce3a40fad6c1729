//! Tidings: what the town has heard of the well lately. Of people they keep whose body it was and no name, so that
//! whoever is called otherwise is told by the new name, and whoever goes for good is told of no more.

use crate::base::{CharacterId, GameTime};
use crate::world::World;
use serde::{Deserialize, Serialize};

/// One thing that happened below.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tiding {
    /// When.
    pub at: GameTime,
    /// The theme of the branch, by key.
    pub theme: String,
    /// What.
    pub event: TidingEvent,
}

/// What the town hears of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TidingEvent {
    /// Somebody has come deeper than anybody before in a theme.
    Record {
        /// Who.
        who: CharacterId,
        /// How deep.
        depth: u32,
    },
    /// Somebody has fallen.
    Fall {
        /// Who.
        who: CharacterId,
        /// How deep.
        depth: u32,
        /// The kind of creature that did it, by key; none if it was no creature.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slayer: Option<String>,
    },
    /// Somebody has walked the last room of a branch that ends.
    End {
        /// Who.
        who: CharacterId,
        /// How many rooms it had.
        rooms: u32,
    },
    /// Somebody has opened a hoard.
    Hoard {
        /// Who.
        who: CharacterId,
        /// How deep.
        depth: u32,
    },
    /// A branch has given way.
    Collapse {
        /// How many rooms it had.
        rooms: u32,
    },
}

impl TidingEvent {
    /// Whom it tells of.
    pub const fn who(&self) -> Option<CharacterId> {
        match self {
            Self::Record { who, .. }
            | Self::Fall { who, .. }
            | Self::End { who, .. }
            | Self::Hoard { who, .. } => Some(*who),
            Self::Collapse { .. } => None,
        }
    }
}

impl World {
    /// Keeps a tiding, and of all no more than so many: of the kind that there is most of, the oldest goes first.
    pub fn keep_tiding(&mut self, tiding: Tiding, most: usize) {
        let tidings = &mut self.meta_mut().tidings;
        tidings.push(tiding);
        while tidings.len() > most {
            let kind = |one: &Tiding| std::mem::discriminant(&one.event);
            let alike = |one: &Tiding| tidings.iter().filter(|other| kind(other) == kind(one)).count();
            let counts: Vec<usize> = tidings.iter().map(alike).collect();
            let top = counts.iter().max();
            let at = counts.iter().position(|count| Some(count) == top).unwrap_or(0);
            tidings.remove(at);
        }
    }

    /// The tidings about these bodies.
    pub fn tidings_of(&self, bodies: &[CharacterId]) -> impl Iterator<Item = &Tiding> {
        let is_of = move |tiding: &&Tiding| tiding.event.who().is_some_and(|who| bodies.contains(&who));
        self.meta().tidings.iter().filter(is_of)
    }
}

/// The tidings about these bodies are forgotten.
pub(super) fn forget(world: &mut World, bodies: &[CharacterId]) {
    if world.tidings_of(bodies).next().is_some() {
        let is_of = |tiding: &Tiding| tiding.event.who().is_some_and(|who| bodies.contains(&who));
        world.meta_mut().tidings.retain(|tiding| !is_of(tiding));
    }
}

/// Tidings about nobody who is there.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    for who in world.meta().tidings.iter().filter_map(|tiding| tiding.event.who()) {
        if world.characters.get(who).is_none_or(|body| !body.is_player()) {
            wrong.push(format!("meta: a tiding tells of {who}, who is no player's character"));
        }
    }
}
