//! Puzzle commands: the goal, actions on objects, and trials for builders.

use crate::command::parse::puzzle_argument::{Push, PuzzleOrder};
use crate::command::parse::{Actor, NameArgument, resolve};
use crate::command::spec::{CommandSpec, FromWeb, run, show};
use crate::creature::script::hooks;
use crate::exit::hidden;
use crate::item::lid;
use crate::refusal::Refusal;
use crate::room::features::buried;
use crate::room::puzzle::{deeds, trial, views};
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::puzzle::{ActionRefusal, Board, Verb};
use deepwell_core::text::Markup;
use deepwell_core::world::TriggerEvent;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "goal",
        summary: "Tells what there is to do in the puzzle you are in, and how far it has come.",
        example: "goal: beat every enemy, then go to the finish. Left: four enemies.",
        run: show!(goal),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "hint",
        summary: "Tells you the next hint that the puzzle you are in has for you. It costs nothing.",
        example: "hint: the rope on the bell is new.",
        run: run!(hint),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "turn",
        summary: "Turns something in a puzzle, to one of its settings if it has any.",
        example: "turn dial to moon: the dial clicks round to the moon.",
        missing: "turn and what you want to turn",
        yields_to_room: true,
        run: run!(handle_nothing),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "press",
        summary: "Presses something in a puzzle.",
        example: "press stud: the stud sinks into the wall.",
        missing: "press and what you want to press",
        yields_to_room: true,
        run: run!(handle_nothing),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "ring",
        summary: "Rings something in a puzzle.",
        example: "ring bell: the bell hums for a long time.",
        missing: "ring and what you want to ring",
        yields_to_room: true,
        run: run!(handle_nothing),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "search",
        summary: "Searches the room for hidden ways; or something in a puzzle that may hide something.",
        example: "search: you find a way behind the shelf. search moss: a key lies under it.",
        run: run!(search),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "push",
        summary: "Pushes something heavy in a puzzle into the next room.",
        example: "push block east: the block is in the room to the east.",
        missing: "push, what, and a direction: push block east",
        yields_to_room: true,
        run: run!(push),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "unlock",
        syntax: "unlock [DIRECTION, DOOR, CHEST or coffer]",
        summary: "Unlocks a door of a puzzle with a key that somebody inside has found, a chest with its key, or a coffer with an old key.",
        example: "unlock north: the iron door is open. unlock coffer: what was in it is yours to take.",
        yields_to_room: true,
        run: run!(unlock),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "puzzle",
        right: Some(Right::Puzzles),
        aliases: &["puzzles"],
        syntax: "puzzle list | info NAME | test NAME [seed=N] [SETTING=VALUE] | solve | close",
        summary: "Lists the kinds of puzzles, shows what can be set, or builds one behind an exit in of this room to try it.",
        example: "puzzle test myhero seed=7 size_x=5 builds it; puzzle solve tells the solution, puzzle close removes it.",
        missing: "puzzle list, puzzle info NAME, puzzle test NAME, puzzle solve, or puzzle close",
        from_web: FromWeb::Refused,
        run: run!(puzzle),
        ..CommandSpec::BUILDER
    },
];

fn nothing() -> Refusal {
    Refusal::NothingThere(ActionRefusal::Nothing.sentence(&Board::default()).into())
}

fn goal(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let room = turn.world.characters[actor.who].room;
    views::goal_page(turn, room).ok_or_else(deeds::not_in_puzzle)
}

fn hint(turn: &mut Turn, actor: Actor, (): ()) -> Result<String, Refusal> {
    let hint = deeds::ask_hint(turn, actor.who)?;
    Ok(hint)
}

/// Refuses the command. Objects that accept such a verb are in puzzles, which are tried before any command.
fn handle_nothing(_: &mut Turn, _: Actor, _: NameArgument<'_>) -> Result<(), Refusal> {
    Err(nothing())
}

fn search(turn: &mut Turn, actor: Actor, what: Option<NameArgument<'_>>) -> Result<(), Refusal> {
    if let Some(NameArgument(what)) = what {
        return deeds::work(turn, actor.who, Verb::Search, what).unwrap_or_else(|| Err(nothing()));
    }
    let found = hidden::search(turn, actor.who);
    let room = turn.world.characters[actor.who].room;
    let is_run = hooks::run_triggers(turn, room, Some(actor.who), "", |on| *on == TriggerEvent::Search);
    if is_run && found == Err(Refusal::NothingFound) { Ok(()) } else { found }
}

fn push(turn: &mut Turn, actor: Actor, Push { what, direction }: Push<'_>) -> Result<(), Refusal> {
    deeds::push(turn, actor.who, what, direction).unwrap_or_else(|| Err(nothing()))
}

fn unlock(turn: &mut Turn, actor: Actor, what: Option<NameArgument<'_>>) -> Result<(), Refusal> {
    let name = NameArgument::or_nothing(what);
    if let Some(unlocked) = deeds::unlock(turn, actor.who, name) {
        return unlocked;
    }
    match resolve::lidded_in_reach(turn, actor.who, name) {
        Some(chest) => lid::work(turn, actor.who, chest, false),
        None => buried::unlock(turn, actor.who),
    }
}

fn puzzle(turn: &mut Turn, actor: Actor, order: PuzzleOrder<'_>) -> Result<(), Refusal> {
    let page = match order {
        PuzzleOrder::List => trial::puzzle_list(turn),
        PuzzleOrder::Info(name) => trial::puzzle_info(turn, name)?,
        PuzzleOrder::Test(trial) => return trial::puzzle_test(turn, actor.who, trial),
        PuzzleOrder::Solve => trial::puzzle_solve(turn, actor.who)?,
        PuzzleOrder::Close => return trial::puzzle_close(turn, actor.who),
    };
    actor.answer(turn, page)
}
