//! Visit of the rooms of a large zone, one after the other, over several steps.

use deepwell_core::base::RoomId;
use deepwell_core::catalog::{CatalogError, DefinitionKind};
use std::collections::BTreeSet;

/// Part of a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VisitStage {
    /// Collects the keys of the rooms in a file.
    Keys,
    /// Compares the rooms of the zone that the file lacks.
    Missing,
    /// Compares the rooms of the file.
    Rooms,
    /// Finds the references to a draft in other rooms.
    Followers,
    /// Finds the creatures and items that a draft loses when it is published.
    Lost,
    /// Finds the definitions that the rooms use, for a package.
    Used,
    /// Gives the rooms of a draft the names of its versions.
    Localise,
    Done,
}

/// Visit in progress, with its results so far.
#[derive(Debug)]
pub(crate) struct ZoneVisit {
    pub(crate) zone: String,
    pub(crate) stage: VisitStage,
    /// Room that was visited last.
    pub(crate) room: Option<RoomId>,
    /// Place of the next room in the file.
    pub(crate) place: usize,
    /// Keys of the rooms in the file.
    pub(crate) keys: BTreeSet<String>,
    /// Sentences so far.
    pub(crate) lines: Vec<String>,
    /// Uses of rooms and exits that are missing from the file.
    pub(crate) mistakes: Vec<CatalogError>,
    /// Set if a room has a board.
    pub(crate) has_board: bool,
    /// Text of the zone, for a package.
    pub(crate) text: String,
    /// Definitions that the rooms use.
    pub(crate) used: BTreeSet<(DefinitionKind, String)>,
}

impl ZoneVisit {
    /// Begins a visit.
    pub(crate) fn new(zone: &str, stage: VisitStage) -> Self {
        Self {
            zone: zone.to_owned(),
            stage,
            room: None,
            place: 0,
            keys: BTreeSet::new(),
            lines: Vec::new(),
            mistakes: Vec::new(),
            has_board: false,
            text: String::new(),
            used: BTreeSet::new(),
        }
    }

    /// Begins the next stage, with the first room.
    pub(crate) fn begin(&mut self, stage: VisitStage) {
        (self.stage, self.room, self.place) = (stage, None, 0);
    }
}
