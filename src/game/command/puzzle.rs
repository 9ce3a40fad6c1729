//! Words for puzzles: what there is to do, things to work, and what builders try out.

use super::Refusal;
use super::spec::{Actor, CommandSpec, Touches};
use crate::game::{Class, Game};
use crate::puzzle::Verb;
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "goal",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "goal",
        summary: "Tells what there is to do in the puzzle you are in, and how far it has come.",
        example: "goal: beat every enemy, then go to the finish. Left: four enemies.",
        run: goal,
    },
    CommandSpec {
        name: "search",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "search THING",
        summary: "Searches something in a puzzle that may hide something. Chests are opened with open CHEST.",
        example: "search moss: a key lies under it.",
        run: |game, actor, words| work(game, actor, Verb::Search, words),
    },
    CommandSpec {
        name: "push",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "push THING DIRECTION",
        summary: "Pushes something heavy in a puzzle into the next room.",
        example: "push block east: the block is in the room to the east.",
        run: push,
    },
    CommandSpec {
        name: "unlock",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "unlock [DIRECTION or DOOR]",
        summary: "Unlocks a door of a puzzle with a key that somebody inside has found.",
        example: "unlock north: the iron door is open.",
        run: unlock,
    },
    CommandSpec {
        name: "puzzle",
        aliases: &["puzzles"],
        role: Role::Builder,
        touches: Touches::World,
        syntax: "puzzle list | info NAME | test NAME [seed=N] [SETTING=VALUE] | solve | close",
        summary: "Lists the kinds of puzzles, shows what can be set, or builds one behind an exit in of this room to try it.",
        example: "puzzle test myhero seed=7 size_x=5 builds it; puzzle solve tells the solution, puzzle close removes it.",
        run: puzzle,
    },
];

fn nothing() -> Refusal {
    Refusal::Because("There is nothing like that here.".into())
}

fn goal(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let room = game.world.characters[actor.who].room;
    let page = game.goal_page(room);
    let page = page.ok_or_else(|| {
        Refusal::Because("You are in no puzzle. Nothing has to be done but to go on.".into())
    })?;
    game.tell(actor.who, Class::Reply, page);
    Ok(())
}

fn work(game: &mut Game, actor: Actor, verb: Verb, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("search and what you want to search"));
    }
    game.works(actor.who, verb, words).unwrap_or_else(|| Err(nothing()))
}

fn push(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("push, what, and a direction: push block east"));
    }
    game.pushes(actor.who, words).unwrap_or_else(|| Err(nothing()))
}

fn unlock(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    game.unlocks(actor.who, words).unwrap_or_else(|| Err(nothing()))
}

fn puzzle(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let (verb, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let rest = rest.trim();
    let page = match verb {
        "" | "list" => game.puzzle_list(),
        "info" => game.puzzle_info(rest)?,
        "test" => return game.puzzle_test(actor.who, rest),
        "solve" => game.puzzle_solve(actor.who)?,
        "close" => return game.puzzle_close(actor.who),
        _ => {
            return Err(Refusal::Missing(
                "puzzle list, puzzle info NAME, puzzle test NAME, puzzle solve, or puzzle close",
            ));
        }
    };
    game.tell(actor.who, Class::Reply, page);
    Ok(())
}
