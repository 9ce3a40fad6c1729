//! Commands for room features: shrines, riddles, graves, coffers, walls and traps.

use crate::command::parse::{Actor, Argument, Count, NameArgument, TextArgument, WayOut, Words};
use crate::command::spec::{CommandSpec, run};
use crate::movement::enter;
use crate::refusal::Refusal;
use crate::room::features::{buried, chalk, riddle, shrine, trap};
use crate::turn::Turn;
use deepwell_core::base::ExitId;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "pray",
        summary: "Prays at the shrine of the room. Each shrine gives to each climber once.",
        example: "pray: you hold your hands over the embers, and your blows grow heavier for a while.",
        yields_to_room: true,
        run: run!(|turn, actor, ()| shrine::pray(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "answer",
        syntax: "answer WORD",
        summary: "Answers a riddle. The voice that asks hears only so many answers from each climber.",
        example: "answer a shadow: the voice says whether you are right.",
        takes_words: true,
        missing: "answer and a word",
        run: run!(|turn, actor, words: TextArgument<'_>| riddle::answer(turn, actor.who, words.0)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "pry",
        syntax: "pry slab",
        summary: "Pries up the slab of a grave, to see what somebody took along.",
        example: "pry slab: the slab falls to one side, and an old key lies under it.",
        yields_to_room: true,
        run: run!(|turn, actor, _: Option<NameArgument<'_>>| buried::pry(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "jump",
        syntax: "jump [EXIT, PLACE or TRAP]",
        summary: "Passes an exit with a jump over the trap that you have noticed there; or simply goes there.",
        example: "jump north: you lift your feet over the thread, and are on the other side.",
        yields_to_room: true,
        run: run!(jump),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "chalk",
        syntax: "chalk [NUMBER [EXIT]]",
        summary: "Lists the phrases that you can write on a wall below, or writes one, for those who come after you. It takes a piece of chalk.",
        example: "chalk 7 north: whoever comes reads that there is danger north.",
        missing: "chalk, or chalk and a number",
        run: run!(chalk),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "disarm",
        syntax: "disarm [EXIT or TRAP]",
        summary: "Disarms the trap on an exit that you have noticed, for you and whoever comes after you.",
        example: "disarm thread: nothing will fall on anybody.",
        yields_to_room: true,
        run: run!(|turn, actor, trap: Trapped| {
            trap::disarm(turn, actor.who, trap.0.ok_or_else(trap::nothing_to_disarm)?)
        }),
        ..CommandSpec::PLAYER
    },
];

fn chalk(turn: &mut Turn, actor: Actor, phrase: Option<Phrase>) -> Result<(), Refusal> {
    if let Some(Phrase { number, exit }) = phrase {
        return chalk::write(turn, actor.who, number, exit);
    }
    let list = chalk::list(turn)?;
    actor.answer(turn, list)
}

/// Number of a phrase for a wall, with the exit that it speaks of, if any.
#[derive(Clone, Copy)]
struct Phrase {
    number: u32,
    exit: Option<ExitId>,
}

impl Argument<'_> for Phrase {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (number, way) = words.required()?.first_word();
        let number = Count::read(turn, actor, number)?.0;
        let exit = if way.text().is_empty() { None } else { Some(WayOut::read(turn, actor, way)?.0) };
        Ok(Self { number, exit })
    }
}

fn jump(turn: &mut Turn, actor: Actor, over: Jumped<'_>) -> Result<(), Refusal> {
    match over {
        Jumped::Trap(exit) => trap::jump(turn, actor.who, exit),
        Jumped::Place(name) => enter::enter(turn, actor.who, name),
        Jumped::Nothing => Err(trap::nothing_to_jump()),
    }
}

/// Target of `jump`: a trap or a destination.
#[derive(Clone, Copy)]
enum Jumped<'a> {
    Trap(ExitId),
    Place(&'a str),
    Nothing,
}

impl<'a> Argument<'a> for Jumped<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let place = if words.bare().is_empty() { Self::Nothing } else { Self::Place(words.bare()) };
        Ok(trap::trapped_exit(turn, actor.who, words.bare()).map_or(place, Self::Trap))
    }
}

/// Exit with a trap, named by its direction or its sign, or the only one.
#[derive(Clone, Copy)]
struct Trapped(Option<ExitId>);

impl Argument<'_> for Trapped {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        Ok(Self(trap::trapped_exit(turn, actor.who, words.bare())))
    }
}
