//! Generators by name (E38): each turns a place that somebody walks into into a room.
//!
//! No random state is kept. The streams of a room come from the branch's seed and the number of rooms made
//! before it, so the same seed and the same sequence of creating moves give the same branch, also across
//! restarts (C3).

use crate::base::{Direction, Point, Rng, RoomKind, Seed};
use crate::catalog::{Catalog, CatalogError, Theme};
use crate::dungeon::describe::{self, Scene};
use crate::dungeon::furnish::{Site, furnish, set_omens};
use crate::dungeon::{Challenge, Fixture, Frontier, GrowSettings, Growth, Recent, RoomPlan, grow};
use crate::level::land;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a branch is made by: fixed when it opens and stored with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchSpec {
    /// Where all its draws begin.
    pub seed: Seed,
    /// Key of the theme.
    pub theme: String,
    /// Name of the generator.
    pub generator: String,
    /// How it grows.
    pub settings: GrowSettings,
    /// What each floor below the first adds to the difficulty (C5).
    pub difficulty_per_floor: u32,
}

impl BranchSpec {
    /// A branch of a theme with the theme's own generator and settings.
    pub fn of(theme: &Theme, seed: Seed) -> Self {
        Self {
            seed,
            theme: theme.key.clone(),
            generator: theme.generator.clone(),
            settings: theme.settings,
            difficulty_per_floor: theme.difficulty_per_floor,
        }
    }

    /// The settings as the branch's generator uses them.
    pub fn grow_settings(&self) -> GrowSettings {
        (self.generator().settings)(self.settings)
    }

    fn generator(&self) -> &'static Generator {
        named(&self.generator).unwrap_or(&GENERATORS[0])
    }

    /// One of the streams of the room with a number.
    pub(super) fn stream(&self, name: &str, index: u32) -> Rng {
        self.seed.named(name).numbered(u64::from(index)).rng()
    }
}

/// A way of making rooms.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// The name data refers to it by.
    pub name: &'static str,
    /// The kind its ordinary rooms have.
    ordinary: RoomKind,
    /// Changes the settings a branch grows by.
    settings: fn(GrowSettings) -> GrowSettings,
}

/// All generators. The first one stands in for a name that is not among them.
pub const GENERATORS: [Generator; 2] = [
    Generator { name: "frontier", ordinary: RoomKind::Dungeon, settings: |settings| settings },
    Generator { name: "corridor", ordinary: RoomKind::Corridor, settings: one_way_on },
];

/// Corridors do not fork: one way on from each room.
fn one_way_on(settings: GrowSettings) -> GrowSettings {
    GrowSettings { max_new_exits_per_room: 1, ..settings }
}

/// The generator of a name, if there is one.
pub fn named(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|generator| generator.name == name)
}

/// The themes that name an unknown generator; to be reported with the mistakes of loading.
pub fn unknown_generators(catalog: &Catalog) -> Vec<CatalogError> {
    let names = GENERATORS.map(|generator| generator.name);
    let unknown = catalog.themes.values().filter(|theme| named(&theme.generator).is_none());
    unknown
        .map(|theme| CatalogError::unknown_name(&theme.generator_place, "generator", &theme.generator, names))
        .collect()
}

/// An unexplored exit that somebody walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The place it stands at.
    pub from: Point,
    /// Its direction.
    pub direction: Direction,
    /// Whether a sign stands beside it: what it makes is out of depth.
    pub ominous: bool,
}

/// Makes the room behind an unexplored exit and brings the frontier of its floor up to date.
///
/// `index` is how many rooms the branch had before, over all floors, and `recent` what it remembers of the last of them. A theme or generator that is not in the
/// catalog any more is replaced by the first one there is, so that a stored branch can always grow.
pub fn open_room(
    spec: &BranchSpec,
    catalog: &Catalog,
    frontier: &mut Frontier,
    floor: u32,
    way: Way,
    index: u32,
    recent: &mut Recent,
) -> RoomPlan {
    let Way { from, direction, ominous } = way;
    let placed = place_room(spec, frontier, (from, direction), index, catalog.rules.stairs.least_depth);
    let mut plan = bare_room(spec, placed, floor);
    plan.out_of_depth = ominous;
    let Some(theme) = catalog.themes.get(&spec.theme).or_else(|| catalog.themes.values().next()) else {
        return plan;
    };
    let site = Site { spec, theme, catalog, index, ominous, recent };
    furnish(&mut plan, site);
    set_omens(&mut plan, site);
    plan.clear = plan.kind.is_born_clear(plan.challenge.blocks(catalog));
    let scene = Scene { spec, theme, index, floor, back: direction.opposite(), met: &[], space: None };
    describe::put_in_words(&mut plan, scene, recent);
    plan
}

/// Makes the first room of a floor that nobody has been on, where the stairs from above arrive (T3). Nothing waits
/// there: it is the moment of peace between two floors.
pub fn open_landing(
    spec: &BranchSpec,
    catalog: &Catalog,
    frontier: &mut Frontier,
    floor: u32,
    index: u32,
    recent: &mut Recent,
) -> RoomPlan {
    let placed = place_landing(spec, frontier, index, catalog.rules.stairs.least_depth);
    let mut plan = bare_room(spec, placed, floor);
    if let Some(theme) = catalog.themes.get(&spec.theme).or_else(|| catalog.themes.values().next()) {
        let scene = Scene { spec, theme, index, floor, back: Direction::Up, met: &[], space: None };
        describe::put_in_words(&mut plan, scene, recent);
    }
    plan
}

/// A room with a place and exits, and nothing else.
fn bare_room(spec: &BranchSpec, placed: Placed, floor: u32) -> RoomPlan {
    let Placed { growth, stairs } = placed;
    let below = spec.difficulty_per_floor.saturating_mul(floor.saturating_sub(1));
    RoomPlan {
        at: growth.at,
        depth: growth.depth,
        difficulty: growth.depth.saturating_add(below),
        kind: spec.generator().ordinary,
        name: String::new(),
        description: String::new(),
        environment: String::new(),
        new_exits: growth.new_exits,
        omens: BTreeMap::new(),
        joined: growth.joined,
        challenge: Challenge::default(),
        fixture: Fixture::default(),
        out_of_depth: false,
        clear: true,
        stairs,
    }
}

/// The first half of opening a room.
pub(super) struct Placed {
    /// Its place and its exits.
    pub(super) growth: Growth,
    /// Whether the stairs down are in it.
    pub(super) stairs: bool,
}

/// Places the room behind an unexplored exit.
pub(super) fn place_room(
    spec: &BranchSpec,
    frontier: &mut Frontier,
    (from, direction): (Point, Direction),
    index: u32,
    stairs_depth: u32,
) -> Placed {
    let growth = grow(&spec.grow_settings(), frontier, from, direction, &mut spec.stream("exits", index));
    let stairs = frontier.claim_stairs(growth.depth, stairs_depth);
    Placed { growth, stairs }
}

/// Places the first room of a deeper floor.
pub(super) fn place_landing(
    spec: &BranchSpec,
    frontier: &mut Frontier,
    index: u32,
    stairs_depth: u32,
) -> Placed {
    let growth = land(&spec.grow_settings(), frontier, &mut spec.stream("exits", index));
    let stairs = frontier.claim_stairs(growth.depth, stairs_depth);
    Placed { growth, stairs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dungeon::PlannedBranch;

    fn walked(seed: u64, generator: &str) -> (Catalog, PlannedBranch) {
        let catalog = Catalog::builtin();
        let mut spec = BranchSpec::of(&catalog.themes["well"], Seed(seed));
        generator.clone_into(&mut spec.generator);
        let branch = PlannedBranch::walk(spec, &catalog, 200);
        (catalog, branch)
    }

    /// E38: another name, other kinds of rooms; corridors do not fork.
    #[test]
    fn two_generators_make_different_kinds_of_rooms() {
        let kinds = |name: &str| {
            let (_, branch) = walked(1, name);
            let forks = branch.rooms.iter().filter(|room| room.plan.new_exits.len() > 1).count();
            (branch.rooms.iter().any(|room| room.plan.kind == RoomKind::Corridor), forks > 0)
        };
        assert_eq!(kinds("frontier"), (false, true));
        assert_eq!(kinds("corridor"), (true, false));
        assert_eq!(kinds("unheard of"), kinds("frontier"), "a stored branch can always grow");
    }

    /// E38: a theme that names no generator is reported with its place.
    #[test]
    fn an_unknown_generator_is_reported() {
        let mut catalog = Catalog::builtin();
        assert!(unknown_generators(&catalog).is_empty());
        let theme = catalog.themes.get_mut("well").unwrap();
        theme.generator = "frontyer".to_owned();
        let mistakes: Vec<String> = unknown_generators(&catalog).iter().map(ToString::to_string).collect();
        assert_eq!(
            mistakes,
            ["themes/well.toml:8:13: unknown generator `frontyer`, expected one of frontier, corridor, \
              did you mean `frontier`?"]
        );
    }

    /// E24, E25, E27, E28, E31: what blocks, and what is born clear.
    #[test]
    fn rooms_are_clear_unless_something_blocks() {
        let mut roamers_in_clear_rooms = 0;
        for seed in 0..10 {
            let (catalog, branch) = walked(seed, "frontier");
            for room in branch.rooms.iter().map(|room| &room.plan) {
                let guards =
                    room.challenge.creatures.iter().filter(|key| catalog.mobs[*key].guards()).count();
                let expected = match room.kind {
                    RoomKind::Puzzle => (2..=4).contains(&room.challenge.lever_pulls) && !room.clear,
                    RoomKind::Treasure => guards > 0 && !room.challenge.items.is_empty() && !room.clear,
                    RoomKind::Rescue => guards > 0 && room.fixture.key.is_some() && !room.clear,
                    RoomKind::Rest => room.challenge.creatures.is_empty() && room.clear,
                    RoomKind::Shrine | RoomKind::Riddle | RoomKind::Landmark => {
                        guards == 0 && room.fixture.key.is_some() && room.clear
                    }
                    RoomKind::Hint | RoomKind::Merchant => guards == 0 && room.clear,
                    kind => kind.is_dungeon() && room.clear == (guards == 0),
                };
                assert!(expected, "{room:?}");
                roamers_in_clear_rooms += u32::from(room.clear && !room.challenge.creatures.is_empty());
            }
        }
        assert!(roamers_in_clear_rooms > 0);
        assert!(RoomKind::Hint.is_born_clear(true), "E31: the kind overrides");
    }

    /// The first room holds one creature of the lowest difficulty at most; over seeds all three perils occur.
    #[test]
    fn the_first_room_is_gentle_and_all_perils_occur() {
        let catalog = Catalog::builtin();
        let spec = |seed| BranchSpec::of(&catalog.themes["well"], Seed(seed));
        let mut guarded = 0;
        for seed in 0..200 {
            let branch = PlannedBranch::walk(spec(seed), &catalog, 1);
            let room = &branch.rooms[0].plan;
            assert!(room.challenge.creatures.len() <= 1 && room.challenge.lever_pulls == 0, "{room:?}");
            let grim = matches!(room.kind, RoomKind::Puzzle | RoomKind::Treasure | RoomKind::Rescue);
            assert!(!grim && !room.out_of_depth, "{room:?}");
            guarded += u32::from(!room.clear);
        }
        assert!((60..=110).contains(&guarded), "{guarded} of 200");
    }

    /// C5: floors below the first add their share.
    #[test]
    fn floors_add_to_the_difficulty() {
        let catalog = Catalog::builtin();
        let spec = BranchSpec::of(&catalog.themes["well"], Seed(1));
        let room = |floor| {
            let mut frontier = Frontier::new(floor);
            let way = Way { from: Point::new(3, 3), direction: Direction::East, ominous: false };
            open_room(&spec, &catalog, &mut frontier, floor, way, 7, &mut Recent::default())
        };
        assert_eq!((room(1).depth, room(1).difficulty), (5, 5));
        assert_eq!((room(3).depth, room(3).difficulty), (5, 15));
    }
}
