//! GMCP packages with their messages: each name is declared here once.

use super::AffectSign::{Bad, Good};
use super::{AffectAdded, AffectList, AffectsRemoved, Data, ItemUpdate, ObjectChange};
use serde::{Deserialize, Serialize};

/// Declares the packages with their names, and the messages of each with theirs.
macro_rules! packages {
    ($($package:ident = $name:literal { $($message:pat => $called:literal),+ $(,)? })+) => {
        /// Package of structured data, sent to clients that subscribe to it. Its behaviour is in its file in `gmcp`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub enum Package {
            $(#[doc = concat!("`", $name, "`")] $package,)+
        }

        impl Package {
            /// All packages.
            pub const ALL: &[Self] = &[$(Self::$package),+];

            /// Returns the name used by clients.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$package => $name,)+
                }
            }

            /// Returns the names of its messages.
            pub(crate) const fn messages(self) -> &'static [&'static str] {
                match self {
                    $(Self::$package => &[$($called),+],)+
                }
            }
        }

        impl Data {
            /// Returns the package of the message and its GMCP name, which is empty for [`Data::Encoded`].
            pub const fn address(&self) -> (Package, &'static str) {
                match self {
                    $($($message => (Package::$package, $called),)+)+
                    Self::Encoded(data) => (data.package, ""),
                }
            }
        }
    };
}

packages! {
    Character = "Char" {
        Self::CharName { .. } => "Char.Name",
        Self::CharVitals(_) => "Char.Vitals",
        Self::CharStatus(_) => "Char.Status",
        Self::CharStatusVars(_) => "Char.StatusVars",
        Self::Dialogue(_) => "Char.Dialogue",
    }
    Room = "Room" {
        Self::RoomInfo(_) => "Room.Info",
        Self::RoomPlayers(_) => "Room.Players",
        Self::RoomAddPlayer(_) => "Room.AddPlayer",
        Self::RoomRemovePlayer(_) => "Room.RemovePlayer",
        Self::RoomWrongDir(_) => "Room.WrongDir",
    }
    Branches = "Room.Branches" { Self::Branches(_) => "Room.Branches.List" }
    Notes = "Room.Notes" { Self::Notes(_) => "Room.Notes.List" }
    Map = "Room.Map" { Self::RoomMap(_) => "Room.Map" }
    Channels = "Comm.Channel" {
        Self::Channels(_) => "Comm.Channel.List",
        Self::ChannelText { .. } => "Comm.Channel.Text",
        Self::ChannelPlayers(_) => "Comm.Channel.Players",
    }
    Party = "Party" {
        Self::PartyInfo(_) => "Party.Info",
        Self::PartyUpdate(_) => "Party.Update",
        Self::PartyInvitations(_) => "Party.Invitations",
    }
    Items = "Char.Items" {
        Self::Items { .. } => "Char.Items.List",
        Self::Item(ItemUpdate { what: ObjectChange::Added, .. }) => "Char.Items.Add",
        Self::Item(ItemUpdate { what: ObjectChange::Removed, .. }) => "Char.Items.Remove",
        Self::Item(ItemUpdate { what: ObjectChange::Updated, .. }) => "Char.Items.Update",
    }
    Afflictions = "Char.Afflictions" {
        Self::Affects(AffectList { side: Bad, .. }) => "Char.Afflictions.List",
        Self::AffectAdded(AffectAdded { side: Bad, .. }) => "Char.Afflictions.Add",
        Self::AffectsRemoved(AffectsRemoved { side: Bad, .. }) => "Char.Afflictions.Remove",
    }
    Defences = "Char.Defences" {
        Self::Affects(AffectList { side: Good, .. }) => "Char.Defences.List",
        Self::AffectAdded(AffectAdded { side: Good, .. }) => "Char.Defences.Add",
        Self::AffectsRemoved(AffectsRemoved { side: Good, .. }) => "Char.Defences.Remove",
    }
    Media = "Client.Media" {
        Self::MediaPlay(_) => "Client.Media.Play",
        Self::MediaStop(_) => "Client.Media.Stop",
    }
    Wares = "Room.Wares" { Self::Wares(_) => "Room.Wares.List" }
    Board = "Room.Puzzle" { Self::Board(_) => "Room.Puzzle.List" }
    Skills = "Char.Skills" {
        Self::Skills(_) => "Char.Skills.List",
        Self::SkillGroups(_) => "Char.Skills.Groups",
        Self::SkillInfo(_) => "Char.Skills.Info",
    }
    Actions = "Char.Actions" { Self::Actions(_) => "Char.Actions.List" }
    Enemies = "Char.Enemies" { Self::Enemies(_) => "Char.Enemies.List" }
    Guide = "Char.Guide" { Self::Guide(_) => "Char.Guide.Step" }
    Quests = "Char.Quests" { Self::Quests(_) => "Char.Quests.List" }
    Macros = "Char.Macros" { Self::Macros(_) => "Char.Macros.List" }
    Mail = "Char.Mail" {
        Self::Mail { .. } => "Char.Mail.Status",
        Self::Mails(_) => "Char.Mail.List",
    }
    Time = "World.Time" { Self::Time(_) => "World.Time" }
    Group = "group" { Self::Group(_) => "group" }
}

impl Package {
    /// Finds a package by its name or the name of one of its messages, ignoring case. Returns it with the name as spelt
    /// above.
    pub fn named(name: &str) -> Option<(Self, &'static str)> {
        Self::ALL.iter().find_map(|package| {
            let mut names = std::iter::once(package.name()).chain(package.messages().iter().copied());
            Some((*package, names.find(|known| known.eq_ignore_ascii_case(name))?))
        })
    }
}
