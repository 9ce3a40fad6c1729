//! Sounds for players who want them and whose clients play them. The table is closed, nothing plays
//! twice in a step or without end, and each sound has a caption. Whatever a sound tells is told in words as well, so
//! nothing is lost without it.

use crate::base::{CharacterId, SessionId};
use crate::game::data::{MediaPlay, MediaStop};
use crate::game::{Class, Data, Game};
use crate::text::Markup;

/// What all sounds of ours have in common.
const TAG: &str = "deepwell";

/// A moment that has a sound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sound {
    /// One's own blow lands.
    Hit,
    /// A blow lands on oneself.
    Hurt,
    /// A way that was shut opens.
    Door,
    /// Somebody speaks to one alone.
    Tell,
    /// One has risen a level.
    Level,
    /// Oneself or somebody near goes down.
    Fall,
    /// A branch groans, or gives way.
    Collapse,
}

impl Sound {
    /// Its file, what it sounds like, and how much it matters.
    const fn row(self) -> (&'static str, &'static str, u32) {
        match self {
            Self::Hit => ("hit.ogg", "a blow lands", 20),
            Self::Hurt => ("hurt.ogg", "you are hit", 30),
            Self::Door => ("door.ogg", "a way opens", 40),
            Self::Tell => ("tell.ogg", "somebody speaks to you", 50),
            Self::Level => ("level.ogg", "a bright chord", 60),
            Self::Fall => ("fall.ogg", "somebody falls", 70),
            Self::Collapse => ("collapse.ogg", "stone groans and falls", 80),
        }
    }
}

impl Game {
    /// A moment that has a sound, for one body.
    pub(crate) fn sounds(&mut self, who: CharacterId, sound: Sound) {
        if let Some(session) = self.plays_sounds(who) {
            self.outbox.sounds.insert((session, sound));
        }
    }

    /// The same for everybody who is where a body is.
    pub(crate) fn sounds_around(&mut self, who: CharacterId, sound: Sound) {
        if self.wanted.media {
            for other in self.world.occupants(self.world.characters[who].room).to_vec() {
                self.sounds(other, sound);
            }
        }
    }

    /// A place has a sound of its own, by the name that its author gave it. Who does not hear it reads of it.
    pub(crate) fn sounds_like(&mut self, who: CharacterId, sound: &str) {
        let caption = caption_of(sound);
        match self.plays_sounds(who) {
            Some(session) => {
                let play = self.play(&format!("{sound}.ogg"), "music", &caption, 10);
                self.outbox.data(session, Data::MediaPlay(play));
            }
            None => self.tell(who, Class::Notice, Markup::plain(&format!("You hear something: {caption}."))),
        }
    }

    /// The client of somebody who wants sounds, if it plays them.
    fn plays_sounds(&self, who: CharacterId) -> Option<SessionId> {
        if !self.wanted.media {
            return None;
        }
        let session = *self.seated.get(&who)?;
        let seat = self.seats.get(&session)?;
        (seat.wants.media && self.world.accounts[seat.account].settings.sound).then_some(session)
    }

    /// Somebody wants no sounds any more: what still plays is stopped.
    pub(crate) fn silence(&mut self, session: SessionId) {
        if self.seats.get(&session).is_some_and(|seat| seat.wants.media) {
            self.outbox.data(session, Data::MediaStop(MediaStop {}));
        }
    }

    /// At the end of a step: each client plays what it has to, once.
    pub(super) fn finish_sounds(&mut self) {
        for (session, sound) in std::mem::take(&mut self.outbox.sounds) {
            let (name, caption, priority) = sound.row();
            let play = self.play(name, "sound", caption, priority);
            self.outbox.data(session, Data::MediaPlay(play));
        }
    }

    fn play(&self, name: &str, kind: &'static str, caption: &str, priority: u32) -> MediaPlay {
        let url = self.config.media_url.trim_end_matches('/');
        MediaPlay {
            name: name.to_owned(),
            url: (!url.is_empty()).then(|| format!("{url}/")),
            kind,
            tag: TAG,
            volume: 50,
            loops: 1,
            priority,
            caption: caption.to_owned(),
        }
    }
}

/// What a sound is called in words: `stoneage/08_the_golden_valley` is "the golden valley".
fn caption_of(sound: &str) -> String {
    let name = sound.rsplit('/').next().unwrap_or(sound);
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
    name.replace(['_', '-'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h19_the_name_of_a_sound_is_its_caption() {
        assert_eq!(caption_of("stoneage/08_the_golden_valley"), "the golden valley");
        assert_eq!(caption_of("drip"), "drip");
    }
}
