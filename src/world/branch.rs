//! A branch's life.
//!
//! ```text
//! (exit taken) -> window open -> window closed -> collapsed -> gone
//!                      \______________/
//!                  rooms grow in either state
//! ```
//! Until its window closes the start exit leads in; afterwards only its members are inside. It collapses when
//! nothing has happened in it for too long, or when nobody is left in it. A branch that has collapsed is rubble
//! ([`Rubble`]): nobody is in it and nothing leads there, and its rows go in slices of bounded size.

use crate::base::{BranchId, CharacterId, ExitId, GameTime, RoomId, Seed, Span};
use crate::base::{FloorId, Point};
use crate::catalog::BranchTimes;
use crate::dungeon::{Frontier, Recent};
use crate::level::{Used, Vaults};
use crate::world::{BranchIndex, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Bound;

/// A branch. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Identity, never used again.
    pub id: BranchId,
    /// Made of the exit's name and the moment of its opening.
    pub name: String,
    /// Everything random in it comes from here.
    pub seed: Seed,
    /// Theme by key.
    pub theme: String,
    /// Room generator by name.
    pub generator: String,
    /// The start room it hangs on.
    pub start_room: RoomId,
    /// The start exit that made it.
    pub start_exit: ExitId,
    /// When it was made.
    pub opened_at: GameTime,
    /// When its window closed, or will close at the earliest.
    pub window_ends_at: GameTime,
    /// Whether the start exit still leads here.
    pub window_open: bool,
    /// When a room was last made or a member last acted in it.
    pub last_updated_at: GameTime,
    /// What its exit or its theme said of times when it opened; the two below follow the server's where this is silent.
    pub times: BranchTimes,
    /// How likely the exit forgets it at each reset after its window, in parts of a thousand.
    pub reset_chance_permille: u32,
    /// Age since the last update at which it collapses.
    pub max_life: Span,
    /// How many of the notices before a collapse have been given.
    pub warnings: u32,
    /// E14, E35.
    pub max_unexplored_exits: u32,
    /// E35.
    pub max_new_exits_per_room: u32,
    /// E14.
    pub finishable: bool,
    /// What each floor below the first adds to the difficulty.
    pub difficulty_per_floor: u32,
    /// How many rooms were made: the position in the branch's dice.
    pub rooms_made: u32,
    /// What it remembers of the rooms made last.
    #[serde(default)]
    pub recent: Recent,
    /// E41.
    pub greatest_depth: u32,
    /// What it has of things that there may be only so many of.
    #[serde(flatten)]
    pub used: Used,
    /// The vaults in it that have rooms nobody has walked into yet.
    #[serde(default, skip_serializing_if = "Vaults::is_empty")]
    pub vaults: Vaults,
    /// Who has come back into it by the party rope.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub roped: BTreeSet<CharacterId>,
    /// How far it has been cleared away, if it has collapsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubble: Option<Rubble>,
}

/// How far a branch that has collapsed is cleared away. Its creatures go first, then the exits of all rooms, so that
/// none ever leads to a room that is gone, then the rooms, the floors and the branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rubble {
    /// The last room whose exits are gone, by floor and place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<(u32, Point)>,
}

/// The next of a collapsed branch to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remnant {
    /// A creature.
    Mob(CharacterId),
    /// The exits of a room.
    Exits(RoomId),
    /// A room without exits.
    Room(RoomId),
    /// A floor without rooms.
    Floor(FloorId),
    /// The branch itself: nothing of it is left.
    Branch,
}

impl Branch {
    /// When it is old enough to collapse, if nothing happens in it before.
    pub fn ends_at(&self) -> GameTime {
        self.last_updated_at + self.max_life
    }

    /// Whether people may be in it: it has not collapsed.
    pub const fn lives(&self) -> bool {
        self.rubble.is_none()
    }
}

impl World {
    /// A branch that has not collapsed.
    pub fn living_branch(&self, id: BranchId) -> Option<&Branch> {
        self.branches.get(id).filter(|branch| branch.lives())
    }

    /// The branches that have not collapsed, in the order of their ids.
    pub fn living_branches(&self) -> impl Iterator<Item = (BranchId, &Branch)> {
        self.branches.iter().filter(|(_, branch)| branch.lives())
    }

    /// Whether a room is one of a branch that has collapsed.
    pub fn is_rubble(&self, room: RoomId) -> bool {
        let branch = self.rooms.get(room).and_then(|room| room.branch);
        branch.and_then(|branch| self.branches.get(branch)).is_some_and(|branch| !branch.lives())
    }

    /// Adds a branch without rooms.
    pub fn add_branch(&mut self, branch: Branch) {
        self.index.by_end.insert((branch.ends_at(), branch.id));
        self.index.branches.insert(branch.id, BranchIndex::default());
        self.branches.put(branch);
    }

    /// Removes a branch whose rooms are gone, with its floors.
    pub fn remove_branch(&mut self, id: BranchId) {
        self.index.branches.remove(&id);
        let floors: Vec<FloorId> = self.floors_of(id).map(|floor| floor.id).collect();
        for floor in floors {
            self.floors.remove(floor);
        }
        if let Some(branch) = self.branches.remove(id) {
            self.index.by_end.remove(&(branch.ends_at(), id));
            self.index.rubble.remove(&id);
        }
    }

    /// Notes that something happened in a branch.
    pub fn refresh_branch(&mut self, id: BranchId, now: GameTime) {
        if let Some(branch) = self.branches.edit(id).filter(|branch| branch.lives()) {
            self.index.by_end.remove(&(branch.ends_at(), id));
            branch.last_updated_at = now;
            self.index.by_end.insert((branch.ends_at(), id));
            branch.warnings = 0;
        }
    }

    /// Gives a branch another reset chance and length of life.
    pub fn set_times(&mut self, id: BranchId, reset_chance_permille: u32, max_life: Span) {
        if let Some(branch) = self.branches.edit(id).filter(|branch| branch.lives()) {
            self.index.by_end.remove(&(branch.ends_at(), id));
            branch.reset_chance_permille = reset_chance_permille;
            branch.max_life = max_life;
            self.index.by_end.insert((branch.ends_at(), id));
        }
    }

    /// Living branches that are old enough to collapse at a moment, oldest first.
    pub fn branches_ending_by(&self, moment: GameTime) -> impl Iterator<Item = BranchId> {
        self.index.by_end.range(..=(moment, BranchId(u32::MAX))).map(|(_, id)| *id)
    }

    /// What belongs to a branch.
    pub fn branch_index(&self, id: BranchId) -> Option<&BranchIndex> {
        self.index.branches.get(&id)
    }

    /// The frontier of a floor of a branch.
    pub fn frontier_mut(&mut self, id: BranchId, floor: u32) -> Option<&mut Frontier> {
        Some(self.index.branches.get_mut(&id)?.frontiers.entry(floor).or_insert_with(|| Frontier::new(floor)))
    }

    /// The room at a place of a branch.
    pub fn room_at(&self, branch: BranchId, floor: u32, at: Point) -> Option<RoomId> {
        self.index.branches.get(&branch)?.rooms.get(&(floor, at)).copied()
    }

    /// Players who have entered a branch and not come back.
    pub fn members(&self, branch: BranchId) -> BTreeSet<CharacterId> {
        self.index.branches.get(&branch).map(|index| index.members.clone()).unwrap_or_default()
    }

    /// Makes a branch that nobody is in rubble.
    pub fn make_rubble(&mut self, id: BranchId) {
        let Some(branch) = self.branches.edit(id).filter(|branch| branch.lives()) else { return };
        branch.rubble = Some(Rubble::default());
        branch.window_open = false;
        self.index.by_end.remove(&(branch.ends_at(), id));
        self.index.rubble.insert(id);
    }

    /// The branch that is to be cleared away next.
    pub fn rubble(&self) -> Option<BranchId> {
        self.index.rubble.first().copied()
    }

    /// What of a collapsed branch has to go next.
    pub fn next_remnant(&self, id: BranchId) -> Option<Remnant> {
        let rubble = self.branches.get(id)?.rubble?;
        let index = self.index.branches.get(&id)?;
        if let Some(mob) = index.mobs.first() {
            return Some(Remnant::Mob(*mob));
        }
        let after = rubble.cut_off.map_or(Bound::Unbounded, Bound::Excluded);
        if let Some(room) = index.rooms.range((after, Bound::Unbounded)).next() {
            return Some(Remnant::Exits(*room.1));
        }
        if let Some(room) = index.rooms.values().next() {
            return Some(Remnant::Room(*room));
        }
        Some(self.floors_of(id).next().map_or(Remnant::Branch, |floor| Remnant::Floor(floor.id)))
    }

    /// Removes the exits of a room of a collapsed branch; how many rows that touched.
    pub fn cut_off(&mut self, room: RoomId) -> u32 {
        let Some((branch, place)) = self.rooms.get(room).and_then(|r| Some((r.branch?, (r.floor, r.at))))
        else {
            return 0;
        };
        let exits = self.index.exits.remove(&room).unwrap_or_default();
        for exit in &exits {
            self.exits.remove(*exit);
        }
        if let Some(rubble) = self.branches.edit(branch).and_then(|row| row.rubble.as_mut()) {
            rubble.cut_off = Some(place);
        }
        u32::try_from(exits.len()).unwrap_or(u32::MAX)
    }
}
