//! Kinds of rooms: what a room is for, and all that follows from it. Each kind is a file with one value and a line of the
//! list below; storage, content, generator, maps, rules, data for clients and proofs read there what they need to know.
//!
//! What one does in rooms of a kind is a rule: it stands in the game.

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

use crate::catalog::lesson::Lesson;
use serde::{Deserialize, Serialize};

macro_rules! room_kinds {
    ($($(#[$about:meta])* $kind:ident = $file:ident,)*) => {
        /// What a room is for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum RoomKind {$($(#[$about])* $kind,)*}

        impl RoomKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// What follows from it.
            pub const fn spec(self) -> &'static KindSpec {
                match self {
                    $(Self::$kind => &$file::SPEC,)*
                }
            }
        }
    };
}

room_kinds! {
    /// An ordinary room, dug by hand.
    #[default]
    Room = room,
    /// The start room of a dungeon: permanent, its timers reset the exits and collapse branches.
    Start = start,
    /// An ordinary room of a branch.
    Dungeon = dungeon,
    /// An ordinary room of the generator `corridor`, or of the way between two sections of a whole floor.
    Corridor = corridor,
    /// A room with something written in it.
    Hint = hint,
    /// A room whose mechanism must be worked before one goes on: a portcullis with a stuck lever, or the gate of a puzzle.
    Puzzle = puzzle,
    /// A room with something worth guarding.
    Treasure = treasure,
    /// A room where nothing hunts: one rests well in it.
    Rest = rest,
    /// A room with a travelling merchant.
    Merchant = merchant,
    /// A room with a shrine: one may pray there.
    Shrine = shrine,
    /// A room with a riddle; it bars nothing.
    Riddle = riddle,
    /// A room with a captive behind guards.
    Rescue = rescue,
    /// A room that is worth seeing for itself.
    Landmark = landmark,
    /// A room with the grave of somebody who took a key along.
    Grave = grave,
    /// A room with a locked coffer.
    Coffer = coffer,
    /// A room of a whole floor or of a puzzle with something worth locking up.
    Chamber = chamber,
    /// A room of the column from which the rows of a puzzle set out.
    Gallery = gallery,
    /// A room of a row of a puzzle.
    Slot = slot,
    /// A room of a puzzle that sends one on.
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

/// Everything that follows from what a room is for.
#[derive(Debug)]
pub struct KindSpec {
    /// The word in dumps, storage and content, and as builders type it.
    pub name: &'static str,
    /// Who makes such rooms.
    pub origin: Origin,
    /// What is put into a new one, if themes draw them by weight.
    pub furnishing: Option<Furnishing>,
    /// The list of a theme with sentences about such rooms.
    pub sentences: Option<&'static str>,
    /// What a row's word for the feature of the room stands for.
    pub feature: Option<fn(String) -> RoomFeature>,
    /// Whether it is no more than a place, so that its creatures are all there is to it.
    pub plain: bool,
    /// Whether something there bars the ways on.
    pub bars: Bars,
    /// Whether nothing hunts there and one rests well.
    pub peaceful: bool,
    /// Whether it is one of the great things of a branch, which stand far apart.
    pub set_piece: bool,
    /// Why one stays there.
    pub visit: Visit,
    /// What may lie there.
    pub loot: Loot,
    /// Whether things are bought and sold there, and how many there are of each.
    pub sells: Option<Stock>,
    /// Its mark in pictures of planned branches. Where themes do not draw the kind, only while nothing is in the way.
    pub mark: Mark,
    /// What it is worth remembering for: `a merchant`. `path` finds it by that.
    pub remembered: Option<&'static str>,
    /// What whoever comes there learns; where guards stand, as long as they do.
    pub lesson: Option<Lesson>,
}

/// Who makes rooms of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Builders by command, and the files of hand-built areas.
    Builders,
    /// The files of hand-built areas.
    Areas,
    /// Branches, where fights and death are allowed.
    Branches,
}

/// Why one stays in rooms of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// For no more than what is there to see, to take or to overcome.
    Passing,
    /// For somebody or something to be dealt with: such rooms are some way apart.
    Business,
}

/// Whether something in rooms of a kind bars the ways on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bars {
    /// Nothing by the nature of the kind: such a room is clear from birth, whatever is in it.
    Never,
    /// Whatever happens to be there and blocks.
    AsFound,
    /// Guards, who always stand there.
    Guards,
}

/// What is put into a new room of a kind that themes draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Furnishing {
    /// One of the theme's sentences about rooms of the kind, drawn from a stream of this name.
    Sentence {
        /// The stream.
        stream: &'static str,
    },
    /// A hint, which is one of the sentences of its description; and the name with which a chain of clues begins.
    Hint,
    /// A grave with a key in it.
    Grave,
    /// A locked coffer.
    Coffer,
    /// A hoard.
    Hoard,
    /// A portcullis with a lever, or the gate of a puzzle.
    Mechanism,
    /// Somebody with things for sale.
    Wares,
    /// A shrine.
    Shrine,
    /// A voice that asks a riddle.
    Riddle,
    /// Somebody whom the guards hold.
    Captive,
    /// What the theme tells of the landmark.
    Landmark,
}

/// What may lie in rooms of a kind, besides what its level type puts there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loot {
    /// One of the things that lie about in halls.
    Litter,
    /// Things and coins as the difficulty allows.
    Hoard,
    /// One thing of a hoard, and coins, for whoever does what is asked; they come to light then.
    Gift,
    /// A key, for whoever looks for it.
    Key,
}

/// How much there is of what is for sale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stock {
    /// No end of anything.
    Endless,
    /// A pack: each thing in it once, and what one sells goes into it.
    Pack,
}

/// A letter in a picture, and what a legend says of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The letter; several kinds may share one.
    pub letter: char,
    /// What it means: `a room with a hint`.
    pub meaning: &'static str,
    /// Where it stands in a legend, from 0.
    pub rank: u8,
}

impl KindSpec {
    /// A room of a branch of which nothing is special.
    const PLAIN: Self = Self {
        name: "",
        origin: Origin::Branches,
        furnishing: None,
        sentences: None,
        feature: None,
        plain: false,
        bars: Bars::AsFound,
        peaceful: false,
        set_piece: false,
        visit: Visit::Passing,
        loot: Loot::Litter,
        sells: None,
        mark: Mark { letter: 'o', meaning: "a room with nothing in the way", rank: 1 },
        remembered: None,
        lesson: None,
    };

    /// The word among the details of a room that clients are told: what it is remembered for, without an article.
    pub fn detail(&self) -> Option<&'static str> {
        self.remembered?.rsplit(' ').next()
    }
}

impl KindSpec {
    /// Whether a room of the kind is told by a sentence of its own out of a list of the theme.
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
    /// The word in dumps, storage and content, and as builders type it.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// The kinds that are made by some, each with its name.
    pub fn made_by(origins: &[Origin]) -> Vec<(&'static str, Self)> {
        let made = |kind: &Self| origins.contains(&kind.spec().origin);
        Self::ALL.iter().copied().filter(made).map(|kind| (kind.name(), kind)).collect()
    }

    /// The kinds that themes draw.
    pub fn drawn() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_drawn())
    }

    /// Whether themes draw it by weight.
    pub const fn is_drawn(self) -> bool {
        self.spec().furnishing.is_some()
    }

    /// Whether rooms of this kind belong to branches, where fights and death are allowed.
    pub const fn is_dungeon(self) -> bool {
        matches!(self.spec().origin, Origin::Branches)
    }

    /// Whether it bars nothing by its nature.
    pub const fn is_harmless(self) -> bool {
        matches!(self.spec().bars, Bars::Never)
    }

    /// Whether guards always stand in such rooms.
    pub const fn is_guarded(self) -> bool {
        matches!(self.spec().bars, Bars::Guards)
    }

    /// Whether a mechanism that has to be worked keeps its ways on shut.
    pub const fn has_mechanism(self) -> bool {
        matches!(self.spec().furnishing, Some(Furnishing::Mechanism))
    }

    /// Whether a new room of this kind is clear. Rooms that bar nothing by their nature always are; the others
    /// are unless something in them blocks.
    pub const fn is_born_clear(self, blocked: bool) -> bool {
        self.is_harmless() || !blocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind is stored by the name that its file says, and no two kinds share one.
    #[test]
    fn kinds_have_names_of_their_own() {
        let names: std::collections::BTreeSet<_> = RoomKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), RoomKind::ALL.len());
        for kind in RoomKind::ALL {
            assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{}\"", kind.name()));
        }
    }

    /// A letter means one thing, at one place of a legend.
    #[test]
    fn a_letter_means_one_thing() {
        for one in RoomKind::ALL.iter().map(|kind| kind.spec().mark) {
            for other in RoomKind::ALL.iter().map(|kind| kind.spec().mark) {
                assert_eq!(one.letter == other.letter, one == other);
                assert_eq!(one.rank == other.rank, one == other);
            }
        }
    }
}
