//! Creation of one room of a branch: placed by the layout or the plan of its floor, filled by the parts of the level
//! type, furnished and described by the theme.
//!
//! No random state is kept. The random streams of a room are derived from the branch's seed and the number of rooms
//! created before; the memory of recent texts is stored with the branch. So the same seed and the same sequence of
//! moves give the same branch, also across restarts.

use crate::base::Direction;
use crate::catalog::{Catalog, RoomKind};
use crate::dungeon::describe::{self, Scene};
use crate::dungeon::furnish::{Site, furnish, set_omens, set_trap};
use crate::dungeon::recent::RecentStatements;
use crate::dungeon::vault::{self, BuilderVaults, KnownVaults};
use crate::dungeon::way::{Opened, UnexploredExit};
use crate::dungeon::{BranchSpec, FloorSpec, Frontier, Growth, Memory, RoomPlan, drawn};
use crate::level::layout::{Arrival, Budgeted, Ground};
use crate::level::{
    Flaw, FloorPlan, Request, Role, RoomRequest, Sketch, Stairs, Used, generate_floor, sketch_room,
};
use std::borrow::Cow;

/// A floor, with its plan if it was generated as a whole.
type OnFloor<'a> = (FloorSpec<'a>, Option<&'a FloorPlan>);

/// Generates a whole floor. Returns `None` if floors of the level type grow.
///
/// # Errors
/// The flaw of the plain fallback floor, if it fails verification too.
pub(super) fn plan_floor(
    spec: &BranchSpec,
    catalog: &Catalog,
    floor: FloorSpec<'_>,
    used: &Used,
    entry: Option<Direction>,
) -> Result<Option<FloorPlan>, Flaw> {
    if floor.kind.grows() {
        return Ok(None);
    }
    let request = Request {
        entry,
        dungeon_level: floor.dungeon_level,
        used: used.clone(),
        ..Request::of(floor.kind, spec.floor_seed(floor.number))
    };
    generate_floor(floor.kind, &request, catalog.sources()).map(Some)
}

/// Creates the room behind an unexplored exit and updates the frontier of its floor. The room at the foot of stairs is
/// not furnished, so that players can rest between floors.
///
/// Returns `None` if the plan of a whole floor has no room there.
pub(super) fn open_room(
    spec: &BranchSpec,
    (catalog, made): (&Catalog, &BuilderVaults),
    on: OnFloor<'_>,
    frontier: &mut Frontier,
    way: UnexploredExit,
    memory: &mut Memory,
) -> Option<Opened> {
    let (floor, whole) = on;
    let known = KnownVaults { catalog, made };
    let mut reserve = 0;
    if let Some(plan) = whole {
        if !way.is_stairs() && memory.vaults.at(floor.number, way.to()).is_some() {
            let growth = place_planned(plan, frontier, way)?.growth;
            return vault::fill(spec, known, floor, growth, way, memory);
        }
    } else {
        reserve = vault::keep(memory, floor.number, frontier);
        if let Some(opened) = vault::open(spec, known, floor, frontier, way, memory) {
            return Some(opened);
        }
    }
    let said = memory.recent.said();
    let spec = &with_exits_reserved(spec, reserve);
    let (mut plan, mut sketch) = furnish_room(spec, catalog, on, frontier, way, (memory, &said))?;
    let theme = catalog.theme_of(floor.kind);
    if let Some(theme) = theme {
        let scene = Scene {
            spec,
            theme,
            index: memory.rooms_made,
            floor: floor.number,
            back: way.direction.opposite(),
            space: Some(&sketch.space),
        };
        let drawn = if way.is_stairs() {
            None
        } else {
            drawn::draw(&plan, scene, (catalog, &floor.kind.name), memory, &said)
        };
        if let Some(content) = drawn {
            plan.apply_written_content(content, Some(theme), &mut sketch);
            plan.stock(&sketch, catalog);
            memory.recent.record_written_room(floor.number, &plan);
        } else {
            plan.stock(&sketch, catalog);
            describe::write_room_text(&mut plan, scene, &mut memory.recent, &said);
        }
    }
    memory.count(floor.number, &plan, theme);
    Some(Opened { plan, sketch })
}

/// Returns the branch's settings with the exit budget reduced by `reserve`.
fn with_exits_reserved(spec: &BranchSpec, reserve: u32) -> Cow<'_, BranchSpec> {
    if reserve == 0 {
        return Cow::Borrowed(spec);
    }
    let mut spec = spec.clone();
    spec.settings.max_unexplored_exits = spec.settings.max_unexplored_exits.saturating_sub(reserve).max(1);
    Cow::Owned(spec)
}

/// Creates a room with the contents added by its theme, without texts, and without the creatures and items of its level
/// type.
fn furnish_room(
    spec: &BranchSpec,
    catalog: &Catalog,
    on: OnFloor<'_>,
    frontier: &mut Frontier,
    way: UnexploredExit,
    (memory, said): (&Memory, &RecentStatements),
) -> Option<(RoomPlan, Sketch)> {
    let placed = place(spec, catalog, on, frontier, way, memory)?;
    let (floor, whole) = on;
    let Placed { growth, sketch, ordinary, may_bar } = placed;
    let bare = RoomPlan::bare(growth, ordinary, spec.difficulty_below(floor.dungeon_level));
    let mut plan = RoomPlan { out_of_depth: way.ominous, portal: sketch.portal.clone(), ..bare };
    if let Some(theme) = catalog.theme_of(floor.kind)
        && !way.is_stairs()
    {
        let passage = whole.is_some() && ordinary == RoomKind::Corridor;
        let number = floor.number;
        let site = Site {
            spec,
            theme,
            catalog,
            floor: number,
            ominous: way.ominous,
            passage,
            may_bar,
            memory,
            said,
        };
        if sketch.perils || way.ominous {
            furnish(&mut plan, site);
        }
        set_omens(&mut plan, site);
        set_trap(&mut plan, site);
    }
    if plan.kind.has_mechanism() {
        frontier.note_mechanism(plan.at);
    }
    Some((plan, sketch))
}

/// Result of placing a room.
struct Placed {
    /// Position and exits.
    growth: Growth,
    /// Contents added by the parts of the level type.
    sketch: Sketch,
    /// Default kind of the room.
    ordinary: RoomKind,
    /// Set if a mechanism may block the exits of the room.
    may_bar: bool,
}

/// Places the room behind an exit and lets the parts of the level type fill it.
fn place(
    spec: &BranchSpec,
    catalog: &Catalog,
    (floor, whole): OnFloor<'_>,
    frontier: &mut Frontier,
    way: UnexploredExit,
    memory: &Memory,
) -> Option<Placed> {
    let placed = match whole {
        Some(plan) => place_planned(plan, frontier, way)?,
        None => place_grown(spec, catalog, floor, frontier, way, memory)?,
    };
    if placed.sketch.portal.as_ref().is_some_and(|portal| portal.direction == Direction::Down) {
        frontier.note_stairs();
    }
    Some(placed)
}

/// Creates a planned room of a whole floor. Passages to existing rooms are two-way.
fn place_planned(plan: &FloorPlan, frontier: &mut Frontier, way: UnexploredExit) -> Option<Placed> {
    let at = if way.is_stairs() { plan.arrival } else { way.to() };
    let sketch = plan.rooms.get(&at).filter(|_| frontier.is_free(at))?.clone();
    frontier.take(way.from, way.direction);
    let (new_exits, met) = frontier.settle(at, sketch.exits.iter().copied());
    let ordinary = match sketch.role {
        Role::Section(_) => RoomKind::Dungeon,
        Role::Chamber(_) => RoomKind::Chamber,
        Role::Corridor => RoomKind::Corridor,
    };
    let growth = Growth { at, depth: at.depth(), new_exits, met, ..Growth::default() };
    // A mechanism may block side branches, but not every path to the stairs.
    let may_bar = plan.reaches_stairs_avoiding(|room| room == at || frontier.has_mechanism(room));
    Some(Placed { growth, sketch, ordinary, may_bar })
}

/// Creates a room of a growing floor.
fn place_grown(
    spec: &BranchSpec,
    catalog: &Catalog,
    floor: FloorSpec<'_>,
    frontier: &mut Frontier,
    way: UnexploredExit,
    memory: &Memory,
) -> Option<Placed> {
    let index = memory.rooms_made;
    let layout = spec.layout(catalog, floor.kind)?;
    let arrival = if way.is_stairs() { Arrival::Landing } else { Arrival::By(way.from, way.direction) };
    let had_stairs = frontier.has_stairs();
    let (settings, seed) = (spec.settings, spec.floor_seed(floor.number));
    let ground = Ground { frontier, settings, seed };
    let growth = layout.place(ground, arrival, &mut spec.stream("exits", index));
    let may_bar = layout.may_bar(Ground { frontier, settings, seed }, growth.at);
    let stairs = match growth.stairs {
        Some(true) => Stairs::Surely,
        Some(false) => Stairs::Never,
        None if had_stairs => Stairs::Another,
        None => Stairs::Drawn,
    };
    let back = Some(way.direction.opposite()).filter(|_| !way.is_stairs());
    let ways: Vec<Direction> = growth.new_exits.iter().chain(&growth.met).copied().chain(back).collect();
    let request = RoomRequest {
        seed: spec.seed.named("sketch").numbered(u64::from(index)),
        at: growth.at,
        ways: &ways,
        depth: growth.depth,
        dungeon_level: floor.dungeon_level,
        stairs,
        used: &memory.used,
    };
    let sketch = sketch_room(floor.kind, &request, catalog.sources());
    let corridor = layout.name() == Budgeted::CORRIDOR;
    let ordinary = if corridor { RoomKind::Corridor } else { RoomKind::Dungeon };
    Some(Placed { growth, sketch, ordinary, may_bar })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Point, Seed};

    /// C5: the floor number adds to the difficulty.
    #[test]
    fn floor_number_adds_to_difficulty() {
        let catalog = Catalog::builtin();
        let spec = BranchSpec::of(&catalog, "well", Seed(1));
        let room = |number| {
            let mut frontier = Frontier::new(number);
            let way = UnexploredExit { from: Point::new(3, 3), direction: Direction::East, ominous: false };
            let floor = FloorSpec { number, dungeon_level: number, kind: &catalog.level_types["well"] };
            let mut memory = Memory { rooms_made: 7, ..Memory::default() };
            open_room(
                &spec,
                (&catalog, &BuilderVaults::new()),
                (floor, None),
                &mut frontier,
                way,
                &mut memory,
            )
            .unwrap()
            .plan
        };
        assert_eq!((room(1).depth, room(1).difficulty), (5, 5));
        assert_eq!((room(3).depth, room(3).difficulty), (5, 15));
    }
}
