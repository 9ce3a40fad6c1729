//! Zones as files: export, and import in full or not at all.

use crate::workshop::Workshop;
use deepwell::base::Direction;
use deepwell::catalog::RoomKind;
use deepwell::game::{Declined, FileKind, FilePurpose, Input, WrittenFile};

/// Export, import and export give the same bytes, in the original world and in another.
#[test]
fn exported_zone_imports_to_the_same_bytes() {
    let mut shop = Workshop::with_mill();
    let text = shop.exported("mill");
    let before = shop.table.world().snapshot();
    let answer = shop.types("Olad", "zone import mill");
    assert!(answer.contains("zero rooms made, four rooms kept, zero rooms gone"), "{answer}");
    assert_eq!(shop.exported("mill"), text);
    assert!(shop.table.world().snapshot().rooms == before.rooms, "rooms are as they were");
    assert!(shop.table.world().snapshot().exits == before.exits, "exits are as they were");

    let mut other = Workshop::open();
    for line in ["dig Shed = up, down", "zone new shed", "up", "zone set shed"] {
        other.table.types("Olad", line);
    }
    other.files.insert("mill".into(), text.clone());
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("four rooms made, zero rooms kept, zero rooms gone"), "{answer}");
    assert_eq!(other.exported("mill"), text, "on other ground, too");
    other.table.restart();
    assert_eq!(other.exported("mill"), text, "after a restart, too");
    let pit = other
        .table
        .world()
        .rooms
        .iter()
        .find(|(_, room)| room.sheet.name == "Wheel Pit")
        .expect("it is there")
        .1;
    assert_eq!(pit.sheet.kind, RoomKind::Start);
    assert!(other.table.world().start_tasks.get(pit.id).is_some(), "its tasks are running");
}

#[test]
fn shipped_town_is_exported_and_imported() {
    let mut shop = Workshop::open();
    let text = shop.exported("town");
    assert!(text.contains("\nstart = \"square\"\n"), "{text}");
    let answer = shop.types("Olad", "zone import town");
    assert!(answer.contains("zero rooms made") && answer.contains("zero rooms gone"), "{answer}");
    assert_eq!(shop.exported("town"), text);
}

#[test]
fn edit_in_game_changes_one_line_of_the_file() {
    let mut shop = Workshop::with_mill();
    let before = shop.exported("mill");
    shop.table.types("Olad", "describe here = Swept.");
    let after = shop.exported("mill");
    let changed: Vec<(&str, &str)> =
        before.lines().zip(after.lines()).filter(|(one, other)| one != other).collect();
    assert_eq!(before.lines().count(), after.lines().count());
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!(changed[0].1, "description = \"Swept.\"");
}

/// An import applies edits of the file: existing rooms keep their id, new rooms are built, missing rooms are deleted.
#[test]
fn edited_zone_file_is_applied_by_import() {
    let mut shop = Workshop::with_mill();
    shop.exported("mill");
    let floor = shop.table.body("Olad").room;
    shop.edit("mill", "name = \"Mill Floor\"", "name = \"Milling Floor\"");
    shop.edit("mill", "to = \"mill_loft\"", "to = \"attic\"");
    let attic = "\n[[rooms]]\nkey = \"attic\"\nname = \"Attic\"\nenvironment = \"wood\"\ndescription = \"Dust.\"\n\
                 \n[[rooms.exits]]\nname = \"down\"\nto = \"mill_floor\"\n\
                 \n[[rooms.exits]]\nname = \"rope\"\nto = \"town/square\"\n";
    let text = shop.files["mill"].clone();
    let (begin, loft) = text.split_once("\n[[rooms]]\nkey = \"mill_loft\"").expect("the loft");
    let (_, rest) = loft.split_once("\n[[rooms]]\n").expect("more rooms");
    shop.files.insert("mill".into(), format!("{begin}{attic}\n[[rooms]]\n{rest}"));
    let answer = shop.types("Olad", "zone diff mill");
    for line in [
        "name of room `mill_floor`: the world says \"Mill Floor\", the file says \"Milling Floor\".",
        "to of exit `up` of room `mill_floor`: the world says \"mill_loft\", the file says \"attic\".",
        "The file has no room `mill_loft`.",
        "The file has room `attic`, which the world has not.",
    ] {
        assert!(answer.contains(line), "{line}\n{answer}");
    }
    let answer = shop.types("Olad", "zone import mill");
    assert!(answer.contains("one room made, three rooms kept, one room gone"), "{answer}");
    assert_eq!(
        (shop.table.body("Olad").room, shop.table.room("Olad").sheet.name.as_str()),
        (floor, "Milling Floor")
    );
    shop.table.types("Olad", "up");
    assert_eq!(shop.table.room("Olad").sheet.name, "Attic");
    let up = shop.table.room("Olad").coordinates().expect("a place");
    assert_eq!(up, shop.table.world().rooms[floor].coordinates().expect("a place").step(Direction::Up));
    shop.table.types("Olad", "rope");
    assert_eq!(shop.table.room("Olad").sheet.name, "Well Square");
    let answer = shop.types("Olad", "zone diff mill");
    assert!(answer.contains("`at`") || answer.contains("at of room `attic`"), "{answer}");
}

/// A player in a room deleted by an import is moved to the start room.
#[test]
fn players_in_rooms_deleted_by_import_are_moved() {
    let mut shop = Workshop::with_mill();
    shop.table.sit("Bera");
    shop.exported("mill");
    shop.table.types("Olad", "up");
    let text = shop.files["mill"].replace("[[rooms.exits]]\nname = \"up\"\nto = \"mill_loft\"\n\n", "");
    let (begin, loft) = text.split_once("\n[[rooms]]\nkey = \"mill_loft\"").expect("the loft");
    let (_, rest) = loft.split_once("\n[[rooms]]\n").expect("more rooms");
    shop.files.insert("mill".into(), format!("{begin}\n[[rooms]]\n{rest}"));
    let answer = shop.types("Olad", "zone import mill");
    assert!(answer.contains("one room gone"), "{answer}");
    assert_eq!(shop.table.room("Olad").sheet.name, "Well Square");
}

/// Export never overwrites a file changed by others; its changes can be imported first.
#[test]
fn export_does_not_overwrite_changed_file() {
    let mut shop = Workshop::with_mill();
    shop.exported("mill");
    shop.edit("mill", "name = \"Mill Floor\"", "name = \"Milling Floor\"");
    shop.table.types("Olad", "describe here = Swept.");
    let edited = shop.files["mill"].clone();
    let answer = shop.types("Olad", "zone export mill");
    assert!(answer.contains("mill.toml has been changed by somebody else"), "{answer}");
    assert_eq!(shop.files["mill"], edited);
    shop.types("Olad", "zone import mill");
    assert_eq!(shop.table.room("Olad").sheet.name, "Milling Floor");
    assert_eq!(shop.exported("mill"), edited);
}

/// A crash between writing the file and recording it is not taken for a change by others.
#[test]
fn unrecorded_export_is_recognised_after_restart() {
    let mut shop = Workshop::with_mill();
    let session = shop.table.session("Olad");
    let effects = shop.table.results_of(Input::Command { session, line: "zone export mill".into() });
    assert!(effects.iter().any(|effect| shop.carry_out(effect).is_some()), "{effects:?}");
    shop.table.restart();
    shop.table.types("Olad", "describe here = Swept.");
    assert!(shop.exported("mill").contains("Swept."));
}

/// All errors are reported together, with line and suggestion, and the zone is unchanged.
#[test]
fn zone_file_with_errors_changes_nothing() {
    let mut shop = Workshop::with_mill();
    shop.exported("mill");
    shop.edit_all(
        "mill",
        &[
            ("name = \"Guard Room\"", "nmae = \"Guard Room\""),
            ("to = \"mill_loft\"", "to = \"mill_lofd\""),
            ("kind = \"start\"", "kind = \"strat\""),
            ("theme = \"well\"", "theme = \"wel\""),
            ("\"20% harm 1\"", "\"20% harn 1\""),
        ],
    );
    let before = shop.table.world().snapshot();
    let answer = shop.types("Olad", "zone import mill");
    shop.assert_errors(
        "mill",
        &answer,
        &[
            ("nmae", "did you mean `name`?"),
            ("\"strat\"", "did you mean `start`?"),
            ("harn", "did you mean `harm`?"),
        ],
    );
    assert!(shop.table.world().snapshot().rooms == before.rooms, "something changed");
    // Semantic errors are reported once the file parses.
    shop.edit_all("mill", &[("nmae", "name"), ("strat", "start"), ("harn", "harm")]);
    let answer = shop.types("Olad", "zone import mill");
    for cure in [
        "unknown room `mill_lofd`",
        "did you mean `mill_loft`?",
        "unknown level type `wel`",
        "did you mean `well`?",
    ] {
        assert!(answer.contains(cure), "{cure}\n{answer}");
    }
    assert!(shop.table.world().snapshot().rooms == before.rooms, "something changed");
}

/// An import cannot remove the start room or the way into the dungeon.
#[test]
fn import_cannot_remove_start_room_or_dungeon() {
    let mut shop = Workshop::open();
    shop.exported("town");
    let text = shop.files["town"].clone();
    shop.files.insert("town".into(), "rooms = []\n".into());
    let answer = shop.types("Olad", "zone import town");
    assert!(
        answer.contains("where everybody begins") && answer.contains("nobody could walk down to the dungeon"),
        "{answer}"
    );
    shop.files.insert("town".into(), text.replace("start = \"square\"", "start = \"lodge\""));
    let answer = shop.types("Olad", "zone import town");
    assert!(answer.contains("town.toml:4:9: an import does not change where everybody begins"), "{answer}");
}

/// A zone has an owner, who chooses its other builders.
#[test]
fn zone_owner_chooses_builders() {
    let mut shop = Workshop::with_mill();
    for name in ["Bera", "Kasp"] {
        shop.table.sit(name);
        shop.table.types("Olad", &format!("promote {name} builder"));
        shop.table.types(name, "goto mill");
    }
    let answer = shop.table.types("Bera", "describe here = Mine.");
    assert!(answer.contains("You do not build in the zone mill: ask Olad"), "{answer}");
    let mill = shop.table.room("Bera").id;
    for line in [
        "dig Cellar = cellar",
        &format!("name #{mill} = Hers"),
        &format!("describe #{mill} = Hers."),
        &format!("set #{mill} environment = hers"),
        &format!("tag #{mill} = hers"),
        &format!("shop #{mill} = torch_stub"),
        "open gate = mill",
        "destroy hatch",
        "destroy mill loft",
        "zone export",
        "zone import",
        "zone add Kasp",
    ] {
        let answer = shop.types("Bera", line);
        assert!(answer.contains("You do not build in the zone mill"), "{line}: {answer}");
    }
    // The door has two sides, and one is in the mill.
    shop.table.types("Bera", "out");
    let answer = shop.table.types("Bera", "set mill door door = hatch");
    assert!(answer.contains("You do not build in the zone mill"), "{answer}");
    shop.table.types("Bera", "in");
    shop.table.types("Olad", "zone add Bera");
    assert!(shop.table.types("Bera", "describe here = Mine.").contains("It is written."));
    assert!(shop.table.types("Bera", "zone add Kasp").contains("Only the owner"));
    assert!(shop.table.types("Kasp", "describe here = Mine.").contains("You do not build"));
    shop.table.types("Olad", "zone give Bera");
    assert!(shop.table.types("Bera", "zone add Kasp").contains("Kasp builds in the zone mill"));
    let answer = shop.table.types("Kasp", "zone list");
    assert!(answer.contains("mill: four rooms, by Bera and Kasp"), "{answer}");
    shop.table.types("Bera", "zone remove Kasp");
    assert!(shop.table.types("Kasp", "describe here = Mine.").contains("You do not build"));
    shop.table.restart();
    assert!(shop.table.types("Kasp", "describe here = Mine.").contains("You do not build"));
}

#[test]
fn operator_exports_and_imports_zones() {
    let mut shop = Workshop::with_mill();
    assert!(shop.operator_asks("zone export mill").expect("it is written")[0].contains("zones/mill.toml"));
    assert_eq!(shop.operator_asks("zone diff mill").unwrap(), ["The zone mill and its file say the same."]);
    assert!(shop.operator_asks("zone import mill").is_ok());
    assert!(shop.operator_asks("zone export mil").unwrap_err().to_string().contains("Did you mean mill?"));
    assert!(shop.operator_asks("zone export ../mill").is_err());
    assert!(shop.operator_asks("zone import ../mill").is_err());
}

/// The result of a file operation is dropped if its session has ended.
#[test]
fn file_result_for_ended_session_is_dropped() {
    let mut shop = Workshop::with_mill();
    let (asker, kind) = (deepwell::base::SessionId(99), FileKind::Zone);
    let gone = Declined::Reason("gone".into());
    shop.table.step(Input::FilesRead {
        asker,
        kind,
        purpose: FilePurpose::Compare,
        prefix: None,
        files: Err(gone.clone()),
    });
    let files = vec![WrittenFile { name: "mill".into(), digest: String::new(), result: Err(gone) }];
    shop.table.step(Input::FilesWritten { asker, kind, files, others: Vec::new() });
    assert_eq!(shop.table.hears("Olad"), "");
}
