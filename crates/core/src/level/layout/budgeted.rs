//! Layouts that limit the number of exits by a budget: `frontier`, which follows the branch settings, and `corridor`,
//! which does not fork.

use super::{Arrival, GrowSettings, GrownFloor, Growth, Layout, grow, land};
use crate::base::{Dice as _, Point, Rng};
use crate::data::Reader;
use std::sync::Arc;

/// The layouts `frontier` and `corridor`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budgeted {
    name: &'static str,
    /// Maximum number of new exits of a room; overrides the branch settings.
    forks: Option<u32>,
    /// Percentage of rooms to which the branch settings apply despite `forks`.
    side_percent: u32,
    /// Range from which the size of a floor of a finishable branch is rolled, in rooms. Beyond that size no exits are
    /// added.
    rooms: Option<(u32, u32)>,
    /// Set if rooms may have diagonal exits.
    diagonals: bool,
}

impl Budgeted {
    /// Name of the layout that follows the settings.
    pub const FRONTIER: &'static str = "frontier";
    /// Name of the layout that does not fork.
    pub const CORRIDOR: &'static str = "corridor";

    /// Creates the layout that follows the settings of the branch.
    pub const fn frontier() -> Self {
        Self { name: Self::FRONTIER, forks: None, side_percent: 0, rooms: None, diagonals: false }
    }

    /// Creates the layout with one new exit per room, regardless of the settings.
    pub const fn corridor() -> Self {
        Self { name: Self::CORRIDOR, forks: Some(1), ..Self::frontier() }
    }

    /// Reads `frontier`: `rooms` is the size of a floor of a finishable branch, and `diagonals` allows diagonal exits.
    pub fn read_frontier(reader: &mut Reader<'_>) -> Arc<dyn Layout> {
        let rooms = reader.has("rooms").then(|| reader.pair("rooms", &(1..=10_000)));
        let diagonals = reader.bool_or("diagonals", false);
        Arc::new(Self { rooms, diagonals, ..Self::frontier() })
    }

    /// Reads `corridor`: `forks` is the maximum number of new exits of a room; `side_percent` is the percentage of
    /// rooms exempt from it.
    pub fn read_corridor(reader: &mut Reader<'_>) -> Arc<dyn Layout> {
        let forks = Some(reader.number_or("forks", 1..=3, 1));
        let side_percent = reader.number_or("side_percent", 0..=100, 0);
        Arc::new(Self { forks, side_percent, ..Self::corridor() })
    }

    /// Returns `true` if the next room completes a floor of a finishable branch.
    fn is_full(&self, ground: &GrownFloor<'_>) -> bool {
        self.rooms.filter(|_| ground.settings.finishable).is_some_and(|(least, most)| {
            let rooms = ground.seed.named("rooms").rng().between(least, most);
            // The room that is about to be placed is the last.
            ground.frontier.room_count() >= rooms.saturating_sub(1)
        })
    }
}

impl Layout for Budgeted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_budgeted(&self) -> bool {
        true
    }

    fn settings(&self, asked: GrowSettings) -> GrowSettings {
        let max_new_exits_per_room = self.forks.unwrap_or(asked.max_new_exits_per_room);
        GrowSettings { max_new_exits_per_room, diagonals: self.diagonals, ..asked }
    }

    fn place(&self, ground: GrownFloor<'_>, arrival: Arrival, dice: &mut Rng) -> Growth {
        let aside = self.side_percent > 0 && dice.percent(self.side_percent);
        let mut settings = if aside { ground.settings } else { self.settings(ground.settings) };
        if self.is_full(&ground) {
            settings.max_new_exits_per_room = 0;
        }
        match arrival {
            Arrival::By(from, direction) => grow(&settings, ground.frontier, from, direction, dice),
            Arrival::Landing => land(&settings, ground.frontier, dice),
        }
    }

    /// Allows a mechanism in a dead end, where it blocks nothing. Elsewhere another exit must lead out, which only
    /// branches that are not finishable guarantee.
    fn may_bar(&self, ground: GrownFloor<'_>, room: Point) -> bool {
        let GrownFloor { frontier, settings, .. } = ground;
        !frontier.has_open_exits(room) || !settings.finishable && frontier.find_outward_exit_except(room)
    }
}
