//! The end of branches: when it comes, who is told what, and that no crash leaves anybody in a missing room.

use crate::table::{Table, seeded};
use deepwell::base::{RoomId, Span};
use deepwell::game::{Game, GameConfig};
use deepwell::world::Snapshot;
use std::sync::Arc;

/// Branches live two hours and are looked at every hour; windows close as soon as they may.
fn short_lives() -> GameConfig {
    let mut config = seeded(11);
    config.dungeon.max_life = Span::mins(120);
    config.dungeon.reset_chance_permille = 1_000;
    config
}

/// Olad and Bera in a branch, Cato at the bottom of the well.
fn three() -> Table {
    let mut table = Table::new(short_lives());
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
        table.types(name, "down");
    }
    table.types("Olad", "east");
    table.types("Bera", "east");
    table.hears("Cato");
    table
}

/// E47, E48, E50: a branch in which nothing happens is announced ten minutes and one minute ahead, and collapses;
/// its people read that it does, and those in the start room see each of them once.
#[test]
fn an_idle_branch_collapses_with_notice() {
    let mut table = three();
    let branch = table.branch("Olad").id;
    table.waits(Span::mins(109));
    assert_eq!(table.hears("Olad").matches("collapses within").count(), 0);
    table.waits(Span::mins(2));
    assert!(table.hears("Olad").contains("collapses within 10 minutes"));
    table.waits(Span::mins(8));
    assert!(table.hears("Olad").contains("collapses within 60 seconds"));
    assert!(table.world().branches.get(branch).is_some());
    table.waits(Span::mins(1));
    assert!(table.world().branches.get(branch).is_none(), "E47");
    let (olad, cato) = (table.hears("Olad"), table.hears("Cato"));
    assert!(olad.contains("collapse"), "E50: {olad}");
    for name in ["Olad", "Bera"] {
        assert_eq!(table.room(name).name, "Bottom of the Well");
        assert_eq!(table.branch_of(name), None, "E44");
        assert_eq!(
            cato.lines().filter(|line| line.starts_with(name)).count(),
            1,
            "E50: one line each: {cato}"
        );
    }
}

/// E48: notice is given also where a branch lives for less than the time between two checks.
#[test]
fn a_short_life_ends_with_notice_too() {
    let mut config = short_lives();
    config.dungeon.max_life = Span::mins(20);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.types("Olad", "down");
    table.types("Olad", "east");
    table.waits(Span::mins(51));
    assert_eq!(table.hears("Olad").matches("collapses within 10 minutes").count(), 1);
    table.waits(Span::mins(8));
    assert_eq!(table.hears("Olad").matches("collapses within 60 seconds").count(), 1);
    table.waits(Span::mins(2));
    assert_eq!(table.room("Olad").name, "Bottom of the Well");
}

/// E47, trap 6: who acts in known rooms keeps the branch.
#[test]
fn whoever_acts_is_not_thrown_out() {
    let mut table = three();
    let branch = table.branch("Olad").id;
    for _ in 0..10 {
        table.waits(Span::mins(50));
        table.types("Olad", "look");
    }
    assert!(table.world().branches.get(branch).is_some());
    table.waits(Span::mins(180));
    assert!(table.world().branches.get(branch).is_none());
}

/// E47: a branch that nobody is in and nobody can enter goes at once.
#[test]
fn a_deserted_branch_goes_when_its_window_closes() {
    let mut table = three();
    let branch = table.branch("Olad").id;
    table.types("Olad", "west");
    table.types("Bera", "west");
    assert!(table.world().branches.get(branch).is_some(), "its window is open");
    table.waits(Span::mins(5));
    assert!(table.world().branches.get(branch).is_none());
    table.types("Olad", "north");
    let branch = table.branch("Olad").id;
    table.waits(Span::mins(5));
    table.types("Olad", "recall");
    assert!(table.world().branches.get(branch).is_none(), "the last member has left");
}

/// E49: things on the floor go with the room, things in packs stay with who carries them.
#[test]
fn packs_survive_and_floors_do_not() {
    let mut table = three();
    let (olad, room) = (table.body("Olad").id, table.body("Olad").room);
    let place = |place| deepwell::world::Place::Holder(place);
    table.rewrites(|stored| {
        let (now, meta) = (deepwell::base::GameTime(0), stored.meta.as_mut().expect("a world"));
        for at in [place(olad), deepwell::world::Place::Room(room)] {
            let id = deepwell::base::ItemId(meta.next_item);
            meta.next_item += 1;
            let item = deepwell::world::Item::new(id, "clay_lamp", at, now);
            stored.items.insert(id, item);
        }
    });
    assert!(table.types("Olad", "look").contains("clay lamp lies here"));
    table.waits(Span::mins(180));
    assert_eq!(table.world().carried(olad).len(), 1);
    assert_eq!(table.world().items.len(), 1);
}

/// The rooms that somebody is said to be in, and that do not exist.
fn missing_rooms(stored: &Snapshot) -> Vec<RoomId> {
    stored.characters.values().map(|c| c.room).filter(|room| !stored.rooms.contains_key(room)).collect()
}

/// E49, D2: everybody's new place and the end of the rooms are one batch, so that a crash comes before or after.
#[test]
fn a_crash_around_a_collapse_loses_nobody() {
    let mut table = three();
    table.link_breaks("Bera");
    table.waits(Span::mins(119));
    let branch = table.branch("Olad").id;
    let before = table.stored().clone();
    table.waits(Span::mins(1));
    let batch = table.last_changes().clone();
    assert!(batch.branches.gone.contains(&branch) && !batch.rooms.gone.is_empty());
    let moved = |name: &str| batch.characters.put.iter().any(|row| row.name == name && row.branch.is_none());
    assert!(moved("Olad") && moved("Bera"), "asleep or not, they are moved in the same batch");

    let mut after = before.clone();
    after.apply(&batch);
    for stored in [before.clone(), after] {
        assert_eq!(missing_rooms(&stored), []);
        let again = Table::resume(short_lives(), stored, table.now());
        assert!(again.world().branches.get(branch).is_none(), "what was due is done at the start");
        for name in ["Olad", "Bera"] {
            assert_eq!((again.room(name).name.as_str(), again.branch_of(name)), ("Bottom of the Well", None));
        }
    }

    let mut torn = before;
    for room in &batch.rooms.gone {
        torn.rooms.remove(room);
    }
    assert!(!missing_rooms(&torn).is_empty());
    let refused = Game::load(Arc::clone(&crate::table::CATALOG), short_lives(), torn);
    assert!(refused.is_err(), "D6: half a collapse is not taken for a world");
}

/// D6: a branch whose start room is missing would have nowhere to put its people; such a world does not load.
#[test]
fn a_branch_without_a_start_room_does_not_load() {
    let mut stored = three().stored().clone();
    for branch in stored.branches.values_mut() {
        branch.start_room = RoomId(99_999);
    }
    let catalog = Arc::new(deepwell::catalog::Catalog::builtin());
    let wrong = Game::load(catalog, short_lives(), stored).expect_err("a broken world");
    assert!(wrong.iter().any(|line| line.contains("start room does not exist")), "{wrong:?}");
}
