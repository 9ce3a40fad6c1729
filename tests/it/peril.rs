//! Blocked rooms, clearing them, fights, fleeing and death.

use crate::explorer::{guarded, guards, olad_finds, walks_to};
use crate::table::{CATALOG, Table};
use deepwell::base::{CharacterId, Direction, ItemId, Span};
use deepwell::catalog::RoomKind;
use deepwell::game::Class;
use deepwell::world::{ExitState, Room, World};

/// Returns the guards of a room.
fn guards_of(world: &World, room: &Room) -> Vec<CharacterId> {
    world.occupants(room.id).iter().copied().filter(|id| guards(world, *id, room.id)).collect()
}

/// Olad in a room with one guard and an unexplored exit.
fn before_a_guard() -> Table {
    olad_finds("a room with one guard and a way on", |world, room| {
        guarded(world, room)
            && guards_of(world, room).len() == 1
            && world.occupants(room.id).len() == 2
            && world.exits.of(room.id).any(|exit| exit.state == ExitState::Unexplored)
    })
}

/// Returns the directions of an unexplored exit of Olad's room and of the exit back.
fn ways(table: &Table) -> (Direction, Direction) {
    let exits: Vec<_> = table.world().exits.of(table.body("Olad").room).collect();
    let onward =
        exits.iter().find(|exit| exit.state == ExitState::Unexplored).and_then(|exit| exit.direction);
    let back = exits.iter().find(|exit| exit.back).and_then(|exit| exit.direction);
    (onward.expect("a way on"), back.expect("a way back"))
}

/// Fights until the room is clear; returns everything Olad read.
fn fight_until_clear(table: &mut Table) -> String {
    let mut read = String::new();
    while !table.room("Olad").clear {
        if table.body("Olad").target.is_none() {
            read += &table.types("Olad", "kill");
        }
        table.waits(Span::secs(3));
        read = read + "\n" + &table.hears("Olad") + "\n";
    }
    read
}

/// In a room that is not clear, unexplored exits are blocked, footer and refusal name the guard, and the exit back is
/// open.
#[test]
fn e25_e32_e33_guard_blocks_onward_exits_but_not_the_way_back() {
    let mut table = before_a_guard();
    let (onward, back) = ways(&table);
    let room = table.body("Olad").room;
    let guard = table.world().characters[guards_of(table.world(), table.room("Olad"))[0]].name.clone();
    let view = table.types("Olad", "look");
    assert!(view.contains(&format!("{guard} is here and bars the way.")), "E32: {view}");
    assert!(view.ends_with("The way onward is blocked."), "E32: {view}");
    let refusal = table.types("Olad", onward.name());
    assert!(refusal.contains("yet") && refusal.contains(&guard), "E33: {refusal}");
    assert_eq!(table.body("Olad").room, room, "E33: nobody moved");
    table.types("Olad", back.name());
    assert_ne!(table.body("Olad").room, room, "E25: the way back is open");
}

/// In combat every exit is blocked and the refusal names `flee`, which takes the exit back.
#[test]
fn e25_e55_in_combat_only_flee_leaves_the_room() {
    let mut table = before_a_guard();
    table.becomes("Olad", 500, 3);
    let (onward, back) = ways(&table);
    let room = table.body("Olad").room;
    let came_from = table.exit("Olad", back).and_then(|exit| exit.to);
    table.types("Olad", "kill");
    for direction in [onward, back] {
        let refusal = table.types("Olad", direction.name());
        assert!(refusal.contains("flee"), "{direction}: {refusal}");
        assert_eq!(table.body("Olad").room, room);
    }
    assert!(table.types("Olad", "recall").contains("flee"));
    assert!(table.types("Olad", "quit").contains("flee"));
    table.types("Olad", "flee");
    assert_eq!(Some(table.body("Olad").room), came_from, "E55: the back exit first");
    assert_eq!(table.body("Olad").target, None);
    assert_eq!(table.types("Olad", "flee"), "You are not fighting anybody.");
}

/// The death of the last guard clears the room once, removes the footer and opens the onward exit.
#[test]
fn e26_e32_t16_room_is_clear_when_last_guard_dies() {
    let mut table = before_a_guard();
    table.becomes("Olad", 500, 6);
    let (onward, _) = ways(&table);
    let room = table.body("Olad").room;
    let guard = guards_of(table.world(), table.room("Olad"))[0];
    let (name, xp) = (table.world().characters[guard].name.clone(), table.world().characters[guard].xp);
    let read = fight_until_clear(&mut table);
    let kill = read.lines().find(|line| line.contains("experience")).expect("a line about the kill");
    assert!(kill.contains(&name) && kill.contains(&format!("gain {xp} ")), "T16: {kill}");
    assert_eq!(table.body("Olad").xp, xp);
    assert_eq!(read.matches("The room is clear").count(), 1, "E26: {read}");
    assert!(!table.types("Olad", "look").contains("blocked"), "E32");
    table.types("Olad", onward.name());
    assert_ne!(table.body("Olad").room, room, "E26: the way on is open");
}

#[test]
fn e26_room_is_blocked_until_every_guard_is_dead() {
    let mut table = olad_finds("two guards", |world, room| guards_of(world, room).len() == 2);
    table.becomes("Olad", 900, 50);
    while guards_of(table.world(), table.room("Olad")).len() == 2 {
        table.types("Olad", "kill");
        table.waits(Span::secs(3));
    }
    if let [_] = guards_of(table.world(), table.room("Olad"))[..] {
        assert!(!table.room("Olad").clear);
        let (read, left) = (fight_until_clear(&mut table), table.room("Olad").clear);
        assert!(left && read.contains("The room is clear"));
    }
}

/// An empty room, and a room with only writing, are clear when generated.
#[test]
fn e24_e27_empty_rooms_and_hints_are_generated_clear() {
    let mut empty = olad_finds("an empty room", |world, room| {
        room.sheet.kind == RoomKind::Dungeon && world.occupants(room.id).len() == 1
    });
    assert!(empty.room("Olad").clear && !empty.types("Olad", "look").contains("blocked"));
    let hint = olad_finds("a hint", |_, room| room.sheet.kind == RoomKind::Hint);
    assert!(hint.room("Olad").clear);
    assert!(hint.room("Olad").sheet.description.contains([':', '\'']), "something is written there");
}

/// The kind of a room determines if it is clear when generated; a hint room always is.
#[test]
fn e31_room_kind_decides_if_generated_clear() {
    assert!(RoomKind::Hint.is_born_clear(true));
    assert!(!RoomKind::Dungeon.is_born_clear(true) && RoomKind::Dungeon.is_born_clear(false));
}

/// A lever puzzle blocks the room until pulled often enough.
#[test]
fn e24_e25_e26_lever_unblocks_the_room() {
    let mut table = olad_finds("a lever", |_, room| {
        room.challenge.lever_pulls() > 0 && room.challenge.lever_in.is_none()
    });
    let pulls = table.room("Olad").challenge.lever_pulls();
    assert!(pulls > 0 && !table.room("Olad").clear);
    assert!(table.types("Olad", "look").contains("blocked. A portcullis"));
    for left in (1..pulls).rev() {
        let reply = table.types("Olad", "pull lever");
        assert!(!table.room("Olad").clear && !reply.contains("clear"), "{left} pulls are left: {reply}");
    }
    let reply = table.types("Olad", "pull lever");
    assert!(table.room("Olad").clear && reply.contains("The room is clear"), "{reply}");
    assert!(table.types("Olad", "pull lever").contains("nothing like that"));
}

/// A lever in one room opens a portcullis in another. Both rooms say where to look, and a player at the portcullis is
/// notified.
#[test]
fn e40_lever_opens_portcullis_in_another_room() {
    let far = |_: &World, room: &Room| room.challenge.lever_in.is_some() && !room.clear;
    let mut table = olad_finds("a lever in another room", far);
    let (gate, lever_in) = (table.body("Olad").room, table.room("Olad").challenge.lever_in.unwrap());
    let name = table.world().rooms[lever_in].sheet.name.clone();
    let view = table.types("Olad", "look");
    assert!(
        view.contains("The way onward is blocked.")
            && view.contains(&format!("back towards {name}, "))
            && (view.contains(" room back.") || view.contains(" rooms back.")),
        "{view}"
    );
    assert!(table.types("Olad", "pull lever").contains("nothing like that"));
    assert!(table.types("Olad", "look lever").contains("There is no lever here"));
    walks_to(&mut table, "Olad", lever_in);
    assert!(table.types("Olad", "look").contains("A stiff lever juts from the wall"));
    table.restart();
    let pulls = table.world().rooms[gate].challenge.lever_pulls();
    for left in (0..pulls).rev() {
        let reply = table.types("Olad", "pull lever");
        assert_eq!(reply.contains("falls silent"), left == 0, "{reply}");
    }
    assert!(table.world().rooms[gate].clear, "E26");
    assert!(table.types("Olad", "pull lever").contains("nothing like that"));
    assert!(!table.types("Olad", "look").contains("lever"));
}

#[test]
fn e24_e26_defeating_the_guard_gives_the_treasure() {
    let mut table = olad_finds("a treasure", |_, room| {
        room.sheet.kind == RoomKind::Treasure && !room.challenge.reward.is_empty()
    });
    let room = table.body("Olad").room;
    let hoard = table.room("Olad").challenge.reward.clone();
    assert!(
        table.types("Olad", "get all").contains("Nothing lies here"),
        "nobody takes it from behind the guard"
    );
    table.becomes("Olad", 900, 50);
    let read = fight_until_clear(&mut table);
    assert!(read.contains("you find"), "{read}");
    // Items of the guard itself are not part of the hoard.
    let all_of_it = |things: &[ItemId], table: &Table| {
        let keys: Vec<&str> =
            things.iter().map(|item| table.world().items[*item].prototype.as_str()).collect();
        hoard.iter().all(|key| keys.contains(&key.as_str()))
    };
    assert!(all_of_it(table.world().ground(room), &table));
    table.types("Olad", "get all");
    assert!(all_of_it(table.world().carried(table.body("Olad").id), &table));
}

/// `kill` is refused in town, in the well and between players.
#[test]
fn e30_kill_is_refused_outside_dungeon_and_between_players() {
    let mut table = before_a_guard();
    let guard = guards_of(table.world(), table.room("Olad"))[0];
    let name = table.world().characters[guard].name.clone();
    table.sit("Bera");
    table.sit("Cato");
    assert!(table.types("Bera", "kill cato").contains("Nobody fights here"));
    table.types_all("Bera", &["down", "east"]);
    table.types_all("Cato", &["down", "east"]);
    assert!(table.types("Bera", "kill cato").contains("do not fight each other"));
    assert_eq!(table.body("Bera").target, None);
    table.types("Olad", &format!("kill {name}"));
    let fought = table.body("Olad").target == Some(guard) || table.world().characters.get(guard).is_none();
    assert!(fought, "in the dungeon it is accepted");
}

/// A dead player wakes at the start room with the same experience, outside the branch.
#[test]
fn e30_e44_e50_dead_player_wakes_at_the_start_room() {
    let mut table = before_a_guard();
    table.becomes("Olad", 1, 1);
    table.sit("Bera");
    table.types("Bera", "down");
    table.hears("Bera");
    let (xp, mut read) = (table.body("Olad").xp, table.types("Olad", "kill"));
    for _ in 0..20 {
        if table.branch_of("Olad").is_none() {
            break;
        }
        table.waits(Span::secs(3));
        read += &table.hears("Olad");
    }
    assert!(read.contains("You fall."), "{read}");
    let body = table.body("Olad").clone();
    assert_eq!(
        (table.room("Olad").sheet.name.as_str(), body.branch, body.target),
        ("Bottom of the Well", None, None)
    );
    assert!(body.hp >= 1 && body.awake && body.xp == xp);
    assert!(table.hears("Bera").contains("Olad is washed up"));
}

/// Combat rounds are three seconds apart, however often the fight is restarted.
#[test]
fn combat_rounds_keep_their_interval() {
    let mut table = before_a_guard();
    table.becomes("Olad", 9_999, 1);
    let guard = guards_of(table.world(), table.room("Olad"))[0];
    let (_, back) = ways(&table);
    let there = back.opposite();
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&guard).expect("a guard");
        (body.hp, body.max_hp, body.defence) = (9_999, 9_999, 0);
    });
    for _ in 0..5 {
        table.types_all("Olad", &["kill", "flee", there.name()]);
    }
    table.types("Olad", "kill");
    table.hears("Olad");
    table.waits(Span::secs(30));
    let fight = table.hears_messages("Olad");
    let blows =
        fight.iter().filter(|heard| heard.class == Class::Combat && heard.text.starts_with("You ")).count();
    assert!((9..=11).contains(&blows), "{blows} blows in ten rounds");
}

/// A lever matches any of its words, and its description changes once it is locked.
#[test]
fn lever_matches_any_of_its_words() {
    let mut table = olad_finds("a lever", |_, room| {
        room.challenge.lever_pulls() > 0 && room.challenge.lever_in.is_none()
    });
    assert!(table.types("Olad", "look lever").contains("stiff with rust"));
    assert!(table.types("Olad", "examine the portcullis").contains("lever in the wall"));
    assert!(table.types("Olad", "pull rope").contains("nothing like that"));
    while table.room("Olad").challenge.lever_pulls() > 0 {
        table.types("Olad", "pull the stiff lever");
    }
    assert!(table.room("Olad").clear);
    assert!(table.types("Olad", "look stiff lever").contains("locked"));
}

/// Creatures of one kind are grouped in the room view and in the footer.
#[test]
fn creatures_of_one_kind_are_grouped() {
    let mut table = olad_finds("two guards of a kind", |world, room| {
        let guards = guards_of(world, room);
        guards.len() == 2 && world.characters[guards[0]].name == world.characters[guards[1]].name
    });
    let name = table.world().characters[guards_of(table.world(), table.room("Olad"))[0]].name.clone();
    let several = CATALOG
        .creatures
        .values()
        .find(|creature| creature.name == name)
        .map_or("", |creature| creature.plural.as_str());
    let view = table.types("Olad", "look");
    assert!(view.contains(&format!("\nTwo {several} are here and bar the way.\n")), "{view}");
    table.becomes("Olad", 30, 1);
    table.types("Olad", &format!("kill 2.{name}"));
    let view = table.types("Olad", "look");
    assert!(
        view.contains(&format!("{name} is here and bars the way."))
            && view.contains(" is here, fighting you."),
        "{view}"
    );
}

/// The message of a cleared room mentions onward exits only if there are any.
#[test]
fn e26_cleared_dead_end_mentions_no_onward_exit() {
    let mut table = olad_finds("a guarded dead end", |world, room| {
        guarded(world, room) && world.exits.of(room.id).all(|exit| exit.state != ExitState::Unexplored)
    });
    table.becomes("Olad", 999, 99);
    let read = fight_until_clear(&mut table);
    assert!(read.contains("The room is clear: nothing stands against you here."), "{read}");
}
