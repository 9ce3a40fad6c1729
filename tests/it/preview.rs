//! Previews of rooms and branches as players see them; they change no state.

use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Seed;
use deepwell::dungeon::BranchSpec;
use deepwell::tools::branch::PlannedBranch;
use deepwell::world::Snapshot;

/// Returns the world rows without the audit log, which records staff commands.
fn rows(table: &Table) -> impl PartialEq + use<> {
    let Snapshot { rooms, exits, items, characters, branches, floors, start_tasks, journal, .. } =
        table.world().snapshot();
    (rooms, exits, items, characters, branches, floors, start_tasks, journal)
}

/// Olad (owner) in a newly dug room, with Bera.
fn cellar() -> Table {
    let mut table = Table::new(seeded(5));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    for line in [
        "north",
        "dig Old Cellar = hatch, out",
        "hatch",
        "describe here = Barrels stand along the walls, one upon \
         the other, up to where the light of the hatch no longer reaches.",
        "spawn clay_lamp",
    ] {
        table.types("Olad", line);
    }
    for line in ["north", "hatch"] {
        table.types("Bera", line);
    }
    table.hears("Olad");
    table
}

/// A room preview shows what a player in the room reads, including other characters there.
#[test]
fn room_preview_equals_player_view() {
    let mut table = cellar();
    let read = table.types("Bera", "look");
    let shown = table.types("Olad", "preview");
    assert!(shown.starts_with("As players read it:"), "{shown}");
    for line in ["Old Cellar", "Barrels stand along the walls", "Exits: out", "A clay lamp lies here."] {
        assert!(read.contains(line) && shown.contains(line), "{line}\n{read}\n{shown}");
    }
    assert!(shown.contains("Bera"), "who else is there is seen: {shown}");
    let number = table.room("Olad").id;
    table.types("Olad", "out");
    let there = table.types("Olad", &format!("preview #{number}"));
    assert!(there.contains("Barrels stand along the walls"), "{there}");
}

/// The screen-reader preview has no drawings, and a preview in narrow width has no longer line.
#[test]
fn room_preview_supports_screen_reader_and_widths() {
    let mut table = cellar();
    let heard = table.types("Olad", "preview here reader");
    assert!(heard.contains("As it is read aloud:") && heard.contains("Exits: out"), "{heard}");
    let narrow = table.types("Olad", "preview 40");
    assert!(narrow.contains("With 40 columns:"), "{narrow}");
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
    assert!(narrow.contains("Barrels stand along the walls, one upon\n"), "{narrow}");
    for line in ["preview 3", "preview here 999", "preview #12 13"] {
        let answer = table.types("Olad", line);
        assert!(answer.contains("A window has 20 to 200 columns."), "{line}: {answer}");
    }
}

/// A branch preview lists the rooms that its seed generates, without creating them.
#[test]
fn branch_preview_lists_rooms_of_the_seed() {
    let mut table = cellar();
    let before = rows(&table);
    let shown = table.types("Olad", "preview well seed 7 8");
    let spec = BranchSpec::of(&CATALOG, "well", Seed(7));
    let planned = PlannedBranch::walk(spec, &CATALOG, 8, 1);
    assert_eq!(planned.rooms.len(), 8);
    for (number, room) in (1..).zip(&planned.rooms) {
        assert!(
            shown.contains(&format!("\n{}, room {number}, ", room.plan.sheet.name)),
            "{number}: {}\n{shown}",
            room.plan.sheet.name
        );
        assert!(shown.contains(&room.plan.sheet.description), "{}\n{shown}", room.plan.sheet.description);
    }
    assert!(shown.contains(" of the start\n"), "{shown}");
    let count = |shown: &str| shown.lines().filter(|line| line.starts_with("Exits: ")).count();
    assert_eq!(count(&shown), 8, "{shown}");
    assert_eq!(count(&table.types("Olad", "preview well seed 7")), 5);
    assert_eq!(table.types("Olad", "preview well seed 7 8"), shown, "the same each time");
    assert_ne!(table.types("Olad", "preview well seed 8 8"), shown);
    assert!(rows(&table) == before, "nothing has changed");
    for name in CATALOG.level_types.keys() {
        let shown = table.types("Olad", &format!("preview {name} seed 1 3"));
        assert!(shown.contains(", room 1, "), "{name}: {shown}");
    }
    let answer = table.types("Olad", "preview wel seed 7");
    assert!(answer.contains("There is no theme and no level type \"wel\". Did you mean well?"), "{answer}");
    for line in
        ["preview well seed", "preview well seed x", "preview well seed 7 0", "preview well seed 7 21"]
    {
        assert_eq!(count(&table.types("Olad", line)), 0, "{line}");
    }
    assert!(
        table.types("Olad", "preview well seed 7 21").contains("A preview shows 1 to 20 rooms of a branch.")
    );
    let answer = table.types("Bera", "preview well seed 7");
    assert!(!answer.contains("The first"), "{answer}");
}

/// A branch exit is previewed with a seed and its own settings, as a map or in words; its state stays unchanged.
#[test]
fn branch_exit_preview_uses_its_settings() {
    let mut table = cellar();
    table.types_all("Olad", &["out", "recall", "down"]);
    table.types("Olad", "set south max_unexplored_exits = 1");
    let before = rows(&table);
    let shown = table.types("Olad", "preview south seed 7 12");
    assert!(shown.contains(", room 1, south of the start\n"), "{shown}");
    assert!(shown.contains("S is the start, 1 to 9 are the rooms below, and a is room 10."), "{shown}");
    let drawn: Vec<&str> = shown.lines().skip(1).take_while(|line| !line.starts_with("S is")).collect();
    for mark in ('1'..='9').chain('a'..='c').chain(['S']) {
        assert_eq!(drawn.concat().matches(mark).count(), 1, "{mark}: {shown}");
    }
    assert_eq!(drawn.concat().matches('?').count(), 1, "one exit is open at a time: {shown}");
    table.uses_screen_reader("Olad");
    let heard = table.types("Olad", "preview south seed 7 12");
    assert!(!heard.contains("S is the start") && heard.contains(", room 12, "), "{heard}");
    assert!(rows(&table) == before, "nothing has changed");
}
