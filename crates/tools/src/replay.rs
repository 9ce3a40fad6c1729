//! Replay of a branch from its seed and the moves that created its rooms. The moves are a list from the dump of a live
//! branch ([`deepwell_core::dungeon::moves`]), or a walk as a player would type it.
//!
//! A walk is a list of directions separated by spaces: `e n n d s`. It passes through existing rooms and creates the
//! missing ones.

use crate::branch::PlannedBranch;
use deepwell_core::base::{Direction, ExitState, Point};
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::BranchSpec;
use deepwell_core::dungeon::moves::{self, BranchMove};

/// Error in a list of moves or a walk. Each variant names the move by its position, from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// An entry of a list is not a move.
    #[error("move {0}, \"{1}\": expected such as 1:e, 1:(1,0)n or 2:(3,-1)d")]
    NoMove(u32, String),
    /// A word of a walk is not a direction.
    #[error("move {0}, \"{1}\": expected a direction such as e or down")]
    NoDirection(u32, String),
    /// The move is impossible.
    #[error("move {0}, {1}: {2}")]
    Impossible(u32, String, MoveError),
}

/// Reason why a move is impossible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The first move does not lead out of the start room.
    #[error("the first move leads out of the start: 1:e")]
    NotTheStart,
    /// No room exists at these coordinates.
    #[error("there is no room at {at} on floor {floor}")]
    NoRoom {
        /// The floor.
        floor: u32,
        /// The coordinates on the floor.
        at: Point,
    },
    /// The room has no such exit.
    #[error("the room at {at} on floor {floor} has no such exit, but {ways}", ways = .ways.join(", "))]
    NoExit {
        /// The floor of the room.
        floor: u32,
        /// The coordinates of the room.
        at: Point,
        /// The exits of the room.
        ways: Vec<&'static str>,
    },
    /// The exit has already created its room.
    #[error("it leads to the room at {0} already")]
    Explored(Point),
    /// The generator creates no room there.
    #[error("the generator creates no room there")]
    Nothing,
    /// A walk leaves the start room by an exit that belongs to another branch.
    #[error("that is another branch")]
    OtherBranch,
    /// A step of a walk leads to no room.
    #[error("it leads nowhere")]
    Nowhere,
}

impl PlannedBranch {
    /// Returns the moves that created the rooms and entered the puzzles of the branch.
    pub fn moves(&self) -> String {
        let mut moves = Vec::new();
        let mut gates = self.gates.iter().peekable();
        for (made, room) in self.rooms.iter().enumerate() {
            moves.extend(
                std::iter::from_fn(|| gates.next_if(|(before, _)| *before <= made)).map(|(_, gate)| *gate),
            );
            let (from, direction) = room.made_by;
            moves.push(BranchMove { floor: room.made_on, from, direction });
        }
        moves::list(moves.into_iter().chain(gates.map(|(_, gate)| *gate)))
    }

    /// Rebuilds a branch from moves: a list or a walk.
    ///
    /// # Errors
    /// Names the first move that is malformed or impossible, with the reason.
    pub fn replay(spec: BranchSpec, catalog: &Catalog, moves: &str) -> Result<Self, ReplayError> {
        let mut branch = Self::new(spec);
        if moves.contains(':') {
            for (number, text) in (1..).zip(moves.split(';').filter(|text| !text.trim().is_empty())) {
                let one =
                    BranchMove::parse(text).ok_or_else(|| ReplayError::NoMove(number, text.to_owned()))?;
                branch
                    .make_move(catalog, one)
                    .map_err(|why| ReplayError::Impossible(number, text.to_owned(), why))?;
            }
            return Ok(branch);
        }
        let mut at = (1, Point::ORIGIN);
        for (number, word) in (1..).zip(moves.split_whitespace()) {
            let way = Direction::parse_any(word)
                .ok_or_else(|| ReplayError::NoDirection(number, word.to_owned()))?;
            at = branch
                .step(catalog, at, way)
                .map_err(|why| ReplayError::Impossible(number, word.to_owned(), why))?;
        }
        Ok(branch)
    }

    fn make_move(&mut self, catalog: &Catalog, one: BranchMove) -> Result<(), MoveError> {
        let BranchMove { floor, from, direction } = one;
        if self.rooms.is_empty() {
            let starts = (floor, from) == (1, Point::ORIGIN) && Direction::PLANE.contains(&direction);
            let made = starts && self.open_on(catalog, floor, from, direction);
            return if made { Ok(()) } else { Err(MoveError::NotTheStart) };
        }
        let room = self.at(floor, from).ok_or(MoveError::NoRoom { floor, at: from })?;
        if direction == Direction::In {
            self.pass_gate(one);
            return Ok(());
        }
        let exit = room.exits.get(&direction).ok_or_else(|| {
            let ways = room.exits.keys().map(|way| way.name()).collect();
            MoveError::NoExit { floor, at: from, ways }
        })?;
        let made = match (exit.to, direction) {
            (Some(to), _) => return Err(MoveError::Explored(to)),
            (None, Direction::Down) => self.descend_at(catalog, floor, from),
            (None, _) => exit.state == ExitState::Unexplored && self.open_on(catalog, floor, from, direction),
        };
        if made { Ok(()) } else { Err(MoveError::Nothing) }
    }

    /// Makes one step of a walk and returns its destination.
    fn step(
        &mut self,
        catalog: &Catalog,
        at: (u32, Point),
        way: Direction,
    ) -> Result<(u32, Point), MoveError> {
        let (floor, from) = at;
        let leads = |branch: &Self| {
            let exit = branch.at(floor, from)?.exits.get(&way)?;
            Some((exit.to_floor, exit.to?))
        };
        if let Some(to) = leads(self) {
            return Ok(to);
        }
        // From the start room, only the exit of this branch can be taken.
        let first = self.rooms.first().filter(|_| at == (1, Point::ORIGIN));
        if let Some(first) = first {
            let same = first.made_by.1 == way;
            return if same { Ok((1, first.plan.at)) } else { Err(MoveError::OtherBranch) };
        }
        self.make_move(catalog, BranchMove { floor, from, direction: way })?;
        leads(self).or_else(|| self.rooms.first().map(|room| (1, room.plan.at))).ok_or(MoveError::Nowhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::Seed;

    /// The moves of a walk rebuild the same rooms: on a frontier with two floors, on a lattice, and on floors generated
    /// whole.
    #[test]
    fn c3_moves_rebuild_the_same_branch() {
        let catalog = Catalog::builtin();
        for name in ["well", "daedalus", "upper crypt"] {
            let spec = BranchSpec::of(&catalog, name, Seed(3));
            let walked = PlannedBranch::walk(spec.clone(), &catalog, 25, 2);
            let again = PlannedBranch::replay(spec, &catalog, &walked.moves()).unwrap();
            assert_eq!(walked.rooms, again.rooms, "{name}");
        }
    }

    /// A puzzle that was entered takes a floor number, so floors below it have higher numbers. A rebuilt branch returns
    /// the moves that it was built from.
    #[test]
    fn c3_entered_puzzles_are_replayed_as_moves() {
        let catalog = Catalog::builtin();
        let spec = || BranchSpec::of(&catalog, "daedalus", Seed(3));
        let walked = PlannedBranch::walk(spec(), &catalog, 25, 1).moves();
        let stairs = PlannedBranch::replay(spec(), &catalog, &walked).unwrap();
        let stairs = stairs.rooms.iter().find(|room| room.plan.has_stairs()).expect("stairs").plan.at;
        let (x, y) = (stairs.x, stairs.y);
        let deeper = format!("{walked};1:({x},{y})in;1:({x},{y})d;3:(0,0)in");
        let branch = PlannedBranch::replay(spec(), &catalog, &deeper).unwrap();
        assert_eq!((branch.floor(), branch.rooms.last().unwrap().floor), (4, 3));
        assert_eq!(branch.moves(), deeper);
        assert_eq!(PlannedBranch::replay(spec(), &catalog, &branch.moves()).unwrap().rooms, branch.rooms);
    }

    /// A walk passes through existing rooms and creates missing ones; an error names the position of the move.
    #[test]
    fn walk_creates_missing_rooms_and_names_errors() {
        let catalog = Catalog::builtin();
        let spec = || BranchSpec::of(&catalog, "well", Seed(3));
        let first = PlannedBranch::replay(spec(), &catalog, "e w e").unwrap();
        assert_eq!((first.rooms.len(), first.moves().as_str()), (1, "1:e"));
        let mistake = |moves: &str| PlannedBranch::replay(spec(), &catalog, moves).unwrap_err().to_string();
        assert!(mistake("e w n").starts_with("move 3, n: that is another branch"), "{}", mistake("e w n"));
        assert!(mistake("e sideways").contains("expected a direction"));
        assert!(mistake("1:e;1:(5,5)n").contains("no room at (5,5)"), "{}", mistake("1:e;1:(5,5)n"));
        assert!(mistake("1:e;2:n)").contains("expected such as"));
    }
}
