//! Special rooms of the dungeon: hoards, captives, riddles, shrines, landmarks, graves, coffers, hints, traps, phrases on
//! walls, and signs beside exits that lead to greater danger. Camps need no rule here: creatures avoid them by the rules of
//! roaming, and healing is faster there by the rules of healing. Merchants follow the rules of trade.

pub(crate) mod buried;
pub(crate) mod chalk;
pub(crate) mod clue;
pub(crate) mod hoard;
pub(crate) mod landmark;
pub(crate) mod lever;
pub(crate) mod rescue;
pub(crate) mod riddle;
pub(crate) mod shrine;
pub(crate) mod trap;

use crate::message::rumours;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::world::{Exit, ExitState, RoomFeature, RoomKind};

/// Gives the reward of a room that has just been cleared to a player in it.
pub(crate) fn reward_finder(turn: &mut Turn, room: RoomId) {
    if let Some(finder) = hoard::finder_in(turn, room) {
        if turn.world.rooms[room].sheet.kind == RoomKind::Treasure {
            rumours::note_hoard(turn, finder, room);
        }
        take_reward(turn, finder, room);
    }
}

/// Handles the arrival of a player in a room.
pub(crate) fn visit(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    if matches!(row.challenge.feature, Some(RoomFeature::Landmark { .. })) {
        landmark::find_landmark(turn, who, room);
    } else if row.clear {
        take_reward(turn, who, room);
    }
}

/// Gives the reward of a cleared room to a player in it. The room may have been cleared from afar by a lever.
fn take_reward(turn: &mut Turn, who: CharacterId, room: RoomId) {
    match turn.world.rooms[room].challenge.feature {
        Some(RoomFeature::Riddle { .. } | RoomFeature::Grave { .. } | RoomFeature::Coffer { .. }) => {}
        Some(RoomFeature::Captive { .. }) => {
            hoard::find_coins(turn, who, room);
            rescue::free_captive(turn, who, room);
        }
        Some(
            RoomFeature::Shrine { .. }
            | RoomFeature::Landmark { .. }
            | RoomFeature::Portcullis { .. }
            | RoomFeature::Gate { .. },
        )
        | None => hoard::find_coins(turn, who, room),
    }
}

/// Returns the sign beside an unexplored exit, if it has one.
pub(crate) fn sign_of(exit: &Exit) -> Option<&str> {
    exit.omen.as_deref().filter(|_| exit.state == ExitState::Unexplored)
}
