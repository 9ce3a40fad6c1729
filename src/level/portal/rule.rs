//! A portal by rule: with some chance, somewhere of a kind, to a named level type, at most once in a branch if it is unique,
//! and out of the dungeon if it says so.

use crate::base::{Dice, Direction, Rng};
use crate::data::Reader;
use crate::level::reference::Referent;
use crate::level::{DecoratedLevel, Location, Portal, PortalAdder, Setup};

/// Adds a portal by chance.
#[derive(Clone, Debug)]
pub struct PortalRule {
    /// What stands here, and what stands at the other end.
    pub icons: (String, String),
    /// In which rooms it may be.
    pub location: Location,
    /// In how many of 100 floors there is one; of 100 rooms if the floor grows.
    pub chance: u32,
    /// The level type behind it; the floor's own if none is named.
    pub level_type: Option<String>,
    /// Whether a branch has at most one.
    pub unique: bool,
    /// Whether it leads out of the dungeon.
    pub exits_dungeon: bool,
}

impl PortalRule {
    /// Reads `icons`, `place`, `chance`, `level_type`, `unique` and `exits_dungeon`.
    pub fn read(reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> Self {
        let mut icons = if reader.has("icons") { reader.texts("icons", 2) } else { Vec::new() }.into_iter();
        let stairs = Portal::stairs();
        let rule = Self {
            icons: (icons.next().unwrap_or(stairs.0), icons.next().unwrap_or(stairs.1)),
            location: reader.choice_or("place", Location::NAMES, Location::Room),
            chance: reader.number_or("chance", 1..=100, 100),
            level_type: setup.named(reader, "level_type", Referent::LevelType),
            unique: reader.truth_or("unique", false),
            exits_dungeon: reader.truth_or("exits_dungeon", false),
        };
        if rule.level_type.is_none() && !rule.exits_dungeon {
            reader.wrong("level_type", "is missing", "the name of a level type, or `exits_dungeon = true`");
        }
        rule
    }
}

impl PortalAdder for PortalRule {
    fn add_portal(&self, level: &mut DecoratedLevel, dice: &mut Rng) {
        if !dice.percent(self.chance) {
            return;
        }
        let mut spots = level.portal_spots(self.location);
        if spots.len() > 1 {
            // The stairs' place is kept for them.
            spots.retain(|at| Some(*at) != level.last_room());
        }
        let Some(at) = dice.pick(&spots) else { return };
        let direction = if self.exits_dungeon { Direction::Up } else { Direction::Down };
        let level_type = self.level_type.clone().unwrap_or_else(|| level.site().level_type.clone());
        let portal = Portal {
            level_type,
            unique: self.unique,
            exits_dungeon: self.exits_dungeon,
            direction,
            icons: self.icons.clone(),
        };
        level.place_portal(*at, portal);
    }
}
