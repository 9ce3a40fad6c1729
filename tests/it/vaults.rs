//! Vaults: set pieces in branches. A vault is explored completely, and its rooms behave like other rooms.

use crate::explorer::{guarded, opens_another_room};
use crate::table::{Table, changed_content, seeded};
use crate::workshop::Workshop;
use deepwell::base::{RoomId, Span};
use deepwell::catalog::vault::vault_text;
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::world::Room;
use std::sync::Arc;

/// Shipped content where the counting house always appears, from depth 2 on.
fn with_close_vaults() -> Arc<Catalog> {
    let file = "vaults/counting_house.toml";
    let shipped = BUILTIN.iter().find(|(path, _)| *path == file).expect("a shipped file").1;
    let close = shipped.replace("percent = 8\nleast_depth = 4", "percent = 100\nleast_depth = 2");
    assert_ne!(close, shipped);
    changed_content(&[(file, &close)])
}

/// Olad, nearly invulnerable, in the cellars.
fn olad_in_the_cellars() -> Table {
    let mut table = Table::with_content(seeded(3), &with_close_vaults());
    table.sit("Olad");
    table.types_all("Olad", &["down", "south"]);
    table.becomes("Olad", 900_000, 900_000);
    table
}

fn clear_room(table: &mut Table) {
    while table.body("Olad").target.is_some() || guarded(table.world(), table.room("Olad")) {
        table.types("Olad", "kill");
        table.waits(Span::secs(3));
    }
}

/// Returns the rooms of the branch that belong to the counting house, by name.
fn vault_rooms<'t>(table: &'t Table, catalog: &Catalog) -> Vec<&'t Room> {
    let vault = &catalog.vaults["counting_house"];
    let rooms: Vec<RoomId> = table.rooms_of(table.branch_of("Olad").expect("a member of a branch"));
    let rooms = rooms.into_iter().map(|room| &table.world().rooms[room]);
    rooms.filter(|room| vault.rooms.iter().any(|of| of.content.name == room.sheet.name)).collect()
}

/// A vault is explored to its last room, with a restart after each, and can be cleared; its details and triggers work.
#[test]
fn c3_e14_e26_d9_vault_is_explored_and_cleared() {
    let catalog = with_close_vaults();
    let mut table = olad_in_the_cellars();
    let all = catalog.vaults["counting_house"].rooms.len();
    let mut rung = false;
    for _ in 0..200 {
        if vault_rooms(&table, &catalog).len() == all {
            break;
        }
        clear_room(&mut table);
        if table.room("Olad").sheet.name == "Counting desk" && !rung {
            let rings = table.types("Olad", "use bell");
            assert!(rings.contains("Closed!"), "{rings}");
            assert!(table.types("Olad", "look ledger").contains("no change given"));
            rung = true;
        }
        let known = vault_rooms(&table, &catalog).len();
        if (1..all).contains(&known) {
            assert!(!table.branch("Olad").vaults.is_empty(), "places are kept");
            table.restart();
        }
        assert!(opens_another_room(&mut table, "Olad"), "E58: there is a way on");
    }
    clear_room(&mut table);
    let rooms = vault_rooms(&table, &catalog);
    assert_eq!(rooms.len(), all, "all of it was found");
    assert!(table.branch("Olad").vaults.is_empty(), "no place is kept any more");
    let plank = rooms.iter().find(|room| room.sheet.name == "Toll plank").expect("the plank");
    assert!(plank.depth >= 2 && !plank.sheet.description.is_empty() && plank.sheet.environment == "brick");
    assert!(plank.sheet.details.contains_key("hand"));
    assert!(rung, "the bell was met on the way");
    for _ in 0..20 {
        clear_room(&mut table);
        assert!(opens_another_room(&mut table, "Olad"), "E58: the branch goes on behind it");
    }
}

/// On a whole floor a vault is attached to the regular rooms, and is explored across restarts.
#[test]
fn c3_p30_whole_floor_has_an_attached_vault() {
    let file = "vaults/bindery.toml";
    let shipped = BUILTIN.iter().find(|(path, _)| *path == file).expect("a shipped file").1;
    let catalog = changed_content(&[(file, &shipped.replace("percent = 70", "percent = 100"))]);
    let mut table = Table::with_content(seeded(3), &catalog);
    table.sit("Olad");
    table.make_owner("Olad");
    let lines =
        ["north", "dig Pit:start = pit, out", "pit", "open north;n:branch", "set north theme = archive"];
    table.types_all("Olad", &lines);
    table.becomes("Olad", 900_000, 900_000);
    table.types("Olad", "north");
    let names: Vec<&String> = catalog.vaults["bindery"].rooms.iter().map(|room| &room.content.name).collect();
    let found = |table: &Table| {
        let rooms: Vec<RoomId> = table.rooms_of(table.branch_of("Olad").expect("a member of a branch"));
        rooms.iter().filter(|room| names.contains(&&table.world().rooms[**room].sheet.name)).count()
    };
    let is_left = |table: &Table| table.branch("Olad").vaults.on(1).any(|laid| laid.key == "bindery");
    let mut walked = 0;
    while found(&table) < names.len() && walked < 200 {
        clear_room(&mut table);
        assert!(opens_another_room(&mut table, "Olad"), "E58: there is a way on");
        walked += 1;
        if found(&table) == 1 {
            assert!(is_left(&table));
            table.restart();
        }
    }
    assert_eq!(found(&table), names.len(), "{}", table.types("Olad", "map"));
    assert!(!is_left(&table), "all of it was walked");
}

/// Three rooms of a zone, with an entrance from the south; Olad is in the first.
fn with_shed() -> Workshop {
    let mut shop = Workshop::open();
    for line in [
        "zone new shed",
        "dig Tool Shed = hatch, out",
        "hatch",
        "zone set shed",
        "describe here = Rakes lean in a corner, and their shadows in another.",
        "detail rakes = Each has a name burnt into its handle.",
        "trigger use rakes = room A rake falls over.",
        "dig Seed Loft = north, south",
        "dig Potting Bench = east, west",
        "north",
        "describe here = Seeds in paper bags hang from the beams.",
        "spawn rat = 2 every 60",
        "south",
        "east",
        "describe here = Pots stand on it in stacks.",
        "spawn clay_lamp = 1 every 60",
        "trigger timer 60 = room A pot settles.",
        "west",
    ] {
        let answer = shop.types("Olad", line);
        for no in ["There is no", "Type ", "You may not"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
    shop
}

/// Rooms of a builder are saved as a vault, generated in a branch once allowed, and explored completely.
#[test]
fn saved_vault_is_generated_in_a_branch() {
    let mut shop = with_shed();
    let nobody = shop.types("Olad", "vault save shed");
    assert!(nobody.contains("nobody can come in"), "{nobody}");
    let saved = shop.types("Olad", "vault save shed south");
    assert!(saved.contains("shed is a vault now: three rooms, one end; it may be turned"), "{saved}");
    for left in ["the exit out of", "trigger timer 60"] {
        assert!(saved.contains(left), "{left}: {saved}");
    }
    let allowed = shop.types("Olad", "vault allow shed in cellars 100 2");
    assert!(allowed.contains("shed comes up in cellars from now on."), "{allowed}");
    let shown = shop.types("Olad", "vault show shed");
    for line in
        ["turns = true", "level_type = \"cellars\"", "creatures = [\"rat\", \"rat\"]", "ends = [\"south\"]"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let table = &mut shop.table;
    table.types_all("Olad", &["recall", "down", "south"]);
    table.becomes("Olad", 900_000, 900_000);
    let names = ["Tool Shed", "Seed Loft", "Potting Bench"];
    let found = |table: &Table| {
        let rooms = table.rooms_of(table.branch_of("Olad").expect("a member of a branch"));
        names
            .iter()
            .filter(|name| rooms.iter().any(|room| table.world().rooms[*room].sheet.name == **name))
            .count()
    };
    for _ in 0..200 {
        if found(table) == names.len() {
            break;
        }
        clear_room(table);
        if table.room("Olad").sheet.name == "Tool Shed" {
            assert!(table.types("Olad", "look rakes").contains("burnt into its handle"));
            assert!(table.types("Olad", "use rakes").contains("A rake falls over."));
        }
        assert!(opens_another_room(table, "Olad"), "E58: there is a way on");
    }
    clear_room(table);
    assert_eq!(found(table), names.len(), "all of it was found");
    assert!(table.room("Olad").clear);
}

/// Saving, changing and deleting vaults is in the journal, and undone also after a restart.
#[test]
fn vault_changes_are_undone_after_a_restart() {
    let mut shop = with_shed();
    let vaults = |shop: &Workshop| shop.table.world().meta().vaults_created_in_game();
    shop.types("Olad", "vault save shed south");
    let saved = vaults(&shop);
    shop.types("Olad", "vault allow shed in well 10");
    assert_ne!(vaults(&shop), saved);
    shop.table.restart();
    let answer = shop.types("Olad", "undo");
    assert!(answer.contains("The vault shed is another."), "{answer}");
    assert_eq!(vaults(&shop), saved);
    shop.types("Olad", "undo");
    assert!(vaults(&shop).is_empty());
    shop.types("Olad", "redo");
    assert_eq!(vaults(&shop), saved);
    shop.types("Olad", "vault drop shed");
    assert!(vaults(&shop).is_empty());
    shop.types("Olad", "undo");
    assert_eq!(vaults(&shop), saved);
    for (line, message) in [
        ("vault show shet", "Did you mean shed?"),
        ("vault save counting_house south", "counting_house is taken already."),
        ("vault save shed up", "up is no side."),
        ("vault allow shed in caves", "There is no level type \"caves\" with room for vaults."),
        ("vault forbid shed in well", "shed does not come up in well."),
        ("vault allow shed in well 0", "Type vault"),
    ] {
        let heard = shop.types("Olad", line);
        assert!(heard.contains(message), "{line}: {heard}");
    }
}

/// The exported file of a vault is valid content, and never overwrites changes by others.
#[test]
fn exported_vault_is_valid_content() {
    let mut shop = with_shed();
    shop.types("Olad", "vault save shed south");
    shop.types("Olad", "vault allow shed in well 10");
    let answer = shop.types("Olad", "vault export shed");
    assert!(answer.contains("holds the vault shed"), "{answer}");
    let text = shop.files["vaults/shed"].clone();
    let catalog = changed_content(&[("vaults/shed.toml", &text)]);
    assert_eq!(vault_text::write(&catalog.vaults["shed"]), text);
    shop.types("Olad", "vault export shed");
    assert_eq!(shop.files["vaults/shed"], text, "again the same bytes");
    shop.files.insert("vaults/shed".into(), format!("{text}# mine\n"));
    let answer = shop.types("Olad", "vault export shed");
    assert!(answer.contains("has been changed by somebody else"), "{answer}");
    assert!(shop.files["vaults/shed"].ends_with("# mine\n"));
}
