//! Player actions inside puzzles other than walking: pull, open, search, push, unlock, answer.

use crate::character::stats;
use crate::effect::Class;
use crate::exit::puzzle_exits;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, FloorId};
use deepwell_core::puzzle;
use deepwell_core::puzzle::{ActionRefusal, CellId, Deed, Event, Lock, Verb, VisibleMechanism};
use deepwell_core::text::act::Template;
use deepwell_core::world::PuzzleRun;

const PULLS: Template = Template::new("{actor} {pulls|pull} {object}.");

const OPENS: Template = Template::new("{actor} {opens|open} {object}.");

const SEARCHES: Template = Template::new("{actor} {searches|search} {object}.");

const PUSHES: Template = Template::new("{actor} {pushes|push} {object}.");

const UNLOCKS: Template = Template::new("{actor} {unlocks|unlock} {object}.");

const TURNS: Template = Template::new("{actor} {turns|turn} {object}.");

const PRESSES: Template = Template::new("{actor} {presses|press} {object}.");

const RINGS: Template = Template::new("{actor} {rings|ring} {object}.");

const USES: Template = Template::new("{actor} {uses|use} {object}.");

const PUTS: Template = Template::new("{actor} {puts|put} {object}.");

const ANSWERS: Template = Template::new("{actor} {gives|give} an answer.");

/// Deed of a character in a cell of a puzzle in play.
struct CellAction {
    floor: FloorId,
    cell: CellId,
    deed: Deed,
}

/// Performs a verb on an object of the puzzle. Returns `None` if the character is in no puzzle.
pub(crate) fn work(
    turn: &mut Turn,
    who: CharacterId,
    verb: Verb,
    phrase: &str,
) -> Option<Result<(), Refusal>> {
    let (floor, run, cell) = turn.world.puzzle_at(turn.world.characters[who].room)?;
    let found = meant(run, cell, verb, phrase).map(|sight| (sight.number, sight.thing.name.clone()));
    Some(match found {
        Ok((number, name)) => {
            let action = CellAction { floor, cell, deed: Deed::Work(number) };
            try_action(turn, who, &action, verb, &format!("the {name}"))
        }
        Err(hitch) => Err(Refusal::Said(hitch.sentence(&run.board).into())),
    })
}

/// Pushes a heavy object in a direction. Returns `None` if the character is in no puzzle.
pub(crate) fn push(
    turn: &mut Turn,
    who: CharacterId,
    what: &str,
    direction: Direction,
) -> Option<Result<(), Refusal>> {
    let (floor, run, cell) = turn.world.puzzle_at(turn.world.characters[who].room)?;
    let found = meant(run, cell, Verb::Push, what).map(|sight| (sight.number, sight.thing.name.clone()));
    Some(match found {
        Ok((weight, name)) => {
            let action = CellAction { floor, cell, deed: Deed::Push { weight, direction } };
            try_action(turn, who, &action, Verb::Push, &format!("the {name} {direction}"))
        }
        Err(hitch) => Err(Refusal::Said(hitch.sentence(&run.board).into())),
    })
}

/// Performs a custom interaction, as resolved by [`puzzle::find_device`].
pub(crate) fn handle(
    turn: &mut Turn,
    who: CharacterId,
    meant: Result<Deed, ActionRefusal>,
) -> Result<(), Refusal> {
    let room = turn.world.characters[who].room;
    let (floor, run, cell) = turn.world.puzzle_at(room).ok_or_else(not_in_puzzle)?;
    let deed = meant.map_err(|hitch| Refusal::Said(hitch.sentence(&run.board).into()))?;
    let Deed::Handle { number, verb, ref with } = deed else { return Err(Refusal::NoWay) };
    let thing = puzzle::mechanism_name(&run.board, cell, number);
    let what = match (verb, with.as_str()) {
        (_, "") => format!("the {thing}"),
        (Verb::Put, with) => format!("the {with} in the {thing}"),
        (Verb::Use, with) => format!("the {with} on the {thing}"),
        (_, with) => format!("the {thing} to {with}"),
    };
    try_action(turn, who, &CellAction { floor, cell, deed }, verb, &what)
}

/// Returns the first applicable hint not yet given, and marks it as given. If there is no other, repeats the last one.
pub(crate) fn ask_hint(turn: &mut Turn, who: CharacterId) -> Result<String, Refusal> {
    let room = turn.world.characters[who].room;
    let (floor, run, _) = turn.world.puzzle_at(room).ok_or_else(not_in_puzzle)?;
    let (number, text) = puzzle::next_hint(&run.board, &run.state)
        .ok_or_else(|| refuse!("Nothing in here has a hint for you just now."))?;
    let text = text.to_owned();
    if let Some(run) = turn.world.floors.edit_puzzle(floor) {
        run.state.hinted.set(number, true);
    }
    Ok(text)
}

/// Unlocks an adjacent gate: by direction, by name, or the only one. Returns `None` if the character is in no puzzle.
pub(crate) fn unlock(turn: &mut Turn, who: CharacterId, phrase: &str) -> Option<Result<(), Refusal>> {
    let (floor, run, cell) = turn.world.puzzle_at(turn.world.characters[who].room)?;
    let gates: Vec<(Direction, String)> = gates_of(run, cell);
    let typed = puzzle::plain_answer(phrase);
    let named = |name: &str| typed.is_empty() || typed.split(' ').all(|word| name.contains(word));
    let wanted = Direction::parse(phrase.trim());
    let gate = gates.iter().find(|(way, name)| wanted.map_or_else(|| named(name), |wanted| wanted == *way));
    Some(match gate {
        Some((way, name)) => {
            let action = CellAction { floor, cell, deed: Deed::Unlock(*way) };
            try_action(turn, who, &action, Verb::Open, &format!("the {name}"))
        }
        None => Err(refuse!("There is no lock like that here.")),
    })
}

/// Answers a riddle in the room. Returns `None` if the character is in no puzzle.
pub(crate) fn answer_puzzle(turn: &mut Turn, who: CharacterId, answer: &str) -> Option<Result<(), Refusal>> {
    let (floor, _, cell) = turn.world.puzzle_at(turn.world.characters[who].room)?;
    let action = CellAction { floor, cell, deed: Deed::Answer(answer.to_owned()) };
    Some(try_action(turn, who, &action, Verb::Answer, ""))
}

/// Lets riddles in the room react to spoken text. Only correct answers count; anything else is ignored.
pub(crate) fn answer_by_speech(turn: &mut Turn, who: CharacterId, speech: &str) {
    let Some((floor, run, cell)) = turn.world.puzzle_at(turn.world.characters[who].room) else { return };
    let deed = Deed::Answer(speech.to_owned());
    let answered = puzzle::act(&run.board, &mut run.state.clone(), cell, &deed).is_ok_and(|events| {
        events.iter().any(|event| matches!(event, Event::Worked { verb: Verb::Answer, .. }))
    });
    let may_act =
        turn.world.characters[who].target.is_none() && !stats::is_incapacitated(turn, who) && !turn.read_only;
    if answered && may_act {
        carry_out(turn, Some(who), &CellAction { floor, cell, deed }).unwrap_or_default();
    }
}

/// Announces and carries out an action; `what` names its object.
fn try_action(
    turn: &mut Turn,
    who: CharacterId,
    action: &CellAction,
    verb: Verb,
    what: &str,
) -> Result<(), Refusal> {
    let CellAction { floor, cell, ref deed } = *action;
    stats::require_peace(turn, who)?;
    // Check that the action is possible before announcing it.
    let run = puzzle_exits::run(turn, floor).ok_or(Refusal::NoWay)?;
    if let Err(hitch) = puzzle::act(&run.board, &mut run.state.clone(), cell, deed) {
        return Err(Refusal::Said(hitch.sentence(&run.board).into()));
    }
    let template = match (verb, deed) {
        (_, Deed::Unlock(_)) => &UNLOCKS,
        (Verb::Pull, _) => &PULLS,
        (Verb::Open | Verb::Beat, _) => &OPENS,
        (Verb::Search, _) => &SEARCHES,
        (Verb::Push, _) => &PUSHES,
        (Verb::Answer, _) => &ANSWERS,
        (Verb::Turn, _) => &TURNS,
        (Verb::Press, _) => &PRESSES,
        (Verb::Ring, _) => &RINGS,
        (Verb::Use, _) => &USES,
        (Verb::Put, _) => &PUTS,
    };
    tell::act(turn, Class::Notice, template, who, None, what);
    carry_out(turn, Some(who), action).map_err(|hitch| {
        let board = puzzle_exits::run(turn, floor).map(|run| run.board.clone()).unwrap_or_default();
        Refusal::Said(hitch.sentence(&board).into())
    })
}

fn carry_out(turn: &mut Turn, who: Option<CharacterId>, action: &CellAction) -> Result<(), ActionRefusal> {
    let mut done = Ok(());
    crate::room::puzzle::play(turn, action.floor, who, |run| {
        let PuzzleRun { board, state, .. } = run;
        puzzle::act(board, state, action.cell, &action.deed).unwrap_or_else(|hitch| {
            done = Err(hitch);
            Vec::new()
        })
    });
    done
}

/// Triggers a mechanism without a command, after its guard has died.
pub(crate) fn work_at(
    turn: &mut Turn,
    floor: FloorId,
    who: Option<CharacterId>,
    cell: CellId,
    number: usize,
) {
    // A mechanism already used stays unchanged.
    carry_out(turn, who, &CellAction { floor, cell, deed: Deed::Work(number) }).unwrap_or_default();
}

/// Finds the object named by the phrase; if that is empty, the only one that fits the verb.
fn meant<'a>(
    run: &'a PuzzleRun,
    cell: CellId,
    verb: Verb,
    phrase: &str,
) -> Result<VisibleMechanism<'a>, ActionRefusal> {
    if !phrase.trim().is_empty() {
        return puzzle::find(&run.board, &run.state, cell, verb, phrase);
    }
    let sights = puzzle::sights(&run.board, &run.state, cell);
    let mut fitting = sights.into_iter().filter(|sight| sight.verb == Some(verb) && !sight.done);
    match (fitting.next(), fitting.next()) {
        (Some(one), None) if verb != Verb::Search => Ok(one),
        _ => Err(ActionRefusal::Nothing),
    }
}

/// Returns the gates next to a cell, by direction, with their names in lower case.
pub(super) fn gates_of(run: &PuzzleRun, cell: CellId) -> Vec<(Direction, String)> {
    let exits = run.board.cell(cell).map(|cell| &cell.exits);
    let gate = |lock| match lock {
        Lock::Gate(gate) => run.board.gate(gate),
        Lock::Open | Lock::Closed => None,
    };
    let named = exits
        .into_iter()
        .flatten()
        .filter_map(|(way, passage)| gate(passage.lock).map(|gate| (*way, gate.name.to_lowercase())));
    named.collect()
}

/// Returns the refusal for a character that is in no puzzle.
pub(crate) fn not_in_puzzle() -> Refusal {
    refuse!("You are in no puzzle. Nothing has to be done but to go on.")
}
