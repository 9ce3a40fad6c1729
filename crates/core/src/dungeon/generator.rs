//! Creation of whole floors, and of one room of a branch: placed by the layout or the plan of its floor, filled by the
//! parts of the level type, furnished and described by the theme.
//!
//! No random state is kept. The random streams of a room are derived from the branch's seed and the number of rooms
//! created before; the memory of recent texts is stored with the branch. So the same seed and the same sequence of
//! moves give the same branch, also across restarts.

use crate::base::Direction;
use crate::catalog::RoomKind;
use crate::dungeon::describe::{self, RoomTextInputs};
use crate::dungeon::furnish::{FurnishSite, furnish};
use crate::dungeon::recent::RecentStatements;
use crate::dungeon::traps::{set_omens, set_trap};
use crate::dungeon::way::{Opened, UnexploredExit};
use crate::dungeon::{FloorSpec, Frontier, Growth, RoomPlan, Walker, drawn};
use crate::level::layout::{Arrival, Budgeted, GrownFloor};
use crate::level::{
    FloorFlaw, FloorPlan, FloorRequest, RoomRequest, RoomRole, Sketch, Stairs, generate_floor, sketch_room,
};

impl Walker<'_> {
    /// Creates a floor: a complete plan, or `None` if floors of its level type grow. `entry` is the direction of the
    /// start exit, if it leads here.
    ///
    /// # Errors
    /// The flaw of the plain fallback floor, if it fails verification too.
    pub fn add_floor(
        &mut self,
        floor: FloorSpec<'_>,
        entry: Option<Direction>,
    ) -> Result<Option<FloorPlan>, FloorFlaw> {
        if floor.kind.grows() {
            return Ok(None);
        }
        let request = FloorRequest {
            entry,
            dungeon_level: floor.dungeon_level,
            used: self.memory.used.clone(),
            ..FloorRequest::of(floor.kind, self.spec.floor_seed(floor.number))
        };
        let mut plan = generate_floor(floor.kind, &request, self.catalog.sources())?;
        self.annex_vaults(floor, &mut plan);
        for (_, portal) in plan.portals() {
            self.memory.used.note_portal(portal);
        }
        Ok(Some(plan))
    }

    /// Creates the room behind an unexplored exit and updates the frontier of its floor. `whole` is the plan of a whole
    /// floor. The room at the foot of stairs is not furnished, so that players can rest between floors.
    ///
    /// Returns `None` if the plan of a whole floor has no room there.
    pub fn open(
        &mut self,
        floor: FloorSpec<'_>,
        whole: Option<&FloorPlan>,
        frontier: &mut Frontier,
        way: UnexploredExit,
    ) -> Option<Opened> {
        if let Some(plan) = whole {
            if !way.is_stairs() && self.memory.vaults.at(floor.number, way.to()).is_some() {
                let growth = place_planned(plan, frontier, way)?.growth;
                return self.fill_vault_room(floor, growth, way);
            }
        } else if let Some(opened) = self.open_vault_room(floor, frontier, way) {
            return Some(opened);
        }
        let (spec, catalog, statements) = (self.spec, self.catalog, self.memory.recent.statements());
        let (mut plan, mut sketch) = self.furnish_room(floor, whole, frontier, way, &statements)?;
        let theme = catalog.theme_of(floor.kind);
        if let Some(theme) = theme {
            let memory = &mut *self.memory;
            let scene = RoomTextInputs {
                spec,
                theme,
                index: memory.rooms_made,
                floor: floor.number,
                back: way.direction.opposite(),
                space: Some(&sketch.space),
                recent: &memory.recent,
                statements: &statements,
            };
            let drawn = if way.is_stairs() {
                None
            } else {
                drawn::draw(&plan, scene, catalog, &floor.kind.name, &mut memory.used)
            };
            if let Some(content) = drawn {
                plan.apply_written_content(content, Some(theme), &mut sketch);
                plan.stock(&sketch, catalog);
                memory.recent.record_written_room(floor.number, &plan);
            } else {
                plan.stock(&sketch, catalog);
                let marks = describe::write_room_text(&mut plan, scene);
                memory.recent.note(floor.number, &plan, marks);
            }
        }
        self.memory.count(floor.number, &plan, theme);
        Some(Opened { plan, sketch })
    }

    /// Creates a room with the contents added by its theme, without texts, and without the creatures and items of its
    /// level type.
    fn furnish_room(
        &self,
        floor: FloorSpec<'_>,
        whole: Option<&FloorPlan>,
        frontier: &mut Frontier,
        way: UnexploredExit,
        statements: &RecentStatements,
    ) -> Option<(RoomPlan, Sketch)> {
        let (spec, catalog) = (self.spec, self.catalog);
        let placed = match whole {
            Some(plan) => place_planned(plan, frontier, way)?,
            None => self.place_grown(floor, frontier, way)?,
        };
        let PlacedRoom { growth, sketch, ordinary, may_bar } = placed;
        if sketch.portal.as_ref().is_some_and(|portal| portal.direction == Direction::Down) {
            frontier.note_stairs();
        }
        let bare = RoomPlan::bare(growth, ordinary, spec.difficulty_below(floor.dungeon_level));
        let mut plan = RoomPlan { out_of_depth: way.ominous, portal: sketch.portal.clone(), ..bare };
        if let Some(theme) = catalog.theme_of(floor.kind)
            && !way.is_stairs()
        {
            let site = FurnishSite {
                spec,
                theme,
                catalog,
                floor: floor.number,
                ominous: way.ominous,
                passage: whole.is_some() && ordinary == RoomKind::Corridor,
                may_bar,
                memory: &*self.memory,
                statements,
            };
            if sketch.perils || way.ominous {
                furnish(&mut plan, site);
            }
            set_omens(&mut plan, site);
            set_trap(&mut plan, site);
        }
        if plan.sheet.kind.has_mechanism() {
            frontier.note_mechanism(plan.at);
        }
        Some((plan, sketch))
    }

    /// Creates a room of a growing floor.
    fn place_grown(
        &self,
        floor: FloorSpec<'_>,
        frontier: &mut Frontier,
        way: UnexploredExit,
    ) -> Option<PlacedRoom> {
        let (spec, index) = (self.spec, self.memory.rooms_made);
        let layout = spec.layout(self.catalog, floor.kind)?;
        let arrival = if way.is_stairs() { Arrival::Landing } else { Arrival::By(way.from, way.direction) };
        let had_stairs = frontier.has_stairs();
        let (mut settings, seed) = (spec.settings, spec.floor_seed(floor.number));
        // Exits that vaults may need are reserved.
        let reserve = self.memory.vaults.reserve(floor.number);
        settings.max_unexplored_exits = settings.max_unexplored_exits.saturating_sub(reserve).max(1);
        let ground = GrownFloor { frontier, settings, seed };
        let growth = layout.place(ground, arrival, &mut spec.stream("exits", index));
        let may_bar = layout.may_bar(GrownFloor { frontier, settings, seed }, growth.at);
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
            used: &self.memory.used,
        };
        let sketch = sketch_room(floor.kind, &request, self.catalog.sources());
        let corridor = layout.name() == Budgeted::CORRIDOR;
        let ordinary = if corridor { RoomKind::Corridor } else { RoomKind::Dungeon };
        Some(PlacedRoom { growth, sketch, ordinary, may_bar })
    }
}

/// Result of placing a room.
struct PlacedRoom {
    /// Position and exits.
    growth: Growth,
    /// Contents added by the parts of the level type.
    sketch: Sketch,
    /// Default kind of the room.
    ordinary: RoomKind,
    /// Set if a mechanism may block the exits of the room.
    may_bar: bool,
}

/// Creates a planned room of a whole floor. Passages to existing rooms are two-way.
fn place_planned(plan: &FloorPlan, frontier: &mut Frontier, way: UnexploredExit) -> Option<PlacedRoom> {
    let at = if way.is_stairs() { plan.arrival } else { way.to() };
    let sketch = plan.rooms.get(&at).filter(|_| frontier.is_free(at))?.clone();
    frontier.take(way.from, way.direction);
    let (new_exits, met) = frontier.settle(at, sketch.exits.iter().copied());
    let ordinary = match sketch.role {
        RoomRole::Section(_) => RoomKind::Dungeon,
        RoomRole::Chamber(_) => RoomKind::Chamber,
        RoomRole::Corridor => RoomKind::Corridor,
    };
    let growth = Growth { at, depth: at.depth(), new_exits, met, ..Growth::default() };
    // A mechanism may block side branches, but not every path to the stairs.
    let may_bar = plan.reaches_stairs_avoiding(|room| room == at || frontier.has_mechanism(room));
    Some(PlacedRoom { growth, sketch, ordinary, may_bar })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Point, Seed};
    use crate::catalog::Catalog;
    use crate::dungeon::{BranchMemory, BranchSpec};

    /// C5: the floor number adds to the difficulty.
    #[test]
    fn floor_number_adds_to_difficulty() {
        let catalog = Catalog::builtin();
        let spec = BranchSpec::of(&catalog, "well", Seed(1));
        let room = |number| {
            let mut frontier = Frontier::new(number);
            let way = UnexploredExit { from: Point::new(3, 3), direction: Direction::East, ominous: false };
            let floor = FloorSpec { number, dungeon_level: number, kind: &catalog.level_types["well"] };
            let mut memory = BranchMemory { rooms_made: 7, ..BranchMemory::default() };
            Walker::new(&spec, &catalog, &mut memory).open(floor, None, &mut frontier, way).unwrap().plan
        };
        assert_eq!((room(1).depth, room(1).difficulty), (5, 5));
        assert_eq!((room(3).depth, room(3).difficulty), (5, 15));
    }
}
