//! Stairs to the next floor: in the section room generated last, exactly one per floor. On a growing floor they are
//! placed at a depth, by chance, or where the layout requires them.

use crate::base::{Dice, Rng};
use crate::data::definition;
use crate::level::reference::LevelReferent;
use crate::level::{DecoratedFloor, Location, Portal, PortalAdder, Setup, Stairs};

definition! {
    /// Adds stairs down.
    #[derive(Clone, Debug, Default)]
    pub struct StairsDown with (setup: &mut Setup<'_>) {
        /// Level type below; defaults to the floor's own.
        pub level_type: Option<String> => |table| setup.named(table, "level_type", LevelReferent::LevelType),
        /// On a growing floor: depth from which the first room gets the stairs.
        pub least_depth: Option<u32> = number_if_any(&(0..=100_000)),
        /// On a growing floor: percentage of rooms with stairs.
        pub chance: u32 = number_or(0..=100, 0),
    }
}

impl PortalAdder for StairsDown {
    fn add_portal(&self, floor: &mut DecoratedFloor, dice: &mut Rng) {
        let wanted = floor.growing().is_none_or(|growing| match growing.stairs {
            Stairs::Surely => true,
            Stairs::Never => false,
            Stairs::Drawn if self.least_depth.is_some_and(|least| growing.depth >= least) => true,
            Stairs::Drawn | Stairs::Another => dice.percent(self.chance),
        });
        if !wanted {
            return;
        }
        let portal = Portal::down(self.level_type.as_ref().unwrap_or(&floor.site().level_type));
        let last = floor.last_room();
        if !last.is_some_and(|at| floor.place_portal(at, portal.clone())) {
            let spots = floor.portal_spots(Location::Anywhere);
            if let Some(at) = dice.pick(&spots) {
                floor.place_portal(*at, portal);
            }
        }
    }
}
