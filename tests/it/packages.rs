//! Packages of zones: a round trip into another world, clashes, mistakes, undo, and a crash.

use crate::workshop::Workshop;
use deepwell::catalog::DefinitionKind;
use deepwell::data::archive::{Archive, ArchiveLimits};
use deepwell::game::Input;

const PATH: &str = "packages/mill.zip";

/// The mill of four rooms with definitions of every kind that can belong to a zone, and a vault.
pub(crate) fn with_package() -> Workshop {
    let mut shop = Workshop::with_mill();
    for line in [
        "make creature mill_rat like rat = flour rat",
        "make creature old_rat like mill_rat = old flour rat",
        "make item flour_sack = sack of flour",
        "make item unused_sack = sack that is not here",
        "make script bell = the bell of the mill",
        "script write bell = local M = {}\\nfunction M.ring(event)\\n    return { \"say \\\\\"hm\\\\\"\" }\\nend\\nreturn M",
        "make quest tails = Tails",
        "make dialogue keeper = the keeper's talk",
        "set creature old_rat dialogue = keeper",
        "make help mill_rules = Rules of the mill",
        "make theme mill_well like well = Mill well",
        "variable new rung = number",
        "trigger say ring = call bell ring; add rung 1",
        "trigger say hunt = start tails",
        "spawn old_rat = 1 every 60",
        "shop here = flour_sack",
        "down",
        "set north theme = mill_well",
        "up",
        "dig Shed = west, east",
        "west",
        "vault save mill_shed south",
        "east",
    ] {
        let answer = shop.types("Olad", line);
        assert!(
            !answer.contains("There is no ") && !answer.contains("Nothing is changed"),
            "{line}: {answer}"
        );
    }
    let answer = shop.types("Olad", "zone pack mill");
    assert!(answer.contains("packages/mill.zip holds the package of the zone mill."), "{answer}");
    shop
}

fn archive(shop: &Workshop) -> Archive {
    serde_json::from_str(&shop.packages[PATH]).expect("an archive")
}

/// Another world with the same files of content, and the package.
fn other_world(shop: &Workshop) -> Workshop {
    let mut other = Workshop::open();
    other.packages = shop.packages.clone();
    other
}

fn change(shop: &mut Workshop, path: &str, edit: impl FnOnce(&str) -> String) {
    let mut archive = archive(shop);
    let text = archive.0.get(path).map(String::as_str).unwrap_or_default();
    let text = edit(text);
    archive.0.insert(path.to_owned(), text);
    shop.packages.insert(PATH.to_owned(), serde_json::to_string(&archive).expect("JSON"));
}

/// The package has all that the zone uses, and nothing else; its zip archive is read back the same.
#[test]
fn package_has_all_that_belongs_to_the_zone() {
    let shop = with_package();
    let archive = archive(&shop);
    let paths: Vec<&str> = archive.0.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "dialogues/keeper.toml",
            "help/mill_rules.md",
            "items/flour_sack.toml",
            "mobs/mill_rat.toml",
            "mobs/old_rat.toml",
            "package.txt",
            "quests/tails.toml",
            "scripts/bell.luau",
            "themes/mill_well.toml",
            "vaults/mill_shed.toml",
            "zones/mill.toml",
        ]
    );
    let bytes = archive.to_bytes().expect("an archive");
    let limits = ArchiveLimits { files: 100, bytes: 1_000_000 };
    assert_eq!(Archive::from_bytes(&bytes, &limits), Ok(archive));
}

/// Taken into another world, the zone gives the same package; without `now` nothing changes.
#[test]
fn package_round_trip_into_another_world_is_identical() {
    let mut shop = with_package();
    let mut other = other_world(&shop);
    let before = (other.digest(), other.table.world().rooms.len());
    let answer = other.types("Olad", "zone unpack mill");
    assert!(
        answer.contains("zone unpack mill now would bring:\nThe zone mill, with five rooms."),
        "{answer}"
    );
    assert!(answer.contains("The script bell.") && answer.contains("The vault mill_shed, with "), "{answer}");
    assert_eq!(before, (other.digest(), other.table.world().rooms.len()));
    let answer = other.types("Olad", "zone unpack mill now");
    assert!(answer.contains("It is taken in:\nThe zone mill, with five rooms."), "{answer}");
    shop.types("Olad", "destroy item unused_sack");
    assert_eq!(other.digest(), shop.digest());
    other.packages.clear();
    other.types("Olad", "zone pack mill");
    assert_eq!(archive(&other), archive(&shop));
    let answer = other.types("Olad", "zone unpack mill");
    assert!(answer.contains("The world has ten of its files already."), "{answer}");
}

/// An unpacked package is one entry of the journal and one transaction: undo removes everything, redo restores it.
#[test]
fn unpacking_is_undone_redone_and_survives_a_crash() {
    let mut shop = with_package();
    shop.types("Olad", "destroy item unused_sack");
    let mut other = other_world(&shop);
    let before = (other.digest(), other.table.world().rooms.built().count());
    other.types("Olad", "zone unpack mill now");
    let changes = other.table.last_changes();
    assert!(
        !changes.rooms.is_empty() && !changes.definitions.is_empty() && changes.meta.is_some(),
        "one transaction"
    );
    other.table.crash();
    other.table.comes_back("Olad");
    let after = (other.digest(), other.table.world().rooms.built().count());
    assert_eq!((after.0.clone(), after.1), (shop.digest(), before.1 + 5));
    let answer = other.types("Olad", "undo");
    assert!(answer.contains("You take back: zone unpack mill now"), "{answer}");
    assert_eq!(before, (other.digest(), other.table.world().rooms.built().count()));
    assert!(other.table.world().meta().vaults_created_in_game().is_empty());
    assert!(!other.types("Olad", "zone list").contains("mill"));
    other.types("Olad", "redo");
    assert_eq!(after, (other.digest(), other.table.world().rooms.built().count()));
    assert!(other.table.world().meta().vaults_created_in_game().contains_key("mill_shed"));
}

/// Each clash has its message, and nothing is taken in.
#[test]
fn clashes_are_listed_and_nothing_is_taken_in() {
    let shop = with_package();
    let mut other = other_world(&shop);
    for line in
        ["make script bell", "make item flour_sack = sack", "zone new mill", "make help mill_rules = Mine"]
    {
        other.types("Olad", line);
    }
    let before = (other.digest(), other.table.world().rooms.len());
    let answer = other.types("Olad", "zone unpack mill now");
    for message in [
        "scripts/bell.luau:1:1: another script has the key bell",
        "items/flour_sack.toml:1:1: another item has the key flour_sack",
        "help/mill_rules.md:1:1: another page has the key mill_rules",
        "zones/mill.toml:1:1: the key mill is taken, by a zone or a theme that is another",
        "To give all of it keys of its own, choose a prefix for them: zone unpack mill as NAME.",
    ] {
        assert!(answer.contains(message), "{message}: {answer}");
    }
    assert_eq!(before, (other.digest(), other.table.world().rooms.len()));
}

/// A package is taken in as a whole or not at all.
#[test]
fn mistakes_of_a_package_are_listed_and_nothing_is_taken_in() {
    let shop = with_package();
    for (path, from, to, message) in [
        ("scripts/bell.luau", "return M", "return M M", "scripts/bell.luau:5"),
        ("mobs/old_rat.toml", "mill_rat", "mill_rta", "mobs/old_rat.toml"),
        ("zones/mill.toml", "flour_sack", "flour_sakc", "did you mean `flour_sack`?"),
        ("zones/mill.toml", "call bell ring", "call bell rung", "zones/mill.toml"),
        ("vaults/mill_shed.toml", "[[rooms]]", "[[roms]]", "vaults/mill_shed.toml"),
        ("zones/../mill.toml", "", "x", "this is no file of a package"),
        ("affects/fire.toml", "", "x", "this is no file of a package"),
    ] {
        let mut other = other_world(&shop);
        change(&mut other, path, |text| if from.is_empty() { to.to_owned() } else { text.replace(from, to) });
        let before = (other.digest(), other.table.world().rooms.len());
        let answer = other.types("Olad", "zone unpack mill now");
        assert!(answer.contains("Nothing is taken in") && answer.contains(message), "{path}: {answer}");
        assert_eq!(before, (other.digest(), other.table.world().rooms.len()), "{path}");
        assert!(other.table.world().definitions.find(DefinitionKind::Script, "bell").is_none());
        let answer = other.types("Olad", "zone unpack mill as dale now");
        assert!(answer.contains("Nothing is taken in"), "{path}: {answer}");
        assert_eq!(before, (other.digest(), other.table.world().rooms.len()), "{path}");
    }
    let mut other = other_world(&shop);
    other.packages.insert(PATH.to_owned(), "no archive".to_owned());
    assert!(other.types("Olad", "zone unpack mill").contains("The package mill cannot be read"));
    for (line, message) in [
        ("zone unpack", "Type zone and list"),
        ("zone unpack mill later", "Type zone and list"),
        ("zone unpack ../mill", "A zone is called by small letters"),
        ("zone unpack moll", "No such file"),
        ("zone pack moll", "There is no zone moll."),
    ] {
        let answer = other.types("Olad", line);
        assert!(answer.contains(message), "{line}: {answer}");
    }
}

/// A package that was changed by another program is not overwritten; the limit of vaults holds.
#[test]
fn changed_package_is_kept_and_limits_hold() {
    let mut shop = with_package();
    assert!(
        shop.types("Olad", "zone pack mill").contains("packages/mill.zip holds"),
        "it is as the world knows it"
    );
    change(&mut shop, "scripts/bell.luau", |text| format!("{text}-- more\n"));
    let answer = shop.types("Olad", "zone pack mill");
    assert!(answer.contains("has been changed by somebody else"), "{answer}");
}

/// A zone is packed without its neighbours: exits to zones that the other world lacks are left out, and told.
#[test]
fn exits_to_absent_zones_are_left_out() {
    let mut shop = Workshop::with_mill();
    for line in [
        "zone new shed",
        "dig Tool Shed = shed door, mill",
        "shed door",
        "zone set shed",
        "mill",
        "zone pack mill",
    ] {
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("There is no "), "{line}: {answer}");
    }
    let mut other = other_world(&shop);
    let answer = other.types("Olad", "zone unpack mill");
    let left_out = "The exit shed door of the room mill_floor is left out: there is no room shed/tool_shed.";
    assert!(answer.contains(left_out), "{answer}");
    let answer = other.types("Olad", "zone unpack mill now");
    assert!(answer.contains("It is taken in:") && answer.contains(left_out), "{answer}");
    assert!(
        other.exported("mill").contains("key = \"mill_floor\"") && !other.exported("mill").contains("shed")
    );
}

/// A builder who has left before the archive is read takes nothing in.
#[test]
fn package_of_builder_who_left_is_not_taken_in() {
    let shop = with_package();
    let mut other = other_world(&shop);
    let session = other.table.session("Olad");
    let asked = other.table.results_of(Input::Command { session, line: "zone unpack mill now".into() });
    let answer = asked.iter().find_map(|effect| other.carry_out(effect)).expect("a request for the archive");
    let before = (other.digest(), other.table.world().rooms.len());
    other.table.types("Olad", "quit");
    other.table.step(answer);
    assert_eq!(before, (other.digest(), other.table.world().rooms.len()));
    assert!(!other.table.world().meta().zones.contains_key("mill"));
}
