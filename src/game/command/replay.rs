//! Words for reading again what was said.

use crate::base::amount;
use crate::game::command::spec::{Actor, CommandSpec, Needs};
use crate::game::refusal::Refusal;
use crate::game::scrollback;
use crate::game::state::scrollback::Which;
use crate::game::turn::Turn;
use crate::world::Channel;

/// How many messages `replay` tells if no number is given.
const USUAL: u32 = 20;

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "replay",
    needs: Needs::Nothing,
    syntax: "replay [tells, party, ooc or newbie] [NUMBER]",
    summary: "Tells you again what you were told last: everything, or only one kind of it.",
    example: "replay tells 5: the last five tells, with how long ago they came.",
    run: replay,
    ..CommandSpec::PLAYER
}];

fn replay(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let words = words.to_lowercase();
    let (kind, number) = match words.split_once(char::is_whitespace) {
        Some((kind, number)) => (kind, number.trim()),
        None if amount::is_meant(&words) => ("", words.as_str()),
        None => (words.as_str(), ""),
    };
    let which = match kind {
        "" | "all" => Which::Everything,
        "tells" | "tell" => Which::Tells,
        _ => match Channel::ALL.into_iter().find(|channel| channel.name() == kind) {
            Some(channel) => which_of(channel),
            None => return Err(Refusal::Missing("replay, then tells, party or a channel, then a number")),
        },
    };
    replay_last(turn, actor, which, number)
}

/// What `CHANNEL history` and `channel CHANNEL last [NUMBER]` tell.
pub(super) fn channel_history(
    turn: &mut Turn,
    actor: Actor,
    channel: Channel,
    number: &str,
) -> Result<(), Refusal> {
    replay_last(turn, actor, which_of(channel), number)
}

fn replay_last(turn: &mut Turn, actor: Actor, which: Which, number: &str) -> Result<(), Refusal> {
    let most = match number {
        "" => USUAL,
        number => amount::parse(number).map_err(|error| Refusal::Because(error.sentence().into()))?,
    };
    scrollback::replay(turn, actor.session, actor.who, which, most);
    Ok(())
}

/// What is said in a party is kept for each of its members.
const fn which_of(channel: Channel) -> Which {
    match channel {
        Channel::Party => Which::Party,
        Channel::Ooc | Channel::Newbie => Which::Channel(channel),
    }
}
