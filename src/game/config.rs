//! What the rules need to know of the configuration: small checked values, no files.

use crate::base::limits::Limits;
use crate::base::{Seed, Span, listed};
use serde::{Deserialize, Serialize};

/// The settings that the rules use. Defaults are those of the shipped `config.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameConfig {
    /// `world.seed`: the seed of a fresh world; a world that exists keeps its own.
    pub seed: Seed,
    /// `world.name`: what the server calls itself.
    pub name: String,
    /// `game.round`: the pace of a fight.
    pub round: Span,
    /// `game.guidance`: whether new characters are offered the guided start and get tips.
    pub guidance: bool,
    /// `game.snoop_told`: whether players are told that staff read along with them.
    pub snoop_told: bool,
    /// `game.diagonals`: whether rooms built by hand have ways to the northeast and so on.
    pub diagonals: bool,
    /// `media.url`: where clients may fetch sounds; empty: nowhere.
    pub media_url: String,
    /// Section `[dungeon]`.
    pub dungeon: DungeonConfig,
    /// Section `[limits]`.
    pub limits: Limits,
}

/// Section `[dungeon]`: defaults for start exits and themes that do not set their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DungeonConfig {
    /// Guaranteed time for companions to take the same exit.
    pub window: Span,
    /// How often start exits are reset.
    pub reset_interval: Span,
    /// How likely each is unlinked then, in parts of a thousand.
    pub reset_chance_permille: u32,
    /// How often branches are checked for age.
    pub check_interval: Span,
    /// Age since the last update at which a branch collapses.
    pub max_life: Span,
    /// E14; absent: the theme's.
    pub max_unexplored_exits: Option<u32>,
    /// E35; absent: the theme's.
    pub max_new_exits_per_room: Option<u32>,
    /// E14; absent: the theme's.
    pub finishable: Option<bool>,
    /// How often the party rope bears.
    pub rope: Rope,
}

listed! {
    /// How often a member of a party may come back into its branch after the window has closed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Rope {
        /// Never.
        Off = "off",
        /// Once in each branch.
        #[default]
        Once = "once",
        /// As often as one likes.
        Free = "free",
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
            limits: Limits::default(),
        }
    }
}
