//! Check of zone files that takes several steps.

use deepwell_core::base::{Coordinates, ExitId, RoomId};
use deepwell_core::catalog::{Area, AreaRoom, CatalogError, VariableDeclaration};
use deepwell_core::world::FormerZones;
use std::collections::{BTreeMap, BTreeSet};

/// Places of rooms in their files, by zone and key.
pub(crate) type RoomKeys = BTreeMap<String, BTreeMap<String, usize>>;

/// Position in files that are visited room by room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FilesCursor {
    zone: usize,
    room: usize,
}

/// Next part of files that are visited room by room.
pub(crate) struct FilesVisit<'f> {
    pub(crate) zone: &'f String,
    pub(crate) area: &'f Area,
    /// Room with its place in the file; `None` at the end of a file.
    pub(crate) room: Option<(usize, &'f AreaRoom)>,
    /// Set for the first part of a file.
    pub(crate) is_first: bool,
}

impl FilesCursor {
    /// Before the first room.
    pub(crate) const START: Self = Self { zone: 0, room: 0 };

    /// Returns the file that is visited.
    pub(crate) fn zone<'f>(&self, files: &'f BTreeMap<String, Area>) -> Option<(&'f String, &'f Area)> {
        files.iter().nth(self.zone)
    }

    /// Returns the place of the next room in its file.
    pub(crate) const fn room(&self) -> usize {
        self.room
    }

    /// Moves to the first room of the file.
    pub(crate) const fn restart_zone(&mut self) {
        self.room = 0;
    }

    /// Moves to the next file.
    pub(crate) const fn skip_zone(&mut self) {
        (self.zone, self.room) = (self.zone + 1, 0);
    }

    /// Returns the next room, or the end of a file; `None` after the last file.
    pub(crate) fn next<'f>(&mut self, files: &'f BTreeMap<String, Area>) -> Option<FilesVisit<'f>> {
        let (zone, area) = files.iter().nth(self.zone)?;
        let is_first = self.room == 0;
        let room = area.rooms.get(self.room).map(|room| (self.room, room));
        match room {
            Some(_) => self.room += 1,
            None => self.skip_zone(),
        }
        Some(FilesVisit { zone, area, room, is_first })
    }
}

/// Stage of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CheckStage {
    /// Collects the keys of the rooms.
    #[default]
    Keys,
    /// Checks the rooms of the files.
    Rooms,
    /// Checks the rooms that the files remove.
    Gone,
    /// Searches for a way from the town to the dungeon.
    Ways,
    /// Finds the exits of other zones that lead into rooms that the files remove.
    ExitsInto,
    Done,
}

/// Room of an imported file by its zone and key, or an existing room elsewhere.
pub(crate) type RoomNode = Result<(String, String), RoomId>;

/// Check in progress.
#[derive(Debug, Default)]
pub(crate) struct FileCheck {
    pub(crate) stage: CheckStage,
    pub(crate) at: FilesCursor,
    /// Existing room that was visited last.
    pub(crate) room: Option<RoomId>,
    /// Exit that was visited last.
    pub(crate) exit: Option<ExitId>,
    /// Zones as they are now, by which the import is undone; `None` if that is not kept.
    pub(crate) former: Option<FormerZones>,
    pub(crate) keys: RoomKeys,
    /// Variables of the zone that is visited.
    pub(crate) declared: BTreeMap<String, VariableDeclaration>,
    /// Keys of the rooms of that zone, by their place in its file.
    pub(crate) own: BTreeMap<Coordinates, String>,
    /// Zones and names of the rooms of all files, by place in the world.
    pub(crate) taken: BTreeMap<Coordinates, (String, String)>,
    /// Rooms that can be walked to from the town.
    pub(crate) seen: BTreeSet<RoomNode>,
    /// Rooms of these whose exits are not visited yet.
    pub(crate) to_see: Vec<RoomNode>,
    /// Zones of the files that lead into each other, in the files or in the world.
    pub(crate) links: BTreeSet<(String, String)>,
    /// Errors; any of these prevents the import.
    pub(crate) mistakes: Vec<CatalogError>,
    /// Warnings: valid but probably unintended.
    pub(crate) doubts: Vec<CatalogError>,
}

impl FileCheck {
    /// Begins the next stage, with the first room.
    pub(crate) fn begin(&mut self, stage: CheckStage) {
        (self.stage, self.at, self.room) = (stage, FilesCursor::default(), None);
    }
}
