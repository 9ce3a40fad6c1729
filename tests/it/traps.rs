//! Traps: signs, jumping, disarming, triggering.

use crate::explorer::olad_finds;
use crate::table::{CATALOG, Table};
use deepwell::catalog::Trap;
use deepwell::world::{Exit, ExitState};

fn is_trapped(exit: &Exit) -> bool {
    exit.trap.is_some() && exit.state == ExitState::Unexplored
}

/// Olad in a clear room with a trapped exit; with the name of the exit, and the trap.
pub(crate) fn olad_before_a_trap() -> (Table, String, Trap) {
    let table = olad_finds("a trap", |world, room| room.clear && world.exits.of(room.id).any(is_trapped));
    let exit = table.world().exits.of(table.body("Olad").room).find(|exit| is_trapped(exit)).expect("a trap");
    let key = exit.trap.to_value().expect("a trap");
    let trap = CATALOG.traps.iter().find(|trap| trap.key == key).expect("a trap that ships").clone();
    let name = exit.name.clone();
    (table, name, trap)
}

/// Returns the first message of the trap's script.
fn trap_message(trap: &Trap) -> String {
    let line = trap.script.lines()[0].to_string();
    line.strip_prefix("tell ").expect("it tells what happens").to_owned()
}

/// The sign of a trap is shown in the room, by `exits` and by looking at it.
#[test]
fn e40_trap_sign_is_visible_from_the_room_before() {
    let (mut table, exit, trap) = olad_before_a_trap();
    let sign = trap.sign_at(&exit);
    for asked in ["look", "exits"] {
        let read = table.types("Olad", asked);
        assert!(read.contains(&sign), "{asked}: {read}");
    }
    assert_eq!(table.types("Olad", &format!("look {}", trap.nouns[0])), trap.detail);
}

/// A trap is triggered once, by walking, and leaves at least one hit point.
#[test]
fn e40_trap_triggers_once_and_never_kills() {
    let (mut table, exit, trap) = olad_before_a_trap();
    table.becomes("Olad", 2, 5);
    let read = table.types("Olad", &exit);
    assert!(read.contains(&trap_message(&trap)), "{read}");
    assert_eq!(table.body("Olad").hp, 1, "the last point is left");
    let (olad, room) = (table.body("Olad").id, table.body("Olad").room);
    assert!(table.room("Olad").triggers.is_empty(), "it is spent");
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&olad).expect("a stored body");
        (body.target, body.affects, body.hp, body.max_hp) = (None, Vec::new(), 999, 999);
        stored.characters.retain(|_, body| body.prototype.is_none() || body.room != room);
    });
    let back = table.world().exits.of(room).find(|exit| exit.back).expect("a way back").name.clone();
    let before = table.types("Olad", &back);
    assert!(!before.contains(&trap.sign_at(&exit)), "nothing betrays what is not there: {before}");
    assert!(!table.types("Olad", &exit).contains(&trap_message(&trap)));
}

/// `jump` avoids the trap, by the name of the exit or of the sign.
#[test]
fn e40_jump_avoids_the_trap() {
    for by_way in [true, false] {
        let (mut table, exit, trap) = olad_before_a_trap();
        let (room, word) = (table.body("Olad").room, if by_way { &exit } else { &trap.nouns[0] });
        let read = table.types("Olad", &format!("jump {word}"));
        assert!(read.starts_with(&trap.jumped) && !read.contains(&trap_message(&trap)), "{read}");
        assert_ne!(table.body("Olad").room, room);
        assert!(table.types("Olad", "jump").starts_with("There is nothing here that has to be jumped"));
    }
}

#[test]
fn e40_disarmed_trap_stays_disarmed_after_restart() {
    let (mut table, exit, trap) = olad_before_a_trap();
    assert_eq!(table.types("Olad", "disarm"), trap.disarmed);
    assert_eq!(table.types("Olad", "disarm"), "You see no trap here that could be disarmed.");
    table.restart();
    assert!(!table.types("Olad", "look").contains(&trap.sign_at(&exit)));
    assert!(!table.types("Olad", &exit).contains(&trap_message(&trap)));
}
