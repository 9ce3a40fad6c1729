//! What is made: a whole floor, or one room of a floor that grows, as structure. Rooms lie somewhere, are joined, are of
//! some material and hold things by key; what a reader sees of them is for others to write.

use super::section::Section;
use crate::base::{Direction, Point};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// A whole floor. It is stored as it is: nothing that was made is made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloorPlan {
    /// The level type's name.
    pub level_type: String,
    /// The room where one arrives.
    pub arrival: Point,
    /// The parts of the ground, as the partitioner cut it.
    pub sections: Vec<Section>,
    /// Every room, by its place.
    #[serde(serialize_with = "list_rooms", deserialize_with = "place_rooms")]
    pub rooms: BTreeMap<Point, Sketch>,
    /// What was done, in order, with the names of the parts that did it.
    pub steps: Vec<String>,
    /// How many draws were thrown away before this one.
    #[serde(default)]
    pub redrawn: u32,
}

impl FloorPlan {
    /// The portals, each with its room's place.
    pub fn portals(&self) -> impl Iterator<Item = (Point, &Portal)> {
        self.rooms.values().filter_map(|room| Some((room.at, room.portal.as_ref()?)))
    }

    /// Whether one comes from the arrival to a way down without entering some of the rooms.
    pub fn leads_down_without(&self, avoided: impl Fn(Point) -> bool) -> bool {
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

/// One room as structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    /// Its place.
    pub at: Point,
    /// What it is in the plan.
    pub role: Role,
    /// Its ways to other rooms of the floor. The way one arrives by, and a portal's, are not among them.
    pub exits: BTreeSet<Direction>,
    /// Shape, size and materials.
    pub space: Space,
    /// What leads to another floor from here.
    #[serde(default)]
    pub portal: Option<Portal>,
    /// Keys of the creatures in it, one for each.
    #[serde(default)]
    pub creatures: Vec<String>,
    /// Keys of the items in it, one for each.
    #[serde(default)]
    pub items: Vec<String>,
    /// Whether the theme puts one of its perils into it.
    #[serde(default)]
    pub perils: bool,
}

impl Sketch {
    /// A room of which nothing is known but its place.
    pub fn bare(at: Point) -> Self {
        Self {
            at,
            role: Role::Section(0),
            exits: BTreeSet::new(),
            space: Space::default(),
            portal: None,
            creatures: Vec::new(),
            items: Vec::new(),
            perils: false,
        }
    }
}

/// What a room is in the plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The room of the section with this number.
    Section(usize),
    /// The same, at a dead end and set apart for treasure.
    Chamber(usize),
    /// A part of the way between two sections.
    Corridor,
}

/// How a room looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    /// Its shape: "square", "round", "pillared", "cavern", or what another room generator says; "corridor" between them.
    pub shape: String,
    /// From west to east, in paces.
    pub width: u32,
    /// From south to north, in paces.
    pub length: u32,
    /// The material of the ground.
    #[serde(rename = "floor")]
    pub ground: String,
    /// The material of the wall on each side without an exit.
    pub walls: BTreeMap<Direction, String>,
}

/// A proxy for another floor: it says what kind of floor is made when somebody goes through first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Portal {
    /// The name of the level type behind it; that of its own floor if it leads out.
    pub level_type: String,
    /// Whether a branch has at most one of them.
    #[serde(default)]
    pub unique: bool,
    /// Whether it leads out of the dungeon, with the loot kept.
    #[serde(default)]
    pub exits_dungeon: bool,
    /// The way one takes: down, or up for a way out.
    pub direction: Direction,
    /// What stands here, and what stands at the other end.
    #[serde(default = "Portal::stairs")]
    pub icons: (String, String),
}

impl Portal {
    /// What stands at the two ends of ordinary stairs.
    pub fn stairs() -> (String, String) {
        ("stairs down".to_owned(), "stairs up".to_owned())
    }

    /// Ordinary stairs down to a level type.
    pub fn down(level_type: &str) -> Self {
        Self {
            level_type: level_type.to_owned(),
            unique: false,
            exits_dungeon: false,
            direction: Direction::Down,
            icons: Self::stairs(),
        }
    }

    /// The word by which a unique portal is remembered once it stands in a branch. None if it is not unique.
    pub fn unique_key(&self) -> Option<&str> {
        self.unique.then_some(if self.exits_dungeon {
            "out of the dungeon"
        } else {
            self.level_type.as_str()
        })
    }
}

/// Rooms are stored as a list: each says itself where it is.
fn list_rooms<S: Serializer>(rooms: &BTreeMap<Point, Sketch>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rooms.values())
}

fn place_rooms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Point, Sketch>, D::Error> {
    let rooms = Vec::<Sketch>::deserialize(deserializer)?;
    Ok(rooms.into_iter().map(|room| (room.at, room)).collect())
}
