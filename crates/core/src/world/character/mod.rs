//! Characters, for both players and creatures. Connections are tracked by the game, not by the world.

pub(super) mod depth_record;
pub(super) mod guide_progress;
pub mod party;
pub mod quest;

use crate::base::rare::{Rare, is_default};
use crate::base::{AccountId, BranchId, CharacterId, Direction, ExitId, GameTime, ItemId, RoomId};
use crate::world::character::depth_record::DepthRecords;
use crate::world::character::guide_progress::{GuideProgress, GuideState};
use crate::world::character::quest::{AchievementProgress, QuestProgress};
use crate::world::room::own_trigger::OwnTrigger;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Posture of a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Posture {
    /// Standing.
    #[default]
    Standing,
    /// Resting, to heal.
    Resting,
    /// Asleep; for creatures, until woken.
    Asleep,
    /// Incapacitated at zero hit points, until revived or dead.
    Down,
}

/// Current behaviour of a creature. Whether it is fighting is given by its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mood {
    /// Stays in place.
    #[default]
    Idle,
    /// Moves about.
    Roaming,
    /// Flees, for this many more ticks.
    Fleeing(u32),
    /// Bursts in this many rounds.
    Fuse(u32),
    /// Charges in this direction next.
    Charging(Direction),
}

/// Money in coppers: purse, bank account, and the part of the purse that is unsecured loot of the current run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Money {
    /// Carried money.
    #[serde(skip_serializing_if = "is_default")]
    pub purse: i64,
    /// Money at the bank.
    #[serde(skip_serializing_if = "is_default")]
    pub bank: i64,
    /// Part of the purse that is loot of the current run; never more than the purse.
    #[serde(skip_serializing_if = "is_default")]
    pub run: i64,
}

impl Money {
    /// Returns how much of `copper`, handed over from this purse, is loot of the run.
    pub fn loot_in(&self, copper: i64) -> i64 {
        copper.min(self.run)
    }

    /// Takes coins out of the purse to hand them over, those found on the run first.
    ///
    /// # Panics
    /// If the purse holds less than `copper`; callers check first.
    pub fn hand_over(&mut self, copper: i64) {
        let run = self.run - self.loot_in(copper);
        self.spend(copper);
        self.run = run;
    }

    /// Takes a sum out of the purse, secured money first.
    ///
    /// # Panics
    /// If the purse holds less than `copper`; callers check first.
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

/// Timed effect on a character.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Affect {
    /// Key of the effect.
    pub key: String,
    /// Expiry time.
    pub until: GameTime,
}

/// Abilities a player has learnt, and the deeds that count towards new ones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Craft {
    /// Abilities by key, each with the end of its cooldown.
    #[serde(skip_serializing_if = "is_default")]
    pub abilities: BTreeMap<String, GameTime>,
    /// Keys of the abilities offered for the next choice.
    #[serde(skip_serializing_if = "is_default")]
    pub offer: Vec<String>,
    /// Number of offers made so far.
    #[serde(skip_serializing_if = "is_default")]
    pub offers: u64,
    /// Number of times each counted moment has occurred, by keyword.
    #[serde(skip_serializing_if = "is_default")]
    pub deeds: BTreeMap<String, u32>,
}

/// Text being written line by line. It survives disconnection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EditBuffer {
    /// Command that the text belongs to, as it would be typed before an `=`.
    pub command: String,
    /// Room in which the text was begun and must be finished.
    pub room: RoomId,
    /// Lines so far; an empty line separates paragraphs.
    pub lines: Vec<String>,
    /// Identifier of the edited text, so that no other player edits it concurrently.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Time at which the text was begun.
    #[serde(default)]
    pub since: GameTime,
    /// Time of the last line written while the player held the edit lock.
    #[serde(default)]
    pub at: GameTime,
}

impl EditBuffer {
    /// Returns the paragraphs, separated by line breaks. Each list item is a paragraph.
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

/// Character, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Character {
    /// Unique id.
    pub id: CharacterId,
    /// Account of the player; `None` for a creature.
    #[serde(default, skip_serializing_if = "is_default")]
    pub account: Option<AccountId>,
    /// Key of a creature's prototype.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(rename = "mob")]
    pub prototype: Option<String>,
    /// Name of a player, or name of a creature without article ("clay rat").
    pub name: String,
    /// Name in lower case; unique among players.
    #[serde(default, skip_serializing_if = "is_default")]
    pub key: Option<String>,
    /// Confusable skeleton of the name; unique among players.
    #[serde(default, skip_serializing_if = "is_default")]
    pub skeleton: Option<String>,
    /// Description shown by `look`.
    pub description: String,
    /// Current room; for a sleeping player, the room in which they wake.
    pub room: RoomId,
    /// Set while the character is in the world. Link-dead players are removed after a delay.
    pub awake: bool,
    /// Time at which a link-dead character is removed from the world.
    #[serde(default, skip_serializing_if = "is_default")]
    pub link_dead_until: Option<GameTime>,
    /// Branch membership: the tag `dungeon_character`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub branch: Option<BranchId>,
    /// Hit points at `hp_at`. Regeneration is computed on read.
    pub hp: i32,
    /// Time at which `hp` was current.
    pub hp_at: GameTime,
    /// Maximum hit points.
    pub max_hp: i32,
    /// Attack strength.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attack: i32,
    /// Natural defence.
    #[serde(default, skip_serializing_if = "is_default")]
    pub defence: i32,
    /// Experience points.
    #[serde(default, skip_serializing_if = "is_default")]
    pub xp: i64,
    /// Level, from 1.
    pub level: u32,
    /// Pending level-up choices.
    #[serde(default, skip_serializing_if = "is_default")]
    pub trainings: u32,
    /// Learnt abilities and the progress towards new ones.
    #[serde(default, skip_serializing_if = "is_default")]
    pub craft: Craft,
    /// Combat target.
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: Option<CharacterId>,
    /// Posture.
    #[serde(default, skip_serializing_if = "is_default")]
    pub posture: Posture,
    /// Piece of furniture on which a resting character sits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seat: Option<ItemId>,
    /// Time at which an incapacitated character dies.
    #[serde(default, skip_serializing_if = "is_default")]
    pub down_until: Option<GameTime>,
    /// Falls of a player whose wounds are not closed yet.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wounds: u32,
    /// End of the protection against attacks after being revived.
    #[serde(default, skip_serializing_if = "is_default")]
    pub safe_until: Option<GameTime>,
    /// Arrival time in the current room: an earlier arrival strikes first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub arrived_at: GameTime,
    /// Timed effects, in the order of beginning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub affects: Vec<Affect>,
    /// Current behaviour of a creature.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mood: Mood,
    /// Next stop of its patrol, as a position in the list.
    #[serde(default, skip_serializing_if = "is_default")]
    pub patrol_stop: u32,
    /// Player whom a companion creature belongs to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub master: Option<CharacterId>,
    /// Theme of the room in which the creature was held captive, if it was. Its thanks use the texts of that theme.
    #[serde(default, skip_serializing_if = "is_default")]
    pub held_by: Option<String>,
    /// Hidden exits that a player has found.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub found_exits: Rare<BTreeSet<ExitId>>,
    /// Rooms that a player has left, of those where a script asks for a first visit.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub visited: Rare<BTreeSet<RoomId>>,
    /// Triggers of this creature alone.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub triggers: Rare<Vec<OwnTrigger>>,
    /// Character that this one follows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub following: Option<CharacterId>,
    /// Purse and bank account.
    #[serde(default, skip_serializing_if = "is_default")]
    pub money: Money,
    /// Tutorial progress and tips shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guide: GuideProgress,
    /// Progress in quests, by key.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub quests: Rare<BTreeMap<String, QuestProgress>>,
    /// Progress in achievements, by key.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub achievements: Rare<BTreeMap<String, AchievementProgress>>,
    /// Greatest depths of a player.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub records: Rare<DepthRecords>,
    /// Titles that quests and achievements have given to a player, oldest first.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub titles: Rare<Vec<String>>,
    /// Title shown behind a player's name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: String,
    /// Pose of a player in the current room, as the words after the name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pose: String,
    /// Percentage of hit points at which a player flees automatically; 0 for never.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wimpy: u32,
    /// Text being written line by line.
    #[serde(rename = "draft", default, skip_serializing_if = "is_default")]
    pub edit_buffer: Option<EditBuffer>,
    /// Set once the player has been in a branch.
    #[serde(default, skip_serializing_if = "is_default")]
    pub delved: bool,
    /// Destination of `recall` for a player; home room of a creature.
    pub home: RoomId,
    /// Creation time.
    pub created_at: GameTime,
    /// Time at which the character was last in the world.
    pub seen_at: GameTime,
}

impl Character {
    /// Creates a sleeping character without equipment or stats, at home in `room`.
    pub fn new(id: CharacterId, name: String, room: RoomId, now: GameTime) -> Self {
        Self {
            id,
            account: None,
            prototype: None,
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
            seat: None,
            down_until: None,
            wounds: 0,
            safe_until: None,
            arrived_at: now,
            affects: Vec::new(),
            mood: Mood::Idle,
            patrol_stop: 0,
            master: None,
            held_by: None,
            found_exits: Rare::usual(),
            visited: Rare::usual(),
            triggers: Rare::usual(),
            following: None,
            money: Money::default(),
            guide: GuideProgress::default(),
            quests: Rare::usual(),
            achievements: Rare::usual(),
            records: Rare::usual(),
            titles: Rare::usual(),
            title: String::new(),
            pose: String::new(),
            wimpy: 0,
            edit_buffer: None,
            delved: false,
            home: room,
            created_at: now,
            seen_at: now,
        }
    }

    /// Returns `true` while the offer of a guide waits for an answer. Players of a higher level have long decided.
    pub fn is_offered_guide(&self) -> bool {
        self.guide.state == GuideState::Offered && self.level == 1
    }

    /// Returns `true` if the character belongs to an account.
    pub const fn is_player(&self) -> bool {
        self.account.is_some()
    }
}
