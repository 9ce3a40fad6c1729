//! Undo and redo of what creatures and items are in rooms and hands.

use crate::table::Table;
use crate::undo::{builders, builders_with, config};
use deepwell::world::Place;

/// Items of a deleted room are restored with their ids, neither lost nor duplicated.
#[test]
fn undo_restores_items_of_a_destroyed_room() {
    let mut table = builders();
    table.types_all(
        "Olad",
        &["dig Cellar = hatch, out", "hatch", "spawn cloth sack", "spawn rye loaf", "get loaf"],
    );
    table.types_all("Olad", &["put loaf in sack", "drop 2 copper", "spawn torch stub", "spawn rat"]);
    table.types("Bera", "hatch");
    let cellar = table.body("Olad").room;
    let lies = |table: &Table| -> Vec<_> {
        let items = table.world().items.iter().filter(|(_, item)| {
            let place = item.place;
            place == Place::Room(cellar) || matches!(place, Place::Inside(sack) if table.world().items[sack].place == Place::Room(cellar))
        });
        items.map(|(_, item)| item.clone()).collect()
    };
    let before = lies(&table);
    assert_eq!(before.len(), 4, "{before:?}");
    table.types("Olad", "destroy here");
    assert!(lies(&table).is_empty());
    table.restart();
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("Four items lie there again."), "{answer}");
    assert_eq!(lies(&table), before);
    assert_eq!(table.room("Bera").sheet.name, "Well Square", "people stay where they are");
    let rat = table
        .world()
        .characters
        .iter()
        .find(|(_, body)| body.prototype.as_deref() == Some("rat") || body.name.contains("rat"));
    assert_eq!(
        rat.map(|(_, body)| (body.room, body.home)),
        Some((cellar, cellar)),
        "what belonged there is back"
    );
    // An item taken by a player between undo and redo is not duplicated.
    table.types_all("Bera", &[&format!("goto #{cellar}"), "get torch stub"]);
    table.types("Olad", "redo");
    table.types("Bera", "drop torch stub");
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("Three items lie there again."), "{answer}");
    assert_eq!(lies(&table).len(), 3);
}

/// Returns name, room and home of every creature of a kind outside branches.
fn creatures(table: &Table, key: &str) -> Vec<(String, deepwell::base::RoomId, deepwell::base::RoomId)> {
    let bodies = table.world().characters.iter().map(|(_, body)| body);
    let of_kind = bodies.filter(|body| body.prototype.as_deref() == Some(key) && body.branch.is_none());
    of_kind.map(|body| (body.name.clone(), body.room, body.home)).collect()
}

#[test]
fn creature_of_destroyed_room_is_restored_by_undo() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch"]);
    let cellar = table.body("Olad").room;
    let before = creatures(&table, "rat");
    table.types_all("Olad", &["spawn rat", "name rat = Old Grey"]);
    let with = creatures(&table, "rat");
    assert_eq!(with.len(), before.len() + 1);
    table.types("Olad", "destroy here");
    assert_eq!(creatures(&table, "rat"), before, "none is left in the square");
    table.restart();
    table.types("Olad", "undo");
    assert_eq!(creatures(&table, "rat").last(), Some(&("Old Grey".to_owned(), cellar, cellar)));
    table.types("Olad", "redo");
    assert_eq!(creatures(&table, "rat"), before);
    table.types("Olad", "undo");
    assert_eq!(creatures(&table, "rat").len(), with.len());
}

#[test]
fn destroyed_creature_and_item_are_undone_and_redone() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch", "spawn rat", "spawn cloth sack"]);
    let here = table.body("Olad").room;
    let things = |table: &Table| table.world().ground(here).len();
    let rats = |table: &Table| creatures(table, "rat").iter().filter(|(_, room, _)| *room == here).count();
    for (command, count) in
        [("destroy rat", &rats as &dyn Fn(&Table) -> usize), ("destroy cloth sack", &things)]
    {
        assert_eq!(count(&table), 1, "{command}");
        let answer = table.types("Olad", command);
        assert!(answer.contains("is gone."), "{answer}");
        assert_eq!(count(&table), 0, "{command}");
        assert!(table.types("Olad", "journal me").contains(command));
        table.types("Olad", "undo");
        assert_eq!(count(&table), 1, "undo of {command}");
        table.types("Olad", "redo");
        assert_eq!(count(&table), 0, "redo of {command}");
        table.types("Olad", "undo");
        assert_eq!(count(&table), 1, "second undo of {command}");
        table.types("Olad", "redo");
    }
}

/// A8: what undo puts back takes the place of the oldest item, if the room has been filled since.
#[test]
fn a8_undo_of_destroyed_item_keeps_the_limit_of_its_room() {
    let mut config = config();
    config.limits.items_in_room = 2;
    let mut table = builders_with(config);
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch", "spawn torch stub", "get stub"]);
    table.types_all("Olad", &["spawn cloth sack", "destroy cloth sack", "drop stub", "drop 1 copper"]);
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("The heap is too high: a torch stub is trodden to pieces."), "{answer}");
    let here = table.body("Olad").room;
    let lying = table.world().ground(here).iter().map(|item| table.world().items[*item].prototype.as_str());
    assert_eq!(lying.collect::<Vec<_>>().last(), Some(&"cloth_sack"));
    assert_eq!(table.world().ground(here).len(), 2);
}

#[test]
fn redo_of_destruction_keeps_its_entry_if_the_item_was_taken() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch", "spawn cloth sack", "destroy cloth sack"]);
    table.types_all("Olad", &["undo", "get cloth sack"]);
    assert!(table.types("Olad", "redo").contains("You do again: destroy cloth sack"));
    assert_eq!(table.world().check(), [""; 0]);
    assert!(table.types("Olad", "undo").contains("You take back: destroy cloth sack"));
    assert!(table.types("Olad", "inventory").contains("cloth sack"));
}

#[test]
fn undo_and_redo_of_spawned_item_leave_one() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch", "spawn cloth sack", "undo", "redo"]);
    let here = table.body("Olad").room;
    assert_eq!(table.world().ground(here).len(), 1);
}

/// Undo skips an item held by a player: Bera carries a crate with a lamp, and Olad undoes each step that created it.
#[test]
fn undo_skips_items_held_by_a_player() {
    let mut table = builders();
    table
        .types_all("Olad", &["make item crate = oak crate", "set item crate class = trinket", "spawn crate"]);
    let answer = table.types("Bera", "get crate");
    assert!(answer.contains("You take an oak crate"), "{answer}");
    let answer = table.types("Olad", "undo");
    assert!(
        answer.contains("You take back: spawn crate") && answer.contains("The oak crate stays: Bera has it."),
        "{answer}"
    );
    table.types("Olad", "undo");
    table.hears("Bera");
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("You take back: make item crate"), "{answer}");
    assert!(answer.contains("An oak crate that Bera had is gone with it."), "{answer}");
    let heard = table.hears("Bera");
    assert!(heard.contains("An oak crate is no more: the builder has taken it back."), "{heard}");
    let bera = table.id("Bera");
    assert!(table.world().items.iter().all(|(_, item)| item.prototype != "crate"));
    assert!(table.world().carried(bera).iter().all(|id| table.world().items.get(*id).is_some()));
    let answer = table.types("Olad", "redo");
    assert!(answer.contains("You do again: make item crate"), "{answer}");
    assert!(table.types("Olad", "spawn crate").contains("oak crate lies here"), "the kind is back");
}

#[test]
fn contents_of_undone_container_stay_with_its_holder() {
    let mut table = builders();
    table.types_all("Olad", &["make item crate like cloth_sack = crate", "spawn crate", "spawn club"]);
    table.types_all("Bera", &["get crate", "get club"]);
    assert!(table.types("Bera", "put club in crate").contains("into the crate"));
    table.types_all("Olad", &["undo", "undo", "undo"]);
    let carried: Vec<_> = table
        .world()
        .carried(table.id("Bera"))
        .iter()
        .map(|id| table.world().items[*id].prototype.clone())
        .collect();
    assert!(carried.contains(&"club".to_owned()) && !carried.contains(&"crate".to_owned()), "{carried:?}");
}
