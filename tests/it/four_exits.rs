//! The four exits at the bottom of the well lead to four kinds of dungeon, distinguishable before entry and in play.

use crate::explorer::hero_opens;
use crate::generated;
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Seed;
use deepwell::dungeon::BranchSpec;
use deepwell::tools::branch::PlannedBranch;
use deepwell::tools::stats::BranchStats;
use std::fmt::Write as _;

/// Exits with their level types.
const EXITS: [(&str, &str); 4] =
    [("north", "well"), ("east", "long seam"), ("south", "cellars"), ("west", "sunken house")];

/// Puts a very strong Olad at the bottom of the well.
fn hero_at_the_bottom(seed: u64) -> Table {
    let mut config = seeded(seed);
    config.dungeon.reset_chance_permille = 0;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types("Olad", "down");
    table
}

/// E4: `look`, `listen` and `examine` distinguish the exits.
#[test]
fn e4_exits_of_the_well_have_distinct_descriptions() {
    let mut table = hero_at_the_bottom(3);
    let heard = table.types("Olad", "listen");
    for (exit, level) in EXITS {
        let level = CATALOG.level_type(level).expect("a level type that ships");
        assert!(heard.contains(&format!("From the {exit}: {}", level.heard)), "{heard}");
        for line in [format!("look {exit}"), format!("examine {exit}")] {
            let seen = table.types("Olad", &line);
            assert!(!level.seen.is_empty() && seen.contains(&level.seen), "{line}: {seen}");
        }
    }
    for noun in ["slit", "passage", "arches", "house"] {
        let seen = table.types("Olad", &format!("look {noun}"));
        assert!(seen.len() > 60, "{noun}: {seen}");
    }
}

/// E4: the transcript of the first ten rooms behind each exit is up to date.
#[test]
fn e4_transcript_of_ten_rooms_per_exit_is_up_to_date() {
    let mut transcript = String::new();
    for (exit, level) in EXITS {
        let mut table = hero_at_the_bottom(11);
        let _ = writeln!(transcript, "> look {exit}\n{}\n", table.types("Olad", &format!("look {exit}")));
        let _ = writeln!(transcript, "> {exit}\n{}\n", table.types("Olad", exit));
        let branch = table.branch("Olad");
        assert_eq!(Some(&branch.theme), CATALOG.level_type(level).map(|level| &level.theme), "{exit}");
        for rooms in 2..=10 {
            hero_opens(&mut table, "Olad", rooms);
            let _ = writeln!(transcript, "Room {rooms}\n{}\n", table.types("Olad", "look"));
        }
    }
    let stands = generated::is_up_to_date("tests/data/four-exits.txt", &transcript);
    assert!(stands, "what is behind the four exits has changed; {}", generated::HOW);
}

/// E4: long seam, well and cellars differ in depth, side branches and dead ends; the sunken house is finite.
#[test]
fn e4_exits_of_the_well_lead_to_different_branch_shapes() {
    let [well, seam, cellars, house] = EXITS.map(|(_, level)| {
        let mut stats = BranchStats::default();
        for seed in 0..12 {
            let spec = BranchSpec::of(&CATALOG, level, Seed(seed));
            stats.add(&PlannedBranch::walk(spec, &CATALOG, 60, 1));
        }
        stats
    });
    let side_ways = [&seam, &well, &cellars].map(|stats| stats.permille(stats.side_ways));
    assert!(side_ways.windows(2).all(|pair| pair[0] * 3 < pair[1] * 2), "{side_ways:?} of 1,000");
    let dead_ends = [&seam, &well, &cellars].map(|stats| stats.permille(stats.dead_ends));
    assert!(dead_ends.windows(2).all(|pair| pair[0] + 20 < pair[1]), "{dead_ends:?} of 1,000");
    let depths = [&seam, &well, &cellars].map(|stats| stats.depths * 100 / stats.rooms);
    assert!(depths.windows(2).all(|pair| pair[0] > pair[1] + 50), "{depths:?} hundredths");
    assert_eq!([&seam, &well, &cellars].map(|stats| stats.rooms_least), [60; 3], "they go on");
    assert!(house.rooms_least >= 10 && house.rooms_most <= 40, "{house}");
}

/// E22: the house is finite, its last room says so, and there are items in that room.
#[test]
fn e22_house_is_finite_and_ends_with_items() {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for seed in 0..4 {
        let mut table = hero_at_the_bottom(seed);
        table.types("Olad", "west");
        let branch = table.branch_of("Olad").expect("a member");
        let is_open = |table: &Table| {
            let index = table.world().branches.index_of(branch).expect("a living branch");
            index.frontiers.values().any(|frontier| frontier.open_count() > 0)
        };
        let mut rooms = 1;
        while is_open(&table) {
            rooms += 1;
            assert!(rooms <= 40, "it has walls");
            hero_opens(&mut table, "Olad", rooms);
        }
        let view = table.types("Olad", "look");
        assert!(view.contains("nothing beyond this room"), "{view}");
        let room = table.body("Olad").room;
        let reward = table.world().rooms[room].challenge.reward.len();
        let lying = table.world().ground(room).len();
        found.push((rooms, reward + lying));
    }
    found.sort_unstable();
    assert!(found[3].0 > found[0].0 && found.iter().all(|(_, items)| *items > 0), "{found:?}");
}
