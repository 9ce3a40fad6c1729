//! What the world knows of itself: its seed, its counters, its time.

use super::{BranchSettings, Tiding, Zone};
use crate::base::{GameTime, RoomId, Seed, Span, listed};
use crate::catalog::AreaSettings;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The world's own row. Counters hold the next id to hand out; none is handed out twice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Meta {
    /// The seed that branches' seeds are drawn from.
    pub seed: Seed,
    /// How often the world was loaded; each run draws from streams of its own.
    pub starts: u64,
    /// The latest moment that the world has lived through; time never goes back behind it.
    pub time: GameTime,
    /// Where new characters begin, and where `recall` leads.
    pub town: Option<RoomId>,
    /// Given once to whoever runs the server; whoever claims it owns the world.
    pub owner_token: Option<String>,
    /// Next account.
    pub next_account: u32,
    /// Next character.
    pub next_character: u64,
    /// Next room.
    pub next_room: u32,
    /// Next exit.
    pub next_exit: u64,
    /// Next item.
    pub next_item: u64,
    /// Next branch.
    pub next_branch: u32,
    /// Next party.
    #[serde(default = "first_party")]
    pub next_party: u32,
    /// Next report.
    #[serde(default = "first_party")]
    pub next_report: u32,
    /// Next ban.
    #[serde(default = "first_party")]
    pub next_ban: u32,
    /// Next line of the book of what staff did.
    #[serde(default = "first_line")]
    pub next_audit: u64,
    /// Next entry of the journal of what was built.
    #[serde(default = "first_line")]
    pub next_journal: u64,
    /// Next definition that is made in the game.
    #[serde(default = "first_party")]
    pub next_definition: u32,
    /// What staff have locked.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub locks: BTreeSet<Lock>,
    /// The rooms of hand-built areas that were ever made, as area and key: none is made twice.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub founded: BTreeSet<String>,
    /// The zones that are kept as such, by key. Their rooms name them as their area.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, Zone>,
    /// What the town has heard of the well lately, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tidings: Vec<Tiding>,
    /// The greatest depth that anybody has come to in branches of each theme.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<String, u32>,
    /// Coppers that ever came into the world, and those that left it.
    #[serde(default)]
    pub money: Stock,
    /// Things of each kind that ever came into the world, and those that left it.
    #[serde(default)]
    pub stock: BTreeMap<String, Stock>,
}

/// What came into the world and what left it; the difference is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stock {
    /// Came.
    pub made: i64,
    /// Left.
    pub gone: i64,
}

const fn first_party() -> u32 {
    1
}

const fn first_line() -> u64 {
    1
}

impl Meta {
    /// The meta row of a world that does not exist yet.
    pub const fn fresh(seed: Seed) -> Self {
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
            locks: BTreeSet::new(),
            founded: BTreeSet::new(),
            zones: BTreeMap::new(),
            tidings: Vec::new(),
            records: BTreeMap::new(),
            money: Stock { made: 0, gone: 0 },
            stock: BTreeMap::new(),
        }
    }
}

listed! {
    /// What staff can shut for everybody.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Lock {
        /// No player comes in.
        Logins = "logins",
        /// Nobody makes an account.
        Accounts = "accounts",
        /// Nothing changes: people look and talk.
        World = "world",
    }
}

/// What a start room says of itself and of its exits; whatever is absent is the server's or the theme's to say.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StartSettings {
    /// What its exits give to their branches, where they do not say otherwise.
    pub exits: BranchSettings,
    /// How often its exits are reset.
    pub reset_interval: Option<Span>,
    /// How often its branches are checked for age.
    pub check_interval: Option<Span>,
}

impl From<&AreaSettings> for StartSettings {
    fn from(said: &AreaSettings) -> Self {
        let span = |secs: Option<u32>| secs.map(|secs| Span::secs(secs.into()));
        Self {
            exits: said.into(),
            reset_interval: span(said.reset_interval_secs),
            check_interval: span(said.check_interval_secs),
        }
    }
}

impl StartSettings {
    fn are_silent(&self) -> bool {
        *self == Self::default()
    }
}

/// The two repeating tasks of a start room, and its settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartTasks {
    /// The start room.
    pub room: RoomId,
    /// When its exits are next reset.
    pub next_reset_at: GameTime,
    /// When its branches are next checked for age.
    pub next_check_at: GameTime,
    /// What builders have set here.
    #[serde(default, skip_serializing_if = "StartSettings::are_silent")]
    pub settings: StartSettings,
}
