//! Features of shipped level files and themes: exits out of the dungeon, alternatives to stairs, connectors, combat
//! rules, and puzzles of several areas.

use crate::explorer::walks_on;
use crate::floors::at_the_cistern;
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{Direction, RoomId, Seed};
use deepwell::catalog::rules::RuleSet;
use deepwell::level::{FloorPlan, FloorRequest, generate_floor};
use deepwell::puzzle::{PuzzleEntry, verify};
use deepwell::world::Exit;

fn archive(seed: u64) -> FloorPlan {
    let kind = &CATALOG.level_types["archive"];
    generate_floor(kind, &FloorRequest::of(kind, Seed(seed)), CATALOG.sources()).expect("a floor")
}

/// The archive has a second portal down in addition to its stairs, and no room below its minimum size.
#[test]
fn p2_archive_has_two_portals_down_and_minimum_room_size() {
    for seed in 0..20 {
        let floor = archive(seed);
        let down = floor.portals().filter(|(_, portal)| portal.direction == Direction::Down).count();
        assert_eq!(down, 2, "seed {seed}");
        let small = floor
            .rooms
            .values()
            .find(|room| room.space.shape != "corridor" && (room.space.width < 6 || room.space.length < 5));
        assert_eq!(small, None, "seed {seed}");
    }
}

/// Floors of the archive use one of two connectors: with many forks, or one long path.
#[test]
fn p10_archive_floors_use_two_connectors() {
    let forks = |floor: &FloorPlan| {
        let many = floor.sections.iter().filter(|section| section.links.len() > 2).count();
        many * 100 / floor.sections.len()
    };
    let shares: Vec<usize> = (0..30).map(|seed| forks(&archive(seed))).collect();
    let (least, most) = (shares.iter().min().expect("floors"), shares.iter().max().expect("floors"));
    assert!(most - least > 20, "{shares:?}");
}

/// Every room generator of the archive uses its parameter `chamber_percent`.
#[test]
fn p28_archive_parameter_reaches_all_room_generators() {
    let chambers = (0..30).flat_map(|seed| archive(seed).rooms.into_values());
    let shapes: std::collections::BTreeSet<String> = chambers
        .filter(|room| matches!(room.role, deepwell::level::RoomRole::Chamber(_)))
        .map(|room| room.space.shape)
        .collect();
    assert!(shapes.len() > 1, "no room generator says it itself: {shapes:?}");
}

/// Returns a game with Olad at a rope ladder in the shipped caves, and the start room of the branch.
fn olad_at_the_ladder() -> (Table, RoomId) {
    let up = |exit: &Exit| exit.direction == Some(Direction::Up) && exit.icons.is_some();
    for seed in 0..100 {
        let mut table = at_the_cistern(Table::new(seeded(seed)));
        let start = table.body("Olad").room;
        table.types("Olad", "east");
        for _ in 0..40 {
            if table.world().exits.of(table.body("Olad").room).any(up) && table.room("Olad").clear {
                return (table, start);
            }
            if !walks_on(&mut table, "Olad") {
                break;
            }
        }
    }
    panic!("no caves have a ladder");
}

/// A rope ladder is described with its destination, is on the map later, and leads out of the branch to the start room.
#[test]
fn p30_rope_ladder_leads_out_of_the_branch() {
    let (mut table, start) = olad_at_the_ladder();
    let read = table.types("Olad", "look");
    assert!(read.contains("A rope ladder leads up from here, out of the dungeon."), "{read}");
    assert!(table.types("Olad", "exits").contains("a rope ladder up, out of the dungeon"));
    // From the next room the ladder is on the map, by name, for the player and for the client.
    let ladder = table.body("Olad").room;
    let away = table.world().exits.of(ladder).find(|exit| exit.back).and_then(|exit| exit.direction);
    let away = away.expect("a way back");
    table.charts("Olad");
    table.types("Olad", away.name());
    if table.branch_of("Olad").is_some() {
        let map = table.types("Olad", "map");
        assert!(map.contains("P is a portal.") && map.contains("remembered: a rope ladder up"), "{map}");
    }
    let read = table.types("Olad", away.opposite().name());
    assert_eq!(table.body("Olad").room, ladder, "{read}");
    assert!(table.charted("Olad").last().is_some_and(|info| info.details.contains(&"portal".to_owned())));
    table.types("Olad", "up");
    assert_eq!((table.body("Olad").room, table.branch_of("Olad")), (start, None), "E44");
}

/// The dump of the catacombs has sections with links, and the materials of each room.
#[test]
fn p13_p19_dump_has_sections_and_materials() {
    let mut table = at_the_cistern(Table::new(seeded(2)));
    table.types("Olad", "west");
    let dump = table.game().branch_dump(table.branch_of("Olad").expect("a member")).expect("a dump");
    let floor = &dump.floors[0];
    assert!(floor.sections.len() > 8 && floor.sections.iter().all(|section| !section.links.is_empty()));
    let space = floor.rooms[0].space.as_ref().expect("a whole floor");
    assert!(["earth", "slabs"].contains(&space.ground.as_str()), "{space:?}");
    assert!(space.walls.values().all(|wall| ["clay", "bones"].contains(&wall.as_str())), "{space:?}");
    let json = serde_json::to_value(&dump).expect("JSON");
    assert_eq!(json["floors"][0]["rooms"][0]["space"]["floor"], space.ground.as_str());
}

/// The glassworks, below a shaft in the caves, use the `racket` combat rules.
#[test]
fn r25_glassworks_use_racket_rules() {
    assert_eq!(CATALOG.themes["glassworks"].rules, RuleSet::Racket);
    assert_eq!(CATALOG.level_types["glassworks"].theme, "glassworks");
    let caves = include_str!("../../content/levels/caves.toml");
    assert!(caves.contains("level_type = \"glassworks\""));
}

/// Shipped themes list MyHero with four and nine areas and with a fixed map; all are solvable.
#[test]
fn h6_shipped_myhero_variants_are_solvable() {
    let listed = |theme: &str, like: &dyn Fn(&PuzzleEntry) -> bool| {
        let entries = CATALOG.themes[theme].puzzles.iter();
        let found = entries.filter(|entry| entry.puzzle.name() == "myhero").find(|entry| like(entry));
        let entry = found.unwrap_or_else(|| panic!("{theme} lists none"));
        for seed in 0..3 {
            let proof = verify(entry, Seed(seed));
            assert_eq!((proof.defects, proof.plain), (Vec::new(), None), "{theme}, seed {seed}");
        }
    };
    listed("caves", &|entry| entry.config.number("rooms") == 4);
    listed("catacombs", &|entry| entry.config.number("rooms") == 9);
    listed("daedalus", &|entry| !entry.config.texts("map").is_empty());
}
