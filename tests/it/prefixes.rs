//! Packages taken in a second time under a prefix: the copy is complete, refers to nothing of the original, and can be
//! played.

use crate::packages::with_package;
use crate::village::{earns_the_reward, village, walks};
use crate::workshop::Workshop;
use deepwell::catalog::{Area, AreaRoom, DefinitionKind, Referent};
use deepwell::data::archive::Archive;
use std::collections::BTreeSet;

/// Keys of a package.
struct Keys {
    zone: &'static str,
    definitions: BTreeSet<(DefinitionKind, String)>,
}

impl Keys {
    fn of(shop: &Workshop, zone: &'static str) -> Self {
        let archive: Archive =
            serde_json::from_str(&shop.packages[&format!("packages/{zone}.zip")]).expect("JSON");
        let definitions = archive.0.keys().filter_map(|path| DefinitionKind::of_path(path));
        Self { zone, definitions: definitions.map(|(kind, key)| (kind, key.to_owned())).collect() }
    }

    /// Returns the key of the copy; the same for content that the package does not bring.
    fn copied(&self, kind: Option<DefinitionKind>, key: &str) -> String {
        let is_own = kind.is_some_and(|kind| self.definitions.contains(&(kind, key.to_owned())));
        if is_own { format!("dale_{key}") } else { key.to_owned() }
    }

    fn copied_place(&self, name: &str) -> String {
        let is_own = name.split_once('/').is_some_and(|(zone, _)| zone == self.zone);
        if is_own { format!("dale_{name}") } else { name.to_owned() }
    }
}

/// Returns the kind and key of a definition that uses others, as in `the creature rat`.
fn user(by: &str) -> Option<(DefinitionKind, &str)> {
    let kind = |kind: DefinitionKind| Some((kind, by.strip_prefix(&format!("the {} ", kind.noun()))?));
    DefinitionKind::ALL.into_iter().find_map(kind)
}

/// Asserts that the definitions of the copy use each other as those of the original do.
fn assert_same_uses(shop: &Workshop, keys: &Keys) {
    let (mut original, mut copy) = (BTreeSet::new(), BTreeSet::new());
    for ((of, key), users) in shop.table.game().catalog().naming() {
        for (kind, by) in users.iter().filter_map(|by| user(by)) {
            if keys.definitions.contains(&(kind, by.to_owned())) {
                let used = keys.copied(DefinitionKind::of(of), key);
                original.insert((of, used, kind, format!("dale_{by}")));
            }
            let source = by.strip_prefix("dale_").map(|by| (kind, by.to_owned()));
            if source.is_some_and(|source| keys.definitions.contains(&source)) {
                copy.insert((of, key.to_owned(), kind, by.to_owned()));
            }
        }
    }
    assert!(original.len() >= 3, "{original:?}");
    assert_eq!(original, copy);
}

/// Returns the references of a room, with the kind of each.
fn references(room: &AreaRoom) -> Vec<(Option<DefinitionKind>, String)> {
    let item = Some(DefinitionKind::Item);
    let mut found: Vec<(Option<DefinitionKind>, String)> = Vec::new();
    found.extend(room.shop.named().map(|(_, key)| (item, key.to_owned())));
    found.extend(room.supplies.iter().map(|(_, key)| (item, key.clone())));
    for exit in &room.exits {
        found.extend(exit.door_key.iter().map(|(_, key)| (item, key.clone())));
        found.extend(exit.to.iter().map(|(_, to)| (None, to.clone())));
        found.extend(
            exit.settings.set.exits.theme.iter().map(|key| (Some(DefinitionKind::Theme), key.clone())),
        );
    }
    found.extend(room.settings.set.exits.theme.iter().map(|key| (Some(DefinitionKind::Theme), key.clone())));
    for spawn in &room.spawns {
        found.extend(spawn.creature.iter().map(|(_, key)| (Some(DefinitionKind::Creature), key.clone())));
        found.extend(spawn.item.iter().map(|(_, key)| (item, key.clone())));
        found.extend(spawn.route.rooms().map(|room| (None, room.to_owned())));
        let names = spawn.bounds.only_if.iter().flat_map(|only_if| only_if.0.names());
        found.extend(names.map(|(of, key)| (DefinitionKind::of(of), key.to_owned())));
    }
    for script in room.scripts() {
        found.extend(script.script.names().map(|(_, of, key)| (DefinitionKind::of(of), key.to_owned())));
        found.extend(script.script.variables().map(|(_, of)| (None, of.name().to_owned())));
        found.extend(script.rooms().map(|(_, room)| (None, room.to_string())));
    }
    found
}

fn area(shop: &mut Workshop, zone: &str) -> Area {
    let (text, mut mistakes) = (shop.exported(zone), Vec::new());
    let area = Area::parse(&format!("zones/{zone}.toml"), &text, &mut mistakes).expect("an area");
    assert_eq!(mistakes, []);
    area
}

/// Asserts that the rooms of the copy are those of the original, with renamed references.
fn assert_same_rooms(shop: &mut Workshop, keys: &Keys) {
    let (original, copy) = (area(shop, keys.zone), area(shop, &format!("dale_{}", keys.zone)));
    assert_eq!(original.declarations(), copy.declarations());
    for (one, other) in original.rooms.iter().zip(&copy.rooms) {
        let texts = |room: &AreaRoom| {
            (
                room.key.clone(),
                room.sheet.name.clone(),
                room.sheet.description.clone(),
                room.sheet.details.clone(),
            )
        };
        assert_eq!(texts(one), texts(other));
        let renamed = references(one).into_iter().map(|(kind, key)| match kind {
            Some(_) => (kind, keys.copied(kind, &key)),
            None => (None, keys.copied_place(&key)),
        });
        let sorted = |mut all: Vec<(Option<DefinitionKind>, String)>| {
            all.sort();
            all
        };
        assert_eq!(sorted(renamed.collect()), sorted(references(other)), "{}", one.key);
    }
    assert_eq!(original.rooms.len(), copy.rooms.len());
}

/// Asserts that no text of the copy names a room or variable of the original.
fn assert_no_reference_to_original(shop: &mut Workshop, keys: &Keys) {
    let mut texts = vec![shop.exported(&format!("dale_{}", keys.zone))];
    for (kind, key) in &keys.definitions {
        texts.push(shop.definition(*kind, &format!("dale_{key}")).to_owned());
    }
    let place = format!("{}/", keys.zone);
    for text in texts {
        assert_eq!(text.matches(&place).count(), text.matches(&format!("dale_{place}")).count(), "{text}");
    }
}

fn state(shop: &Workshop) -> (String, usize, usize) {
    let world = shop.table.world();
    (shop.digest(), world.rooms.built().count(), world.meta().zones.len())
}

/// Takes the package of a zone in as `dale`; without `now` nothing changes.
fn copies(shop: &mut Workshop, zone: &'static str) -> Keys {
    let keys = Keys::of(shop, zone);
    let before = state(shop);
    let answer = shop.types("Olad", &format!("zone unpack {zone} as dale"));
    assert!(answer.contains(&format!("zone unpack {zone} as dale now would bring:")), "{answer}");
    assert!(answer.contains(&format!("The zone dale_{zone}, with ")), "{answer}");
    assert_eq!(before, state(shop));
    let answer = shop.types("Olad", &format!("zone unpack {zone} as dale now"));
    assert!(answer.contains("It is taken in:") && !answer.contains("What may not be meant"), "{answer}");
    keys
}

/// The village of the tutorial exists twice; the errand of the copy is done to its reward; undo takes the copy out.
#[test]
fn village_copy_is_complete_and_playable() {
    let mut shop = village();
    shop.types("Olad", "zone pack brook");
    let before = state(&shop);
    let keys = copies(&mut shop, "brook");
    assert!(keys.definitions.len() >= 10, "{:?}", keys.definitions);
    assert_same_uses(&shop, &keys);
    assert_same_rooms(&mut shop, &keys);
    assert_no_reference_to_original(&mut shop, &keys);
    let room = |shop: &Workshop, key| shop.table.world().rooms.of_key("dale_brook", key).expect("a room");
    let (green, orchard) = (room(&shop, "brook_green"), room(&shop, "orchard"));
    shop.types_all("Olad", &["goto lodge", &format!("open dale path = {green}")]);
    shop.types_all("Olad", &["goto tool shed", &format!("open dale orchard = {orchard}")]);
    let answer = shop.types("Olad", "check dale_brook");
    assert!(answer.contains("no mistake and two doubts"), "{answer}");
    let same_name = "\"Find three red apples.\", which fits what does not count: red apple.";
    assert_eq!(
        answer.matches(same_name).count(),
        2,
        "apples of the original do not count in the copy: {answer}"
    );
    let hostess = shop.definition(DefinitionKind::Dialogue, "dale_hostess");
    assert!(hostess.contains("Three apples for a pie, and you may have the old key"), "{hostess}");
    shop.table.sit("Bera");
    walks(&mut shop.table, "Bera", &["north", "dale path"]);
    earns_the_reward(&mut shop.table);
    shop.table.types("Bera", "quit");
    shop.types_all("Olad", &["undo", "undo"]);
    let answer = shop.types("Olad", "undo");
    assert!(answer.contains("You take back: zone unpack brook as dale now"), "{answer}");
    assert_eq!(before, state(&shop));
}

/// The mill also has a vault, a help page, an inherited creature, a theme and a script.
#[test]
fn mill_copy_has_separate_vault_page_theme_and_script() {
    let mut shop = with_package();
    let before = state(&shop);
    let keys = copies(&mut shop, "mill");
    assert_same_uses(&shop, &keys);
    assert_same_rooms(&mut shop, &keys);
    assert_no_reference_to_original(&mut shop, &keys);
    let answer = shop.types("Olad", "check dale_mill");
    assert!(answer.contains("no mistake"), "{answer}");
    let zone = shop.exported("dale_mill");
    for line in ["call dale_bell ring", "start dale_tails", "theme = \"dale_mill_well\"", "dale_flour_sack"] {
        assert!(zone.contains(line), "{line}: {zone}");
    }
    assert!(shop.table.world().meta().vaults_created_in_game().contains_key("dale_mill_shed"));
    let page = shop.definition(DefinitionKind::Help, "dale_mill_rules");
    assert!(page.contains("title: Rules of the mill, dale"), "{page}");
    let old_rat = shop.definition(DefinitionKind::Creature, "dale_old_rat");
    assert!(
        old_rat.contains("inherits = \"dale_mill_rat\"") && old_rat.contains("old flour rat"),
        "{old_rat}"
    );
    let mill_rat = shop.definition(DefinitionKind::Creature, "dale_mill_rat");
    assert!(mill_rat.contains("inherits = \"rat\""), "the rat is not in the package: {mill_rat}");
    let after = state(&shop);
    assert!(shop.types("Olad", "undo").contains("You take back: zone unpack mill as dale now"));
    assert_eq!(before, state(&shop));
    shop.types("Olad", "redo");
    assert_eq!(after, state(&shop));
    let answer = shop.types("Olad", "zone unpack mill as dale");
    assert!(answer.contains("The world has ten of its files already."), "{answer}");
}

/// Lines of a script that name content in a way that cannot be renamed are listed.
#[test]
fn doubtful_lines_of_scripts_are_told() {
    let mut shop = with_package();
    shop.types_all(
        "Olad",
        &[
            "script write bell = local M = {}\\nfunction M.ring(event)\\n    if event.carries.flour_sack then\\n        return { \"take flour_sack\" }\\n    end\\nend\\nreturn M",
            "zone pack mill",
        ],
    );
    let answer = shop.types("Olad", "zone unpack mill as dale");
    let doubt = "The script dale_bell may name something by its old key: look at line 3 of it.";
    assert!(answer.contains(doubt), "{answer}");
    assert!(shop.types("Olad", "zone unpack mill as dale now").contains(doubt));
    let script = shop.definition(DefinitionKind::Script, "dale_bell");
    assert!(script.contains("take dale_flour_sack") && script.contains("carries.flour_sack"), "{script}");
}

/// A prefix that does not fit is refused with the reason, and a clash tells how to choose one.
#[test]
fn unsuitable_prefixes_are_refused() {
    let mut shop = with_package();
    let before = state(&shop);
    let long = "d".repeat(32);
    shop.types_all("Olad", &["describe here = Another mill."]);
    for (line, message) in [
        ("zone unpack mill as".to_owned(), "Type zone and list"),
        ("zone unpack mill as dale later".to_owned(), "Type zone and list"),
        ("zone unpack mill as the-dale now".to_owned(), "A prefix is made of small letters, figures and _."),
        (format!("zone unpack mill as {long} now"), "would have 42 letters, and a key has forty at most."),
        ("zone unpack mill now".to_owned(), "choose a prefix for them: zone unpack mill as NAME."),
    ] {
        let answer = shop.types("Olad", &line);
        assert!(answer.contains(message), "{line}: {answer}");
    }
    assert_eq!(before, state(&shop));
}

/// All references of the shipped content are known: its copy has the same uses.
#[test]
fn copy_of_shipped_content_has_the_same_uses() {
    let catalog = deepwell::catalog::Catalog::builtin();
    let mut renaming = deepwell::catalog::Renaming::new("dale");
    let mut all = Vec::new();
    for kind in DefinitionKind::ALL {
        for key in catalog.defined(kind) {
            let text = catalog.text_of_file(kind, key).expect("the text of its file");
            // A longer key would be refused in the game.
            renaming.add_definition(kind, key);
            all.push((kind, key, text));
        }
    }
    let copies: Vec<(DefinitionKind, String, String)> = all
        .iter()
        .map(|(kind, key, text)| (*kind, renaming.key(*kind, key), renaming.definition(*kind, text)))
        .collect();
    let written = copies.iter().map(|(kind, key, text)| deepwell::catalog::OverridingText {
        kind: *kind,
        key,
        text: Some(text.as_str()),
    });
    let both = catalog.with(&written.collect::<Vec<_>>()).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let (mut original, mut copy): (BTreeSet<(Referent, String, String)>, BTreeSet<_>) = Default::default();
    for ((of, key), users) in both.naming() {
        for by in &users {
            let Some((kind, name)) = user(by) else { continue };
            if name.starts_with("dale_") {
                copy.insert((of, key.to_owned(), by.clone()));
            } else {
                let key =
                    DefinitionKind::of(of).map_or_else(|| key.to_owned(), |kind| renaming.key(kind, key));
                original.insert((of, key, format!("the {} dale_{name}", kind.noun())));
            }
        }
    }
    assert!(original.len() > 200, "{}", original.len());
    assert_eq!(original, copy);
}
