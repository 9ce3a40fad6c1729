//! Vaults: hand-made set pieces that are placed on a floor as a whole. This module knows only their geometry: the
//! positions they take, their connections, and the number of unexplored exits they can have at a time.

use crate::base::{Direction, Point};
use crate::data::definition;
use crate::level::Frontier;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rooms of a vault; all orders of walking through a vault are enumerated.
pub const VAULT_ROOMS_MAX: usize = 12;

definition! {
    /// Conditions and frequency of a vault.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct VaultRule {
        /// Percentage of new rooms at which the vault begins, if it fits; or of whole floors that get it.
        pub percent: u32 = number(1..=100),
        /// Minimum depth of its first room.
        pub least_depth: u32 = number_or(1..=100_000, 1),
        /// Maximum depth of its first room.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub last_depth: Option<u32> = number_if_any(&(1..=100_000)),
        /// Minimum difficulty of its first room.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub least_difficulty: Option<u32> = number_if_any(&(1..=100_000)),
        /// Maximum number in a branch.
        pub most: u32 = number_or(1..=1_000, 1),
    }
}

impl VaultRule {
    /// Returns `true` if its first room may be at a depth of a floor whose difficulty begins at `below`.
    pub fn is_for(&self, depth: u32, below: u32) -> bool {
        self.least_depth <= depth
            && self.last_depth.is_none_or(|last| depth <= last)
            && self.least_difficulty.is_none_or(|least| least <= below.saturating_add(depth))
    }
}

/// A room of a vault with its position, in the vault's plan or on a floor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plot {
    /// Key of the room in its vault.
    pub key: String,
    /// Position.
    pub at: Point,
    /// Two-way exits to other rooms of the vault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Direction>,
    /// Sides on which the floor may continue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<Direction>,
    /// Set once a player has entered and the room exists.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
}

/// Orientation of a vault: optionally mirrored, then rotated by quarter turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Facing {
    quarters: u8,
    mirrored: bool,
}

impl Facing {
    const AS_BUILT: Self = Self { quarters: 0, mirrored: false };

    fn all() -> impl Iterator<Item = Self> {
        [false, true].into_iter().flat_map(|mirrored| (0..4).map(move |quarters| Self { quarters, mirrored }))
    }

    fn place(self, at: Point) -> Point {
        let at = if self.mirrored { Point::new(-at.x, at.y) } else { at };
        (0..self.quarters).fold(at, |at, _| Point::new(at.y, -at.x))
    }

    fn side(self, side: Direction) -> Direction {
        let to = self.place(Point::ORIGIN.step(side));
        Direction::PLANE.into_iter().find(|side| Point::ORIGIN.step(*side) == to).unwrap_or(side)
    }
}

/// Returns the placements of a vault in which the given exit leads into one of its ends. The entrance room comes first,
/// without that end.
pub fn vault_placements(plots: &[Plot], turns: bool, from: Point, direction: Direction) -> Vec<Vec<Plot>> {
    let facings = if turns { Facing::all().collect() } else { vec![Facing::AS_BUILT] };
    let mut found = Vec::new();
    for facing in facings {
        for (first, entrance) in plots.iter().enumerate() {
            let ends = entrance.ends.iter().filter(|end| facing.side(**end) == direction.opposite());
            for end in ends {
                let (to, middle) = (from.step(direction), facing.place(entrance.at));
                let laid = |(number, plot): (usize, &Plot)| {
                    let at = facing.place(plot.at);
                    let sides = |sides: &[Direction]| {
                        let mut sides: Vec<_> = sides.iter().map(|side| facing.side(*side)).collect();
                        sides.sort_unstable();
                        sides
                    };
                    let mut ends = plot.ends.clone();
                    ends.retain(|other| number != first || other != end);
                    Plot {
                        key: plot.key.clone(),
                        at: Point::new(at.x - middle.x + to.x, at.y - middle.y + to.y),
                        ways: sides(&plot.ways),
                        ends: sides(&ends),
                        made: false,
                    }
                };
                let mut laid: Vec<Plot> = plots.iter().enumerate().map(laid).collect();
                laid.swap(0, first);
                found.push(laid);
            }
        }
    }
    found
}

/// Returns the maximum number of additional unexplored exits at any time while players walk through a vault, in any
/// order. If the vault has not been entered yet, its first room is the entrance.
pub fn max_open_exits(plots: &[Plot]) -> u32 {
    let numbers: BTreeMap<Point, usize> = plots.iter().map(|plot| plot.at).zip(0..).collect();
    let beside: Vec<Vec<usize>> = plots
        .iter()
        .map(|plot| plot.ways.iter().filter_map(|way| numbers.get(&plot.at.step(*way)).copied()).collect())
        .collect();
    let members = |set: u32| (0..plots.len()).filter(move |number| set & (1 << number) != 0);
    let onward =
        |set: u32| members(set).flat_map(|number| &beside[number]).filter(move |to| set & (1 << **to) == 0);
    let made =
        plots.iter().zip(0..).filter(|(plot, _)| plot.made).fold(0, |set, (_, number)| set | 1 << number);
    let now = onward(made).count();
    let (mut seen, mut next, mut most) = (BTreeSet::new(), vec![if made == 0 { 1 } else { made }], now);
    while let Some(set) = next.pop() {
        if seen.insert(set) {
            let ends: usize = members(set & !made).map(|number| plots[number].ends.len()).sum();
            most = most.max(onward(set).count() + ends);
            next.extend(onward(set).map(|to| set | 1 << to));
        }
    }
    u32::try_from(most - now).unwrap_or(u32::MAX)
}

/// A vault on a floor with rooms that no player has entered yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlacedVault {
    /// Key of the vault.
    #[serde(rename = "vault")]
    pub key: String,
    /// Number of the floor.
    pub floor: u32,
    /// Its rooms, beginning with the entrance.
    pub plots: Vec<Plot>,
}

/// Vaults of a branch with rooms that no player has entered yet. The positions of those rooms are reserved.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlacedVaults(Vec<PlacedVault>);

impl PlacedVaults {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns `true` if the branch has no such vaults.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the vaults of a floor.
    pub fn on(&self, floor: u32) -> impl Iterator<Item = &PlacedVault> {
        self.0.iter().filter(move |laid| laid.floor == floor)
    }

    /// Returns the positions of a floor that are reserved for rooms of vaults.
    pub fn kept(&self, floor: u32) -> impl Iterator<Item = Point> {
        self.on(floor).flat_map(|laid| &laid.plots).filter(|plot| !plot.made).map(|plot| plot.at)
    }

    /// Returns the maximum number of additional unexplored exits that the vaults of a floor may need. The budget
    /// reserves this many.
    pub fn reserve(&self, floor: u32) -> u32 {
        self.on(floor).map(|laid| max_open_exits(&laid.plots)).sum()
    }

    /// Returns the room planned for a position, with its vault's key.
    pub fn at(&self, floor: u32, at: Point) -> Option<(&str, &Plot)> {
        self.on(floor).find_map(|laid| {
            let plot = laid.plots.iter().find(|plot| plot.at == at && !plot.made)?;
            Some((laid.key.as_str(), plot))
        })
    }

    /// Adds a vault and reserves its positions.
    pub fn lay(&mut self, laid: PlacedVault) {
        self.0.push(laid);
    }

    /// Records that the room at a position has been created. A vault whose rooms all exist is removed from the list.
    pub fn make(&mut self, floor: u32, at: Point) {
        for laid in self.0.iter_mut().filter(|laid| laid.floor == floor) {
            for plot in laid.plots.iter_mut().filter(|plot| plot.at == at) {
                plot.made = true;
            }
        }
        self.0.retain(|laid| laid.plots.iter().any(|plot| !plot.made));
    }
}

impl Frontier {
    /// Returns `true` if a vault fits: its positions and those behind its ends are free, no other exit leads into it,
    /// and the floor can continue without it. The exit in `direction` of the room at `from` leads to the vault.
    pub fn vault_fits(&self, from: Point, direction: Direction, plots: &[Plot]) -> bool {
        let Some(entrance) = plots.first().map(|plot| plot.at) else { return false };
        let own: BTreeSet<Point> = plots.iter().map(|plot| plot.at).collect();
        let is_unwatched = |plot: &Plot| {
            let is_watched = |side: Direction| self.is_open(plot.at.step(side), side.opposite());
            plot.at == entrance || !Direction::PLANE.into_iter().any(is_watched)
        };
        let free = |plot: &Plot| {
            self.is_free(plot.at)
                && is_unwatched(plot)
                && plot
                    .ends
                    .iter()
                    .map(|end| plot.at.step(*end))
                    .all(|to| self.is_free(to) && !own.contains(&to))
        };
        if !plots.iter().all(free) {
            return false;
        }
        let mut after = self.clone();
        after.take(from, direction);
        after.keep(own);
        after.has_other_outward_exit(entrance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, South, West};

    fn plot(key: &str, (x, y): (i32, i32), ways: &[Direction], ends: &[Direction]) -> Plot {
        Plot { key: key.into(), at: Point::new(x, y), ways: ways.to_vec(), ends: ends.to_vec(), made: false }
    }

    /// Returns a room with a room to the north and one to the east, from which the floor continues.
    fn corner() -> Vec<Plot> {
        vec![
            plot("gate", (0, 0), &[North, East], &[South]),
            plot("nook", (0, 1), &[South], &[]),
            plot("hall", (1, 0), &[West], &[East]),
        ]
    }

    #[test]
    fn vault_is_entered_through_one_of_its_ends() {
        let from = Point::new(4, 4);
        let as_built = vault_placements(&corner(), false, from, North);
        assert_eq!(as_built.len(), 1, "only the south end can be entered northwards");
        assert_eq!(as_built[0][0], plot("gate", (4, 5), &[North, East], &[]));
        assert_eq!(as_built[0][2], plot("hall", (5, 5), &[West], &[East]));
        let turned = vault_placements(&corner(), true, from, North);
        assert_eq!(turned.len(), 4, "each end, and each of them mirrored");
        for plots in &turned {
            assert_eq!(plots[0].at, Point::new(4, 5));
            let at = |key: &str| plots.iter().find(|plot| plot.key == key).unwrap();
            for (one, other) in [("gate", "nook"), ("gate", "hall")] {
                let way = at(one).ways.iter().find(|way| at(one).at.step(**way) == at(other).at);
                assert!(at(other).ways.contains(&way.unwrap().opposite()), "{plots:?}");
            }
        }
    }

    #[test]
    fn max_open_exits_counts_every_order_of_walking() {
        let mut plots = vault_placements(&corner(), false, Point::new(4, 4), North).remove(0);
        assert_eq!(max_open_exits(&plots), 2, "two ways from the gate, then one and the end");
        plots[0].made = true;
        assert_eq!(max_open_exits(&plots), 0, "two are open already");
        plots[1].made = true;
        assert_eq!(max_open_exits(&plots), 0, "the end takes the place of the way to it");
        let ring = vec![
            plot("a", (0, 0), &[North, East], &[]),
            plot("b", (0, 1), &[South, East], &[]),
            plot("c", (1, 0), &[West, North], &[]),
            plot("d", (1, 1), &[West, South], &[North]),
        ];
        assert_eq!(max_open_exits(&ring), 3, "a, b and d are made: two ways to c, and the end");
    }

    #[test]
    fn positions_are_reserved_until_rooms_exist() {
        let mut vaults = PlacedVaults::new();
        let plots = vault_placements(&corner(), false, Point::new(4, 4), North).remove(0);
        vaults.lay(PlacedVault { key: "toll".into(), floor: 2, plots });
        assert_eq!((vaults.kept(2).count(), vaults.kept(1).count()), (3, 0));
        let gate = Point::new(4, 5);
        vaults.make(2, gate);
        assert_eq!(vaults.at(2, gate), None);
        assert_eq!(
            vaults.at(2, gate.step(East)).map(|(vault, plot)| (vault, plot.key.as_str())),
            Some(("toll", "hall"))
        );
        for at in [gate.step(East), gate.step(North)] {
            vaults.make(2, at);
        }
        assert!(vaults.is_empty());
    }
}
