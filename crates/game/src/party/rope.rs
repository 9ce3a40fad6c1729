//! The party rope: the only exception to the rule that an entrance closes behind a player who leaves a branch.

use crate::effect::Class;
use crate::input::config::Rope;
use crate::message::{naming, tell};
use crate::party::members;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Point, RoomId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Exit;

/// Returns the branch that the rest of a character's party is in: the leader's, otherwise that of the first member in
/// one.
pub(crate) fn branch_of_party(turn: &Turn, who: CharacterId) -> Option<BranchId> {
    let party = &turn.world.parties[turn.world.parties.of(who)?];
    let inside = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.branch.filter(|_| body.awake && *id != who)
    };
    inside(&party.leader).or_else(|| party.members.iter().find_map(inside))
}

pub(crate) fn is_rope_good(turn: &Turn, who: CharacterId, branch: BranchId) -> bool {
    match turn.config.dungeon.rope {
        Rope::Off => false,
        Rope::Once => !turn.world.branches[branch].roped.contains(&who),
        Rope::Free => true,
    }
}

/// Returns the room that the rope at a start exit leads to: the first room of the party's branch. `None` unless the
/// branch belongs to this exit and its entrance is closed.
pub(crate) fn rope_room(turn: &Turn, who: CharacterId, exit: &Exit) -> Option<RoomId> {
    let branch = branch_of_party(turn, who)?;
    let row = &turn.world.branches[branch];
    let open = exit.window.is_some_and(|window| window.branch == branch);
    if row.start_exit != exit.id
        || open
        || turn.world.expeditions.is_closed_to(branch, who)
        || !is_rope_good(turn, who, branch)
    {
        return None;
    }
    turn.world.branches.room_at(branch, 1, Point::ORIGIN.step(exit.direction?))
}

/// Returns the room that the party rope leads to. The caller must move the character there: the use is recorded and
/// both ends are notified.
pub(crate) fn may_use_rope(turn: &mut Turn, who: CharacterId, exit: &Exit) -> Option<RoomId> {
    let room = rope_room(turn, who, exit)?;
    let branch = turn.world.rooms[room].branch?;
    turn.world.branches.change(branch, |row| row.roped.insert(who));
    let last = match turn.config.dungeon.rope {
        Rope::Free => "",
        Rope::Off | Rope::Once => " It will not bear you into this branch again.",
    };
    let message =
        format!("You find the rope that your party has left, and let yourself down along it.{last}");
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Hint, &message));
    let line = naming::name_of(turn, who).and(" takes hold of a rope that hangs into the dark.");
    tell::tell_room(turn, exit.room, &[who], Class::Movement, line);
    if let Some(party) = turn.world.parties.of(who) {
        let line = naming::name_of(turn, who).and(" comes back to you by the rope.");
        members::tell_party(turn, party, &[who], &line);
    }
    Some(room)
}
