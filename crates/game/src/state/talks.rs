//! Conversations of players with creatures and townspeople: one at a time for each player.

use deepwell_core::base::{CharacterId, RoomId};
use std::collections::BTreeMap;

/// Creature or townsperson that a player talks with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Partner {
    /// Creature.
    Creature(CharacterId),
    /// Townsperson of a room.
    Folk(RoomId),
    /// Nobody: a builder tries a dialogue out.
    Trial,
}

/// Conversation of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Talk {
    pub(crate) partner: Partner,
    /// Name of the partner at the beginning of a sentence.
    pub(crate) name: String,
    /// Dialogue, by key.
    pub(crate) dialogue: String,
    /// Node, by key.
    pub(crate) node: String,
    /// Answers on offer: the place of each among the choices of the node, and its text.
    pub(crate) choices: Vec<(usize, String)>,
}

/// Conversations, by player.
#[derive(Debug, Default)]
pub(crate) struct Talks(BTreeMap<CharacterId, Talk>);

impl Talks {
    /// Returns the conversation of a player.
    pub(crate) fn of(&self, who: CharacterId) -> Option<&Talk> {
        self.0.get(&who)
    }

    /// Returns `true` if a player talks with a creature.
    pub(crate) fn is_with(&self, who: CharacterId, creature: CharacterId) -> bool {
        self.of(who).is_some_and(|talk| talk.partner == Partner::Creature(creature))
    }

    /// Begins or continues a conversation.
    pub(crate) fn set(&mut self, who: CharacterId, talk: Talk) {
        self.0.insert(who, talk);
    }

    /// Ends the conversation of a player, if there is one.
    pub(crate) fn end(&mut self, who: CharacterId) -> Option<Talk> {
        self.0.remove(&who)
    }
}
