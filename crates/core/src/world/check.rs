//! Invariants that the world can verify without content, in this file or in the file of the row concerned. Read-only.
//! Run after each step in tests, at load, and by `deepwell check`.

use crate::base::{Direction, GameTime, ItemId, Point, RoomId};
use crate::dungeon::Frontier;
use crate::world::account::{self, ban};
use crate::world::building::{invariants, journal, variables, zone_keys};
use crate::world::character::party;
use crate::world::dungeon::{expedition, puzzles, rumour};
use crate::world::item::DEPTH_MAX;
use crate::world::post::{mail, note};
use crate::world::storage::absent;
use crate::world::{Branch, Character, Exit, ExitKind, ExitState, Item, Place, Room, World, ledger};
use std::collections::{BTreeMap, BTreeSet};

/// Upper limit for timestamps, 1 January 10000 UTC. Beyond it, repeating timers could overflow and stay due for ever.
const END_OF_TIME: GameTime = GameTime(253_402_300_800_000);

impl World {
    /// Returns all violations, each naming the table and the id.
    pub fn check(&self) -> Vec<String> {
        let mut violations = Vec::new();
        for (_, exit) in self.exits.iter() {
            check_exit(self, exit, &mut violations);
        }
        for (_, branch) in self.branches.iter() {
            if self.asleep.has(branch.id) {
                check_sleeping_branch(self, branch, &mut violations);
            } else if branch.lives() {
                check_branch(self, branch, &mut violations);
            } else {
                check_branch_cleanup(self, branch, &mut violations);
            }
        }
        for (_, floor) in self.floors.iter() {
            // The puzzles of a branch under cleanup are incomplete.
            if let Some(run) = &floor.puzzle
                && self.branches.active(floor.branch).is_some()
            {
                puzzles::check(self, floor, run, &mut violations);
            }
        }
        for (id, room) in self.rooms.iter() {
            if room.coordinates().is_some_and(|place| self.rooms.built_at(place) != Some(id)) {
                violations
                    .push(format!("rooms {id}: another lies at its place, {} at height {}", room.at, room.z));
            }
        }
        for (_, body) in self.characters.iter() {
            check_character(self, body, &mut violations);
        }
        for (_, item) in self.items.iter() {
            check_item(self, item, &mut violations);
        }
        ledger::check(self, &mut violations);
        absent::check(self, &mut violations);
        party::check(self, &mut violations);
        check_counters(self, &mut violations);
        check_totals(self, &mut violations);
        account::check(self, &mut violations);
        ban::check(self, &mut violations);
        rumour::check(self, &mut violations);
        journal::check(self, &mut violations);
        invariants::check(self, &mut violations);
        zone_keys::check(self, &mut violations);
        variables::check(self, &mut violations);
        mail::check(self, &mut violations);
        note::check(self, &mut violations);
        expedition::check(self, &mut violations);
        violations
    }

    /// Returns the violations among rows touched since the last cut: characters, items, exits and the exits of touched
    /// rooms. The cost is proportional to the number of touched rows. All other violations are found by
    /// [`Self::check`].
    pub fn check_touched(&self) -> Vec<String> {
        let mut violations = Vec::new();
        for body in self.characters.touched().filter_map(|id| self.characters.get(id)) {
            check_character(self, body, &mut violations);
        }
        for item in self.items.touched().filter_map(|id| self.items.get(id)) {
            check_item(self, item, &mut violations);
        }
        let of_exits = self.exits.touched().filter_map(|id| self.exits.get(id)).map(|exit| exit.room);
        let rooms: BTreeSet<RoomId> = self.rooms.touched().chain(of_exits).collect();
        for exit in rooms.into_iter().flat_map(|room| self.exits.of(room)) {
            check_exit(self, exit, &mut violations);
        }
        violations
    }
}

/// Checks that exits lead to existing rooms, are unexplored, or became one-way when a newer room took their place.
fn check_exit(world: &World, exit: &Exit, violations: &mut Vec<String>) {
    let id = exit.id;
    let Some(room) = world.rooms.get(exit.room) else {
        violations.push(format!("exits {id}: its room does not exist"));
        return;
    };
    if exit.trap.is_some() && exit.state != ExitState::Unexplored {
        violations.push(format!("exits {id}: explored, and its trap is still on it"));
    }
    if exit.kind != ExitKind::Branch && !exit.own_tasks.is_usual() {
        violations.push(format!("exits {id}: no start exit, and has tasks of its own"));
    }
    invariants::check_door(world, exit, violations);
    match (exit.kind, exit.state, exit.to) {
        (ExitKind::Branch, _, to) if to.is_some() != exit.window.is_some() => {
            violations
                .push(format!("exits {id}: a start exit leads somewhere without a window, or the reverse"));
        }
        (ExitKind::Exit, ExitState::Unexplored, Some(_)) => {
            violations.push(format!("exits {id}: unexplored, but leads to a room"));
        }
        (ExitKind::Exit, ExitState::Open | ExitState::OneWay | ExitState::Locked, None) => {
            violations.push(format!("exits {id}: leads nowhere"));
        }
        (_, _, Some(to)) if world.rooms.get(to).is_none() => {
            violations.push(format!("exits {id}: room {to} does not exist"));
        }
        _ => {}
    }
    match (room.branch, exit.direction, exit.to) {
        // The exit back may already be deleted.
        _ if world.is_in_expired_branch(exit.room) => {}
        (_, _, Some(to)) if exit.kind == ExitKind::Stairs => check_stairs(world, exit, room, to, violations),
        (Some(_), Some(direction), Some(to)) => check_grid_exit(world, exit, room, direction, to, violations),
        _ => {}
    }
}

fn check_grid_exit(
    world: &World,
    exit: &Exit,
    room: &Room,
    direction: Direction,
    to: RoomId,
    violations: &mut Vec<String>,
) {
    let Some(target) = world.rooms.get(to) else { return };
    if target.branch.is_none() {
        if room.floor != 1 || room.at.step(direction) != Point::ORIGIN || !exit.back {
            violations.push(format!("exits {}: leads out of the branch from {} (E20)", exit.id, room.at));
        }
        return;
    }
    if target.branch != room.branch || target.floor != room.floor || target.at != room.at.step(direction) {
        violations.push(format!("exits {}: does not lead one step {direction} on its own floor", exit.id));
    }
    let returns = world.exits.of(to).any(|e| e.to == Some(room.id));
    if exit.state != ExitState::Locked && returns != (exit.state == ExitState::Open) {
        violations
            .push(format!("exits {}: {:?}, but a way back exists: {returns} (E18)", exit.id, exit.state));
    }
}

/// Checks unique positions, the reserved position of the start room, the number of generated rooms and the exit
/// budgets.
fn check_branch(world: &World, branch: &Branch, violations: &mut Vec<String>) {
    let id = branch.id;
    let Some(index) = world.branches.index_of(id) else {
        violations.push(format!("branches {id}: not in the index"));
        return;
    };
    // Puzzle rooms are not counted: visits to puzzles do not change the generation of other rooms.
    let runs = world.floors.of(id).filter_map(|floor| floor.puzzle.as_deref());
    let rooms = index.rooms.len() - runs.map(|run| run.rooms.len()).sum::<usize>().min(index.rooms.len());
    if rooms != branch.rooms_made as usize {
        violations.push(format!("branches {id}: {rooms} rooms, {} made", branch.rooms_made));
    }
    if index.rooms.contains_key(&(1, Point::ORIGIN)) {
        violations.push(format!("branches {id}: a room on the start room's place (E10)"));
    }
    let mut floors: BTreeMap<u32, usize> = BTreeMap::new();
    for ((floor, at), room) in &index.rooms {
        let placed = world.rooms.get(*room);
        if placed.is_none_or(|r| r.branch != Some(id) || r.floor != *floor || r.at != *at) {
            violations.push(format!("branches {id}: room {room} is not at {at} (C2)"));
        }
        let open = world.exits.of(*room).filter(|e| e.state == ExitState::Unexplored).count();
        *floors.entry(*floor).or_default() += open;
    }
    for floor in floors.keys().filter(|floor| world.floors.at(id, **floor).is_none()) {
        violations.push(format!("branches {id}: floor {floor} has rooms, but no row"));
    }
    let has_puzzle = |floor: &u32| world.floors.at(id, *floor).is_some_and(|row| row.puzzle.is_some());
    floors.retain(|floor, _| !has_puzzle(floor));
    for (floor, open) in floors {
        check_floor(world, branch, floor, open, violations);
    }
}

/// Checks that a sleeping branch has no way in, no members that are awake, and no rooms in memory without members.
fn check_sleeping_branch(world: &World, branch: &Branch, violations: &mut Vec<String>) {
    let id = branch.id;
    let Some(index) = world.branches.index_of(id) else {
        violations.push(format!("branches {id}: not in the index"));
        return;
    };
    let awake = index.members.iter().filter(|who| world.characters.get(**who).is_none_or(|body| body.awake));
    if branch.window_open || !branch.lives() || awake.count() > 0 {
        violations.push(format!("branches {id}: asleep, but open, expired or with players"));
    }
    if !index.rooms.is_empty() || !index.creatures.is_empty() || world.floors.of(id).next().is_some() {
        violations.push(format!("branches {id}: asleep, with rows in memory"));
    }
}

/// Checks that an expired branch has no occupants and no exits leading in, and that rooms are deleted only after all
/// exits.
fn check_branch_cleanup(world: &World, branch: &Branch, violations: &mut Vec<String>) {
    let id = branch.id;
    let Some(index) = world.branches.index_of(id) else {
        violations.push(format!("branches {id}: not in the index"));
        return;
    };
    if !index.members.is_empty() || branch.window_open {
        violations
            .push(format!("branches {id}: collapsed with {} members inside (E49)", index.members.len()));
    }
    let cut_off = |place: &(u32, Point)| {
        branch.rubble.and_then(|rubble| rubble.cut_off).is_some_and(|last| *place <= last)
    };
    for (place, room) in &index.rooms {
        let left = world.exits.of(*room).count();
        if left > 0 && cut_off(place) {
            violations.push(format!("branches {id}: room {room} was cut off and has {left} exits (E49)"));
        }
    }
}

/// Checks the number of unexplored exits of each floor. A budgeted floor keeps its budget and has at most one staircase
/// down.
fn check_floor(world: &World, branch: &Branch, floor: u32, open: usize, violations: &mut Vec<String>) {
    let id = branch.id;
    let Some(index) = world.branches.index_of(id) else { return };
    let frontier = index.frontiers.get(&floor);
    let known = frontier.map_or(0, Frontier::open_count);
    if known as usize != open {
        violations.push(format!(
            "branches {id}: floor {floor} has {open} unexplored exits, {known} on the list (E37)"
        ));
    }
    let budgeted = world.floors.at(id, floor).is_some_and(|floor| floor.budgeted);
    if budgeted && open > branch.growth.max_unexplored_exits as usize {
        let most = branch.growth.max_unexplored_exits;
        violations
            .push(format!("branches {id}: {open} unexplored exits on floor {floor}, at most {most} (E14)"));
    }
    if budgeted && open == 0 && !branch.growth.finishable {
        violations.push(format!("branches {id}: no unexplored exit left on floor {floor} (E58)"));
    }
    let rooms = index.rooms.range((floor, Point::LEAST)..=(floor, Point::MOST)).map(|(_, room)| *room);
    let stairs = rooms.filter(|room| world.exits.of(*room).any(Exit::is_stairs_down)).count();
    if budgeted && stairs > 1 || (stairs > 0) != frontier.is_some_and(Frontier::has_stairs) {
        violations.push(format!("branches {id}: {stairs} stairs down on floor {floor} (T1)"));
    }
    if floor > 1 && !index.rooms.contains_key(&(floor, Point::ORIGIN)) {
        violations.push(format!("branches {id}: floor {floor} has no landing (T3)"));
    }
}

/// Checks that stairs and gates join rooms on two floors of one branch and lead back, unless they lead out to the start
/// room.
fn check_stairs(world: &World, exit: &Exit, room: &Room, to: RoomId, violations: &mut Vec<String>) {
    let Some(target) = world.rooms.get(to) else { return };
    let clearing = room.branch.is_some_and(|branch| world.branches.active(branch).is_none());
    if exit.is_gate() {
        let (inside, outside) =
            if exit.direction == Some(Direction::In) { (to, room.id) } else { (room.id, to) };
        if !clearing && world.puzzle_at(inside).is_none_or(|(_, run, _)| run.gate != outside) {
            violations.push(format!("exits {}: a gate without a puzzle behind it", exit.id));
        }
        return;
    }
    let start = room.branch.and_then(|branch| world.branches.get(branch)).map(|branch| branch.start_room);
    if start == Some(to) {
        return;
    }
    let returns = world.exits.of(to).any(|e| e.kind == ExitKind::Stairs && e.to == Some(room.id));
    let lands = !exit.is_stairs_down() || target.at == Point::ORIGIN;
    if target.branch != room.branch || target.floor == room.floor || !lands || !returns {
        violations.push(format!("exits {}: stairs that do not join two floors (T3)", exit.id));
    }
}

/// Checks location, combat target, branch membership and stats of a character.
fn check_character(world: &World, c: &Character, violations: &mut Vec<String>) {
    let id = c.id;
    let Some(room) = world.rooms.get(c.room) else {
        violations.push(format!("characters {id}: room {} does not exist", c.room));
        return;
    };
    let listed = world.occupants(c.room).iter().filter(|other| **other == id).count();
    if listed != usize::from(c.awake) {
        violations.push(format!("characters {id}: {listed} times in its room, awake: {}", c.awake));
    }
    if c.hp < 0 || c.max_hp < 1 || c.xp < 0 {
        violations.push(format!("characters {id}: {}/{} hit points, {} experience", c.hp, c.max_hp, c.xp));
    }
    if c.craft.offer.iter().any(|key| c.craft.abilities.contains_key(key)) {
        violations.push(format!("characters {id}: is offered what it has learnt"));
    }
    if room.branch.is_some() && room.branch != c.branch {
        violations.push(format!("characters {id}: in a branch it is no member of (E43)"));
    }
    if let Some(target) = c.target
        && world.characters.get(target).is_none_or(|t| t.room != c.room || !t.awake || !c.awake)
    {
        violations.push(format!("characters {id}: fights somebody who is not here"));
    }
    if room.sheet.kind == super::RoomKind::Start && c.branch.is_some() {
        violations.push(format!("characters {id}: in the start room, but still a member (E44)"));
    }
}

/// Checks that an item is in exactly one existing place, within the nesting depth, and worn in a free slot.
fn check_item(world: &World, item: &Item, violations: &mut Vec<String>) {
    let id = item.id;
    let (list, there) = match item.place {
        Place::Room(room) => (world.ground(room), world.rooms.get(room).is_some()),
        Place::Holder(holder) => (world.carried(holder), world.characters.get(holder).is_some()),
        Place::Inside(container) => (world.contents(container), world.items.get(container).is_some()),
        Place::Mail(mail) => (world.attached(mail), world.mails.get(mail).is_some()),
    };
    if item.owner.is_some() != item.owner_until.is_some() {
        violations.push(format!("items {id}: an owner without a time, or the reverse"));
    }
    let times = list.iter().filter(|other| **other == id).count();
    if !there || times != 1 {
        violations.push(format!("items {id}: {times} times in its place, which exists: {there}"));
    }
    if world.depth(id).is_none() {
        violations.push(format!("items {id}: in itself, or in more than {DEPTH_MAX} things"));
    }
    if item.count == 0 {
        violations.push(format!("items {id}: none of it"));
    }
    match (item.worn, item.place) {
        (None, _) => {}
        (Some(slot), Place::Holder(holder)) if item.count == 1 => {
            let at_slot = |other: &&ItemId| world.items.get(**other).is_some_and(|o| o.worn == Some(slot));
            if world.carried(holder).iter().filter(at_slot).count() > 1 {
                violations.push(format!("items {id}: {holder} wears two things at {slot:?}"));
            }
        }
        (Some(slot), place) => violations.push(format!("items {id}: worn at {slot:?}, but at {place:?}")),
    }
}

/// Checks the totals that are read from the size of an index.
fn check_totals(world: &World, violations: &mut Vec<String>) {
    let branches = world.branches.iter().filter(|(_, branch)| branch.lives()).count();
    let players = world.characters.iter().filter(|(_, body)| body.awake && body.is_player()).count();
    for (what, counted, total) in [
        ("branches", world.branches.active_count(), branches),
        ("players in the world", world.awake_player_count(), players),
    ] {
        if counted != total {
            violations.push(format!("index: it has {counted} {what}, and there are {total}"));
        }
    }
}

fn check_counters(world: &World, violations: &mut Vec<String>) {
    let meta = world.meta();
    if meta.time > END_OF_TIME {
        violations
            .push("meta: the world's time lies behind the year 9999, where no clock goes on".to_owned());
    }
    let last = |last: Option<u64>, next: u64, what: &str, violations: &mut Vec<String>| {
        if last.is_some_and(|last| last >= next) {
            violations.push(format!("meta: the next {what} is {next}, which was handed out before (D7)"));
        }
    };
    let accounts = world.accounts.iter().next_back().map(|(id, _)| u64::from(id.0));
    last(accounts, u64::from(meta.next_account), "account", violations);
    last(
        world.characters.iter().next_back().map(|(id, _)| id.0),
        meta.next_character,
        "character",
        violations,
    );
    last(
        world.rooms.iter().next_back().map(|(id, _)| u64::from(id.0)),
        u64::from(meta.next_room),
        "room",
        violations,
    );
    last(world.exits.iter().next_back().map(|(id, _)| id.0), meta.next_exit, "exit", violations);
    last(world.items.iter().next_back().map(|(id, _)| id.0), meta.next_item, "item", violations);
    let branches = world.branches.iter().next_back().map(|(id, _)| u64::from(id.0));
    last(branches, u64::from(meta.next_branch), "branch", violations);
    let bans = world.bans.iter().next_back().map(|(id, _)| u64::from(id.0));
    last(bans, u64::from(meta.next_ban), "ban", violations);
    last(
        world.audit.iter().next_back().map(|(id, _)| id.0),
        meta.next_audit,
        "line of the audit",
        violations,
    );
    let definitions = world.definitions.iter().next_back().map(|(id, _)| u64::from(id.0));
    last(definitions, u64::from(meta.next_definition), "definition", violations);
    let variables = world.variables.iter().next_back().map(|(id, _)| id.0);
    last(variables, meta.next_variable, "value of a variable", violations);
    last(world.mails.iter().next_back().map(|(id, _)| id.0), meta.next_mail, "mail", violations);
    last(world.notes.iter().next_back().map(|(id, _)| id.0), meta.next_note, "note", violations);
    last(world.imports.iter().next_back().map(|(id, _)| id.0), meta.next_journal, "import", violations);
    last(world.journal.last_number(), meta.next_journal, "entry of the journal", violations);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CharacterId, Seed};
    use crate::catalog::{RoomKind, RoomSheet};
    use crate::world::{Meta, Snapshot};

    #[test]
    fn touched_rows_are_checked_until_stored() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let (room, body) = (RoomId(1), CharacterId(1));
        world.add_room(Room::new(room, RoomSheet::new(RoomKind::Room, "Cellar".into())));
        world.add_character(Character::new(body, "Olad".into(), room, GameTime(0)));
        assert_eq!(world.check_touched(), [""; 0]);
        world.characters.edit(body).unwrap().hp = -1;
        assert_eq!(world.check_touched().len(), 1);
        world.cut();
        assert_eq!(world.check_touched(), [""; 0]);
        assert!(!world.check().is_empty(), "all of it is still checked");
    }
}
