//! A branch made anew from its own seed: what staff asks for when a branch has gone wrong.

use crate::base::{BranchId, CharacterId, Direction, Point};
use crate::dungeon::Recent;
use crate::game::command::Refusal;
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{Branch, ExitState, OpenWindow};
use std::collections::BTreeSet;

impl Game {
    /// Makes a branch anew: one with the same seed and settings takes its place at the start exit, everybody who was
    /// inside stands in its first room, and the old one collapses. The same moves make the same rooms there. The new one
    /// has a number of its own, for no number comes back.
    pub(crate) fn renew_branch(&mut self, old: BranchId) -> Result<BranchId, Refusal> {
        let none = || Refusal::Because(format!("There is no branch {old}."));
        let row = self.world.living_branch(old).ok_or_else(none)?.clone();
        let kind = self.world.floor_at(old, 1).map(|floor| floor.kind.clone()).ok_or_else(none)?;
        let gone =
            || Refusal::Because("The exit that it hangs on is gone: all one can do is collapse it.".into());
        let exit = self.world.exits.get(row.start_exit).cloned().ok_or_else(gone)?;
        let entry = exit.direction.filter(|way| Direction::PLANE.contains(way)).ok_or_else(gone)?;
        let open = exit.window.filter(|window| window.branch == old);
        let members = self.world.members(old);
        if open.is_none() && members.is_empty() {
            return Err(Refusal::Because("Nobody is in it, and nobody could enter it.".into()));
        }
        let new = self.world.new_branch_id();
        let now = self.now;
        self.world.add_branch(Branch {
            id: new,
            name: format!("{}-{}", exit.name, now.0),
            opened_at: now,
            last_updated_at: now,
            warnings: 0,
            rooms_made: 0,
            recent: Recent::default(),
            greatest_depth: 0,
            portals: BTreeSet::new(),
            ..row
        });
        let first = self
            .add_floor(new, 1, &kind, Some(entry))
            .and_then(|floor| self.grow(new, floor, Point::ORIGIN, entry, Some(exit.id), row.start_room));
        let first = first.inspect_err(|_| self.world.remove_branch(new))?;
        if let Some(window) = open
            && let Some(exit) = self.world.exits.edit(exit.id)
        {
            exit.to = Some(first);
            exit.state = ExitState::Open;
            exit.window = Some(OpenWindow { branch: new, ..window });
        }
        self.settle_rolls_in(old);
        for member in members {
            self.begins_anew(member, first);
        }
        // Companions that came along are still in the dungeon that they joined for.
        self.parting.retain(|(_, left)| *left != old);
        self.collapse(old);
        Ok(new)
    }

    fn begins_anew(&mut self, member: CharacterId, first: crate::base::RoomId) {
        let words = "Everything around you comes undone, stone by stone, and is laid anew as it was on the first day.";
        self.tell(member, Class::Notice, Markup::styled(Style::Harm, words));
        self.relocate(member, first);
        if self.world.characters[member].awake {
            self.show_room(member);
        }
    }
}
