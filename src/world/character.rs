//! Bodies: players' and mobs' alike. Who is connected to one is the game's to know, not the world's.

use crate::base::{AccountId, BranchId, CharacterId, Direction, GameTime, RoomId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a body holds itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Posture {
    /// On its feet.
    #[default]
    Standing,
    /// Sitting down to heal.
    Resting,
    /// Asleep: creatures until they are woken.
    Asleep,
    /// At no hit points; helpless until helped up or out.
    Down,
}

/// What a creature is about. Whether it fights is told by its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mood {
    /// It stays where it is.
    #[default]
    Idle,
    /// It moves about.
    Roaming,
    /// It runs, for so many ticks more.
    Fleeing(u32),
    /// It is about to burst, in so many rounds.
    Fuse(u32),
    /// It is about to charge that way.
    Charging(Direction),
}

/// Money in coppers: a purse, an account at the bank, and what of the purse was found in this run and is not safe yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Money {
    /// Carried.
    pub purse: i64,
    /// At the bank.
    pub bank: i64,
    /// What of the purse is loot of the run; never more than the purse.
    pub run: i64,
}

impl Money {
    /// How much of a sum out of this purse would be loot of the run: what is safe goes first.
    pub fn loot_in(&self, copper: i64) -> i64 {
        copper.saturating_sub(self.purse.saturating_sub(self.run)).max(0)
    }

    /// Takes a sum out of the purse, which must hold it.
    ///
    /// # Panics
    /// If the purse holds less: whoever asks has to know that it does not.
    pub fn spend(&mut self, copper: i64) {
        assert!(
            (0..=self.purse).contains(&copper),
            "broken invariant: {copper} out of a purse of {}",
            self.purse
        );
        self.purse -= copper;
        self.run = self.run.min(self.purse);
    }
}

/// Something that hangs on a body for a while.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Affect {
    /// What it is, by key.
    pub key: String,
    /// When it ends.
    pub until: GameTime,
}

/// How a player stands to the guided start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuideState {
    /// Does not want it, or was never offered it.
    #[default]
    Off,
    /// May begin it; what would end a step counts already.
    Offered,
    /// Follows it.
    On,
    /// Has come to its end.
    Done,
}

impl GuideState {
    /// Whether steps are counted.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Offered | Self::On)
    }
}

/// What a new player has been shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Guide {
    /// Whether it follows the guided start.
    pub state: GuideState,
    /// The steps that are behind it, by key.
    pub done: BTreeSet<String>,
    /// The tips it has had, by the moment.
    pub tips: BTreeSet<String>,
}

/// What a player has learnt to type besides what everybody can, and what it has done that counts for more.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Craft {
    /// Its abilities by key, each with the moment from which it can be used again.
    pub abilities: BTreeMap<String, GameTime>,
    /// The abilities among which the next choice may be made, by key.
    pub offer: Vec<String>,
    /// How many offers it has had.
    pub offers: u64,
    /// How often each moment that counts has come, by its word.
    pub deeds: BTreeMap<String, u32>,
}

/// A text that somebody writes line by line. It outlasts the connection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Draft {
    /// The command that the text belongs to, as it would be typed before an `=`.
    pub command: String,
    /// Where it was begun, and where it has to be ended.
    pub room: RoomId,
    /// The lines so far; an empty one parts paragraphs.
    pub lines: Vec<String>,
    /// Which text it is, so that nobody else writes the same meanwhile.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// When it was begun.
    #[serde(default)]
    pub since: GameTime,
    /// When its last line was written, as long as it was theirs to write.
    #[serde(default)]
    pub at: GameTime,
}

impl Draft {
    /// The paragraphs, parted by line ends. Each item of a list is one.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut is_open = false;
        for line in &self.lines {
            let goes_on = is_open && !line.starts_with("- ");
            if !line.is_empty() && !text.is_empty() {
                text.push(if goes_on { ' ' } else { '\n' });
            }
            text.push_str(line);
            is_open = !line.is_empty();
        }
        text
    }
}

/// Whether a field need not be stored.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A character. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Character {
    /// Identity.
    pub id: CharacterId,
    /// Whose it is; none for a mob.
    pub account: Option<AccountId>,
    /// The prototype of a mob.
    pub mob: Option<String>,
    /// A player's name, or a mob's without article ("clay rat").
    pub name: String,
    /// The name in lower case; unique among players.
    pub key: Option<String>,
    /// What the name looks like; unique among players.
    pub skeleton: Option<String>,
    /// What others see when they look.
    pub description: String,
    /// Where it stands, or for a sleeping player where it will wake.
    pub room: RoomId,
    /// Whether the body is in the world: players without a connection leave it after a while.
    pub awake: bool,
    /// When a body without connection leaves the world.
    pub link_dead_until: Option<GameTime>,
    /// Membership of a branch: the tag `dungeon_character`.
    pub branch: Option<BranchId>,
    /// Hit points at the moment `hp_at`; wounds close with time, computed when read.
    pub hp: i32,
    /// When `hp` was true.
    pub hp_at: GameTime,
    /// Hit points at most.
    pub max_hp: i32,
    /// Power of its blows.
    pub attack: i32,
    /// What its skin turns away.
    pub defence: i32,
    /// Experience gathered.
    pub xp: i64,
    /// Level, from 1.
    pub level: u32,
    /// Choices of new levels that have not been made yet.
    #[serde(default, skip_serializing_if = "is_default")]
    pub trainings: u32,
    /// What it has learnt to type, and what counts for more of that.
    #[serde(default, skip_serializing_if = "is_default")]
    pub craft: Craft,
    /// Whom it fights.
    pub target: Option<CharacterId>,
    /// How it holds itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub posture: Posture,
    /// When one who is down is out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub down_until: Option<GameTime>,
    /// Until when nobody strikes one who was helped up.
    #[serde(default, skip_serializing_if = "is_default")]
    pub safe_until: Option<GameTime>,
    /// When it came into the room: who waits strikes first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub arrived_at: GameTime,
    /// What hangs on it, in the order of beginning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub affects: Vec<Affect>,
    /// What a creature is about.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mood: Mood,
    /// Whose companion a creature is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub master: Option<CharacterId>,
    /// The theme of the room in which it was held captive, if it was: its thanks are said in the words of that theme.
    #[serde(default, skip_serializing_if = "is_default")]
    pub held_by: Option<String>,
    /// Whom it walks after.
    #[serde(default, skip_serializing_if = "is_default")]
    pub following: Option<CharacterId>,
    /// What it owns in coin.
    #[serde(default, skip_serializing_if = "is_default")]
    pub money: Money,
    /// What a new player has been shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guide: Guide,
    /// What a player has put behind its name, as others read it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: String,
    /// At how many percent of its hit points a player runs from a fight by itself; 0 for never.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wimpy: u32,
    /// What it is writing line by line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub draft: Option<Draft>,
    /// Whether a player has ever been in a branch.
    #[serde(default, skip_serializing_if = "is_default")]
    pub delved: bool,
    /// Where `recall` leads a player, and where a mob belongs.
    pub home: RoomId,
    /// When it was made.
    pub created_at: GameTime,
    /// When it was last in the world.
    pub seen_at: GameTime,
}

impl Character {
    /// A body with nothing on it and no numbers, asleep in a room that is its home.
    pub fn new(id: CharacterId, name: String, room: RoomId, now: GameTime) -> Self {
        Self {
            id,
            account: None,
            mob: None,
            name,
            key: None,
            skeleton: None,
            description: String::new(),
            room,
            awake: false,
            link_dead_until: None,
            branch: None,
            hp: 1,
            hp_at: now,
            max_hp: 1,
            attack: 0,
            defence: 0,
            xp: 0,
            level: 1,
            trainings: 0,
            craft: Craft::default(),
            target: None,
            posture: Posture::Standing,
            down_until: None,
            safe_until: None,
            arrived_at: now,
            affects: Vec::new(),
            mood: Mood::Idle,
            master: None,
            held_by: None,
            following: None,
            money: Money::default(),
            guide: Guide::default(),
            title: String::new(),
            wimpy: 0,
            draft: None,
            delved: false,
            home: room,
            created_at: now,
            seen_at: now,
        }
    }

    /// Whether an account drives it.
    pub const fn is_player(&self) -> bool {
        self.account.is_some()
    }
}
