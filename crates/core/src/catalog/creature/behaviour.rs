//! Behaviours of creatures: small parts that a prototype combines.

use crate::data::{Field, Reader, doc_text, fields_of};

/// A part by its name in files.
#[derive(Clone, Copy)]
struct BehaviourPart {
    about: &'static str,
    /// Reads the parameters.
    read: fn(&mut Reader<'_>) -> Behaviour,
}

/// Declares the parts of behaviours with their names in files, and the reader method of each parameter.
macro_rules! behaviours {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$($about:tt)*])* $part:ident = $word:literal $({
            $($(#[$($doc:tt)*])* $field:ident: $kind:ty = $method:ident($($argument:expr),*),)*
        })?,)*
    }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$($about)*])* $part $({ $($(#[$($doc)*])* $field: $kind,)* })?,)* }

        /// Parts by name.
        const PARTS: &[(&str, BehaviourPart)] = &[$(($word, BehaviourPart {
            about: concat!($(doc_text!($($about)*)),*),
            read: |table| {
                table.listed.set_about_table(concat!($(doc_text!($($about)*)),*));
                $($(
                    table.about(concat!($(doc_text!($($doc)*)),*));
                    let $field = table.$method(stringify!($field), $($argument),*);
                )*)?
                $name::$part $({ $($field),* })?
            },
        })),*];

        impl $name {
            /// Returns the name of the part.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$part { .. } => $word,)*
                }
            }
        }
    };
}

behaviours! {
    /// A part of a creature's behaviour, with its parameters.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Behaviour {
        /// Blocks the unexplored exits of the room where it spawned, and does not leave it until the room is clear; a
        /// guard that flees has left its post.
        Guard = "guard",
        /// Takes a random explored exit now and then.
        Wander = "wander" {
            /// Chance per tick in percent.
            percent: u32 = number_or(0..=100, 30),
        },
        /// Takes a step along the shortest path to the nearest player, otherwise through any exit.
        Seek = "seek" {
            /// Chance of taking the shortest path per move, in percent.
            percent: u32 = number_or(0..=100, 50),
        },
        /// Moves away from players, otherwise in a random direction; flees from a fight when hurt, and returns after a
        /// while.
        Flee = "flee" {
            /// Chance of moving away from the nearest player per move, in percent.
            percent: u32 = number_or(0..=100, 50),
            /// Hit points in percent below which it flees.
            below: u32 = number_or(0..=100, 30),
        },
        /// Attacks players on sight, or after a while.
        Attack = "attack" {
            /// Delay in rounds spent in the same room.
            after: u32 = number_or(0..=100, 0),
        },
        /// Warns when a player is present or it is hurt, does not move for some rounds, damages everyone in the room
        /// and is removed; if killed in time, it does no damage.
        Explode = "explode" {
            /// Damage to everyone in the room.
            damage: u32 = number(1..=100_000),
            /// Rounds between warning and blast.
            rounds: u32 = number_or(1..=100, 1),
            /// Message to the room before the blast.
            warning: String = text(),
            /// Message to the room at the blast.
            blast: String = text(),
        },
        /// Leaves a web in each room that it leaves empty.
        Webs = "webs",
        /// Charges at a player who is two or more rooms away in a straight hall: lowers its head, and one round later
        /// runs until it meets an opponent; a wall at the end stuns it for a round.
        Charge = "charge" {
            /// Damage of the first blow after a charge, in percent.
            damage_percent: u32 = number_or(100..=1_000, 150),
        },
        /// Shoots or throws at a player who is straight ahead, from one room into another.
        Shoot = "shoot" {
            /// Range in rooms.
            rooms: u32 = number_or(1..=4, 2),
            /// Chance per tick in which it sees a player, in percent.
            percent: u32 = number_or(0..=100, 50),
            /// Damage of a hit in percent of its usual blow.
            damage_percent: u32 = number_or(1..=100, 75),
            /// Name of the missile with its article: "an arrow".
            missile: String = text(),
        },
        /// Players nearby hear it when it comes nearer, or when they type `listen`.
        Heard = "heard" {
            /// Range in rooms.
            rooms: u32 = number_or(1..=12, 2),
            /// Message to listeners; the direction is added.
            sound: String = text(),
        },
        /// Deals more damage for each other creature of its kind in the room, and its kind joins its fight.
        Pack = "pack" {
            /// Attack bonus for each other creature of its kind in the room.
            bonus: u32 = number_or(0..=1_000, 1),
        },
        /// Sleeps until it is hurt; each round of a fight in its room may wake it.
        Sleep = "sleep" {
            /// Chance of waking per round of combat in its room, in percent.
            wakes_percent: u32 = number_or(0..=100, 20),
        },
        /// Uses its turn to call its kind from adjacent rooms when it is hurt.
        CallForHelp = "call_for_help" {
            /// Chance per round in percent.
            percent: u32 = number_or(0..=100, 30),
            /// Message to the room.
            line: String = text(),
        },
    }
}

impl Behaviour {
    /// Returns the parts in order: each with its help and its parameters.
    pub(in crate::catalog) fn parts() -> impl Iterator<Item = (&'static str, &'static str, Vec<Field>)> {
        PARTS.iter().map(|(name, part)| (*name, part.about.trim(), fields_of(part.read)))
    }

    /// Reads a part; `None` if its name is unknown, which is recorded.
    pub(in crate::catalog) fn read(table: &mut Reader<'_>) -> Option<Self> {
        table.choice("part", PARTS).map(|part| (part.read)(table))
    }

    /// Returns `true` if the part acts on the ticks of a branch.
    pub const fn is_lively(&self) -> bool {
        matches!(
            self,
            Self::Wander { .. }
                | Self::Seek { .. }
                | Self::Flee { .. }
                | Self::Charge { .. }
                | Self::Shoot { .. }
        )
    }

    /// Returns `true` if the part moves its creature between rooms.
    pub const fn roams(&self) -> bool {
        matches!(self, Self::Wander { .. } | Self::Seek { .. } | Self::Webs)
    }
}
