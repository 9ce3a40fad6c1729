//! Bosses: the manoeuvres of each, where they are, and what becomes known of their end.

use crate::arena::{add_players, arena, changes, enemy, party};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{Seed, Span};
use deepwell::catalog::{BUILTIN, CreaturePrototype, Vault};
use deepwell::dungeon::BranchSpec;
use deepwell::tools::branch::{PlannedBranch, PlannedRoom};
use deepwell::world::{ExitKind, RumourEvent};
use std::collections::{BTreeMap, BTreeSet};

/// Least difficulty of a room where a boss is.
const DEEP: u32 = 16;

/// Returns the least difficulty of the room of a boss. The sunken house has one floor, and ends before it is deep.
fn least_difficulty(boss: &str) -> u32 {
    if boss == "dame_undertow" { 4 } else { DEEP }
}

fn bosses() -> impl Iterator<Item = &'static CreaturePrototype> {
    CATALOG.creatures.values().filter(|creature| creature.boss)
}

/// Returns the vault with a boss in it, and the number of its room.
fn lair(boss: &str) -> Option<(&'static Vault, usize)> {
    CATALOG.vaults.values().find_map(|vault| {
        let at = vault.rooms.iter().position(|room| room.content.creatures.iter().any(|key| key == boss));
        at.map(|at| (&**vault, at))
    })
}

/// Each boss has a name, a text, two manoeuvres or more and a thing to leave, and appears in one place, which names it before.
#[test]
fn each_boss_has_one_place_that_announces_it() {
    let written: Vec<&str> =
        BUILTIN.iter().filter(|(path, _)| path.starts_with("rooms/")).map(|(_, text)| *text).collect();
    let mut level_types = BTreeSet::new();
    for boss in bosses() {
        let key = boss.key.as_str();
        assert_eq!(boss.name, boss.with_article, "{key} has a name");
        assert!(boss.manoeuvres.len() >= 2 && boss.difficulty.0 >= least_difficulty(key), "{key}");
        assert!(boss.guards(), "{key}");
        let parent = &CATALOG.creatures[boss.inherits.as_ref().expect("a parent")];
        assert!(parent.difficulty.0 >= boss.difficulty.0 && parent.description != boss.description, "{key}");
        for text in [&boss.death, &boss.description] {
            assert!(!text.to_lowercase().contains(&parent.name), "{key}: {text}");
        }
        let loot = &CATALOG.loot[boss.loot.as_ref().expect("a loot table")];
        assert_eq!((loot.item_percent, loot.coins_percent), (100, 100), "{key}");
        let listed = CATALOG.themes.values().find(|theme| theme.creatures.contains(&boss.key));
        assert!(listed.is_none(), "{key} would come back");
        let called = written.iter().filter(|text| text.contains(&format!("\"{key}\""))).count();
        let Some((vault, at)) = lair(key) else {
            assert_eq!(called, 1, "{key} has no place");
            continue;
        };
        assert_eq!(called, 0, "{key} has two places");
        let room = &vault.rooms[at];
        assert!(room.ends.is_empty() && !room.content.items.is_empty(), "{key}");
        let before = vault.rooms.iter().filter(|other| !other.ends.is_empty());
        assert!(before.clone().all(|other| other.content.description.contains(&boss.name)), "{key}");
        for (level_type, rule) in &vault.level_types {
            assert_eq!((rule.most, rule.percent), (1, 100), "{key}");
            level_types.insert(level_type.clone());
        }
    }
    for level_type in ["well", "long seam", "cellars"] {
        assert!(level_types.contains(level_type), "no boss in {level_type}");
    }
}

/// Returns the bosses of a room, or those that its scripts call.
fn bosses_in(room: &PlannedRoom) -> Vec<&'static str> {
    let scripts = format!("{:?}", room.plan.triggers);
    let is_in = |boss: &&CreaturePrototype| {
        room.plan.challenge.creatures.contains(&boss.key) || scripts.contains(&format!("\"{}\"", boss.key))
    };
    bosses().filter(is_in).map(|boss| boss.key.as_str()).collect()
}

/// In each level type with a boss, a walk that is deep enough finds it, at most once in a branch, and the room before names it.
#[test]
fn deep_walks_meet_each_boss_at_most_once() {
    let floors = |level_type: &str| match level_type {
        "sunken house" => (60, 1),
        "archive" | "upper catacombs" | "upper crypt" => (80, 5),
        _ => (30, 5),
    };
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    for level_type in CATALOG.level_types.keys() {
        let (rooms, levels) = floors(level_type);
        for seed in 1..=4 {
            let spec = BranchSpec::of(&CATALOG, level_type, Seed(seed));
            let branch = PlannedBranch::walk(spec, &CATALOG, rooms, levels);
            let found: Vec<(&PlannedRoom, &str)> = branch
                .rooms
                .iter()
                .flat_map(|room| bosses_in(room).into_iter().map(move |key| (room, key)))
                .collect();
            let kinds: BTreeSet<&str> = found.iter().map(|(_, key)| *key).collect();
            assert_eq!(kinds.len(), found.len(), "{level_type}, seed {seed}");
            for (room, key) in found {
                *met.entry(key).or_default() += 1;
                let name = &CATALOG.creatures[key].name;
                assert!(room.plan.difficulty >= least_difficulty(key), "{key}, seed {seed}");
                let before = branch
                    .rooms
                    .iter()
                    .find(|other| other.floor == room.floor && other.plan.at == room.made_by.0);
                let announced = [Some(room), before]
                    .into_iter()
                    .flatten()
                    .any(|room| room.plan.sheet.description.contains(name));
                assert!(announced, "{key}, seed {seed}");
            }
        }
    }
    let missed: Vec<&str> =
        bosses().map(|boss| boss.key.as_str()).filter(|key| !met.contains_key(key)).collect();
    assert!(missed.is_empty(), "never met: {missed:?}; met: {met:?}");
}

/// The end of a boss is told in the town with the names of those who share it, and a thing is left once.
#[test]
fn end_of_a_boss_is_told_with_names() {
    for boss in bosses() {
        let mut table = arena();
        add_players(&mut table, &["Bera"]);
        party(&mut table, &["Olad", "Bera"]);
        table.sit("Cato");
        table.becomes("Olad", 9_999, 500);
        let orc = enemy(&table);
        changes(&mut table, orc, |body| {
            (body.prototype, body.name) = (Some(boss.key.clone()), boss.name.clone());
            (body.hp, body.attack) = (200, 0);
        });
        let loot = &CATALOG.loot[boss.loot.as_ref().expect("a loot table")];
        let things = |table: &Table| {
            let items = table.world().items.iter();
            items.filter(|(_, item)| loot.items.iter().any(|one| one.item == item.prototype)).count()
        };
        let before = things(&table);
        let noun = boss.name.split(' ').next_back().expect("a word");
        let mut text = table.types("Olad", &format!("kill {noun}"));
        for _ in 0..30 {
            table.waits(Span::secs(3));
            text += &table.hears("Olad");
        }
        assert!(text.contains(&format!("{} is dead", boss.name)), "{text}");
        let who = BTreeSet::from(["Olad", "Bera"].map(|name| table.body(name).id));
        let shares = |event: &RumourEvent| match event {
            RumourEvent::Boss { who: those, creature, .. } => {
                *creature == boss.key && those.iter().copied().collect::<BTreeSet<_>>() == who
            }
            _ => false,
        };
        let tidings = &table.world().meta().tidings;
        assert_eq!(tidings.iter().filter(|one| shares(&one.event)).count(), 1, "{tidings:?}");
        let least = loot.items.iter().map(|one| one.difficulty.0).min().expect("a thing");
        let leaves = usize::from(table.room("Olad").difficulty >= least);
        assert_eq!(things(&table), before + leaves, "{text}");
        let news = table.types("Cato", "news");
        let names = ["Olad", "Bera", boss.name.as_str()];
        assert!(names.iter().all(|name| news.contains(*name)), "{news}");
    }
}

/// Returns the rooms that a walk passes to the first boss, with the difficulty there; `None` if it meets none.
fn meets_boss(level_type: &str, seed: Seed, (rooms, levels): (u32, u32)) -> Option<(usize, u32)> {
    let spec = BranchSpec::of(&CATALOG, level_type, seed);
    let branch = PlannedBranch::walk(spec, &CATALOG, rooms, levels);
    let met = branch.rooms.iter().enumerate().find(|(_, room)| !bosses_in(room).is_empty());
    met.map(|(passed, room)| (passed + 1, room.plan.difficulty))
}

/// A party that goes to the end of an exit meets a boss: thirty rooms on each of five floors, and else eighty, which is all of
/// a floor that ends. Prints how often, and how deep.
#[test]
fn each_exit_of_the_town_ends_at_a_boss() {
    let seeds: u64 = std::env::var("DEEPWELL_SEEDS").map_or(40, |seeds| seeds.parse().expect("a number"));
    let table = Table::new(seeded(1));
    let exits = table.world().exits.iter().map(|(_, exit)| exit).filter(|exit| exit.kind == ExitKind::Branch);
    let types: Vec<String> =
        exits.map(|exit| exit.settings.theme.clone().unwrap_or_else(|| "well".to_owned())).collect();
    assert_eq!(types.len(), 8, "{types:?}");
    for level_type in &types {
        let walk =
            |seed| [30, 80].into_iter().find_map(|rooms| meets_boss(level_type, Seed(seed), (rooms, 5)));
        let mut met: Vec<(usize, u32)> = (1..=seeds).filter_map(walk).collect();
        met.sort_unstable_by_key(|(rooms, difficulty)| (*difficulty, *rooms));
        let middle = met.get(met.len() / 2).copied();
        println!("{level_type}: {} of {seeds}, {:?}, {middle:?}, {:?}", met.len(), met.first(), met.last());
        assert!(met.len() as u64 * 100 >= seeds * 80, "{level_type}: {} of {seeds}", met.len());
    }
}
