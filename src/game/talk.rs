//! Speech: in the room, to one, to everybody. Each line begins with who said it, in a form nobody can type (T4).

use crate::base::CharacterId;
use crate::game::command::Refusal;
use crate::game::{Class, Data, Game};
use crate::text::{Markup, Style, sanitise};

impl Game {
    /// Cleans and bounds what somebody says.
    fn words(&self, text: &str) -> Result<String, Refusal> {
        let words = sanitise::clean_line(text, self.config.limits.speech_chars as usize);
        if words.is_empty() { Err(Refusal::NothingToSay) } else { Ok(words) }
    }

    /// To everybody in the room.
    pub(crate) fn say(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let room = self.world.characters[who].room;
        self.tell(who, Class::Speech, Markup::plain("You say: ").with(Style::Speech, &words));
        self.tell_room(
            room,
            &[who],
            Class::Speech,
            self.name_of(who).and(" says: ").with(Style::Speech, &words),
        );
        Ok(())
    }

    /// What somebody is seen doing.
    pub(crate) fn emote(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let room = self.world.characters[who].room;
        let line = self.name_of(who).and(" ").with(Style::Speech, &words);
        self.tell_room(room, &[], Class::Speech, line);
        Ok(())
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

    /// To everybody who plays, out of character.
    pub(crate) fn ooc(&mut self, who: CharacterId, text: &str) -> Result<(), Refusal> {
        let words = self.words(text)?;
        let talker = self.world.characters[who].name.clone();
        let line = Markup::plain("[Ooc] ").with(Style::Player, &talker).and(": ").with(Style::Speech, &words);
        let listeners: Vec<_> = self.seats.iter().map(|(session, seat)| (*session, seat.clone())).collect();
        for (session, seat) in listeners {
            self.tell(seat.character, Class::Channel, line.clone());
            if seat.wants.channels {
                let (channel, talker, text) = ("ooc".into(), talker.clone(), line.text().to_owned());
                self.outbox.data(session, Data::ChannelText { channel, talker, text });
            }
        }
        Ok(())
    }
}
