//! Statistics of planned branches in whole numbers; shares are in parts per thousand.

use crate::branch::{PlannedBranch, PlannedRoom};
use deepwell_core::base::ExitState;
use deepwell_core::catalog::RoomKind;
use deepwell_core::dungeon::Recent;
use deepwell_core::text::sentence::sentences;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Totals over one or more branches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BranchStats {
    /// Branches counted.
    pub branches: u32,
    /// Rooms counted.
    pub rooms: u32,
    /// Rooms created without a new exit.
    pub dead_ends: u32,
    /// Rooms created with more than one new exit.
    pub side_ways: u32,
    /// Sum of the depths of all rooms.
    pub depths: u32,
    /// Greatest depth of a room.
    pub greatest_depth: u32,
    /// Number of rooms of the smallest branch.
    pub rooms_least: u32,
    /// Number of rooms of the largest branch.
    pub rooms_most: u32,
    /// One-way exits.
    pub one_way: u32,
    /// Unexplored exits.
    pub unexplored: u32,
    /// Rooms that are not clear from the start.
    pub blocked: u32,
    /// Floors.
    pub floors: u32,
    /// Rooms with stairs down.
    pub stairs: u32,
    /// Rooms of plain kinds with creatures.
    pub fights: u32,
    /// Rooms of plain or guarded kinds that are not clear from the start.
    pub encounters: u32,
    /// Out-of-depth rooms, which signs announce.
    pub out_of_depth: u32,
    /// Total number of creatures.
    pub creatures: u32,
    /// Two-way exits between rooms of which neither created the other; each closes a loop.
    pub loops: u32,
    /// Set pieces: landmarks, captives and gates of puzzles.
    pub set_pieces: u32,
    /// Gates to puzzles.
    pub gates: u32,
    /// Total number of words of descriptions.
    pub words: u32,
    /// Number of words of the shortest description.
    pub words_least: u32,
    /// Number of words of the longest description.
    pub words_most: u32,
    /// Rooms that repeat a description of the previous 30 rooms.
    pub descriptions_again: u32,
    /// Rooms that repeat an opening sentence of the previous 10 rooms.
    pub openings_again: u32,
    /// Rooms with the name of the room from which they were created.
    pub names_again: u32,
    /// Rooms by number of exits, including the exit back.
    pub by_exits: BTreeMap<usize, u32>,
    /// Rooms by kind.
    pub by_kind: BTreeMap<RoomKind, u32>,
    /// Rooms by depth.
    pub by_depth: BTreeMap<u32, u32>,
    /// Distinct descriptions, except those of vaults, which are written once for all branches.
    #[serde(skip)]
    descriptions: BTreeSet<String>,
    /// Rooms of vaults.
    #[serde(skip)]
    of_vaults: u32,
}

impl BranchStats {
    /// Adds a branch to the totals.
    pub fn add(&mut self, branch: &PlannedBranch) {
        self.branches += 1;
        self.floors += branch.floor();
        let rooms = u32::try_from(branch.rooms.len()).unwrap_or(u32::MAX);
        self.rooms_most = self.rooms_most.max(rooms);
        self.rooms_least = if self.branches == 1 { rooms } else { self.rooms_least.min(rooms) };
        for room in &branch.rooms {
            self.rooms += 1;
            self.dead_ends += u32::from(room.plan.new_exits.is_empty());
            self.side_ways += u32::from(room.plan.new_exits.len() > 1);
            self.depths = self.depths.saturating_add(room.plan.depth);
            self.greatest_depth = self.greatest_depth.max(room.plan.depth);
            self.blocked += u32::from(!room.plan.clear);
            self.stairs += u32::from(room.plan.has_stairs());
            let (plain, guarded) = (room.plan.sheet.kind.spec().plain, room.plan.sheet.kind.is_guarded());
            self.fights += u32::from(plain && !room.plan.challenge.creatures.is_empty());
            self.encounters += u32::from((plain || guarded) && !room.plan.clear);
            self.out_of_depth += u32::from(room.plan.out_of_depth);
            self.creatures += u32::try_from(room.plan.challenge.creatures.len()).unwrap_or(u32::MAX);
            for exit in room.exits.values() {
                self.one_way += u32::from(exit.state == ExitState::OneWay);
                self.unexplored += u32::from(exit.state == ExitState::Unexplored);
            }
            *self.by_exits.entry(room.exits.len()).or_default() += 1;
            *self.by_kind.entry(room.plan.sheet.kind).or_default() += 1;
            *self.by_depth.entry(room.plan.depth).or_default() += 1;
            self.set_pieces += u32::from(room.plan.is_set_piece());
            self.gates += u32::from(room.plan.puzzle().is_some());
            if room.plan.vault_room.is_some() {
                self.of_vaults += 1;
            } else {
                self.descriptions.insert(room.plan.sheet.description.clone());
            }
        }
        self.add_loops(branch);
        self.add_words(branch);
    }

    /// Counts loops: connections between rooms of which neither created the other. Each is an open exit on both sides.
    fn add_loops(&mut self, branch: &PlannedBranch) {
        let mut ends = 0;
        for room in &branch.rooms {
            for (direction, exit) in room.exits.iter().filter(|(_, exit)| exit.state == ExitState::Open) {
                let beyond = exit.to.and_then(|to| branch.at(room.floor, to));
                let made = |from: &PlannedRoom, to: &PlannedRoom| {
                    to.floor == from.floor && to.made_by.0 == from.plan.at && !exit.back
                };
                let apart = |other: &PlannedRoom| !made(room, other) && !made(other, room);
                let plane = direction.opposite() != *direction && !exit.back;
                ends += u32::from(plane && beyond.is_some_and(apart));
            }
        }
        self.loops += ends / 2;
    }

    /// Counts words, and texts repeated too soon, in the order of creation.
    fn add_words(&mut self, branch: &PlannedBranch) {
        let opening =
            |room: &PlannedRoom| sentences(&room.plan.sheet.description).next().map(ToString::to_string);
        let openings: Vec<Option<String>> = branch.rooms.iter().map(opening).collect();
        for (number, room) in branch.rooms.iter().enumerate() {
            let count =
                u32::try_from(room.plan.sheet.description.split_whitespace().count()).unwrap_or(u32::MAX);
            self.words += count;
            self.words_most = self.words_most.max(count);
            self.words_least = if self.words_least == 0 { count } else { self.words_least.min(count) };
            let before = |rooms: usize| number.saturating_sub(rooms)..number;
            let again = branch.rooms.get(before(Recent::ROOMS)).into_iter().flatten();
            let descriptions =
                again.filter(|other| other.plan.sheet.description == room.plan.sheet.description).count();
            self.descriptions_again += u32::from(descriptions > 0);
            let again = openings.get(before(Recent::OPENINGS)).into_iter().flatten();
            let repeated_openings = again.filter(|other| openings.get(number) == Some(other)).count();
            self.openings_again += u32::from(repeated_openings > 0);
            let from = branch.at(room.floor, room.made_by.0).filter(|from| from.plan.at != room.plan.at);
            self.names_again +=
                u32::from(from.is_some_and(|from| from.plan.sheet.name == room.plan.sheet.name));
        }
    }

    /// Returns a number as parts per thousand of all rooms; 0 without rooms.
    pub fn permille(&self, number: u32) -> u32 {
        let share = u64::from(number) * 1_000 / u64::from(self.rooms.max(1));
        u32::try_from(share).unwrap_or(u32::MAX)
    }

    /// Returns the number of rooms outside vaults that repeat a description of another room.
    pub fn repeated_descriptions(&self) -> u32 {
        let rooms = self.rooms - self.of_vaults;
        rooms - u32::try_from(self.descriptions.len()).unwrap_or(rooms)
    }
}

impl fmt::Display for BranchStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut figure = |name: &str, number: u32| {
            writeln!(f, "{name}: {number} ({} of 1000 rooms)", self.permille(number))
        };
        figure("rooms", self.rooms)?;
        figure("dead ends", self.dead_ends)?;
        figure("side ways", self.side_ways)?;
        figure("loops", self.loops)?;
        figure("one-way exits", self.one_way)?;
        figure("unexplored exits", self.unexplored)?;
        figure("rooms not clear from the start", self.blocked)?;
        figure("plain fights", self.fights)?;
        figure("encounters", self.encounters)?;
        figure("encounters out of depth", self.out_of_depth)?;
        figure("creatures", self.creatures)?;
        figure("set pieces", self.set_pieces)?;
        figure("gates to puzzles", self.gates)?;
        figure("repeated descriptions", self.repeated_descriptions())?;
        figure("descriptions repeated within 30 rooms", self.descriptions_again)?;
        figure("openings repeated within 10 rooms", self.openings_again)?;
        figure("names repeated from the previous room", self.names_again)?;
        for (exits, number) in &self.by_exits {
            figure(&format!("rooms with {exits} exits"), *number)?;
        }
        for (kind, number) in &self.by_kind {
            figure(&format!("rooms of the kind {}", kind.name()), *number)?;
        }
        for (depth, number) in &self.by_depth {
            figure(&format!("rooms at depth {depth}"), *number)?;
        }
        let mean = self.words / self.rooms.max(1);
        writeln!(f, "words of a description: {mean}, from {} to {}", self.words_least, self.words_most)?;
        let (depth, most) = (self.depths * 10 / self.rooms.max(1), self.greatest_depth);
        writeln!(f, "depth of a room: {}.{}, {most} at most", depth / 10, depth % 10)?;
        let (mean, least) = (self.rooms / self.branches.max(1), self.rooms_least);
        writeln!(f, "rooms of a branch: {mean}, from {least} to {}", self.rooms_most)?;
        writeln!(f, "floors: {}", self.floors)?;
        writeln!(f, "stairs down: {}", self.stairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::Seed;
    use deepwell_core::catalog::Catalog;
    use deepwell_core::dungeon::BranchSpec;
    use std::collections::BTreeSet;

    /// Dead ends, one-way exits and blocked rooms are within the ranges of the design; more than half of the rooms are
    /// blocked.
    #[test]
    fn e58_branch_shape_is_within_the_design() {
        let catalog = Catalog::builtin();
        let mut stats = BranchStats::default();
        for seed in 0..30 {
            let spec = BranchSpec::of(&catalog, "well", Seed(seed));
            stats.add(&PlannedBranch::walk(spec, &catalog, 120, 1));
        }
        assert_eq!(stats.rooms, 3_600);
        assert!((200..=360).contains(&stats.permille(stats.dead_ends)), "{stats}");
        assert!((4..=70).contains(&stats.permille(stats.one_way)), "{stats}");
        assert!((500..=660).contains(&stats.permille(stats.blocked)), "{stats}");
        assert!(stats.repeated_descriptions() < 36, "{stats}");
        assert_eq!(stats.by_exits.values().sum::<u32>(), stats.rooms);
    }

    /// In each shipped level type, on two floors: no description repeats within 30 rooms and no opening sentence within
    /// 10. No room has the name of the room from which it was created, where names depend on depth.
    #[test]
    fn descriptions_and_openings_do_not_repeat_soon() {
        let catalog = Catalog::builtin();
        for level_type in catalog.level_types.values() {
            let Some(theme) = catalog.theme_of(level_type) else { continue };
            let mut stats = BranchStats::default();
            for seed in 0..10 {
                let spec = BranchSpec::of(&catalog, &level_type.name, Seed(seed));
                stats.add(&PlannedBranch::walk(spec, &catalog, 100, 2));
            }
            let again = (stats.descriptions_again, stats.openings_again);
            assert_eq!(again, (0, 0), "{}: {stats}", level_type.name);
            assert!(
                stats.names_again == 0 || !theme.scenery.passages.is_empty(),
                "{}: {stats}",
                level_type.name
            );
            assert!(stats.words_least >= 8 && stats.words_most <= 150, "{}: {stats}", level_type.name);
        }
    }

    /// In each shipped level type, at most one set piece begins in any twelve consecutive rooms; the vaults of floors
    /// generated whole are exempt. Where floors grow, plain fights make up 35 to 55 of 100 rooms. Floors generated
    /// whole also have corridors, so only the upper limit applies.
    #[test]
    fn set_pieces_and_fights_keep_their_shares() {
        let catalog = Catalog::builtin();
        for level_type in catalog.level_types.values() {
            let Some(theme) = catalog.theme_of(level_type) else { continue };
            let mut stats = BranchStats::default();
            for seed in 0..15 {
                let branch = PlannedBranch::walk(
                    BranchSpec::of(&catalog, &level_type.name, Seed(seed)),
                    &catalog,
                    120,
                    1,
                );
                let mut vaults = BTreeSet::new();
                let begins = branch.rooms.iter().map(|room| match &room.plan.vault_room {
                    Some(room) => vaults.insert(&room.vault_key) && level_type.grows(),
                    None => room.plan.is_set_piece(),
                });
                let begins: Vec<bool> = begins.collect();
                for dozen in begins.windows(12) {
                    let pieces = dozen.iter().filter(|begins| **begins).count();
                    assert!(pieces <= 1, "{}, seed {seed}", level_type.name);
                }
                stats.add(&branch);
            }
            let least = if level_type.layout.is_some() { 350 } else { 1 };
            assert!((least..=550).contains(&stats.permille(stats.fights)), "{}: {stats}", level_type.name);
            assert!(stats.set_pieces > 0 || theme.landmarks.is_empty(), "{}: {stats}", level_type.name);
        }
    }

    /// The counters see a branch in which every room repeats the first one.
    #[test]
    fn repeated_texts_are_counted() {
        let catalog = Catalog::builtin();
        let mut branch = PlannedBranch::walk(BranchSpec::of(&catalog, "well", Seed(1)), &catalog, 40, 1);
        let first = branch.rooms[0].plan.clone();
        for room in &mut branch.rooms {
            room.plan.sheet.name.clone_from(&first.sheet.name);
            room.plan.sheet.description.clone_from(&first.sheet.description);
        }
        let mut stats = BranchStats::default();
        stats.add(&branch);
        assert_eq!((stats.descriptions_again, stats.openings_again, stats.names_again), (39, 39, 39));
        assert_eq!(stats.loops, 0, "a branch of the frontier has none");
        let count = first.sheet.description.split_whitespace().count();
        assert_eq!((stats.words_least, stats.words_most), (stats.words / 40, u32::try_from(count).unwrap()));
        let json = serde_json::to_string(&stats).unwrap();
        assert!(json.contains("\"openings_again\":39,"), "{json}");
    }

    /// Across many branches, at most 2 % of the rooms repeat a description.
    #[test]
    fn e39_descriptions_seldom_repeat() {
        let catalog = Catalog::builtin();
        let mut stats = BranchStats::default();
        for seed in 0..40 {
            let spec = BranchSpec::of(&catalog, "well", Seed(seed));
            stats.add(&PlannedBranch::walk(spec, &catalog, 200, 1));
        }
        assert!(stats.permille(stats.repeated_descriptions()) <= 20, "{stats}");
    }
}
