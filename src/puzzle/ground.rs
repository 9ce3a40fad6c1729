//! What several puzzles begin with: a tree of rooms grown at random on a free grid.

use crate::base::{Dice, Direction, Point, Rng};

use super::{Board, Cell, CellId, CellKind, Lock};

/// Rooms on the grid, each but the first joined to one that was there before it.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    rooms: Vec<Room>,
}

#[derive(Clone, Copy, Debug)]
struct Room {
    at: Point,
    /// The room it hangs on, and the way from there.
    parent: Option<(usize, Direction)>,
}

impl Tree {
    /// Grows a tree of so many rooms from one at the origin. Half of them go on from the latest, so that there are long
    /// arms and short ones.
    pub(super) fn grow(rooms: usize, dice: &mut Rng) -> Self {
        let mut tree = Self { rooms: vec![Room { at: Point::ORIGIN, parent: None }] };
        while tree.len() < rooms.max(1) {
            let last = tree.len() - 1;
            let host = if dice.percent(50) { last } else { pick_below(tree.len(), dice) };
            tree.attach(host, dice);
        }
        tree
    }

    /// Hangs one more room on a room; none if there is no free place beside it.
    pub(super) fn attach(&mut self, host: usize, dice: &mut Rng) -> Option<usize> {
        let at = self.rooms.get(host)?.at;
        let free: Vec<Direction> = Direction::PLANE
            .into_iter()
            .filter(|direction| self.rooms.iter().all(|room| room.at != at.step(*direction)))
            .collect();
        let direction = *dice.pick(&free)?;
        self.rooms.push(Room { at: at.step(direction), parent: Some((host, direction)) });
        Some(self.len() - 1)
    }

    /// How many rooms there are.
    pub(super) fn len(&self) -> usize {
        self.rooms.len()
    }

    /// The room that a room hangs on, and the way from there.
    pub(super) fn parent(&self, room: usize) -> Option<(usize, Direction)> {
        self.rooms.get(room)?.parent
    }

    /// The way from a room to the first, both included.
    fn line(&self, room: usize) -> Vec<usize> {
        let mut line = vec![room];
        let mut at = room;
        while let Some((parent, _)) = self.parent(at) {
            line.push(parent);
            at = parent;
        }
        line
    }

    /// Steps from the first room.
    pub(super) fn depth(&self, room: usize) -> usize {
        self.line(room).len() - 1
    }

    /// Steps between two rooms.
    pub(super) fn distance(&self, one: usize, other: usize) -> usize {
        let (one, other) = (self.line(one), self.line(other));
        let shared = one.iter().filter(|room| other.contains(room)).count();
        one.len() + other.len() - 2 * shared
    }

    /// Whether a room cannot be reached without going through another one; a room lies behind itself.
    pub(super) fn is_behind(&self, room: usize, other: usize) -> bool {
        self.line(room).contains(&other)
    }

    /// The rooms farthest from the first.
    pub(super) fn deepest(&self) -> Vec<usize> {
        let most = (0..self.len()).map(|room| self.depth(room)).max().unwrap_or(0);
        (0..self.len()).filter(|room| self.depth(*room) == most).collect()
    }

    /// Puts the rooms into a layout, the first as its entrance, with words and a kind for each. A room's number is its
    /// cell. Passages are open.
    pub(super) fn lay<'w>(
        &self,
        layout: &mut Board,
        mut words: impl FnMut(usize) -> (CellKind, [&'w str; 2]),
    ) {
        for (n, room) in self.rooms.iter().enumerate() {
            let (kind, [name, description]) = words(n);
            layout.add(Cell::new(room.at, kind, name, description));
        }
        for room in 1..self.len() {
            self.bar(layout, room, Lock::Open);
        }
        layout.entrance = cell(0);
    }

    /// Bars the passage through which one comes to a room from the first.
    pub(super) fn bar(&self, layout: &mut Board, room: usize, lock: Lock) {
        if let Some((parent, direction)) = self.parent(room) {
            layout.join(cell(parent), direction, cell(room), lock);
        }
    }
}

/// The cell of a room.
pub(super) fn cell(room: usize) -> CellId {
    CellId(u16::try_from(room).unwrap_or(u16::MAX))
}

/// A number below `count`; 0 if there is none.
fn pick_below(count: usize, dice: &mut Rng) -> usize {
    dice.up_to(u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;

    /// H5: trees are of the wished size, joined, without two rooms in one place, and the same for the same seed.
    #[test]
    fn trees_are_sound() {
        for seed in 0..200 {
            let mut tree = Tree::grow(9, &mut Seed(seed).rng());
            let again = Tree::grow(9, &mut Seed(seed).rng());
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
