//! Audit of puzzle gates between commits. Solving the puzzle unblocks the room, which keeps its kind. If the branch has
//! no space for the puzzle, the gate is waived: only then may a stored room of a branch change its kind. The puzzle is
//! generated again here to determine its size.

use super::Breach;
use deepwell_core::base::{BranchId, Direction};
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::gate::puzzle_seed;
use deepwell_core::puzzle;
use deepwell_core::world::{Changes, Exit, Expedition, Room, RoomKind, Snapshot};
use deepwell_game::GameConfig;
use std::sync::Arc;

/// Data that decides whether a puzzle fits into its branch.
#[derive(Debug)]
pub(super) struct Gates {
    catalog: Arc<Catalog>,
    /// Maximum number of rooms of a branch, including rooms of puzzles.
    rooms_max: usize,
}

/// A batch and the stored world before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchCheck<'a> {
    pub(super) changes: &'a Changes,
    pub(super) stored: &'a Snapshot,
}

impl Gates {
    pub(super) fn new(catalog: Arc<Catalog>, config: &GameConfig) -> Self {
        Self { catalog, rooms_max: config.limits.rooms_per_branch as usize }
    }

    /// Checks that a stored room keeps its kind and its puzzle, changes them according to the rules, or becomes a camp.
    pub(super) fn audit(&self, old: &Room, new: &Room, batch: BatchCheck) -> Result<(), Breach> {
        let kinds = (old.sheet.kind, new.sheet.kind);
        match (old.challenge.puzzle(), new.challenge.puzzle()) {
            (before, after) if before == after && old.sheet.kind == new.sheet.kind => Ok(()),
            (None, None) if new.sheet.kind == RoomKind::Rest && batch.pitches_camp(new) => Ok(()),
            (Some(_), None) if kinds == (RoomKind::Puzzle, RoomKind::Puzzle) => batch.is_built(new),
            (Some(number), None) if kinds == (RoomKind::Puzzle, RoomKind::Dungeon) => {
                self.is_waived(old, number, batch)
            }
            (before, after) => {
                Err(Breach(format!("kinds {kinds:?}, and its puzzle changed from {before:?} to {after:?}")))
            }
        }
    }

    /// Checks that a waived puzzle was never created and is larger than the remaining space of its branch. All rooms of
    /// the batch count, because some may have been created after the gate was tried.
    fn is_waived(&self, gate: &Room, number: u32, batch: BatchCheck) -> Result<(), Breach> {
        let way_in = batch.way_in(gate).ok_or_else(|| breach("its puzzle is waived, and it has no gate"))?;
        if way_in.to.is_some() {
            return Err(breach("its puzzle is waived, and has been made"));
        }
        let theme = self.catalog.themes.get(&gate.area);
        let entry = theme.and_then(|theme| theme.puzzles.get(number as usize));
        let entry = entry.ok_or_else(|| breach("its puzzle is waived, and its theme has no such puzzle"))?;
        let branch = gate.branch.and_then(|branch| batch.stored.branches.get(&branch));
        let branch = branch.ok_or_else(|| breach("its puzzle is waived, and it is in no branch"))?;
        let drawn = puzzle::draw(entry, puzzle_seed(branch.seed, gate.floor, gate.at));
        let (rooms, cells) = (batch.rooms_in(branch.id), drawn.board.cells.len());
        if rooms + cells > self.rooms_max {
            return Ok(());
        }
        let most = self.rooms_max;
        Err(Breach(format!("its puzzle is waived, and {cells} rooms more than {rooms} are not above {most}")))
    }
}

impl BatchCheck<'_> {
    /// Returns `true` if the batch has pitched a camp in a room.
    fn pitches_camp(self, room: &Room) -> bool {
        let has_camp = |row: &Expedition| row.camps.contains(&room.id);
        let before = room.branch.and_then(|branch| self.stored.expeditions.get(&branch));
        self.changes.expeditions.put.iter().any(has_camp) && !before.is_some_and(has_camp)
    }

    /// Checks that the puzzle behind a gate has been created.
    fn is_built(self, gate: &Room) -> Result<(), Breach> {
        match self.way_in(gate).and_then(|exit| exit.to) {
            Some(_) => Ok(()),
            None => Err(breach("its puzzle is solved, and was never made")),
        }
    }

    /// Returns the gate of a room as of the end of the batch.
    fn way_in(&self, room: &Room) -> Option<&Exit> {
        let leads_in =
            |exit: &&Exit| exit.room == room.id && exit.is_gate() && exit.direction == Some(Direction::In);
        let written = self.changes.exits.put.iter().find(leads_in);
        written.or_else(|| self.stored.exits.values().find(leads_in))
    }

    /// Returns the number of rooms of a branch at the end of the batch, including those that it deletes.
    fn rooms_in(&self, branch: BranchId) -> usize {
        let within = |room: &&Room| room.branch == Some(branch);
        let new = |room: &&Room| within(room) && !self.stored.rooms.contains_key(&room.id);
        self.stored.rooms.values().filter(within).count() + self.changes.rooms.put.iter().filter(new).count()
    }
}

fn breach(what: &str) -> Breach {
    Breach(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CATALOG, Table};
    use deepwell_core::base::{ExitId, ExitKind, RoomId, Seed};
    use deepwell_core::world::table::TableChanges;
    use deepwell_core::world::{RoomFeature, Snapshot};

    /// Returns a stored world with an unused gate in a branch, and the room of the gate.
    fn before_a_gate() -> (Gates, Snapshot, Room) {
        let config = GameConfig { seed: Seed(11), ..GameConfig::default() };
        let mut table = Table::new(config.clone());
        table.sit("Ada");
        table.types_all("Ada", &["down", "north"]);
        let mut stored = table.stored().clone();
        let first = stored.rooms.values_mut().find(|room| room.branch.is_some()).unwrap();
        (first.sheet.kind, first.clear) = (RoomKind::Puzzle, false);
        first.challenge.feature = Some(RoomFeature::Gate { puzzle: 0 });
        let outside = first.clone();
        let pattern = stored.exits.values().find(|exit| exit.room == outside.id).unwrap().clone();
        let (id, direction) = (ExitId(pattern.id.0 + 10_000), Some(Direction::In));
        stored.exits.insert(id, Exit { id, direction, kind: ExitKind::Stairs, to: None, ..pattern });
        (Gates::new(Arc::clone(&CATALOG), &config), stored, outside)
    }

    fn waived(gate: &Room) -> Room {
        let mut room = Room { clear: true, ..gate.clone() };
        room.sheet.kind = RoomKind::Dungeon;
        room.challenge.feature = None;
        room
    }

    fn solved(gate: &Room) -> Room {
        let mut room = waived(gate);
        room.sheet.kind = RoomKind::Puzzle;
        room
    }

    /// Audits a room in an otherwise empty batch.
    fn audited(gates: &Gates, stored: &Snapshot, old: &Room, new: &Room) -> Result<(), Breach> {
        gates.audit(old, new, BatchCheck { changes: &Changes::default(), stored })
    }

    /// Gives the gate a destination.
    fn make(stored: &mut Snapshot) {
        let gate = stored.exits.values_mut().find(|exit| exit.is_gate()).unwrap();
        gate.to = Some(RoomId(9_999));
    }

    #[test]
    fn gate_is_waived_only_without_space_for_its_puzzle() {
        let (mut gates, stored, gate) = before_a_gate();
        let breach = audited(&gates, &stored, &gate, &waived(&gate)).unwrap_err();
        assert!(breach.0.contains("are not above 100000"), "{breach}");
        gates.rooms_max = 2;
        assert_eq!(audited(&gates, &stored, &gate, &waived(&gate)), Ok(()));
    }

    /// The gate is not waived if the last cell still fits, and is waived if one room more exists, even one from the
    /// same batch.
    #[test]
    fn gate_is_waived_exactly_at_the_room_limit() {
        let (mut gates, stored, gate) = before_a_gate();
        let branch = &stored.branches[&gate.branch.unwrap()];
        let entry = &gates.catalog.themes[&gate.area].puzzles[0];
        let cells = puzzle::draw(entry, puzzle_seed(branch.seed, gate.floor, gate.at)).board.cells.len();
        gates.rooms_max = cells + 1;
        audited(&gates, &stored, &gate, &waived(&gate)).unwrap_err();
        let room = Room { id: RoomId(9_999), ..gate.clone() };
        let rooms = TableChanges { put: vec![waived(&gate), room], ..TableChanges::default() };
        let changes = Changes { rooms, ..Changes::default() };
        assert_eq!(
            gates.audit(&gate, &waived(&gate), BatchCheck { changes: &changes, stored: &stored }),
            Ok(())
        );
    }

    #[test]
    fn created_puzzles_are_not_waived_and_others_not_solved() {
        let (mut gates, mut stored, gate) = before_a_gate();
        gates.rooms_max = 2;
        let breach = audited(&gates, &stored, &gate, &solved(&gate)).unwrap_err();
        assert!(breach.0.contains("never made"), "{breach}");
        make(&mut stored);
        assert_eq!(audited(&gates, &stored, &gate, &solved(&gate)), Ok(()));
        let breach = audited(&gates, &stored, &gate, &waived(&gate)).unwrap_err();
        assert!(breach.0.contains("has been made"), "{breach}");
    }

    #[test]
    fn other_changes_of_room_kinds_are_rejected() {
        let (mut gates, mut stored, gate) = before_a_gate();
        gates.rooms_max = 2;
        let plain = waived(&gate);
        let numbered = |kind, puzzle: Option<u32>| {
            let mut room = gate.clone();
            room.sheet.kind = kind;
            room.challenge.feature = puzzle.map(|puzzle| RoomFeature::Gate { puzzle });
            room
        };
        for (old, new) in [
            // A portcullis is not a gate.
            (&solved(&gate), &plain),
            // An unblocked room is not blocked again.
            (&plain, &gate),
            (&solved(&gate), &gate),
            (&gate, &numbered(RoomKind::Puzzle, Some(1))),
            // The kind changes only together with the puzzle, and only to that of an ordinary room.
            (&gate, &numbered(RoomKind::Dungeon, Some(0))),
            (&gate, &numbered(RoomKind::Rest, None)),
            (&plain, &numbered(RoomKind::Rest, None)),
        ] {
            audited(&gates, &stored, old, new).unwrap_err();
        }
        stored.exits.retain(|_, exit| !exit.is_gate());
        let breach = audited(&gates, &stored, &gate, &plain).unwrap_err();
        assert!(breach.0.contains("no gate"), "{breach}");
    }
}
