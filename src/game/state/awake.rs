//! What bodies have only in memory, as long as they are awake: a field a feature. All of it is dropped in one place, when
//! a body falls asleep.

use super::guidance::Lessons;
use super::stance::Stance;
use crate::base::{BranchId, CharacterId, GameTime, RoomId};
use crate::catalog::guide::Lesson;
use std::collections::BTreeMap;

/// How somebody's steps dig.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Digging {
    /// The room that new ones are like, if they are not bare.
    pub(crate) like: Option<RoomId>,
}

/// What one body has only in memory.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Awake {
    /// What it is about in a fight; it means nothing any more when it moves or falls, either.
    pub(crate) stance: Stance,
    /// For what its player is away, in words that may be empty; none if they are there.
    pub(crate) away: Option<String>,
    /// Whether its player has laid down their rank for a while.
    pub(crate) quelled: bool,
    /// Whether its steps dig where no exit leads, and how.
    pub(crate) digs: Option<Digging>,
    /// When it can shoot or throw again.
    pub(crate) shoots_again: Option<GameTime>,
    /// Moment of the pending word about the end of its rest.
    pub(crate) rested_at: Option<GameTime>,
    /// What it met as a newcomer, until it is one no longer.
    pub(crate) lessons: Lessons,
    /// The one branch that a guest goes into.
    pub(crate) guest_branch: Option<BranchId>,
    /// Moments counted for abilities that are not in the character row yet.
    pub(crate) deeds: BTreeMap<Lesson, u32>,
}

/// What all bodies have only in memory.
#[derive(Debug, Default)]
pub(crate) struct AwakeBodies(BTreeMap<CharacterId, Awake>);

impl AwakeBodies {
    /// What a body has, if it has anything.
    pub(crate) fn get(&self, who: CharacterId) -> Option<&Awake> {
        self.0.get(&who)
    }

    /// What a body has, to be added to.
    pub(crate) fn edit(&mut self, who: CharacterId) -> &mut Awake {
        self.0.entry(who).or_default()
    }

    /// Takes something from what a body has. A body that has nothing left is not kept: creatures never fall asleep.
    pub(crate) fn take<T>(&mut self, who: CharacterId, part: impl FnOnce(&mut Awake) -> T) -> Option<T> {
        let body = self.0.get_mut(&who)?;
        let taken = part(body);
        if *body == Awake::default() {
            self.0.remove(&who);
        }
        Some(taken)
    }

    /// A body falls asleep: drops everything.
    pub(crate) fn forget(&mut self, who: CharacterId) {
        self.0.remove(&who);
    }

    /// Whether anybody waits for whatever may come.
    #[cfg(test)]
    pub(crate) fn is_anybody_ready(&self) -> bool {
        self.0.values().any(|body| body.stance.ready_since.is_some())
    }

    /// Bodies with counted moments that are not in their character rows yet, in the order of their ids.
    pub(crate) fn with_deeds(&self) -> impl Iterator<Item = CharacterId> {
        self.0.iter().filter(|(_, body)| !body.deeds.is_empty()).map(|(who, _)| *who)
    }

    /// All bodies that have something.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (CharacterId, &mut Awake)> {
        self.0.iter_mut().map(|(who, body)| (*who, body))
    }
}
