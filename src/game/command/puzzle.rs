//! Words for puzzles: what there is to do, things to work, and what builders try out.

use crate::game::command::spec::{Actor, CommandSpec, Needs};
use crate::game::effect::Class;
use crate::game::puzzle::{deeds, sights, trial};
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::game::{body, tell};
use crate::puzzle::Verb;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "goal",
        needs: Needs::Nothing,
        syntax: "goal",
        summary: "Tells what there is to do in the puzzle you are in, and how far it has come.",
        example: "goal: beat every enemy, then go to the finish. Left: four enemies.",
        run: goal,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "search",
        syntax: "search THING",
        summary: "Searches something in a puzzle that may hide something. Chests are opened with open CHEST.",
        example: "search moss: a key lies under it.",
        run: |turn, actor, words| work(turn, actor, Verb::Search, words),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "push",
        syntax: "push THING DIRECTION",
        summary: "Pushes something heavy in a puzzle into the next room.",
        example: "push block east: the block is in the room to the east.",
        run: push,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "unlock",
        syntax: "unlock [DIRECTION or DOOR]",
        summary: "Unlocks a door of a puzzle with a key that somebody inside has found.",
        example: "unlock north: the iron door is open.",
        run: unlock,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "puzzle",
        aliases: &["puzzles"],
        syntax: "puzzle list | info NAME | test NAME [seed=N] [SETTING=VALUE] | solve | close",
        summary: "Lists the kinds of puzzles, shows what can be set, or builds one behind an exit in of this room to try it.",
        example: "puzzle test myhero seed=7 size_x=5 builds it; puzzle solve tells the solution, puzzle close removes it.",
        run: puzzle,
        ..CommandSpec::BUILDER
    },
];

fn nothing() -> Refusal {
    Refusal::Because("There is nothing like that here.".into())
}

fn goal(turn: &mut Turn, actor: Actor, _: &str) -> Result<(), Refusal> {
    let room = turn.world.characters[actor.who].room;
    let page = sights::goal_page(turn, room);
    let page = page.ok_or_else(|| {
        Refusal::Because("You are in no puzzle. Nothing has to be done but to go on.".into())
    })?;
    tell::tell(turn, actor.who, Class::Reply, page);
    Ok(())
}

fn work(turn: &mut Turn, actor: Actor, verb: Verb, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("search and what you want to search"));
    }
    deeds::work(turn, actor.who, verb, words).unwrap_or_else(|| Err(nothing()))
}

fn push(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("push, what, and a direction: push block east"));
    }
    deeds::push(turn, actor.who, words).unwrap_or_else(|| Err(nothing()))
}

fn unlock(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    deeds::unlock(turn, actor.who, words).unwrap_or_else(|| Err(nothing()))
}

fn puzzle(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let (verb, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let rest = rest.trim();
    let page = match verb {
        "" | "list" => trial::puzzle_list(turn),
        "info" => trial::puzzle_info(turn, rest)?,
        "test" => return trial::puzzle_test(turn, actor.who, rest),
        "solve" => trial::puzzle_solve(turn, actor.who)?,
        "close" => return trial::puzzle_close(turn, actor.who),
        _ => {
            return Err(Refusal::Missing(
                "puzzle list, puzzle info NAME, puzzle test NAME, puzzle solve, or puzzle close",
            ));
        }
    };
    tell::tell(turn, actor.who, Class::Reply, page);
    Ok(())
}
