//! Rooms: places with a name, a text and exits, dug by hand or grown in a branch.

use crate::base::{BranchId, CharacterId, Coordinates, ExitId, Point, RoomId};
use crate::catalog::{RoomFeature, RoomKind};
use crate::script::Value;
use crate::world::{SpawnRule, Trigger};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// What stands between a visitor and the unexplored exits of a room, and what the room gives.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "StoredChallenge", into = "StoredChallenge")]
pub struct Challenge {
    /// What the room is about, as long as it is.
    pub feature: Option<RoomFeature>,
    /// The room that the lever of this room's portcullis is in, if it is another.
    pub lever_in: Option<RoomId>,
    /// The room whose portcullis a lever in this room raises, if it is another.
    pub raises: Option<RoomId>,
    /// What comes to light when the room is cleared, by prototype.
    pub reward: Vec<String>,
    /// How many coppers come to light with it.
    pub coins: u32,
    /// What is written here, if anything.
    pub hint: Option<String>,
    /// Who has had what the room gives once to each, and how often they tried.
    pub visitors: BTreeMap<CharacterId, u32>,
}

impl Challenge {
    /// How often the lever of this room's portcullis must still be pulled.
    pub fn lever_pulls(&self) -> u32 {
        self.feature.as_ref().map_or(0, RoomFeature::pulls)
    }

    /// The puzzle behind the gate of this room, as long as it is not solved: its place in the theme's list.
    pub fn puzzle(&self) -> Option<u32> {
        self.feature.as_ref().and_then(RoomFeature::puzzle)
    }

    /// Whether a portcullis or a gate keeps the ways on shut.
    pub fn bars(&self) -> bool {
        self.feature.as_ref().is_some_and(RoomFeature::bars)
    }
}

/// A challenge as it stands in a row.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredChallenge {
    lever_pulls: u32,
    lever_in: Option<RoomId>,
    raises: Option<RoomId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<u32>,
    reward: Vec<String>,
    #[serde(skip_serializing_if = "is_zero")]
    coins: u32,
    hint: Option<String>,
    /// The word of the feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    visitors: BTreeMap<CharacterId, u32>,
}

impl From<Challenge> for StoredChallenge {
    fn from(challenge: Challenge) -> Self {
        Self {
            lever_pulls: challenge.lever_pulls(),
            puzzle: challenge.puzzle(),
            feature: challenge.feature.as_ref().and_then(RoomFeature::word).map(str::to_owned),
            lever_in: challenge.lever_in,
            raises: challenge.raises,
            reward: challenge.reward,
            coins: challenge.coins,
            hint: challenge.hint,
            visitors: challenge.visitors,
        }
    }
}

/// What a word stands for is not known before the room is: until [`Room`] has read it, it is the name of a landmark.
impl From<StoredChallenge> for Challenge {
    fn from(stored: StoredChallenge) -> Self {
        let gate = stored.puzzle.map(|puzzle| RoomFeature::Gate { puzzle });
        let mechanism = RoomFeature::portcullis(stored.lever_pulls).or(gate);
        Self {
            feature: mechanism.or(stored.feature.map(|name| RoomFeature::Landmark { name })),
            lever_in: stored.lever_in,
            raises: stored.raises,
            reward: stored.reward,
            coins: stored.coins,
            hint: stored.hint,
            visitors: stored.visitors,
        }
    }
}

/// What somebody who has been in a room of a branch remembers of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// Things that lay there, by prototype, and how many.
    pub items: BTreeMap<String, u32>,
}

/// A room. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Room {
    /// Identity; `num` for clients.
    pub id: RoomId,
    /// What it is called in the file of its zone, if that is not said by its number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// What it is for.
    pub kind: RoomKind,
    /// Shown on a line of its own.
    pub name: String,
    /// Further words that `goto` finds it by.
    pub aliases: Vec<String>,
    /// What one sees.
    pub description: String,
    /// One word for mappers: "clay", "street".
    pub environment: String,
    /// The hand-built area it is in, or the theme of its branch.
    pub area: String,
    /// The branch that owns it, if it was grown.
    pub branch: Option<BranchId>,
    /// Floor of the branch, from 1; 0 in hand-built areas.
    pub floor: u32,
    /// Where on the floor. Hand-built rooms lie where they were dug.
    pub at: Point,
    /// How high a hand-built room lies; 0 in branches, which have floors.
    #[serde(default, skip_serializing_if = "is_plane")]
    pub z: i32,
    /// Radial depth; 0 in hand-built areas.
    pub depth: u32,
    /// Depth plus the floors above.
    pub difficulty: u32,
    /// Whether the unexplored exits are free: the opposite of `not_clear`.
    pub clear: bool,
    /// What has to be overcome besides the creatures.
    pub challenge: Challenge,
    /// The exit whose traversal made it.
    pub made_by: Option<ExitId>,
    /// What one sees on a closer look, by noun; several nouns for one thing stand between commas.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
    /// Words under which builders find it again.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    /// Lines of the script that runs when somebody enters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_enter: Vec<String>,
    /// What else happens there when somebody does something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<Trigger>,
    /// What its scripts have counted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u32>,
    /// What its scripts in Luau want to know when they are called again, by the key of the script.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub script_states: BTreeMap<String, Value>,
    /// What comes there again and again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawns: Vec<SpawnRule>,
    /// Whether there are fights although it was built by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fights: bool,
    /// Whether a web fills it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub web: bool,
    /// The size of the party that its creatures were made for; 0 in rooms without.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scaled_for: u32,
    /// What is for sale here, by prototype.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stock: Vec<String>,
    /// What is laid out here for whoever comes with nothing, by prototype.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplies: Vec<String>,
    /// Who has left it, and what each of them saw last.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub memories: BTreeMap<CharacterId, Memory>,
}

impl Room {
    /// Bytes that one script may remember, whatever the settings say.
    pub const STATE_BYTES_MAX: usize = 16_384;

    /// Whether there are fights, and death.
    pub const fn is_deadly(&self) -> bool {
        self.kind.is_dungeon() || self.fights
    }

    /// Where it lies on the map of the hand-built world; none if it was grown.
    pub fn coordinates(&self) -> Option<Coordinates> {
        self.branch.is_none().then_some(Coordinates { z: self.z, at: self.at })
    }

    /// Its height as mappers know it: minus the floor in a branch.
    pub fn height(&self) -> i32 {
        if self.branch.is_none() { self.z } else { -i32::try_from(self.floor).unwrap_or(0) }
    }

    /// What stands before the number by which a room without a key is called.
    pub(super) const NUMBERED: &str = "room-";

    /// What it is called in the file of its zone.
    pub fn zone_key(&self) -> String {
        if self.key.is_empty() { format!("{}{}", Self::NUMBERED, self.id) } else { self.key.clone() }
    }

    /// A bare, clear room outside any branch.
    pub fn new(id: RoomId, kind: RoomKind, name: String) -> Self {
        Self {
            id,
            key: String::new(),
            kind,
            name,
            aliases: Vec::new(),
            description: String::new(),
            environment: String::new(),
            area: String::new(),
            branch: None,
            floor: 0,
            at: Point::ORIGIN,
            z: 0,
            depth: 0,
            difficulty: 0,
            clear: true,
            challenge: Challenge::default(),
            made_by: None,
            details: BTreeMap::new(),
            tags: BTreeSet::new(),
            on_enter: Vec::new(),
            triggers: Vec::new(),
            counters: BTreeMap::new(),
            script_states: BTreeMap::new(),
            spawns: Vec::new(),
            fights: false,
            web: false,
            scaled_for: 0,
            stock: Vec::new(),
            supplies: Vec::new(),
            memories: BTreeMap::new(),
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
        let mut room = Self::deserialize(deserializer)?;
        if let Some(RoomFeature::Landmark { name }) = room.challenge.feature {
            room.challenge.feature = room.kind.spec().feature.map(|of| of(name));
        }
        Ok(room)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_plane(z: &i32) -> bool {
    *z == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that says in a word or a number what the room is about says the same when it is written again.
    #[test]
    fn rows_keep_what_a_room_is_about() {
        let word = |word: &str| format!("\"hint\":null,\"feature\":\"{word}\"");
        let bare = "\"hint\":null".to_owned();
        for (kind, pulls, puzzle, rest, feature) in [
            ("shrine", 0, "", word("bless"), Some(RoomFeature::Shrine { affect: "bless".into() })),
            ("rescue", 0, "", word("scholar"), Some(RoomFeature::Captive { mob: "scholar".into() })),
            ("riddle", 0, "", word("echo"), Some(RoomFeature::Riddle { answer: "echo".into() })),
            ("landmark", 0, "", word("the boat"), Some(RoomFeature::Landmark { name: "the boat".into() })),
            ("puzzle", 3, "", bare.clone(), Some(RoomFeature::Portcullis { pulls: 3 })),
            ("puzzle", 0, "\"puzzle\":2,", bare.clone(), Some(RoomFeature::Gate { puzzle: 2 })),
            ("puzzle", 0, "", bare.clone(), None),
            ("riddle", 0, "", bare, None),
        ] {
            let challenge = format!(
                "{{\"lever_pulls\":{pulls},\"lever_in\":7,\"raises\":null,{puzzle}\"reward\":[],{rest}}}"
            );
            let row = serde_json::to_string(&Room::new(RoomId(1), RoomKind::Room, "Nook".into())).unwrap();
            let (before, after) = row.split_once("\"challenge\":{").unwrap();
            let (_, after) = after.split_once('}').unwrap();
            let row = format!("{before}\"challenge\":{challenge}{after}");
            let row = row.replace("\"kind\":\"room\"", &format!("\"kind\":\"{kind}\""));
            let room: Room = serde_json::from_str(&row).unwrap();
            assert_eq!(room.challenge.feature, feature, "{row}");
            assert_eq!(serde_json::to_string(&room).unwrap(), row);
        }
    }
}
