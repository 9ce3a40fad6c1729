//! Perils: possible contents of a room by weight: nothing, guards, or a special kind of room.

use crate::catalog::room_kind::RoomKind;
use crate::data::{Reader, definition};
use crate::level::RoomKindLimit;

definition! {
    /// A possible content of a room.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Peril {
        /// Kind.
        pub kind: PerilKind => |table| table.choice("kind", &PerilKind::names()).unwrap_or(PerilKind::None),
        /// Weight at difficulty 0.
        pub weight: u32 = number(0..=10_000),
        /// Increase of the weight per step of difficulty.
        pub weight_per_difficulty: u32 = number_or(0..=1_000, 0),
        /// Maximum number of such rooms.
        pub limit: RoomKindLimit => |table| limit(table),
        /// Prerequisite kind: this peril is chosen only while the site has fewer rooms of this peril's kind than of the
        /// prerequisite.
        pub after: Option<RoomKind> => |table| after(table),
    }
}

fn after(table: &mut Reader<'_>) -> Option<RoomKind> {
    let kinds: Vec<(&str, RoomKind)> = RoomKind::drawn().map(|kind| (kind.name(), kind)).collect();
    table.choice_if_any("after", &kinds)
}

fn limit(table: &mut Reader<'_>) -> RoomKindLimit {
    RoomKindLimit {
        per_floor: table.about("Maximum number on a floor.").number_if_any("per_floor", &(1..=1_000)),
        per_branch: table.about("Maximum number in a branch.").number_if_any("per_branch", &(1..=1_000)),
    }
}

/// Kind of a room's content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PerilKind {
    /// Nothing; the room is clear from the start.
    None,
    /// Guards that must be defeated.
    Monsters,
    /// Special kind of room.
    Room(RoomKind),
}

impl PerilKind {
    /// Kinds that every theme must offer.
    pub const REQUIRED: &[Self] =
        &[Self::Monsters, Self::Room(RoomKind::Puzzle), Self::Room(RoomKind::Treasure)];

    /// Returns all kinds with their names in content.
    fn names() -> Vec<(&'static str, Self)> {
        let drawn = RoomKind::drawn().map(Self::Room);
        [Self::None, Self::Monsters].into_iter().chain(drawn).map(|kind| (kind.name(), kind)).collect()
    }

    /// Returns the name in content.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Monsters => "monsters",
            Self::Room(kind) => kind.name(),
        }
    }

    /// Returns `true` if such rooms have guards.
    pub const fn is_encounter(self) -> bool {
        match self {
            Self::None => false,
            Self::Monsters => true,
            Self::Room(kind) => kind.is_guarded(),
        }
    }

    /// Returns `true` if the first room of a branch may be of this kind. Rooms with levers or hoards and set pieces are
    /// excluded.
    pub const fn is_gentle(self) -> bool {
        match self {
            Self::None | Self::Monsters => true,
            Self::Room(kind) => kind.is_harmless() && !kind.spec().set_piece,
        }
    }
}
