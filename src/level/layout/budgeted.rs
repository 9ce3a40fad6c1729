//! The layouts whose rooms draw their exits from a budget: the sprawl or thread that the settings ask for,
//! and the corridor, which does not fork.

use super::{Arrival, Ground, GrowSettings, Growth, Layout, grow, land};
use crate::base::{Point, Rng};
use crate::data::Reader;
use std::sync::Arc;

/// The layouts `frontier` and `corridor`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budgeted {
    name: &'static str,
    /// Most new exits of a room, whatever the settings say.
    forks: Option<u32>,
}

impl Budgeted {
    /// The name of the layout that follows the settings.
    pub const FRONTIER: &'static str = "frontier";
    /// The name of the layout that does not fork.
    pub const CORRIDOR: &'static str = "corridor";

    /// Follows the settings of the branch.
    pub const fn frontier() -> Self {
        Self { name: Self::FRONTIER, forks: None }
    }

    /// One way on from each room, whatever the settings say.
    pub const fn corridor() -> Self {
        Self { name: Self::CORRIDOR, forks: Some(1) }
    }

    /// Reads `frontier`, which has no keys of its own.
    pub fn read_frontier(_reader: &mut Reader<'_>) -> Arc<dyn Layout> {
        Arc::new(Self::frontier())
    }

    /// Reads `corridor`: `forks` is the most new exits of a room.
    pub fn read_corridor(reader: &mut Reader<'_>) -> Arc<dyn Layout> {
        Arc::new(Self { forks: Some(reader.number_or("forks", 1..=3, 1)), ..Self::corridor() })
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
        GrowSettings { max_new_exits_per_room, ..asked }
    }

    fn place(&self, ground: Ground<'_>, arrival: Arrival, dice: &mut Rng) -> Growth {
        let settings = self.settings(ground.settings);
        match arrival {
            Arrival::By(from, direction) => grow(&settings, ground.frontier, from, direction, dice),
            Arrival::Landing => land(&settings, ground.frontier, dice),
        }
    }

    /// A dead end has nothing to shut. Elsewhere another exit has to lead out; where the branch may end none is sure to.
    fn may_bar(&self, ground: Ground<'_>, room: Point) -> bool {
        let Ground { frontier, settings, .. } = ground;
        !frontier.has_open_exits(room) || !settings.finishable && frontier.find_free_way_out(room)
    }
}
