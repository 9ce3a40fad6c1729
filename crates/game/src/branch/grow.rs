//! Opening and growth of branches. A branch is opened by the first player who takes a start exit, shared while its
//! window is open, and grown room by room. Expiry is in the branch expiry module.

use crate::branch::{gate, rooms, start_room};
use crate::character::spawn;
use crate::exit::{clearing, portcullis};
use crate::item::stacks;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, Direction, ExitId, Point, Rare, RoomId, RuleLimit, Span, Tally};
use deepwell_core::catalog::RoomFeature;
use deepwell_core::dungeon;
use deepwell_core::dungeon::{BranchMemory, BranchSpec, FloorSpec, RoomPlan, Walker};
use deepwell_core::level::{Layout, PlacedVaults, Portal, UsedLimits};
use deepwell_core::world::{Branch, Exit, ExitState, Floor, OpenWindow, Place, Room, RoomChallenge, Trigger};

/// Returns the first room behind a start exit, opening a new branch if the exit leads to none.
pub(crate) fn enter_branch(turn: &mut Turn, exit: &Exit) -> Result<RoomId, Refusal> {
    if let Some(room) = exit.to {
        return Ok(room);
    }
    require_space_for_branch(turn)?;
    let direction = exit.entry();
    let branch = new_branch(turn, exit, direction)?;
    let made = grow(turn, branch, 1, Point::ORIGIN, direction, Some(exit.id), exit.room)?;
    let guaranteed_until = turn.world.branches[branch].window_ends_at;
    if let Some(row) = turn.world.exits.edit(exit.id) {
        row.to = Some(made);
        row.state = ExitState::Open;
        row.window = Some(OpenWindow { branch, guaranteed_until }).into();
    }
    Ok(made)
}

/// Opens a branch with its first room behind a start exit that does not lead into it. It stays without members, until
/// nothing has happened in it for `max_life`.
pub(crate) fn open_without_window(turn: &mut Turn, exit: &Exit, max_life: Span) -> Result<BranchId, Refusal> {
    require_space_for_branch(turn)?;
    let direction = exit.entry();
    let branch = new_branch(turn, exit, direction)?;
    grow(turn, branch, 1, Point::ORIGIN, direction, Some(exit.id), exit.room)?;
    turn.world.branches.own(branch, max_life);
    Ok(branch)
}

pub(crate) fn new_branch(turn: &mut Turn, exit: &Exit, entry: Direction) -> Result<BranchId, Refusal> {
    let set = start_room::effective_settings(turn, exit.room, &exit.settings)?;
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let level_type = catalog.level_type(&set.level_type.0).ok_or(Refusal::NoWay)?;
    let theme = catalog.theme_of(level_type);
    let id = turn.world.new_branch_id();
    let (now, growth) = (turn.now, set.growth());
    let branch = Branch {
        id,
        name: format!("{}-{}", exit.name, now.0),
        seed: turn.world.meta().seed.named("branch").numbered(u64::from(id.0)),
        theme: level_type.theme.clone(),
        generator: set.generator.0,
        start_room: exit.room,
        start_exit: exit.id,
        opened_at: now,
        window_ends_at: now + set.window.0,
        window_open: true,
        last_updated_at: now,
        times: set.times,
        reset_chance_permille: set.reset_chance_permille.0,
        max_life: set.max_life.0,
        warnings: 0,
        growth,
        difficulty_per_floor: theme.map_or(5, |theme| theme.difficulty_per_floor),
        rooms_made: 0,
        recent: dungeon::Recent::default(),
        greatest_depth: 0,
        used: UsedLimits::new(),
        vaults: PlacedVaults::new(),
        roped: std::collections::BTreeSet::new(),
        is_detached: false,
        outlives_members: false,
        closes_at: None,
        deepest_level: 0,
        rubble: None,
    };
    turn.world.branches.add(branch);
    if let Err(refusal) = add_floor(turn, id, 1, &level_type.name, Some(entry)) {
        turn.world.remove_branch(id);
        return Err(refusal);
    }
    turn.outbox.count(Tally::BranchesOpened);
    Ok(id)
}

/// Refuses a further branch at the limit on branches.
pub(crate) fn require_space_for_branch(turn: &Turn) -> Result<(), Refusal> {
    let (limits, has) = (&turn.config.limits, turn.world.branches.len());
    refusal::require_below(limits, RuleLimit::Branches, has, |_| {
        refuse!("The way is choked with silt; too many branches are open. Try again later.")
    })
}

/// Refuses a further room at the limit on rooms of a branch.
pub(crate) fn require_space_for_room(turn: &Turn, branch: BranchId) -> Result<(), Refusal> {
    let (limits, has) = (&turn.config.limits, turn.world.branches[branch].rooms_made as usize);
    refusal::require_below(limits, RuleLimit::RoomsPerBranch, has, |_| {
        refuse!("The passage ends in rubble; this branch grows no further.")
    })
}

/// Creates the room behind an unexplored exit.
pub(crate) fn open_room(turn: &mut Turn, exit: &Exit) -> Result<RoomId, Refusal> {
    let from = &turn.world.rooms[exit.room];
    let (branch, direction) = from.branch.zip(exit.direction).ok_or(Refusal::NoWay)?;
    require_space_for_room(turn, branch)?;
    let (floor, at) = (from.floor, from.at);
    let made = grow(turn, branch, floor, at, direction, Some(exit.id), exit.room)?;
    if let Some(row) = turn.world.exits.edit(exit.id) {
        row.to = Some(made);
        row.state = ExitState::Open;
        row.trap = Rare::usual();
    }
    lay_trap(turn, exit, made);
    announce_if_finished(turn, branch, made);
    Ok(made)
}

pub(crate) fn grow(
    turn: &mut Turn,
    branch: BranchId,
    floor: u32,
    from: Point,
    direction: Direction,
    made_by: Option<ExitId>,
    back_to: RoomId,
) -> Result<RoomId, Refusal> {
    let ominous = made_by.is_some_and(|exit| turn.world.exits[exit].omen.is_some());
    let way = dungeon::UnexploredExit { from, direction, ominous };
    let plan = plan_room(turn, branch, floor, way)?;
    Ok(build(turn, branch, floor, &plan, direction, made_by, back_to))
}

/// Plans the room behind an unexplored exit.
pub(crate) fn plan_room(
    turn: &mut Turn,
    branch: BranchId,
    number: u32,
    way: dungeon::UnexploredExit,
) -> Result<RoomPlan, Refusal> {
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let row = &turn.world.branches[branch];
    let first = turn.world.floors.at(branch, 1).ok_or(Refusal::NoWay)?;
    let floor = turn.world.floors.at(branch, number).ok_or(Refusal::NoWay)?;
    let kind = catalog.level_type(&floor.level_type).ok_or(Refusal::NoWay)?;
    let (spec, mut memory) = (spec_of(row, first), generator_memory(row));
    let (on, whole) = (FloorSpec { number, dungeon_level: floor.dungeon_level, kind }, floor.plan.clone());
    let made = turn.world.meta().vaults_created_in_game();
    let frontier = turn.world.branches.frontier_mut(branch, number).ok_or(Refusal::NoWay)?;
    let opened =
        Walker::new(&spec, &catalog, &mut memory).with_vaults(made).open(on, whole.as_deref(), frontier, way);
    let opened = opened.ok_or(Refusal::NoWay)?;
    store_generator_memory(turn, branch, memory);
    Ok(opened.plan)
}

/// Adds a floor to a branch and returns its number. A floor with a whole plan is planned here completely, but each room
/// is only built when it is first entered.
pub(crate) fn add_floor(
    turn: &mut Turn,
    branch: BranchId,
    dungeon_level: u32,
    kind: &str,
    entry: Option<Direction>,
) -> Result<u32, Refusal> {
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let kind = catalog.level_type(kind).ok_or(Refusal::NoWay)?;
    let number = turn.world.floors.next_number(branch);
    let mut floor = Floor::new(branch, number, dungeon_level, kind.name.clone());
    let row = &turn.world.branches[branch];
    let spec = spec_of(row, turn.world.floors.at(branch, 1).unwrap_or(&floor));
    let mut memory = generator_memory(row);
    let on = FloorSpec { number, dungeon_level, kind };
    let mut walker =
        Walker::new(&spec, &catalog, &mut memory).with_vaults(turn.world.meta().vaults_created_in_game());
    let plan = walker.add_floor(on, entry).map_err(|_| Refusal::NoWay)?;
    floor.budgeted = spec.layout(&catalog, kind).is_some_and(Layout::is_budgeted);
    store_generator_memory(turn, branch, memory);
    floor.plan = plan.map(std::sync::Arc::new);
    turn.world.floors.put(floor);
    turn.world.branches.change(branch, |row| row.deepest_level = row.deepest_level.max(dungeon_level));
    Ok(number)
}

/// Returns the triggers of a planned room. Without one for entering, it has that of its landmark in the theme.
fn triggers_of(turn: &Turn, theme: &str, plan: &RoomPlan) -> Vec<Trigger> {
    let mut triggers = Vec::new();
    for (on, lines) in plan.triggers.iter().cloned() {
        Trigger::append(on, lines.into(), &mut triggers);
    }
    if !triggers.iter().any(Trigger::is_first) {
        Trigger::set_first(landmark_script(turn, theme, plan), &mut triggers);
    }
    triggers
}

/// Builds a planned room: the room itself, its exit back, its new exits, older exits that now lead into it, and its
/// contents.
pub(crate) fn build(
    turn: &mut Turn,
    branch: BranchId,
    floor: u32,
    plan: &RoomPlan,
    direction: Direction,
    made_by: Option<ExitId>,
    back_to: RoomId,
) -> RoomId {
    let id = turn.world.new_room_id();
    let kind =
        turn.world.floors.at(branch, floor).and_then(|floor| turn.catalog.level_type(&floor.level_type));
    let area = kind.map_or_else(|| turn.world.branches[branch].theme.clone(), |kind| kind.theme.clone());
    let triggers = triggers_of(turn, &area, plan).into();
    turn.world.add_room(Room {
        triggers,
        area,
        branch: Some(branch),
        floor,
        at: plan.at,
        depth: plan.depth,
        difficulty: plan.difficulty,
        clear: plan.clear,
        challenge: Rare::from(RoomChallenge {
            feature: plan.fixture.feature.clone(),
            reward: if plan.withholds_items() { plan.challenge.items.clone() } else { Vec::new() },
            coins: plan.challenge.coins,
            hint: plan.fixture.line.clone(),
            ..RoomChallenge::default()
        }),
        made_by,
        stock: plan.fixture.stock.clone().into(),
        ..Room::new(id, plan.sheet.clone())
    });
    rooms::new_exit(turn, id, direction.opposite(), ExitState::Open, Some(back_to), true);
    for new in &plan.new_exits {
        rooms::new_exit(turn, id, *new, ExitState::Unexplored, None, false);
    }
    for (at, direction) in &plan.joined {
        if let Some(room) = turn.world.branches.room_at(branch, floor, *at) {
            rooms::join(turn, room, *direction, id, ExitState::OneWay);
        }
    }
    for side in &plan.met {
        let there = turn.world.branches.room_at(branch, floor, plan.at.step(*side));
        if let Some(room) = there {
            rooms::join(turn, room, side.opposite(), id, ExitState::Open);
        }
        rooms::new_exit(turn, id, *side, ExitState::Open, there, false);
    }
    set_omens_and_traps(turn, id, plan);
    if let Some(portal) = &plan.portal {
        place_portal(turn, id, portal);
    }
    if let Some(puzzle) = plan.puzzle() {
        gate::place_gate(turn, id, puzzle);
    }
    if plan.challenge.lever_rooms_back > 0 {
        portcullis::place_lever(turn, id, plan.challenge.lever_rooms_back);
    }
    for creature in &plan.challenge.creatures {
        spawn::spawn_creature(turn, creature, id, Some(branch));
    }
    if !plan.withholds_items() {
        for item in &plan.challenge.items {
            if let Some(found) = spawn::spawn_item(turn, item, Place::Room(id), "found") {
                stacks::trim_ground(turn, id, found);
            }
        }
    }
    rooms::refresh(turn, branch);
    turn.world.branches.change(branch, |row| row.greatest_depth = row.greatest_depth.max(plan.difficulty));
    id
}

/// Announces and rewards the last room of a floor of a finishable branch.
fn announce_if_finished(turn: &mut Turn, branch: BranchId, room: RoomId) {
    let row = &turn.world.branches[branch];
    let floor = turn.world.rooms[room].floor;
    let frontier = turn.world.branches.index_of(branch).and_then(|index| index.frontiers.get(&floor));
    if !row.growth.finishable || frontier.is_none_or(|frontier| frontier.open_count() > 0) {
        return;
    }
    let but = if frontier.is_some_and(dungeon::Frontier::has_stairs) { " but the stairs" } else { "" };
    let (rooms, difficulty) = (row.rooms_made, turn.world.rooms[room].difficulty);
    let reward = turn.catalog.themes.get(&row.theme).map(|theme| {
        dungeon::finish_reward(theme, &turn.catalog, rooms, difficulty.max(row.greatest_depth), row.seed)
    });
    if let Some(challenge) = turn.world.rooms.edit(room).map(|r| &mut r.challenge) {
        challenge.reward.extend(reward.into_iter().flatten());
        let message =
            format!("Every way on this floor has been walked: there is nothing beyond this room{but}.");
        challenge.hint = Some(match challenge.hint.take() {
            Some(hint) => format!("{hint} {message}"),
            None => message,
        });
    }
    if turn.world.rooms[room].clear {
        clearing::give_rewards(turn, room);
    }
}

/// Copies the generator state of a branch for the walker.
fn generator_memory(branch: &Branch) -> BranchMemory {
    let Branch { rooms_made, recent, used, vaults, .. } = branch;
    BranchMemory {
        rooms_made: *rooms_made,
        recent: recent.clone(),
        used: used.clone(),
        vaults: vaults.clone(),
    }
}

fn store_generator_memory(turn: &mut Turn, branch: BranchId, memory: BranchMemory) {
    turn.world.branches.change(branch, |row| {
        (row.rooms_made, row.recent) = (memory.rooms_made, memory.recent);
        (row.used, row.vaults) = (memory.used, memory.vaults);
    });
}

/// Returns the generator parameters of a branch.
pub(crate) fn spec_of(branch: &Branch, first: &Floor) -> BranchSpec {
    BranchSpec {
        seed: branch.seed,
        level_type: first.level_type.clone(),
        theme: branch.theme.clone(),
        generator: branch.generator.clone(),
        settings: branch.growth,
        difficulty_per_floor: branch.difficulty_per_floor,
    }
}

/// Creates an exit to another floor, or out of the dungeon. An exit to another floor has no destination until it is
/// first taken.
fn place_portal(turn: &mut Turn, room: RoomId, portal: &Portal) {
    let branch = turn.world.rooms[room].branch;
    let start = branch.filter(|_| portal.exits_dungeon).map(|branch| turn.world.branches[branch].start_room);
    let exit = rooms::new_exit(turn, room, portal.direction, ExitState::Open, start, false);
    let icons = (portal.icons != Portal::stairs()).then(|| portal.icons.clone());
    turn.world.exits.change(exit, |row| {
        (row.level_type, row.icons) = (Some(portal.level_type.clone()).into(), icons.into());
    });
}

/// Returns the lines that run when a player enters a landmark of a theme.
fn landmark_script(turn: &Turn, theme: &str, plan: &RoomPlan) -> Vec<String> {
    let Some(RoomFeature::Landmark { name }) = &plan.fixture.feature else { return Vec::new() };
    let mut landmarks = turn.catalog.themes.get(theme).into_iter().flat_map(|theme| &theme.landmarks);
    let landmark = landmarks.find(|landmark| landmark.name == *name);
    landmark.map(|landmark| Vec::from(landmark.on_enter.clone())).unwrap_or_default()
}

/// Sets the trap of an exit in the new room behind it. The trap's script replaces the room's trigger for entering
/// without a name, and runs once.
fn lay_trap(turn: &mut Turn, exit: &Exit, room: RoomId) {
    let trap = exit.trap.as_ref().and_then(|key| turn.catalog.traps.iter().find(|trap| trap.key == *key));
    let Some(mut lines) = trap.map(|trap| Vec::from(trap.script.clone())) else { return };
    lines.push("once".into());
    turn.world.rooms.change(room, |row| Trigger::set_first(lines, &mut row.triggers));
}

/// Sets the omens and traps of the exits of a new room.
fn set_omens_and_traps(turn: &mut Turn, room: RoomId, plan: &RoomPlan) {
    for (direction, omen) in &plan.omens {
        change_exit(turn, room, *direction, |row| row.omen = Some(omen.clone()).into());
    }
    for (direction, trap) in &plan.traps {
        change_exit(turn, room, *direction, |row| row.trap = Some(trap.clone()).into());
    }
}

fn change_exit(turn: &mut Turn, room: RoomId, direction: Direction, change: impl FnOnce(&mut Exit)) {
    let exit = turn.world.exits.of(room).find(|exit| exit.direction == Some(direction)).map(|exit| exit.id);
    if let Some(exit) = exit {
        turn.world.exits.change(exit, change);
    }
}
