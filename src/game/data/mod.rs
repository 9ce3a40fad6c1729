//! What clients are told as data (GMCP): the bodies of packages, not when they are
//! sent (`gmcp`) and not how they reach the client (the session's).

pub(crate) mod channel;
pub(crate) mod character;
pub(crate) mod media;
pub(crate) mod offer;
pub(crate) mod party;
pub(crate) mod room;
pub(crate) mod thing;

pub use channel::{ChannelInfo, ChannelPlayer};
pub use character::{
    AffectAdded, AffectInfo, AffectList, AffectSide, AffectsRemoved, CharStatus, CharVitals, StatusNews,
};
pub use media::{MediaPlay, MediaStop};
pub use offer::{PartyInvitation, Skill, Ware};
pub use party::{PartyInfo, PartyMember};
pub use room::{BoardRoom, BoardThing, Coord, ExitInfo, KnownRoom, PlayerHere, RoomInfo, RoomMap};
pub use thing::{Change, ItemNews, Thing, ThingId};

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A package of structured data, which a client gets if it names it. Its name and all else are in its file in `gmcp`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Package {
    /// `Char`
    Character,
    /// `Room`
    Room,
    /// `Room.Map`
    Map,
    /// `Comm.Channel`
    Channels,
    /// `Party`
    Party,
    /// `Char.Items`
    Items,
    /// `Char.Afflictions`
    Afflictions,
    /// `Char.Defences`
    Defences,
    /// `Client.Media`, as far as the player wants sounds
    Media,
    /// `Room.Wares`
    Wares,
    /// `Room.Puzzle`
    Board,
    /// `Char.Skills`
    Skills,
}

/// Packages that a client wants.
pub type Packages = BTreeSet<Package>;

/// Structured data: one message. Serialises to its body.
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
    /// `Char.Vitals`, whenever one of its values has changed
    CharVitals(CharVitals),
    /// `Char.Status`: what has changed in it
    CharStatus(Box<StatusNews>),
    /// `Char.StatusVars`: what the values of `Char.Status` are called
    CharStatusVars(BTreeMap<&'static str, &'static str>),
    /// `Char.Items.List`: everything at a place
    Items {
        /// `inv`, `room`, or `rep` and the id of a container.
        location: String,
        /// In the order of their ids, things first.
        items: Vec<Thing>,
    },
    /// `Char.Items.Add`, `.Remove` and `.Update`: one thing came, went, or is not what it was
    Item(ItemNews),
    /// `Char.Afflictions.List` and `Char.Defences.List`: all that hangs on the body
    Affects(AffectList),
    /// `Char.Afflictions.Add` and `Char.Defences.Add`: something more hangs on it
    AffectAdded(AffectAdded),
    /// `Char.Afflictions.Remove` and `Char.Defences.Remove`: these no longer do
    AffectsRemoved(AffectsRemoved),
    /// `Room.Info`
    RoomInfo(Box<RoomInfo>),
    /// `Room.Map`: a part of what is known of an area
    RoomMap(RoomMap),
    /// `Room.Players`: the other players in the room
    RoomPlayers(Vec<PlayerHere>),
    /// `Room.AddPlayer`: one more
    RoomAddPlayer(PlayerHere),
    /// `Room.RemovePlayer`: one less, by name
    RoomRemovePlayer(String),
    /// `Room.WrongDir`: there is no exit that way, by its letter
    RoomWrongDir(&'static str),
    /// `Comm.Channel.List`
    Channels(Vec<ChannelInfo>),
    /// `Comm.Channel.Text`
    ChannelText {
        /// Channel.
        channel: String,
        /// Who speaks.
        talker: String,
        /// What the player sees.
        text: String,
    },
    /// `Comm.Channel.Players`: who plays, and which channels they hear
    ChannelPlayers(Vec<ChannelPlayer>),
    /// `Client.Media.Play`
    MediaPlay(MediaPlay),
    /// `Client.Media.Stop`
    MediaStop(MediaStop),
    /// `Party.Info`
    PartyInfo(Box<PartyInfo>),
    /// `Party.Update`
    PartyUpdate(Box<PartyMember>),
    /// `Party.Invitations`: every party that asks the player in
    PartyInvitations(Vec<PartyInvitation>),
    /// `Room.Wares.List`: everything for sale in the room
    Wares(Vec<Ware>),
    /// `Room.Puzzle.List`: the rooms of the puzzle that hold anything
    Board(Vec<BoardRoom>),
    /// `Char.Skills.List`: abilities learnt and on offer
    Skills(Vec<Skill>),
}

impl Data {
    /// What is to be told to a client that was told this before.
    pub(crate) fn since(self, told: Option<Self>) -> Self {
        match (self, told) {
            (Self::CharStatus(now), Some(Self::CharStatus(told))) => {
                Self::CharStatus(Box::new(StatusNews { now: now.now, told: Some(told.now) }))
            }
            (now, _) => now,
        }
    }

    /// The package that it belongs to, and the GMCP message as which it is sent.
    pub const fn address(&self) -> (Package, &'static str) {
        use AffectSide::{Bad, Good};
        use Package::{
            Afflictions, Board, Channels, Character, Defences, Items, Map, Media, Party, Room, Skills, Wares,
        };
        match self {
            Self::CharName { .. } => (Character, "Char.Name"),
            Self::CharVitals(_) => (Character, "Char.Vitals"),
            Self::CharStatus(_) => (Character, "Char.Status"),
            Self::CharStatusVars(_) => (Character, "Char.StatusVars"),
            Self::Items { .. } => (Items, "Char.Items.List"),
            Self::Item(ItemNews { what: Change::Added, .. }) => (Items, "Char.Items.Add"),
            Self::Item(ItemNews { what: Change::Removed, .. }) => (Items, "Char.Items.Remove"),
            Self::Item(ItemNews { what: Change::Updated, .. }) => (Items, "Char.Items.Update"),
            Self::Affects(AffectList { side: Bad, .. }) => (Afflictions, "Char.Afflictions.List"),
            Self::Affects(AffectList { side: Good, .. }) => (Defences, "Char.Defences.List"),
            Self::AffectAdded(AffectAdded { side: Bad, .. }) => (Afflictions, "Char.Afflictions.Add"),
            Self::AffectAdded(AffectAdded { side: Good, .. }) => (Defences, "Char.Defences.Add"),
            Self::AffectsRemoved(AffectsRemoved { side: Bad, .. }) => {
                (Afflictions, "Char.Afflictions.Remove")
            }
            Self::AffectsRemoved(AffectsRemoved { side: Good, .. }) => (Defences, "Char.Defences.Remove"),
            Self::RoomInfo(_) => (Room, "Room.Info"),
            Self::RoomMap(_) => (Map, "Room.Map"),
            Self::RoomPlayers(_) => (Room, "Room.Players"),
            Self::RoomAddPlayer(_) => (Room, "Room.AddPlayer"),
            Self::RoomRemovePlayer(_) => (Room, "Room.RemovePlayer"),
            Self::RoomWrongDir(_) => (Room, "Room.WrongDir"),
            Self::Channels(_) => (Channels, "Comm.Channel.List"),
            Self::ChannelText { .. } => (Channels, "Comm.Channel.Text"),
            Self::ChannelPlayers(_) => (Channels, "Comm.Channel.Players"),
            Self::MediaPlay(_) => (Media, "Client.Media.Play"),
            Self::MediaStop(_) => (Media, "Client.Media.Stop"),
            Self::PartyInfo(_) => (Party, "Party.Info"),
            Self::PartyUpdate(_) => (Party, "Party.Update"),
            Self::PartyInvitations(_) => (Party, "Party.Invitations"),
            Self::Wares(_) => (Wares, "Room.Wares.List"),
            Self::Board(_) => (Board, "Room.Puzzle.List"),
            Self::Skills(_) => (Skills, "Char.Skills.List"),
        }
    }
}
