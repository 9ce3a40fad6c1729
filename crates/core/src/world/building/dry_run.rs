//! Dry runs of building commands: a change is applied, inspected and rolled back. Nothing is written, no id is used up,
//! and indices are unchanged afterwards.

use crate::base::{ExitId, RoomId};
use crate::world::{Meta, World};

/// State before the dry run.
#[derive(Debug)]
pub struct DryRun {
    meta: Meta,
    meta_touched: bool,
    ledger: usize,
}

impl World {
    /// Begins a dry run. `None` while original rows are already being tracked, because storage is not writable or a
    /// command is being watched.
    pub fn begin_dry_run(&mut self) -> Option<DryRun> {
        if self.frozen.is_some() || self.watched_zones.is_some() {
            return None;
        }
        track_built_rows(self, true);
        let meta_touched = self.meta_touched;
        Some(DryRun { meta: self.meta.clone(), meta_touched, ledger: self.ledger.len() })
    }

    /// Rolls back the dry run: removes the rooms and exits it created and restores builder-edited rows.
    pub fn end_dry_run(&mut self, dry_run: DryRun) {
        let exits: Vec<ExitId> =
            self.exits.range(ExitId(dry_run.meta.next_exit)..).map(|(id, _)| id).collect();
        for exit in exits {
            self.exits.remove(exit);
        }
        let rooms: Vec<RoomId> =
            self.rooms.range(RoomId(dry_run.meta.next_room)..).map(|(id, _)| id).collect();
        for room in rooms {
            self.remove_room(room);
        }
        self.rooms.take_back();
        self.exits.take_back();
        self.start_tasks.take_back();
        self.characters.take_back();
        self.definitions.take_back();
        track_built_rows(self, false);
        self.meta = Meta { time: self.meta.time, ..dry_run.meta };
        self.meta_touched = dry_run.meta_touched;
        self.ledger.truncate(dry_run.ledger);
    }
}

fn track_built_rows(world: &mut World, kept: bool) {
    world.rooms.track_originals(kept);
    world.exits.track_originals(kept);
    world.start_tasks.track_originals(kept);
    world.characters.track_originals(kept);
    world.definitions.track_originals(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Point, Seed};
    use crate::catalog::{RoomKind, RoomSheet};
    use crate::world::{Room, Snapshot};

    fn world() -> World {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let id = world.new_room_id();
        world.add_room(Room::new(id, RoomSheet::new(RoomKind::Room, "Cellar".into())));
        world.cut();
        world
    }

    #[test]
    fn dry_run_leaves_no_trace() {
        let mut world = world();
        let cellar = world.rooms.built().next().unwrap();
        let before = world.snapshot();
        let dry_run = world.begin_dry_run().unwrap();
        world.rooms.change(cellar, |room| room.sheet.name = "Attic".into());
        let id = world.new_room_id();
        world.add_room(Room {
            at: Point { x: 1, y: 0 },
            ..Room::new(id, RoomSheet::new(RoomKind::Room, "Loft".into()))
        });
        world.end_dry_run(dry_run);
        assert!(world.snapshot() == before && world.cut().is_empty());
        assert_eq!(world.rooms.built().count(), 1);
        assert_eq!(world.new_room_id(), id, "no number is used up");
    }

    #[test]
    fn dry_run_keeps_pending_writes() {
        let mut world = world();
        let cellar = world.rooms.built().next().unwrap();
        world.rooms.change(cellar, |room| room.sheet.name = "Vault".into());
        let dry_run = world.begin_dry_run().unwrap();
        world.rooms.change(cellar, |room| room.sheet.name = "Attic".into());
        world.end_dry_run(dry_run);
        assert_eq!(world.cut().rooms.put[0].sheet.name, "Vault");
        world.freeze(true);
        assert!(world.begin_dry_run().is_none(), "nothing can be written");
    }
}
