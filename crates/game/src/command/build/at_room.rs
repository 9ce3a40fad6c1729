//! Command that carries out a building command as if it were typed in another room.

use crate::command::build::from_web;
use crate::command::build::room::exits::{hand_built, require_builder};
use crate::command::dispatch::carry_out;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, FromWeb, Needs, run};
use crate::refusal::{Refusal, refuse};
use crate::state::WebBuilder;
use crate::turn::Turn;
use deepwell_core::base::{Right, RoomId};

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "at",
    right: Some(Right::Look),
    syntax: "at #ROOM|ZONE/KEY COMMAND",
    summary: "Carries out one building command as if you stood in another room, by its number, its key or an alias without blanks. Texts come on the same line, behind =.",
    example: "at mill/loft detail beam = It is worm-eaten: the loft has the detail, and you stay where you are.",
    takes_words: true,
    missing: "at, a room such as #12 or mill/loft, and a building command",
    builds: false,
    // The web builder selects the room, and this command would replace its context.
    from_web: FromWeb::Refused,
    run: run!(at),
    ..CommandSpec::BUILDER
}];

/// Room, and the command to carry out there.
struct There<'a> {
    room: RoomId,
    line: &'a str,
}

impl<'a> Argument<'a> for There<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (room, line) = words.first_word();
        let line = line.required().map_err(|_| words.missing())?.text();
        Ok(Self { room: hand_built(turn, actor.who, room.text())?, line })
    }
}

fn at(turn: &mut Turn, actor: Actor, There { room, line }: There<'_>) -> Result<(), Refusal> {
    require_builder(turn, actor.who, room)?;
    let (spec, rest) = from_web::web_command(turn, actor, line, FromWeb::Done)?;
    if !spec.builds || spec.needs() == Needs::Nothing {
        return Err(refuse!("at is for commands that build. Type {} without it.", spec.name));
    }
    turn.web_builder = Some(WebBuilder { who: actor.who, room, is_dry_run: false, heard: Vec::new() });
    let done = carry_out(turn, actor, spec, rest);
    for message in turn.web_builder.take().into_iter().flat_map(|web_builder| web_builder.heard) {
        actor.answer(turn, message)?;
    }
    done
}
