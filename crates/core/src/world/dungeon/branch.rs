//! Life cycle of a branch.
//!
//! ```text
//! (exit taken) -> window open -> window closed -> expired -> deleted
//!                      \______________/
//!               rooms are generated in either state
//! ```
//! While its window is open, the start exit leads into the branch; afterwards only its members can be inside. A branch
//! expires when it has been inactive for too long, or when no player is left in it. An expired branch ([`BranchCleanup`]) has
//! no occupants and no exits leading in. Its rows are deleted in slices of bounded size.

use crate::base::{BranchId, CharacterId, ExitId, FloorId, GameTime, Point, RoomId, Seed, Span};
use crate::catalog::{BranchTimes, GrowSettings};
use crate::dungeon::{Frontier, Recent};
use crate::level::{PlacedVaults, UsedLimits};
use crate::world::indexed::{Indexed, TableIndex};
use crate::world::{BranchIndex, VariableOwner, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Branch, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Unique id, never reused.
    pub id: BranchId,
    /// Name, composed of the exit's name and the opening time.
    pub name: String,
    /// Seed of all random decisions in the branch.
    pub seed: Seed,
    /// Key of the theme.
    pub theme: String,
    /// Name of the room generator.
    pub generator: String,
    /// Start room of the branch.
    pub start_room: RoomId,
    /// Start exit that created the branch.
    pub start_exit: ExitId,
    /// Creation time.
    pub opened_at: GameTime,
    /// Time at which the window closed, or the earliest time at which it can close.
    pub window_ends_at: GameTime,
    /// Set while the start exit leads into the branch.
    pub window_open: bool,
    /// Time of the last room generation or of the last action by a member.
    pub last_updated_at: GameTime,
    /// Time settings given by the exit or theme at creation. The two fields below follow the server configuration where
    /// these are unset.
    pub times: BranchTimes,
    /// Probability, per mille, that the exit unlinks the branch at each reset after the window.
    pub reset_chance_permille: u32,
    /// Inactivity period after which the branch expires.
    pub max_life: Span,
    /// Number of expiry warnings already sent.
    pub warnings: u32,
    /// Budget of exits.
    #[serde(flatten)]
    pub growth: GrowSettings,
    /// Difficulty added by each floor below the first.
    pub difficulty_per_floor: u32,
    /// Number of rooms generated, which is also the position in the branch's random stream.
    pub rooms_made: u32,
    /// Most recently generated rooms, used to avoid repetition.
    #[serde(default)]
    pub recent: Recent,
    /// Greatest depth of a generated room.
    pub greatest_depth: u32,
    /// Usage of content limited per branch or per floor.
    #[serde(flatten)]
    pub used: UsedLimits,
    /// Vaults with rooms that no player has entered yet.
    #[serde(default, skip_serializing_if = "PlacedVaults::is_empty")]
    pub vaults: PlacedVaults,
    /// Characters that have returned to the branch by the party rope.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub roped: BTreeSet<CharacterId>,
    /// Set if the start room was removed while the branch was asleep. Its exits out of the branch lead nowhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_detached: bool,
    /// Deepest dungeon level of a floor; 0 in a branch stored by an older release.
    #[serde(default)]
    pub deepest_level: u32,
    /// Set if the branch stays when its last member leaves, until it is inactive for too long: it belongs to an
    /// expedition. Any visit counts as activity.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outlives_members: bool,
    /// Time at which the branch expires, however active it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<GameTime>,
    /// Progress of branch cleanup, if the branch has expired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubble: Option<BranchCleanup>,
}

/// Progress of branch cleanup. Creatures are deleted first. Then the exits of all rooms, so that no exit leads to a
/// deleted room. Then rooms, floors and the branch row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BranchCleanup {
    /// Last room whose exits have been deleted, by floor and position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<(u32, Point)>,
}

/// Next part of an expired branch to delete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CleanupStep {
    /// A creature.
    Creature(CharacterId),
    /// The exits of a room.
    Exits(RoomId),
    /// A room without exits.
    Room(RoomId),
    /// A floor without rooms.
    Floor(FloorId),
    /// The branch row, when all else has been deleted.
    Branch,
}

impl Branch {
    /// Returns the expiry time, if the branch stays inactive.
    pub fn ends_at(&self) -> GameTime {
        let idle_end = self.last_updated_at + self.max_life;
        self.closes_at.map_or(idle_end, |end| end.min(idle_end))
    }

    /// Returns `true` if the branch has not expired.
    pub const fn lives(&self) -> bool {
        self.rubble.is_none()
    }
}

/// Indices of branches, and branches by their time of expiry.
#[derive(Clone, Debug, Default)]
pub struct BranchIndices {
    /// Index of each branch.
    pub(in crate::world) indices: BTreeMap<BranchId, BranchIndex>,
    /// Active branches by expiry time, soonest first.
    by_end: BTreeSet<(GameTime, BranchId)>,
    /// Expired branches that are not yet cleaned up.
    rubble: BTreeSet<BranchId>,
}

impl TableIndex<Branch> for BranchIndices {
    fn note(&mut self, branch: &Branch) {
        if branch.lives() {
            self.by_end.insert((branch.ends_at(), branch.id));
        } else {
            self.rubble.insert(branch.id);
        }
        self.indices.insert(branch.id, BranchIndex::default());
    }

    fn forget(&mut self, branch: &Branch) {
        self.by_end.remove(&(branch.ends_at(), branch.id));
        self.rubble.remove(&branch.id);
        self.indices.remove(&branch.id);
    }
}

/// Branches. [`World::remove_branch`] also removes floors and values of variables.
pub type Branches = Indexed<Branch, BranchIndices>;

impl Branches {
    /// Returns the branch unless it has expired.
    pub fn active(&self, id: BranchId) -> Option<&Branch> {
        self.get(id).filter(|branch| branch.lives())
    }

    /// Returns the branches that have not expired, in id order.
    pub fn iter_active(&self) -> impl Iterator<Item = (BranchId, &Branch)> {
        self.iter().filter(|(_, branch)| branch.lives())
    }

    /// Returns the number of branches that have not expired.
    pub fn active_count(&self) -> usize {
        self.index.by_end.len()
    }

    /// Records activity in a branch.
    pub fn refresh(&mut self, id: BranchId, now: GameTime) {
        if let Some(branch) = self.rows.edit(id).filter(|branch| branch.lives()) {
            self.index.by_end.remove(&(branch.ends_at(), id));
            branch.last_updated_at = now;
            self.index.by_end.insert((branch.ends_at(), id));
            branch.warnings = 0;
        }
    }

    /// Sets the reset chance and maximum inactivity of a branch.
    pub fn set_times(&mut self, id: BranchId, reset_chance_permille: u32, max_life: Span) {
        if let Some(branch) = self.rows.edit(id).filter(|branch| branch.lives()) {
            self.index.by_end.remove(&(branch.ends_at(), id));
            branch.reset_chance_permille = reset_chance_permille;
            branch.max_life = max_life;
            self.index.by_end.insert((branch.ends_at(), id));
        }
    }

    /// Makes a branch outlive its members, for as long as it is visited at least once in `max_life`. It has no window.
    pub fn own(&mut self, id: BranchId, max_life: Span) {
        self.change(id, |row| {
            row.outlives_members = true;
            row.window_open = false;
            row.window_ends_at = row.opened_at;
        });
        self.set_life(id, max_life);
    }

    /// Makes a branch end with its members again, or after `max_life`.
    pub fn disown(&mut self, id: BranchId, max_life: Span) {
        self.change(id, |row| row.outlives_members = false);
        self.set_life(id, max_life);
    }

    /// Sets the maximum inactivity of a branch, which no later change of the server's setting affects.
    fn set_life(&mut self, id: BranchId, max_life: Span) {
        self.change(id, |row| row.times.max_life = Some(max_life));
        if let Some(chance) = self.get(id).map(|row| row.reset_chance_permille) {
            self.set_times(id, chance, max_life);
        }
    }

    /// Sets the time at which a branch expires, however active it is.
    pub fn close_at(&mut self, id: BranchId, end: GameTime) {
        if let Some(branch) = self.rows.edit(id).filter(|branch| branch.lives()) {
            self.index.by_end.remove(&(branch.ends_at(), id));
            branch.closes_at = Some(end);
            self.index.by_end.insert((branch.ends_at(), id));
        }
    }

    /// Returns the branches that expire by `moment`, oldest first.
    pub fn ending_by(&self, moment: GameTime) -> impl Iterator<Item = BranchId> {
        self.index.by_end.range(..=(moment, BranchId(u32::MAX))).map(|(_, id)| *id)
    }

    /// Returns the index of a branch.
    pub fn index_of(&self, id: BranchId) -> Option<&BranchIndex> {
        self.index.indices.get(&id)
    }

    pub(in crate::world) fn index_mut(&mut self, id: BranchId) -> Option<&mut BranchIndex> {
        self.index.indices.get_mut(&id)
    }

    /// Returns the frontier of a floor.
    pub fn frontier_mut(&mut self, id: BranchId, floor: u32) -> Option<&mut Frontier> {
        Some(self.index_mut(id)?.frontiers.entry(floor).or_insert_with(|| Frontier::new(floor)))
    }

    /// Returns the room at a position of a branch.
    pub fn room_at(&self, branch: BranchId, floor: u32, at: Point) -> Option<RoomId> {
        self.index_of(branch)?.rooms.get(&(floor, at)).copied()
    }

    /// Returns the players who have entered a branch and not left it.
    pub fn members(&self, branch: BranchId) -> BTreeSet<CharacterId> {
        self.index_of(branch).map(|index| index.members.clone()).unwrap_or_default()
    }

    /// Marks an empty branch as expired, for cleanup.
    pub fn expire(&mut self, id: BranchId) {
        let Some(branch) = self.rows.edit(id).filter(|branch| branch.lives()) else { return };
        branch.rubble = Some(BranchCleanup::default());
        branch.window_open = false;
        self.index.by_end.remove(&(branch.ends_at(), id));
        self.index.rubble.insert(id);
    }

    /// Returns the next branch to clean up.
    pub fn next_to_clean_up(&self) -> Option<BranchId> {
        self.index.rubble.first().copied()
    }

    /// Removes the derived data of a floor whose rooms are deleted.
    pub fn forget_floor(&mut self, floor: FloorId) {
        for (branch, index) in &mut self.index.indices {
            index.frontiers.retain(|number, _| FloorId::of(*branch, *number) != floor);
        }
    }
}

impl World {
    /// Returns `true` if the room belongs to an expired branch.
    pub fn is_in_expired_branch(&self, room: RoomId) -> bool {
        let branch = self.rooms.get(room).and_then(|room| room.branch);
        branch.and_then(|branch| self.branches.get(branch)).is_some_and(|branch| !branch.lives())
    }

    /// Removes a branch whose rooms have been deleted, with its floors.
    pub fn remove_branch(&mut self, id: BranchId) {
        let floors: Vec<FloorId> = self.floors.of(id).map(|floor| floor.id).collect();
        for floor in floors {
            self.floors.remove(floor);
        }
        self.variables.remove_of(VariableOwner::Branch(id));
        self.branches.remove(id);
    }

    /// Returns the next part of an expired branch to delete.
    pub fn next_cleanup_step(&self, id: BranchId) -> Option<CleanupStep> {
        let rubble = self.branches.get(id)?.rubble?;
        let index = self.branches.index_of(id)?;
        if let Some(creature) = index.creatures.first() {
            return Some(CleanupStep::Creature(*creature));
        }
        let after = rubble.cut_off.map_or(Bound::Unbounded, Bound::Excluded);
        if let Some(room) = index.rooms.range((after, Bound::Unbounded)).next() {
            return Some(CleanupStep::Exits(*room.1));
        }
        if let Some(room) = index.rooms.values().next() {
            return Some(CleanupStep::Room(*room));
        }
        Some(self.floors.of(id).next().map_or(CleanupStep::Branch, |floor| CleanupStep::Floor(floor.id)))
    }

    /// Deletes the exits of a room in an expired branch. Returns the number of rows touched.
    pub fn cut_off(&mut self, room: RoomId) -> u32 {
        let Some((branch, place)) = self.rooms.get(room).and_then(|r| Some((r.branch?, (r.floor, r.at))))
        else {
            return 0;
        };
        let exits = self.exits.take_of(room);
        for exit in &exits {
            self.exits.rows.remove(*exit);
        }
        if let Some(rubble) = self.branches.edit(branch).and_then(|row| row.rubble.as_mut()) {
            rubble.cut_off = Some(place);
        }
        u32::try_from(exits.len()).unwrap_or(u32::MAX)
    }
}
