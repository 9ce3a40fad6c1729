//! Growth and lifetime of the branches of a level type.

use crate::base::Span;
use crate::data::Reader;
use crate::level::GrowSettings;
use serde::{Deserialize, Serialize};

/// Lifetime of a branch as set by a theme or a start exit; absent values are the server's defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BranchTimes {
    /// Time in which companions are guaranteed to enter the same branch.
    pub window: Option<Span>,
    /// Chance in 1,000 that the exit is unlinked at each later reset.
    pub reset_chance_permille: Option<u32>,
    /// Time since the last activity after which a branch expires.
    pub max_life: Option<Span>,
}

impl BranchTimes {
    /// Maximum time in seconds: ten years.
    pub const SECS_MAX: u32 = 315_360_000;

    /// Returns these times, with another's for absent ones.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            window: self.window.or(other.window),
            reset_chance_permille: self.reset_chance_permille.or(other.reset_chance_permille),
            max_life: self.max_life.or(other.max_life),
        }
    }
}

/// Growth and lifetime of branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BranchSettings {
    /// Growth.
    pub growth: GrowSettings,
    /// Lifetime.
    pub times: BranchTimes,
}

/// Reads the table `settings` of a level type.
pub(super) fn read_branch_settings(table: &mut Reader<'_>) -> BranchSettings {
    let usual = GrowSettings::default();
    let (exits, forks) = (usual.max_unexplored_exits, usual.max_new_exits_per_room);
    let growth = GrowSettings {
        max_unexplored_exits: table.about("Maximum number of unexplored exits at a time.").number_or(
            "max_unexplored_exits",
            1..=10_000,
            exits,
        ),
        max_new_exits_per_room: table.about("Maximum number of new exits of a room.").number_or(
            "max_new_exits_per_room",
            1..=3,
            forks,
        ),
        finishable: table.about("Allows a branch to end.").bool_or("finishable", usual.finishable),
        diagonals: false,
    };
    let secs = 1..=BranchTimes::SECS_MAX;
    let span = |secs: u32| Span::secs(secs.into());
    let times = BranchTimes {
        window: table
            .about("Time in which companions are guaranteed to enter the same branch.")
            .number_if_any("window_secs", &secs)
            .map(span),
        reset_chance_permille: table
            .about("Chance at each later reset that the exit leads to a new branch.")
            .number_if_any("reset_chance_permille", &(0..=1_000)),
        max_life: table
            .about("Time without activity after which a branch expires.")
            .number_if_any("max_life_secs", &secs)
            .map(span),
    };
    BranchSettings { growth, times }
}
