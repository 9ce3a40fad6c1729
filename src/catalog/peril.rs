//! What may be in a room of a theme, by weight: nothing, guards, or what makes it a room of a kind.

use super::room_kind::RoomKind;
use crate::data::{Reader, definition};
use crate::level::Limit;

definition! {
    /// One thing that may be in a room.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Peril {
        /// What it is.
        pub kind: PerilKind => |table| table.choice("kind", &PerilKind::names()).unwrap_or(PerilKind::None),
        /// Its weight at difficulty 0.
        pub weight: u32 = number(0..=10_000),
        /// What each step of difficulty adds to the weight.
        pub weight_per_difficulty: u32 = number_or(0..=1_000, 0),
        /// How many such rooms there may be.
        pub limit: Limit => |table| limit(table),
        /// The kind of room of which there must be one more than of this: what follows from what.
        pub after: Option<RoomKind> => |table| after(table),
    }
}

fn after(table: &mut Reader<'_>) -> Option<RoomKind> {
    let kinds: Vec<(&str, RoomKind)> = RoomKind::drawn().map(|kind| (kind.name(), kind)).collect();
    table.choice_if_any("after", &kinds)
}

fn limit(table: &mut Reader<'_>) -> Limit {
    Limit {
        per_floor: table.number_if_any("per_floor", &(1..=1_000)),
        per_branch: table.number_if_any("per_branch", &(1..=1_000)),
    }
}

/// What may be in a room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PerilKind {
    /// Nothing; the room is born clear.
    None,
    /// Guards that have to be beaten.
    Monsters,
    /// What makes it a room of a kind.
    Room(RoomKind),
}

impl PerilKind {
    /// The three that every theme has to offer.
    pub const REQUIRED: &[Self] =
        &[Self::Monsters, Self::Room(RoomKind::Puzzle), Self::Room(RoomKind::Treasure)];

    /// All of them, each with the name used in data.
    fn names() -> Vec<(&'static str, Self)> {
        let drawn = RoomKind::drawn().map(Self::Room);
        [Self::None, Self::Monsters].into_iter().chain(drawn).map(|kind| (kind.name(), kind)).collect()
    }

    /// The name used in data.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Monsters => "monsters",
            Self::Room(kind) => kind.name(),
        }
    }

    /// Whether guards stand in such rooms.
    pub const fn is_encounter(self) -> bool {
        match self {
            Self::None => false,
            Self::Monsters => true,
            Self::Room(kind) => kind.is_guarded(),
        }
    }

    /// Whether the first room of a branch may be of this kind: it asks for no lever, holds no hoard and is no set piece.
    pub const fn is_gentle(self) -> bool {
        match self {
            Self::None | Self::Monsters => true,
            Self::Room(kind) => kind.is_harmless() && !kind.spec().set_piece,
        }
    }
}
