//! Branch expiry: its time, its warnings, and safe places for all characters after a crash.

use crate::table::{Table, seeded};
use deepwell::base::{BranchId, CharacterId, Direction, ExitId, ExitState, ItemId, Point, RoomId, Span};
use deepwell::catalog::RoomSheet;
use deepwell::game::{Game, GameConfig, RenewedBy};
use deepwell::world::{Changes, Character, Exit, Item, Place, Room, RoomKind, Snapshot};
use std::sync::Arc;

/// Configures a branch life of two hours, checked hourly; windows close as early as allowed.
fn short_branch_life() -> GameConfig {
    let mut config = seeded(11);
    config.dungeon.max_life = Span::mins(120);
    config.dungeon.reset_chance_permille = 1_000;
    config
}

/// Puts Olad and Bera into a branch and Cato at the bottom of the well.
fn three() -> Table {
    let mut table = Table::new(short_branch_life());
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
        table.types(name, "down");
    }
    table.types("Olad", "east");
    table.types("Bera", "east");
    table.hears("Cato");
    table
}

/// E47, E48, E50: an idle branch warns ten minutes and one minute ahead, then collapses. Its players read about the
/// collapse; players in the start room see one line per arrival.
#[test]
fn idle_branch_warns_and_collapses() {
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
        assert_eq!(table.room(name).sheet.name, "Bottom of the Well");
        assert_eq!(table.branch_of(name), None, "E44");
        assert_eq!(
            cato.lines().filter(|line| line.starts_with(name)).count(),
            1,
            "E50: one line each: {cato}"
        );
    }
}

/// E48: the warnings are sent even if the life of a branch is shorter than the check interval.
#[test]
fn short_lived_branch_warns_before_collapse() {
    let mut config = short_branch_life();
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
    assert_eq!(table.room("Olad").sheet.name, "Bottom of the Well");
}

/// Returns the seconds before the collapse of Olad's branch at which he is warned. He types a line after `acts_after`.
fn warnings_ahead(check_interval: Span, max_life: Span, acts_after: Span) -> Vec<i64> {
    let mut config = short_branch_life();
    (config.dungeon.check_interval, config.dungeon.max_life) = (check_interval, max_life);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    table.waits(acts_after);
    table.types("Olad", "look");
    table.hears("Olad");
    let mut warned = Vec::new();
    for _ in 0..4_000 {
        table.waits(Span::secs(5));
        let heard = table.hears("Olad");
        warned.extend(heard.matches("collapses within").map(|_| table.now()));
        if heard.contains("collapses into the dark") {
            return warned.into_iter().map(|at| table.now().since(at).whole_secs()).collect();
        }
    }
    panic!("no collapse");
}

/// E48: the warnings come ten minutes and one minute ahead, at any interval of the checks.
#[test]
fn e48_warnings_do_not_depend_on_the_check_interval() {
    for check_interval in [10, 45, 300, 660, 3_600].map(Span::secs) {
        for max_life in [755, 2_400].map(Span::secs) {
            for acts_after in [0, 420].map(Span::secs) {
                let ahead = warnings_ahead(check_interval, max_life, acts_after);
                assert_eq!(ahead, [600, 60], "{check_interval}, {max_life}, {acts_after}");
            }
        }
    }
}

/// E47: with `renewed_by = "rooms"` only a new room keeps a branch alive.
#[test]
fn e47_only_new_rooms_keep_a_branch_alive_if_so_set() {
    let mut config = short_branch_life();
    config.dungeon.renewed_by = RenewedBy::Rooms;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    let branch = table.branch("Olad").id;
    for _ in 0..4 {
        table.waits(Span::mins(50));
        table.types("Olad", "look");
    }
    assert!(table.world().branches.get(branch).is_none());
}

/// E46, E47: intervals that an operator shortens apply from then on, at a restart and at a reload.
#[test]
fn e46_shorter_interval_applies_at_restart_and_reload() {
    let mut table = Table::new(seeded(11));
    table.waits(Span::secs(20));
    let mut config = seeded(11);
    config.dungeon.reset_interval = Span::secs(30);
    config.dungeon.check_interval = Span::secs(40);
    let now = table.now();
    let mut restarted = Table::resume(config.clone(), table.stored().clone(), now);
    table.step(deepwell::game::Input::Settings(Box::new(config)));
    for table in [&mut table, &mut restarted] {
        let due = |table: &Table| {
            let tasks = table.world().start_tasks.iter().map(|(_, tasks)| tasks.clone());
            tasks.map(|tasks| (tasks.next_reset_at, tasks.next_check_at)).collect::<Vec<_>>()
        };
        let before = due(table);
        assert!(before.iter().all(|due| *due <= (now + Span::secs(30), now + Span::secs(40))), "{before:?}");
        table.waits(Span::secs(41));
        assert!(due(table).iter().zip(&before).all(|(new, old)| new.0 > old.0 && new.1 > old.1));
    }
}

/// E47, trap 6: activity in explored rooms keeps a branch alive.
#[test]
fn activity_keeps_a_branch_alive() {
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

/// E47: an empty branch is deleted immediately once no exit leads into it.
#[test]
fn empty_branch_is_deleted_when_its_window_closes() {
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

/// E49: items on the floor are deleted with the room; carried items are kept.
#[test]
fn collapse_keeps_carried_items_and_deletes_floor_items() {
    let mut table = three();
    let (olad, room) = (table.body("Olad").id, table.body("Olad").room);
    let place = |place| Place::Holder(place);
    table.edit_stored(|stored| {
        let (now, meta) = (deepwell::base::GameTime(0), stored.meta.as_mut().expect("a world"));
        for at in [place(olad), Place::Room(room)] {
            let id = ItemId(meta.next_item);
            meta.next_item += 1;
            let item = Item::new(id, "clay_lamp", at, now);
            stored.items.insert(id, item);
        }
    });
    assert!(table.types("Olad", "look").contains("clay lamp lies here"));
    table.waits(Span::mins(180));
    assert_eq!(table.world().carried(olad).len(), 1);
    assert_eq!(table.world().items.len(), 1);
}

/// Returns the rooms that characters refer to and that do not exist.
fn missing_rooms(stored: &Snapshot) -> Vec<RoomId> {
    stored.characters.values().map(|c| c.room).filter(|room| !stored.rooms.contains_key(room)).collect()
}

/// E49, D2: moving the players and deleting the rooms is one batch, so a crash happens before or after both.
#[test]
fn crash_around_a_collapse_leaves_no_missing_rooms() {
    let mut table = three();
    table.break_link("Bera");
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
        let again = Table::resume(short_branch_life(), stored, table.now());
        assert!(again.world().branches.get(branch).is_none(), "what was due is done at the start");
        for name in ["Olad", "Bera"] {
            assert_eq!(
                (again.room(name).sheet.name.as_str(), again.branch_of(name)),
                ("Bottom of the Well", None)
            );
        }
    }

    let mut torn = before;
    for room in &batch.rooms.gone {
        torn.rooms.remove(room);
    }
    assert!(!missing_rooms(&torn).is_empty());
    let refused = Game::load(Arc::clone(&crate::table::CATALOG), short_branch_life(), torn);
    assert!(refused.is_err(), "D6: half a collapse is not taken for a world");
}

/// D6: a world does not load if the start room of a branch is missing, as its players would have nowhere to go.
#[test]
fn branch_without_start_room_does_not_load() {
    let mut stored = three().stored().clone();
    for branch in stored.branches.values_mut() {
        branch.start_room = RoomId(99_999);
    }
    let catalog = Arc::new(deepwell::catalog::Catalog::builtin());
    let error = Game::load(catalog, short_branch_life(), stored).expect_err("a broken world");
    assert!(error.mistakes().iter().any(|line| line.contains("start room does not exist")), "{error:?}");
}

/// Number of rooms of a branch too large for one step.
const MANY: u32 = 10_000;

/// Adds an exit to an inserted room, with the fields of a generated exit.
fn way(stored: &mut Snapshot, from: RoomId, direction: Direction, to: Option<RoomId>) {
    let meta = stored.meta.as_mut().expect("a world");
    let id = ExitId(meta.next_exit);
    meta.next_exit += 1;
    let state = if to.is_some() { ExitState::Open } else { ExitState::Unexplored };
    stored.exits.insert(id, Exit { state, to, ..Exit::new(id, from, Some(direction)) });
}

/// Turns Olad's branch into a passage of [`MANY`] rooms that leads east, with a rat in every third and a lamp in every
/// fourth, and puts him in the middle.
fn long_branch(table: &mut Table) -> BranchId {
    let branch = table.branch("Olad").id;
    let (olad, first) = (table.body("Olad").id, table.rooms_of(branch)[0]);
    table.edit_stored(|stored| {
        stored.exits.retain(|_, exit| exit.room != first || exit.back);
        let mut last = first;
        for n in 2..=MANY {
            let meta = stored.meta.as_mut().expect("a world");
            let (room, creature, item) =
                (RoomId(meta.next_room), CharacterId(meta.next_character), ItemId(meta.next_item));
            meta.next_room += 1;
            meta.next_character += u64::from(n % 3 == 0);
            meta.next_item += u64::from(n % 4 == 0);
            let at = Point::new(i32::try_from(n).expect("few rooms"), 0);
            let dug = Room::new(room, RoomSheet::new(RoomKind::Room, format!("Passage {n}")));
            stored.rooms.insert(room, Room { branch: Some(branch), floor: 1, at, depth: n, ..dug });
            if n % 3 == 0 {
                let rat = Character::new(creature, "rat".into(), room, deepwell::base::GameTime(0));
                let rat =
                    Character { prototype: Some("rat".into()), awake: true, branch: Some(branch), ..rat };
                stored.characters.insert(creature, rat);
            }
            if n % 4 == 0 {
                let lamp = Item::new(item, "clay_lamp", Place::Room(room), deepwell::base::GameTime(0));
                stored.items.insert(item, lamp);
            }
            way(stored, last, Direction::East, Some(room));
            way(stored, room, Direction::West, Some(last));
            last = room;
            if n == MANY / 2 {
                stored.characters.get_mut(&olad).expect("Olad").room = room;
            }
        }
        way(stored, last, Direction::East, None);
        let row = stored.branches.get_mut(&branch).expect("the branch");
        (row.rooms_made, row.greatest_depth) = (MANY, MANY);
        let meta = stored.meta.as_mut().expect("a world");
        if !meta.stock.is_empty() {
            meta.stock.entry("clay_lamp".into()).or_default().made += i64::from(MANY / 4);
        }
    });
    branch
}

/// Returns the number of rows that a batch writes and deletes.
fn rows_of(batch: &Changes) -> usize {
    let counts = [
        batch.characters.put.len() + batch.characters.gone.len(),
        batch.rooms.put.len() + batch.rooms.gone.len(),
        batch.exits.put.len() + batch.exits.gone.len(),
        batch.items.put.len() + batch.items.gone.len(),
        batch.branches.put.len() + batch.branches.gone.len(),
        batch.floors.put.len() + batch.floors.gone.len(),
        batch.ledger.len(),
    ];
    counts.iter().sum()
}

/// E49, D2: a branch of ten thousand rooms is deleted in slices of bounded size, one batch each. The first slice moves
/// its players out and unlinks the exits into it. Cleanup resumes after a restart, and the remaining rooms cannot be
/// entered or seen.
#[test]
fn huge_branch_is_deleted_in_bounded_slices() {
    let mut config = short_branch_life();
    config.limits.collapse_rows = 2_000;
    let most = config.limits.collapse_rows as usize + 20;
    let mut table = Table::new(config);
    table.checks_every(8);
    for name in ["Cato", "Olad"] {
        table.sit(name);
        table.types(name, "down");
    }
    table.make_owner("Cato");
    table.types("Olad", "east");
    let before = table.world().rooms.len() - 1;
    let branch = long_branch(&mut table);
    let room = table.body("Olad").room;
    table.hears("Cato");

    // Every creature of the branch is removed in the step of the collapse.
    table.allows_any_work();
    table.types("Cato", &format!("branch collapse {branch}"));
    let first = table.last_changes().clone();
    assert!(rows_of(&first) <= most, "{} rows in the first batch", rows_of(&first));
    assert!(first.characters.put.iter().any(|row| row.name == "Olad" && row.branch.is_none()), "E49");
    assert_eq!(
        (table.room("Olad").sheet.name.as_str(), table.branch_of("Olad")),
        ("Bottom of the Well", None)
    );
    assert!(table.world().exits.iter().all(|(_, exit)| exit.window.is_none()), "nothing leads in");

    let mut batches = 0;
    while table.world().branches.get(branch).is_some() {
        batches += 1;
        assert!(batches < 100, "it never ends");
        assert!(table.game().branch_dump(branch).is_none());
        assert!(table.types("Cato", "branch list").contains("No branch is open"));
        assert!(table.types("Cato", &format!("branch show {branch}")).contains("no branch"));
        if table.world().rooms.get(room).is_some() {
            assert!(table.types("Cato", &format!("goto #{room}")).contains("no room"));
        }
        if batches % 7 == 3 {
            assert_eq!(missing_rooms(table.stored()), []);
            table.restart();
        }
        let due = table.game().next_deadline().expect("more to clear away");
        table.waits(due.since(table.now()));
        assert!(rows_of(table.last_changes()) <= most, "{} rows", rows_of(table.last_changes()));
    }
    assert!(batches > 10, "{batches}");
    assert_eq!(table.world().rooms.len(), before);
    assert!(table.stored().items.is_empty() && table.stored().floors.is_empty());
    let left = table.stored().characters.values().filter(|body| body.prototype.as_deref() == Some("rat"));
    assert!(left.filter(|rat| rat.branch.is_some()).count() == 0);
    table.types("Olad", "east");
    assert_ne!(table.branch("Olad").id, branch, "the way leads into a fresh branch");
}
