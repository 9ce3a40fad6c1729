//! Structured data for clients (GMCP): the bodies of packages. `gmcp` decides when they are sent; the session transmits
//! them.

pub(crate) mod channel;
pub(crate) mod character;
pub(crate) mod dialogue;
pub(crate) mod link;
pub(crate) mod media;
pub(crate) mod offer;
pub(crate) mod party;
pub(crate) mod quest;
pub mod room;
pub(crate) mod thing;

pub use channel::{ChannelInfo, ChannelPlayer};
pub use character::{
    AffectAdded, AffectInfo, AffectList, AffectSign, AffectsRemoved, CharStatus, CharVitals, StatusUpdate,
};
pub use dialogue::{DialogueChoice, DialogueNode};
pub use link::EncodedData;
pub use media::{MediaPlay, MediaStop};
pub use offer::{PartyInvitation, Skill, Ware};
pub use party::{PartyInfo, PartyMember};
pub use quest::{QuestInfo, QuestStepInfo};
pub use room::{BoardRoom, BoardThing, Coord, ExitInfo, KnownRoom, PlayerHere, RoomInfo, RoomMap};
pub use thing::{Change, ItemInfo, ItemUpdate, ThingId};

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Package of structured data, sent to clients that subscribe to it. Its name and behaviour are in its file in `gmcp`.
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
    /// `Client.Media`, if the player has enabled sounds
    Media,
    /// `Room.Wares`
    Wares,
    /// `Room.Puzzle`
    Board,
    /// `Char.Skills`
    Skills,
    /// `Char.Quests`
    Quests,
    /// `Char.Mail`
    Mail,
}

/// Packages that a client has subscribed to.
pub type Packages = BTreeSet<Package>;

/// Message of structured data. Serialises to its body.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Data {
    /// `Char.Name`
    CharName {
        /// Name.
        name: String,
        /// Name with title.
        fullname: String,
    },
    /// `Char.Vitals`, sent when one of its values has changed
    CharVitals(CharVitals),
    /// `Char.Status`: changed values
    CharStatus(Box<StatusUpdate>),
    /// `Char.StatusVars`: captions of the values of `Char.Status`
    CharStatusVars(BTreeMap<&'static str, &'static str>),
    /// `Char.Items.List`: all items and creatures at a place
    Items {
        /// `inv`, `room`, or `rep` and the id of a container.
        location: String,
        /// Items, then creatures, each in order of their ids.
        items: Vec<ItemInfo>,
    },
    /// `Char.Items.Add`, `.Remove` and `.Update`: one item or creature added, removed or changed
    Item(ItemUpdate),
    /// `Char.Afflictions.List` and `Char.Defences.List`: all affects of the character
    Affects(AffectList),
    /// `Char.Afflictions.Add` and `Char.Defences.Add`: one affect added
    AffectAdded(AffectAdded),
    /// `Char.Afflictions.Remove` and `Char.Defences.Remove`: affects that have ended
    AffectsRemoved(AffectsRemoved),
    /// `Room.Info`
    RoomInfo(Box<RoomInfo>),
    /// `Room.Map`: part of the known map of an area
    RoomMap(RoomMap),
    /// `Room.Players`: the other players in the room
    RoomPlayers(Vec<PlayerHere>),
    /// `Room.AddPlayer`: a player who has arrived
    RoomAddPlayer(PlayerHere),
    /// `Room.RemovePlayer`: name of a player who has left
    RoomRemovePlayer(String),
    /// `Room.WrongDir`: letter of a direction without an exit
    RoomWrongDir(&'static str),
    /// `Comm.Channel.List`
    Channels(Vec<ChannelInfo>),
    /// `Comm.Channel.Text`
    ChannelText {
        /// Channel.
        channel: String,
        /// Name of the speaker.
        talker: String,
        /// Text as shown to the player.
        text: String,
    },
    /// `Comm.Channel.Players`: connected players and the channels that they listen to
    ChannelPlayers(Vec<ChannelPlayer>),
    /// `Client.Media.Play`
    MediaPlay(MediaPlay),
    /// `Client.Media.Stop`
    MediaStop(MediaStop),
    /// `Party.Info`
    PartyInfo(Box<PartyInfo>),
    /// `Party.Update`
    PartyUpdate(Box<PartyMember>),
    /// `Party.Invitations`: every open invitation to the player
    PartyInvitations(Vec<PartyInvitation>),
    /// `Room.Wares.List`: all items for sale in the room
    Wares(Vec<Ware>),
    /// `Room.Puzzle.List`: rooms of the puzzle that are not empty
    Board(Vec<BoardRoom>),
    /// `Char.Skills.List`: abilities learnt and on offer
    Skills(Vec<Skill>),
    /// `Char.Quests.List`: active quests
    Quests(Vec<QuestInfo>),
    /// `Char.Mail.Status`
    Mail {
        /// Number of mails.
        mails: usize,
        /// Number of these that are unread.
        unread: usize,
    },
    /// `Char.Dialogue`: conversation with a creature or townsperson
    Dialogue(Box<DialogueNode>),
    /// Message of another process, as its JSON
    Encoded(EncodedData),
}

impl Data {
    /// Reduces a message to the changes since the message sent before.
    pub(crate) fn since(self, told: Option<Self>) -> Self {
        match (self, told) {
            (Self::CharStatus(now), Some(Self::CharStatus(told))) => {
                Self::CharStatus(Box::new(StatusUpdate { now: now.now, told: Some(told.now) }))
            }
            (now, _) => now,
        }
    }

    /// Returns the package of the message and its GMCP name, which is empty for [`Data::Encoded`].
    pub const fn address(&self) -> (Package, &'static str) {
        use AffectSign::{Bad, Good};
        use Package::{
            Afflictions, Board, Channels, Character, Defences, Items, Mail, Map, Media, Party, Quests, Room,
            Skills, Wares,
        };
        match self {
            Self::CharName { .. } => (Character, "Char.Name"),
            Self::CharVitals(_) => (Character, "Char.Vitals"),
            Self::CharStatus(_) => (Character, "Char.Status"),
            Self::CharStatusVars(_) => (Character, "Char.StatusVars"),
            Self::Items { .. } => (Items, "Char.Items.List"),
            Self::Item(ItemUpdate { what: Change::Added, .. }) => (Items, "Char.Items.Add"),
            Self::Item(ItemUpdate { what: Change::Removed, .. }) => (Items, "Char.Items.Remove"),
            Self::Item(ItemUpdate { what: Change::Updated, .. }) => (Items, "Char.Items.Update"),
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
            Self::Quests(_) => (Quests, "Char.Quests.List"),
            Self::Mail { .. } => (Mail, "Char.Mail.Status"),
            Self::Dialogue(_) => (Character, "Char.Dialogue"),
            Self::Encoded(data) => (data.package, ""),
        }
    }
}
