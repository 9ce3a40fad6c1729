//! Commands that show earlier messages again.

use crate::command::parse::{Actor, Argument, Count, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::effect::Class;
use crate::refusal::Refusal;
use crate::speech::scrollback;
use crate::state::scrollback::ReplaySelection;
use crate::turn::Turn;
use deepwell_core::base::amount;
use deepwell_core::world::Channel;

/// Default number of messages shown by `replay`.
const USUAL: u32 = 20;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "replay",
    needs: Needs::Nothing,
    syntax: "replay [tells, party, ooc, newbie, fights, rooms, notices, movement, speech or server] [NUMBER]",
    summary: "Tells you again what you were told last: everything, or only one kind of it.",
    example: "replay tells 5: the last five tells, with how long ago they came.",
    missing: "replay, then tells, party, a channel, fights, rooms, notices, movement, speech or server, then a number",
    run: run!(replay),
    ..CommandSpec::GUEST
}];

/// Kind and number of messages to replay.
#[derive(Clone, Copy)]
struct ReplayOrder {
    which: ReplaySelection,
    count: Option<Count>,
}

impl Argument<'_> for ReplayOrder {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (kind, number) = match words.keyword() {
            (word, rest) if rest.is_empty() && amount::is_meant(&word) => (String::new(), words),
            parts => parts,
        };
        let channel = |name: &str| Channel::ALL.iter().copied().find(|channel| channel.name() == name);
        let which = match kind.as_str() {
            "" | "all" => ReplaySelection::Everything,
            "tells" | "tell" => ReplaySelection::Tells,
            name => match (channel(name), kind_named(name)) {
                (Some(channel), _) => which_of(channel),
                (None, Some(class)) => ReplaySelection::Kind(class),
                (None, None) => return Err(words.missing()),
            },
        };
        Ok(Self { which, count: Option::read(turn, actor, number)? })
    }
}

/// Returns the message class named by its cue word, singular or plural.
fn kind_named(word: &str) -> Option<Class> {
    let singular = word.strip_suffix('s').unwrap_or(word);
    Class::ALL.into_iter().find(|class| class.screen_reader_form().cue.eq_ignore_ascii_case(singular))
}

fn replay(turn: &mut Turn, actor: Actor, ReplayOrder { which, count }: ReplayOrder) -> Result<(), Refusal> {
    replay_last(turn, actor, which, count);
    Ok(())
}

/// Handles `CHANNEL history` and `channel CHANNEL last [NUMBER]`.
pub(crate) fn channel_history(
    turn: &mut Turn,
    actor: Actor,
    channel: Channel,
    count: Option<Count>,
) -> Result<(), Refusal> {
    replay_last(turn, actor, which_of(channel), count);
    Ok(())
}

fn replay_last(turn: &mut Turn, actor: Actor, which: ReplaySelection, count: Option<Count>) {
    let most = count.map_or(USUAL, |count| count.0);
    scrollback::replay(turn, actor.session, actor.who, which, most);
}

/// Selects the messages to replay for a channel. Party messages are stored per member.
const fn which_of(channel: Channel) -> ReplaySelection {
    match channel {
        Channel::Party => ReplaySelection::Party,
        Channel::Ooc | Channel::Newbie => ReplaySelection::Channel(channel),
    }
}
