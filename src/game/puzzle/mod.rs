//! Puzzles in play (H). A puzzle hangs behind the exit `in` of a room that is not clear, on a floor of its own that comes
//! to be when somebody first goes in. Whoever moves or does something inside moves in the engine of `crate::puzzle` too;
//! its events become words, places and exits here. What was proved is what is played: no rule of a puzzle stands here.
//!
//! ```text
//!   gate shut by the puzzle --in--> drawn and built --enter, act--> ... --finish--> outer room clear
//!                                          ^                         |
//!                                          +------- loss: all to the entrance, one tier less
//! ```

mod deeds;
mod events;
mod gate;
mod hint;
mod sights;
mod trial;

#[cfg(test)]
mod tests;

use crate::base::{CharacterId, Direction, FloorId, RoomId};
use crate::game::command::Refusal;
use crate::game::{Class, Game};
use crate::puzzle::{self, Event};
use crate::text::Markup;
use crate::world::{Exit, PuzzleRun};

impl Game {
    /// The might that somebody shares in, where a puzzle counts it.
    pub(crate) fn might_of(&self, who: CharacterId) -> Option<i64> {
        let (_, run, _) = self.world.puzzle_at(self.world.characters[who].room)?;
        run.state.might
    }

    /// Whether a way inside a puzzle can be walked just now, and why not.
    pub(in crate::game) fn may_pass(&self, exit: &Exit) -> Result<(), Refusal> {
        let Some((_, run, cell)) = self.world.puzzle_at(exit.room) else { return Ok(()) };
        let Some(direction) = exit.direction.filter(|_| !exit.is_gate()) else { return Ok(()) };
        puzzle::passable(&run.layout, &run.state, cell, direction)
            .map(drop)
            .map_err(|hitch| Refusal::Blocked(sights::hitch_words(run, cell, direction, &hitch)))
    }

    /// Why there is no exit in a direction, where a puzzle knows: the way back of a one-way passage.
    pub(in crate::game) fn closed_way(&self, room: RoomId, direction: Direction) -> Option<Refusal> {
        let (_, run, cell) = self.world.puzzle_at(room)?;
        match puzzle::passable(&run.layout, &run.state, cell, direction) {
            Err(puzzle::Hitch::NoWay) | Ok(_) => None,
            Err(hitch) => Some(Refusal::Because(hitch.sentence(&run.layout))),
        }
    }

    /// A body has come into a room and has seen it: if a puzzle goes on there, it acts on whoever enters.
    pub(in crate::game) fn enters_puzzle(&mut self, who: CharacterId, from: RoomId) {
        let Some(body) = self.world.characters.get(who) else { return };
        let (room, plays) = (body.room, body.is_player());
        let Some((floor, run, cell)) = self.world.puzzle_at(room) else { return };
        if !plays {
            // Companions count for nothing, but they must not be left where nobody can stay.
            let to = run.portal_of(cell).and_then(|cell| run.room_of(cell));
            if let Some(to) = to {
                self.shifts(who, to);
            }
            return;
        }
        if self.world.floor_of(from).is_none_or(|row| row.id != floor) {
            self.tell_task(who, floor);
        }
        self.plays(floor, Some(who), |run| {
            let PuzzleRun { layout, state, .. } = run;
            puzzle::enter(layout, state, cell)
        });
    }

    /// A body has left a room, or the world: a puzzle that goes on there has one less in it.
    pub(in crate::game) fn leaves_puzzle(&mut self, who: CharacterId, from: RoomId, to: Option<RoomId>) {
        if !self.world.characters[who].is_player() {
            return;
        }
        let Some((floor, run, cell)) = self.world.puzzle_at(from) else { return };
        if to.is_some_and(|to| run.cell_of(to).is_some()) {
            // It is on its way to another cell: plates look again when it has arrived.
            if let Some(run) = self.world.edit_puzzle(floor) {
                run.steps_out(cell);
            }
            return;
        }
        self.plays(floor, None, |run| {
            let PuzzleRun { layout, state, .. } = run;
            puzzle::leave(layout, state, cell)
        });
    }

    /// Lets the engine act on a puzzle, and makes what came of it so.
    fn plays(
        &mut self,
        floor: FloorId,
        who: Option<CharacterId>,
        play: impl FnOnce(&mut PuzzleRun) -> Vec<Event>,
    ) {
        let Some(run) = self.world.edit_puzzle(floor) else { return };
        let before = run.state.might;
        let events = play(run);
        let changed = run.state.might != before;
        self.unfold(floor, who, events);
        if changed {
            for member in self.world.people_in_puzzle(floor) {
                self.show_vitals(member);
            }
        }
    }

    /// Tells everybody in a puzzle, but for those in one of its rooms.
    fn tell_inside(&mut self, floor: FloorId, but: Option<RoomId>, words: &Markup) {
        for who in self.world.people_in_puzzle(floor) {
            if Some(self.world.characters[who].room) != but {
                self.tell(who, Class::Notice, words.clone());
            }
        }
    }

    /// Moves a body between two rooms of a puzzle without walking. The engine has counted it there already.
    fn shifts(&mut self, who: CharacterId, to: RoomId) {
        let from = self.world.characters[who].room;
        self.lift(who, from, to);
        if self.world.characters[who].is_player() {
            self.show_member(who);
        }
        self.has_left(who, from);
    }
}
