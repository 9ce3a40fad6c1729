//! Rooms: named places with a description and exits, hand-built or generated in a branch.

pub mod exit;
pub mod furniture;
pub(super) mod own_trigger;

use crate::base::rare::{Usual, is_default};
use crate::base::{BranchId, CharacterId, Coordinates, ExitId, GameTime, Point, Rare, RetiredField, RoomId};
use crate::catalog::{Bid, CreatureRoute, RoomFeature, RoomFlag, RoomSheet, ShopTerms};
use crate::script::Value;
use crate::world::{ScriptWait, SpawnRule, Spawned, Trigger};
use litemap::LiteMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Obstacles between a visitor and the unexplored exits of a room, and the rewards of the room.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "StoredChallenge", into = "StoredChallenge")]
pub struct RoomChallenge {
    /// Feature of the room, until it is used up.
    pub feature: Option<RoomFeature>,
    /// Room with the lever of this room's portcullis, if it is another.
    pub lever_in: Option<RoomId>,
    /// Room whose portcullis a lever in this room raises, if it is another.
    pub raises: Option<RoomId>,
    /// Prototypes of the items that appear when the room is cleared.
    pub reward: Vec<String>,
    /// Coppers that appear with them.
    pub coins: u32,
    /// Hint written in the room, if any.
    pub hint: Option<String>,
    /// Number of attempts by each visitor who has received the room's once-per-visitor reward.
    pub visitors: BTreeMap<CharacterId, u32>,
}

impl Usual for RoomChallenge {
    const USUAL: &'static Self = &Self {
        feature: None,
        lever_in: None,
        raises: None,
        reward: Vec::new(),
        coins: 0,
        hint: None,
        visitors: BTreeMap::new(),
    };
}

impl RoomChallenge {
    /// Returns the number of lever pulls that the room's portcullis still needs.
    pub fn lever_pulls(&self) -> u32 {
        self.feature.as_ref().map_or(0, RoomFeature::pulls)
    }

    /// Returns the puzzle behind the room's gate, as an index into the theme's list, until it is solved.
    pub fn puzzle(&self) -> Option<u32> {
        self.feature.as_ref().and_then(RoomFeature::puzzle)
    }

    /// Returns `true` if a portcullis or gate blocks the exits onward.
    pub fn bars(&self) -> bool {
        self.feature.as_ref().is_some_and(RoomFeature::bars)
    }
}

/// Stored form of a challenge.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredChallenge {
    #[serde(skip_serializing_if = "is_default")]
    lever_pulls: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    lever_in: Option<RoomId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raises: Option<RoomId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reward: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    coins: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// Keyword of the feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    visitors: BTreeMap<CharacterId, u32>,
}

impl From<RoomChallenge> for StoredChallenge {
    fn from(challenge: RoomChallenge) -> Self {
        let (lever_pulls, puzzle) = (challenge.lever_pulls(), challenge.puzzle());
        let RoomChallenge { feature, lever_in, raises, reward, coins, hint, visitors } = challenge;
        let feature = feature.as_ref().and_then(RoomFeature::word).map(str::to_owned);
        Self { lever_pulls, lever_in, raises, puzzle, reward, coins, hint, feature, visitors }
    }
}

/// The meaning of a keyword depends on the room: until [`Room`] has resolved it, it is kept as the name of a landmark.
impl From<StoredChallenge> for RoomChallenge {
    fn from(stored: StoredChallenge) -> Self {
        let StoredChallenge { lever_in, raises, reward, coins, hint, visitors, .. } = stored;
        let mechanism = RoomFeature::portcullis(stored.lever_pulls)
            .or(stored.puzzle.map(|puzzle| RoomFeature::Gate { puzzle }));
        let feature = mechanism.or(stored.feature.map(|name| RoomFeature::Landmark { name }));
        Self { feature, lever_in, raises, reward, coins, hint, visitors }
    }
}

/// Memory that a character has of a room in a branch.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomMemory {
    /// Items seen on the ground, as counts by prototype.
    #[serde(skip_serializing_if = "Rare::is_usual")]
    pub items: Rare<BTreeMap<String, u32>>,
}

/// Limited wares that a shop has sold.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Sold {
    /// Time of the last sale. A refill since then makes the numbers void.
    pub at: GameTime,
    /// Numbers sold since the refill before that time, by item.
    pub counts: BTreeMap<String, u32>,
}

impl Usual for Sold {
    const USUAL: &'static Self = &Self { at: GameTime(0), counts: BTreeMap::new() };
}

/// Phrase that a player has chalked on a wall.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChalkMark {
    /// Writer, who may be deleted.
    pub by: CharacterId,
    /// Phrase.
    pub text: String,
}

/// Room, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Room {
    /// Unique id; `num` for clients.
    pub id: RoomId,
    /// Key in the zone file; empty for a room identified by its number.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub key: Rare<String>,
    /// What builders or the generator of its branch wrote about it.
    #[serde(flatten)]
    pub sheet: RoomSheet,
    /// Hand-built area of the room, or theme of its branch.
    pub area: String,
    /// Branch that owns the room; `None` for hand-built rooms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchId>,
    /// Floor of the branch, from 1; 0 in hand-built areas.
    pub floor: u32,
    /// Grid position on its floor or on the map of the hand-built world.
    pub at: Point,
    /// Height of a hand-built room; 0 in branches, which have floors.
    #[serde(default, skip_serializing_if = "is_default")]
    pub z: i32,
    /// Radial depth; 0 in hand-built areas.
    pub depth: u32,
    /// Difficulty: depth plus the floors above.
    pub difficulty: u32,
    /// Set if the unexplored exits are usable: the opposite of `not_clear`.
    pub clear: bool,
    /// Obstacles other than creatures.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub challenge: Rare<RoomChallenge>,
    /// Exit whose traversal generated the room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<ExitId>,
    /// Scripts that run on events, in the order in which they run. One for players who enter may have no name; it comes
    /// first.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub triggers: Rare<Vec<Trigger>>,
    /// Counters of its scripts.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub counters: Rare<BTreeMap<String, u32>>,
    /// State of its Luau scripts between calls, by script key.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub script_states: Rare<BTreeMap<String, Value>>,
    /// Suspended runs of its scripts.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub waits: Rare<Vec<ScriptWait>>,
    /// Spawn rules.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub spawns: Rare<Vec<SpawnRule>>,
    /// Set if the room is filled with a web.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub web: bool,
    /// Party size that its creatures were scaled for; 0 in rooms without creatures.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scaled_for: u32,
    /// Prototypes of the goods for sale.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub stock: Rare<Vec<String>>,
    /// Prices, limits and hours of a shop.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub shop: Rare<ShopTerms>,
    /// Limited wares that a shop has sold.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub sold: Rare<Sold>,
    /// Prototypes of the free supplies for players without equipment.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub supplies: Rare<Vec<String>>,
    /// Phrases on its walls, the oldest first; at most one of each player.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub chalk: Rare<Vec<ChalkMark>>,
    /// Memories of the characters who have left the room: in most rooms one, for which a node of a tree is large.
    #[serde(default, skip_serializing_if = "LiteMap::is_empty")]
    pub memories: LiteMap<CharacterId, RoomMemory>,
}

impl Room {
    /// Upper limit in bytes for the state of one script, independent of the settings.
    pub const STATE_BYTES_MAX: usize = 16_384;

    /// Returns `true` if a flag is set.
    pub fn has(&self, flag: RoomFlag) -> bool {
        self.sheet.flags.contains(&flag)
    }

    /// Returns the depth that counts for records and quests: that on the floor, and what the floors above add.
    pub const fn total_depth(&self) -> u32 {
        self.difficulty
    }

    /// Returns `true` if combat and death are possible.
    pub fn is_deadly(&self) -> bool {
        self.sheet.kind.is_dungeon() || self.has(RoomFlag::Fights)
    }

    /// Returns the position on the map of the hand-built world; `None` for rooms in branches.
    pub fn coordinates(&self) -> Option<Coordinates> {
        self.branch.is_none().then_some(Coordinates { z: self.z, at: self.at })
    }

    /// Returns the board in the room, by zone and key.
    pub fn board_name(&self) -> Option<String> {
        self.sheet.board.as_ref().map(|board| format!("{}/{board}", self.area))
    }

    /// Returns the height as sent to mappers: in a branch, minus the floor number.
    pub fn height(&self) -> i32 {
        if self.branch.is_none() { self.z } else { -i32::try_from(self.floor).unwrap_or(0) }
    }

    /// Prefix of the generated key of a room without its own key.
    pub(super) const NUMBERED: &str = "room-";

    /// Returns the key of the room in its zone file.
    pub fn zone_key(&self) -> String {
        if self.key.is_empty() { format!("{}{}", Self::NUMBERED, self.id) } else { self.key.to_value() }
    }

    /// Returns the route that the spawn rule for a kind of creature sets.
    pub fn route_of_spawn(&self, key: &str) -> Option<&CreatureRoute> {
        let is_meant = |rule: &&SpawnRule| matches!(&rule.what, Spawned::Creature(other) if other == key);
        self.spawns.iter().find(is_meant).map(|rule| &rule.route).filter(|route| !route.is_empty())
    }

    /// Returns the items that the room sells, buys by name, or lays out.
    pub fn offered_items(&self) -> impl Iterator<Item = &str> {
        let kept = self.stock.iter().chain(&*self.supplies).map(String::as_str);
        kept.chain(self.shop.buys.iter().filter_map(Bid::item))
    }

    /// Creates a cleared room outside any branch, with nothing but a sheet.
    pub fn new(id: RoomId, sheet: RoomSheet) -> Self {
        Self {
            id,
            key: Rare::usual(),
            sheet,
            area: String::new(),
            branch: None,
            floor: 0,
            at: Point::ORIGIN,
            z: 0,
            depth: 0,
            difficulty: 0,
            clear: true,
            challenge: Rare::usual(),
            made_by: None,
            triggers: Rare::usual(),
            counters: Rare::usual(),
            script_states: Rare::usual(),
            waits: Rare::usual(),
            spawns: Rare::usual(),
            web: false,
            scaled_for: 0,
            stock: Rare::usual(),
            shop: Rare::usual(),
            sold: Rare::usual(),
            supplies: Rare::usual(),
            chalk: Rare::usual(),
            memories: LiteMap::new(),
        }
    }
}

impl Serialize for Room {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Room {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut on_enter: Option<Vec<String>> = None;
        let mut room = Self::deserialize(RetiredField::new(deserializer, "on_enter", &mut on_enter))?;
        if let Some(lines) = on_enter.filter(|lines| !lines.is_empty()) {
            Trigger::set_first(lines, &mut room.triggers);
        } else if !room.triggers.is_empty() {
            Trigger::put_in_order(&mut room.triggers);
        }
        if let Some(RoomFeature::Landmark { name }) = &room.challenge.feature {
            let feature = room.sheet.kind.spec().feature.map(|of| of(name.clone()));
            room.challenge.feature = feature;
        }
        Ok(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::RoomKind;

    /// A row that stores its feature as a keyword or number is written back unchanged, except for empty fields, which
    /// old rows have.
    #[test]
    fn room_feature_survives_a_round_trip() {
        let shrine = || RoomFeature::Shrine { affect: "bless".into() };
        let old =
            r#"{"lever_pulls":0,"lever_in":null,"raises":null,"reward":[],"hint":null,"feature":"bless"}"#;
        for (kind, challenge, feature, written) in [
            ("shrine", old, Some(shrine()), r#""challenge":{"feature":"bless"},"#),
            (
                "rescue",
                r#"{"feature":"scholar"}"#,
                Some(RoomFeature::Captive { creature: "scholar".into() }),
                "",
            ),
            ("riddle", r#"{"feature":"echo"}"#, Some(RoomFeature::Riddle { answer: "echo".into() }), ""),
            (
                "landmark",
                r#"{"feature":"the boat"}"#,
                Some(RoomFeature::Landmark { name: "the boat".into() }),
                "",
            ),
            ("puzzle", r#"{"lever_pulls":3,"lever_in":7}"#, Some(RoomFeature::Portcullis { pulls: 3 }), ""),
            ("puzzle", r#"{"puzzle":2}"#, Some(RoomFeature::Gate { puzzle: 2 }), ""),
            ("puzzle", r#"{"lever_in":7}"#, None, ""),
            (
                "grave",
                r#"{"hint":"dig","feature":"Bera"}"#,
                Some(RoomFeature::Grave { name: "Bera".into() }),
                "",
            ),
            (
                "coffer",
                r#"{"lever_in":7,"raises":8,"reward":["lamp"],"coins":5,"hint":"low","feature":"Odo","visitors":{"3":1}}"#,
                Some(RoomFeature::Coffer { name: "Odo".into() }),
                "",
            ),
            (
                "puzzle",
                r#"{"raises":8,"puzzle":0,"reward":["lamp"],"coins":5,"hint":"low","visitors":{"3":1}}"#,
                Some(RoomFeature::Gate { puzzle: 0 }),
                "",
            ),
        ] {
            let bare =
                serde_json::to_string(&Room::new(RoomId(1), RoomSheet::new(RoomKind::Room, "Nook".into())))
                    .unwrap();
            let bare = bare.replace("\"kind\":\"room\"", &format!("\"kind\":\"{kind}\""));
            let row =
                |challenge: &str| bare.replace("\"clear\":true", &format!("\"clear\":true,{challenge}"));
            let stored = row(&format!("\"challenge\":{challenge}"));
            let room: Room = serde_json::from_str(&stored).unwrap();
            assert_eq!(room.challenge.feature, feature, "{stored}");
            let written = if written.is_empty() { stored } else { row(written.trim_end_matches(',')) };
            assert_eq!(serde_json::to_string(&room).unwrap(), written);
        }
    }
}
