//! Walking: through exits, into rooms that did not exist a moment ago, and back.

use crate::base::{CharacterId, Direction, ExitId, RoomId};
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game};
use crate::text::Markup;
use crate::world::{Branch, Exit, ExitKind, ExitState, RoomKind};

impl Game {
    /// A body walks through an exit of the room it stands in.
    pub(crate) fn walk(&mut self, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
        if self.world.characters[who].target.is_some() {
            return Err(Refusal::InCombat);
        }
        self.may_leave(who)?;
        self.pass(who, exit)
    }

    /// Passes an exit, fighting or not: fleeing uses it too.
    pub(crate) fn pass(&mut self, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
        let from = self.world.characters[who].room;
        self.step_through(who, exit)?;
        // Whoever follows comes along before anything there takes notice.
        let mut train = vec![who];
        self.follow_along(who, from, exit, &mut train);
        let to = self.world.characters[who].room;
        for body in train {
            if self.world.characters.get(body).is_some_and(|body| body.room == to) {
                self.tell_scale(body, to);
                self.has_come(body, to);
            }
        }
        Ok(())
    }

    /// One body goes through an exit and sees what is there.
    pub(super) fn step_through(&mut self, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
        let exit = self.world.exits[exit].clone();
        self.may_pass(&exit)?;
        let rope = (exit.kind == ExitKind::Branch).then(|| self.may_use_rope(who, &exit)).flatten();
        let to = match (exit.kind, exit.state) {
            _ if rope.is_some() => rope.ok_or(Refusal::NoWay)?,
            (ExitKind::Branch, _) => self.enter_branch(&exit)?,
            (ExitKind::Exit, ExitState::Unexplored) => {
                self.may_explore(exit.room)?;
                self.open_room(&exit)?
            }
            (ExitKind::Stairs, _) => self.take_stairs(who, &exit)?,
            (ExitKind::Exit, _) => exit.to.ok_or(Refusal::NoWay)?,
        };
        let fresh = exit.to.is_none();
        let way = way_out(&exit);
        self.tell_room(exit.room, &[who], Class::Movement, self.name_of(who).and(" ").and(&way).and("."));
        // The last one out of a branch closes the way back.
        let from = self.way_in(to, exit.room);
        self.relocate(who, to);
        if fresh {
            // Whoever stays behind has one exit more that leads somewhere.
            self.send_change(exit.room);
            self.scale_room(to, who);
        }
        self.tell_room(to, &[who], Class::Movement, self.name_of(who).and(" arrives ").and(&from).and("."));
        self.learns(who, Lesson::Walked);
        self.lay_out(who);
        self.tears_web(who, to);
        self.show_room(who);
        self.enters_puzzle(who, exit.room);
        Ok(())
    }

    /// Unexplored exits are closed while the room is not clear.
    pub(super) fn may_explore(&self, room: RoomId) -> Result<(), Refusal> {
        if self.world.rooms[room].clear { Ok(()) } else { Err(Refusal::Blocked(self.what_blocks(room))) }
    }

    /// Puts a body elsewhere: what tied it to the room it was in ends.
    pub(super) fn lift(&mut self, who: CharacterId, from: RoomId, to: RoomId) {
        if self.world.characters[who].is_player() {
            self.leaves_held_round(from);
        }
        self.stop_fights_of(who);
        self.forgets(who);
        self.gets_up(who);
        let now = self.now;
        self.world.move_character(who, to);
        if let Some(body) = self.world.characters.edit(who) {
            body.arrived_at = now;
        }
    }

    /// Moves a body and everything that hangs on its place: fights end, membership follows the room,
    /// and the branch left behind collapses if that was the last of its members.
    pub(crate) fn relocate(&mut self, who: CharacterId, to: RoomId) {
        let (left, from) = (self.world.characters[who].branch, self.world.characters[who].room);
        self.lift(who, from, to);
        let room = &self.world.rooms[to];
        let (branch, is_start) = (room.branch, room.kind == RoomKind::Start);
        if self.world.characters[who].is_player() {
            self.world.set_membership(who, branch);
            if let Some(branch) = branch {
                self.note_activity(branch);
                self.wake_branch(branch);
            }
            self.show_member(who);
            if let Some(left) = left.filter(|left| Some(*left) != branch) {
                self.parting.insert((who, left));
                self.bring_companions(who, from, to);
                self.collapse_if_deserted(left);
            }
        }
        if self.world.characters[who].master.is_some() {
            self.world.set_membership(who, branch);
        }
        if is_start || branch.is_none() {
            if left.is_some() {
                self.learns(who, Lesson::CameHome);
            }
            self.gets_on_its_feet(who);
            self.secure_run(who);
        }
        self.has_left(who, from);
        self.leaves_puzzle(who, from, Some(to));
        debug_assert!(!is_start || branch.is_none(), "a start room belongs to no branch");
    }

    /// A body is gone from a room.
    pub(super) fn has_left(&mut self, who: CharacterId, from: RoomId) {
        self.spins_web(who, from);
        if self.world.characters[who].is_player() {
            self.remember_if_deserted(from);
        }
    }

    /// A body has come into a room and has seen it: now the room and whoever is in it take notice.
    fn has_come(&mut self, who: CharacterId, room: RoomId) {
        self.springs_hook(who, room);
        if self.world.characters.get(who).is_none_or(|body| body.room != room) {
            return;
        }
        if self.world.characters[who].is_player() {
            self.visits(who, room);
            self.notices_stairs(who, room);
        }
        self.meets(who, room);
    }

    /// Takes a body somewhere without walking: recall, goto, death. Both rooms are told.
    pub(crate) fn transport(&mut self, who: CharacterId, to: RoomId, leaves: &str, arrives: &str) {
        let from = self.world.characters[who].room;
        self.tell_room(from, &[who], Class::Movement, self.name_of(who).and(leaves));
        self.relocate(who, to);
        self.tell_room(to, &[who], Class::Movement, self.name_of(who).and(arrives));
        self.tears_web(who, to);
        self.show_room(who);
        self.enters_puzzle(who, from);
        if self.world.characters.get(who).is_some_and(|body| body.room == to) {
            self.has_come(who, to);
        }
    }

    /// "from the east", "from below", or "from somewhere you did not see" where no exit leads back. A branch is behind
    /// the exit it was opened by, also while another branch can be entered there.
    pub(crate) fn way_in(&self, room: RoomId, from: RoomId) -> String {
        use crate::base::Direction::{Down, In, Out, Up};
        let branch = self.world.rooms[from].branch.and_then(|branch| self.world.branches.get(branch));
        let entrance = branch.map(|branch| branch.start_exit);
        let back = self.world.exits_of(room).find(|exit| exit.to == Some(from));
        let back = back.or_else(|| self.world.exits_of(room).find(|exit| Some(exit.id) == entrance));
        match back.and_then(|exit| exit.direction) {
            Some(Up) => "from above".into(),
            Some(Down) => "from below".into(),
            Some(In) => "from inside".into(),
            Some(Out) => "from outside".into(),
            Some(direction) => format!("from the {direction}"),
            None => "from somewhere you did not see".into(),
        }
    }

    /// Something happened in a branch: its age counts from here. Kept to a sixty-fourth of its life,
    /// so that walking in known rooms does not write the branch at every step.
    pub(crate) fn note_activity(&mut self, branch: crate::base::BranchId) {
        let stale = |row: &Branch| self.now.since(row.last_updated_at).0 >= (row.max_life.0 / 64).max(1);
        if self.world.branches.get(branch).is_some_and(stale) {
            self.refresh(branch);
        }
    }

    /// The exit that a word names: a direction, an alias, or the beginning of its name.
    pub(crate) fn exit_named(&self, room: RoomId, word: &str) -> Option<&Exit> {
        let exact =
            |exit: &&Exit| same(&exit.name, word) || exit.aliases.iter().any(|alias| same(alias, word));
        self.world.exits_of(room).find(exact)
    }
}

/// Whether two words are the same in any case of letters.
fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || (!one.is_ascii() && one.to_lowercase() == other.to_lowercase())
}

/// "leaves east", or "goes down".
fn way_out(exit: &Exit) -> String {
    match exit.direction {
        Some(Direction::Up) => "goes up".into(),
        Some(Direction::Down) => "goes down".into(),
        Some(Direction::In) => "goes in".into(),
        Some(Direction::Out) => "goes out".into(),
        Some(direction) => format!("leaves {direction}"),
        None => format!("leaves through the {}", exit.name),
    }
}

impl Game {
    /// The name of a body as others read it, at the beginning of a sentence.
    pub(crate) fn name_of(&self, who: CharacterId) -> Markup {
        use crate::text::{Style, grammar};
        let body = &self.world.characters[who];
        if body.is_player() {
            Markup::styled(Style::Player, &body.name)
        } else {
            Markup::styled(Style::Mob, &grammar::capitalise(&self.the(who)))
        }
    }

    /// "the clay rat", or a player's name: for the middle of a sentence.
    pub(crate) fn the(&self, who: CharacterId) -> String {
        let body = &self.world.characters[who];
        if body.is_player() { body.name.clone() } else { format!("the {}", body.name) }
    }
}
