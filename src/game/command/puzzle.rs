//! Words for puzzles: what there is to do, things to work, and what builders try out.

use crate::game::command::argument::{Argument, Name, Slot};
use crate::game::command::spec::{Actor, CommandSpec, Needs, run};
use crate::game::command::words::Words;
use crate::game::effect::Class;
use crate::game::puzzle::{deeds, sights, trial};
use crate::game::refusal::{PuzzleRefusal, Refusal};
use crate::game::tell;
use crate::game::turn::Turn;
use crate::puzzle::{Hitch, Verb};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "goal",
        needs: Needs::Nothing,
        summary: "Tells what there is to do in the puzzle you are in, and how far it has come.",
        example: "goal: beat every enemy, then go to the finish. Left: four enemies.",
        run: run!(goal),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "search",
        summary: "Searches something in a puzzle that may hide something. Chests are opened with open CHEST.",
        example: "search moss: a key lies under it.",
        missing: "search and what you want to search",
        run: run!(search),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "push",
        syntax: "push THING DIRECTION",
        summary: "Pushes something heavy in a puzzle into the next room.",
        example: "push block east: the block is in the room to the east.",
        missing: "push, what, and a direction: push block east",
        run: run!(push),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "unlock",
        syntax: "unlock [DIRECTION or DOOR]",
        summary: "Unlocks a door of a puzzle with a key that somebody inside has found.",
        example: "unlock north: the iron door is open.",
        run: run!(unlock),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "puzzle",
        aliases: &["puzzles"],
        syntax: "puzzle list | info NAME | test NAME [seed=N] [SETTING=VALUE] | solve | close",
        summary: "Lists the kinds of puzzles, shows what can be set, or builds one behind an exit in of this room to try it.",
        example: "puzzle test myhero seed=7 size_x=5 builds it; puzzle solve tells the solution, puzzle close removes it.",
        missing: "puzzle list, puzzle info NAME, puzzle test NAME, puzzle solve, or puzzle close",
        run: run!(puzzle),
        ..CommandSpec::BUILDER
    },
];

fn nothing() -> Refusal {
    PuzzleRefusal::Hitch { hitch: Hitch::Nothing, thing: None }.into()
}

fn goal(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let room = turn.world.characters[actor.who].room;
    let page = sights::goal_page(turn, room);
    let page = page.ok_or(PuzzleRefusal::NotInPuzzle)?;
    tell::tell(turn, actor.who, Class::Reply, page);
    Ok(())
}

fn search(turn: &mut Turn, actor: Actor, Name(what): Name<'_>) -> Result<(), Refusal> {
    deeds::work(turn, actor.who, Verb::Search, what).unwrap_or_else(|| Err(nothing()))
}

fn push(turn: &mut Turn, actor: Actor, Name(what): Name<'_>) -> Result<(), Refusal> {
    deeds::push(turn, actor.who, what).unwrap_or_else(|| Err(nothing()))
}

fn unlock(turn: &mut Turn, actor: Actor, what: Option<Name<'_>>) -> Result<(), Refusal> {
    deeds::unlock(turn, actor.who, Name::or_nothing(what)).unwrap_or_else(|| Err(nothing()))
}

/// What a builder does with puzzles.
#[derive(Clone, Copy)]
enum Trial<'a> {
    List,
    Info(&'a str),
    /// The name of a puzzle, with its settings.
    Test(&'a str),
    Solve,
    Close,
}

impl<'a> Argument<'a> for Trial<'a> {
    const SLOT: Slot = Slot::Several;

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.first_word();
        match verb.text() {
            "" | "list" => Ok(Self::List),
            "info" => Ok(Self::Info(rest.text())),
            "test" => Ok(Self::Test(rest.text())),
            "solve" => Ok(Self::Solve),
            "close" => Ok(Self::Close),
            _ => Err(words.missing()),
        }
    }
}

fn puzzle(turn: &mut Turn, actor: Actor, trial: Trial<'_>) -> Result<(), Refusal> {
    let page = match trial {
        Trial::List => trial::puzzle_list(turn),
        Trial::Info(name) => trial::puzzle_info(turn, name)?,
        Trial::Test(words) => return trial::puzzle_test(turn, actor.who, words),
        Trial::Solve => trial::puzzle_solve(turn, actor.who)?,
        Trial::Close => return trial::puzzle_close(turn, actor.who),
    };
    tell::tell(turn, actor.who, Class::Reply, page);
    Ok(())
}
