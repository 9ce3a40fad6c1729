//! Loading a world from untrusted rows: every reference is checked before indices are built.

use crate::base::{BranchId, FloorId, FreePlaces, GameTime, Point};
use crate::dungeon::Frontier;
use crate::world::building::zone_keys::RoomIndex;
use crate::world::index::Index;
use crate::world::indexed::TableIndex as _;
use crate::world::meta::Meta;
use crate::world::storage::absent_character;
use crate::world::{
    BranchIndex, Branches, Character, Exit, ExitState, Exits, Floor, Item, Place, Room, RoomMemory, Rooms,
    Snapshot, World, ledger, references,
};
use std::collections::BTreeSet;

/// Contradictions in stored rows, for the operator, each with table and id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Contradictions(pub Vec<String>);

impl World {
    /// Builds the world from a snapshot.
    ///
    /// # Errors
    /// Rows stored under the id of another row, dangling references, or the violations found by [`World::check`]; only
    /// the first kind that occurs is listed.
    pub fn load(stored: Snapshot, fresh: Meta) -> Result<Self, Contradictions> {
        let mistakes = stored.misplaced();
        if !mistakes.is_empty() {
            return Err(Contradictions(mistakes));
        }
        let mut world = Self::stored(stored, fresh);
        let mistakes = check_references(&world);
        if !mistakes.is_empty() {
            return Err(Contradictions(mistakes));
        }
        build_index(&mut world);
        let branches: Vec<BranchId> = world.branches.index.indices.keys().copied().collect();
        for branch in branches {
            complete_branch(&mut world, branch);
        }
        separate_overlapping_rooms(&mut world);
        count_unbooked_items(&mut world);
        ledger::count_asleep(&mut world);
        let mistakes = world.check();
        if mistakes.is_empty() { Ok(world) } else { Err(Contradictions(mistakes)) }
    }

    /// Advances the world clock, which never moves backwards.
    pub fn advance_time(&mut self, now: GameTime) {
        if now > self.meta.time {
            // Not marked as touched: every cut includes the time, and idle worlds are cut periodically.
            self.meta.time = now;
        }
    }
}

/// Counts the items of a world stored before the ledger existed as created now.
fn count_unbooked_items(world: &mut World) {
    if !world.meta.stock.is_empty() {
        return;
    }
    let items: Vec<(String, i64)> =
        world.items.iter().map(|(_, item)| (item.prototype.clone(), i64::from(item.count))).collect();
    for (what, count) in items {
        world.meta_mut().stock.entry(what).or_default().made += count;
    }
}

/// Adds the rows that a branch stored by an older release lacks.
pub(in crate::world) fn complete_branch(world: &mut World, branch: BranchId) {
    add_missing_floors(world, branch);
    share_missing_memories(world, branch);
}

/// Adds floor rows to a branch stored before floors had rows; each floor is placed below the previous one.
fn add_missing_floors(world: &mut World, branch: BranchId) {
    let Some(index) = world.branches.index_of(branch) else { return };
    let numbers: BTreeSet<u32> = index.rooms.keys().map(|(number, _)| *number).collect();
    let kind = world.branches.get(branch).map(|row| row.theme.clone()).unwrap_or_default();
    for number in numbers {
        if world.floors.at(branch, number).is_none() {
            world.floors.put(Floor::new(branch, number, number, kind.clone()));
        }
    }
}

/// Gives heights to hand-built rooms stored without them. Of several rooms at one position the first stays. The others
/// move to the position implied by their exits, or to the nearest free one.
fn separate_overlapping_rooms(world: &mut World) {
    let built = |room: &Room| Some((room.id, room.coordinates()?));
    let lie: Vec<_> = world.rooms.iter().filter_map(|(_, room)| built(room)).collect();
    let mut near = FreePlaces::default();
    for (id, place) in lie {
        if world.rooms.index.places.get(&place) == Some(&id) {
            continue;
        }
        let ways = world.exits.of(id).filter_map(|exit| {
            let beside = world.rooms.get(exit.to?)?.coordinates()?;
            Some((beside, exit.direction?.opposite()))
        });
        let is_taken = |place| world.rooms.index.places.contains_key(&place);
        let wanted = ways.map(|(beside, direction)| beside.step(direction)).find(|place| !is_taken(*place));
        let free = wanted.unwrap_or_else(|| near.nearest(place, is_taken));
        world.rooms.index.places.insert(free, id);
        world.rooms.change(id, |row| (row.z, row.at) = (free.z, free.at));
    }
}

/// Gives room memories to the members of a branch stored before memories were per character. Such a branch has many
/// rooms but no memories; its members know every room.
fn share_missing_memories(world: &mut World, branch: BranchId) {
    let Some(index) = world.branches.index_of(branch) else { return };
    let untold = index.rooms.len() > 1 && index.rooms.values().all(|id| world.rooms[*id].memories.is_empty());
    if !untold || index.members.is_empty() {
        return;
    }
    for room in index.rooms.values() {
        let memories = index.members.iter().map(|who| (*who, RoomMemory::default()));
        world.rooms.change(*room, |row| row.memories.extend(memories));
    }
}

/// Builds the index after rows were loaded or rolled back.
pub(in crate::world) fn build_index(world: &mut World) {
    world.branches.rebuild_index();
    world.accounts.rebuild_index();
    world.exits.rebuild_index();
    world.parties.rebuild_index();
    world.audit.rebuild_index();
    world.journal.rebuild_index();
    world.definitions.rebuild_index();
    world.variables.rebuild_index();
    world.mails.rebuild_index();
    world.notes.rebuild_index();
    world.expeditions.rebuild_index();
    world.index = Index::default();
    let index = &mut world.index;
    world.accounts.index.keys.keys().for_each(|key| index.take_name(key));
    for (_, item) in world.items.iter() {
        index_item(index, item);
    }
    world.rooms.index = RoomIndex::default();
    for (_, room) in world.rooms.rows.iter() {
        world.rooms.index.note(room);
        if !room.branch.is_some_and(|branch| world.asleep.rows.branches.contains(&branch)) {
            index_room(&mut world.branches, room);
        }
    }
    for branch in world.branches.index.indices.values_mut() {
        build_frontiers(&world.rooms, &world.exits, branch);
    }
    for (_, character) in world.characters.iter() {
        index_character(&mut world.index, &mut world.branches, character);
    }
    for (who, absent) in &world.asleep.rows.absent {
        absent_character::index_absent(&mut world.index, *who, absent);
    }
}

/// Adds a room of a branch to the index of the branch.
pub(in crate::world) fn index_room(branches: &mut Branches, room: &Room) {
    if let Some(branch) = room.branch.and_then(|b| branches.index_mut(b)) {
        branch.rooms.insert((room.floor, room.at), room.id);
    }
}

/// Adds an item to the list of its place.
pub(in crate::world) fn index_item(index: &mut Index, item: &Item) {
    match item.place {
        Place::Room(room) => index.ground.entry(room).or_default().push(item.id),
        Place::Holder(holder) => index.carried.entry(holder).or_default().push(item.id),
        Place::Inside(container) => index.contents.entry(container).or_default().push(item.id),
        Place::Mail(mail) => index.attached.entry(mail).or_default().push(item.id),
    }
}

/// Builds the frontier of each floor of a branch.
pub(in crate::world) fn build_frontiers(rooms: &Rooms, exits: &Exits, branch: &mut BranchIndex) {
    let floors: BTreeSet<u32> = branch.rooms.keys().map(|(floor, _)| *floor).collect();
    for floor in floors {
        let placed = || {
            let of_floor = branch.rooms.range((floor, Point::LEAST)..=(floor, Point::MOST));
            of_floor.map(|((_, at), id)| (*at, *id))
        };
        let open = placed().flat_map(|(at, id)| {
            exits
                .of(id)
                .filter(|exit| exit.state == ExitState::Unexplored)
                .filter_map(move |exit| exit.direction.map(|direction| (at, direction)))
        });
        let has_stairs = placed().any(|(_, id)| exits.of(id).any(Exit::is_stairs_down));
        let mut frontier = Frontier::rebuild(floor, placed().map(|(at, _)| at), open, has_stairs);
        for (at, _) in placed().filter(|(_, id)| rooms[*id].sheet.kind.has_mechanism()) {
            frontier.note_mechanism(at);
        }
        branch.frontiers.insert(floor, frontier);
    }
}

/// Adds a character to every index; the caller stores the row.
pub(in crate::world) fn index_character(index: &mut Index, branches: &mut Branches, character: &Character) {
    let id = character.id;
    if character.awake {
        index.occupants.entry(character.room).or_default().push(id);
        if character.is_player() {
            index.awake_players.insert(id);
            index.awake_keys.extend(character.key.clone().map(|key| (key, id)));
        }
    }
    if let Some(branch) = character.branch.and_then(|b| branches.index_mut(b)) {
        let set = if character.is_player() { &mut branch.members } else { &mut branch.creatures };
        set.insert(id);
    }
    if let Some(key) = &character.key {
        index.character_keys.insert(key.clone(), id);
        index.take_name(key);
    }
    if let Some(account) = character.account {
        index.characters.entry(account).or_default().insert(id);
    }
}

/// Returns all dangling references.
fn check_references(world: &World) -> Vec<String> {
    let mut violations = references::dangling(world);
    for (id, floor) in world.floors.iter() {
        if FloorId::of(floor.branch, floor.number) != id {
            violations.push(format!("floors {id}: not of its branch and number"));
        }
    }
    absent_character::check_references(world, &mut violations);
    violations
}
