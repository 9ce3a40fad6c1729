//! Bodies of `Room`.

use deepwell_core::base::BranchId;
use serde::Serialize;
use std::collections::BTreeMap;

/// Body of `Room.Info`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoomInfo {
    /// Room number.
    pub num: u32,
    /// Name.
    pub name: String,
    /// Area, or "theme/branch N".
    pub area: String,
    /// Same as `area`, for clients that read `zone`.
    pub zone: String,
    /// Environment, one word.
    pub environment: String,
    /// Same as `environment`, for clients that read `terrain`.
    pub terrain: String,
    /// Coordinates as text: "area,x,y,z".
    pub coords: String,
    /// Coordinates as an object.
    pub coord: Coord,
    /// Image map; always empty.
    pub map: String,
    /// Features of the room: "unclear", "stairs", ...
    pub details: Vec<String>,
    /// Exits whose room exists, by letter.
    pub exits: BTreeMap<String, u32>,
    /// All exits, by letter or name.
    pub exitsv2: BTreeMap<String, ExitInfo>,
    /// Radial depth.
    pub depth: u32,
    /// Dungeon level, as in `Char.Status`; 0 outside a branch.
    pub floor: u32,
    /// Branch of the room, if any.
    pub branch: Option<BranchId>,
    /// Set if the unexplored exits are free.
    pub clear: bool,
    /// Set if the room will be deleted with its branch.
    pub ephemeral: bool,
}

/// Coordinates on a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Coord {
    /// Number of the area, or id of the branch.
    pub id: u32,
    /// East coordinate.
    pub x: i32,
    /// North coordinate.
    pub y: i32,
    /// Minus the floor number in a branch, 0 elsewhere.
    pub z: i32,
}

/// Exit in `exitsv2`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExitInfo {
    /// Room number, -1 while unexplored.
    pub num: i64,
    /// `unexplored`, `open`, `one_way`, `locked`.
    pub state: String,
    /// Set for the exit back towards the entrance.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub back: bool,
    /// Command for an exit that is not a direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<String>,
}

/// Body of `Room.Map`: part of the known map of an area.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoomMap {
    /// Area, as in `Room.Info`.
    pub area: String,
    /// Number of this part, from 1.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
    /// The rooms of this part.
    pub rooms: Vec<KnownRoom>,
}

/// Room in `Room.Map`: the fields of `Room.Info` that maps draw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KnownRoom {
    /// Room number.
    pub num: u32,
    /// Name.
    pub name: String,
    /// Coordinates.
    pub coord: Coord,
    /// Features of the room: "unclear", "stairs", ...
    pub details: Vec<String>,
    /// All exits, by letter or name.
    pub exitsv2: BTreeMap<String, ExitInfo>,
    /// Dungeon level, as in `Char.Status`; 0 outside a branch.
    pub floor: u32,
    /// Set if the unexplored exits are free.
    pub clear: bool,
}

impl From<RoomInfo> for KnownRoom {
    fn from(info: RoomInfo) -> Self {
        let RoomInfo { num, name, coord, details, exitsv2, floor, clear, .. } = info;
        Self { num, name, coord, details, exitsv2, floor, clear }
    }
}

/// Room of a puzzle that is not empty, in `Room.Puzzle.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardRoom {
    /// Room number, as in `Room.Map`.
    pub num: u32,
    /// Contents, named as by the command `map`.
    pub contents: Vec<BoardThing>,
}

/// Object in a room of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardThing {
    /// `enemy`, `glyph`, `portal`, `finish` or `thing`.
    pub kind: &'static str,
    /// Description with an article.
    pub name: String,
    /// Power of an enemy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<i64>,
}

/// Player in `Room.Players`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerHere {
    /// Name.
    pub name: String,
    /// Name with title.
    pub fullname: String,
    /// Commands that a client may offer for the player.
    pub commands: Vec<String>,
    /// The same as in [`PartyMember`](super::PartyMember).
    pub state: &'static str,
}

/// Branch that can be entered from the room, in `Room.Branches.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpenBranch {
    /// Name of the exit, which is also its command.
    pub exit: String,
    /// Names of the players in it.
    pub players: Vec<String>,
    /// Unix time in seconds until which it is certain to stay open.
    pub until: i64,
}

/// Body of `World.Time`: the time in the town.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WorldTime {
    /// Hour of the day, from 0 to 23.
    pub hour: u32,
    /// Name of the part of the day.
    pub part: &'static str,
    /// Day of the year, from 1 on.
    pub day: i64,
    /// Year.
    pub year: i64,
    /// Set from evening to morning.
    pub night: bool,
}
