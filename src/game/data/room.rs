//! Bodies of `Room`.

use crate::base::BranchId;
use serde::Serialize;
use std::collections::BTreeMap;

/// The body of `Room.Info`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoomInfo {
    /// Room number.
    pub num: u32,
    /// Name.
    pub name: String,
    /// Area, or "theme/branch N".
    pub area: String,
    /// The same for clients that call it zone.
    pub zone: String,
    /// One word.
    pub environment: String,
    /// The same for clients that call it terrain.
    pub terrain: String,
    /// "area,x,y,z"
    pub coords: String,
    /// The same as an object.
    pub coord: Coord,
    /// Always empty: there are no picture maps.
    pub map: String,
    /// "unclear", "stairs", ...
    pub details: Vec<String>,
    /// Exits whose room exists, by letter.
    pub exits: BTreeMap<String, u32>,
    /// All exits, by letter or name.
    pub exitsv2: BTreeMap<String, ExitInfo>,
    /// Radial depth.
    pub depth: u32,
    /// Dungeon level, as in `Char.Status`; 0 outside a branch.
    pub floor: u32,
    /// The branch, if it is in one.
    pub branch: Option<BranchId>,
    /// Whether the unexplored exits are free.
    pub clear: bool,
    /// Whether the room will vanish with its branch.
    pub ephemeral: bool,
}

/// A place on a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Coord {
    /// The area's number; the branch's id.
    pub id: u32,
    /// Eastward.
    pub x: i32,
    /// Northward.
    pub y: i32,
    /// Minus the floor number in a branch, 0 elsewhere.
    pub z: i32,
}

/// One exit in `exitsv2`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExitInfo {
    /// Room number, -1 while unexplored.
    pub num: i64,
    /// `unexplored`, `open`, `one_way`, `locked`.
    pub state: String,
    /// Whether it is the way back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub back: bool,
    /// What to type, for exits that are no direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<String>,
}

/// The body of `Room.Map`: a part of what is known of an area.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoomMap {
    /// The area, as in `Room.Info`.
    pub area: String,
    /// Which part this is, from 1.
    pub part: usize,
    /// How many there are.
    pub parts: usize,
    /// The rooms of this part.
    pub rooms: Vec<KnownRoom>,
}

/// A room in `Room.Map`: what of `Room.Info` is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KnownRoom {
    /// Room number.
    pub num: u32,
    /// Name.
    pub name: String,
    /// Its place.
    pub coord: Coord,
    /// "unclear", "stairs", ...
    pub details: Vec<String>,
    /// All exits, by letter or name.
    pub exitsv2: BTreeMap<String, ExitInfo>,
    /// Dungeon level, as in `Char.Status`; 0 outside a branch.
    pub floor: u32,
    /// Whether the unexplored exits are free.
    pub clear: bool,
}

impl From<RoomInfo> for KnownRoom {
    fn from(info: RoomInfo) -> Self {
        let RoomInfo { num, name, coord, details, exitsv2, floor, clear, .. } = info;
        Self { num, name, coord, details, exitsv2, floor, clear }
    }
}

/// A room of a puzzle that holds something, in `Room.Puzzle.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardRoom {
    /// Room number, as in `Room.Map`.
    pub num: u32,
    /// Contents, as the command `map` names them.
    pub contents: Vec<BoardThing>,
}

/// One thing in a room of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardThing {
    /// `enemy`, `glyph`, `portal`, `finish` or `thing`.
    pub kind: &'static str,
    /// Words for it, with an article.
    pub name: String,
    /// Power of an enemy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<i64>,
}

/// A player in `Room.Players`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerHere {
    /// The name.
    pub name: String,
    /// The name with its title.
    pub fullname: String,
    /// Lines that a client may send about the player.
    pub commands: Vec<String>,
}
