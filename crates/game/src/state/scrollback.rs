//! Scrollback: rings of recent messages, limited in number and in bytes.

use crate::effect::Class;
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{CharacterId, GameTime, RoomId, SessionId, Span};
use deepwell_core::text::Markup;
use deepwell_core::world::Channel;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Precision of the age of a scrollback. In a crowd, each message would otherwise move all listeners in the order.
const AGE_STEP: Span = Span::mins(1);

/// Fixed cost of a message in bytes, in addition to its text.
const OVERHEAD: usize = 64;

/// Selection of messages for a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReplaySelection {
    /// All messages sent to the character.
    Everything,
    /// Messages of one class among those.
    Kind(Class),
    /// Private messages sent and received.
    Tells,
    /// Messages of the character's party during its membership.
    Party,
    /// Messages of a channel, including those sent while the character was not connected.
    Channel(Channel),
}

/// Scrollback of all characters and channels.
#[derive(Debug, Default)]
pub(crate) struct Scrollback {
    characters: BTreeMap<CharacterId, CharacterScrollback>,
    /// The same characters by `fed_at`.
    by_age: BTreeSet<(GameTime, CharacterId)>,
    channels: BTreeMap<Channel, Ring>,
}

/// Messages sent to one character.
#[derive(Debug, Default)]
pub(crate) struct CharacterScrollback {
    pub(crate) everything: Ring,
    pub(crate) tells: Ring,
    pub(crate) party: Ring,
    /// Time of the last message, or of one that is less than [`AGE_STEP`] older.
    fed_at: Option<GameTime>,
}

/// Ring of recent messages. All who heard a message share it.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    messages: VecDeque<Arc<StoredMessage>>,
    bytes: usize,
}

/// Stored message.
#[derive(Debug)]
pub(crate) struct StoredMessage {
    pub(crate) at: GameTime,
    /// Message class.
    pub(crate) class: Class,
    /// Speaker, in messages that must be hidden from players who ignore the speaker.
    pub(crate) talker: Option<CharacterId>,
    /// Room shown by the message, and the session it was shown to.
    pub(crate) room: Option<(RoomId, SessionId)>,
    pub(crate) text: Arc<Markup>,
}

/// First room shown to a session.
#[derive(Clone, Copy)]
pub(crate) struct Greeting {
    /// Number of newer messages.
    at: usize,
    room: RoomId,
}

impl Greeting {
    /// Returns `true` for a message with the same room that is not newer: the client's screen already shows that room.
    /// `at` is the number of messages newer than `message`.
    pub(crate) fn shows_again(self, at: usize, message: &StoredMessage) -> bool {
        at >= self.at && message.room.is_some_and(|(room, _)| room == self.room)
    }
}

impl StoredMessage {
    fn bytes(&self) -> usize {
        self.text.text().len() + OVERHEAD
    }
}

impl Ring {
    /// Adds a message and drops the oldest ones beyond the limits.
    pub(crate) fn push(&mut self, message: Arc<StoredMessage>, messages_most: u32, limits: &Limits) {
        self.bytes += message.bytes();
        self.messages.push_back(message);
        let bytes_most = limits.replay_bytes as usize;
        while self.messages.len() > messages_most as usize || self.bytes > bytes_most {
            let Some(oldest) = self.messages.pop_front() else { break };
            self.bytes -= oldest.bytes();
        }
    }
}

impl Ring {
    /// Drops the messages of a speaker.
    fn forget(&mut self, talker: CharacterId) {
        self.messages.retain(|message| message.talker != Some(talker));
        self.bytes = self.messages.iter().map(|message| message.bytes()).sum();
    }

    /// Returns the number of stored messages.
    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    /// Returns the first room that was shown to the session.
    pub(crate) fn greeting_of(&self, session: SessionId) -> Option<Greeting> {
        let shown = |(at, message): (usize, &StoredMessage)| {
            message.room.filter(|(_, client)| *client == session).map(|(room, _)| Greeting { at, room })
        };
        self.newest_first().enumerate().filter_map(shown).last()
    }

    /// Iterates over the messages, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &StoredMessage> {
        self.messages.iter().rev().map(|message| &**message)
    }
}

impl Scrollback {
    /// Returns the ring of a channel.
    pub(crate) fn channel(&mut self, channel: Channel) -> &mut Ring {
        self.channels.entry(channel).or_default()
    }

    /// Returns the rings of a character, creating them if needed. At the limit, creation evicts the character whose
    /// last message is oldest.
    pub(crate) fn character(
        &mut self,
        who: CharacterId,
        now: GameTime,
        limits: &Limits,
    ) -> &mut CharacterScrollback {
        if self.characters.len() >= limits.replay_characters as usize
            && !self.characters.contains_key(&who)
            && let Some((_, longest_ago)) = self.by_age.pop_first()
        {
            self.characters.remove(&longest_ago);
        }
        let rings = self.characters.entry(who).or_default();
        if rings.fed_at.is_none_or(|fed_at| now.since(fed_at) >= AGE_STEP) {
            if let Some(fed_at) = rings.fed_at.replace(now) {
                self.by_age.remove(&(fed_at, who));
            }
            self.by_age.insert((now, who));
        }
        rings
    }

    /// Drops the scrollback of a character, and its messages on channels and in parties.
    pub(crate) fn forget(&mut self, who: CharacterId) {
        if let Some(fed_at) = self.characters.remove(&who).and_then(|rings| rings.fed_at) {
            self.by_age.remove(&(fed_at, who));
        }
        let parties = self.characters.values_mut().map(|rings| &mut rings.party);
        parties.chain(self.channels.values_mut()).for_each(|ring| ring.forget(who));
    }

    /// Returns the ring for a replay.
    pub(crate) fn ring(&self, who: CharacterId, which: ReplaySelection) -> Option<&Ring> {
        match which {
            ReplaySelection::Everything | ReplaySelection::Kind(_) => {
                self.characters.get(&who).map(|rings| &rings.everything)
            }
            ReplaySelection::Tells => self.characters.get(&who).map(|rings| &rings.tells),
            ReplaySelection::Party => self.characters.get(&who).map(|rings| &rings.party),
            ReplaySelection::Channel(channel) => self.channels.get(&channel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Arc<StoredMessage> {
        Arc::new(StoredMessage {
            at: GameTime(0),
            class: Class::Notice,
            talker: None,
            room: None,
            text: Arc::new(text.into()),
        })
    }

    #[test]
    fn a8_ring_keeps_newest_within_both_limits() {
        let limits = Limits { replay_bytes: 1_000, ..Limits::default() };
        let mut ring = Ring::default();
        (0..50).for_each(|n| ring.push(message(&n.to_string()), 3, &limits));
        let kept: Vec<&str> = ring.messages.iter().map(|message| message.text.text()).collect();
        assert_eq!(kept, ["47", "48", "49"]);
        ring.push(message(&"long ".repeat(150)), 3, &limits);
        assert_eq!(ring.messages.len(), 4 - 1);
        ring.push(message(&"long ".repeat(150)), 3, &limits);
        assert_eq!(ring.messages.len(), 1, "two of them are too many bytes");
        assert_eq!(ring.bytes, 750 + OVERHEAD);
        ring.push(message(&"long ".repeat(1_000)), 3, &limits);
        assert_eq!((ring.messages.len(), ring.bytes), (0, 0), "one that is too long is not kept");
    }

    #[test]
    fn a8_least_recently_told_character_is_evicted() {
        let limits = Limits { replay_characters: 2, ..Limits::default() };
        let mut scrollback = Scrollback::default();
        let minutes = |count| GameTime(0) + Span::mins(count);
        for (at, id) in [(1, 1), (2, 2), (3, 1), (4, 3)] {
            scrollback.character(CharacterId(id), minutes(at), &limits);
        }
        scrollback.character(CharacterId(1), minutes(4), &limits);
        assert_eq!(scrollback.characters.keys().map(|id| id.0).collect::<Vec<_>>(), [1, 3]);
        let by_age: Vec<_> = scrollback.by_age.iter().map(|(at, id)| (*at, id.0)).collect();
        assert_eq!(by_age, [(minutes(4), 1), (minutes(4), 3)]);
    }
}
