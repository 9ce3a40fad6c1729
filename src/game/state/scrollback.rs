//! What was said last: rings of messages, bounded in messages and in bytes.

use crate::base::limits::Limits;
use crate::base::{CharacterId, GameTime, RoomId, SessionId};
use crate::game::effect::Class;
use crate::text::Markup;
use crate::world::Channel;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Bytes that a message counts on top of its text.
const OVERHEAD: usize = 64;

/// Which messages are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// Every message the character was told.
    Everything,
    /// Messages of one kind among those.
    Kind(Class),
    /// What one told others and was told by them in private.
    Tells,
    /// What was said in one's party while one was in it.
    Party,
    /// What was said on a channel, whether one was there or not.
    Channel(Channel),
}

/// What is kept of all characters and channels.
#[derive(Debug, Default)]
pub(crate) struct Scrollback {
    told: BTreeMap<CharacterId, Told>,
    /// The same characters by when each was told something last.
    by_age: BTreeSet<(GameTime, CharacterId)>,
    channels: BTreeMap<Channel, Ring>,
}

/// What one character was told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) everything: Ring,
    pub(crate) tells: Ring,
    pub(crate) party: Ring,
    /// When something was told last.
    fed_at: GameTime,
}

/// The last messages of a kind.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    messages: VecDeque<Message>,
    bytes: usize,
}

/// One message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) at: GameTime,
    /// Kind of the message.
    pub(crate) class: Class,
    /// Who said it, where who ignores them must not read it later.
    pub(crate) talker: Option<CharacterId>,
    /// The room that it shows, and the client that was shown it.
    pub(crate) room: Option<(RoomId, SessionId)>,
    pub(crate) text: Arc<Markup>,
}

/// The room that a client was shown as it came in.
#[derive(Clone, Copy)]
pub(crate) struct Greeting {
    /// How many messages are newer.
    at: usize,
    room: RoomId,
}

impl Greeting {
    /// Whether a message, of which so many are newer, shows what is on the screen of that client since it came in.
    pub(crate) fn shows_again(self, at: usize, message: &Message) -> bool {
        at >= self.at && message.room.is_some_and(|(room, _)| room == self.room)
    }
}

impl Message {
    fn bytes(&self) -> usize {
        self.text.text().len() + OVERHEAD
    }
}

impl Ring {
    /// Adds a message and drops the oldest, as far as there are too many or they are too long.
    pub(crate) fn push(&mut self, message: Message, messages_most: u32, limits: &Limits) {
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
    /// Drops what somebody has said.
    fn forget(&mut self, talker: CharacterId) {
        self.messages.retain(|message| message.talker != Some(talker));
        self.bytes = self.messages.iter().map(Message::bytes).sum();
    }

    /// How many messages are kept.
    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    /// How a client was greeted: by the first room that it was shown.
    pub(crate) fn greeting_of(&self, session: SessionId) -> Option<Greeting> {
        let shown = |(at, message): (usize, &Message)| {
            message.room.filter(|(_, client)| *client == session).map(|(room, _)| Greeting { at, room })
        };
        self.newest_first().enumerate().filter_map(shown).last()
    }

    /// What is kept, the newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().rev()
    }
}

impl Scrollback {
    /// The ring of a channel.
    pub(crate) fn channel(&mut self, channel: Channel) -> &mut Ring {
        self.channels.entry(channel).or_default()
    }

    /// The rings of a character; for a new one the character that has been told nothing for longest is forgotten,
    /// if there are too many.
    pub(crate) fn told(&mut self, who: CharacterId, now: GameTime, limits: &Limits) -> &mut Told {
        match self.told.get(&who).map(|told| told.fed_at) {
            Some(fed_at) if fed_at == now => {}
            Some(fed_at) => {
                self.by_age.remove(&(fed_at, who));
                self.by_age.insert((now, who));
            }
            None => {
                if self.told.len() >= limits.replay_characters as usize
                    && let Some((_, longest_ago)) = self.by_age.pop_first()
                {
                    self.told.remove(&longest_ago);
                }
                self.by_age.insert((now, who));
            }
        }
        let told = self.told.entry(who).or_default();
        told.fed_at = now;
        told
    }

    /// Drops what somebody was told, and what they have said on channels and in parties.
    pub(crate) fn forget(&mut self, who: CharacterId) {
        if let Some(told) = self.told.remove(&who) {
            self.by_age.remove(&(told.fed_at, who));
        }
        let parties = self.told.values_mut().map(|told| &mut told.party);
        parties.chain(self.channels.values_mut()).for_each(|ring| ring.forget(who));
    }

    /// The ring that a replay reads.
    pub(crate) fn ring(&self, who: CharacterId, which: Which) -> Option<&Ring> {
        match which {
            Which::Everything | Which::Kind(_) => self.told.get(&who).map(|told| &told.everything),
            Which::Tells => self.told.get(&who).map(|told| &told.tells),
            Which::Party => self.told.get(&who).map(|told| &told.party),
            Which::Channel(channel) => self.channels.get(&channel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message {
            at: GameTime(0),
            class: Class::Notice,
            talker: None,
            room: None,
            text: Arc::new(text.into()),
        }
    }

    #[test]
    fn a8_a_ring_keeps_the_newest_within_both_bounds() {
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
    fn a8_the_character_told_longest_ago_is_forgotten_first() {
        let limits = Limits { replay_characters: 2, ..Limits::default() };
        let mut scrollback = Scrollback::default();
        for (at, id) in [(1, 1), (2, 2), (3, 1), (4, 3)] {
            scrollback.told(CharacterId(id), GameTime(at), &limits);
        }
        assert_eq!(scrollback.told.keys().map(|id| id.0).collect::<Vec<_>>(), [1, 3]);
        let by_age: Vec<_> = scrollback.by_age.iter().map(|(at, id)| (at.0, id.0)).collect();
        assert_eq!(by_age, [(3, 1), (4, 3)]);
    }
}
