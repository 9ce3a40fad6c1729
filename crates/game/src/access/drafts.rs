//! Access to drafts of zones: which players may enter, and the border that nothing else crosses. Drafts are created and
//! published in `zones`.

use crate::access::permissions;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, RoomId};
use deepwell_core::world::{Exit, ZoneDraft};

/// Returns the draft that a room belongs to, if its zone is a draft.
pub(crate) fn draft_around(turn: &Turn, room: RoomId) -> Option<&ZoneDraft> {
    let room = turn.world.rooms.get(room).filter(|room| room.branch.is_none())?;
    turn.world.meta().zones.get(&room.area)?.draft.as_ref()
}

/// Returns `true` if two rooms are on different sides of the border of a draft.
pub(crate) fn is_border(turn: &Turn, from: RoomId, to: RoomId) -> bool {
    let area = |room: RoomId| turn.world.rooms.get(room).map(|room| room.area.as_str());
    area(from) != area(to) && (draft_around(turn, from).is_some() || draft_around(turn, to).is_some())
}

/// Returns `true` if an account may enter a draft: builders and invited testers.
pub(crate) fn may_enter_draft(turn: &Turn, account: AccountId, zone: &str) -> bool {
    permissions::has(turn, account, Right::Look)
        || turn.world.meta().zones.get(zone).is_some_and(|zone| zone.mentions(account))
}

/// Refuses an exit into a draft to players without access. Creatures may cross the border in neither direction.
pub(crate) fn may_pass(turn: &Turn, who: CharacterId, exit: &Exit) -> Result<(), Refusal> {
    let Some(to) = exit.to.filter(|to| is_border(turn, exit.room, *to)) else { return Ok(()) };
    let account = turn.world.characters[who].account;
    let is_free = account.is_some_and(|account| {
        draft_around(turn, to).is_none() || may_enter_draft(turn, account, &turn.world.rooms[to].area)
    });
    if is_free { Ok(()) } else { Err(refuse!("You can't go that way. What is there is still being built.")) }
}
