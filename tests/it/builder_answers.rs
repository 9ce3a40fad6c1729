//! Answers to builders: lists as they are typed, changes in drafts, and the names in the journal and in undo.

use crate::draft_definitions::{change_of, mill, mill_with_draft, types_all};
use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, DefinitionKind};
use deepwell::data::{Field, FileValue};

/// Returns the elements to be typed for a list of texts.
fn elements(kind: DefinitionKind, field: &Field) -> Vec<String> {
    let elements: &[&str] = match (kind, field.name.as_str()) {
        (DefinitionKind::Creature, "conditions") => &["scratched", "cut", "hurt", "torn", "nearly dead"],
        (DefinitionKind::Creature, "strikes") => &["bites", "claws at"],
        (DefinitionKind::Creature, "on_tick") => &["20% say Hush, hush.", "emote yawns, and sleeps."],
        (DefinitionKind::Creature, "patrol") => &["mill_floor", "mill_loft"],
        (DefinitionKind::Creature, "schedule") => &["6: at mill_floor", "22: sleep"],
        (DefinitionKind::Creature, "manoeuvres") => &["heavy_blow", "feint"],
        (DefinitionKind::Item, "cures") => &["poisoned", "bleeding"],
        (DefinitionKind::Item, "filled_with") | (DefinitionKind::Quest, "items") => {
            &["torch_stub", "rye_loaf"]
        }
        (DefinitionKind::Quest, "lines") => &["tell Well done, friend.", "heal 1"],
        (DefinitionKind::Theme, name) => {
            let (_, text) = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").expect("a theme");
            let fields = kind.fields(text).expect("a file");
            let value = fields.into_iter().find(|(field, _)| field == name).map(|(_, value)| value);
            let Some(FileValue::List(elements)) = value else { panic!("the well has {name}") };
            let texts = elements.iter().filter_map(FileValue::text);
            // An element with a semicolon needs file syntax.
            return texts.filter(|text| !text.contains(';')).map(str::to_owned).collect();
        }
        (_, name) => panic!("no elements for {name} of a {}", kind.name()),
    };
    elements.iter().map(|&element| element.to_owned()).collect()
}

/// Returns a field of a stored definition.
fn field(shop: &Workshop, kind: DefinitionKind, key: &str, name: &str) -> Option<FileValue> {
    let fields = kind.fields(shop.definition(kind, key)).expect("a definition");
    fields.into_iter().find(|(field, _)| field == name).map(|(_, value)| value)
}

/// Each list of texts of each kind is set with commas, or with semicolons if its elements contain commas; at once, line by
/// line, and with a single element.
#[test]
fn lists_of_each_kind_are_set_without_file_syntax() {
    let mut shop = mill();
    let mut lists = 0;
    for kind in DefinitionKind::ALL {
        for list in kind.all_fields().iter().filter(|field| field.table.is_empty()) {
            if list.list_of.is_empty() {
                assert!(!list.value.starts_with("list of texts"), "{}", list.name);
                continue;
            }
            lists += 1;
            let key = format!("list{lists}");
            let like = match (kind, list.name.as_str()) {
                (DefinitionKind::Creature, _) => " like rat",
                (DefinitionKind::Item, "cures") => " like antidote",
                (DefinitionKind::Item, _) => " like cloth_sack",
                (DefinitionKind::Theme, _) => " like well",
                _ => "",
            };
            let (kind_name, name) = (kind.name(), &list.name);
            types_all(&mut shop, &[&format!("make {kind_name} {key}{like} = list {lists}")]);
            let elements = elements(kind, list);
            let typed = elements.join(if list.list_of == "text" { ", " } else { "; " });
            let texts = elements.iter().map(|element| FileValue::Text(element.clone()));
            let wanted = Some(FileValue::List(texts.collect()));
            let command = format!("set {kind_name} {key} {name}");
            for lines in
                [vec![format!("{command} = {typed}")], vec![command.clone(), typed.clone(), ".".to_owned()]]
            {
                let answers: String = lines.iter().map(|line| shop.types("Olad", line)).collect();
                assert_eq!(field(&shop, kind, &key, name), wanted, "{lines:?}: {answers}");
                shop.types("Olad", "undo");
                assert_ne!(field(&shop, kind, &key, name), wanted, "{lines:?}");
            }
        }
    }
    assert!(lists > 15, "{lists}");
    types_all(&mut shop, &["set creature hare manoeuvres = feint"]);
    let feint = FileValue::List(vec![FileValue::Text("feint".into())]);
    assert_eq!(field(&shop, DefinitionKind::Creature, "hare", "manoeuvres"), Some(feint));
    let answer = shop.types("Olad", "set creature hare manoeuvres = 5");
    assert!(answer.contains("expected a list of texts"), "{answer}");
}

/// A change in a draft is told as one of the draft, whose creatures alone it is about.
#[test]
fn changes_in_a_draft_are_told_as_such() {
    let mut shop = mill();
    types_all(&mut shop, &["make item plate = plate", "zone draft"]);
    types_all(&mut shop, &["destroy hare"]);
    let answer = shop.types("Olad", "set creature hare hp = 77");
    assert!(
        answer.contains("The creature hare in the draft: hp is 77 now.") && !answer.contains("about"),
        "{answer}"
    );
    types_all(&mut shop, &["spawn hare"]);
    let answer = shop.types("Olad", "set creature hare hp = 78");
    assert!(answer.contains("The one that is about in the draft keeps its name"), "{answer}");
    types_all(&mut shop, &["set item plate value = 3"]);
    let answer = shop.types("Olad", "zone used by mill_draft");
    assert!(answer.contains("The item plate, changed in the draft alone."), "{answer}");
}

/// Discarding a draft tells first what would be lost, and players are told the names of what they lose.
#[test]
fn discarding_tells_first_what_is_lost() {
    let mut shop = mill_with_draft();
    shop.table.sit("Bera");
    types_all(&mut shop, &["make item newt = red newt", "spawn newt", "zone invite Bera"]);
    for line in ["north", "in", "rehearse mill", "get newt"] {
        shop.table.types("Bera", line);
    }
    let answer = shop.types("Olad", "zone discard");
    for line in [
        "What discarding mill_draft would do",
        "The item newt is new.",
        "Lost with the item newt: one in the world.",
        "In mill_draft just now: Olad and Bera.",
        "zone discard mill now does it; undo takes it back.",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    assert!(shop.table.world().meta().zones.contains_key("mill_draft"), "asking changes nothing");
    shop.table.hears("Bera");
    shop.types("Olad", "zone discard mill now");
    let heard = shop.table.hears("Bera");
    assert!(heard.contains("A red newt is no more: the builder has taken it back."), "{heard}");
    assert!(!shop.table.world().meta().zones.contains_key("mill_draft"));
}

/// All builders of a zone take back the draft that they made of it, unless content was made in it since.
#[test]
fn draft_of_ones_own_is_undone() {
    let mut shop = mill();
    shop.table.sit("Bera");
    types_all(&mut shop, &["promote Bera builder", "zone add Bera"]);
    types_all(&mut shop, &["goto Well Square"]);
    let answer = shop.types("Bera", "zone draft mill");
    assert!(answer.contains("mill_draft is a draft"), "{answer}");
    shop.types("Bera", "make item newt = newt");
    let first = shop.table.world().journal.iter().find(|(_, entry)| entry.line == "zone draft mill");
    let number = first.expect("an entry").0;
    let answer = shop.types("Bera", &format!("undo {number}"));
    assert!(answer.contains("zone discard mill"), "{answer}");
    for line in ["rehearse mill", "destroy item newt", "rehearse off"] {
        shop.types("Olad", line);
    }
    let answer = shop.types("Bera", &format!("undo {number}"));
    assert!(!shop.table.world().meta().zones.contains_key("mill_draft"), "{answer}");
    assert_eq!(shop.table.world().rooms.of_zone("mill_draft").len(), 0);
    shop.table.restart();
}

/// The sheet of a version names the builder who changed it last.
#[test]
fn sheet_of_a_version_names_its_last_author() {
    let mut shop = mill();
    shop.table.sit("Bera");
    types_all(&mut shop, &["promote Bera builder", "zone add Bera", "zone draft"]);
    types_all(&mut shop, &["set creature hare hp = 20"]);
    assert!(shop.types("Olad", "examine creature hare").contains("Changed in the draft mill_draft by Olad"));
    shop.types("Bera", "rehearse mill");
    shop.types("Bera", "set creature hare hp = 30");
    let answer = shop.types("Olad", "examine creature hare");
    assert!(answer.contains("Changed in the draft mill_draft by Bera"), "{answer}");
    shop.types("Bera", "undo");
    let answer = shop.types("Olad", "examine creature hare");
    assert!(answer.contains("Changed in the draft mill_draft by Olad"), "{answer}");
}

/// Asserts that lines of the journal or of undo name things as builders do.
fn assert_named(line: &str, answer: &str) {
    for text in answer.lines() {
        let words: Vec<&str> = text.split([' ', ',', '.', ':', '"']).collect();
        assert!(!text.contains("__") && !text.starts_with("Something"), "{line}: {text}");
        assert!(
            !words.iter().any(|word| ["definition", "definitions", "thing"].contains(word)),
            "{line}: {text}"
        );
        let is_row = |pair: &[&str]| {
            ["account", "creature", "exit", "item", "zone"].contains(&pair[0])
                && pair[1].parse::<u64>().is_ok()
        };
        assert!(!words.windows(2).any(is_row), "{line}: {text}");
    }
}

/// Types lines that ask for the journal, and reads each of its entries.
fn read_journal(shop: &mut Workshop, kind: DefinitionKind, key: &str) {
    let numbers: Vec<String> =
        shop.table.world().journal.iter().map(|(number, _)| number.to_string()).collect();
    let pages = ["all 2".to_owned(), format!("{} {key}", kind.name())];
    for asked in numbers.iter().chain(&pages) {
        let line = format!("journal {asked}");
        let answer = shop.types("Olad", &line);
        assert_named(&line, &answer);
    }
}

/// The journal and undo name what changed by its kind and key, in a draft and outside, and also when it is gone.
#[test]
fn journal_and_undo_name_what_they_are_about() {
    for kind in DefinitionKind::ALL {
        for in_draft in [false, true] {
            let mut shop = if in_draft { mill_with_draft() } else { mill() };
            let (key, line, _) = change_of(kind);
            let model = if kind == DefinitionKind::Theme { " like well" } else { "" };
            let name = kind.name();
            types_all(&mut shop, &[line, &format!("make {name} novelty{model}")]);
            let change = change_of(kind).1.replace(key, "novelty");
            shop.types("Olad", &change);
            for line in ["spawn novelty", "spawn hare", "set here fights = yes", "zone invite Bera"] {
                shop.types("Olad", line);
            }
            read_journal(&mut shop, kind, "novelty");
            for line in ["destroy novelty", &format!("destroy {name} novelty"), "undo", "redo"] {
                let answer = shop.types("Olad", line);
                assert_named(line, &answer);
            }
            let answer = shop.types("Olad", &format!("journal {name} novelty"));
            let place = if in_draft { " in the draft of mill" } else { "" };
            let noun = kind.noun();
            let made = format!("The {noun} novelty{place} was made.");
            assert!(answer.contains(&made), "{answer}");
            if in_draft {
                shop.types("Olad", "zone discard now");
            }
            read_journal(&mut shop, kind, "novelty");
            let numbers: Vec<String> =
                shop.table.world().journal.iter().map(|(number, _)| number.to_string()).collect();
            for number in numbers {
                let line = format!("undo {number}");
                let answer = shop.types("Olad", &line);
                assert_named(&line, &answer);
            }
        }
    }
}

/// A number of a script that is too large is refused with its limit, and what a script gives is told.
#[test]
fn numbers_and_gifts_of_scripts_are_told() {
    let mut shop = mill();
    for line in ["trigger say gift = give 101 rye_loaf", "trigger say gift = take 101 rye_loaf"] {
        let answer = shop.types("Olad", line);
        assert!(answer.contains("a number from 1 to 100 before it"), "{line}: {answer}");
    }
    types_all(&mut shop, &["trigger say gift = give 2 rye_loaf; give 3 silver_coin"]);
    let answer = shop.types("Olad", "say gift");
    assert!(answer.contains("You receive two rye loaves."), "{answer}");
    assert!(answer.contains("You put three silver into your purse."), "{answer}");
}

/// Gifts beyond what the hands or the purse hold are on the ground, and told; on a full floor, older items are lost.
#[test]
fn gifts_beyond_what_a_player_can_carry_are_told_and_on_the_ground() {
    let mut config = seeded(1);
    (config.limits.items_carried, config.limits.items_in_room, config.limits.coins) = (2, 2, 90);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    let mut shop = Workshop::beside(table);
    types_all(
        &mut shop,
        &["trigger say gift = give 2 health_potion; give tin_cup; give old_key; give clay_lamp"],
    );
    let answer = shop.types("Olad", "say gift");
    let (potions, cup) = ("You receive two health potions.", "You receive a tin cup.");
    assert!(answer.contains(potions) && answer.contains(cup), "{answer}");
    for left in ["an old key", "a clay lamp"] {
        assert!(
            answer.contains(&format!("You can carry no more, and leave {left} on the ground.")),
            "{answer}"
        );
    }
    let answer = shop.types("Olad", "say gift");
    assert!(answer.contains(potions), "they join those in the hands: {answer}");
    assert!(answer.contains("You can carry no more, and leave a tin cup on the ground."), "{answer}");
    assert!(answer.contains("The heap is too high: an old key is trodden to pieces."), "{answer}");
    let room = shop.table.room("Olad").id;
    assert_eq!(shop.table.world().ground(room).len(), 2);
    types_all(&mut shop, &["trigger say alms = give 5 silver_coin"]);
    let answer = shop.types("Olad", "say alms");
    assert!(answer.contains("You can carry no more, and leave five silver coins on the ground."), "{answer}");
}
