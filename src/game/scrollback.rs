//! What was said last, for `replay`: to each character, to each of them in private and in its party, and on each
//! channel. Kept in memory only, so that a restart forgets it; every ring is bounded in messages and in bytes.
//! Passwords and codes never come in here: the game is not told of them.

use crate::base::limits::Limits;
use crate::base::{CharacterId, GameTime, SessionId, Span};
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::Channel;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Bytes that a message counts on top of its text.
const OVERHEAD: usize = 64;

/// What is kept of all characters and channels.
#[derive(Debug, Default)]
pub(super) struct Scrollback {
    told: BTreeMap<CharacterId, Told>,
    /// The same characters by when each was told something last.
    by_age: BTreeSet<(GameTime, CharacterId)>,
    channels: BTreeMap<Channel, Ring>,
}

/// What one character was told.
#[derive(Debug, Default)]
struct Told {
    everything: Ring,
    tells: Ring,
    party: Ring,
    /// When something was told last.
    fed_at: GameTime,
}

/// The last messages of a kind.
#[derive(Debug, Default)]
struct Ring {
    messages: VecDeque<Message>,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Message {
    at: GameTime,
    /// Who said it, where who ignores them must not read it later.
    talker: Option<CharacterId>,
    text: Arc<Markup>,
}

/// Which messages are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// All that one was told.
    Everything,
    /// What one told others and was told by them in private.
    Tells,
    /// What was said in one's party while one was in it.
    Party,
    /// What was said on a channel, whether one was there or not.
    Channel(Channel),
}

impl Message {
    fn bytes(&self) -> usize {
        self.text.text().len() + OVERHEAD
    }
}

impl Ring {
    fn push(&mut self, message: Message, messages_most: u32, limits: &Limits) {
        self.bytes += message.bytes();
        self.messages.push_back(message);
        let bytes_most = limits.replay_bytes as usize;
        while self.messages.len() > messages_most as usize || self.bytes > bytes_most {
            let Some(oldest) = self.messages.pop_front() else { break };
            self.bytes -= oldest.bytes();
        }
    }
}

impl Scrollback {
    /// The rings of a character; for a new one the character that has been told nothing for longest is forgotten,
    /// if there are too many.
    fn told(&mut self, who: CharacterId, now: GameTime, limits: &Limits) -> &mut Told {
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

    fn ring(&self, who: CharacterId, which: Which) -> Option<&Ring> {
        match which {
            Which::Everything => self.told.get(&who).map(|told| &told.everything),
            Which::Tells => self.told.get(&who).map(|told| &told.tells),
            Which::Party => self.told.get(&who).map(|told| &told.party),
            Which::Channel(channel) => self.channels.get(&channel),
        }
    }
}

impl Game {
    /// Keeps what this step has told players so far.
    pub(super) fn keep_what_was_told(&mut self) {
        let limits = &self.config.limits;
        for (session, class, text) in self.outbox.fresh_texts() {
            let Some(seat) = self.seats.get(&session) else { continue };
            let told = self.scrollback.told(seat.character, self.now, limits);
            let message = Message { at: self.now, talker: None, text: Arc::clone(text) };
            if class == Class::Tell {
                told.tells.push(message.clone(), limits.channel_history, limits);
            }
            told.everything.push(message, limits.replay_lines, limits);
        }
        self.outbox.texts_kept();
    }

    /// Keeps what was said on a channel.
    pub(super) fn keep_on_channel(&mut self, channel: Channel, talker: CharacterId, text: &Markup) {
        let message = Message { at: self.now, talker: Some(talker), text: Arc::new(text.clone()) };
        let limits = &self.config.limits;
        self.scrollback.channels.entry(channel).or_default().push(message, limits.channel_history, limits);
    }

    /// Keeps what was said in a party for one of its members.
    pub(super) fn keep_for_member(&mut self, member: CharacterId, talker: CharacterId, text: &Markup) {
        let message = Message { at: self.now, talker: Some(talker), text: Arc::new(text.clone()) };
        let limits = &self.config.limits;
        let told = self.scrollback.told(member, self.now, limits);
        told.party.push(message, limits.channel_history, limits);
    }

    /// Tells a player the last messages of a kind once more, the oldest first. A replay is not kept itself.
    pub(crate) fn replay(&mut self, session: SessionId, who: CharacterId, which: Which, most: u32) {
        self.keep_what_was_told();
        let page = self.replayed(who, which, most as usize);
        self.outbox.text(session, Class::Reply, &Arc::new(page));
        self.outbox.texts_kept();
    }

    fn replayed(&self, who: CharacterId, which: Which, most: usize) -> Markup {
        let all = self.scrollback.ring(who, which).into_iter().flat_map(|ring| ring.messages.iter().rev());
        let heard = |message: &&Message| message.talker.is_none_or(|talker| !self.ignores(who, talker));
        let messages: Vec<&Message> = all.filter(heard).take(most).collect();
        let count = u32::try_from(messages.len()).unwrap_or(u32::MAX);
        if count == 0 {
            return Markup::plain(
                "Nothing of that kind is remembered. A restart of the server forgets it all.",
            );
        }
        let last = match count {
            1 => "The last message".to_owned(),
            _ => format!("The last {} messages, the oldest first", grammar::number(count)),
        };
        let mut page = Markup::styled(Style::Heading, &format!("{last}:"));
        for message in messages.into_iter().rev() {
            page.new_line();
            if which != Which::Everything {
                let ago = self.now.since(message.at);
                page.push(
                    Style::Faint,
                    &if ago < Span::secs(1) { "now: ".into() } else { format!("{ago} ago: ") },
                );
            }
            page.append(&message.text);
        }
        page.line(Style::Faint, "That was the replay.");
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message { at: GameTime(0), talker: None, text: Arc::new(text.into()) }
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
