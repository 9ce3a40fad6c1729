//! A portal by rule: placed by chance in a kind of room, to a named level type or out of the dungeon; at most once in a
//! branch if it is unique.

use crate::base::{Dice, Direction, Rng};
use crate::data::{Reader, definition};
use crate::level::reference::LevelReferent;
use crate::level::{DecoratedFloor, Location, Portal, PortalAdder, Setup};

definition! {
    /// Adds a portal by chance.
    #[derive(Clone, Debug)]
    pub struct PortalRule with (setup: &mut Setup<'_>) {
        /// Names of the features at this end and at the other end.
        pub icons: (String, String) => |table| icons(table),
        /// Kind of room in which it may be placed.
        pub location: Location => |table| table.choice_or("place", &Location::NAMES, Location::Room),
        /// Percentage of floors with the portal; of rooms if the floor grows.
        pub chance: u32 = number_or(1..=100, 100),
        /// Level type behind it; defaults to the floor's own.
        pub level_type: Option<String> => |table| setup.named(table, "level_type", LevelReferent::LevelType),
        /// Set if a branch may have at most one.
        pub unique: bool = bool_or(false),
        /// Set if it leads out of the dungeon.
        pub exits_dungeon: bool = bool_or(false),
    }
}

impl PortalRule {
    /// Reads a rule and reports a missing destination.
    pub fn read_part(reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> Self {
        let rule = Self::read(reader, setup);
        if rule.level_type.is_none() && !rule.exits_dungeon {
            reader.record_mistake(
                "level_type",
                "is missing",
                "the name of a level type, or `exits_dungeon = true`",
            );
        }
        rule
    }
}

fn icons(reader: &mut Reader<'_>) -> (String, String) {
    let mut icons = if reader.has("icons") { reader.texts("icons", 2) } else { Vec::new() }.into_iter();
    let stairs = Portal::stairs();
    (icons.next().unwrap_or(stairs.0), icons.next().unwrap_or(stairs.1))
}

impl PortalAdder for PortalRule {
    fn add_portal(&self, floor: &mut DecoratedFloor, dice: &mut Rng) {
        if !dice.percent(self.chance) {
            return;
        }
        let mut spots = floor.portal_spots(self.location);
        if spots.len() > 1 {
            // The last room is reserved for the stairs.
            spots.retain(|at| Some(*at) != floor.last_room());
        }
        let Some(at) = dice.pick(&spots) else { return };
        let direction = if self.exits_dungeon { Direction::Up } else { Direction::Down };
        let level_type = self.level_type.clone().unwrap_or_else(|| floor.site().level_type.clone());
        let portal = Portal {
            level_type,
            unique: self.unique,
            exits_dungeon: self.exits_dungeon,
            direction,
            icons: self.icons.clone(),
        };
        floor.place_portal(*at, portal);
    }
}
