//! Tests of whole branches: contents of rooms, names, and descriptions for every noun in their texts.

use crate::branch::PlannedBranch;
use crate::stats::BranchStats;
use crate::verify::{Extent, verify};
use deepwell_core::base::{Direction, ExitState, Seed};
use deepwell_core::catalog::theme::furnishing::{Inhabitant, Inhabitants};
use deepwell_core::catalog::{Catalog, LootItem, LootTable, PerilKind, RoomFeature, RoomKind};
use deepwell_core::dungeon::nouns::{ReadableRoom, STOP, look_at, words_of};
use deepwell_core::dungeon::props::props_in;
use deepwell_core::dungeon::{BranchSpec, RoomPlan};
use deepwell_core::level::{LevelType, RoomKindLimit};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn well(catalog: &Catalog, seed: u64) -> BranchSpec {
    BranchSpec::of(catalog, "well", Seed(seed))
}

/// Returns the number of pulls a stuck lever needs.
fn pulls(plan: &RoomPlan) -> u32 {
    plan.fixture.feature.as_ref().map_or(0, RoomFeature::pulls)
}

/// About one encounter in ten is out of depth. Each is announced by a sign, has guards, and is not among the first two
/// rooms. An announced exit creates an out-of-depth room; the sign is removed if another exit created the room.
#[test]
fn out_of_depth_rooms_are_announced_by_signs() {
    let catalog = Catalog::builtin();
    let mut stats = BranchStats::default();
    for seed in 0..80 {
        let branch = PlannedBranch::walk(well(&catalog, seed), &catalog, 120, 1);
        for (number, room) in branch.rooms.iter().enumerate() {
            let (from, direction) = room.made_by;
            let maker = branch.at(1, from);
            let sign = maker.and_then(|maker| maker.plan.omens.get(&direction));
            assert_eq!(room.plan.out_of_depth, sign.is_some(), "{room:?}");
            if room.plan.out_of_depth {
                assert!(number >= 2 && !room.plan.clear, "{room:?}");
                assert!(room.plan.blocks(&catalog) && pulls(&room.plan) == 0);
            }
            for (direction, exit) in room.exits.iter().filter(|(_, exit)| exit.ominous) {
                let beyond = exit.to.and_then(|to| branch.at(1, to));
                let kept = match exit.state {
                    ExitState::Unexplored => beyond.is_none(),
                    ExitState::Open => beyond.is_some_and(|room| room.plan.out_of_depth),
                    ExitState::OneWay | ExitState::Locked => false,
                };
                assert!(kept && room.plan.omens.contains_key(direction), "{room:?}");
            }
        }
        stats.add(&branch);
    }
    let permille = stats.out_of_depth * 1_000 / stats.encounters;
    assert!((80..=120).contains(&permille), "{permille} of 1000 encounters");
}

/// Guards behind a sign are rolled for the room's difficulty plus the theme's out-of-depth difficulty.
#[test]
fn out_of_depth_guards_use_the_raised_difficulty() {
    let mut catalog = Catalog::builtin();
    let theme = catalog.themes.get_mut("well").unwrap();
    (theme.out_of_depth.permille, theme.out_of_depth.difficulty) = (1_000, 1_000);
    let mut titan = catalog.creatures["orc"].clone();
    (titan.key, titan.difficulty) = ("titan".to_owned(), (900, 2_000));
    catalog
        .creatures
        .values_mut()
        .for_each(|creature| creature.difficulty.1 = creature.difficulty.1.min(100));
    catalog.creatures.insert("titan".to_owned(), titan);
    catalog.themes.get_mut("well").unwrap().creatures.push("titan".to_owned());
    let branch = PlannedBranch::walk(well(&catalog, 3), &catalog, 40, 1);
    for room in &branch.rooms {
        let titans = room.plan.challenge.creatures.iter().any(|key| key == "titan");
        assert_eq!(titans, room.plan.out_of_depth, "{room:?}");
    }
    assert!(branch.rooms.iter().filter(|room| room.plan.out_of_depth).count() >= 35);
}

/// Landmarks are at least `landmark_every` rooms apart, and none repeats within a branch of 96 rooms.
#[test]
fn landmarks_are_spaced_and_do_not_repeat() {
    let catalog = Catalog::builtin();
    let every = catalog.themes["well"].landmark_every as usize;
    let (mut all, mut rooms) = (0, 0);
    for seed in 0..60 {
        let branch = PlannedBranch::walk(well(&catalog, seed), &catalog, 96, 1);
        let found: Vec<(usize, &str)> = (0..)
            .zip(&branch.rooms)
            .filter(|(_, room)| room.plan.sheet.kind == RoomKind::Landmark)
            .filter_map(|(number, room)| Some((number, room.plan.fixture.feature.as_ref()?.word()?)))
            .collect();
        assert!(found.windows(2).all(|pair| pair[1].0 - pair[0].0 >= every), "{found:?}");
        let names: BTreeSet<&str> = found.iter().map(|(_, name)| *name).collect();
        assert_eq!(names.len(), found.len(), "{found:?}");
        all += found.len();
        rooms += branch.rooms.len();
    }
    assert!((rooms / 100..=rooms / 12).contains(&all), "{all} landmarks in {rooms} rooms");
}

/// A roll in one random stream does not affect the others: changed packs, roamers and shrines leave everything else as
/// it was. Signs are not varied, because they affect the kind of a room and the texts of its neighbours.
#[test]
fn random_streams_are_independent() {
    let catalog = Catalog::builtin();
    let mut other = catalog.clone();
    let theme = other.themes.get_mut("well").unwrap();
    theme.roamer_percent = 100;
    theme.threat.pack_percent = 0;
    theme.shrines.truncate(1);
    let plain = PlannedBranch::walk(well(&catalog, 4), &catalog, 60, 1);
    let changed = PlannedBranch::walk(well(&catalog, 4), &other, 60, 1);
    let mut others = 0;
    for (one, two) in plain.rooms.iter().zip(&changed.rooms) {
        assert_eq!(one.plan.new_exits, two.plan.new_exits);
        assert_eq!(one.plan.sheet.kind, two.plan.sheet.kind);
        assert_eq!(one.plan.sheet.description, two.plan.sheet.description);
        assert_eq!(one.plan.challenge.items, two.plan.challenge.items);
        others += u32::from(one.plan.challenge.creatures != two.plan.challenge.creatures);
    }
    assert!(others > 40, "{others} rooms with other creatures");
}

/// Half of the halls have a creature, and more at greater difficulty. One in five of these is a troll, three are rats
/// and one is a spider. Five halls in a hundred contain one of four items, chosen with equal probability.
#[test]
fn r22_halls_have_inhabitants_in_given_shares() {
    let mut catalog = Catalog::builtin();
    let place = catalog.themes["well"].place.clone();
    let inhabitant =
        |creature: &str, weight| Inhabitant { creature: creature.into(), weight, place: place.clone() };
    let thing = |item: &str| LootItem {
        item: item.into(),
        weight: 1,
        difficulty: (0, u32::MAX),
        place: place.clone(),
    };
    let maze = LootTable {
        key: "halls".into(),
        coins_percent: 0,
        coins: (0, 0),
        item_percent: 5,
        items: ["clay_lamp", "old_key", "tin_cup", "copper_coin"].map(thing).to_vec(),
        place: place.clone(),
    };
    catalog.loot.insert("halls".into(), maze);
    let theme = catalog.themes.get_mut("well").unwrap();
    theme.inhabitants = Some(Inhabitants {
        percent: 50,
        percent_per_difficulty: 0,
        creatures: vec![inhabitant("troll", 1), inhabitant("rat", 3), inhabitant("spider", 1)],
        loot: Some("halls".into()),
        place: place.clone(),
    });
    (theme.roamer_percent, theme.out_of_depth.permille) = (0, 0);
    theme.perils.retain(|peril| matches!(peril.kind, PerilKind::None | PerilKind::Monsters));
    let inhabited = |catalog: &Catalog| {
        let (mut halls, mut creatures, mut things) = (0, BTreeMap::new(), BTreeMap::new());
        for seed in 0..40 {
            let spec = BranchSpec { generator: "corridor".into(), ..well(catalog, seed) };
            let branch = PlannedBranch::walk(spec, catalog, 151, 1);
            for room in branch.rooms.iter().skip(1) {
                halls += 1;
                for key in &room.plan.challenge.creatures {
                    *creatures.entry(key.clone()).or_insert(0) += 1;
                }
                for key in &room.plan.challenge.items {
                    *things.entry(key.clone()).or_insert(0) += 1;
                }
            }
        }
        (halls, creatures, things)
    };
    let (halls, creatures, things) = inhabited(&catalog);
    let (lived_in, found): (i32, i32) = (creatures.values().sum(), things.values().sum());
    assert!((470..=530).contains(&(lived_in * 1_000 / halls)), "{creatures:?} in {halls}");
    assert!((20..=80).contains(&(found * 1_000 / halls)), "{things:?} in {halls}");
    for (creature, share) in [("troll", 200), ("rat", 600), ("spider", 200)] {
        let actual = creatures[creature] * 1_000 / lived_in;
        assert!((share - 30..=share + 30).contains(&actual), "{creatures:?}");
    }
    assert_eq!(things.len(), 4, "{things:?}");
    catalog.themes.get_mut("well").unwrap().inhabitants.as_mut().unwrap().percent_per_difficulty = 2;
    assert!(inhabited(&catalog).1.values().sum::<i32>() > lived_in, "more the deeper");
}

/// All kinds of rooms occur, and plain fights make up 35 to 55 of 100 rooms.
#[test]
fn e24_all_room_kinds_occur() {
    let catalog = Catalog::builtin();
    let mut stats = BranchStats::default();
    for seed in 0..40 {
        stats.add(&PlannedBranch::walk(well(&catalog, seed), &catalog, 120, 1));
    }
    for kind in [
        RoomKind::Dungeon,
        RoomKind::Hint,
        RoomKind::Puzzle,
        RoomKind::Treasure,
        RoomKind::Rest,
        RoomKind::Merchant,
        RoomKind::Shrine,
        RoomKind::Riddle,
        RoomKind::Rescue,
        RoomKind::Landmark,
    ] {
        let share = stats.permille(stats.by_kind.get(&kind).copied().unwrap_or(0));
        assert!(share >= 10, "{kind:?}: {stats}");
    }
    assert!((350..=550).contains(&stats.permille(stats.fights)), "{stats}");
}

fn walked(seed: u64, generator: &str) -> (Catalog, PlannedBranch) {
    let catalog = Catalog::builtin();
    let mut spec = BranchSpec::of(&catalog, "well", Seed(seed));
    generator.clone_into(&mut spec.generator);
    let branch = PlannedBranch::walk(spec, &catalog, 200, 1);
    (catalog, branch)
}

/// Another generator gives other kinds of rooms; corridors do not fork.
#[test]
fn e38_generators_give_different_room_kinds() {
    let kinds = |name: &str| {
        let (_, branch) = walked(1, name);
        let forks = branch.rooms.iter().filter(|room| room.plan.new_exits.len() > 1).count();
        (branch.rooms.iter().any(|room| room.plan.sheet.kind == RoomKind::Corridor), forks > 0)
    };
    assert_eq!(kinds("frontier"), (false, true));
    assert_eq!(kinds("corridor"), (true, false));
    assert_eq!(kinds("unheard of"), kinds("frontier"), "a stored branch can always grow");
}

/// Rooms with guards or mechanisms are blocked; all others are clear from the start.
#[test]
fn e24_e25_e27_e28_e31_unblocked_rooms_are_clear() {
    let mut roamers_in_clear_rooms = 0;
    for seed in 0..10 {
        let (catalog, branch) = walked(seed, "frontier");
        for room in branch.rooms.iter().map(|room| &room.plan) {
            let guards =
                room.challenge.creatures.iter().filter(|key| catalog.creatures[*key].guards()).count();
            let expected = match room.sheet.kind {
                RoomKind::Puzzle => {
                    let gate = room.puzzle().is_some();
                    gate != (2..=4).contains(&pulls(room)) && !room.clear
                }
                RoomKind::Treasure => guards > 0 && !room.challenge.items.is_empty() && !room.clear,
                RoomKind::Rescue => guards > 0 && room.fixture.feature.is_some() && !room.clear,
                RoomKind::Rest => room.challenge.creatures.is_empty() && room.clear,
                RoomKind::Shrine | RoomKind::Riddle | RoomKind::Landmark => {
                    guards == 0 && room.fixture.feature.is_some() && room.clear
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

/// A theme's limit on a kind of room holds per floor and per branch, and the verifier finds no violation.
#[test]
fn p30_theme_limits_hold_per_floor_and_branch() {
    let mut catalog = Catalog::builtin();
    let perils = &mut catalog.themes.get_mut("well").unwrap().perils;
    let camp = perils.iter_mut().find(|peril| peril.kind == PerilKind::Room(RoomKind::Rest)).unwrap();
    camp.limit = RoomKindLimit { per_floor: Some(1), per_branch: Some(2) };
    let mut all = 0;
    for seed in 0..10 {
        let branch = PlannedBranch::walk(well(&catalog, seed), &catalog, 40, 3);
        let camps = branch.rooms.iter().filter(|room| room.plan.sheet.kind == RoomKind::Rest);
        let floors: Vec<u32> = camps.map(|room| room.floor).collect();
        let different: BTreeSet<&u32> = floors.iter().collect();
        assert!(floors.len() <= 2 && different.len() == floors.len(), "seed {seed}: {floors:?}");
        all += floors.len();
        let extent = Extent { rooms: 40, floors: 3, puzzles: false };
        assert_eq!(verify(&well(&catalog, seed), &catalog, extent).violations, []);
    }
    assert!(all >= 10, "{all} camps");
}

/// The first room holds at most one creature. Some first rooms are guarded and others are clear.
#[test]
fn first_room_has_at_most_one_creature() {
    let catalog = Catalog::builtin();
    let spec = |seed| BranchSpec::of(&catalog, "well", Seed(seed));
    let mut guarded = 0;
    for seed in 0..200 {
        let branch = PlannedBranch::walk(spec(seed), &catalog, 1, 1);
        let room = &branch.rooms[0].plan;
        assert!(room.challenge.creatures.len() <= 1 && pulls(room) == 0, "{room:?}");
        let grim = matches!(room.sheet.kind, RoomKind::Puzzle | RoomKind::Treasure | RoomKind::Rescue);
        assert!(!grim && !room.out_of_depth, "{room:?}");
        guarded += u32::from(!room.clear);
    }
    assert!((60..=110).contains(&guarded), "{guarded} of 200");
}

/// No room has the name of an adjacent room, in any shipped theme that names rooms by depth.
#[test]
fn adjacent_rooms_have_different_names() {
    let catalog = Catalog::builtin();
    let by_depth = |level_type: &&Arc<LevelType>| {
        catalog.theme_of(level_type).is_some_and(|theme| theme.scenery.passages.is_empty())
    };
    for level_type in catalog.level_types.values().filter(by_depth) {
        for seed in 0..8 {
            let branch =
                PlannedBranch::walk(BranchSpec::of(&catalog, &level_type.name, Seed(seed)), &catalog, 120, 1);
            for room in &branch.rooms {
                for way in Direction::PLANE {
                    let other = branch.at(1, room.plan.at.step(way));
                    assert!(
                        other.is_none_or(|other| other.plan.sheet.name != room.plan.sheet.name),
                        "{room:?}"
                    );
                }
            }
        }
    }
}

/// In 200 rooms of each level type, every noun-like word can be looked at, including those of landmarks, hints and
/// fixtures. Where the theme defines nouns, at least 15 % of the answers are its own texts.
#[test]
fn every_noun_in_room_texts_can_be_looked_at() {
    let catalog = Catalog::builtin();
    for level_type in catalog.level_types.values() {
        let Some(theme) = catalog.theme_of(level_type) else { continue };
        let (mut asked, mut own) = (0, 0);
        for seed in 0..4 {
            let branch =
                PlannedBranch::walk(BranchSpec::of(&catalog, &level_type.name, Seed(seed)), &catalog, 50, 1);
            for room in &branch.rooms {
                let plan = &room.plan;
                let mut text = plan.sheet.description.clone();
                for line in plan.fixture.line.iter().chain(plan.omens.values()) {
                    text.push(' ');
                    text.push_str(line);
                }
                let sight = ReadableRoom {
                    name: &plan.sheet.name,
                    text: &text,
                    theme: Some((theme, plan.depth)),
                    seed: Seed(seed),
                };
                for word in words_of(&format!("{} {text}", plan.sheet.name)) {
                    if word.len() < 4 || STOP.contains(&word.as_str()) || Direction::parse(&word).is_some() {
                        continue;
                    }
                    let seen = look_at(sight, &word).unwrap_or_else(|| panic!("{word} in {text}"));
                    assert!(
                        seen.ends_with(['.', '\'', '!', '?', ':']) && !seen.contains('{'),
                        "{word}: {seen}"
                    );
                    asked += 1;
                    own +=
                        u32::from(!seen.starts_with("You look closer.") && !seen.starts_with("You give it"));
                }
            }
        }
        assert!(theme.nouns.is_empty() || own * 100 / asked >= 15, "{}: {own} of {asked}", theme.key);
    }
}

/// In each level type, a fair share of the rooms with creatures names something that a fighter can use.
#[test]
fn rooms_with_fights_have_props() {
    let catalog = Catalog::builtin();
    for level_type in catalog.level_types.values().filter(|level| catalog.theme_of(level).is_some()) {
        let (mut rooms, mut with_props) = (0, 0);
        for seed in 0..8 {
            let spec = BranchSpec::of(&catalog, &level_type.name, Seed(seed));
            let branch = PlannedBranch::walk(spec, &catalog, 60, 1);
            let plans = branch.rooms.iter().map(|room| &room.plan);
            for plan in plans.filter(|plan| !plan.challenge.creatures.is_empty()) {
                rooms += 1;
                with_props += usize::from(!props_in(&catalog.props, &plan.sheet.description).is_empty());
            }
        }
        let percent = with_props * 100 / rooms;
        println!("{}: {percent} of 100 of {rooms} rooms with creatures have a prop", level_type.name);
        assert!((15..=45).contains(&percent), "{}: {percent} of 100", level_type.name);
    }
}
