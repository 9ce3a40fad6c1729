//! Creature and item definitions made in the game: immediate effect, undo, export and import.

use crate::table::{Table, changed_content, seeded};
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, Catalog, DefinitionKind, OverridingText};
use deepwell::game::{Content, Input};
use deepwell::world::Role;
use std::sync::Arc;

/// A mill rat and a flour sack. Olad (owner), Bera and Cara (builders) are in the lodge.
fn with_rat() -> Workshop {
    let mut shop = Workshop::open();
    for name in ["Bera", "Cara"] {
        shop.table.sit(name);
        shop.types("Olad", &format!("promote {name} builder"));
        shop.types(name, "north");
    }
    let lines = [
        "make creature mill_rat like rat = flour rat",
        "set creature mill_rat hp = 9",
        "set creature mill_rat strikes = bites, dusts",
        "make item flour_sack = sack of flour",
        "set item flour_sack plural = sacks of flour",
        "set item flour_sack value = 4",
    ];
    shop.types_all("Bera", &lines);
    shop
}

fn hp(shop: &Workshop, key: &str) -> u32 {
    shop.table.game().catalog().creatures[key].hp
}

#[test]
fn made_creature_and_item_exist_at_once_and_after_restart() {
    let mut shop = with_rat();
    let rat = &shop.table.game().catalog().creatures["mill_rat"];
    let like = &shop.table.game().catalog().creatures["rat"];
    assert_eq!((rat.hp, rat.attack, rat.strikes.join(" ").as_str()), (9, like.attack, "bites dusts"));
    shop.types("Bera", "dig Mill = in, out");
    shop.types("Bera", "in");
    shop.types("Bera", "spawn mill_rat = 2 every 60");
    shop.types("Bera", "spawn flour_sack");
    let before = shop.digest();
    shop.table.restart();
    let after = shop.digest();
    assert_eq!(after, before, "all read at a start is as what was read one by one");
    let view = shop.types("Bera", "look");
    assert!(view.contains("flour rats") && view.contains("sack of flour"), "{view}");
    assert!(shop.types("Bera", "find creature mill_rat").contains("flour rat, mill_rat: used in one room"));
    let answer = shop.types("Bera", "set creature mill_rat description = It leaves white prints.");
    assert!(answer.contains("The two that are about keep their names"), "{answer}");
    assert!(shop.types("Bera", "shop here = flour_sack").contains("On sale there: flour_sack."));
}

#[test]
fn examine_shows_lines_that_recreate_the_definition() {
    let mut shop = with_rat();
    shop.types("Bera", "set creature mill_rat behaviours = guard; heard sound = \"A sneeze.\", rooms = 3");
    shop.types("Bera", "describe creature mill_rat = It is white. \\n It sneezes.");
    let of = |shop: &Workshop, kind, key| {
        shop.table.world().definitions.find(kind, key).expect("it is made").text.clone()
    };
    let before = of(&shop, DefinitionKind::Creature, "mill_rat");
    for (what, kind, key) in [
        ("creature mill_rat", DefinitionKind::Creature, "mill_rat"),
        ("item flour_sack", DefinitionKind::Item, "flour_sack"),
    ] {
        let text = of(&shop, kind, key);
        let shown = shop.types("Bera", &format!("examine {what}"));
        assert!(shown.contains("Made by Bera") && shown.contains("Used by: nothing."), "{shown}");
        let (_, lines) = shown.split_once("To type it again:\n").expect("lines to type");
        shop.types("Bera", &format!("destroy {what}"));
        for line in lines.lines() {
            shop.types("Bera", line);
        }
        assert_eq!(of(&shop, kind, key), text, "{shown}");
    }
    assert!(
        before.contains("[[behaviours]]\npart = \"heard\"\nrooms = 3\nsound = \"A sneeze.\"\n"),
        "{before}"
    );
}

/// Changes are undone and redone, also after a restart; the journal shows the old and new values.
#[test]
fn definition_changes_are_undone_and_redone() {
    let mut shop = with_rat();
    shop.types("Bera", "set creature mill_rat hp = 12");
    let answer = shop.types("Bera", "journal creature mill_rat 1");
    assert!(answer.contains("was: hp = 9") && answer.contains("is: hp = 12"), "{answer}");
    shop.table.restart();
    shop.types("Bera", "undo");
    assert_eq!(hp(&shop, "mill_rat"), 9);
    shop.types("Bera", "redo");
    assert_eq!(hp(&shop, "mill_rat"), 12);
    shop.types("Bera", "destroy creature mill_rat");
    assert!(!shop.table.game().catalog().creatures.contains_key("mill_rat"));
    shop.types("Bera", "undo");
    assert_eq!(hp(&shop, "mill_rat"), 12);
    // A field changed by another builder since is not undone.
    shop.types("Olad", "set creature mill_rat hp = 20");
    let answer = shop.types("Bera", "undo");
    assert!(answer.contains("is not as") && answer.contains("Olad has typed"), "{answer}");
    assert_eq!(hp(&shop, "mill_rat"), 20);
}

/// A definition that a saved vault uses cannot be deleted, even after the source rooms are gone.
#[test]
fn definition_used_by_saved_vault_cannot_be_destroyed() {
    let mut shop = with_rat();
    for line in ["zone new mill", "dig Mill = in, out", "in", "zone set mill", "spawn mill_rat = 1 every 60"]
    {
        shop.types("Bera", line);
    }
    assert!(shop.types("Bera", "vault save mill south").contains("mill is a vault now"));
    for line in ["out", "destroy Mill"] {
        shop.types("Bera", line);
    }
    let answer = shop.types("Bera", "destroy creature mill_rat");
    assert!(answer.contains("it is used: the vault mill"), "{answer}");
    assert!(shop.types("Bera", "find uses mill_rat").contains("The vault mill"));
    shop.types("Bera", "vault drop mill");
    let answer = shop.types("Bera", "destroy creature mill_rat");
    assert!(answer.contains("There is no kind of creature mill_rat any more."), "{answer}");
}

#[test]
fn definition_in_use_cannot_be_destroyed() {
    let mut shop = with_rat();
    shop.types("Bera", "make creature old_rat like mill_rat");
    let answer = shop.types("Bera", "destroy creature mill_rat");
    assert!(answer.contains("it is used: the creature old_rat"), "{answer}");
    shop.types("Bera", "destroy creature old_rat");
    shop.types("Bera", "dig Mill = in, out");
    shop.types("Bera", "in");
    shop.types("Bera", "spawn flour_sack");
    let answer = shop.types("Bera", "destroy item flour_sack");
    assert!(answer.contains("it is used: one of it in the world"), "{answer}");
    shop.types("Bera", "spawn mill_rat = 1 every 60");
    let answer = shop.types("Bera", "destroy creature mill_rat");
    assert!(
        answer.contains("it is used: Mill, room") && answer.contains("and one of it in the world"),
        "{answer}"
    );
    // Undoing the deletion of a room that uses a deleted creature is refused.
    shop.types("Bera", "out");
    shop.types("Bera", "destroy in");
    shop.types("Bera", "destroy Mill");
    let answer = shop.types("Bera", "destroy creature mill_rat");
    assert!(answer.contains("There is no kind of creature mill_rat any more."), "{answer}");
    shop.types("Bera", "undo");
    assert_eq!(hp(&shop, "mill_rat"), 9);
    shop.types("Bera", "redo");
    let room = shop
        .types("Bera", "journal")
        .lines()
        .find(|line| line.contains("destroy Mill"))
        .map(|line| line.split(',').next().expect("a number").to_owned());
    let answer = shop.types("Bera", &format!("undo {}", room.expect("an entry")));
    assert!(answer.contains("There is no creature mill_rat any more"), "{answer}");
}

/// Invalid definitions are refused with an error that names the field; nothing changes.
#[test]
fn invalid_definitions_are_refused_without_change() {
    let mut shop = with_rat();
    let before = shop.table.world().snapshot().definitions;
    for (line, message) in [
        ("make creature", "Type make creature KEY"),
        ("make dragon big_one", "Type make creature KEY"),
        ("make creature Mill-Rat", "small letters, figures and _"),
        ("make creature rat", "There is a creature rat already."),
        ("make creature mill_rat", "There is a creature mill_rat already."),
        ("make creature owl like golbin", "There is no creature golbin. Did you mean goblin?"),
        ("make item owl like rat", "There is no item rat."),
        ("set creature mill_rta hp = 3", "There is no creature mill_rta. Did you mean mill_rat?"),
        ("set creature mill_rat hpp = 3", "unknown key `hpp`"),
        ("set creature mill_rat hp = many", "`hp` does not fit, expected a whole number from 1 to 1000000."),
        ("set creature mill_rat hp = 0", "`hp` does not fit"),
        ("set creature mill_rat hp = 3\\nxp = 4", "`hp` does not fit"),
        ("set creature mill_rat inherits = mill_rat", "goes in a circle"),
        ("set creature mill_rat loot = gold", "unknown loot table `gold`"),
        ("set creature mill_rat behaviours = gard", "did you mean `guard`?"),
        ("set creature mill_rat on_tick = dance wildly", "unknown"),
        ("set creature mill_rat on_tick = affect posioned", "did you mean `poisoned`?"),
        ("set creature mill_rat strikes = none", ""),
        ("set creature mill_rat name = 5", "`name` does not fit, expected a text"),
        ("set item flour_sack class = armour", "`slot` is missing, expected where the armour is worn."),
        ("set item flour_sack name = none", "`name` is missing"),
        ("set item flour_sack affect = fde", "unknown affect `fde`"),
        ("destroy creature owl", "There is no creature owl."),
        ("destroy creature rat", "in the files of the server"),
        ("set creature rat hp = 99", "only an admin changes it here"),
        ("zone new made", "made is taken already"),
    ] {
        let answer = shop.types("Bera", line);
        assert!(answer.contains(message), "{line}: {answer}");
        if message.is_empty() {
            shop.types("Bera", "undo");
        }
    }
    let after = shop.table.world().snapshot().definitions;
    assert_eq!(
        before.values().map(|row| &row.text).collect::<Vec<_>>(),
        after.values().map(|row| &row.text).collect::<Vec<_>>()
    );
}

#[test]
fn definitions_are_limited_in_number_and_size() {
    let mut config = seeded(5);
    (config.limits.definitions, config.limits.definition_bytes) = (1, 400);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    assert!(table.types("Olad", "make creature owl").contains("There is a kind of creature owl now"));
    assert!(table.types("Olad", "make item lamp").contains("At most 1"), "limits.definitions");
    let long = format!("describe creature owl = {}", "long ".repeat(60));
    assert!(table.types("Olad", &long).contains("at most 400 bytes"));
}

/// Builders change their own definitions. Changing definitions from files needs the `prototypes` right; the change
/// overrides the file.
#[test]
fn definitions_are_changed_by_author_or_with_right() {
    let mut shop = with_rat();
    let answer = shop.types("Cara", "set creature mill_rat hp = 1");
    assert!(answer.contains("Bera made the creature mill_rat"), "{answer}");
    assert!(shop.types("Cara", "name creature mill_rat = mouse").contains("Bera made"));
    assert!(shop.types("Cara", "describe creature mill_rat").contains("Bera made"));
    assert!(shop.types("Cara", "destroy item flour_sack").contains("Bera made"));
    shop.types("Olad", "revoke Cara prototypes");
    assert!(shop.types("Cara", "make creature owl").contains("There is no command"));
    assert!(shop.types("Cara", "set creature rat hp = 1").contains("takes the right prototypes"));
    assert!(shop.types("Cara", "zone export made").contains("takes the right prototypes"));
    let was = hp(&shop, "rat");
    assert!(shop.types("Olad", "set creature rat hp = 99").contains("hp is 99 now"));
    assert_eq!(hp(&shop, "rat"), 99);
    assert!(shop.types("Olad", "examine creature rat").contains("over the file mobs/rat.toml"));
    assert!(shop.types("Olad", "destroy creature rat").contains("as its file says again"));
    assert_eq!(hp(&shop, "rat"), was);
    assert!(shop.table.types("Olad", "destroy creature rat").contains("goes with its file alone"));
    // Any builder may change a definition without an author.
    shop.table.edit_stored(|stored| stored.definitions.values_mut().for_each(|row| row.author = None));
    shop.types("Olad", "grant Cara prototypes");
    assert!(shop.types("Cara", "set creature mill_rat hp = 2").contains("hp is 2 now"));
    assert_eq!(shop.table.world().accounts[shop.table.account("Cara")].role, Role::Builder);
}

/// A description can be entered line by line; entered lines survive a broken link.
#[test]
fn description_lines_survive_a_broken_link() {
    let mut shop = with_rat();
    shop.types("Bera", "describe creature mill_rat");
    shop.types("Bera", "It is white.");
    shop.table.break_link("Bera");
    shop.table.comes_back("Bera");
    shop.types("Bera", "");
    shop.types("Bera", "It sneezes.");
    shop.types("Bera", ".");
    assert_eq!(shop.table.game().catalog().creatures["mill_rat"].description, "It is white.\nIt sneezes.");
}

/// Exported files import into another world and export unchanged; an edit changes only its own lines.
#[test]
fn exported_definitions_import_and_export_unchanged() {
    let mut shop = with_rat();
    let answer = shop.types("Olad", "zone export made");
    assert!(answer.contains("made/mobs/mill_rat.toml holds the creature mill_rat."), "{answer}");
    let made = shop.made.clone();
    assert_eq!(
        made["mobs/mill_rat.toml"],
        "inherits = \"rat\"\nname = \"flour rat\"\nhp = 9\nstrikes = [\"bites\", \"dusts\"]\n"
    );
    let mut other = Workshop::open();
    other.made.clone_from(&made);
    let answer = other.types("Olad", "zone import made");
    assert!(answer.contains("two new, zero changed, zero as before"), "{answer}");
    other.types("Olad", "zone export made");
    assert_eq!(other.made, made);
    assert_eq!(other.digest(), shop.digest());
    // A comment and an edit of one field.
    let edited = made["mobs/mill_rat.toml"].replace("hp = 9", "# weaker\nhp = 7");
    other.made.insert("mobs/mill_rat.toml".into(), edited.clone());
    let answer = other.types("Olad", "zone diff made");
    assert!(answer.contains("The creature mill_rat, hp: 9 in the game, 7 in the file."), "{answer}");
    other.types("Olad", "zone import made");
    assert_eq!(hp(&other, "mill_rat"), 7);
    other.types("Olad", "set creature mill_rat xp = 3");
    other.types("Olad", "zone export made");
    assert_eq!(other.made["mobs/mill_rat.toml"], edited + "xp = 3\n");
    let answer = other.types("Olad", "zone diff made");
    assert!(answer.contains("say the same"), "{answer}");
    other.types("Olad", "undo");
    other.types("Olad", "undo");
    assert_eq!(hp(&other, "mill_rat"), 9, "an import is taken back whole");
}

/// Export does not overwrite files changed by others; one error rejects the whole import.
#[test]
fn export_keeps_files_changed_by_others() {
    let mut shop = with_rat();
    shop.types("Olad", "zone export made");
    shop.made.insert("mobs/mill_rat.toml".into(), "hp = \n".into());
    shop.made.insert("items/wheel.toml".into(), "name = \"wheel\"\n".into());
    shop.types("Olad", "set creature mill_rat hp = 3");
    let answer = shop.types("Olad", "zone export made");
    assert!(answer.contains("mill_rat.toml has been changed by somebody else"), "{answer}");
    assert!(answer.contains("items/wheel.toml lies there too"), "{answer}");
    assert_eq!(shop.made["mobs/mill_rat.toml"], "hp = \n");
    let answer = shop.types("Olad", "zone import made");
    assert!(answer.contains("mobs/mill_rat.toml:1:"), "{answer}");
    shop.made.insert("mobs/mill_rat.toml".into(), "name = \"rat\"\n".into());
    let answer = shop.types("Olad", "zone import made");
    assert!(
        answer.contains("`description` is missing") && answer.contains("items/wheel.toml:1:1:"),
        "{answer}"
    );
    assert_eq!(hp(&shop, "mill_rat"), 3);
}

/// Definitions that no longer fit reloaded files are deactivated and reported, and become active again when the files
/// fit. Definitions equal to the files are dropped.
#[test]
fn definitions_are_deactivated_while_files_do_not_fit() {
    let mut shop = with_rat();
    let table = &mut shop.table;
    let files: Vec<(&str, String)> = BUILTIN.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
    table.types("Olad", "set item flour_sack affect = fed");
    let put = |table: &mut Table, files: &[(&str, String)]| {
        let catalog = Arc::new(Catalog::load(files).expect("sound files"));
        let askers = vec![table.session("Olad")];
        table.hears("Olad");
        table.step(Input::Content { askers, content: Content(catalog) });
        table.hears("Olad")
    };
    let renamed: Vec<(&str, String)> = files
        .iter()
        .cloned()
        .chain([(
            "items/flour_sack.toml",
            "name = \"bag\"\ndescription = \"Empty.\"\nclass = \"food\"\n".to_owned(),
        )])
        .collect();
    let answer = put(table, &renamed);
    assert!(answer.contains("The content is in force"), "{answer}");
    assert_eq!(table.game().catalog().items["flour_sack"].name, "sack of flour", "it is laid over the file");
    let text =
        table.world().definitions.find(DefinitionKind::Item, "flour_sack").expect("it is made").text.clone();
    let mut same = files;
    same.push(("items/flour_sack.toml", text));
    let answer = put(table, &same);
    assert!(answer.contains("The item flour_sack is what its file says."), "{answer}");
    assert!(table.world().definitions.find(DefinitionKind::Item, "flour_sack").is_none());
    // A row that does not fit, as if the affect it was made with were gone.
    table.edit_stored(|stored| {
        let row = stored.definitions.values_mut().next().expect("a row");
        row.text.push_str("loot = \"gone\"\n");
    });
    assert!(!table.game().catalog().creatures.contains_key("mill_rat"));
    assert!(table.game().set_aside()[0].contains("unknown loot table `gone`"));
    assert!(
        table.types("Olad", "check all").contains("The creature mill_rat made in the game is not in force")
    );
    assert!(table.types("Olad", "examine creature mill_rat").contains("Not in force"));
    table.types("Olad", "set creature mill_rat loot = none");
    assert_eq!(table.game().catalog().creatures["mill_rat"].hp, 9);
    assert!(table.game().set_aside().is_empty());
}

#[test]
fn definition_overlay_equals_same_text_in_files() {
    let texts = [
        ("mobs/owl.toml", DefinitionKind::Creature, "owl", "inherits = \"rat\"\nname = \"owl\"\n"),
        ("mobs/rat.toml", DefinitionKind::Creature, "rat", ""),
        ("items/lamp.toml", DefinitionKind::Item, "lamp", "name = \"lamp\"\ndescription = \"Bright.\"\n"),
    ];
    let rat = BUILTIN
        .iter()
        .find(|(path, _)| *path == "mobs/rat.toml")
        .expect("a rat")
        .1
        .replace("hp = ", "hp = 1");
    let texts = texts
        .map(|(path, kind, key, text)| (path, kind, key, if text.is_empty() { rat.as_str() } else { text }));
    let written = texts.map(|(_, kind, key, text)| OverridingText { kind, key, text: Some(text) });
    let laid = Catalog::builtin().with(&written).expect("sound");
    let in_files = changed_content(&texts.map(|(path, _, _, text)| (path, text)));
    assert_eq!(laid.digest().to_string(), in_files.digest().to_string());
}

/// A web builder dry run of changes to a creature changes no state.
#[test]
fn dry_run_of_the_web_builder_changes_no_definition() {
    use deepwell::base::SessionId;
    use deepwell::game::BuilderRequest;
    let mut shop = with_rat();
    let (account, room) = (shop.table.account("Bera"), shop.table.body("Bera").room);
    let ask = BuilderRequest::Try { room, lines: vec!["name creature mill_rat = mouse".into()] };
    let before = shop.table.world().snapshot();
    shop.table.step(Input::WebBuilder { asker: SessionId(u64::MAX), account, ask });
    assert_eq!(shop.table.game().catalog().creatures["mill_rat"].name, "flour rat");
    assert!(shop.table.world().snapshot().definitions == before.definitions);
}

/// The builders of a zone change the definitions that are made in it; others do not, and a definition follows its zone.
#[test]
fn builders_of_a_zone_share_its_definitions() {
    let mut shop = Workshop::with_mill();
    for name in ["Bera", "Cara"] {
        shop.table.sit(name);
        shop.types("Olad", &format!("promote {name} builder"));
    }
    shop.types("Olad", "zone add Bera");
    let lines = [
        ("creature", "make creature miller like rat = miller", "set creature miller hp = 9"),
        ("thing", "make item flour = flour", "set item flour value = 2"),
        ("help", "make help mill_rules = Rules of the mill", "set help mill_rules group = place"),
        ("dialogue", "make dialogue miller = miller", "dialogue say miller hello = Hm."),
        ("quest", "make quest sacks = Sacks", "set quest sacks text = Carry sacks."),
        ("theme", "make theme old_well like well = Old Well", "set theme old_well roamer_percent = 20"),
    ];
    for (kind, make, change) in lines {
        shop.types("Olad", make);
        let answer = shop.types("Cara", change);
        assert!(answer.contains("Olad made the "), "{kind}: {answer}");
        let answer = shop.types("Bera", change);
        assert!(!answer.contains("Olad made the "), "{kind}: {answer}");
        shop.types("Bera", "undo");
        shop.types("Olad", "undo");
    }
    shop.types("Olad", lines[0].1);
    assert!(
        shop.types("Olad", "examine creature miller").contains("Made by Olad for the zone mill, changed")
    );
    let answer = shop.types("Bera", "set creature miller zone = town");
    assert!(answer.contains("belongs to the zone town now"), "{answer}");
    assert!(shop.types("Bera", lines[0].2).contains("Olad made the "), "the town has no builders of its own");
    shop.types("Olad", "undo Bera");
    assert!(!shop.types("Bera", lines[0].2).contains("Olad made the "));
    shop.types("Olad", "set creature miller zone = none");
    assert!(shop.types("Bera", lines[0].2).contains("Olad made the "));
    assert!(shop.types("Olad", "set creature rat zone = mill").contains("belongs to no zone"));
    assert!(shop.types("Olad", "set creature miller zone = mil").contains("Did you mean mill?"));
}

/// A zone that is made anew under the key of one that is gone does not get its definitions.
#[test]
fn definitions_of_a_zone_that_is_gone_belong_to_their_authors() {
    let mut shop = with_rat();
    shop.types_all(
        "Bera",
        &["make item flail = flail", "zone draft barn", "rehearse off", "set item flail zone = barn_draft"],
    );
    assert!(shop.types("Bera", "examine item flail").contains("Made by Bera for the zone barn_draft"));
    shop.types_all("Bera", &["zone discard barn now", "recall"]);
    assert!(!shop.types("Bera", "examine item flail").contains("for the zone"));
    shop.types("Cara", "zone draft barn");
    let answer = shop.types("Cara", "set item flail value = 3");
    assert!(answer.contains("Bera made the item flail"), "{answer}");
    let answer = shop.types("Bera", "set item flail value = 3");
    assert!(answer.contains("value is 3 now"), "{answer}");
}
