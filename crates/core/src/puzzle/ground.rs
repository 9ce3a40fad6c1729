//! Random trees of rooms on a grid, the basis of several puzzles, and their boards under construction.

use crate::base::{Dice, Direction, Point, Rng};

use super::{Board, Cell, CellId, CellKind, Gate, Goal, Lock, Mechanism, Opening, Outcome, SwitchId, Thing};

/// Rooms on a grid, each except the first joined to an earlier one.
#[derive(Clone, Debug)]
pub(super) struct RoomTree {
    rooms: Vec<TreeRoom>,
}

#[derive(Clone, Copy, Debug)]
struct TreeRoom {
    at: Point,
    /// Parent room, and direction from there.
    parent: Option<(usize, Direction)>,
}

impl RoomTree {
    /// Grows a tree with this number of rooms from a root at the origin. About half of the rooms extend the latest one,
    /// which gives long and short arms.
    pub(super) fn grow(rooms: usize, dice: &mut Rng) -> Self {
        let mut tree = Self { rooms: vec![TreeRoom { at: Point::ORIGIN, parent: None }] };
        while tree.len() < rooms.max(1) {
            let last = tree.len() - 1;
            let host = if dice.percent(50) { last } else { pick_below(tree.len(), dice) };
            tree.attach(host, dice);
        }
        tree
    }

    /// Attaches a room to another; `None` if no neighbouring position is free.
    pub(super) fn attach(&mut self, host: usize, dice: &mut Rng) -> Option<usize> {
        let at = self.rooms.get(host)?.at;
        let free: Vec<Direction> = Direction::PLANE
            .into_iter()
            .filter(|direction| self.rooms.iter().all(|room| room.at != at.step(*direction)))
            .collect();
        let direction = *dice.pick(&free)?;
        self.rooms.push(TreeRoom { at: at.step(direction), parent: Some((host, direction)) });
        Some(self.len() - 1)
    }

    /// Returns the number of rooms.
    pub(super) fn len(&self) -> usize {
        self.rooms.len()
    }

    /// Returns the parent of a room, with the direction from there.
    pub(super) fn parent(&self, room: usize) -> Option<(usize, Direction)> {
        self.rooms.get(room)?.parent
    }

    /// Returns the path from a room to the root, both included.
    fn line(&self, room: usize) -> Vec<usize> {
        let mut line = vec![room];
        let mut at = room;
        while let Some((parent, _)) = self.parent(at) {
            line.push(parent);
            at = parent;
        }
        line
    }

    /// Returns the number of steps from the root.
    pub(super) fn depth(&self, room: usize) -> usize {
        self.line(room).len() - 1
    }

    /// Returns the number of steps between two rooms.
    pub(super) fn distance(&self, one: usize, other: usize) -> usize {
        let (one, other) = (self.line(one), self.line(other));
        let shared = one.iter().filter(|room| other.contains(room)).count();
        one.len() + other.len() - 2 * shared
    }

    /// Returns `true` if every path from the root to `room` passes through `other`; also if they are the same.
    pub(super) fn is_behind(&self, room: usize, other: usize) -> bool {
        self.line(room).contains(&other)
    }

    /// Returns the rooms farthest from the root.
    pub(super) fn deepest(&self) -> Vec<usize> {
        let most = (0..self.len()).map(|room| self.depth(room)).max().unwrap_or(0);
        (0..self.len()).filter(|room| self.depth(*room) == most).collect()
    }
}

/// Board under construction for one player or more, with a cell for each room of a tree.
#[derive(Clone, Debug)]
pub(super) struct TreeBoard {
    pub(super) tree: RoomTree,
    pub(super) board: Board,
    /// Room of the finish.
    pub(super) end: usize,
}

/// Room behind a gate that a lever in another room opens.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeverRoom {
    pub(super) room: usize,
    /// Room of the lever.
    pub(super) lever: usize,
}

impl TreeBoard {
    /// Adds the rooms of a tree to a new board, with a name and a description for each. The root is the entrance, and
    /// passages are open.
    pub(super) fn new<'w>(
        tree: RoomTree,
        goal: Goal,
        end: usize,
        mut texts: impl FnMut(usize) -> [&'w str; 2],
    ) -> Self {
        let mut board = Board { goal, players: 1, entrance: cell(0), ..Board::default() };
        for (number, room) in tree.rooms.iter().enumerate() {
            let kind = match number {
                0 => CellKind::Entrance,
                _ if number == end => CellKind::Finish,
                _ => CellKind::Chamber,
            };
            let [name, description] = texts(number);
            board.add(Cell::new(room.at, kind, name, description));
        }
        board.put(cell(end), Mechanism::Finish);
        let mut ground = Self { tree, board, end };
        for room in 1..ground.tree.len() {
            ground.join(room, Lock::Open);
        }
        ground
    }

    /// Joins a room to its parent.
    fn join(&mut self, room: usize, lock: Lock) {
        if let Some((parent, direction)) = self.tree.parent(room) {
            self.board.join(cell(parent), direction, cell(room), lock);
        }
    }

    /// Adds a mechanism to a room.
    pub(super) fn put(&mut self, room: usize, mechanism: Mechanism) {
        self.board.put(cell(room), mechanism);
    }

    /// Closes the passage from the parent to a room with a gate.
    pub(super) fn bar(&mut self, room: usize, gate: Gate) {
        let gate = self.board.add_gate(gate);
        self.join(room, Lock::Gate(gate));
    }

    /// Returns a switch for the next gate, if each gate has one switch.
    pub(super) fn next_switch(&self) -> SwitchId {
        SwitchId(u16::try_from(self.board.gates.len()).unwrap_or(u16::MAX))
    }

    /// Adds a lever for the switch that opens the gate of another room.
    pub(super) fn put_lever(&mut self, room: usize, thing: Thing, switch: SwitchId) {
        self.put(room, Mechanism::Lever { thing, does: vec![Outcome::On(switch)] });
    }
}

impl Opening {
    /// Opens for good once all switches are on.
    pub(super) const fn once(on: Vec<SwitchId>) -> Self {
        Self::Switches { on, off: Vec::new(), stays: true }
    }
}

/// Returns the cell of a room.
pub(super) fn cell(room: usize) -> CellId {
    CellId(u16::try_from(room).unwrap_or(u16::MAX))
}

/// Returns a random number below `count`; 0 if `count` is 0.
fn pick_below(count: usize, dice: &mut Rng) -> usize {
    dice.up_to(u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;

    /// Trees have the requested size, are connected, have unique positions, and are determined by the seed.
    #[test]
    fn h5_trees_are_valid_and_deterministic() {
        for seed in 0..200 {
            let mut tree = RoomTree::grow(9, &mut Seed(seed).rng());
            let again = RoomTree::grow(9, &mut Seed(seed).rng());
            assert_eq!(format!("{tree:?}"), format!("{again:?}"));
            assert_eq!(tree.len(), 9);
            for room in 0..9 {
                assert_eq!(tree.rooms.iter().filter(|other| other.at == tree.rooms[room].at).count(), 1);
                assert_eq!(tree.distance(room, 0), tree.depth(room));
                assert!(tree.is_behind(room, room) && tree.is_behind(room, 0));
            }
            let most = (0..9).map(|room| tree.depth(room)).max();
            assert!(tree.deepest().iter().all(|room| Some(tree.depth(*room)) == most));
            let (host, leaf) = (tree.parent(8).unwrap().0, 8);
            assert_eq!(tree.distance(host, leaf), 1);
            assert!(!tree.is_behind(host, leaf));
            if let Some(more) = tree.attach(leaf, &mut Seed(seed).rng()) {
                assert_eq!(tree.distance(host, more), 2);
            }
        }
    }
}
