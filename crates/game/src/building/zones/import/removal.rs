//! Removal of the rooms that are missing from zone files: in one step, or spread over steps. Then all rooms are first
//! emptied and closed, so that nothing comes to be at home there; after that homes are replaced, and the rooms removed.

use crate::attack;
use crate::branch::asleep;
use crate::building::built_rooms::{self, town};
use crate::building::zones::draft::moving;
use crate::refusal::Refusal;
use crate::state::event::GameEvent;
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, Rare, RoomId};
use deepwell_core::world::{Character, RoomKind};
use std::collections::BTreeSet;
use std::ops::Bound;

/// An import waits for the rows of players who are asleep in rooms to be removed, or at home there.
pub(in crate::building::zones) struct WaitForRows;

/// Number of times that an import waits. Then the rooms of players whose rows cannot be read stay.
const WAITS_MAX: u32 = 1_000;

/// Removes all rooms in one step.
pub(super) fn remove_at_once(turn: &mut Turn, run: &mut ImportRun) {
    let gone = std::mem::take(&mut run.gone);
    // Sleeping players, too, wake in the published version of their room.
    let is_inside = |body: &Character| run.is_leaving && body.is_player() && gone.contains(&body.room);
    let inside = turn.world.characters.iter().filter(|(_, body)| is_inside(body));
    let players: Vec<CharacterId> = inside.map(|(id, _)| id).collect();
    if let Some((_, draft)) = &run.draft {
        for who in &players {
            moving::send_out(turn, *who, draft);
        }
    }
    built_rooms::remove_built_rooms(turn, &gone);
    for who in players {
        turn.emit_event(GameEvent::SawRoom { who });
    }
    run.begin(ImportStage::Origins);
}

/// Empties the next room and removes its exits, scripts and spawn rules.
pub(super) fn close_next(turn: &mut Turn, run: &mut ImportRun) -> Result<(), WaitForRows> {
    if run.room.is_none() {
        require_awake(turn, run)?;
    }
    let Some(id) = next(run) else {
        run.advance();
        return Ok(());
    };
    if turn.world.rooms[id].sheet.kind == RoomKind::Start {
        built_rooms::collapse_branches_of(turn, &BTreeSet::from([id]));
    }
    turn.world.rooms.change(id, |row| {
        (row.spawns, row.triggers, row.waits) = (Rare::usual(), Rare::usual(), Rare::usual());
    });
    let exits: Vec<ExitId> = turn.world.exits.of(id).map(|exit| exit.id).collect();
    for exit in exits {
        built_rooms::remove_built_exit(turn, exit);
    }
    empty(turn, run, id);
    Ok(())
}

/// Returns the room after the one that was visited last.
fn next(run: &mut ImportRun) -> Option<RoomId> {
    let after = (run.room.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    run.room = run.gone.range::<RoomId, _>(after).next().copied();
    run.room
}

/// Removes the creatures of a room that are at home in it or in another one to be removed, and moves all others out.
fn empty(turn: &mut Turn, run: &ImportRun, id: RoomId) {
    let town = town(turn);
    let inside: Vec<CharacterId> = turn.world.occupants(id).to_vec();
    for who in inside {
        let leaves_draft = run.is_leaving && turn.world.characters[who].is_player();
        if let Some((_, draft)) = run.draft.as_ref().filter(|_| leaves_draft) {
            moving::send_out(turn, who, draft);
            turn.emit_event(GameEvent::SawRoom { who });
            continue;
        }
        if turn.world.characters.get(who).is_some_and(|body| built_rooms::is_at_home(body, &run.gone)) {
            attack::remove_creature(turn, who);
        } else if built_rooms::move_out_of_rooms(turn, who, &run.gone, town) {
            turn.emit_event(GameEvent::SawRoom { who });
        }
    }
}

/// Removes the next exit if it leads to a room to be removed.
pub(super) fn remove_next_exit_into(turn: &mut Turn, run: &mut ImportRun) {
    let after = (run.exit.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let next = turn.world.exits.range(after).next().filter(|_| !run.gone.is_empty());
    let next = next.map(|(id, exit)| (id, exit.room, exit.to.is_some_and(|to| run.gone.contains(&to))));
    let Some((id, room, leads_there)) = next else { return run.advance() };
    run.exit = Some(id);
    if leads_there {
        turn.world.exits.remove(id);
        turn.emit_event(GameEvent::RoomChanged { room });
    }
}

/// Replaces the home of the next character if it is to be removed; a creature is removed with it. Ends when no character
/// has such a home.
pub(super) fn replace_next_home(turn: &mut Turn, run: &mut ImportRun) -> Result<(), WaitForRows> {
    let after: (Bound<CharacterId>, Bound<CharacterId>) =
        (run.body.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let next = turn.world.characters.range(after).next().filter(|_| !run.gone.is_empty());
    let is_meant = |body: &Character| run.gone.contains(&body.home) || run.gone.contains(&body.room);
    let Some((id, is_meant)) = next.map(|(id, body)| (id, is_meant(body))) else {
        require_awake(turn, run)?;
        if std::mem::take(&mut run.has_moved) {
            run.body = None;
        } else {
            run.advance();
        }
        return Ok(());
    };
    run.body = Some(id);
    if !is_meant {
        return Ok(());
    }
    run.has_moved = true;
    if turn.world.characters.get(id).is_some_and(|body| built_rooms::is_at_home(body, &run.gone)) {
        attack::remove_creature(turn, id);
    } else {
        let town = town(turn);
        if built_rooms::move_out_of_rooms(turn, id, &run.gone, town) {
            turn.emit_event(GameEvent::SawRoom { who: id });
        }
    }
    Ok(())
}

/// Removes the next room.
pub(super) fn remove_next(turn: &mut Turn, run: &mut ImportRun) {
    let Some(id) = next(run) else {
        run.gone.clear();
        return run.advance();
    };
    empty(turn, run, id);
    turn.world.remove_room(id);
}

/// Has the players woken who are asleep in rooms to be removed, or at home there.
fn require_awake(turn: &mut Turn, run: &mut ImportRun) -> Result<(), WaitForRows> {
    match asleep::require_awake_in(turn, &run.gone) {
        Err(Refusal::Asleep(_) | Refusal::Unreadable(_)) if run.waits < WAITS_MAX => {
            run.waits += 1;
            run.has_moved = true;
            Err(WaitForRows)
        }
        Err(_) => {
            let absent: Vec<[RoomId; 2]> =
                turn.world.absent_at(&run.gone).map(|absent| [absent.room, absent.home]).collect();
            run.gone.retain(|room| !absent.iter().flatten().any(|stays| stays == room));
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}
