//! Sounds for players who enabled them and whose clients can play them. The set of sounds is fixed, and each has a
//! caption. No sound loops or plays twice in a step. Every sound has an equivalent in text.

use super::package::PackageSpec;
use crate::effect::Class;
use crate::effect::data::media::{MediaPlay, MediaStop};
use crate::effect::data::{Data, Package};
use crate::message::tell;
use crate::state::event::{GameEvent, Sound};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId};
use deepwell_core::text::Markup;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Media);

/// Tag shared by all sounds of this server.
const TAG: &str = "deepwell";

/// Queues the sound of an event for one character.
pub(crate) fn sound(turn: &mut Turn, who: CharacterId, sound: Sound) {
    if let Some(session) = client_with_sound(turn, who) {
        turn.outbox.play(session, sound);
    }
}

/// Queues the sound of an event for every character in the room.
pub(crate) fn sound_around(turn: &mut Turn, who: CharacterId, sound: Sound) {
    if turn.wanted.contains(&Package::Media) {
        for other in turn.world.occupants(turn.world.characters[who].room).to_vec() {
            turn.emit_event(GameEvent::Sounded { who: other, sound });
        }
    }
}

/// Plays the sound that a builder chose for a room. Players without sound get its caption as text.
pub(crate) fn sound_place(turn: &mut Turn, who: CharacterId, sound: &str) {
    let caption = caption_of(sound);
    match client_with_sound(turn, who) {
        Some(session) => {
            let play = play(turn, &format!("{sound}.ogg"), "music", &caption, 10);
            turn.outbox.data(session, Data::MediaPlay(play));
        }
        None => {
            tell::tell(turn, who, Class::Notice, Markup::plain(&format!("You hear something: {caption}.")));
        }
    }
}

/// Returns the session of a character whose player has sound enabled and whose client can play it.
fn client_with_sound(turn: &Turn, who: CharacterId) -> Option<SessionId> {
    if !turn.wanted.contains(&Package::Media) {
        return None;
    }
    let session = *turn.seated.get(&who)?;
    let seat = turn.seats.get(&session)?;
    (seat.wants.contains(&Package::Media) && turn.world.accounts[seat.account].settings.sound)
        .then_some(session)
}

/// Stops all sounds of a client whose player has disabled sound.
pub(crate) fn silence(turn: &mut Turn, session: SessionId) {
    if turn.wants(session, Package::Media) {
        turn.outbox.data(session, Data::MediaStop(MediaStop {}));
    }
}

/// Sends the queued sounds at the end of a step, once per client.
pub(crate) fn finish_sounds(turn: &mut Turn) {
    for (session, sound) in turn.outbox.take_sounds() {
        let (name, caption, priority) = sound.row();
        let play = play(turn, name, "sound", caption, priority);
        turn.outbox.data(session, Data::MediaPlay(play));
    }
}

fn play(turn: &Turn, name: &str, kind: &'static str, caption: &str, priority: u32) -> MediaPlay {
    let url = turn.config.media_url.trim_end_matches('/');
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

/// Returns the caption of a sound file: `stoneage/08_the_golden_valley` is "the golden valley".
fn caption_of(sound: &str) -> String {
    let name = sound.rsplit('/').next().unwrap_or(sound);
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
    name.replace(['_', '-'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h19_caption_is_derived_from_the_sound_name() {
        assert_eq!(caption_of("stoneage/08_the_golden_valley"), "the golden valley");
        assert_eq!(caption_of("drip"), "drip");
    }
}
