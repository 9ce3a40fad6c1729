//! Import of zone files that takes several steps.

use crate::state::file_work::check::{FilesCursor, RoomKeys};
use deepwell_core::base::{CharacterId, Coordinates, ExitId, JournalId, RoomId};
use deepwell_core::catalog::Area;
use deepwell_core::text::grammar;
use deepwell_core::world::{FormerZones, SpawnRule, ZoneDraft};
use std::collections::{BTreeMap, BTreeSet};

/// Number of rooms that an import created, kept or updated, and removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Imported {
    pub(crate) made: u32,
    pub(crate) kept: u32,
    pub(crate) gone: u32,
}

impl Imported {
    /// Returns the sentence about a published draft of a zone.
    pub(crate) fn published(self, zone: &str) -> String {
        self.line(&format!("Everybody sees the new {zone} now"))
    }

    /// Returns a sentence with the numbers of rooms.
    pub(crate) fn line(self, about: &str) -> String {
        let [made, kept, gone] =
            [self.made, self.kept, self.gone].map(|rooms| grammar::counted(rooms, "room"));
        format!("{about}: {made} made, {kept} kept, {gone} gone.")
    }

    /// Counts kept rooms as created: those of the draft of a new zone.
    pub(crate) const fn all_made(self) -> Self {
        Self { made: self.made + self.kept, kept: 0, gone: self.gone }
    }
}

/// Stage of an import. Each can be repeated from the first one on, with the same result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum ImportStage {
    /// Collects the keys of the rooms of the files.
    #[default]
    Keys,
    /// Moves the rooms of a draft into its new zone.
    TakeOver,
    /// Finds the rooms that the files remove.
    Gone,
    /// Finds the rooms that the files bring, and those whose key alone has changed.
    New,
    /// Empties the rooms to be removed.
    Close,
    /// Removes the exits that lead there.
    ExitsInto,
    /// Replaces homes there.
    Homes,
    /// Removes the rooms.
    Remove,
    /// Finds the places of rooms in existing zones.
    Origins,
    /// Finds the places of new zones.
    NewOrigins,
    /// Moves rooms that change their place out of the way.
    Lift,
    /// Creates the rooms, each at its place and with its key.
    Build,
    /// Fills the rooms, and joins them by exits.
    Furnish,
    /// Restores exits of other zones into restored rooms.
    Restore,
    /// Renames the draft that is published in the rooms of other zones. Then the draft is removed.
    Follow,
    Done,
}

impl ImportStage {
    /// Returns the next stage.
    pub(crate) const fn next(self) -> Self {
        match self {
            Self::Keys => Self::TakeOver,
            Self::TakeOver => Self::Gone,
            Self::Gone => Self::New,
            Self::New => Self::Close,
            Self::Close => Self::ExitsInto,
            Self::ExitsInto => Self::Homes,
            Self::Homes => Self::Remove,
            Self::Remove => Self::Origins,
            Self::Origins => Self::NewOrigins,
            Self::NewOrigins => Self::Lift,
            Self::Lift => Self::Build,
            Self::Build => Self::Furnish,
            Self::Furnish => Self::Restore,
            Self::Restore => Self::Follow,
            Self::Follow | Self::Done => Self::Done,
        }
    }
}

/// Zone, name and description of a room.
pub(crate) type ImportedRoomText = (String, String, String);

/// Import in progress.
#[derive(Debug)]
pub(crate) struct ImportRun {
    /// Stored row of the import; `None` if it takes one step.
    pub(crate) id: Option<JournalId>,
    /// Parsed files.
    pub(crate) files: BTreeMap<String, Area>,
    pub(crate) stage: ImportStage,
    pub(crate) at: FilesCursor,
    /// Existing room that was visited last.
    pub(crate) room: Option<RoomId>,
    /// Exit that was visited last.
    pub(crate) exit: Option<ExitId>,
    /// Character that was visited last.
    pub(crate) body: Option<CharacterId>,
    /// Set if homes were replaced since the first character was visited.
    pub(crate) has_moved: bool,
    /// Number of times that the run has waited for players who are asleep in rooms to be removed.
    pub(crate) waits: u32,
    pub(crate) keys: RoomKeys,
    /// Rooms to be removed.
    pub(crate) gone: BTreeSet<RoomId>,
    /// Rooms to be removed, by their texts.
    pub(crate) gone_texts: BTreeMap<ImportedRoomText, Vec<RoomId>>,
    /// Keys of new rooms, by their texts.
    pub(crate) new_texts: BTreeMap<ImportedRoomText, Vec<String>>,
    /// Rooms that get another key, by zone and that key.
    pub(crate) rekeyed: BTreeMap<(String, String), RoomId>,
    /// Zones that had no rooms before.
    pub(crate) new_zones: BTreeSet<String>,
    /// Places that the files say for rooms of existing zones, with the zone.
    pub(crate) file_places: BTreeMap<Coordinates, String>,
    /// Place of the `[0, 0, 0]` of the new zone that is visited.
    pub(crate) origin: Option<Coordinates>,
    /// Places of the rooms by zone and key, of files that leave places out.
    pub(crate) places: BTreeMap<String, BTreeMap<String, Coordinates>>,
    pub(crate) imported: BTreeMap<String, Imported>,
    /// New spawn rules that apply at the end of an import in one step.
    pub(crate) wanted: Vec<(RoomId, SpawnRule)>,
    /// Zones that an undo restores: their rooms and exits get their ids back.
    pub(crate) former: FormerZones,
    /// Digests of the zones after the import.
    pub(crate) digests: BTreeMap<String, String>,
    /// Draft that is published or discarded, with its key.
    pub(crate) draft: Option<(String, ZoneDraft)>,
    /// Set if the draft is that of a new zone, which takes its rooms over.
    pub(crate) moves_rooms: bool,
    /// Set once the draft is being removed.
    pub(crate) is_leaving: bool,
}

impl ImportRun {
    /// Begins an import whose files are stored, or one that takes one step.
    pub(crate) fn new(id: Option<JournalId>) -> Self {
        Self {
            id,
            stage: ImportStage::Keys,
            at: FilesCursor::START,
            room: None,
            exit: None,
            body: None,
            has_moved: false,
            waits: 0,
            files: BTreeMap::new(),
            keys: BTreeMap::new(),
            gone: BTreeSet::new(),
            gone_texts: BTreeMap::new(),
            new_texts: BTreeMap::new(),
            rekeyed: BTreeMap::new(),
            new_zones: BTreeSet::new(),
            file_places: BTreeMap::new(),
            origin: None,
            places: BTreeMap::new(),
            imported: BTreeMap::new(),
            wanted: Vec::new(),
            former: FormerZones::default(),
            digests: BTreeMap::new(),
            draft: None,
            moves_rooms: false,
            is_leaving: false,
        }
    }

    /// Begins to publish or discard a draft in one step.
    pub(crate) fn of_draft(key: &str, draft: &ZoneDraft) -> Self {
        Self { draft: Some((key.to_owned(), draft.clone())), ..Self::new(None) }
    }

    /// Returns `true` for an import that takes one step.
    pub(crate) const fn is_at_once(&self) -> bool {
        self.id.is_none()
    }

    /// Begins to remove the rooms of the draft.
    pub(crate) fn leave_draft(&mut self) {
        let Some((key, _)) = &self.draft else { return };
        self.files = BTreeMap::from([(key.clone(), Area::empty(key))]);
        self.keys.clear();
        self.is_leaving = true;
        self.begin(ImportStage::Keys);
    }

    /// Begins a stage, with the first room.
    pub(crate) fn begin(&mut self, stage: ImportStage) {
        (self.stage, self.at, self.room) = (stage, FilesCursor::default(), None);
        (self.exit, self.body, self.origin) = (None, None, None);
    }

    /// Begins the next stage.
    pub(crate) fn advance(&mut self) {
        self.begin(self.stage.next());
    }
}
