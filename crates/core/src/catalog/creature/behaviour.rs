//! Behaviours of creatures: small parts that a prototype combines.

use crate::data::Reader;

/// Reads the fields of a part other than its name.
type Read = fn(&mut Reader<'_>) -> Behaviour;

/// Parts by name.
const PARTS: &[(&str, Read)] = &[
    ("guard", |_| Behaviour::Guard),
    ("wander", |table| Behaviour::Wander { percent: percent(table, "percent", 30) }),
    ("seek", |table| Behaviour::Seek { percent: percent(table, "percent", 50) }),
    ("flee", |table| Behaviour::Flee {
        percent: percent(table, "percent", 50),
        below: percent(table, "below", 30),
    }),
    ("attack", |table| Behaviour::Attack { after: table.number_or("after", 0..=100, 0) }),
    ("explode", |table| Behaviour::Explode {
        damage: table.number("damage", 1..=100_000),
        rounds: table.number_or("rounds", 1..=100, 1),
        warning: table.text("warning"),
        blast: table.text("blast"),
    }),
    ("webs", |_| Behaviour::Webs),
    ("charge", |table| Behaviour::Charge {
        damage_percent: table.number_or("damage_percent", 100..=1_000, 150),
    }),
    ("shoot", |table| Behaviour::Shoot {
        rooms: table.number_or("rooms", 1..=4, 2),
        percent: percent(table, "percent", 50),
        damage_percent: table.number_or("damage_percent", 1..=100, 75),
        missile: table.text("missile"),
    }),
    ("heard", |table| Behaviour::Heard {
        rooms: table.number_or("rooms", 1..=12, 2),
        sound: table.text("sound"),
    }),
    ("pack", |table| Behaviour::Pack { bonus: table.number_or("bonus", 0..=1_000, 1) }),
    ("sleep", |table| Behaviour::Sleep { wakes_percent: percent(table, "wakes_percent", 20) }),
    ("call_for_help", |table| Behaviour::CallForHelp {
        percent: percent(table, "percent", 30),
        line: table.text("line"),
    }),
];

fn percent(table: &mut Reader<'_>, name: &str, otherwise: u32) -> u32 {
    table.number_or(name, 0..=100, otherwise)
}

/// A part of a creature's behaviour, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Stays in its room and blocks the exits that lead on; the room is cleared when no guard lives.
    Guard,
    /// Now and then walks through a random explored exit.
    Wander {
        /// Chance per tick in percent.
        percent: u32,
    },
    /// Walks towards the nearest player, regardless of danger, else at random.
    Seek {
        /// Chance of taking the shortest path per move, in percent.
        percent: u32,
    },
    /// Avoids players, and flees from combat when hurt.
    Flee {
        /// Chance of moving away from the nearest player per move, in percent.
        percent: u32,
        /// Hit points in percent below which it flees.
        below: u32,
    },
    /// Attacks players it meets.
    Attack {
        /// Delay in rounds spent in the same room.
        after: u32,
    },
    /// Blows itself up when a player is in its room, after a warning.
    Explode {
        /// Damage to everyone in the room.
        damage: u32,
        /// Rounds between warning and blast.
        rounds: u32,
        /// Message to the room before the blast.
        warning: String,
        /// Message to the room at the blast.
        blast: String,
    },
    /// Leaves a web in an empty room when it moves on.
    Webs,
    /// Charges along a straight hall, and is stunned for a round at a dead end.
    Charge {
        /// Damage of the first blow after a charge, in percent.
        damage_percent: u32,
    },
    /// Shoots or throws at players straight ahead, from one room into another.
    Shoot {
        /// Range in rooms.
        rooms: u32,
        /// Chance per tick in which it sees a player, in percent.
        percent: u32,
        /// Damage of a hit in percent of its usual blow.
        damage_percent: u32,
        /// Name of the missile with its article: "an arrow".
        missile: String,
    },
    /// Is audible from afar when it moves.
    Heard {
        /// Range in rooms.
        rooms: u32,
        /// Message to listeners; the direction is added.
        sound: String,
    },
    /// Fights better next to others of its kind, and assists them.
    Pack {
        /// Attack bonus for each other creature of its kind in the room.
        bonus: u32,
    },
    /// Sleeps until it is attacked or woken by a fight.
    Sleep {
        /// Chance of waking per round of combat in its room, in percent.
        wakes_percent: u32,
    },
    /// Calls others of its kind from adjacent rooms when hurt.
    CallForHelp {
        /// Chance per round in percent.
        percent: u32,
        /// Message to the room.
        line: String,
    },
}

impl Behaviour {
    /// Reads a part; `None` if its name is unknown, which is recorded.
    pub(in crate::catalog) fn read(table: &mut Reader<'_>) -> Option<Self> {
        table.choice("part", PARTS).map(|read| read(table))
    }

    /// Returns the name of the part.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Wander { .. } => "wander",
            Self::Seek { .. } => "seek",
            Self::Flee { .. } => "flee",
            Self::Attack { .. } => "attack",
            Self::Explode { .. } => "explode",
            Self::Webs => "webs",
            Self::Charge { .. } => "charge",
            Self::Shoot { .. } => "shoot",
            Self::Heard { .. } => "heard",
            Self::Pack { .. } => "pack",
            Self::Sleep { .. } => "sleep",
            Self::CallForHelp { .. } => "call_for_help",
        }
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
