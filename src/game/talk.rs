//! Speech: in the room, as far as a shout carries, to one, to everybody. Each line begins with who said it, in a form
//! nobody can type (T4). Who ignores somebody hears none of it, and the speaker is not told.

use crate::base::{CharacterId, RoomId};
use crate::game::command::Refusal;
use crate::game::{Class, Data, Game};
use crate::text::{Markup, Style, sanitise};
use crate::world::{Channel, ExitKind};
use std::collections::{BTreeMap, VecDeque};

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
    fn tell_hearers(&mut self, room: RoomId, speaker: CharacterId, except: &[CharacterId], line: Markup) {
        let deaf = self.world.occupants(room).iter().copied().filter(|id| self.ignores(*id, speaker));
        let except: Vec<CharacterId> = deaf.chain(except.iter().copied()).collect();
        self.tell_room(room, &except, Class::Speech, line);
    }

    /// To everybody in the room.
    pub(crate) fn say(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let room = self.world.characters[who].room;
        self.tell(who, Class::Speech, Markup::plain("You say: ").with(Style::Speech, &words));
        let line = self.name_of(who).and(" says: ").with(Style::Speech, &words);
        self.tell_hearers(room, who, &[who], line);
        self.overhears(who, &words);
        Ok(())
    }

    /// What somebody is seen doing.
    pub(crate) fn emote(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let room = self.world.characters[who].room;
        let line = self.name_of(who).and(" ").with(Style::Speech, &words);
        self.tell_hearers(room, who, &[], line);
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
        self.tell(who, Class::Speech, Markup::plain("You shout: ").with(Style::Speech, &words));
        let here = self.world.characters[who].room;
        let line = self.name_of(who).and(" shouts: ").with(Style::Speech, &words);
        self.tell_hearers(here, who, &[who], line);
        for (room, towards) in self.within_earshot(here) {
            let from = self.way_in(room, towards);
            let line = self.name_of(who).and(&format!(" shouts {from}: ")).with(Style::Speech, &words);
            self.tell_hearers(room, who, &[who], line);
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
        self.tell(
            who,
            Class::Tell,
            Markup::plain("You tell ").with(Style::Player, &name).and(": ").with(Style::Speech, &words),
        );
        if self.ignores(to, who) {
            return Ok(());
        }
        if to != who {
            self.tell(to, Class::Tell, self.name_of(who).and(" tells you: ").with(Style::Speech, &words));
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
        let listeners: Vec<_> = self.seats.iter().map(|(session, seat)| (*session, seat.clone())).collect();
        for (session, seat) in listeners {
            if self.has_muted(seat.character, channel) || self.ignores(seat.character, who) {
                continue;
            }
            self.tell(seat.character, Class::Channel, line.clone());
            if seat.wants.channels {
                let (channel, talker, text) =
                    (channel.name().to_owned(), talker.clone(), line.text().to_owned());
                self.outbox.data(session, Data::ChannelText { channel, talker, text });
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
}
