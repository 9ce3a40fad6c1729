//! What creatures do by themselves: small parts that a prototype combines in data.

use crate::data::Reader;

/// Reads what a part needs besides its name.
type Read = fn(&mut Reader<'_>) -> Behaviour;

/// The parts by their names in data.
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

/// One part of a creature's behaviour, with its numbers and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Belongs to its room and bars the ways on; the room is clear when no guard of it lives.
    Guard,
    /// Walks through a random explored exit now and then.
    Wander {
        /// In how many of 100 ticks.
        percent: u32,
    },
    /// Walks towards the nearest player, heedless of danger, else at random.
    Seek {
        /// In how many of 100 moves it takes the shortest path.
        percent: u32,
    },
    /// Keeps away from players, and breaks away from a fight when hurt.
    Flee {
        /// In how many of 100 moves it steps away from the nearest player.
        percent: u32,
        /// Below how many percent of its hit points it breaks away from a fight.
        below: u32,
    },
    /// Attacks players it meets.
    Attack {
        /// After so many rounds in the same room.
        after: u32,
    },
    /// Blows itself up when a player is in its room, after a warning.
    Explode {
        /// Harm to everybody in the room.
        damage: u32,
        /// Rounds between warning and blast.
        rounds: u32,
        /// What the room reads before.
        warning: String,
        /// What the room reads then.
        blast: String,
    },
    /// Leaves a web in a room that it has left empty.
    Webs,
    /// Charges along a straight hall, and is stunned for a round at a dead end.
    Charge {
        /// Its first blow after a charge, in percent.
        damage_percent: u32,
    },
    /// Shoots or throws at players straight ahead, from one room into another.
    Shoot {
        /// Over how many rooms.
        rooms: u32,
        /// In how many of 100 ticks in which it sees somebody.
        percent: u32,
        /// What a hit does, in percent of its usual blow.
        damage_percent: u32,
        /// What flies, with its article: "an arrow".
        missile: String,
    },
    /// Is heard from afar when it moves.
    Heard {
        /// In how many rooms around.
        rooms: u32,
        /// What is heard; the direction is added.
        sound: String,
    },
    /// Fights better among its kind, and joins its fights.
    Pack {
        /// Attack for each other of its kind in the room.
        bonus: u32,
    },
    /// Sleeps until it is attacked or woken by a fight.
    Sleep {
        /// In how many of 100 rounds of fighting in its room it wakes.
        wakes_percent: u32,
    },
    /// Calls its kind from the rooms next door when it is hurt.
    CallForHelp {
        /// In how many of 100 rounds.
        percent: u32,
        /// What the room reads.
        line: String,
    },
}

impl Behaviour {
    /// Reads one part; none if its name is unknown, which is noted.
    pub(super) fn read(table: &mut Reader<'_>) -> Option<Self> {
        table.choice("part", PARTS).map(|read| read(table))
    }

    /// The name of the part in data.
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

    /// Whether the ticks of a branch mean anything to the part.
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

    /// Whether the part moves its creature between rooms.
    pub const fn roams(&self) -> bool {
        matches!(self, Self::Wander { .. } | Self::Seek { .. } | Self::Webs)
    }
}
