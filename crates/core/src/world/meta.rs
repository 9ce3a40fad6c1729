//! World metadata: seed, counters, clock.

use crate::base::rare::is_default;
use crate::base::{CharacterId, GameTime, Kept, RoomId, Seed, listed};
use crate::catalog::{StartSettings, StartTask};
use crate::dungeon::BuilderVaults;
use crate::world::{HeardRumour, Zone};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Metadata row of the world. Counters hold the next id to allocate; ids are never reused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Meta {
    /// Seed from which branch seeds are derived.
    pub seed: Seed,
    /// Number of times the world was loaded; each run has its own random streams.
    pub starts: u64,
    /// Latest time the world has reached; it never decreases.
    pub time: GameTime,
    /// Start room of new characters and destination of `recall`.
    pub town: Option<RoomId>,
    /// One-time token shown to the operator; the player who claims it becomes the owner.
    pub owner_token: Option<String>,
    /// Next account id.
    pub next_account: u32,
    /// Next character id.
    pub next_character: u64,
    /// Next room id.
    pub next_room: u32,
    /// Next exit id.
    pub next_exit: u64,
    /// Next item id.
    pub next_item: u64,
    /// Next branch id.
    pub next_branch: u32,
    /// Next party id.
    #[serde(default = "first_party")]
    pub next_party: u32,
    /// Next report id.
    #[serde(default = "first_party")]
    pub next_report: u32,
    /// Next ban id.
    #[serde(default = "first_party")]
    pub next_ban: u32,
    /// Next audit record id.
    #[serde(default = "first_line")]
    pub next_audit: u64,
    /// Next number of the build journal.
    #[serde(default = "first_line")]
    pub next_journal: u64,
    /// Next definition id.
    #[serde(default = "first_party")]
    pub next_definition: u32,
    /// Next id of a value of a variable.
    #[serde(default = "first_line")]
    pub next_variable: u64,
    /// Next mail id.
    #[serde(default = "first_line")]
    pub next_mail: u64,
    /// Next id of a note on a board.
    #[serde(default = "first_line")]
    pub next_note: u64,
    /// Lockdown switches set by staff.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub locks: BTreeSet<LockdownSwitch>,
    /// Rooms and variables of initial areas that have ever been created, as area and key; none is created twice.
    #[serde(default, skip_serializing_if = "Kept::is_default")]
    pub founded: Kept<BTreeSet<String>>,
    /// Zones by key. Rooms refer to their zone by its key as their area.
    #[serde(default, skip_serializing_if = "Kept::is_default")]
    pub zones: Kept<BTreeMap<String, Zone>>,
    /// Recent rumours from the well, oldest first.
    #[serde(default, skip_serializing_if = "Kept::is_default")]
    pub tidings: Kept<Vec<HeardRumour>>,
    /// Greatest depth reached by any player, by theme.
    #[serde(default, skip_serializing_if = "Kept::is_default")]
    pub records: Kept<BTreeMap<String, u32>>,
    /// Total coppers that have entered and left the world.
    #[serde(default)]
    pub money: FlowTotals,
    /// Total items of each kind that have entered and left the world.
    #[serde(default)]
    pub stock: Kept<BTreeMap<String, FlowTotals>>,
}

/// Totals of entering and leaving amounts; the difference exists in the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FlowTotals {
    /// Total amount created.
    pub made: i64,
    /// Total amount removed.
    pub gone: i64,
}

const fn first_party() -> u32 {
    1
}

const fn first_line() -> u64 {
    1
}

impl Meta {
    /// Creates the metadata row of a new world.
    pub fn fresh(seed: Seed) -> Self {
        Self {
            seed,
            starts: 0,
            time: GameTime(0),
            town: None,
            owner_token: None,
            next_account: 1,
            next_character: 1,
            next_room: 1,
            next_exit: 1,
            next_item: 1,
            next_branch: 1,
            next_party: 1,
            next_report: 1,
            next_ban: 1,
            next_audit: 1,
            next_journal: 1,
            next_definition: 1,
            next_variable: 1,
            next_mail: 1,
            next_note: 1,
            locks: BTreeSet::new(),
            founded: Kept::default(),
            zones: Kept::default(),
            tidings: Kept::default(),
            records: Kept::default(),
            money: FlowTotals { made: 0, gone: 0 },
            stock: Kept::default(),
        }
    }

    /// Returns the vaults created in the game, by key.
    pub fn vaults_created_in_game(&self) -> BuilderVaults {
        let all = self.zones.values().flat_map(|zone| &zone.vaults);
        all.map(|(key, vault)| (key.clone(), Arc::clone(vault))).collect()
    }

    /// Adds a rumour. Above `most` rumours, the oldest of the most frequent kind is removed.
    pub fn add_rumour(&mut self, tiding: HeardRumour, most: usize) {
        let tidings = &mut self.tidings;
        tidings.push(tiding);
        while tidings.len() > most {
            let kind = |one: &HeardRumour| std::mem::discriminant(&one.event);
            let alike = |one: &HeardRumour| tidings.iter().filter(|other| kind(other) == kind(one)).count();
            let counts: Vec<usize> = tidings.iter().map(alike).collect();
            let top = counts.iter().max();
            let at = counts.iter().position(|count| Some(count) == top).unwrap_or(0);
            tidings.remove(at);
        }
    }

    /// Returns the rumours about these characters.
    pub fn rumours_about(&self, bodies: &[CharacterId]) -> impl Iterator<Item = &HeardRumour> {
        let is_of =
            move |tiding: &&HeardRumour| tiding.event.characters().iter().any(|who| bodies.contains(who));
        self.tidings.iter().filter(is_of)
    }
}

listed! {
    /// Lockdown switch that affects all players.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum LockdownSwitch {
        /// Players cannot log in.
        Logins = "logins",
        /// Accounts cannot be created.
        Accounts = "accounts",
        /// The world is read-only: players can look and talk.
        World = "world",
    }
}

/// Repeating tasks and settings of a start room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartTasks {
    /// Start room.
    pub room: RoomId,
    /// Time of the next exit reset.
    pub next_reset_at: GameTime,
    /// Time of the next branch expiry check.
    pub next_check_at: GameTime,
    /// Settings made by builders.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: StartSettings,
}

impl StartTasks {
    /// Returns the time of the next run of a task.
    pub const fn next_at(&self, task: StartTask) -> GameTime {
        match task {
            StartTask::Reset => self.next_reset_at,
            StartTask::Check => self.next_check_at,
        }
    }

    /// Returns the time of the next run of a task to change it.
    pub const fn next_at_mut(&mut self, task: StartTask) -> &mut GameTime {
        match task {
            StartTask::Reset => &mut self.next_reset_at,
            StartTask::Check => &mut self.next_check_at,
        }
    }
}
