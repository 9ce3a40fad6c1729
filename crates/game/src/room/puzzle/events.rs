//! Applies the events of the puzzle engine to rooms and exits, and announces them to players.

use crate::branch::gate;
use crate::effect::Class;
use crate::exit::{clearing, puzzle_exits};
use crate::message::{naming, notices, tell};
use crate::movement;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, FloorId, RoomId};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::puzzle::{CellId, Event, Loss};
use deepwell_core::text::{Markup, Style, grammar};

/// Applies the events of a step in order. `who` is the character that caused them.
pub(crate) fn apply_events(turn: &mut Turn, floor: FloorId, who: Option<CharacterId>, events: Vec<Event>) {
    // A player who meets the goal by entering the finish need not be told to go there.
    let finished = events.contains(&Event::Finished);
    for event in events.into_iter().filter(|event| !finished || *event != Event::GoalMet) {
        apply_event(turn, floor, who, event);
    }
    sync_exits(turn, floor);
}

fn apply_event(turn: &mut Turn, floor: FloorId, who: Option<CharacterId>, event: Event) {
    let here = who.map(|who| turn.world.characters[who].room);
    match event {
        Event::Beaten { name, power, might } => tell_beaten(turn, floor, here, &name, power, might),
        Event::Changed { words, might, .. } => {
            let near = format!("A glyph flares up underfoot and {words}. Your might is {might} now.");
            let far = format!("Somewhere a glyph flares up and {words}. Your might is {might} now.");
            tell_near_and_far(turn, floor, here, &near, &far);
        }
        Event::Lost { why } => lose_puzzle(turn, floor, here, &why),
        Event::Ported { to } => teleport(turn, floor, who, to),
        Event::Worked { message, .. } => tell_here(turn, here, &message),
        Event::Found { key } => {
            let key = puzzle_exits::run(turn, floor)
                .and_then(|run| run.board.keys.get(usize::from(key.0)).cloned());
            let key = key.unwrap_or_else(|| "key".into());
            let message = format!("The {key} is yours now: everybody in here may use it.");
            tell_inside(turn, floor, None, &Markup::styled(Style::Boon, &message));
        }
        Event::WrongAnswer { left } => tell_wrong_answer(turn, here, left),
        Event::Slipped { left } => {
            let more = grammar::counted(left, "more mistake");
            let message = format!("That was a mistake. {}, and all is lost.", grammar::capitalise(&more));
            tell_here(turn, here, &message);
        }
        Event::Restarted => {
            tell_inside(turn, floor, None, &Markup::plain("Everything in here is as it was at first."));
        }
        Event::Sounded { sound } => {
            for who in here.map_or_else(Vec::new, |here| turn.world.occupants(here).to_vec()) {
                turn.emit_event(GameEvent::PlaceSounded { who, sound: &sound });
            }
        }
        Event::Pushed { name, direction, to } => {
            let message = format!("The {name} grinds in from the {}.", direction.opposite());
            tell_cell(turn, floor, to, &message);
        }
        Event::Pressed { at, message } => tell_cell(turn, floor, at, &message),
        Event::Released { at, name } => tell_cell(turn, floor, at, &format!("The {name} comes up again.")),
        Event::Opened { gate } => {
            let message = puzzle_exits::run(turn, floor)
                .and_then(|run| run.board.gate(gate))
                .map(|gate| gate.told.clone());
            let message = message.unwrap_or_else(|| "Something opens.".into());
            tell_inside(turn, floor, None, &Markup::plain(&message));
        }
        Event::Shut { gate } => {
            let name = puzzle_exits::run(turn, floor)
                .and_then(|run| run.board.gate(gate))
                .map(|gate| gate.name.clone());
            let name = name.unwrap_or_else(|| "gate".into());
            tell_inside(turn, floor, None, &Markup::plain(&format!("The {name} falls shut.")));
        }
        Event::GoalMet => meet_goal(turn, floor),
        Event::Finished => finish_puzzle(turn, floor, who),
    }
}

fn tell_here(turn: &mut Turn, here: Option<RoomId>, message: &str) {
    if let Some(here) = here {
        tell::tell_room(turn, here, &[], Class::Notice, Markup::plain(message));
    }
}

fn tell_near_and_far(turn: &mut Turn, floor: FloorId, here: Option<RoomId>, near: &str, far: &str) {
    tell_here(turn, here, near);
    tell_inside(turn, floor, here, &Markup::plain(far));
}

fn tell_cell(turn: &mut Turn, floor: FloorId, cell: CellId, message: &str) {
    let room = puzzle_exits::run(turn, floor).and_then(|run| run.room_of(cell));
    tell_here(turn, room, message);
}

fn tell_beaten(turn: &mut Turn, floor: FloorId, here: Option<RoomId>, name: &str, power: i64, might: i64) {
    let before = might.saturating_sub(power);
    let near = format!(
        "The {name}, power {power}, comes at you and breaks on your might of {before}. Its power is yours: your \
         might is {might} now."
    );
    let far = format!("Somewhere a {name} breaks. Your might is {might} now.");
    tell_near_and_far(turn, floor, here, &near, &far);
}

fn tell_wrong_answer(turn: &mut Turn, here: Option<RoomId>, left: Option<u32>) {
    let message = match left {
        Some(left) => {
            let more = grammar::counted(left, "more wrong answer");
            format!(
                "That is not the answer. {} will be heard, and then all is lost.",
                grammar::capitalise(&more)
            )
        }
        None => "That is not the answer.".to_owned(),
    };
    tell_here(turn, here, &message);
}

/// Moves a character through a portal and notifies both rooms.
fn teleport(turn: &mut Turn, floor: FloorId, who: Option<CharacterId>, to: CellId) {
    let Some(who) = who else { return };
    let Some(to) = puzzle_exits::run(turn, floor).and_then(|run| run.room_of(to)) else { return };
    let from = turn.world.characters[who].room;
    let gone = naming::name_of(turn, who).and(" takes one more step and is not there any more.");
    tell::tell_room(turn, from, &[who], Class::Movement, gone);
    tell::tell(
        turn,
        who,
        Class::Movement,
        "The room folds up like a sheet, and you stand where the row began.",
    );
    shift(turn, who, to);
    let come = naming::name_of(turn, who).and(" steps out of a fold in the air.");
    tell::tell_room(turn, to, &[who], Class::Movement, come);
    turn.emit_event(GameEvent::SawRoom { who });
}

/// Handles a loss: all players inside, awake or not, return to the entrance and the puzzle is reset.
fn lose_puzzle(turn: &mut Turn, floor: FloorId, here: Option<RoomId>, why: &Loss) {
    let message = match why {
        Loss::Overpowered { name, power, might } => {
            format!("The {name}, power {power}, comes at you. A might of {might} is not enough.")
        }
        Loss::NoMight { might } => format!("Nothing is left of your might: it is {might}."),
        Loss::TooManyGuesses => "That was one wrong answer too many.".into(),
        Loss::TooManyMistakes => "That was one mistake too many.".into(),
    };
    let far = "Somewhere in here, somebody has lost.";
    if let Some(here) = here {
        tell::tell_room(turn, here, &[], Class::Notice, Markup::styled(Style::Harm, &message));
    }
    tell_inside(turn, floor, here, &Markup::styled(Style::Harm, far));
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let branch = turn.world.floors[floor].branch;
    let Some(entrance) = run.room_of(run.board.entrance) else { return };
    let index = turn.world.branches.index_of(branch);
    let inside = |id: &CharacterId| run.cell_of(turn.world.characters[*id].room).is_some();
    let players = index.into_iter().flat_map(|index| index.members.iter().copied());
    let helpers = index.into_iter().flat_map(|index| index.creatures.iter().copied());
    let helpers = helpers.filter(|creature| turn.world.characters[*creature].master.is_some());
    let thrown: Vec<CharacterId> = players.chain(helpers).filter(inside).collect();
    for who in &thrown {
        shift(turn, *who, entrance);
        notices::keep_if_away(
            turn,
            *who,
            "A puzzle was lost while you slept in it, and you are at its entrance.",
        );
    }
    let lost = Markup::styled(
        Style::Harm,
        "Everything turns over. When you can see again you stand at the entrance, unhurt, and all is as it was at \
         first. Whatever waits at the end has become a little less.",
    );
    tell_inside(turn, floor, None, &lost);
    gate::reset_guards(turn, floor);
    for who in turn.world.players_in_puzzle(floor) {
        turn.emit_event(GameEvent::SawRoom { who });
    }
}

/// Handles the completed goal. If the puzzle has a finish, it must still be entered.
fn meet_goal(turn: &mut Turn, floor: FloorId) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    if run.has_finish() {
        let message = "That was all there was to do. What remains is to go to the finish.";
        tell_inside(turn, floor, None, &Markup::styled(Style::Boon, message));
    } else {
        finish_puzzle(turn, floor, None);
    }
}

/// Completes the puzzle: clears the room outside and releases its reward for the current tier. The walker is the player who
/// has done so by a step.
fn finish_puzzle(turn: &mut Turn, floor: FloorId, walker: Option<CharacterId>) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let (gate, test, kind) = (run.gate, run.test, run.board.kind.clone());
    if let Some(beyond) = run.beyond {
        return lead_beyond(turn, floor, beyond, walker);
    }
    let barred = turn.world.rooms[gate].challenge.puzzle().is_some();
    let message = match (test, barred) {
        (true, _) => "The puzzle is solved. It was only a trial: nothing waits outside.".to_owned(),
        (false, true) => format!(
            "The puzzle is solved. Far behind you a bolt slides back: the way on from {} is free, and something \
             clatters to the floor there.",
            turn.world.rooms[gate].sheet.name
        ),
        (false, false) => "The puzzle is solved, once more; it has nothing left to give.".to_owned(),
    };
    tell_inside(turn, floor, None, &Markup::styled(Style::Boon, &message));
    if test || !barred {
        return;
    }
    for who in turn.world.players_in_puzzle(floor) {
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::RoomCleared });
        turn.emit_event(GameEvent::Solved { who, kind: &kind });
    }
    tell::tell_room(turn, gate, &[], Class::Notice, "Behind the gate a bolt slides back.");
    gate::lay_reward(turn, floor, gate);
    turn.world.rooms.change(gate, |row| row.challenge.feature = None);
    clearing::check_clear(turn, gate);
}

/// Leads all players in a solved puzzle behind a hand-built exit to the room beyond, or out if that is gone.
fn lead_beyond(turn: &mut Turn, floor: FloorId, beyond: RoomId, walker: Option<CharacterId>) {
    let message = "The puzzle is solved. A wall swings open, and you step through.";
    tell_inside(turn, floor, None, &Markup::styled(Style::Boon, message));
    let is_there = turn.world.rooms.get(beyond).is_some_and(|room| room.branch.is_none());
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let (to, kind) = (if is_there { beyond } else { run.gate }, run.board.kind.clone());
    let players = turn.world.players_in_puzzle(floor);
    for who in &players {
        turn.emit_event(GameEvent::Solved { who: *who, kind: &kind });
    }
    for who in players.iter().copied() {
        movement::relocate(turn, who, to);
        let arrival = naming::name_of(turn, who).and(" steps out of the wall.");
        tell::tell_room(turn, to, &players, Class::Movement, arrival);
    }
    for who in players {
        turn.emit_event(GameEvent::SawRoom { who });
        // The end of a step reports the arrival of its walker.
        if walker != Some(who) {
            turn.emit_event(GameEvent::Arrived { who, room: to });
        }
    }
}

/// Updates exits to the state of the puzzle's gates and notifies clients in the adjacent rooms.
fn sync_exits(turn: &mut Turn, floor: FloorId) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let mut changed = Vec::new();
    for (cell, room) in (0..).map(CellId).zip(&run.rooms) {
        for exit in turn.world.exits.of(*room) {
            let state = exit.direction.and_then(|direction| run.exit_state(cell, direction));
            if let Some(state) = state.filter(|state| *state != exit.state) {
                changed.push((*room, exit.id, state));
            }
        }
    }
    for (_, exit, state) in &changed {
        turn.world.exits.change(*exit, |row| row.state = *state);
    }
    let mut rooms: Vec<RoomId> = changed.into_iter().map(|(room, ..)| room).collect();
    rooms.dedup();
    for room in rooms {
        turn.emit_event(GameEvent::RoomChanged { room });
    }
}

/// Notifies all players in a puzzle except those in the given room.
fn tell_inside(turn: &mut Turn, floor: FloorId, but: Option<RoomId>, message: &Markup) {
    for who in turn.world.players_in_puzzle(floor) {
        if Some(turn.world.characters[who].room) != but {
            tell::tell(turn, who, Class::Notice, message.clone());
        }
    }
}

/// Moves a character between two rooms of a puzzle without walking. The engine has already counted it there.
pub(crate) fn shift(turn: &mut Turn, who: CharacterId, to: RoomId) {
    let from = turn.world.characters[who].room;
    movement::lift(turn, who, from, to);
    if turn.world.characters[who].is_player() {
        turn.emit_event(GameEvent::MemberChanged { who });
    }
    turn.emit_event(GameEvent::Left { who, from });
}
