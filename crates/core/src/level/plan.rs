//! Output of the generator: a whole floor, or one room of a growing floor, as structure. Rooms have positions,
//! connections, materials and contents by key; texts are generated elsewhere.

use crate::base::{Direction, Point};
use crate::level::partition::section::Section;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// A whole floor. It is stored complete, and never generated again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloorPlan {
    /// Name of the level type.
    pub level_type: String,
    /// Position of the arrival room.
    pub arrival: Point,
    /// Sections of the ground, as cut by the partitioner.
    pub sections: Vec<Section>,
    /// All rooms, by position.
    #[serde(serialize_with = "list_rooms", deserialize_with = "place_rooms")]
    pub rooms: BTreeMap<Point, Sketch>,
    /// Steps performed, in order, with the names of the parts that ran.
    pub steps: Vec<String>,
    /// Number of attempts discarded before this one.
    #[serde(default)]
    pub redrawn: u32,
}

impl FloorPlan {
    /// Returns the portals with the positions of their rooms.
    pub fn portals(&self) -> impl Iterator<Item = (Point, &Portal)> {
        self.rooms.values().filter_map(|room| Some((room.at, room.portal.as_ref()?)))
    }

    /// Returns `true` if a portal down can be reached from the arrival room without entering an avoided room.
    pub fn reaches_stairs_avoiding(&self, avoided: impl Fn(Point) -> bool) -> bool {
        let (mut seen, mut next) = (BTreeSet::new(), vec![self.arrival]);
        while let Some(at) = next.pop() {
            let Some(room) = self.rooms.get(&at).filter(|_| !avoided(at) && seen.insert(at)) else {
                continue;
            };
            if room.portal.as_ref().is_some_and(|portal| portal.direction == Direction::Down) {
                return true;
            }
            next.extend(room.exits.iter().map(|side| at.step(*side)));
        }
        false
    }
}

/// Structure of one room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    /// Position of the room.
    pub at: Point,
    /// Role of the room in the plan.
    pub role: RoomRole,
    /// Exits to other rooms of the floor. The exit back to the previous floor and portals are not included.
    pub exits: BTreeSet<Direction>,
    /// Shape, size and materials.
    pub space: Space,
    /// Portal to another floor.
    #[serde(default)]
    pub portal: Option<Portal>,
    /// Keys of the creatures in the room, one entry for each creature.
    #[serde(default)]
    pub creatures: Vec<String>,
    /// Keys of the items in the room, one entry for each item.
    #[serde(default)]
    pub items: Vec<String>,
    /// Set if the theme adds one of its perils.
    #[serde(default)]
    pub perils: bool,
}

impl Sketch {
    /// Creates a room with nothing but its position.
    pub fn bare(at: Point) -> Self {
        Self {
            at,
            role: RoomRole::Section(0),
            exits: BTreeSet::new(),
            space: Space::default(),
            portal: None,
            creatures: Vec::new(),
            items: Vec::new(),
            perils: false,
        }
    }
}

/// Role of a room in the plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomRole {
    /// Room of the section with this index.
    Section(usize),
    /// Room of the section with this index, at a dead end and set apart for treasure.
    Chamber(usize),
    /// Part of the corridor between two sections.
    Corridor,
}

/// Appearance of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    /// Shape: "square", "round", "pillared", "cavern", or one of another room generator; "corridor" between sections.
    pub shape: String,
    /// Extent from west to east, in paces.
    pub width: u32,
    /// Extent from south to north, in paces.
    pub length: u32,
    /// Material of the ground.
    #[serde(rename = "floor")]
    pub ground: String,
    /// Material of the wall on each side without an exit.
    pub walls: BTreeMap<Direction, String>,
}

/// A link to another floor, which is created when a character first uses the portal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Portal {
    /// Name of the level type behind it; its own floor's level type if it leads out.
    pub level_type: String,
    /// Set if a branch may have at most one portal with this [`Portal::unique_key`].
    #[serde(default)]
    pub unique: bool,
    /// Set if it leads out of the dungeon; players keep their loot.
    #[serde(default)]
    pub exits_dungeon: bool,
    /// Direction of travel: down, or up for an exit from the dungeon.
    pub direction: Direction,
    /// Names of the features at this end and at the other end.
    #[serde(default = "Portal::stairs")]
    pub icons: (String, String),
}

impl Portal {
    /// Returns the feature names of ordinary stairs.
    pub fn stairs() -> (String, String) {
        ("stairs down".to_owned(), "stairs up".to_owned())
    }

    /// Creates ordinary stairs down to a level type.
    pub fn down(level_type: &str) -> Self {
        Self {
            level_type: level_type.to_owned(),
            unique: false,
            exits_dungeon: false,
            direction: Direction::Down,
            icons: Self::stairs(),
        }
    }

    /// Returns the key under which a branch remembers a unique portal. `None` if it is not unique.
    pub fn unique_key(&self) -> Option<&str> {
        self.unique.then_some(if self.exits_dungeon {
            "out of the dungeon"
        } else {
            self.level_type.as_str()
        })
    }
}

/// Serializes rooms as a list, since each room contains its position.
fn list_rooms<S: Serializer>(rooms: &BTreeMap<Point, Sketch>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rooms.values())
}

fn place_rooms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Point, Sketch>, D::Error> {
    let rooms = Vec::<Sketch>::deserialize(deserializer)?;
    Ok(rooms.into_iter().map(|room| (room.at, room)).collect())
}
