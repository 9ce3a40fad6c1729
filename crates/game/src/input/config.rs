//! Configuration of the game rules: small checked values, independent of files.

use crate::input::sharing::SharingConfig;
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{Seed, Span, listed};
use serde::{Deserialize, Serialize};

/// Settings of the game rules. Defaults are those of the shipped `config.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameConfig {
    /// `world.seed`: seed of a new world; an existing world keeps its own.
    pub seed: Seed,
    /// `world.name`: name of the server.
    pub name: String,
    /// `game.round`: length of a combat round.
    pub round: Span,
    /// `game.guidance`: enables the guided start and tips for new characters.
    pub guidance: bool,
    /// `game.snoop_told`: notifies players when staff snoop on them.
    pub snoop_told: bool,
    /// `game.diagonals`: allows diagonal exits (northeast and so on) in hand-built rooms.
    pub diagonals: bool,
    /// `media.url`: base URL of sounds for clients; empty if there are no sounds.
    pub media_url: String,
    /// Section `[dungeon]`.
    pub dungeon: DungeonConfig,
    /// Section `[bridge]`, as far as it concerns the game.
    pub sharing: SharingConfig,
    /// Section `[limits]`.
    pub limits: Limits,
}

/// Section `[dungeon]`: defaults for branch exits and themes that do not set their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DungeonConfig {
    /// Guaranteed time for companions to take the same exit.
    pub window: Span,
    /// Interval between resets of branch exits.
    pub reset_interval: Span,
    /// Chance, per mille, that a reset unlinks an exit.
    pub reset_chance_permille: u32,
    /// Interval between checks for expired branches.
    pub check_interval: Span,
    /// Time since the last update after which a branch expires.
    pub max_life: Span,
    /// Activity that resets the age of a branch.
    pub renewed_by: RenewedBy,
    /// Time without players after which the rows of a branch leave memory; 0 for never.
    pub sleep_after: Span,
    /// Overrides the theme's setting if set.
    pub max_unexplored_exits: Option<u32>,
    /// Overrides the theme's setting if set.
    pub max_new_exits_per_room: Option<u32>,
    /// Overrides the theme's setting if set.
    pub finishable: Option<bool>,
    /// Limit on returns by party rope.
    pub rope: Rope,
}

listed! {
    /// Number of times that a party member may return into its branch after the window has closed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Rope {
        /// Never.
        Off = "off",
        /// Once in each branch.
        #[default]
        Once = "once",
        /// Without limit.
        Free = "free",
    }
}

listed! {
    /// Activity that resets the age of a branch.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum RenewedBy {
        /// A line that a player types in the branch.
        #[default]
        Commands = "commands",
        /// A room that is created in the branch.
        Rooms = "rooms",
    }
}

impl Default for DungeonConfig {
    fn default() -> Self {
        Self {
            window: Span::secs(300),
            reset_interval: Span::secs(300),
            reset_chance_permille: 500,
            check_interval: Span::secs(3_600),
            max_life: Span::secs(604_800),
            renewed_by: RenewedBy::Commands,
            sleep_after: Span::secs(300),
            max_unexplored_exits: None,
            max_new_exits_per_room: None,
            finishable: None,
            rope: Rope::Once,
        }
    }
}

impl Default for GameConfig {
    fn default() -> Self {
        Self {
            seed: Seed(0),
            name: "Deepwell".into(),
            round: Span::secs(3),
            guidance: true,
            snoop_told: true,
            diagonals: false,
            media_url: String::new(),
            dungeon: DungeonConfig::default(),
            sharing: SharingConfig::default(),
            limits: Limits::default(),
        }
    }
}
