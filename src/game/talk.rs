//! Speech: in the room, as far as a shout carries, to one, to everybody. Each line begins with who said it, in a form
//! nobody can type. Who ignores somebody hears none of it, and the speaker is not told.

use crate::base::{CharacterId, RoomId, SessionId};
use crate::game::command::Refusal;
use crate::game::data::{ChannelInfo, ChannelPlayer};
use crate::game::outbox::Said;
use crate::game::sound::Sound;
use crate::game::{Class, Data, Game};
use crate::text::{Markup, Style, sanitise};
use crate::world::{Channel, ExitKind};
use std::collections::{BTreeMap, VecDeque};

/// What can be heard, for clients with a window for each. What is told to one has the channel `tell` and
/// the name of the other.
pub(super) const CHANNELS: [ChannelInfo; 7] = [
    ChannelInfo { name: "newbie", caption: "Newbie", command: "newbie" },
    ChannelInfo { name: "ooc", caption: "Out of character", command: "ooc" },
    ChannelInfo { name: "party", caption: "Party", command: "party" },
    ChannelInfo { name: "tell", caption: "Tells", command: "tell" },
    ChannelInfo { name: "say", caption: "Says", command: "say" },
    ChannelInfo { name: "emote", caption: "Emotes", command: "emote" },
    ChannelInfo { name: "shout", caption: "Shouts", command: "shout" },
];

impl Game {
    /// Cleans and bounds what somebody says.
    pub(crate) fn words(&self, text: &str) -> Result<String, Refusal> {
        let words = sanitise::clean_line(text, self.config.limits.speech_chars as usize);
        if words.is_empty() { Err(Refusal::NothingToSay) } else { Ok(words) }
    }

    /// Whether one player does not want to hear another.
    pub(crate) fn ignores(&self, who: CharacterId, speaker: CharacterId) -> bool {
        let account = |id: CharacterId| self.world.characters.get(id).and_then(|body| body.account);
        let owner = account(who).and_then(|account| self.world.accounts.get(account));
        match (owner, account(speaker)) {
            (Some(owner), Some(speaker)) => owner.ignored.contains_key(&speaker),
            _ => false,
        }
    }

    /// Tells a room what somebody says or shows; not to some, and not to who ignores the speaker.
    fn tell_hearers(&mut self, room: RoomId, speaker: CharacterId, except: &[CharacterId], said: &Said) {
        for who in self.world.occupants(room).to_vec() {
            if !except.contains(&who) && !self.ignores(who, speaker) {
                self.hears(who, said);
            }
        }
    }

    /// Something said, shown or shouted in a room.
    fn spoken(&self, channel: &str, speaker: CharacterId, line: Markup) -> Said {
        self.said(Class::Speech, channel, &self.world.characters[speaker].name, line)
    }

    /// To everybody in the room.
    pub(crate) fn say(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let room = self.world.characters[who].room;
        let own = self.spoken("say", who, Markup::plain("You say: ").with(Style::Speech, &words));
        self.hears(who, &own);
        let line = self.name_of(who).and(" says: ").with(Style::Speech, &words);
        self.tell_hearers(room, who, &[who], &self.spoken("say", who, line));
        self.overhears(who, &words);
        Ok(())
    }

    /// What somebody is seen doing.
    pub(crate) fn emote(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let room = self.world.characters[who].room;
        let line = self.name_of(who).and(" ").with(Style::Speech, &words);
        self.tell_hearers(room, who, &[], &self.spoken("emote", who, line));
        Ok(())
    }

    /// To everybody in this room and in those near it, along ways that somebody has explored.
    pub(crate) fn shout(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let pause = crate::catalog::Rules::secs(self.catalog.rules.talk.shout_secs);
        let now = self.now;
        let seat = self.seated.get(&who).and_then(|session| self.seats.get_mut(session));
        if let Some(seat) = seat {
            let next = seat.shouted_at.map_or(now, |at| at + pause);
            if next > now {
                let left = next.since(now);
                return Err(Refusal::Because(format!("You are out of breath: shout again in {left}.")));
            }
            seat.shouted_at = Some(now);
        }
        let own = self.spoken("shout", who, Markup::plain("You shout: ").with(Style::Speech, &words));
        self.hears(who, &own);
        let here = self.world.characters[who].room;
        let line = self.name_of(who).and(" shouts: ").with(Style::Speech, &words);
        self.tell_hearers(here, who, &[who], &self.spoken("shout", who, line));
        for (room, towards) in self.within_earshot(here) {
            let from = self.way_in(room, towards);
            let line = self.name_of(who).and(&format!(" shouts {from}: ")).with(Style::Speech, &words);
            self.tell_hearers(room, who, &[who], &self.spoken("shout", who, line));
        }
        Ok(())
    }

    /// The rooms that a shout from this one reaches, each with the room through which it comes.
    fn within_earshot(&self, from: RoomId) -> BTreeMap<RoomId, RoomId> {
        let branch = self.world.rooms[from].branch;
        let mut reached = BTreeMap::new();
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((at, steps)) = queue.pop_front() {
            if steps >= self.catalog.rules.talk.shout_rooms {
                continue;
            }
            for exit in self.world.exits_of(at).filter(|exit| exit.kind != ExitKind::Branch) {
                let Some(to) = exit.to.filter(|to| self.world.rooms[*to].branch == branch) else { continue };
                if to != from && !reached.contains_key(&to) {
                    reached.insert(to, at);
                    queue.push_back((to, steps + 1));
                }
            }
        }
        reached
    }

    /// To one, wherever they are.
    pub(crate) fn tell_to(&mut self, who: CharacterId, to: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let Some(session) = self.seated.get(&to).copied() else {
            return Err(Refusal::NotListening(self.world.characters[to].name.clone()));
        };
        let name = self.world.characters[to].name.clone();
        let talker = self.world.characters[who].name.clone();
        let line =
            Markup::plain("You tell ").with(Style::Player, &name).and(": ").with(Style::Speech, &words);
        let own = self.said(Class::Tell, &format!("tell {name}"), &talker, line);
        self.hears(who, &own);
        if self.ignores(to, who) {
            return Ok(());
        }
        if to != who {
            let line = self.name_of(who).and(" tells you: ").with(Style::Speech, &words);
            let said = self.said(Class::Tell, &format!("tell {talker}"), &talker, line);
            self.hears(to, &said);
            self.sounds(to, Sound::Tell);
        }
        if let Some(seat) = self.seats.get_mut(&session) {
            seat.reply_to = Some(who);
        }
        Ok(())
    }

    /// To whoever spoke to one last.
    pub(crate) fn reply(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let seat = self.seated.get(&who).and_then(|session| self.seats.get(session));
        let to = seat.and_then(|seat| seat.reply_to).filter(|to| self.world.characters.get(*to).is_some());
        self.tell_to(who, to.ok_or(Refusal::NobodyToReplyTo)?, text)
    }

    /// To everybody who plays and listens to a channel.
    pub(crate) fn speak_on(&mut self, who: CharacterId, channel: Channel, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        self.must_hear(who, channel)?;
        let talker = self.world.characters[who].name.clone();
        let line = Markup::plain(&format!("[{}] ", channel.title()))
            .with(Style::Player, &talker)
            .and(": ")
            .with(Style::Speech, &words);
        self.keep_on_channel(channel, who, &line);
        let said = self.said(Class::Channel, channel.name(), &talker, line);
        let players: Vec<CharacterId> = self.seats.values().map(|seat| seat.character).collect();
        for player in players {
            if !self.has_muted(player, channel) && !self.ignores(player, who) {
                self.hears(player, &said);
            }
        }
        Ok(())
    }

    /// Nobody speaks on a channel whose answers they would not hear.
    pub(super) fn must_hear(&self, who: CharacterId, channel: Channel) -> Result<(), Refusal> {
        if self.has_muted(who, channel) {
            let name = channel.name();
            return Err(Refusal::Because(format!(
                "You do not listen to {name} just now. Type channel {name} on to hear it again."
            )));
        }
        Ok(())
    }

    pub(super) fn has_muted(&self, who: CharacterId, channel: Channel) -> bool {
        let account = self.world.characters[who].account.and_then(|account| self.world.accounts.get(account));
        account.is_some_and(|account| account.settings.muted.contains(&channel))
    }

    /// Tells a client who plays, and which of the channels that it hears they hear, too.
    pub(super) fn tell_channel_players(&mut self, session: SessionId) {
        let seat = self.seats.get(&session).filter(|seat| seat.wants.channels);
        let Some(own) = seat.map(|seat| seat.character) else { return };
        let heard = |who| {
            let open = Channel::ALL.into_iter().filter(|channel| *channel != Channel::Party);
            open.filter(|channel| !self.has_muted(who, *channel)).collect()
        };
        let mine: Vec<Channel> = heard(own);
        let mut players = Vec::with_capacity(self.seated.len());
        for who in self.seated.keys() {
            let channels = heard(*who).into_iter().filter(|channel| mine.contains(channel));
            let name = self.world.characters[*who].name.clone();
            players.push(ChannelPlayer { name, channels: channels.map(Channel::name).collect() });
        }
        players.sort_by(|one, other| one.name.cmp(&other.name));
        self.outbox.data(session, Data::ChannelPlayers(players));
    }
}
