//! Bows, rockets and creatures that shoot, in rooms of a given layout.

use crate::den::{den, den_in_zone, dens, puts, room_of};
use crate::table::Table;
use deepwell::base::{Slot, Span};
use deepwell::catalog::RoomKind;
use deepwell::world::{Door, Item, Place};

/// Length of a combat round.
const ROUND: Span = Span::secs(3);
/// Interval of branch ticks.
const TICK: Span = Span::secs(10);

/// Gives Olad a wielded bow and three rockets.
fn arm(table: &mut Table) {
    let (olad, now) = (table.id("Olad"), table.now());
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a meta row");
        for (key, worn, count) in [("short_bow", Some(Slot::Hand), 1), ("rocket", None, 3)] {
            let id = deepwell::base::ItemId(meta.next_item);
            meta.next_item += 1;
            let item = Item { worn, count, ..Item::new(id, key, Place::Holder(olad), now) };
            stored.items.insert(id, item);
        }
    });
    table.hears("Olad");
}

/// R23: an arrow hits the first creature straight ahead, at most two rooms away, once a round; a creature that survives
/// attacks.
#[test]
fn r23_arrow_hits_first_creature_ahead_and_draws_it() {
    for (mut table, rooms) in dens(3, &["1abc"]) {
        let far = puts(&mut table, &[("warden", rooms[&'c'])])[0];
        arm(&mut table);
        table.becomes("Olad", 9_999, 20);
        let refused = table.types("Olad", "shoot east");
        assert!(refused.contains("You see nobody to shoot at that way."), "three rooms away: {refused}");
        let near = puts(&mut table, &[("warden", rooms[&'b'])])[0];
        loop {
            let read = table.types("Olad", "shoot east");
            assert!(read.contains("the warden, to the east"), "{read}");
            let again = table.types("Olad", "shoot east");
            assert!(again.contains("Your hands need a moment: 3 seconds."), "{again}");
            if read.contains("You hit the warden, to the east, for ") {
                break;
            }
            // A missed creature attacks too; it is put back so that a later shot can hit.
            let room = rooms[&'b'];
            table.edit_stored(|stored| {
                let body = stored.characters.get_mut(&near).expect("the warden");
                body.mood = deepwell::world::Mood::Idle;
                body.room = room;
            });
            table.waits(ROUND);
        }
        assert!(table.world().characters[near].hp < 100);
        assert_eq!(table.world().characters[far].hp, 100, "what stands behind is not hit");
        table.waits(ROUND);
        let read = table.hears("Olad");
        assert!(read.contains("The warden comes at you at a full run!"), "{read}");
        assert_eq!(room_of(&table, near), Some(rooms[&'1']));
        let refused = table.types("Olad", "shoot east");
        assert!(refused.contains("It is too close for that"), "{refused}");
    }
}

/// R23: a creature killed by an arrow gives its experience, to the party in its room and in the shooter's room; its
/// items drop where it died.
#[test]
fn r23_kill_by_arrow_gives_experience() {
    for (mut table, rooms) in dens(4, &["1ab"]) {
        puts(&mut table, &[("moth", rooms[&'a'])]);
        arm(&mut table);
        table.becomes("Olad", 9_999, 900);
        let mut read = String::new();
        for _ in 0..8 {
            read += &table.types("Olad", "shoot east");
            if read.contains("is dead") || read.contains("you gain") {
                break;
            }
            table.waits(ROUND);
            read += &table.hears("Olad");
        }
        assert!(read.contains("you gain 10 experience"), "{read}");
        assert!(table.world().occupants(rooms[&'a']).is_empty());
    }
}

/// R23: a rocket explodes in the first room ahead with creatures, damages and dazzles them, and is used up; without a
/// direction it is only a firework.
#[test]
fn r23_rocket_damages_and_dazzles_creatures_ahead() {
    for (mut table, rooms) in dens(5, &["1ab"]) {
        let wardens = puts(&mut table, &[("warden", rooms[&'b']), ("warden", rooms[&'b'])]);
        let captive = puts(&mut table, &[("statue", rooms[&'b'])])[0];
        arm(&mut table);
        assert!(table.types("Olad", "light bow").contains("is nothing to light."));
        let read = table.types("Olad", "light rocket");
        assert!(read.contains("green and golden stars"), "{read}");
        table.waits(ROUND);
        let read = table.types("Olad", "light rocket east");
        assert!(read.contains("hisses away to the east"), "{read}");
        for warden in &wardens {
            let body = &table.world().characters[*warden];
            assert_eq!(body.hp, 94);
            assert!(body.affects.iter().any(|affect| affect.key == "dazzled"));
        }
        assert_eq!(table.world().characters[captive].hp, 100, "whoever has no will to fight is spared");
        assert!(table.types("Olad", "inventory").contains("a rocket"), "one of three is left");
        table.waits(ROUND);
        assert!(table.hears("Olad").contains("comes at you"));
    }
}

/// R23: a creature that shoots hits targets straight ahead, and none around a corner.
#[test]
fn r23_creature_shoots_only_at_targets_straight_ahead() {
    for (mut table, rooms) in dens(6, &["1ab", "c  "]) {
        let archer = puts(&mut table, &[("archer", rooms[&'b'])])[0];
        let mut read = String::new();
        for _ in 0..6 {
            table.waits(TICK);
            read += &table.hears("Olad");
        }
        assert!(read.contains("A feathered dart comes out of the east and hits you for "), "{read}");
        assert_eq!(room_of(&table, archer), Some(rooms[&'b']), "it stays where it is");
        table.types("Olad", "south");
        table.hears("Olad");
        table.waits(TICK);
        let read = table.hears("Olad");
        assert!(!read.contains("dart"), "round the corner nobody is hit: {read}");
    }
}

/// R23: a shot without a bow, without an exit in that direction, or into the town is refused with the reason.
#[test]
fn r23_impossible_shots_are_refused_with_reason() {
    let (mut table, _) = den(7, &["1a"]);
    assert!(table.types("Olad", "shoot east").contains("You have nothing in hand that shoots."));
    arm(&mut table);
    assert!(table.types("Olad", "shoot north").contains("An arrow needs a way to fly"));
    let out = table.types("Olad", "shoot west");
    assert!(out.contains("You can shoot only along the ways that you know, and in the dungeon."), "{out}");
    assert!(table.types("Olad", "shoot east").contains("You see nobody to shoot at that way."));
}

/// R23: shooting out of a room that creatures cannot enter is refused.
#[test]
fn r23_shooting_from_a_rest_room_is_refused() {
    for (mut table, rooms) in dens(8, &["1ab"]) {
        let warden = puts(&mut table, &[("warden", rooms[&'b'])])[0];
        arm(&mut table);
        let here = table.room("Olad").id;
        table.edit_stored(|stored| stored.rooms.get_mut(&here).expect("a room").sheet.kind = RoomKind::Rest);
        for line in ["shoot east", "light rocket east", "light rocket"] {
            let answer = table.types("Olad", line);
            assert!(answer.contains("in a room where people rest"), "{line}: {answer}");
        }
        assert_eq!(table.world().characters[warden].hp, 100);
    }
}

/// A shut door of a zone stops a creature's shot.
#[test]
fn creature_does_not_shoot_through_a_shut_door() {
    for is_shut in [false, true] {
        let (mut table, rooms) = den_in_zone(6, &["1ab"]);
        table.edit_stored(|stored| {
            for exit in stored.exits.values_mut().filter(|exit| exit.to == Some(rooms[&'a'])) {
                exit.door = Some(Door { name: "gate".into(), shut: is_shut, key: None }).into();
            }
        });
        puts(&mut table, &[("archer", rooms[&'b'])]);
        let mut text = String::new();
        for _ in 0..4 {
            table.waits(TICK);
            text += &table.hears("Olad");
        }
        assert_eq!(text.contains("feathered dart"), !is_shut, "{text}");
    }
}
