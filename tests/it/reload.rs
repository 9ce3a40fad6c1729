//! Hot reload of content: atomic, and existing objects keep their keys.

use crate::den::{DEN, den, puts};
use crate::hoard::put_on_floor;
use crate::table::{CATALOG, Table, changed_content, seeded};
use deepwell::base::{SessionId, Span};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::game::{Content, Effect, Input};
use deepwell::world::Place;
use std::sync::Arc;

/// Returns the text of a shipped file with one replacement.
fn changed(path: &str, from: &str, to: &str) -> String {
    let text = BUILTIN.iter().find(|(known, _)| *known == path).expect("the file is there").1;
    assert!(text.contains(from), "`{from}` is not in {path}");
    text.replacen(from, to, 1)
}

/// Returns the shipped content without the given files.
fn without(gone: &[&str]) -> Arc<Catalog> {
    let files: Vec<_> = BUILTIN.iter().filter(|(path, _)| !gone.contains(path)).collect();
    let files: Vec<(&str, &str)> = files.into_iter().copied().collect();
    Arc::new(Catalog::load(&files).expect("the content has no mistakes"))
}

/// Reloads content on behalf of a player; returns what that player reads.
fn reload(table: &mut Table, asker: &str, catalog: &Arc<Catalog>) -> String {
    let askers = vec![table.session(asker)];
    table.step(Input::Content { askers, content: Content(Arc::clone(catalog)) });
    table.hears(asker)
}

#[test]
fn existing_objects_use_the_reloaded_content() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    let lamp = put_on_floor(&mut table, "Olad", &[("clay_lamp", 1)])[0];
    let before = table.types("Olad", "look lamp");
    let text =
        changed("items/clay_lamp.toml", "description = \"", "description = \"Somebody has polished it. ");
    let harbour = "[[rooms]]\nkey = \"pier\"\nname = \"Pier\"\nenvironment = \"wood\"\ndescription = \"Planks.\"\n\
                   exits = []\n";
    let content = changed_content(&[("items/clay_lamp.toml", &text), ("areas/harbour.toml", harbour)]);
    let rooms = table.world().rooms.len();
    let answer = reload(&mut table, "Olad", &content);
    assert!(answer.contains("The content is in force: ") && answer.contains(" creatures, "), "{answer}");
    let after = table.types("Olad", "look lamp");
    assert!(!before.contains("polished") && after.contains("Somebody has polished it."), "{after}");
    assert_eq!(table.world().items[lamp].prototype, "clay_lamp");
    assert_eq!(table.world().rooms.len(), rooms + 1, "a new area is built, those that stand are not touched");
}

/// Creatures and items whose definition is gone keep their key and cause no errors, as after a restart.
#[test]
fn objects_without_definition_keep_their_key_and_do_no_harm() {
    let (mut table, rooms) = den(3, &["1ab"]);
    let creatures = puts(&mut table, &[("moth", rooms[&'a']), ("brute", rooms[&'b'])]);
    let lamp = put_on_floor(&mut table, "Olad", &[("brass_star", 1)])[0];
    assert!(DEN.creatures.contains_key("moth"), "and the shipped content has none");
    reload(&mut table, "Olad", &without(&[]));
    for line in ["look", "east", "look", "kill moth", "look moth", "west", "inventory", "map"] {
        table.types("Olad", line);
        table.waits(Span::secs(10));
    }
    assert!(
        creatures.iter().all(|creature| table
            .world()
            .characters
            .get(*creature)
            .is_none_or(|body| body.prototype.is_some()))
    );
    assert_eq!(table.world().items[lamp].prototype, "brass_star");
    table.restart();
    table.comes_back("Olad");
    table.types("Olad", "look");
}

#[test]
fn o3_reload_is_refused_while_storage_is_read_only() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.step(Input::StorageReadOnly(true));
    table.hears("Olad");
    let answer = reload(&mut table, "Olad", &without(&[]));
    assert!(!answer.contains("in force"), "{answer}");
    assert!(Arc::ptr_eq(table.game().catalog(), &CATALOG));
    table.step(Input::StorageReadOnly(false));
    table.hears("Olad");
    assert!(reload(&mut table, "Olad", &without(&[])).contains("in force"));
}

#[test]
fn reload_errors_are_sent_to_the_requester_only() {
    let mut table = Table::new(seeded(3));
    for name in ["Bera", "Olad"] {
        table.sit(name);
    }
    table.hears("Bera");
    let mistakes: Vec<String> = (1..=50).map(|line| format!("content/mobs/orc.toml:{line}:1: no")).collect();
    let askers = vec![table.session("Olad"), SessionId(999)];
    table.step(Input::ContentRefused { askers, mistakes });
    let text = table.hears("Olad");
    assert!(text.starts_with("The content stays as it was") && text.contains("orc.toml:40:1: no"), "{text}");
    assert!(text.contains("And 10 more") && !text.contains(":41:"), "{text}");
    assert_eq!(table.hears("Bera"), "");
}

#[test]
fn a5_reload_is_for_builders_and_is_audited() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    let session = table.session("Olad");
    let types = |table: &mut Table| table.results_of(Input::Command { session, line: "reload".into() });
    let asks = |effects: &[Effect]| effects.contains(&Effect::Reload { asker: session });
    let refused = types(&mut table);
    assert!(!asks(&refused), "not for everybody");
    table.make_owner("Olad");
    let effects = types(&mut table);
    assert!(asks(&effects));
    let book = table.world().audit.iter().last().expect("a line");
    assert!(book.1.action.contains("reload"), "{book:?}");
}

/// Broken content: file, text replaced, replacement, and the expected error.
const BROKEN: [(&str, &str, &str, &str); 12] = [
    ("mobs/orc.toml", "attack =", "atack =", "mobs/orc.toml:4:1: unknown key `atack`"),
    ("mobs/orc.toml", "hp = ", "hp = \"ten\" # ", "mobs/orc.toml:3:"),
    ("mobs/orc.toml", "name = ", "name = = ", "mobs/orc.toml:1:"),
    ("items/club.toml", "name = \"", "name = \"", "items/club.toml:1:1: `description` is missing"),
    ("themes/well.toml", "\"goblin\"", "\"gobblin\"", "did you mean `goblin`?"),
    ("themes/well.toml", "kind = \"monsters\"", "kind = \"monster\"", "did you mean `monsters`?"),
    ("themes/well.toml", "Water {runs} down", "Water {rums} down", "did you mean `runs`?"),
    ("areas/town.toml", "to = \"bottom\"", "to = \"botom\"", "did you mean `bottom`?"),
    ("levels/well.toml", "part = \"frontier\"", "part = \"frontear\"", "did you mean `frontier`?"),
    ("rules.toml", "tick_secs = 10", "tick_secs = 0", "rules.toml:"),
    ("rules.toml", "[roaming]", "[roming]", "did you mean `roaming`?"),
    ("themes/well.toml", "affect = \"shrine_oak\"", "affect = \"shrine_oka\"", "did you mean `shrine_oak`?"),
];

/// Each error has a place and a suggested fix, and all are reported together.
#[test]
fn content_errors_have_place_and_suggested_fix() {
    let mut all: Vec<(String, String)> =
        BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    for (path, from, to, message) in BROKEN {
        let mut text = changed(path, from, to);
        if message.contains("is missing") {
            text =
                text.lines().filter(|line| !line.starts_with("description")).collect::<Vec<_>>().join("\n");
        }
        let files: Vec<(&str, &str)> = BUILTIN
            .iter()
            .map(|(known, whole)| if *known == path { (path, text.as_str()) } else { (*known, *whole) })
            .collect();
        let mistakes = Catalog::load(&files).expect_err(to);
        let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        let placed = |line: &&String| {
            let mut parts = line.split(':');
            let number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
            parts.next() == Some(path) && number(parts.next()) && number(parts.next())
        };
        assert!(lines.iter().any(|line| line.contains(message)), "{to}: {lines:?}");
        assert!(lines.iter().find(placed).is_some(), "{to}: {lines:?}");
        let whole = all.iter_mut().find(|(known, _)| known == path).expect("the file");
        if path.starts_with("themes") || path.starts_with("areas") {
            whole.1 = whole.1.replacen(from, to, 1);
        }
    }
    let mistakes = Catalog::load(&all).expect_err("several mistakes").len();
    assert!(mistakes >= 4, "{mistakes} come at once");
}

#[test]
fn item_survives_removal_of_its_file() {
    let used = |key: &str| {
        let is_key = |word: &str| word == key;
        let mentioned = |(path, text): &&(&str, &str)| {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            !path.starts_with("items/") && words.any(is_key)
        };
        BUILTIN.iter().find(mentioned).is_some()
    };
    let spare = CATALOG.items.keys().find(|key| !used(key)).expect("a thing that nothing else names").clone();
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    let item = put_on_floor(&mut table, "Olad", &[(&spare, 1)])[0];
    let file = format!("items/{spare}.toml");
    reload(&mut table, "Olad", &without(&[&file]));
    table.types_all("Olad", &["look", "get all", "inventory", "drop all"]);
    assert_eq!(table.world().items[item].place, Place::Room(table.body("Olad").room));
    let answer = reload(&mut table, "Olad", &CATALOG);
    assert!(answer.contains("in force"), "{answer}");
    assert_eq!(table.world().items[item].prototype, spare);
}
