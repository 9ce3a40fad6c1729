//! Visible state of puzzles: room contents, views along corridors, the task and its progress.

use crate::branch::gate;
use crate::effect::Class;
use crate::effect::data::{BoardRoom, BoardThing};
use crate::exit::puzzle_exits;
use crate::exit::puzzle_exits::{hitch_words, mechanisms};
use crate::message::tell;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, FloorId, Point, RoomId};
use deepwell_core::puzzle;
use deepwell_core::puzzle::{CellId, CellKind, Goal, Mechanism, Verb};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, PuzzleRun};

/// Maximum number of rooms visible along a corridor.
const ALONG: usize = 16;

/// Returns the lines about a puzzle in a room's text, before its gate or inside.
pub(crate) fn puzzle_lines(turn: &Turn, room: RoomId) -> Vec<String> {
    if let Some((_, run, cell)) = turn.world.puzzle_at(room) {
        return contents(run, cell);
    }
    let gate = turn.world.exits.of(room).find(|exit| exit.is_gate());
    gate.map(|gate| {
        if gate.to.is_none() && turn.world.rooms[room].challenge.puzzle().is_none() {
            "A gate of black iron hangs crooked in the wall, and behind it lies nothing but rubble.".into()
        } else if turn.world.rooms[room].challenge.puzzle().is_some() {
            "A gate of black iron stands ajar in the wall: in leads to a puzzle, and nothing else here frees the way.".into()
        } else {
            "A gate of black iron stands open in the wall: in leads to a puzzle.".into()
        }
    })
    .into_iter()
    .collect()
}

/// Describes a puzzle gate, or a closed exit inside a puzzle; `None` for other exits.
pub(crate) fn puzzle_exit_words(turn: &Turn, exit: &Exit) -> Option<String> {
    if exit.is_gate() {
        let name = exit.to.map(|to| format!(": {}", turn.world.rooms[to].sheet.name)).unwrap_or_default();
        return Some(match exit.direction {
            Some(Direction::In) if exit.to.is_none() => {
                "a gate to a puzzle, where none of you has been".into()
            }
            Some(Direction::In) => format!("a gate to a puzzle{name}"),
            _ => format!("the gate you came by{name}"),
        });
    }
    let (_, run, cell) = turn.world.puzzle_at(exit.room)?;
    let direction = exit.direction?;
    let hitch = puzzle::passable(&run.board, &run.state, cell, direction).err()?;
    Some(format!("shut. {}", hitch_words(run, cell, direction, &hitch)))
}

/// Describes the contents of the rooms visible through an exit inside a puzzle, in order.
pub(crate) fn view_along(turn: &Turn, exit: &Exit) -> Option<String> {
    let (_, run, cell) = turn.world.puzzle_at(exit.room)?;
    let direction = exit.direction.filter(|_| !exit.is_gate())?;
    let mut seen = Vec::new();
    let mut at = cell;
    while let Ok(next) = puzzle::passable(&run.board, &run.state, at, direction) {
        at = next;
        seen.push(brief(run, at));
        if seen.len() >= ALONG {
            break;
        }
    }
    let first = seen.first()?;
    let far =
        seen.get(1..).filter(|far| !far.is_empty()).map(|far| format!(", then {}", far.join(", then ")));
    Some(format!("Along the way you see {first}{}.", far.unwrap_or_default()))
}

/// Describes a puzzle object on a closer look.
pub(crate) fn puzzle_detail(turn: &Turn, room: RoomId, phrase: &str) -> Option<String> {
    let (_, run, cell) = turn.world.puzzle_at(room)?;
    let typed = puzzle::plain_answer(phrase);
    let means = |name: &str| {
        let name = name.to_lowercase();
        !typed.is_empty() && typed.split(' ').all(|word| name.split(' ').any(|own| own.starts_with(word)))
    };
    let sights = puzzle::sights(&run.board, &run.state, cell);
    let thing = sights.iter().find(|sight| means(&sight.thing.name)).map(|sight| {
        let done = if sight.done { " It has done what it could do." } else { "" };
        let uses = puzzle::uses_of(&run.board, cell, sight.number);
        let uses = if uses.is_empty() || sight.verb == Some(Verb::Push) {
            String::new()
        } else {
            format!(" What one can do to it: {}.", uses.join(", "))
        };
        format!("{}{done}{uses}", sight.seen)
    });
    let enemy =
        || contents(run, cell).into_iter().find(|line| line.to_lowercase().split(' ').any(|w| w == typed));
    thing.or_else(enemy)
}

/// Lists the rooms with contents in the puzzle around a room, in cell order; empty outside puzzles.
pub(crate) fn board(turn: &Turn, room: RoomId) -> Vec<BoardRoom> {
    let Some((_, run, _)) = turn.world.puzzle_at(room) else { return Vec::new() };
    let rooms = (0..).map(CellId).zip(&run.rooms);
    let shown = rooms.map(|(cell, room)| BoardRoom { num: room.0, contents: things_in(run, cell) });
    shown.filter(|room| !room.contents.is_empty()).collect()
}

/// Describes the contents of a puzzle room for text maps; `None` outside puzzles.
pub(crate) fn puzzle_brief(turn: &Turn, room: RoomId) -> Option<String> {
    let (_, run, cell) = turn.world.puzzle_at(room)?;
    Some(brief(run, cell))
}

/// Describes the position of a puzzle room relative to the entrance; `None` outside puzzles.
pub(crate) fn puzzle_bearing(
    turn: &Turn,
    room: RoomId,
    bearing: fn(Point, Point) -> String,
) -> Option<String> {
    let (_, run, cell) = turn.world.puzzle_at(room)?;
    if cell == run.board.entrance {
        return Some("at the entrance of a puzzle".into());
    }
    let (from, to) = (run.board.cell(run.board.entrance)?.at, run.board.cell(cell)?.at);
    Some(format!("{} of the entrance of a puzzle", bearing(from, to)))
}

/// Sends the task to a player entering from outside.
pub(crate) fn tell_task(turn: &mut Turn, who: CharacterId, floor: FloorId) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let mut message = Markup::styled(Style::Heading, &run.board.task).with(Style::Plain, ".");
    if run.board.task.ends_with(['.', '!', '?']) {
        message = Markup::styled(Style::Heading, &run.board.task);
    }
    let rest = match run.state.might {
        Some(might) => {
            format!(" Might counts here, not strength: you all share {might}. For what is left to do, type ")
        }
        None => " For what is left to do, type ".to_owned(),
    };
    let gate = run.gate;
    tell::tell(turn, who, Class::Notice, message.and(&rest).with(Style::Command, "goal").and("."));
    if let Some(sound) = gate::sound_behind(turn, gate) {
        turn.emit_event(GameEvent::PlaceSounded { who, sound: &sound });
    }
}

/// Describes the task and progress of the puzzle that a room belongs to.
pub(crate) fn goal_page(turn: &Turn, room: RoomId) -> Option<Markup> {
    let (_, run, _) = turn.world.puzzle_at(room)?;
    let mut page = Markup::styled(Style::Heading, &run.board.task);
    for line in goal_lines(run) {
        page.line(Style::Plain, &line);
    }
    Some(page)
}

/// Describes the progress of a puzzle, one sentence per line.
fn goal_lines(run: &PuzzleRun) -> Vec<String> {
    let mut lines = Vec::new();
    let then = if run.has_finish() { ", then go to the finish" } else { "" };
    lines.push(match run.board.goal {
        Goal::KillAll => {
            let left = match run.enemies_left() {
                0 => "no enemies".to_owned(),
                left => grammar::counted(left, "enemy"),
            };
            format!("To do: beat every enemy{then}. Left: {left}.")
        }
        Goal::Solve if run.state.won => format!("To do: work the mechanism{then}. It has been worked."),
        Goal::Solve => format!("To do: work the mechanism{then}."),
        Goal::ReachFinish => "To do: find the way to the finish.".into(),
    });
    if let Some(might) = run.state.might {
        lines.push(format!("Might of all in here: {might}."));
    }
    let keys = run.state.keys.iter().filter_map(|key| run.board.keys.get(key as usize));
    let keys = grammar::list(keys.map(|key| format!("the {key}")));
    if !keys.is_empty() {
        lines.push(format!("At hand: {keys}."));
    }
    if let Some(tries) = run.board.tries {
        let left = grammar::counted(tries.saturating_sub(run.state.guesses), "mistake");
        lines.push(format!("{} more, and all is lost.", grammar::capitalise(&left)));
    }
    if !run.board.hints.is_empty() && !run.state.finished {
        lines.push("If you are stuck, type hint.".into());
    }
    match run.state.losses {
        0 => {}
        1 => lines.push("It was lost once, which has made the reward less.".into()),
        losses => {
            let times = grammar::times(losses);
            lines.push(format!("It was lost {times}, and each time has made the reward less."));
        }
    }
    if run.state.finished {
        lines.push("It is solved.".into());
    }
    lines
}

/// Describes the frieze at the start of a row: the enemies remaining in the row, so that players can plan their order.
/// `None` in other cells.
fn frieze(run: &PuzzleRun, cell: CellId) -> Option<String> {
    let start = run.board.cell(cell).filter(|start| start.kind == CellKind::Gallery)?;
    let along =
        std::iter::successors(Some(start.at.step(Direction::East)), |at| Some(at.step(Direction::East)));
    let row: Vec<CellId> = along
        .map_while(|at| run.board.at(at))
        .take_while(|id| run.board.cell(*id).is_some_and(|cell| cell.kind == CellKind::Slot))
        .collect();
    let mut lines = Vec::new();
    for slot in &row {
        let left =
            mechanisms(run, *slot).iter().enumerate().filter(|(number, _)| !run.is_spent(*slot, *number));
        lines.extend(left.filter_map(|(_, mechanism)| match mechanism {
            Mechanism::Enemy { power, name } => Some(format!("a {name} of power {power}")),
            Mechanism::PowerUp { words, .. } => Some(format!("a glyph that {words}")),
            _ => None,
        }));
    }
    match (row.is_empty(), lines.is_empty()) {
        (true, _) => None,
        (false, true) => Some("The frieze beside the arch is blank: nothing waits beyond.".into()),
        (false, false) => {
            Some(format!("A frieze shows what waits beyond, in this order: {}.", lines.join(", then ")))
        }
    }
}

/// Describes the contents of a cell, one sentence each.
fn contents(run: &PuzzleRun, cell: CellId) -> Vec<String> {
    let mut lines = Vec::from_iter(frieze(run, cell));
    for (number, mechanism) in mechanisms(run, cell).iter().enumerate() {
        if run.is_spent(cell, number) {
            continue;
        }
        match mechanism {
            Mechanism::Enemy { power, name } => {
                lines.push(format!("{} waits here, its power {power}.", a(name)));
            }
            Mechanism::PowerUp { words, .. } => {
                lines.push(format!("A glyph glows in the floor: it {words}."));
            }
            Mechanism::Portal { .. } => lines.push("The far wall ripples like a curtain: a portal.".into()),
            Mechanism::Finish => lines.push("This is the finish.".into()),
            Mechanism::Riddle { thing, asks, .. } => lines.push(format!("{} '{asks}'", thing.seen)),
            _ => {}
        }
    }
    let sights = puzzle::sights(&run.board, &run.state, cell);
    let shown = sights.iter().filter(|sight| {
        // Guards are shown as creatures, and riddles together with their question.
        !sight.done && !matches!(sight.verb, Some(Verb::Beat | Verb::Answer))
    });
    lines.extend(shown.map(|sight| sight.seen.to_owned()));
    lines
}

/// Describes the contents of a cell as seen from another room.
fn brief(run: &PuzzleRun, cell: CellId) -> String {
    grammar::list_or("an empty room", things_in(run, cell).into_iter().map(|thing| thing.name))
}

/// Returns the objects in a cell that are visible from another room and still in use.
fn things_in(run: &PuzzleRun, cell: CellId) -> Vec<BoardThing> {
    let unspent = mechanisms(run, cell).iter().enumerate().filter(|(number, _)| !run.is_spent(cell, *number));
    let thing = |kind, name| BoardThing { kind, name, power: None };
    let seen = unspent.filter_map(|(_, mechanism)| match mechanism {
        Mechanism::Enemy { power, name } => {
            let name = format!("{} of power {power}", grammar::with_article(name, None));
            Some(BoardThing { power: Some(*power), ..thing("enemy", name) })
        }
        Mechanism::PowerUp { words, .. } => Some(thing("glyph", format!("a glyph that {words}"))),
        Mechanism::Portal { .. } => Some(thing("portal", "a portal".into())),
        Mechanism::Finish => Some(thing("finish", "the finish".into())),
        other => {
            // Objects that must be searched for are not visible from another room.
            let seen = other.thing().filter(|_| other.verb() != Some(Verb::Search));
            seen.map(|seen| thing("thing", grammar::with_article(&seen.name, None)))
        }
    });
    seen.collect()
}

/// Formats a name with a capitalised article: "A stone warrior".
fn a(name: &str) -> String {
    grammar::capitalise(&grammar::with_article(name, None)).into_owned()
}
