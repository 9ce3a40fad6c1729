//! Figures about planned branches, in whole numbers: shares are in parts of a thousand.

use crate::base::{ExitState, RoomKind};
use crate::dungeon::PlannedBranch;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Figures of one or more branches together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Branches counted.
    pub branches: u32,
    /// Rooms counted.
    pub rooms: u32,
    /// Rooms without a way on when they were made.
    pub dead_ends: u32,
    /// Exits that lead only one way (E18).
    pub one_way: u32,
    /// Exits that nobody has walked yet.
    pub unexplored: u32,
    /// Rooms that are not clear from the start (E25).
    pub blocked: u32,
    /// Floors.
    pub floors: u32,
    /// Stairs down (T1).
    pub stairs: u32,
    /// Rooms whose guards are all there is to them.
    pub fights: u32,
    /// Rooms with guards.
    pub encounters: u32,
    /// Rooms that a sign announced.
    pub out_of_depth: u32,
    /// Creatures in all.
    pub creatures: u32,
    /// Rooms by the number of their exits, the way back among them.
    pub by_exits: BTreeMap<usize, u32>,
    /// Rooms by kind.
    pub by_kind: BTreeMap<RoomKind, u32>,
    /// Rooms by depth (E29).
    pub by_depth: BTreeMap<u32, u32>,
    /// The different descriptions.
    descriptions: BTreeSet<String>,
}

impl Stats {
    /// Counts a branch in.
    pub fn add(&mut self, branch: &PlannedBranch) {
        self.branches += 1;
        self.floors += branch.floor();
        for room in &branch.rooms {
            self.rooms += 1;
            self.dead_ends += u32::from(room.plan.new_exits.is_empty());
            self.blocked += u32::from(!room.plan.clear);
            self.stairs += u32::from(room.plan.stairs);
            let plain = matches!(room.plan.kind, RoomKind::Dungeon | RoomKind::Corridor);
            let guarded = matches!(room.plan.kind, RoomKind::Treasure | RoomKind::Rescue);
            self.fights += u32::from(plain && !room.plan.clear);
            self.encounters += u32::from((plain || guarded) && !room.plan.clear);
            self.out_of_depth += u32::from(room.plan.out_of_depth);
            self.creatures += u32::try_from(room.plan.challenge.creatures.len()).unwrap_or(u32::MAX);
            for exit in room.exits.values() {
                self.one_way += u32::from(exit.state == ExitState::OneWay);
                self.unexplored += u32::from(exit.state == ExitState::Unexplored);
            }
            *self.by_exits.entry(room.exits.len()).or_default() += 1;
            *self.by_kind.entry(room.plan.kind).or_default() += 1;
            *self.by_depth.entry(room.plan.depth).or_default() += 1;
            self.descriptions.insert(room.plan.description.clone());
        }
    }

    /// How many of 1,000 rooms a number of rooms is; 0 if there are none.
    pub fn permille(&self, number: u32) -> u32 {
        let share = u64::from(number) * 1_000 / u64::from(self.rooms.max(1));
        u32::try_from(share).unwrap_or(u32::MAX)
    }

    /// Rooms whose description another room has had before.
    pub fn repeated_descriptions(&self) -> u32 {
        self.rooms - u32::try_from(self.descriptions.len()).unwrap_or(self.rooms)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut figure = |name: &str, number: u32| {
            writeln!(f, "{name}: {number} ({} of 1000 rooms)", self.permille(number))
        };
        figure("rooms", self.rooms)?;
        figure("dead ends", self.dead_ends)?;
        figure("one-way exits", self.one_way)?;
        figure("unexplored exits", self.unexplored)?;
        figure("rooms not clear from the start", self.blocked)?;
        figure("plain fights", self.fights)?;
        figure("encounters", self.encounters)?;
        figure("encounters out of depth", self.out_of_depth)?;
        figure("creatures", self.creatures)?;
        figure("repeated descriptions", self.repeated_descriptions())?;
        for (exits, number) in &self.by_exits {
            figure(&format!("rooms with {exits} exits"), *number)?;
        }
        for (kind, number) in &self.by_kind {
            figure(&format!("rooms of the kind {}", kind.name()), *number)?;
        }
        for (depth, number) in &self.by_depth {
            figure(&format!("rooms at depth {depth}"), *number)?;
        }
        writeln!(f, "floors: {}", self.floors)?;
        writeln!(f, "stairs down: {}", self.stairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::catalog::Catalog;
    use crate::dungeon::BranchSpec;

    /// E58 names the shape that the rules give: 23-33 % dead ends, 0.7-7 one-way exits per 100 rooms.
    /// Somewhat more than half of the rooms have something in the way.
    #[test]
    fn the_shape_is_the_one_the_rules_give() {
        let catalog = Catalog::builtin();
        let mut stats = Stats::default();
        for seed in 0..30 {
            let spec = BranchSpec::of(&catalog.themes["well"], Seed(seed));
            stats.add(&PlannedBranch::walk(spec, &catalog, 120));
        }
        assert_eq!(stats.rooms, 3_600);
        assert!((200..=360).contains(&stats.permille(stats.dead_ends)), "{stats}");
        assert!((4..=70).contains(&stats.permille(stats.one_way)), "{stats}");
        assert!((500..=660).contains(&stats.permille(stats.blocked)), "{stats}");
        assert!(stats.repeated_descriptions() < 36, "{stats}");
        assert_eq!(stats.by_exits.values().sum::<u32>(), stats.rooms);
    }

    /// E39: who explores many branches seldom reads a description again.
    #[test]
    fn descriptions_seldom_repeat() {
        let catalog = Catalog::builtin();
        let mut stats = Stats::default();
        for seed in 0..100 {
            let spec = BranchSpec::of(&catalog.themes["well"], Seed(seed));
            stats.add(&PlannedBranch::walk(spec, &catalog, 200));
        }
        assert!(stats.permille(stats.repeated_descriptions()) <= 20, "{stats}");
    }
}
