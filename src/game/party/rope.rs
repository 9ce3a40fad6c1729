//! The party rope: the one exception from the rule that the way in closes behind whoever leaves a branch.

use crate::base::{BranchId, CharacterId, Point, RoomId};
use crate::game::command::Refusal;
use crate::game::{Class, Game, Rope};
use crate::text::{Markup, Style};
use crate::world::Exit;

impl Game {
    /// The living branch that the rest of somebody's party is in: the leader's, or that of the first who is in one.
    fn branch_of_party(&self, who: CharacterId) -> Option<BranchId> {
        let party = &self.world.parties[self.world.party_of(who)?];
        let inside = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            body.branch.filter(|_| body.awake && *id != who)
        };
        inside(&party.leader).or_else(|| party.members.iter().find_map(inside))
    }

    fn rope_bears(&self, who: CharacterId, branch: BranchId) -> bool {
        match self.config.dungeon.rope {
            Rope::Off => false,
            Rope::Once => !self.world.branches[branch].roped.contains(&who),
            Rope::Free => true,
        }
    }

    /// The room that the rope at a start exit leads somebody to: the first one of the party's branch, if that hangs on
    /// this exit and the way in is closed.
    pub(super) fn rope_room(&self, who: CharacterId, exit: &Exit) -> Option<RoomId> {
        let branch = self.branch_of_party(who)?;
        let row = &self.world.branches[branch];
        let open = exit.window.is_some_and(|window| window.branch == branch);
        if row.start_exit != exit.id || open || !self.rope_bears(who, branch) {
            return None;
        }
        self.world.room_at(branch, 1, Point::ORIGIN.step(exit.direction?))
    }

    /// The room that the party rope leads to for somebody at a start exit. Whoever gets it goes there: the rope
    /// counts as used, and both ends are told.
    pub(crate) fn may_use_rope(&mut self, who: CharacterId, exit: &Exit) -> Option<RoomId> {
        let room = self.rope_room(who, exit)?;
        let branch = self.world.rooms[room].branch?;
        if let Some(row) = self.world.branches.edit(branch) {
            row.roped.insert(who);
        }
        let last = match self.config.dungeon.rope {
            Rope::Free => "",
            Rope::Off | Rope::Once => " It will not bear you into this branch again.",
        };
        let words =
            format!("You find the rope that your party has left, and let yourself down along it.{last}");
        self.tell(who, Class::Notice, Markup::styled(Style::Hint, &words));
        let line = self.name_of(who).and(" takes hold of a rope that hangs into the dark.");
        self.tell_room(exit.room, &[who], Class::Movement, line);
        if let Some(party) = self.world.party_of(who) {
            let line = self.name_of(who).and(" comes back to you by the rope.");
            self.tell_party(party, &[who], &line);
        }
        Some(room)
    }

    /// `rope`: back to the party by the exit that its branch hangs on.
    pub(crate) fn take_rope(&mut self, who: CharacterId) -> Result<(), Refusal> {
        let no = |words: &str| Err(Refusal::Because(words.into()));
        if self.config.dungeon.rope == Rope::Off {
            return no("Nobody leaves ropes behind here: once the way in is closed, it is closed.");
        }
        self.own_party(who)?;
        let Some(branch) = self.branch_of_party(who) else {
            return no("None of your party is below to have left a rope.");
        };
        if self.world.characters[who].branch == Some(branch) {
            return no("You are in the same branch already.");
        }
        let row = &self.world.branches[branch];
        let (start, exit) = (row.start_room, row.start_exit);
        if self.world.characters[who].room != start {
            let name = &self.world.rooms[start].name;
            return no(&format!("The rope of your party hangs at another place: {name}."));
        }
        let exit_row = &self.world.exits[exit];
        let open = exit_row.window.is_some_and(|window| window.branch == branch);
        if !open && !self.rope_bears(who, branch) {
            return no(
                "The rope has borne you once, and is frayed: it will not bear you into this branch again.",
            );
        }
        self.walk(who, exit)
    }
}
