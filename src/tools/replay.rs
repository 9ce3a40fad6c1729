//! A branch made again from its seed and the moves that made its rooms: what a dump of a living branch says of itself
//! ([`crate::dungeon::moves`]), or a walk as a person would type it.
//!
//! A walk is directions with spaces between them: `e n n d s`; it goes through known rooms as well and makes what is not
//! there yet.

use crate::base::{Direction, ExitState, Point};
use crate::catalog::Catalog;
use crate::dungeon::BranchSpec;
use crate::dungeon::moves::{self, Move};
use crate::tools::branch::PlannedBranch;

/// Why moves make no branch, for whoever wrote them; a move has the number of its place in the list or walk, from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// A word of a list that is no move.
    #[error("move {0}, \"{1}\": expected such as 1:e, 1:(1,0)n or 2:(3,-1)d")]
    NoMove(u32, String),
    /// A word of a walk that is no direction.
    #[error("move {0}, \"{1}\": expected a direction such as e or down")]
    NoDirection(u32, String),
    /// A move that cannot be made.
    #[error("move {0}, {1}: {2}")]
    Impossible(u32, String, MoveError),
}

/// Why a move cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// It is the first, and somewhere else.
    #[error("the first move leads out of the start: 1:e")]
    NotTheStart,
    /// Nothing was made at that place.
    #[error("there is no room at {at} on floor {floor}")]
    NoRoom {
        /// The floor.
        floor: u32,
        /// The place on it.
        at: Point,
    },
    /// The room has no such exit.
    #[error("the room at {at} on floor {floor} has no such exit, but {ways}", ways = .ways.join(", "))]
    NoExit {
        /// The floor of the room.
        floor: u32,
        /// Its place there.
        at: Point,
        /// The exits that it has.
        ways: Vec<&'static str>,
    },
    /// The exit has made its room before.
    #[error("it leads to the room at {0} already")]
    Explored(Point),
    /// The generator makes no room there.
    #[error("nothing comes to be there")]
    Nothing,
    /// A walk leaves the start by an exit that the branch does not hang on.
    #[error("that is another branch")]
    OtherBranch,
    /// A walk comes to no room.
    #[error("it leads nowhere")]
    Nowhere,
}

impl PlannedBranch {
    /// The moves that made its rooms and entered its puzzles.
    pub fn moves(&self) -> String {
        let mut moves = Vec::new();
        let mut gates = self.gates.iter().peekable();
        for (made, room) in self.rooms.iter().enumerate() {
            moves.extend(
                std::iter::from_fn(|| gates.next_if(|(before, _)| *before <= made)).map(|(_, gate)| *gate),
            );
            let (from, direction) = room.made_by;
            moves.push(Move { floor: room.made_on, from, direction });
        }
        moves::list(moves.into_iter().chain(gates.map(|(_, gate)| *gate)))
    }

    /// A branch made by moves: a list or a walk.
    ///
    /// # Errors
    /// Which move cannot be made, and why.
    pub fn replay(spec: BranchSpec, catalog: &Catalog, moves: &str) -> Result<Self, ReplayError> {
        let mut branch = Self::new(spec);
        if moves.contains(':') {
            for (number, words) in (1..).zip(moves.split(';').filter(|words| !words.trim().is_empty())) {
                let one = Move::parse(words).ok_or_else(|| ReplayError::NoMove(number, words.to_owned()))?;
                branch
                    .make_move(catalog, one)
                    .map_err(|why| ReplayError::Impossible(number, words.to_owned(), why))?;
            }
            return Ok(branch);
        }
        let mut at = (1, Point::ORIGIN);
        for (number, word) in (1..).zip(moves.split_whitespace()) {
            let way =
                Direction::parse(word).ok_or_else(|| ReplayError::NoDirection(number, word.to_owned()))?;
            at = branch
                .step(catalog, at, way)
                .map_err(|why| ReplayError::Impossible(number, word.to_owned(), why))?;
        }
        Ok(branch)
    }

    fn make_move(&mut self, catalog: &Catalog, one: Move) -> Result<(), MoveError> {
        let Move { floor, from, direction } = one;
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

    /// A step of somebody who walks: where it leads.
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
        // Whoever is back at the start takes the exit that the branch hangs on.
        let first = self.rooms.first().filter(|_| at == (1, Point::ORIGIN));
        if let Some(first) = first {
            let same = first.made_by.1 == way;
            return if same { Ok((1, first.plan.at)) } else { Err(MoveError::OtherBranch) };
        }
        self.make_move(catalog, Move { floor, from, direction: way })?;
        leads(self).or_else(|| self.rooms.first().map(|room| (1, room.plan.at))).ok_or(MoveError::Nowhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;

    /// C3: what a walk has made comes again from its moves: over a frontier with two floors, a lattice, and floors that
    /// are made whole.
    #[test]
    fn moves_make_the_same_branch() {
        let catalog = Catalog::builtin();
        for name in ["well", "daedalus", "upper crypt"] {
            let spec = BranchSpec::of(&catalog, name, Seed(3));
            let walked = PlannedBranch::walk(spec.clone(), &catalog, 25, 2);
            let again = PlannedBranch::replay(spec, &catalog, &walked.moves()).unwrap();
            assert_eq!(walked.rooms, again.rooms, "{name}");
        }
    }

    /// C3: a puzzle that was entered has the number of a floor, and so those below it have later ones; the moves of a branch
    /// made again are the moves that it was made by.
    #[test]
    fn gates_are_moves_too() {
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

    /// A walk goes through what is there and makes what is not; a mistake is told with its number.
    #[test]
    fn a_walk_is_a_list_of_directions() {
        let catalog = Catalog::builtin();
        let spec = || BranchSpec::of(&catalog, "well", Seed(3));
        let first = PlannedBranch::replay(spec(), &catalog, "e w e").unwrap();
        assert_eq!((first.rooms.len(), first.moves().as_str()), (1, "1:e"));
        let wrong = |moves: &str| PlannedBranch::replay(spec(), &catalog, moves).unwrap_err().to_string();
        assert!(wrong("e w n").starts_with("move 3, n: that is another branch"), "{}", wrong("e w n"));
        assert!(wrong("e sideways").contains("expected a direction"));
        assert!(wrong("1:e;1:(5,5)n").contains("no room at (5,5)"), "{}", wrong("1:e;1:(5,5)n"));
        assert!(wrong("1:e;2:n)").contains("expected such as"));
    }
}
