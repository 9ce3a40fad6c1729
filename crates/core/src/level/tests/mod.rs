//! The pipeline: properties of whole floors and single rooms over many seeds.

mod files;
mod parts;

use crate::base::{Dice, Direction, Point, Rng, Seed};
use crate::level::connect::Connectors;
use crate::level::partition::{Binary, Grid};
use crate::level::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) const CRYPT: &str = include_str!("../../../../../content/levels/upper_crypt.toml");
pub(super) const CATACOMBS: &str = include_str!("../../../../../content/levels/upper_catacombs.toml");

/// Reads a level file, which must have no errors.
pub(super) fn read_with(text: &str, registry: &LevelRegistry) -> LevelType {
    let mut mistakes = Vec::new();
    let kind = LevelType::read("levels/test.toml", text, registry, &mut mistakes);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    kind.unwrap()
}

pub(super) fn read(text: &str) -> LevelType {
    read_with(text, &builtin_parts())
}

pub(super) fn floor(kind: &LevelType, seed: u64) -> FloorPlan {
    generate_floor(kind, &FloorRequest::new(Seed(seed)), AsNamed::SOURCES).unwrap()
}

/// Returns the positions reachable through exits, independently of the code under test.
pub(super) fn reachable(plan: &FloorPlan) -> BTreeSet<Point> {
    let mut reached = BTreeSet::from([plan.arrival]);
    loop {
        let next: BTreeSet<Point> = reached
            .iter()
            .filter_map(|at| plan.rooms.get(at))
            .flat_map(|room| room.exits.iter().map(|exit| room.at.step(*exit)))
            .chain(reached.iter().copied())
            .collect();
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

fn corridors(plan: &FloorPlan) -> usize {
    plan.rooms.values().filter(|room| room.role == RoomRole::Corridor).count()
}

fn links(plan: &FloorPlan) -> usize {
    plan.sections.iter().map(|section| section.links.len()).sum::<usize>() / 2
}

/// Runs the partitioner alone.
fn partition(partitioner: &dyn Partitioner, seed: u64) -> PartitionedFloor {
    partitioner.partition(EmptyFloor::new(site(&read(CRYPT))), &mut Seed(seed).rng())
}

pub(super) fn site(kind: &LevelType) -> FloorSite {
    FloorSite {
        level_type: kind.name.clone(),
        context: Arc::clone(&kind.context),
        dungeon_level: 1,
        room_min_size: (2, 2),
        used: UsedLimits::new(),
        growing: None,
    }
}

/// P2: a request has the documented defaults, and further portals are placed on demand.
#[test]
fn request_has_documented_defaults() {
    let mut request = FloorRequest::new(Seed(5));
    assert_eq!((request.new_portals, request.dungeon_level, request.room_min_size), (0, 1, (2, 2)));
    let kind = read(CRYPT);
    assert_eq!(floor(&kind, 5).portals().count(), 1);
    (request.new_portals, request.room_min_size) = (2, (15, 18));
    let plan = generate_floor(&kind, &request, AsNamed::SOURCES).unwrap();
    assert_eq!(plan.portals().filter(|(_, portal)| portal.level_type == "upper crypt").count(), 3);
    for section in &plan.sections {
        let space = &plan.rooms[&section.centre].space;
        assert!(space.width >= 15 && space.length >= 18, "{space:?}");
    }
}

/// P3: the steps run in order and are logged with the parts that ran.
#[test]
fn steps_run_in_order() {
    let steps = floor(&read(CRYPT), 1).steps;
    let expected = [
        "create",
        "partition: grid",
        "rooms: square",
        "decorate: aggregate",
        "portals: stairs",
        "creatures: spread, perils",
        "items: spread, spread, spread",
        "verify",
    ];
    assert_eq!(steps, expected);
}

/// P4, P12, P31: over 1,000 seeds each partitioner joins all sections; a tree has one link less than sections, plus the
/// extra links.
#[test]
fn all_sections_are_connected() {
    let grid = Grid { x_sections: 4, y_sections: 3, connectors: Connectors::default() };
    for seed in 0..1_000 {
        for (extra, part) in [
            (0, &grid as &dyn Partitioner),
            (3, &Grid { connectors: Connectors::tree(3), ..grid.clone() }),
            (0, &Binary::default()),
            (3, &Binary { connectors: Connectors::tree(3), width: 14, height: 11, least: 3 }),
        ] {
            let floor = partition(part, seed);
            let sections = floor.sections();
            let mut reached = BTreeSet::from([0]);
            let mut left = vec![0];
            while let Some(number) = left.pop() {
                for link in &sections[number].links {
                    let back = sections[link.to].links.iter().any(|back| {
                        back.to == number
                            && back.side == link.side.opposite()
                            && back.at == link.at.step(link.side)
                    });
                    assert!(back, "seed {seed}: {link:?} has no other end");
                    assert!(sections[number].bounds.contains(link.at), "seed {seed}: {link:?} lies outside");
                    if reached.insert(link.to) {
                        left.push(link.to);
                    }
                }
            }
            assert_eq!(reached.len(), sections.len(), "seed {seed}: {part:?}");
            let links = sections.iter().map(|section| section.links.len()).sum::<usize>() / 2;
            assert_eq!(links, sections.len() - 1 + extra, "seed {seed}: {part:?}");
        }
    }
}

/// P5, P14: every room can be reached from the arrival room, exits are two-way, and every linked side has one.
#[test]
fn every_room_is_reachable() {
    for kind in [read(CRYPT), read(CATACOMBS)] {
        for seed in 0..100 {
            let plan = floor(&kind, seed);
            assert!(plan.redrawn < 3, "seed {seed}: {}", plan.redrawn);
            assert_eq!(reachable(&plan), plan.rooms.keys().copied().collect(), "seed {seed}");
            for room in plan.rooms.values() {
                for exit in &room.exits {
                    assert!(plan.rooms[&room.at.step(*exit)].exits.contains(&exit.opposite()), "{room:?}");
                }
            }
            for section in &plan.sections {
                let exits = &plan.rooms[&section.centre].exits;
                assert!(
                    section.links.iter().all(|link| exits.contains(&link.side)),
                    "seed {seed}: {section:?}"
                );
            }
        }
    }
}

/// P7, E10: on the first floor the arrival room is next to the start room, whose position stays free; below stairs it
/// is at (0,0).
#[test]
fn arrival_is_beside_start_or_at_origin() {
    for kind in [read(CRYPT), read(CATACOMBS)] {
        for (seed, entry) in (0..200).zip(Direction::PLANE.into_iter().cycle()) {
            let request = FloorRequest { entry: Some(entry), ..FloorRequest::new(Seed(seed)) };
            let plan = generate_floor(&kind, &request, AsNamed::SOURCES).unwrap();
            assert_eq!(plan.arrival, Point::ORIGIN.step(entry));
            let first = &plan.rooms[&plan.arrival];
            assert!(!plan.rooms.contains_key(&Point::ORIGIN));
            let back = entry.opposite();
            assert!(!first.exits.contains(&back) && !first.space.walls.contains_key(&back), "{first:?}");
            assert!(!first.perils && first.portal.is_none(), "{first:?}");
        }
        let plan = floor(&kind, 7);
        assert_eq!(plan.arrival, Point::ORIGIN);
        assert!(matches!(plan.rooms[&Point::ORIGIN].role, RoomRole::Section(_)));
    }
}

/// P11, P19: both room generators occur over 50 seeds, and together on one floor; so do both partitioners of a level
/// type.
#[test]
fn generators_and_partitioners_vary_by_seed() {
    let (crypt, catacombs) = (read(CRYPT), read(CATACOMBS));
    let (mut floors, mut both, mut partitioners) = (BTreeMap::<String, u32>::new(), 0, BTreeSet::new());
    for seed in 0..50 {
        let plan = floor(&crypt, seed);
        let mut here = BTreeSet::new();
        for section in &plan.sections {
            let material = &plan.rooms[&section.centre].space.ground;
            *floors.entry(material.clone()).or_default() += 1;
            here.insert(material.clone());
        }
        both += u32::from(here.len() == 2);
        partitioners.insert(floor(&catacombs, seed).steps[1].clone());
    }
    assert_eq!(floors.keys().collect::<Vec<_>>(), ["brick", "rock"]);
    assert!(floors.values().all(|count| (220..=380).contains(count)), "{floors:?}");
    assert!(both >= 45, "{both}");
    assert_eq!(partitioners.into_iter().collect::<Vec<_>>(), ["partition: binary", "partition: grid"]);
}

/// P12: three by three sections by default, nine rooms, two corridor rooms for each link, and none at the corners.
#[test]
fn grid_has_rooms_at_centres_and_corridors_at_sides() {
    let nine = CRYPT.replace("x_sections = 4\ny_sections = 3\n", "");
    assert_ne!(nine, CRYPT);
    let kind = read(&nine);
    for seed in 0..100 {
        let plan = floor(&kind, seed);
        assert_eq!(plan.sections.len(), 9);
        assert_eq!(links(&plan), 8);
        assert_eq!((plan.rooms.len(), corridors(&plan)), (9 + 16, 16));
        for section in &plan.sections {
            for (x, y) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let corner = Point::new(section.centre.x + x, section.centre.y + y);
                assert!(!plan.rooms.contains_key(&corner), "seed {seed}: {corner}");
            }
        }
    }
}

/// P14, P24: a linked side keeps a distance of 2 to 8 paces in a section of twenty; other sides are flush. Both
/// extremes occur.
#[test]
fn square_rooms_keep_their_distance_from_linked_sides() {
    let kind = read(CRYPT);
    let mut widths = BTreeMap::<usize, BTreeSet<u32>>::new();
    for seed in 0..300 {
        let plan = floor(&kind, seed);
        for section in &plan.sections {
            let linked =
                |sides: [Direction; 2]| sides.into_iter().filter(|side| section.is_linked(*side)).count();
            let space = &plan.rooms[&section.centre].space;
            widths.entry(linked([Direction::West, Direction::East])).or_default().insert(space.width);
            widths.entry(linked([Direction::South, Direction::North])).or_default().insert(space.length);
            assert_eq!(space.shape, "square");
        }
    }
    let ends = |n: usize| (*widths[&n].first().unwrap(), *widths[&n].last().unwrap());
    assert_eq!((ends(0), ends(1), ends(2)), ((20, 20), (12, 18), (4, 16)));
}

/// P31: the other shapes have the properties that their names suggest.
#[test]
fn room_shapes_match_their_names() {
    let kind = read(CATACOMBS);
    let mut shapes = BTreeSet::new();
    for seed in 0..100 {
        for room in floor(&kind, seed).rooms.into_values() {
            let space = room.space;
            assert!(space.width >= 1 && space.length >= 1, "{space:?}");
            match space.shape.as_str() {
                "round" => assert_eq!(space.width, space.length),
                "pillared" => assert!(space.width >= 7 && space.length >= 7, "{space:?}"),
                _ => {}
            }
            shapes.insert(space.shape);
        }
    }
    assert_eq!(shapes.into_iter().collect::<Vec<_>>(), ["cavern", "corridor", "pillared", "round"]);
}

/// Returns the floor after decoration, with all its ground.
fn decorated(text: &str, seed: u64) -> RoomedFloor {
    let kind = read(text);
    let mut dice = Seed(seed).rng();
    let mut floor = kind.partitioners[0].part.partition(EmptyFloor::new(site(&kind)), &mut dice);
    for number in 0..floor.sections().len() {
        let part = dice.pick(&kind.rooms).unwrap();
        part.part.generate_room(&mut floor.section(number).unwrap(), &mut dice);
    }
    let mut floor = floor.roomed();
    for part in &kind.decorators {
        part.part.decorate(&mut floor, &mut dice);
    }
    floor
}

/// P6, P19: floors are rock or brick; walls are rock where a room meets solid ground, and raw ground elsewhere. The
/// other order of the two decorators gives another result.
#[test]
fn decorator_order_matters() {
    let solid = |floor: &RoomedFloor| -> BTreeSet<(bool, String)> {
        let rooms = floor.rooms();
        let beside = |at: Point| Direction::PLANE.into_iter().any(|side| rooms.contains_key(&at.step(side)));
        let cells = floor.cells().filter(|(at, _)| !rooms.contains_key(at));
        cells.map(|(at, cell)| (beside(at), cell.wall.to_string())).collect()
    };
    let pair = |beside: bool, wall: &str| (beside, wall.to_owned());
    assert_eq!(solid(&decorated(CRYPT, 3)), BTreeSet::from([pair(true, "rock"), pair(false, "ground")]));

    let begin = CRYPT.find("[[decorators.decorators]]").unwrap();
    let middle = begin + 1 + CRYPT[begin + 1..].find("[[decorators.decorators]]").unwrap();
    let end = CRYPT.find("[[portals]]").unwrap();
    let (head, walls, replace, tail) =
        (&CRYPT[..begin], &CRYPT[begin..middle], &CRYPT[middle..end], &CRYPT[end..]);
    let swapped = format!("{head}{replace}{walls}{tail}");
    assert_eq!(solid(&decorated(&swapped, 3)), BTreeSet::from([pair(true, "ground"), pair(false, "ground")]));

    for seed in 0..50 {
        for room in floor(&read(CRYPT), seed).rooms.values() {
            assert!(["rock", "brick"].contains(&room.space.ground.as_str()), "{room:?}");
            assert!(room.space.walls.values().all(|wall| wall == "rock" || wall == "ground"), "{room:?}");
            let sides: BTreeSet<Direction> = room.space.walls.keys().chain(&room.exits).copied().collect();
            assert_eq!(sides.len(), 4, "a side is an exit or a wall: {room:?}");
        }
    }
}

/// P20: twelve sections, at least 11 links, at least 34 rooms, and never more than 60.
#[test]
fn crypt_has_expected_counts() {
    let (crypt, catacombs) = (read(CRYPT), read(CATACOMBS));
    for seed in 0..200 {
        let plan = floor(&crypt, seed);
        assert_eq!((plan.sections.len(), links(&plan), plan.rooms.len()), (12, 11, 34));
        let plan = floor(&catacombs, seed);
        assert!((34..=60).contains(&plan.rooms.len()), "seed {seed}: {}", plan.rooms.len());
    }
    let looped = floor(&read(&CRYPT.replace("y_sections = 3", "y_sections = 3\nextra_links = 4")), 1);
    assert_eq!((links(&looped), looped.rooms.len()), (15, 12 + 30));
}

/// P9, P16, P17, P21, P22, P27: over 500 seeds both ends of each range occur, and items are only in rooms of sections.
#[test]
fn p9_p16_p27_item_and_creature_counts_stay_in_range() {
    let kind = read(CRYPT);
    let mut counts = BTreeMap::<String, BTreeSet<usize>>::new();
    let mut in_corridors = 0;
    for seed in 0..500 {
        let plan = floor(&kind, seed);
        let mut here = BTreeMap::from(["weapon", "potion", "food", "spider"].map(|key| (key.to_owned(), 0)));
        for room in plan.rooms.values() {
            assert!(
                room.items.is_empty() || matches!(room.role, RoomRole::Section(_)),
                "seed {seed}: {room:?}"
            );
            in_corridors += usize::from(room.role == RoomRole::Corridor && !room.creatures.is_empty());
            for key in room.items.iter().chain(&room.creatures) {
                *here.get_mut(key).unwrap() += 1;
            }
        }
        for (key, count) in here {
            counts.entry(key).or_default().insert(count);
        }
    }
    let ends = |key: &str| (*counts[key].first().unwrap(), *counts[key].last().unwrap());
    assert_eq!(
        [ends("weapon"), ends("potion"), ends("food"), ends("spider")],
        [(2, 4), (2, 4), (0, 5), (4, 8)]
    );
    assert!(in_corridors > 500, "spiders are anywhere: {in_corridors}");
}

/// P8: the configured percentages of section rooms and corridors get a peril of the theme.
#[test]
fn perils_occur_at_configured_percentage() {
    let kind = read(CRYPT);
    let (mut rooms, mut corridors) = ([0, 0], [0, 0]);
    for seed in 0..200 {
        let plan = floor(&kind, seed);
        for room in plan.rooms.values().filter(|room| room.at != plan.arrival) {
            let count = if room.role == RoomRole::Corridor { &mut corridors } else { &mut rooms };
            count[0] += usize::from(room.perils);
            count[1] += 1;
        }
    }
    assert!((72..=78).contains(&(rooms[0] * 100 / rooms[1])), "{rooms:?}");
    assert!((62..=68).contains(&(corridors[0] * 100 / corridors[1])), "{corridors:?}");
}

/// P15, P23, P30: of 4,000 first catacomb floors a quarter has a stair to a crypt, in a room; a branch that has it gets
/// none.
#[test]
fn unique_portal_is_rare_and_not_repeated() {
    let kind = read(CATACOMBS);
    let to_crypt = |plan: &FloorPlan| {
        let portals = plan.portals().filter(|(_, portal)| portal.level_type == "upper crypt");
        portals.map(|(at, portal)| (at, portal.clone())).collect::<Vec<_>>()
    };
    let mut found = 0;
    for seed in 0..4_000 {
        let plan = floor(&kind, seed);
        let portals = to_crypt(&plan);
        assert!(portals.len() <= 1);
        if let Some((at, portal)) = portals.first() {
            found += 1;
            assert!(matches!(plan.rooms[at].role, RoomRole::Section(_)) && *at != plan.arrival);
            assert_eq!((portal.unique_key(), portal.direction), (Some("upper crypt"), Direction::Down));
            assert_eq!(portal.icons, ("stairs down".to_owned(), "stairs up".to_owned()));
            let mut used = UsedLimits::new();
            used.note_portal(portal);
            let again = FloorRequest { used, ..FloorRequest::new(Seed(seed)) };
            let again = generate_floor(&kind, &again, AsNamed::SOURCES).unwrap();
            assert!(to_crypt(&again).is_empty(), "seed {seed}");
        }
    }
    assert!((880..=1_120).contains(&found), "{found} of 4,000");
    let twice = CATACOMBS.replace("chance = 25", "chance = 100");
    let rule = &twice[twice.find("[[portals]]").unwrap()..twice.rfind("[[portals]]").unwrap()];
    let twice = twice.replacen(rule, &format!("{rule}{rule}"), 1);
    let kind = read(&twice);
    assert_eq!((kind.portals.len(), to_crypt(&floor(&kind, 1)).len()), (3, 1));
}

/// P30: a portal may lead out of the dungeon, and then it leads up.
#[test]
fn portal_may_lead_out_of_dungeon() {
    let out = CATACOMBS.replace("level_type = \"upper crypt\"", "exits_dungeon = true");
    let kind = read(&out.replace("chance = 25", "chance = 100"));
    let plan = floor(&kind, 1);
    let (_, portal) = plan.portals().find(|(_, portal)| portal.exits_dungeon).unwrap();
    assert_eq!((portal.direction, portal.unique_key()), (Direction::Up, Some("out of the dungeon")));
}

/// P15: portals are placed only in their kind of room.
#[test]
fn portals_stay_in_their_kind_of_room() {
    for (place, fits) in [
        ("corridor", (|role| role == RoomRole::Corridor) as fn(RoomRole) -> bool),
        ("chamber", |role| matches!(role, RoomRole::Chamber(_))),
    ] {
        let text =
            CATACOMBS.replace("place = \"room\"\nchance = 25", &format!("place = \"{place}\"\nchance = 100"));
        let kind = read(&text);
        let mut found = 0;
        for seed in 0..50 {
            let plan = floor(&kind, seed);
            for (at, _) in plan.portals().filter(|(_, portal)| portal.level_type == "upper crypt") {
                found += 1;
                assert!(fits(plan.rooms[&at].role), "seed {seed}");
            }
        }
        assert!(found >= 8, "{place}: {found}");
    }
}

/// T1, P15: a floor without other portals has exactly one stair down, in a room of a section, not in the arrival room;
/// it stores the name of the level type behind it.
#[test]
fn floor_has_exactly_one_stair_down() {
    let kind = read(CRYPT);
    let mut places = BTreeSet::new();
    for seed in 0..200 {
        let plan = floor(&kind, seed);
        let portals: Vec<_> = plan.portals().collect();
        assert_eq!(portals.len(), 1, "seed {seed}");
        let (at, portal) = portals[0];
        assert!(matches!(plan.rooms[&at].role, RoomRole::Section(_)) && at != plan.arrival);
        assert_eq!((portal.level_type.as_str(), portal.direction), ("upper crypt", Direction::Down));
        places.insert(at);
    }
    assert!(places.len() > 20, "the room made last is not always the same: {places:?}");
}

/// C3: the same seed gives the same floor, another seed another; appending a part does not change the random choices of
/// the others.
#[test]
fn floor_is_determined_by_seed() {
    let kind = read(CRYPT);
    assert_eq!(floor(&kind, 11), floor(&kind, 11));
    assert_ne!(floor(&kind, 11).rooms, floor(&kind, 12).rooms);
    let more = format!("{CRYPT}\n[[items]]\npart = \"spread\"\nitem = \"lamp\"\nleast = 1\nmost = 1\n");
    let mut plan = floor(&read(&more), 11);
    for room in plan.rooms.values_mut() {
        room.items.retain(|key| key != "lamp");
    }
    assert_eq!(plan.rooms, floor(&kind, 11).rooms);
}

/// P13: sections with their links, and the rest of a plan, survive serialization.
#[test]
fn plan_survives_serialization() {
    let plan = floor(&read(CATACOMBS), 4);
    let stored = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<FloorPlan>(&stored).unwrap(), plan);
    assert!(plan.sections.iter().any(|section| section.links.len() > 1));
}

/// A source that treats every name as a key, so that creatures and items need only be named in level files.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AsNamed;

impl AsNamed {
    /// This source for both creatures and items.
    pub(super) const SOURCES: ContentSources<'static> = ContentSources { creatures: &Self, items: &Self };
}

impl CreatureSource for AsNamed {
    fn creature(&self, name: &str, _level: u32, _dice: &mut Rng) -> Option<String> {
        Some(name.to_owned())
    }
}

impl ItemSource for AsNamed {
    fn item(&self, class: &str, _level: u32, _dice: &mut Rng) -> Option<String> {
        Some(class.to_owned())
    }
}
