//! What clients are told as data (GMCP): the bodies of packages, not when they are
//! sent (`gmcp`) and not how they reach the client (the session's).

pub(crate) mod channel;
pub(crate) mod character;
pub(crate) mod media;
pub(crate) mod party;
pub(crate) mod room;
pub(crate) mod thing;

pub use channel::{ChannelInfo, ChannelPlayer};
pub use character::{
    AffectAdded, AffectInfo, AffectList, AffectSide, AffectsRemoved, CharStatus, CharVitals, StatusNews,
};
pub use media::{MediaPlay, MediaStop};
pub use party::{PartyInfo, PartyMember};
pub use room::{Coord, ExitInfo, PlayerHere, RoomInfo};
pub use thing::{Change, ItemNews, Thing, ThingId};

use serde::Serialize;
use std::collections::BTreeMap;

/// Structured data. Serialises to the body of its package.
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
}

impl Data {
    /// The GMCP package it is sent as.
    pub const fn package(&self) -> &'static str {
        match self {
            Self::CharName { .. } => "Char.Name",
            Self::CharVitals(_) => "Char.Vitals",
            Self::CharStatus(_) => "Char.Status",
            Self::CharStatusVars(_) => "Char.StatusVars",
            Self::Items { .. } => "Char.Items.List",
            Self::Item(news) => match news.what {
                Change::Added => "Char.Items.Add",
                Change::Removed => "Char.Items.Remove",
                Change::Updated => "Char.Items.Update",
            },
            Self::Affects(AffectList { side: AffectSide::Bad, .. }) => "Char.Afflictions.List",
            Self::Affects(AffectList { side: AffectSide::Good, .. }) => "Char.Defences.List",
            Self::AffectAdded(AffectAdded { side: AffectSide::Bad, .. }) => "Char.Afflictions.Add",
            Self::AffectAdded(AffectAdded { side: AffectSide::Good, .. }) => "Char.Defences.Add",
            Self::AffectsRemoved(AffectsRemoved { side: AffectSide::Bad, .. }) => "Char.Afflictions.Remove",
            Self::AffectsRemoved(AffectsRemoved { side: AffectSide::Good, .. }) => "Char.Defences.Remove",
            Self::RoomInfo(_) => "Room.Info",
            Self::RoomPlayers(_) => "Room.Players",
            Self::RoomAddPlayer(_) => "Room.AddPlayer",
            Self::RoomRemovePlayer(_) => "Room.RemovePlayer",
            Self::RoomWrongDir(_) => "Room.WrongDir",
            Self::Channels(_) => "Comm.Channel.List",
            Self::ChannelText { .. } => "Comm.Channel.Text",
            Self::ChannelPlayers(_) => "Comm.Channel.Players",
            Self::MediaPlay(_) => "Client.Media.Play",
            Self::MediaStop(_) => "Client.Media.Stop",
            Self::PartyInfo(_) => "Party.Info",
            Self::PartyUpdate(_) => "Party.Update",
        }
    }
}
