//! Edge cases of creature behaviour: fleeing, aggro after absence, and limits on scripts. Uses the creatures of `den`.

use crate::den::{DEN, den, den_with, puts, room_of};
use crate::table::{Table, seeded};
use deepwell::base::{Direction, ExitId, ExitKind, Span};
use deepwell::catalog::RoomKind;
use deepwell::world::{Exit, Posture};
use std::sync::Arc;

/// Length of a combat round.
const ROUND: Span = Span::secs(3);

#[test]
fn e57_fleeing_creature_avoids_rest_room() {
    for seed in 0..4 {
        let (mut table, rooms) = den(seed, &["1r"]);
        table.edit_stored(|stored| {
            stored.rooms.get_mut(&rooms[&'r']).expect("a room").sheet.kind = RoomKind::Rest;
        });
        let coward = puts(&mut table, &[("coward", rooms[&'1'])])[0];
        table.becomes("Olad", 9_999, 30);
        for _ in 0..8 {
            table.types("Olad", "kill");
            table.waits(ROUND);
            assert_ne!(room_of(&table, coward), Some(rooms[&'r']), "seed {seed}");
        }
    }
}

#[test]
fn e57_t1_fleeing_creature_avoids_stairs() {
    let (mut table, rooms) = den(3, &["1"]);
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a meta row");
        let id = ExitId(meta.next_exit);
        meta.next_exit += 1;
        let mut stairs = Exit::new(id, rooms[&'1'], Some(Direction::Down));
        stairs.kind = ExitKind::Stairs;
        stored.exits.insert(id, stairs);
    });
    table.types_all("Olad", &["down", "up"]);
    assert_eq!(table.body("Olad").room, rooms[&'1'], "the stairs lead somewhere");
    let coward = puts(&mut table, &[("coward", rooms[&'1'])])[0];
    table.becomes("Olad", 9_999, 30);
    for _ in 0..8 {
        table.types("Olad", "kill");
        table.waits(ROUND);
        assert!(room_of(&table, coward).is_none_or(|room| room == rooms[&'1']));
    }
}

/// An aggressive creature attacks a player who quits in its room and comes back.
#[test]
fn returning_player_is_attacked_after_one_round() {
    let (mut table, rooms) = den(4, &["1a"]);
    table.types_all("Olad", &["east", "quit"]);
    puts(&mut table, &[("brute", rooms[&'a'])]);
    let read = table.comes_back("Olad");
    assert!(!read.contains("comes at you"), "one has a round to look about: {read}");
    table.waits(ROUND);
    assert!(table.hears("Olad").contains("The brute comes at you."));
}

/// A creature that has incapacitated its target attacks the next enemy, or the target once helped up.
#[test]
fn creature_attacks_next_enemy_after_incapacitating_one() {
    let (mut table, rooms) = den(5, &["1"]);
    let brute = puts(&mut table, &[("brute", rooms[&'1'])])[0];
    assert_eq!(table.body("Olad").target, Some(brute));
    table.sit("Bera");
    table.types_all("Bera", &["down", "east"]);
    assert_eq!(table.body("Bera").room, rooms[&'1']);
    table.becomes("Olad", 1, 1);
    let mut left = 20;
    while table.body("Olad").posture != Posture::Down && left > 0 {
        table.waits(ROUND);
        left -= 1;
    }
    assert_eq!(table.body("Olad").posture, Posture::Down);
    table.hears("Bera");
    table.waits(ROUND);
    table.waits(ROUND);
    assert!(table.hears("Bera").contains("The brute comes at you."));
}

/// A player helped up is attacked again when the short protection ends.
#[test]
fn rescued_player_is_attacked_after_protection_ends() {
    let (mut table, rooms) = den(5, &["1"]);
    let olad = table.body("Olad").id;
    table.edit_stored(|stored| {
        let safe = stored.meta.as_ref().expect("a meta row").time + ROUND;
        stored.characters.get_mut(&olad).expect("Olad").safe_until = Some(safe);
    });
    let brute = puts(&mut table, &[("brute", rooms[&'1'])])[0];
    assert_eq!(table.body("Olad").target, None, "nobody strikes whom a friend has just helped up");
    table.waits(ROUND);
    assert_eq!(table.body("Olad").target, Some(brute));
}

/// Neither scripts nor affects they apply kill in a room without combat.
#[test]
fn r21_e30_scripts_and_affects_do_not_kill_in_town() {
    let mut table = Table::with_content(seeded(1), &DEN);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["dig Trap Hall = hatch, out", "hatch"]);
    table.types("Olad", "set on_enter = harm 100000; affect poisoned");
    table.types_all("Olad", &["out", "hatch"]);
    let room = table.body("Olad").room;
    for _ in 0..8 {
        table.waits(ROUND);
    }
    let read = table.hears("Olad");
    assert!(read.contains("poisoned") && !read.contains("You fall"), "{read}");
    assert_eq!((table.body("Olad").room, table.body("Olad").hp), (room, 1));
}

/// Creatures that leave the room of a spawning script still count towards the branch limit.
#[test]
fn r21_creatures_spawned_by_scripts_are_limited_per_branch() {
    let mut catalog = (**DEN).clone();
    catalog.rules.roaming.creatures_in_branch = 6;
    let (mut table, rooms) = den_with(&Arc::new(catalog), 15, &["1abcdefgh"]);
    puts(&mut table, &[("oracle", rooms[&'1'])]);
    table.waits(Span::mins(10));
    let creatures = table
        .world()
        .characters
        .iter()
        .filter(|(_, body)| body.prototype.is_some() && body.branch.is_some())
        .count();
    assert_eq!(creatures, 6);
}
