//! Kinds of rooms and their properties. Each kind is a file with one value, and a line in the list below. Storage,
//! content, generators, maps, rules, client data and proofs read the properties they need there.
//!
//! Actions of players in rooms of a kind are implemented in `game`.

mod bank;
mod chamber;
mod coffer;
mod corridor;
mod dungeon;
mod feature;
mod finish;
mod gallery;
mod grave;
mod healer;
mod hint;
mod landmark;
mod merchant;
mod portal;
mod puzzle;
mod rescue;
mod rest;
mod riddle;
mod room;
mod shop;
mod shrine;
mod slot;
mod start;
mod treasure;

pub use feature::RoomFeature;

use crate::catalog::help::lesson::Lesson;
use serde::{Deserialize, Serialize};

macro_rules! room_kinds {
    ($($(#[$about:meta])* $kind:ident = $file:ident,)*) => {
        /// Kind of a room.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum RoomKind {$($(#[$about])* $kind,)*}

        impl RoomKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the properties of the kind.
            pub const fn spec(self) -> &'static KindSpec {
                match self {
                    $(Self::$kind => &$file::SPEC,)*
                }
            }
        }
    };
}

room_kinds! {
    /// An ordinary hand-built room.
    #[default]
    Room = room,
    /// The start room of a dungeon: permanent, with timers that reset its exits and expire branches.
    Start = start,
    /// An ordinary room of a branch.
    Dungeon = dungeon,
    /// An ordinary room of the generator `corridor`, or of the path between two sections of a whole floor.
    Corridor = corridor,
    /// A room with a written clue.
    Hint = hint,
    /// A room whose mechanism blocks the exits that lead on: a portcullis with a stuck lever, or the gate of a puzzle.
    Puzzle = puzzle,
    /// A room with something worth guarding.
    Treasure = treasure,
    /// A room without roaming creatures, where players rest well.
    Rest = rest,
    /// A room with a travelling merchant.
    Merchant = merchant,
    /// A room with a shrine for prayers.
    Shrine = shrine,
    /// A room with a riddle, which does not block any exit.
    Riddle = riddle,
    /// A room with a captive behind guards.
    Rescue = rescue,
    /// A scenic room that rewards its discovery.
    Landmark = landmark,
    /// A room with a grave that contains a key.
    Grave = grave,
    /// A room with a locked coffer.
    Coffer = coffer,
    /// A room of a whole floor or of a puzzle with something worth guarding.
    Chamber = chamber,
    /// A room of the column in which the rows of a puzzle begin.
    Gallery = gallery,
    /// A room of a row of a puzzle.
    Slot = slot,
    /// A room of a puzzle that transports players.
    Portal = portal,
    /// The room at the end of a puzzle.
    Finish = finish,
    /// A shop of a hand-built area.
    Shop = shop,
    /// A healer's room of a hand-built area.
    Healer = healer,
    /// A bank of a hand-built area.
    Bank = bank,
}

/// Properties of a kind of room.
#[derive(Debug)]
pub struct KindSpec {
    /// Name in dumps, storage, content and builder commands.
    pub name: &'static str,
    /// Origin of such rooms.
    pub origin: RoomOrigin,
    /// Contents of a new room, if themes generate the kind by weight.
    pub furnishing: Option<Furnishing>,
    /// Key of the theme's list of sentences for the kind.
    pub sentences: Option<&'static str>,
    /// Creates the room's feature from the text stored for it.
    pub feature: Option<fn(String) -> RoomFeature>,
    /// Set if the kind has nothing special except the creatures in a room.
    pub plain: bool,
    /// Obstacles to the exits that lead on.
    pub bars: Bars,
    /// Set if creatures do not hunt there and players rest well.
    pub peaceful: bool,
    /// Set for the major attractions of a branch, which are placed far apart.
    pub set_piece: bool,
    /// Reason for players to stay.
    pub visit: RoomVisit,
    /// Loot.
    pub loot: Loot,
    /// Stock for sale, if such rooms trade.
    pub sells: Option<WareStock>,
    /// Letter in plots of planned branches. For kinds that themes do not generate, used only while nothing blocks the
    /// room.
    pub mark: PlotMark,
    /// Commands that such rooms offer to everybody, each after its label for a button.
    pub offers: &'static [(&'static str, &'static str)],
    /// Description in lists of known places: `a merchant`. `path` finds the room by it.
    pub remembered: Option<&'static str>,
    /// Event for the tips of a player who enters; in a guarded room only while the guards live.
    pub lesson: Option<Lesson>,
}

/// Origin of rooms of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoomOrigin {
    /// Builder commands and files of hand-built areas.
    Builders,
    /// Only files of hand-built areas.
    Areas,
    /// Branches, where combat and death are allowed.
    Branches,
}

/// Reason for players to stay in rooms of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoomVisit {
    /// None beyond seeing, taking or overcoming the contents.
    Passing,
    /// Interaction with a character or an object; such rooms are spaced apart.
    Business,
}

/// Obstacles to the exits that lead on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bars {
    /// None: such a room is clear from the start, regardless of its contents.
    Never,
    /// Depends on the contents of the room.
    AsFound,
    /// Guards, which are always present.
    Guards,
}

/// Contents of a new room of a kind that themes generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Furnishing {
    /// One of the theme's sentences for the kind, picked with a random stream of this name.
    Sentence {
        /// Name of the random stream.
        stream: &'static str,
    },
    /// A hint as part of the description, and the name with which a chain of clues begins.
    Hint,
    /// A grave with a key in it.
    Grave,
    /// A locked coffer.
    Coffer,
    /// A hoard.
    Hoard,
    /// A portcullis with a lever, or the gate of a puzzle.
    Mechanism,
    /// A merchant.
    Wares,
    /// A shrine.
    Shrine,
    /// A riddle.
    Riddle,
    /// A captive held by the guards.
    Captive,
    /// The theme's texts of a landmark.
    Landmark,
}

/// Loot in rooms of a kind, in addition to that of its level type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loot {
    /// An item from the loot table of halls.
    Litter,
    /// Items and coins by difficulty.
    Hoard,
    /// A hoard's item and coins as a reward, which appear when the task is done.
    Gift,
    /// A key, found by searching.
    Key,
}

/// Quantity of the wares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WareStock {
    /// Unlimited.
    Endless,
    /// One of each item in a pack; items that players sell are added to it.
    Pack,
}

/// A letter in a plot and its entry in the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlotMark {
    /// Letter; several kinds may share one.
    pub letter: char,
    /// Meaning: `a room with a hint`.
    pub meaning: &'static str,
    /// Position in the legend, from 0.
    pub rank: u8,
}

impl KindSpec {
    /// Defaults: a room of a branch without special properties.
    const PLAIN: Self = Self {
        name: "",
        origin: RoomOrigin::Branches,
        furnishing: None,
        sentences: None,
        feature: None,
        plain: false,
        bars: Bars::AsFound,
        peaceful: false,
        set_piece: false,
        visit: RoomVisit::Passing,
        loot: Loot::Litter,
        sells: None,
        mark: PlotMark { letter: 'o', meaning: "a room with nothing in the way", rank: 1 },
        remembered: None,
        offers: &[],
        lesson: None,
    };

    /// Returns the room detail that is sent to clients: the last word of `remembered`.
    pub fn detail(&self) -> Option<&'static str> {
        self.remembered?.rsplit(' ').next()
    }
}

impl KindSpec {
    /// Returns `true` if the description has a sentence from the kind's own list in the theme.
    pub const fn is_told(&self) -> bool {
        match self.furnishing {
            None | Some(Furnishing::Hoard | Furnishing::Mechanism | Furnishing::Landmark) => false,
            Some(
                Furnishing::Sentence { .. }
                | Furnishing::Hint
                | Furnishing::Wares
                | Furnishing::Shrine
                | Furnishing::Riddle
                | Furnishing::Captive
                | Furnishing::Grave
                | Furnishing::Coffer,
            ) => true,
        }
    }
}

impl RoomKind {
    /// Returns the name in dumps, storage, content and builder commands.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns the kinds of these origins with their names.
    pub fn made_by(origins: &[RoomOrigin]) -> Vec<(&'static str, Self)> {
        let made = |kind: &Self| origins.contains(&kind.spec().origin);
        Self::ALL.iter().copied().filter(made).map(|kind| (kind.name(), kind)).collect()
    }

    /// Returns the kinds that themes generate.
    pub fn drawn() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_generated())
    }

    /// Returns `true` if themes generate the kind by weight.
    pub const fn is_generated(self) -> bool {
        self.spec().furnishing.is_some()
    }

    /// Returns `true` if rooms of this kind belong to branches, where combat and death are allowed.
    pub const fn is_dungeon(self) -> bool {
        matches!(self.spec().origin, RoomOrigin::Branches)
    }

    /// Returns `true` if the kind never blocks exits.
    pub const fn is_harmless(self) -> bool {
        matches!(self.spec().bars, Bars::Never)
    }

    /// Returns `true` if such rooms always have guards.
    pub const fn is_guarded(self) -> bool {
        matches!(self.spec().bars, Bars::Guards)
    }

    /// Returns `true` if such rooms have a mechanism that blocks exits.
    pub const fn has_mechanism(self) -> bool {
        matches!(self.spec().furnishing, Some(Furnishing::Mechanism))
    }

    /// Returns `true` if a new room of this kind is clear. `blocked` tells if its contents block exits, which matters
    /// only for kinds that can block.
    pub const fn is_born_clear(self, blocked: bool) -> bool {
        self.is_harmless() || !blocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind is stored by its name, and names are unique.
    #[test]
    fn room_kind_names_are_unique_and_stored() {
        let names: std::collections::BTreeSet<_> = RoomKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), RoomKind::ALL.len());
        for kind in RoomKind::ALL {
            assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{}\"", kind.name()));
        }
    }

    /// Each letter has one meaning and one position in the legend.
    #[test]
    fn each_map_letter_has_one_meaning() {
        for one in RoomKind::ALL.iter().map(|kind| kind.spec().mark) {
            for other in RoomKind::ALL.iter().map(|kind| kind.spec().mark) {
                assert_eq!(one.letter == other.letter, one == other);
                assert_eq!(one.rank == other.rank, one == other);
            }
        }
    }
}
