//! Rooms with something to do in them besides fighting: hoards, captives, riddles, shrines, landmarks, graves, coffers, what is written about others, traps, and the signs
//! beside exits that lead out of one's depth. Camps have no rule of their own here: creatures keep out of them and wounds
//! close faster there by the rules of roaming and healing. Merchants trade by the rules of trade.

pub(crate) mod buried;
pub(crate) mod clue;
pub(crate) mod hoard;
pub(crate) mod landmark;
pub(crate) mod lever;
pub(crate) mod rescue;
pub(crate) mod riddle;
pub(crate) mod shrine;
pub(crate) mod trap;

use crate::base::{CharacterId, RoomId};
use crate::game::tidings;
use crate::game::turn::Turn;
use crate::world::{Exit, ExitState, RoomFeature, RoomKind};

/// A room has been cleared: what its kind holds happens.
pub(crate) fn reward_finder(turn: &mut Turn, room: RoomId) {
    if let Some(finder) = hoard::finder_in(turn, room) {
        if turn.world.rooms[room].kind == RoomKind::Treasure {
            tidings::note_hoard(turn, finder, room);
        }
        take_reward(turn, finder, room);
    }
}

/// A player has come into a room.
pub(crate) fn visit(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    if matches!(row.challenge.feature, Some(RoomFeature::Landmark { .. })) {
        landmark::find_landmark(turn, who, room);
    } else if row.clear {
        take_reward(turn, who, room);
    }
}

/// What a cleared room gives to whoever is there: a lever may have cleared it from afar.
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

/// The sign beside an exit, as long as nobody has walked it.
pub(super) fn sign_of(exit: &Exit) -> Option<&str> {
    exit.omen.as_deref().filter(|_| exit.state == ExitState::Unexplored)
}
