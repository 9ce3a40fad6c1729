//! Everything that can result from a step: a closed list. Effects leave after the commit of their batch (D3).

use crate::base::{AccountId, BranchId, CharacterId, PartyId, SessionId, Span};
use crate::text::Markup;
use crate::world::Settings;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a step results in, in order.
pub type Effects = Vec<Effect>;

/// One result.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Something for a client to show.
    Output {
        /// Who gets it.
        session: SessionId,
        /// What.
        output: Output,
    },
    /// A login or creation succeeded; the client plays from here on. Comes before the first text of the game.
    Entered {
        /// Who.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The character it drives.
        character: CharacterId,
        /// The character's name.
        name: String,
        /// The account's settings, with what was wished at login.
        settings: Settings,
    },
    /// A login or creation was refused.
    Refused {
        /// Who.
        session: SessionId,
        /// Why, in a sentence for the player.
        reason: String,
    },
    /// The client is to be closed after everything before this has been sent.
    Close {
        /// Who.
        session: SessionId,
        /// Why.
        why: Closed,
    },
    /// Something in the content is not as it should be: to be logged.
    Warning {
        /// What, in a sentence.
        text: String,
    },
    /// Staff stop the server.
    Stop {
        /// From now.
        after: Span,
    },
}

/// The closed list of ways in which a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// The player said so.
    Quit,
    /// Nothing came for too long.
    Idle,
    /// Too much came, or too little was read.
    Flood,
    /// The same account logged in elsewhere and took the body over (N12).
    TakenOver,
    /// Staff said so.
    Kicked,
    /// The link broke.
    Lost,
    /// Login took too long or failed too often.
    LoginFailed,
    /// The server stops.
    Shutdown,
}

/// What kind of message a text is; reader mode, brief combat and clients' windows sort by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A room as seen.
    Room,
    /// Comings and goings.
    Movement,
    /// Speech and emotes in the room.
    Speech,
    /// Words from one to one.
    Tell,
    /// A channel.
    Channel,
    /// Fights.
    Combat,
    /// Something happened here or to you.
    Notice,
    /// The answer to a command.
    Reply,
    /// A polite "no".
    Refusal,
    /// From the server.
    System,
}

/// Something to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    /// Text; shared, because a room full of people gets the same.
    Text(Class, Arc<Markup>),
    /// What the prompt says from here on. A client shows one prompt after each batch of output.
    Prompt(PromptFields),
    /// Structured data.
    Data(Arc<Data>),
    /// New settings.
    Settings(Settings),
}

/// What a prompt can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PromptFields {
    /// Hit points left.
    pub hp: i32,
    /// Hit points at most.
    pub max_hp: i32,
    /// Whether the character is locked in combat.
    pub fighting: bool,
    /// The floor of the branch it is in; 0 outside (T5).
    pub floor: u32,
    /// Choices of new levels that have not been made (T13).
    pub trainings: u32,
    /// The might of the party, where a puzzle counts it (H18).
    pub might: Option<i64>,
    /// The level.
    pub level: u32,
    /// The experience that the next level needs.
    pub missing_xp: i64,
}

/// Structured data, as interface 6 names it. Serialises to the body of its package.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Data {
    /// `Char.Name`
    CharName {
        /// The name.
        name: String,
        /// The name with its title.
        fullname: String,
    },
    /// `Char.Vitals`
    CharVitals {
        /// Hit points left.
        hp: i32,
        /// Hit points at most.
        maxhp: i32,
        /// Experience.
        xp: i64,
        /// Experience that the next level needs.
        nextxp: i64,
        /// Level.
        level: u32,
        /// Might, only where a puzzle counts it (H18).
        #[serde(skip_serializing_if = "Option::is_none")]
        might: Option<i64>,
        /// All in a line.
        string: String,
    },
    /// `Char.Status`, whenever one of its values has changed
    CharStatus(CharStatus),
    /// `Char.StatusVars`: what the values of `Char.Status` are called
    CharStatusVars(BTreeMap<&'static str, &'static str>),
    /// `Room.Info`
    RoomInfo(Box<RoomInfo>),
    /// `Comm.Channel.Text`
    ChannelText {
        /// Channel.
        channel: String,
        /// Who speaks.
        talker: String,
        /// What the player sees.
        text: String,
    },
    /// `Party.Info`
    PartyInfo(Box<PartyInfo>),
    /// `Party.Update`
    PartyUpdate(Box<PartyMember>),
}

impl Data {
    /// The GMCP package it is sent as.
    pub const fn package(&self) -> &'static str {
        match self {
            Self::CharName { .. } => "Char.Name",
            Self::CharVitals { .. } => "Char.Vitals",
            Self::CharStatus(_) => "Char.Status",
            Self::CharStatusVars(_) => "Char.StatusVars",
            Self::RoomInfo(_) => "Room.Info",
            Self::ChannelText { .. } => "Comm.Channel.Text",
            Self::PartyInfo(_) => "Party.Info",
            Self::PartyUpdate(_) => "Party.Update",
        }
    }
}

/// The body of `Char.Status` (interface 6).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CharStatus {
    /// Level.
    pub level: u32,
    /// Attack with everything that adds to it.
    pub attack: i32,
    /// Defence with everything that adds to it.
    pub defence: i32,
    /// Floor of the branch, 0 outside (T5).
    pub floor: u32,
    /// Whether the ways onward of the room are free.
    pub room_clear: bool,
    /// Choices of new levels that have not been made (T13).
    pub training: u32,
    /// Names of the members of the party, oneself among them; empty without one. Always there, for clients keep the
    /// keys that are left out.
    pub party: String,
}

impl CharStatus {
    /// What its values are called, for clients that show them.
    pub fn vars() -> BTreeMap<&'static str, &'static str> {
        [
            ("level", "Level"),
            ("attack", "Attack"),
            ("defence", "Defence"),
            ("floor", "Dungeon level"),
            ("room_clear", "Room clear"),
            ("training", "Choices to train"),
            ("party", "Party"),
        ]
        .into_iter()
        .collect()
    }
}

/// The body of `Party.Info`: the whole party, sent when somebody joins or leaves it or its leader changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PartyInfo {
    /// The party; none for whoever is in none.
    pub id: Option<PartyId>,
    /// Who leads.
    pub leader: Option<String>,
    /// Who gets what is found: `round-robin`, `free`, `roll`.
    pub loot: Option<String>,
    /// Everybody, in the order of joining.
    pub members: Vec<PartyMember>,
}

/// One member, as in `Party.Info`; by itself the body of `Party.Update`, sent when anything of it changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartyMember {
    /// The name.
    pub name: String,
    /// Hit points left.
    pub hp: i32,
    /// Hit points at most.
    pub maxhp: i32,
    /// Level.
    pub level: u32,
    /// The room's name, with the branch if it is in one.
    pub place: String,
    /// The room's number.
    pub room: u32,
    /// `ready`, `fighting`, `resting`, `down`, `link-dead` or `asleep`.
    pub state: String,
    /// Whether this is the leader.
    pub leader: bool,
}

/// The body of `Room.Info` (interface 6).
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
    /// Floor of the branch, 0 outside.
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
