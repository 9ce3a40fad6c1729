//! Structured data for clients (GMCP): the bodies of packages. `gmcp` decides when they are sent; the session transmits
//! them.

pub(crate) mod channel;
pub(crate) mod character;
pub(crate) mod dialogue;
pub(crate) mod link;
pub(crate) mod macros;
pub(crate) mod media;
pub(crate) mod offer;
mod package;
pub(crate) mod party;
pub(crate) mod post;
pub(crate) mod quest;
pub mod room;
pub(crate) mod object;

pub use channel::{ChannelInfo, ChannelPlayer};
pub use character::{
    AffectAdded, AffectInfo, AffectList, AffectSign, AffectsRemoved, CharStatus, CharVitals, StatusUpdate,
};
pub use dialogue::{DialogueChoice, DialogueNode};
pub use link::EncodedData;
pub use macros::MacroList;
pub use media::{MediaPlay, MediaStop};
pub use object::{EnemyInfo, ItemInfo, ItemUpdate, ObjectChange, ObjectId};
pub(crate) use offer::SKILLS;
pub use offer::{
    ActionKind, ActionOffer, PartyInvitation, Skill, SkillGroup, SkillInfo, SkillList, WareOffer,
};
pub use package::Package;
pub use party::{Group, GroupMember, PartyInfo, PartyMember};
pub use post::{MailInfo, NoteInfo};
pub use quest::{GuideStepInfo, QuestInfo, QuestStepInfo};
pub use room::{
    BoardRoom, BoardThing, Coord, ExitInfo, KnownRoom, OpenBranch, PlayerHere, RoomInfo, RoomMap, WorldTime,
};

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Packages that a client has subscribed to.
pub type Packages = BTreeSet<Package>;

/// Message of structured data. Serialises to its body.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Data {
    /// Name of the character
    CharName {
        /// Name.
        name: String,
        /// Name with title.
        fullname: String,
    },
    /// Hit points, experience and level, sent when one of them has changed
    CharVitals(CharVitals),
    /// Changed values of the status
    CharStatus(Box<StatusUpdate>),
    /// Captions of the values of the status
    CharStatusVars(BTreeMap<&'static str, &'static str>),
    /// All items and creatures at a place
    Items {
        /// `inv`, `room`, or `rep` and the id of a container.
        location: String,
        /// Items, then creatures, each in order of their ids.
        items: Vec<ItemInfo>,
    },
    /// One item or creature added, removed or changed
    Item(ItemUpdate),
    /// All afflictions or all defences of the character
    Affects(AffectList),
    /// One affect added
    AffectAdded(AffectAdded),
    /// Affects that have ended
    AffectsRemoved(AffectsRemoved),
    /// The room, for mappers
    RoomInfo(Box<RoomInfo>),
    /// Part of the known map of an area
    RoomMap(RoomMap),
    /// The other players in the room
    RoomPlayers(Vec<PlayerHere>),
    /// A player who has arrived
    RoomAddPlayer(PlayerHere),
    /// Name of a player who has left
    RoomRemovePlayer(String),
    /// Letter of a direction without an exit
    RoomWrongDir(&'static str),
    /// The channels
    Channels(Vec<ChannelInfo>),
    /// A line on a channel
    ChannelText {
        /// Channel.
        channel: String,
        /// Name of the speaker.
        talker: String,
        /// Text as shown to the player.
        text: String,
    },
    /// Connected players and the channels that they listen to
    ChannelPlayers(Vec<ChannelPlayer>),
    /// A sound to play
    MediaPlay(MediaPlay),
    /// Sounds to stop
    MediaStop(MediaStop),
    /// The party with all its members
    PartyInfo(Box<PartyInfo>),
    /// A member with changed values
    PartyUpdate(Box<PartyMember>),
    /// Every open invitation to the player
    PartyInvitations(Vec<PartyInvitation>),
    /// All items for sale in the room
    Wares(Vec<WareOffer>),
    /// Rooms of the puzzle that are not empty
    Board(Vec<BoardRoom>),
    /// Abilities learnt and on offer
    Skills(SkillList),
    /// Groups of abilities
    SkillGroups(Vec<SkillGroup>),
    /// One ability
    SkillInfo(SkillInfo),
    /// Actions that are open to the character
    Actions(Vec<ActionOffer>),
    /// Creatures that fight the character or its companions
    Enemies(Vec<EnemyInfo>),
    /// Current step of the guide
    Guide(GuideStepInfo),
    /// Active quests
    Quests(Vec<QuestInfo>),
    /// Macros and highlights
    Macros(MacroList),
    /// Numbers of mails
    Mail {
        /// Number of mails.
        mails: usize,
        /// Number of these that are unread.
        unread: usize,
    },
    /// The newest mails
    Mails(Vec<MailInfo>),
    /// The newest notes on the board of the room
    Notes(Vec<NoteInfo>),
    /// Branches that can be entered from the room
    Branches(Vec<OpenBranch>),
    /// Time in the town
    Time(WorldTime),
    /// The party as on Aardwolf
    Group(Group),
    /// Conversation with a creature or townsperson
    Dialogue(Box<DialogueNode>),
    /// Message of another process, as its JSON
    Encoded(EncodedData),
}

impl Data {
    /// Reduces a message to the changes since the message sent before.
    pub(crate) fn since(self, known: Option<Self>) -> Self {
        match (self, known) {
            (Self::CharStatus(now), Some(Self::CharStatus(known))) => {
                Self::CharStatus(Box::new(StatusUpdate { now: now.now, sent: Some(known.now) }))
            }
            (now, _) => now,
        }
    }
}
