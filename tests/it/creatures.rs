//! Creature behaviours (roam, seek, flee, attack, explode, web, charge, sleep, call for help) and scripts of rooms and
//! creatures. The creatures are those of `den`, with one behaviour each.

use crate::den::{DEN, den, den_in_zone, dens, puts, room_of};
use crate::table::{Table, seeded};
use deepwell::base::{CharacterId, Rare, RoomId, Span};
use deepwell::catalog::RoomKind;
use deepwell::world::{Door, Mood, Posture};
use std::collections::{BTreeMap, BTreeSet};

/// Interval of branch ticks.
const TICK: Span = Span::secs(10);

/// Length of a combat round.
const ROUND: Span = Span::secs(3);

/// E57: a roaming creature changes rooms while players are elsewhere in its branch. It stays in the branch and never
/// enters a rest room.
#[test]
fn roamer_moves_without_players_in_its_room() {
    let (mut table, rooms) = den(1, &["1.....abr"]);
    table.edit_stored(|stored| {
        stored.rooms.get_mut(&rooms[&'r']).expect("a room").sheet.kind = RoomKind::Rest;
    });
    let moth = puts(&mut table, &[("moth", rooms[&'b'])])[0];
    let (mut places, mut alone) = (BTreeSet::new(), 0);
    for _ in 0..60 {
        table.waits(TICK);
        let place = room_of(&table, moth).expect("a living moth");
        alone += u32::from(place != table.body("Olad").room);
        places.insert(place);
        assert_eq!(table.world().rooms[place].branch, table.branch_of("Olad"), "it keeps to its branch");
        assert_ne!(table.world().rooms[place].sheet.kind, RoomKind::Rest, "nothing hunts there");
    }
    assert!(places.len() > 3 && alone > 30, "{places:?}, alone {alone} times");
}

/// In a zone, creatures keep to its rooms with fights, and shut doors stop them.
#[test]
fn roamer_keeps_to_rooms_with_fights_of_its_zone() {
    let gate = Door { name: "gate".into(), shut: true, key: None };
    let (mut table, rooms) = den_in_zone(1, &["pbcd", " 1ea", " z  "]);
    table.edit_stored(|stored| {
        stored.rooms.get_mut(&rooms[&'p']).expect("a room").sheet.flags = Rare::usual();
        stored.rooms.get_mut(&rooms[&'z']).expect("a room").area = "elsewhere".into();
        let mut doors = stored.exits.values_mut().filter(|exit| exit.to == Some(rooms[&'d']));
        doors.by_ref().for_each(|exit| exit.door = Some(gate.clone()).into());
    });
    let moth = puts(&mut table, &[("moth", rooms[&'a'])])[0];
    let mut places = BTreeSet::new();
    for _ in 0..100 {
        table.waits(TICK);
        places.insert(room_of(&table, moth).expect("a living moth"));
    }
    for letter in ['p', 'z', 'd'] {
        assert!(!places.contains(&rooms[&letter]), "{letter}");
    }
    assert_eq!(places.len(), rooms.len() - 3, "it is everywhere else: {places:?} of {rooms:?}");
}

/// In a zone, no more creatures act on a tick than a branch may have.
#[test]
fn a8_tick_of_a_zone_is_limited() {
    let (mut table, rooms) = den_in_zone(1, &["1ab"]);
    table.allows_any_work();
    let most = table.game().catalog().rules.roaming.creatures_in_branch as usize;
    let moths = puts(&mut table, &vec![("moth", rooms[&'a']); most + 100]);
    table.waits(TICK);
    let moved = moths.iter().filter(|moth| room_of(&table, **moth) != Some(rooms[&'a'])).count();
    assert_eq!(moved, most);
}

/// In a zone, a creature that several players are near takes one step in a tick.
#[test]
fn creature_near_several_players_acts_once_in_a_tick() {
    let (mut table, rooms) = den_in_zone(1, &["1........a"]);
    table.sit("Bera");
    let bera = table.body("Bera").id;
    table.edit_stored(|stored| {
        stored.characters.get_mut(&bera).expect("Bera").room = rooms[&'a'];
    });
    let moth = puts(&mut table, &[("moth", rooms[&'a'])])[0];
    for _ in 0..60 {
        let before = table.world().rooms[room_of(&table, moth).expect("it lives")].at;
        table.waits(TICK);
        let after = table.world().rooms[room_of(&table, moth).expect("it lives")].at;
        assert_eq!(before.x.abs_diff(after.x), 1, "from {before:?} to {after:?}");
    }
}

/// E57: creatures near recently visited rooms keep acting for a while, in a branch and in a zone; then nothing has a timer
/// and its creatures do not move.
#[test]
fn e57_creatures_near_visited_rooms_act_for_a_while() {
    for is_zone in [false, true] {
        let (mut table, rooms) = if is_zone { den_in_zone(1, &["q1....a"]) } else { den(1, &["1....a"]) };
        // West of the first room is one without fights, in a branch the start room.
        table.edit_stored(|stored| {
            if let Some(room) = rooms.get(&'q').and_then(|room| stored.rooms.get_mut(room)) {
                room.sheet.flags = Rare::usual();
            }
        });
        let moth = puts(&mut table, &[("moth", rooms[&'a'])])[0];
        let timers = |table: &Table| table.game().stats().timers;
        table.waits(TICK);
        let stirring = timers(&table);
        table.types("Olad", "west");
        let mut places = BTreeSet::new();
        for _ in 0..5 {
            table.waits(TICK);
            places.insert(room_of(&table, moth));
        }
        assert!(places.len() > 1 && timers(&table) == stirring, "{places:?}");
        table.waits(TICK);
        table.waits(TICK);
        let place = room_of(&table, moth);
        assert_eq!(timers(&table), stirring - 1);
        table.waits(Span::mins(4));
        assert_eq!(room_of(&table, moth), place);
        table.types("Olad", "east");
        table.waits(TICK);
        table.waits(TICK);
        assert_ne!(room_of(&table, moth), place, "it wakes when somebody comes");
    }
}

/// E57: a tick covers creatures within sixteen rooms of players and of recently visited rooms only, so its cost does
/// not grow with the branch.
#[test]
fn e57_tick_covers_only_rooms_near_players() {
    let hall = format!("1{}", ".".repeat(59));
    let (mut table, _) = den(1, &[&hall]);
    let branch = table.branch_of("Olad").expect("a member");
    let mut rooms: Vec<RoomId> = table.rooms_of(branch);
    rooms.sort_by_key(|room| table.world().rooms[*room].at);
    let moths: Vec<_> = rooms.iter().map(|room| ("moth", *room)).collect();
    let moths = puts(&mut table, &moths);
    table.waits(TICK);
    let moved = |table: &Table| {
        let stays = |(moth, room): &(&CharacterId, &RoomId)| room_of(table, **moth) == Some(**room);
        moths.iter().zip(&rooms).map(|pair| !stays(&pair)).collect::<Vec<bool>>()
    };
    let far: Vec<bool> = (0..rooms.len()).map(|steps| steps <= 16).collect();
    assert_eq!(moved(&table), far, "each of those near has moved, and nobody else");
}

/// E57: `examine` and the branch dump show the four activity states.
#[test]
fn examine_and_dump_show_the_four_activity_states() {
    let (mut table, rooms) = den(2, &["1abc"]);
    let ids = puts(&mut table, &[("warden", rooms[&'1']), ("moth", rooms[&'1']), ("mouse", rooms[&'1'])]);
    table.edit_stored(|stored| {
        stored.characters.get_mut(&ids[1]).expect("a moth").mood = Mood::Roaming;
        stored.characters.get_mut(&ids[2]).expect("a mouse").mood = Mood::Fleeing(3);
    });
    let shown = |table: &mut Table, name: &str| table.types("Olad", &format!("examine {name}"));
    assert!(shown(&mut table, "warden").contains("It is idle."), "{}", shown(&mut table, "warden"));
    assert!(shown(&mut table, "moth").contains("It is roaming."));
    assert!(shown(&mut table, "mouse").contains("It is fleeing."));
    table.types("Olad", "kill warden");
    assert!(shown(&mut table, "warden").contains("It is fighting."));
    let dump = table.game().branch_dump(table.branch_of("Olad").expect("a member")).expect("a branch");
    let room = dump.floors[0].rooms.iter().find(|room| room.num == rooms[&'1'].0).expect("the room");
    assert_eq!(room.creatures, ["warden", "moth", "mouse"]);
    assert_eq!(room.creature_states, ["fighting", "roaming", "fleeing"]);
}

/// E28: a roaming creature that attacks in a cleared room leaves the room and its exits cleared.
#[test]
fn roamer_attack_leaves_a_cleared_room_clear() {
    let (mut table, rooms) = den(3, &["1ab"]);
    let bat = puts(&mut table, &[("bat", rooms[&'b'])])[0];
    let mut read = String::new();
    for _ in 0..60 {
        table.waits(TICK);
        read += &table.hears("Olad");
        if table.body("Olad").target == Some(bat) {
            break;
        }
    }
    assert!(read.contains("The bat comes at you."), "{read}");
    assert!(table.room("Olad").clear && !table.types("Olad", "look").contains("blocked"));
    assert!(table.world().rooms.iter().all(|(_, room)| room.clear));
}

/// Starts a crowd in one room and returns the number of creatures per room after a tick.
fn crowd_per_room_after_a_tick(kind: &str, plan: &[&str], from: char, seeds: u64) -> BTreeMap<char, u32> {
    let mut counts = BTreeMap::new();
    for seed in 0..seeds {
        let (mut table, rooms) = if seed % 2 == 0 { den(seed, plan) } else { den_in_zone(seed, plan) };
        // Two hundred creatures in one room search for the player.
        table.allows_any_work();
        let crowd = puts(&mut table, &vec![(kind, rooms[&from]); 200]);
        table.waits(TICK);
        for creature in crowd {
            let room = room_of(&table, creature).expect("nobody dies");
            let letter = rooms.iter().find(|(_, id)| **id == room).map(|(letter, _)| *letter);
            *counts.entry(letter.expect("a drawn room")).or_default() += 1;
        }
    }
    counts
}

/// Returns the sum of (found - expected)² / expected.
fn chi_square(found: &[u32], expected: &[u32]) -> f64 {
    let term = |(found, expected): (&u32, &u32)| {
        let (found, expected) = (f64::from(*found), f64::from(*expected));
        (found - expected).powi(2) / expected
    };
    found.iter().zip(expected).map(term).sum()
}

/// R17: a seeking creature takes the shortest path half of the time, else a random exit. The right one of four exits
/// has probability 0.5 + 0.5/4; 2,000 draws, chi-square with three degrees of freedom below the value of p = 0.001.
#[test]
fn seeking_takes_the_shortest_path_half_the_time() {
    let found = crowd_per_room_after_a_tick("hound", &["  n  ", "1wxe ", "  s  "], 'x', 10);
    let counts = ['w', 'n', 'e', 's'].map(|letter| found.get(&letter).copied().unwrap_or(0));
    assert_eq!(counts.iter().sum::<u32>(), 2_000, "everybody moves: {found:?}");
    assert!(chi_square(&counts, &[1_250, 250, 250, 250]) < 16.27, "{found:?}");
}

/// R17: the path is the shortest over explored exits, not the straight line.
#[test]
fn seeking_follows_exits_around_walls() {
    // `x` is two rooms below `1`, but the path leads east first.
    let plan = ["1abcd", "    q", "kxyze"];
    let found = crowd_per_room_after_a_tick("hound", &plan, 'x', 10);
    let counts = ['y', 'k'].map(|letter| found.get(&letter).copied().unwrap_or(0));
    assert!(chi_square(&counts, &[1_500, 500]) < 10.83, "one degree of freedom: {found:?}");
}

/// R17: a fleeing creature moves away by the same rule; with no player near it does not move.
#[test]
fn fleeing_moves_away_half_the_time() {
    let found = crowd_per_room_after_a_tick("mouse", &["  n  ", "1wxe ", "  s  "], 'x', 10);
    let counts = ['w', 'n', 'e', 's'].map(|letter| found.get(&letter).copied().unwrap_or(0));
    let expected = [250, 583, 583, 583];
    assert!(chi_square(&counts, &expected) < 16.27, "{found:?}");
    let found = crowd_per_room_after_a_tick("mouse", &["1.............wxe"], 'x', 1);
    assert_eq!(found.get(&'x'), Some(&200), "fourteen rooms are far: {found:?}");
}

/// R17: a wandering creature takes a random exit.
#[test]
fn wandering_takes_exits_uniformly() {
    let found = crowd_per_room_after_a_tick("moth", &["  n  ", "1wxe ", "  s  "], 'x', 10);
    let counts = ['w', 'n', 'e', 's'].map(|letter| found.get(&letter).copied().unwrap_or(0));
    assert!(chi_square(&counts, &[500; 4]) < 16.27, "{found:?}");
}

/// R17: players beyond `roaming.seek_rooms` are not found, which bounds the cost of the search.
#[test]
fn seeking_ignores_players_beyond_its_range() {
    let found = crowd_per_room_after_a_tick("hound", &["1...........wx"], 'x', 1);
    assert_eq!(found.get(&'w'), Some(&200), "the only exit");
    let found = crowd_per_room_after_a_tick("hound", &["1............wxe"], 'x', 10);
    let counts = ['w', 'e'].map(|letter| found.get(&letter).copied().unwrap_or(0));
    assert!(chi_square(&counts, &[1_000, 1_000]) < 10.83, "{found:?}");
}

/// R1: a bomb does not move; it warns when a player arrives, explodes a round later and damages everyone in the room.
#[test]
fn bomb_warns_and_explodes_a_round_later() {
    for (mut table, rooms) in dens(4, &["1ab"]) {
        let ids = puts(&mut table, &[("keg", rooms[&'a']), ("mouse", rooms[&'a'])]);
        table.waits(Span::mins(2));
        assert_eq!(room_of(&table, ids[0]), Some(rooms[&'a']), "it stands still, and nobody has come");
        let hp = table.body("Olad").hp;
        let read = table.types("Olad", "east");
        assert!(read.contains("The keg hisses."), "{read}");
        assert!(table.types("Olad", "examine keg").contains("about to burst"));
        assert_eq!(table.body("Olad").hp, hp);
        table.waits(ROUND);
        let read = table.hears("Olad");
        assert!(read.contains("The keg bursts.") && read.contains("hurts you for 50 points"), "{read}");
        assert_eq!(table.body("Olad").hp, hp - 50);
        assert_eq!(room_of(&table, ids[0]), None, "it is gone");
        if room_of(&table, ids[1]) == Some(rooms[&'a']) {
            assert!(table.world().characters[ids[1]].hp <= 50, "the mouse was there too");
        }
    }
}

/// R1: leaving in time avoids the blast, and killing the bomb prevents it; a lit fuse persists over a restart.
#[test]
fn bomb_can_be_escaped_or_killed_before_the_blast() {
    for (mut table, rooms) in dens(5, &["1ab"]) {
        let keg = puts(&mut table, &[("keg", rooms[&'a'])])[0];
        let hp = table.body("Olad").hp;
        table.types_all("Olad", &["east", "west"]);
        table.restart();
        assert_eq!(table.world().characters[keg].mood, Mood::Fuse(1));
        table.waits(ROUND);
        assert_eq!((room_of(&table, keg), table.body("Olad").hp), (None, hp));
        let keg = puts(&mut table, &[("keg", rooms[&'a'])])[0];
        table.becomes("Olad", 9_999, 5_000);
        table.types("Olad", "east");
        for _ in 0..20 {
            if room_of(&table, keg).is_none() {
                break;
            }
            table.types("Olad", "kill keg");
        }
        table.waits(ROUND);
        let read = table.hears("Olad");
        assert!(!read.contains("bursts") || room_of(&table, keg).is_none(), "{read}");
    }
}

/// R1: a bomber seeks players and explodes two rounds after its warning if so configured.
#[test]
fn bomber_seeks_and_explodes_after_its_fuse() {
    for (mut table, rooms) in dens(6, &["1abc"]) {
        puts(&mut table, &[("bomber", rooms[&'c'])]);
        let hp = table.body("Olad").hp;
        table.waits(Span::secs(30));
        let read = table.hears("Olad");
        assert!(read.contains("The bomber arrives") && read.contains("The bomber grins."), "{read}");
        table.waits(ROUND);
        assert!(!table.hears("Olad").contains("bursts"));
        table.waits(ROUND);
        assert!(table.hears("Olad").contains("The bomber bursts."));
        assert!(table.body("Olad").hp <= hp - 20);
    }
}

/// A creature with `attack` attacks immediately, or after a number of rounds in the same room.
#[test]
fn aggressive_creatures_attack_at_once_or_after_a_delay() {
    for (mut table, rooms) in dens(7, &["1a", " b"]) {
        puts(&mut table, &[("lurker", rooms[&'a'])]);
        assert!(!table.types("Olad", "east").contains("comes at you"));
        table.waits(Span::secs(7));
        assert_eq!(table.body("Olad").target, None);
        table.waits(ROUND);
        assert!(table.hears("Olad").contains("The lurker comes at you."));
    }
    for (mut table, rooms) in dens(7, &["1a", " b"]) {
        let brute = puts(&mut table, &[("brute", rooms[&'a'])])[0];
        assert!(table.types("Olad", "east").contains("The brute comes at you."));
        assert_eq!(table.body("Olad").target, Some(brute));
    }
}

/// A creature below its threshold flees, stays away for a while, and returns; a guard that flees stops guarding.
#[test]
fn wounded_creature_flees_and_returns() {
    for (mut table, rooms) in dens(8, &["1abcdef"]) {
        let guard = puts(&mut table, &[("coward", rooms[&'1'])])[0];
        table.edit_stored(|stored| stored.rooms.get_mut(&rooms[&'1']).expect("a room").clear = false);
        table.becomes("Olad", 9_999, 30);
        assert!(table.types("Olad", "look").contains("A coward is here, on guard."));
        table.waits(Span::mins(1));
        assert_eq!(room_of(&table, guard), Some(rooms[&'1']), "a guard stays");
        let mut read = String::new();
        for _ in 0..40 {
            if room_of(&table, guard) != Some(rooms[&'1']) {
                break;
            }
            table.types("Olad", "kill");
            table.waits(ROUND);
            read += &table.hears("Olad");
        }
        assert!(read.contains("The coward breaks away"), "{read}");
        assert!(table.world().characters.get(guard).is_some(), "it lives");
        assert!(read.contains("The room is clear") && table.room("Olad").clear);
        assert!(matches!(table.world().characters[guard].mood, Mood::Fleeing(_)));
        let mut back = false;
        for _ in 0..60 {
            table.waits(TICK);
            back |= room_of(&table, guard) == Some(rooms[&'1']);
        }
        assert!(back, "it comes back");
        assert!(table.room("Olad").clear, "E28: the room stays clear");
    }
}

/// R16: over many hunts the distance to the player shrinks.
#[test]
fn seeking_creature_approaches_the_player() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..20 {
        let (mut table, rooms) = den(seed, &["1.......", ". . . .x", "........"]);
        let hunter = puts(&mut table, &[("bull", rooms[&'x'])])[0];
        before += 8;
        table.waits(Span::secs(60));
        let at = |room: RoomId| table.world().rooms[room].at;
        let (olad, bull) = (at(table.body("Olad").room), at(room_of(&table, hunter).expect("it lives")));
        after += olad.x.abs_diff(bull.x) + olad.y.abs_diff(bull.y);
    }
    assert!(after * 3 < before * 2, "from {before} steps to {after} in all");
}

/// R16: a minotaur's steps are heard up to two rooms away, also by `listen`.
#[test]
fn minotaur_is_audible_two_rooms_away() {
    for (mut table, rooms) in dens(9, &["1a   ", " b   ", " cdef"]) {
        let bull = puts(&mut table, &[("bull", rooms[&'f'])])[0];
        let mut heard_at = BTreeSet::new();
        for _ in 0..40 {
            table.waits(TICK);
            if room_of(&table, bull) == Some(rooms[&'1']) {
                break;
            }
            let read = table.hears("Olad");
            let here = room_of(&table, bull).expect("it lives");
            if let Some(line) = read.lines().rfind(|line| line.ends_with("Hooves strike stone.")) {
                heard_at.insert(here);
                let from = if here == rooms[&'a'] {
                    "From next door to the east:"
                } else {
                    "From the east, two rooms away:"
                };
                assert!(line.starts_with(from), "{line}");
                assert_eq!(table.types("Olad", "listen"), line);
            }
        }
        let near: BTreeSet<RoomId> = [rooms[&'a'], rooms[&'b']].into();
        assert!(!heard_at.is_empty() && heard_at.is_subset(&near), "{heard_at:?} of {rooms:?}");
    }
}

/// R16: a minotaur charges along a straight hall a round after its warning, with extra damage.
#[test]
fn minotaur_charges_along_a_hall() {
    for (mut table, rooms) in dens(10, &["1abcd"]) {
        let bull = puts(&mut table, &[("bull", rooms[&'d'])])[0];
        let hp = table.body("Olad").hp;
        table.waits(TICK);
        let read = table.hears("Olad");
        assert!(read.contains("Along the hall to the east, the bull lowers its head."), "{read}");
        assert_eq!((room_of(&table, bull), table.body("Olad").hp), (Some(rooms[&'d']), hp));
        table.waits(ROUND);
        let read = table.hears("Olad");
        assert!(read.contains("The bull comes at you at a full run!"), "{read}");
        assert_eq!((room_of(&table, bull), table.body("Olad").target), (Some(rooms[&'1']), Some(bull)));
        assert!(table.body("Olad").hp < hp);
    }
}

/// R16: a player who leaves the hall is missed; the charge runs to the end of the hall.
#[test]
fn charge_misses_a_player_who_leaves_the_hall() {
    for (mut table, rooms) in dens(11, &["abcd", "1   "]) {
        let bull = puts(&mut table, &[("bull", rooms[&'d'])])[0];
        table.types("Olad", "north");
        table.waits(TICK);
        assert!(table.hears("Olad").contains("lowers its head"));
        table.types("Olad", "south");
        table.waits(ROUND);
        assert_eq!(room_of(&table, bull), Some(rooms[&'a']), "it ran to the end of the hall");
        assert_eq!(table.body("Olad").target, None);
    }
}

/// R16: a charge that ends at a wall stuns the creature for a round.
#[test]
fn charge_into_a_wall_stuns_the_creature() {
    for (mut table, rooms) in dens(11, &["abcd", "1   "]) {
        let bull = puts(&mut table, &[("bull", rooms[&'d'])])[0];
        table.types("Olad", "north");
        table.waits(TICK);
        table.types("Olad", "south");
        table.waits(ROUND);
        table.types("Olad", "north");
        let stunned = |table: &Table| {
            table.world().characters[bull].affects.iter().any(|affect| affect.key == "stunned")
        };
        assert!(stunned(&table) && table.body("Olad").target.is_none(), "it cannot strike whoever comes");
        table.waits(ROUND);
        assert!(!stunned(&table), "for a round");
        table.waits(TICK);
        assert_eq!(table.body("Olad").target, Some(bull));
    }
}

/// R18: a web is spun only in an empty room that the spinner has just left.
#[test]
fn spider_spins_webs_only_in_empty_rooms_it_left() {
    for (mut table, rooms) in dens(12, &["1abcdef"]) {
        let ids =
            puts(&mut table, &[("weaver", rooms[&'f']), ("weaver", rooms[&'d']), ("statue", rooms[&'d'])]);
        let mut spun = 0;
        for _ in 0..80 {
            let before: Vec<_> = ids[..2].iter().map(|id| room_of(&table, *id)).collect();
            let webs_before: BTreeSet<RoomId> = webs(&table);
            table.waits(TICK);
            for web in webs(&table).difference(&webs_before) {
                spun += 1;
                assert!(before.contains(&Some(*web)), "only where a spinner was");
                assert!(table.world().occupants(*web).is_empty(), "nobody stays there");
            }
            assert!(!webs(&table).contains(&rooms[&'d']), "the statue stands there");
        }
        assert!(spun > 0);
    }
}

/// Returns the rooms with webs.
fn webs(table: &Table) -> BTreeSet<RoomId> {
    table.world().rooms.iter().filter(|(_, room)| room.web).map(|(id, _)| id).collect()
}

/// Puts Olad into `1`, a web into `a` and a statue into `b` behind it.
const BEFORE_A_WEB: [&str; 2] = ["1ab", " cd"];

fn before_a_web(
    (mut table, rooms): (Table, BTreeMap<char, RoomId>),
) -> (Table, BTreeMap<char, RoomId>, CharacterId) {
    let statue = puts(&mut table, &[("statue", rooms[&'a']), ("statue", rooms[&'b'])])[0];
    table.edit_stored(|stored| {
        stored.characters.get_mut(&statue).expect("a statue").room = rooms[&'d'];
        stored.rooms.get_mut(&rooms[&'a']).expect("a room").web = true;
    });
    (table, rooms, statue)
}

/// R19: a web hides its room from `look` and `scan`, and the rooms beyond from the map. The first character to enter
/// tears it, and the room is as before.
#[test]
fn web_hides_its_room_until_torn() {
    let (mut table, rooms, _) = before_a_web(den(13, &BEFORE_A_WEB));
    assert!(table.types("Olad", "look east").contains("A silver web fills the room."));
    let scan = table.types("Olad", "scan");
    assert!(scan.contains("East, in Room a: A silver web fills the room."), "{scan}");
    let drawn = |table: &mut Table| {
        let map = table.types("Olad", "map");
        map.lines().filter(|line| !line.contains(" is ")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(drawn(&mut table), "S---@---w", "nothing beyond is drawn");
    let before = table.world().rooms[rooms[&'a']].sheet.description.clone();
    let read = table.types("Olad", "east");
    assert!(read.contains("You tear into a silver web."), "{read}");
    let view = table.types("Olad", "look");
    assert!(view.contains(&before) && !view.contains("web"), "{view}");
    assert!(!table.room("Olad").web);
    let scan = table.types("Olad", "scan");
    assert!(scan.contains("East, in Room b: a statue."), "{scan}");
    table.waits(Span::secs(30));
    table.types_all("Olad", &["west"]);
    assert!(!table.types("Olad", "east").contains("web"), "only once");
    assert!(drawn(&mut table).contains("o---@---o"), "{}", drawn(&mut table));
}

/// R19: creatures tear webs too.
#[test]
fn creature_tears_a_web() {
    for (mut table, rooms) in dens(14, &["1.......wx"]) {
        table.edit_stored(|stored| stored.rooms.get_mut(&rooms[&'w']).expect("a room").web = true);
        let moth = puts(&mut table, &[("moth", rooms[&'x'])])[0];
        table.waits(TICK);
        assert_eq!(room_of(&table, moth), Some(rooms[&'w']));
        assert!(!table.world().rooms[rooms[&'w']].web);
    }
}

/// R20: a character that tears a web is held for `roaming.web_sticks` rounds, with a notice.
#[test]
fn web_holds_the_character_that_tears_it() {
    for (mut table, rooms, _) in dens(13, &BEFORE_A_WEB).map(before_a_web) {
        let read = table.types("Olad", "east");
        assert!(read.contains("The threads hold you for one round"), "{read}");
        let held = |table: &Table| table.body("Olad").affects.iter().any(|affect| affect.key == "webbed");
        assert!(held(&table));
        table.types("Olad", "east");
        assert_eq!(table.body("Olad").room, rooms[&'a'], "it holds");
        table.waits(ROUND);
        assert!(!held(&table));
        table.types("Olad", "east");
        assert_eq!(table.body("Olad").room, rooms[&'b']);
    }
}

/// R21: a trap can be defined by data alone: it harms the first character to enter, once, and cannot kill where fights
/// are off.
#[test]
fn trap_is_defined_by_data() {
    let mut table = Table::with_content(seeded(1), &DEN);
    table.sit("Olad");
    table.make_owner("Olad");
    table.sit("Bera");
    let hp = table.body("Olad").hp;
    let read = table.types("Olad", "goto Dart Hall");
    assert!(read.contains("A dart bites into your arm.") && read.contains("Something clicks."), "{read}");
    assert_eq!(table.body("Olad").hp, hp - 3);
    assert!(table.room("Olad").triggers.is_empty(), "it is spent");
    table.types("Olad", "goto bera");
    assert!(!table.types("Olad", "goto Dart Hall").contains("dart bites"));
    table.types("Olad", "goto Deep Pit");
    assert_eq!((table.body("Olad").hp, table.room("Olad").sheet.name.as_str()), (1, "Deep Pit"), "E30");
}

/// R21: builders set a room script in the game: it is checked, shown, stored, audited and removable. Players cannot.
#[test]
fn builders_set_room_scripts_in_the_game() {
    let mut table = Table::with_content(seeded(1), &DEN);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["dig Trap Hall = hatch, out", "hatch"]);
    let refused = table.types("Olad", "set on_enter = room A click.; harn 3; spawn bee; 500% once");
    for message in
        ["line 2, column 1: unknown verb `harn`", "did you mean `harm`?", "line 4, column 1: `500%`"]
    {
        assert!(refused.contains(message), "{refused}");
    }
    assert_eq!(
        table.types("Olad", "set on_enter = spawn mothh"),
        "There is no creature \"mothh\", did you mean `moth`?"
    );
    assert!(table.room("Olad").triggers.is_empty());
    let reply =
        table.types("Olad", "set on_enter = room A click.; say Who is there?; spawn moth; item old_key");
    assert!(reply.contains("four lines"), "{reply}");
    assert!(
        table
            .types("Olad", "examine here")
            .contains("trigger enter = room A click.; say Who is there?; spawn moth")
    );
    table.types("Olad", "out");
    table.restart();
    let read = table.types("Olad", "hatch");
    assert!(read.contains("A click.") && read.contains("A voice says, \"Who is there?\""), "{read}");
    let here = table.body("Olad").room;
    assert_eq!((table.world().occupants(here).len(), table.world().ground(here).len()), (2, 1));
    assert!(
        table.stored().audit.values().any(|record| record.action.starts_with("set on_enter = room A click."))
    );
    table.types("Olad", "set on_enter =");
    assert!(table.room("Olad").triggers.is_empty());
    table.sit("Bera");
    assert!(table.types("Bera", "set on_enter = harm 3").contains("There is no command"));
}

/// R21: the number of creatures and items that scripts create in a room is limited.
#[test]
fn script_spawns_per_room_are_limited() {
    let mut table = Table::with_content(seeded(1), &DEN);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all(
        "Olad",
        &["dig Nest = hatch, out", "hatch", "set on_enter = spawn moth; spawn moth; item old_key"],
    );
    for _ in 0..130 {
        table.types_all("Olad", &["out", "hatch"]);
    }
    let here = table.body("Olad").room;
    assert_eq!(table.world().occupants(here).len(), 21, "twenty creatures and Olad");
    assert_eq!(table.world().ground(here).len(), 100);
}

/// R21: a creature's script runs at each tick, with a player in its room as subject.
#[test]
fn creature_script_runs_each_tick() {
    for (mut table, rooms) in dens(15, &["1ab"]) {
        puts(&mut table, &[("oracle", rooms[&'1'])]);
        let hp = table.body("Olad").hp;
        table.waits(TICK);
        let read = table.hears("Olad");
        assert!(read.contains("The oracle says, \"I see {you}.\""), "{read}");
        assert_eq!(table.body("Olad").hp, hp - 2);
        table.waits(Span::mins(3));
        assert!(table.world().ground(rooms[&'1']).len() > 10);
        let moths = table
            .world()
            .characters
            .iter()
            .filter(|(_, body)| body.prototype.as_deref() == Some("moth"))
            .count();
        assert!(moths > 2);
    }
}

/// Pack creatures join each other's fights and call their kind from adjacent rooms.
#[test]
fn pack_creatures_join_fights_and_call_for_help() {
    for (mut table, rooms) in dens(16, &["1abc"]) {
        let wolves = puts(&mut table, &[("wolf", rooms[&'a']), ("wolf", rooms[&'a']), ("wolf", rooms[&'b'])]);
        table.becomes("Olad", 9_999, 5);
        table.types("Olad", "east");
        assert_eq!(table.body("Olad").target, None);
        let mut read = String::new();
        let fighting = |table: &Table| {
            wolves.iter().filter(|wolf| table.world().characters[**wolf].target.is_some()).count()
        };
        for _ in 0..10 {
            read += &table.types("Olad", "kill wolf");
            table.waits(ROUND);
            read += &table.hears("Olad");
        }
        assert!(
            read.contains("The wolf joins the fight against you.") && read.contains("The wolf howls."),
            "{read}"
        );
        assert_eq!(fighting(&table), 3);
        let strongest = ["15 points", "16 points", "14 points"].iter().any(|points| read.contains(points));
        assert!(strongest, "attack 3, and 7 for each of two others, less a defence of 2: {read}");
    }
}

/// A sleeping creature ignores arrivals, and wakes when it is hit or a fight takes place in its room.
#[test]
fn sleeping_creature_wakes_when_a_fight_is_near() {
    for (mut table, rooms) in dens(17, &["1ab"]) {
        let ids = puts(&mut table, &[("bear", rooms[&'a']), ("statue", rooms[&'a'])]);
        table.edit_stored(|stored| {
            stored.characters.get_mut(&ids[0]).expect("a bear").posture = Posture::Asleep;
        });
        assert!(table.types("Olad", "listen").contains("breathes slowly"));
        table.types("Olad", "east");
        table.waits(Span::mins(1));
        assert_eq!(table.body("Olad").target, None);
        assert!(table.types("Olad", "examine bear").contains("It is idle, fast asleep."));
        assert!(table.types("Olad", "look").contains("A bear is here, fast asleep."));
        table.types("Olad", "kill statue");
        table.waits(Span::secs(60));
        let read = table.hears("Olad");
        assert!(read.contains("The bear wakes.") && read.contains("The bear comes at you."), "{read}");
    }
}

/// C3: the same world and moves give the same creature behaviour.
#[test]
fn creature_behaviour_is_deterministic() {
    let run = || {
        let (mut table, rooms) = den(18, &["1abcdef", ". . . .", "......."]);
        let kinds = ["hound", "bat", "weaver", "mouse", "bull", "bomber", "oracle"];
        let crowd: Vec<(&str, RoomId)> = kinds.iter().map(|kind| (*kind, rooms[&'f'])).collect();
        puts(&mut table, &crowd);
        table.waits(Span::mins(10));
        let read = table.hears("Olad");
        (read, serde_json::to_string(&table.world().snapshot().characters).expect("rows are JSON"))
    };
    assert_eq!(run(), run());
}

/// Protocols 10: creatures of a kind with the same activity share one sentence.
#[test]
fn creatures_with_the_same_activity_share_a_sentence() {
    let (mut table, rooms) = den(17, &["1ab"]);
    let ids = puts(&mut table, &["bear", "statue", "bear", "bear"].map(|kind| (kind, rooms[&'a'])));
    table.edit_stored(|stored| {
        for id in [ids[0], ids[2]] {
            stored.characters.get_mut(&id).expect("a bear").posture = Posture::Asleep;
        }
    });
    let read = table.types("Olad", "east");
    let lines: Vec<&str> =
        read.lines().filter(|line| [" is here", " are here"].iter().any(|is| line.contains(is))).collect();
    assert_eq!(lines, ["Two bears are here, fast asleep.", "A statue is here.", "A bear is here."], "{read}");
}
