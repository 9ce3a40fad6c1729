//! Speech that comes through a bridge from another chat network. The speaker has no character: the line tells the bridge
//! beside the name, so that it cannot pass for a player.

use crate::access::audibility;
use crate::effect::public_event::OutsideSpeech;
use crate::effect::{Class, Declined, Effect};
use crate::input::sharing::SharedChannels;
use crate::message::{public, tell};
use crate::refusal::{Refusal, refuse};
use crate::speech::{scrollback, talk};
use crate::turn::Turn;
use deepwell_core::base::SessionId;
use deepwell_core::base::limits::Limits;
use deepwell_core::text::{Style, sanitise};

/// Speaks on a channel for a bridge, and answers it.
pub(crate) fn answer_bridge(turn: &mut Turn, asker: SessionId, speech: &OutsideSpeech) {
    let answer = speak(turn, speech).map(|()| Vec::new()).map_err(Declined::from);
    turn.outbox.push(Effect::Answered { asker, answer });
}

/// Sends text from outside to all connected players who listen to a channel.
fn speak(turn: &mut Turn, speech: &OutsideSpeech) -> Result<(), Refusal> {
    let known = SharedChannels::named(&speech.channel);
    let shared = known.filter(|channel| turn.config.sharing.channels.contains(*channel));
    let channel = shared.ok_or_else(|| {
        refuse!("The channel \"{}\" is not shared: bridge.channels names those that are.", speech.channel)
    })?;
    let text = audibility::words(turn, &speech.text)?;
    let name = name_of(&speech.name, &turn.config.limits)
        .ok_or_else(|| refuse!("The name of the speaker has no letters."))?;
    let via = name_of(&speech.via, &turn.config.limits)
        .ok_or_else(|| refuse!("The name of the bridge has no letters."))?;
    let talker = format!("{name} ({via})");
    let line = talk::channel_line(channel, Style::Plain, &talker, &text);
    scrollback::keep_on_channel(turn, channel, None, &line);
    public::show_speech(turn, channel, &name, Some(&via), &text);
    let message = tell::spoken_message(turn, Class::Channel, channel.name(), &talker, line);
    talk::tell_listeners(turn, channel, None, &message);
    Ok(())
}

/// Cleans and limits a name from outside. Returns `None` if nothing is left. Brackets are removed, because they enclose the
/// name of the bridge.
fn name_of(name: &str, limits: &Limits) -> Option<String> {
    let clean =
        sanitise::clean_line(&name.replace(['(', ')', '[', ']', ':'], " "), limits.name_chars as usize);
    (!clean.is_empty()).then_some(clean)
}
