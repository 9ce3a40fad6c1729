//! Undo and redo of builder commands: across restarts, with several builders, for every command.

mod creatures_and_items;
mod random;
mod ranges;

use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::catalog::StartSettings;
use deepwell::game::{Effect, FileKind, FileOperation, FilePurpose, GameConfig, Input};
use deepwell::world::{Exit, FileVersions, Room, Snapshot, Zone};
use serde_json::Value;
use std::collections::BTreeMap;

fn config() -> GameConfig {
    let mut config = seeded(5);
    config.dungeon.reset_chance_permille = 0;
    config
}

/// Olad (owner) and Bera (builder) in the lodge.
fn builders() -> Table {
    builders_with(config())
}

fn builders_with(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote bera builder");
    for name in ["Olad", "Bera"] {
        table.types(name, "north");
    }
    table
}

/// Returns the zone file as exported now.
fn exported(table: &mut Table, name: &str, zone: &str) -> String {
    let session = table.session(name);
    let line = format!("zone export {zone}");
    let effects = table.results_of(Input::Command { session, line });
    let text = effects.iter().find_map(|effect| match effect {
        Effect::Files(request) => match &request.operation {
            FileOperation::Write(files) => Some(files[0].text.clone()),
            FileOperation::Read { .. } => None,
        },
        _ => None,
    });
    text.expect("a file is written")
}

/// Imports a zone file; returns the player's output.
fn import_zone(table: &mut Table, name: &str, zone: &str, text: &str) -> String {
    let session = table.session(name);
    table.results_of(Input::Command { session, line: format!("zone import {zone}") });
    let (kind, purpose) = (FileKind::Zone, FilePurpose::Import);
    let files = Ok(vec![(zone.to_owned(), text.to_owned())]);
    let input = Input::FilesRead { asker: session, kind, purpose, prefix: None, files };
    table.hears(name);
    table.step(input);
    table.hears(name)
}

/// Builders' work, without state that changes in play.
#[derive(Clone, PartialEq, Debug)]
struct BuiltState {
    rooms: BTreeMap<String, Room>,
    exits: BTreeMap<String, Exit>,
    settings: BTreeMap<String, StartSettings>,
    zones: BTreeMap<String, Zone>,
}

fn built_state(table: &Table) -> BuiltState {
    let Snapshot { rooms, exits, start_tasks, meta, .. } = table.world().snapshot();
    let built = |id| rooms.get(&id).is_some_and(|room: &Room| room.branch.is_none());
    let exits =
        exits.values().filter(|exit| built(exit.room)).map(|exit| (exit.id.to_string(), exit.clone()));
    let zones = BTreeMap::clone(&meta.expect("a world").zones).into_iter();
    BuiltState {
        exits: exits.collect(),
        settings: start_tasks.values().map(|row| (row.room.to_string(), row.settings.clone())).collect(),
        zones: zones.map(|(key, zone)| (key, Zone { file: FileVersions::default(), ..zone })).collect(),
        rooms: rooms
            .values()
            .filter(|room| room.branch.is_none())
            .map(|room| (room.id.to_string(), room.clone()))
            .collect(),
    }
}

fn assert_same(one: &BuiltState, other: &BuiltState, what: &str) {
    for (id, room) in one.rooms.iter().chain(&other.rooms) {
        assert_eq!(one.rooms.get(id), other.rooms.get(id), "{what}: room {id}, {}", room.sheet.name);
    }
    for (id, exit) in one.exits.iter().chain(&other.exits) {
        assert_eq!(one.exits.get(id), other.exits.get(id), "{what}: exit {id}, {}", exit.name);
    }
    assert_eq!(one.settings, other.settings, "{what}");
    assert_eq!(one.zones, other.zones, "{what}");
}

/// Setup lines, the command to undo, and the expected answers of undo and redo.
const EVERY_COMMAND: &[(&[&str], &str, &str, &str)] = &[
    (&[], "dig Cellar = hatch, out", "Cellar, room", "is gone"),
    (&[], "dig Well Head:start = hatch, out", "Well Head, room", "is gone"),
    (&[], "tunnel up = Attic", "Attic, room", "is gone"),
    (&[], "open gate = square", "The exit gate of Climbers' Lodge", "is gone"),
    (&["dig Pit:start = hatch, out", "hatch"], "open north:branch", "The exit north of Pit", "is gone"),
    (&["open gate = square"], "link gate = lodge", "The exit gate of Climbers' Lodge", "to: was room"),
    (&["open gate = square"], "destroy gate", "The exit gate of Climbers' Lodge", "is there again"),
    (&["dig Cellar = hatch, out", "hatch"], "destroy here", "Cellar, room", "is there again"),
    (
        &["dig Pit:start = hatch, out", "hatch", "open north:branch"],
        "destroy here",
        "Pit, room",
        "is there again",
    ),
    (&[], "name here = Old Lodge;old", "name: was Old Lodge, is Climbers' Lodge", "aliases"),
    (&["open gate = square"], "name gate = north", "name: was north, is gate", "The exit"),
    (&[], "describe here = Swept.", "description is: ", "description was: Swept."),
    (
        &["open gate = square"],
        "describe gate = A low arch.",
        "description: was A low arch., is nothing",
        "The exit",
    ),
    (&["spawn rat"], "name rat = old rat", "The creature", "name: was old rat, is"),
    (
        &["spawn rat"],
        "describe rat = Grey about the whiskers.",
        "The creature",
        "description was: Grey about",
    ),
    (&[], "set here environment = wood", "environment: was wood, is ", "Climbers' Lodge"),
    (&[], "set here fights = yes", "fights: was yes, is no", "Climbers' Lodge"),
    (
        &[],
        "set on_enter = tell It is warm in here.",
        "triggers: was enter = tell It is warm in here., is nothing",
        "",
    ),
    (&["dig Attic = hatch, hatch"], "set hatch door = oak door", "door: was name oak door", "is nothing"),
    (
        &["dig Attic = hatch, hatch", "set hatch door = oak door"],
        "set hatch key = rye loaf",
        "door key: was rye_loaf, is nothing",
        "The exit hatch of Attic",
    ),
    (
        &["dig Pit:start = hatch, out", "hatch"],
        "set here reset_interval = 60",
        "settings reset interval: was ",
        "Pit, room",
    ),
    (
        &["dig Pit:start = hatch, out", "hatch", "open north:branch"],
        "set north window = 600",
        "settings times window: was",
        "The exit north of Pit",
    ),
    (&[], "detail tub;basin = It is empty.", "details tub, basin: was It is empty., is nothing", ""),
    (&["detail tub = It is empty."], "undetail tub", "details tub: was nothing, is It is empty.", ""),
    (&[], "tag here = unfinished, harbour", "tags: was harbour; unfinished, is nothing", ""),
    (&[], "spawn rat = 2 every 60", "spawns: was rat = 2 every 60, is nothing", ""),
    (&[], "spawn rat", "You take back: spawn rat", ""),
    (&[], "spawn rye loaf", "You take back: spawn rye loaf", ""),
    (
        &["dig Stall = hatch, out", "hatch"],
        "shop here = rye_loaf, torch_stub",
        "kind: was shop, is room",
        "stock",
    ),
    (
        &[],
        "trigger say friend = room The door listens.",
        "triggers: was say friend = room The door listens., is nothing",
        "",
    ),
    (&["trigger say friend = room It listens."], "trigger say friend = none", "triggers: was nothing", ""),
    (&[], "zone new mill", "The zone mill is gone", ""),
    (&["zone new mill", "dig Mill = hatch, out", "hatch"], "zone set mill", "area: was mill, is town", ""),
    (
        &["zone new mill", "dig Mill = hatch, out", "hatch", "zone set mill"],
        "zone add bera",
        "builders besides: was Bera, is nobody",
        "",
    ),
    (
        &["zone new mill", "dig Mill = hatch, out", "hatch", "zone set mill", "zone add bera"],
        "zone remove bera",
        "builders besides: was nobody, is Bera",
        "",
    ),
    (
        &["zone new mill", "dig Mill = hatch, out", "hatch", "zone set mill"],
        "zone give bera",
        "owner: was Bera, is Olad",
        "",
    ),
];

/// Every building command is undone and redone, and both again after restarts.
#[test]
fn every_building_command_is_undone_and_redone_over_restarts() {
    for (before, line, message, also) in EVERY_COMMAND {
        let mut table = builders();
        table.types_all("Olad", before);
        let was = built_state(&table);
        let answer = table.types("Olad", line);
        let is = built_state(&table);
        let spawns = line.starts_with("spawn") || line.contains("rat");
        assert!(was != is || spawns, "{line}: {answer}");
        let undone = table.types("Olad", "undo");
        assert!(undone.contains(&format!("You take back: {line}")), "{line}: {undone}");
        assert!(undone.contains(message) && undone.contains(also), "{line}: {undone}");
        assert_same(&built_state(&table), &was, line);
        let redone = table.types("Olad", "redo");
        assert!(redone.contains(&format!("You do again: {line}")), "{line}: {redone}");
        assert_same(&built_state(&table), &is, line);
        table.restart();
        table.types("Olad", "undo");
        assert_same(&built_state(&table), &was, line);
        table.restart();
        table.types("Olad", "redo");
        assert_same(&built_state(&table), &is, line);
        assert_eq!(table.game().check(), Vec::<String>::new(), "{line}");
    }
}

/// A command and its journal entry are in one batch, and so are an undo and its note; a crash leaves both or neither.
#[test]
fn d2_command_and_journal_entry_are_stored_together() {
    let mut table = builders();
    for line in ["dig Cellar = hatch, out", "undo", "redo", "destroy hatch", "undo"] {
        let before = table.stored().clone();
        table.types("Olad", line);
        let changes = table.last_changes();
        assert_eq!(changes.journal.put.len(), 1, "{line}");
        assert!(!changes.exits.put.is_empty() || !changes.exits.gone.is_empty(), "{line}");
        let mut after = before.clone();
        after.apply(changes);
        for mut stored in [before, after] {
            stored.ledger.clear();
            let mut killed = Table::resume(config(), stored, table.now());
            killed.comes_back("Olad");
            assert_eq!(killed.game().check(), Vec::<String>::new(), "{line}");
            let (undone, was) = (
                killed.world().journal.iter().any(|(_, entry)| entry.undone.is_some()),
                built_state(&killed),
            );
            killed.types("Olad", if undone { "redo" } else { "undo" });
            killed.types("Olad", if undone { "undo" } else { "redo" });
            assert_same(&built_state(&killed), &was, line);
        }
    }
}

#[test]
fn refused_commands_are_not_in_the_journal() {
    let mut table = builders();
    assert!(table.types("Olad", "undo").contains("nothing of yours to take back"));
    assert!(table.types("Olad", "redo").contains("nothing that you have taken back"));
    for line in [
        "destroy nowhere", "describe here", ".", "~", "goto square", "find lodge", "zone list",
        "zone export town",
    ] {
        table.types("Olad", line);
    }
    assert!(table.world().journal.is_empty());
    assert!(table.types("Olad", "journal").contains("Nothing is written down"));
}

/// Twenty rooms with contents are deleted one by one; undo restores the same export, byte for byte.
#[test]
fn undo_of_twenty_destroyed_rooms_restores_the_export() {
    let mut table = builders();
    table.types_all("Olad", &["zone new mill", "dig Hall = hall;big hall, out", "hall", "zone set mill"]);
    let hall = table.body("Olad").room;
    for number in 1..20 {
        table.types("Olad", &format!("dig Room {number} = way{number}, back"));
        table.types("Olad", &format!("way{number}"));
        table.types("Olad", &format!("describe here = The wall says {number}.\\nNothing else."));
        table.types("Olad", &format!("detail wall = Somebody has written {number}."));
        if number % 3 == 0 {
            table.types_all("Olad", &[&format!("goto #{hall}"), "name here = Great Hall;big hall"]);
        }
    }
    for line in ["trigger leave = tell Dust settles.", "spawn rat = 1", "set on_enter = tell It is warm."] {
        table.types("Olad", line);
    }
    let before = (built_state(&table), exported(&mut table, "Olad", "mill"));
    assert_eq!(before.1.matches("[[rooms]]").count(), 20);
    let rooms: Vec<_> =
        table.world().rooms.iter().filter(|(_, room)| room.area == "mill").map(|(id, _)| id).collect();
    table.types("Olad", "goto lodge");
    for room in &rooms {
        table.types("Olad", &format!("destroy #{room}"));
    }
    assert!(table.world().rooms.iter().all(|(_, room)| room.area != "mill"));
    table.restart();
    for _ in &rooms {
        let answer = table.types("Olad", "undo");
        assert!(answer.contains("is there again"), "{answer}");
    }
    assert_same(&built_state(&table), &before.0, "all of it");
    assert_eq!(exported(&mut table, "Olad", "mill"), before.1);
    table.restart();
    assert_eq!(exported(&mut table, "Olad", "mill"), before.1, "after a restart");
    for _ in &rooms {
        table.types("Olad", "redo");
    }
    assert!(table.world().rooms.iter().all(|(_, room)| room.area != "mill"));
}

/// The undo of an import that deleted twenty rooms is a single step.
#[test]
fn import_is_undone_and_redone_as_one_step() {
    let mut table = builders();
    for line in ["zone new mill", "dig Hall = hall, out", "hall", "zone set mill"] {
        table.types("Olad", line);
    }
    for number in 1..20 {
        table.types("Olad", &format!("dig Room {number} = way{number}, back"));
    }
    let (full, was) = (exported(&mut table, "Olad", "mill"), built_state(&table));
    let hall = &full[..full.find("\n[[rooms.exits]]").expect("exits")];
    let answer = import_zone(&mut table, "Olad", "mill", hall);
    assert!(answer.contains("19 rooms gone"), "{answer}");
    let is = built_state(&table);
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("You take back: zone import mill") && answer.contains("more."), "{answer}");
    assert_same(&built_state(&table), &was, "import");
    assert_eq!(exported(&mut table, "Olad", "mill"), full);
    table.restart();
    table.types("Olad", "redo");
    assert_same(&built_state(&table), &is, "import again");
    table.types("Olad", "undo");
    let mut other = builders();
    let answer = import_zone(&mut other, "Olad", "mill", &full);
    assert!(answer.contains("twenty rooms made") || answer.contains("20 rooms made"), "{answer}");
    assert!(other.types("Olad", "undo").contains("The zone mill is gone."));
    assert!(!other.world().meta().zones.contains_key("mill"));
    other.types("Olad", "redo");
    assert_eq!(exported(&mut other, "Olad", "mill"), full);
}

/// Each of two builders in one room undoes their own changes, unless the other has changed the same field.
#[test]
fn builders_undo_only_their_own_changes_of_a_room() {
    let mut table = builders();
    table.types("Olad", "describe here = Swept by Olad.");
    table.types("Bera", "name here = Clean Lodge");
    table.types("Bera", "detail tub = Wet.");
    table.types("Olad", "detail rope = Long.");
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("details rope: was Long., is nothing"), "{answer}");
    table.types("Olad", "undo");
    assert_eq!(table.room("Olad").sheet.name, "Clean Lodge");
    assert_ne!(table.room("Olad").sheet.description, "Swept by Olad.");
    assert!(table.room("Olad").sheet.details.contains_key("tub"));
    table.types("Olad", "redo");
    table.types("Bera", "describe here = Swept by Bera.");
    let answer = table.types("Olad", "undo");
    assert_eq!(
        answer,
        format!(
            "Clean Lodge, room {}, is not as \"describe here = Swept by Olad.\" left it: Bera has typed \"describe here = \
             Swept by Bera.\" since. Nothing is changed.",
            table.room("Olad").id
        )
    );
    assert_eq!(table.room("Olad").sheet.description, "Swept by Bera.");
    let answer = table.types("Bera", "undo");
    assert!(answer.contains("description: was Swept by Bera., is Swept by Olad."), "{answer}");
    table.types("Olad", "undo");
    assert_ne!(table.room("Olad").sheet.description, "Swept by Olad.");
}

/// A room that others have linked to is not removed by undo.
#[test]
fn undo_is_refused_if_others_have_built_on_it() {
    let mut table = builders();
    table.types("Olad", "dig Cellar = hatch, out");
    let cellar = table.world().rooms.iter().next_back().expect("a room").0;
    table.types("Bera", &format!("open chute = #{cellar}"));
    let answer = table.types("Olad", "undo");
    assert!(
        answer.contains("The exit chute of Climbers' Lodge")
            && answer.contains("Bera has typed \"open chute"),
        "{answer}"
    );
    table.types("Bera", "undo");
    assert!(table.types("Olad", "undo").contains("is gone"));
    // Redo is refused if the place has been taken since.
    let answer = table.types("Bera", "redo");
    assert!(answer.contains("is not as \"open chute"), "{answer}");
    table.types("Bera", "dig Vault = hatch, out");
    let answer = table.types("Olad", "redo");
    assert!(answer.contains("Nothing is changed") && answer.contains("is in the place of"), "{answer}");
}

/// A new command clears the redo list; a redo by number still works.
#[test]
fn new_command_clears_the_redo_list() {
    let mut table = builders();
    table.types_all("Olad", &["tag here = one", "describe here = Two.", "undo", "undo", "redo"]);
    assert!(table.room("Olad").sheet.tags.contains("one"));
    table.types("Olad", "name here = Three");
    assert!(table.types("Olad", "redo").contains("nothing that you have taken back since you built last"));
    let two = table.world().journal.iter().find(|(_, entry)| entry.line.contains("Two.")).expect("it").0;
    assert!(table.types("Olad", &format!("redo {two}")).contains("description"));
    assert_eq!(
        (table.room("Olad").sheet.description.as_str(), table.room("Olad").sheet.name.as_str()),
        ("Two.", "Three")
    );
    assert!(table.types("Olad", &format!("redo {two}")).contains("is not taken back"));
    table.types("Olad", &format!("undo {two}"));
    assert!(table.types("Olad", &format!("undo {two}")).contains("is taken back already"));
    assert!(table.types("Olad", "undo 999").contains("has no number 999"));
}

/// A puzzle preview is not in the journal: undo takes the command before it, and the puzzle can still be entered after
/// a restart.
#[test]
fn puzzle_preview_is_not_in_the_journal() {
    let mut table = builders();
    table.types("Olad", "describe here = Two.");
    assert!(table.types("Olad", "puzzle test measures seed=7").contains("Type in to go there"));
    let mut killed = Table::resume(config(), table.stored().clone(), table.now());
    killed.comes_back("Olad");
    assert!(killed.types("Olad", "undo").contains("describe here"));
    assert!(killed.room("Olad").sheet.description != "Two.");
    assert_eq!(killed.game().check(), Vec::<String>::new());
    assert!(!killed.types("Olad", "in").contains("no way"));
    assert_eq!(killed.world().journal.iter().count(), 1);
}

/// A builder undoes only their own entries, subject to current rights; an admin may undo those of others.
#[test]
fn a5_undo_needs_ownership_and_current_rights() {
    let mut table = builders();
    table.types("Olad", "name here = Olad's Lodge");
    assert!(table.types("Bera", "undo").contains("nothing of yours"));
    assert!(table.types("Bera", "undo olad").contains("Only an admin"));
    let number = table.world().journal.iter().next().expect("an entry").0;
    assert!(table.types("Bera", &format!("undo {number}")).contains(&format!("Number {number} is by Olad")));
    table.types("Bera", "tag here = mine");
    table.types_all("Olad", &["zone give olad"]);
    let answer = table.types("Bera", "undo");
    assert!(answer.contains("You do not build in the zone town: ask Olad"), "{answer}");
    assert!(table.room("Bera").sheet.tags.contains("mine"));
    let answer = table.types("Olad", "undo bera");
    assert!(answer.contains("tags: was mine, is nothing"), "{answer}");
    assert!(table.types("Olad", "undo nobody").contains("nobody called \"nobody\""));
    table.types("Olad", "zone add bera");
    assert!(table.types("Bera", "redo").contains("tags: was nothing, is mine"));
    table.types("Olad", "promote bera player");
    assert!(table.types("Bera", "undo").contains("There is no command"));
}

/// Undo is refused where the command itself would be: removing the last way into the dungeon, or a start room with
/// players below.
#[test]
fn undo_refuses_what_the_command_would_refuse() {
    let mut table = builders();
    table.types_all("Olad", &["dig Pit:start = pit, out", "pit", "open north:branch", "out"]);
    table.types_all("Bera", &["pit", "north"]);
    let answer = table.types("Olad", "undo");
    assert!(answer.contains("People are in a branch of that exit"), "{answer}");
    let dug = table.world().journal.iter().next().expect("an entry").0;
    let answer = table.types("Olad", &format!("undo {dug}"));
    assert!(answer.contains("Bera is in it or in a branch behind it"), "{answer}");
    table.types_all("Bera", &["recall"]);
    table.waits(Span::mins(1));
    assert_eq!(table.game().check(), Vec::<String>::new());
}

/// The oldest entries of the most frequent author are evicted, entries of others stay, and commands too large for the
/// journal are reported as such.
#[test]
fn a8_journal_is_bounded() {
    let mut limited = config();
    limited.limits.journal_entries = 5;
    limited.limits.journal_bytes = 65_536;
    let mut table = builders_with(limited);
    table.types("Bera", "tag here = bera");
    for number in 0..20 {
        table.types("Olad", &format!("detail thing{number} = It is thing {number}."));
    }
    assert_eq!(table.world().journal.of(Some(table.account("Olad"))).count(), 5);
    table.restart();
    let answers: Vec<String> = (0..6).map(|_| table.types("Olad", "undo")).collect();
    assert!(answers[4].contains("thing15") && answers[5].contains("nothing of yours"), "{answers:?}");
    let long = "word ".repeat(780);
    for number in 0..20 {
        table.types("Olad", &format!("describe here = {number} {long}"));
        let bytes: u64 = table.world().journal.iter().map(|(_, entry)| u64::from(entry.bytes)).sum();
        assert!(bytes <= 65_536, "{bytes}");
    }
    assert!(table.types("Bera", "undo").contains("tags: was bera"), "Olad's went before it");
    table.types_all("Olad", &["zone new mill", "dig Hall = hall, out", "hall", "zone set mill"]);
    for number in 0..12 {
        table
            .types_all("Olad", &[&format!("dig Room {number} = way{number}, back"), &format!("way{number}")]);
        table.types_all("Olad", &[&format!("describe here = {number} {long}"), "back"]);
    }
    let hall = table.body("Olad").room;
    let full = exported(&mut table, "Olad", "mill");
    let only = &full[..full.find("\n[[rooms.exits]]").expect("exits")];
    let answer = import_zone(&mut table, "Olad", "mill", only);
    assert!(answer.contains("That was more than the journal keeps: undo cannot take it back."), "{answer}");
    assert!(table.types("Olad", "undo").contains("\"zone import mill\" changed more than the journal keeps"));
    assert!(table.types("Olad", "journal").contains("zone import mill"));
    assert_eq!(table.body("Olad").room, hall);
}

/// The journal shows author and change for a room, an exit or an author, and single entries in full.
#[test]
fn journal_shows_author_and_change() {
    let mut table = builders();
    table.types("Olad", "describe here = One.\\nTwo.\\nThree.");
    table.types("Bera", "describe here = One.\\nTwo and a half.\\nThree.");
    table.types("Bera", "open gate = square");
    table.types("Olad", "undo");
    let lodge = table.body("Olad").room;
    for line in ["journal here", "history here", &format!("journal #{lodge}"), "history #2"] {
        let answer = table.types("Olad", line);
        if line == "history #2" {
            continue;
        }
        let lines: Vec<&str> = answer.lines().collect();
        assert_eq!(lines[0], "What was built, the newest first", "{lines:?}");
        assert!(
            lines[1].ends_with(" UTC, Bera: describe here = One.\\nTwo and a half.\\nThree."),
            "{lines:?}"
        );
        assert_eq!(lines[2], format!("Climbers' Lodge, room {lodge}, description, line 2 was: Two."));
        assert_eq!(
            lines[3],
            format!("Climbers' Lodge, room {lodge}, description, line 2 is: Two and a half.")
        );
        assert!(lines[4].contains("Olad: describe here"), "{lines:?}");
    }
    let answer = table.types("Olad", "journal gate");
    assert!(
        answer.contains("Bera: open gate = square") && answer.contains("The exit gate of Climbers' Lodge"),
        "{answer}"
    );
    assert!(!table.types("Olad", "journal me").contains("Bera"));
    assert!(table.types("Olad", "journal bera").contains("open gate"));
    let number = table.world().journal.iter().next().expect("an entry").0;
    let answer = table.types("Olad", &format!("journal {number}"));
    assert!(answer.contains("description, line 1 is: One."), "{answer}");
    assert!(table.types("Olad", "journal nobody").contains("nobody called \"nobody\""));
    assert!(table.types("Olad", "history 1").is_empty(), "what one typed oneself is the session's to tell");
    table.types("Bera", "undo");
    assert!(table.types("Olad", "journal gate").contains("nobody called"));
    assert!(table.types("Olad", "journal bera").contains("open gate = square (taken back by Bera)"));
    for number in 0..12 {
        table.types("Olad", &format!("tag here = t{number}"));
    }
    let answer = table.types("Olad", "journal here");
    assert!(answer.ends_with("There is more. Type journal here 2 for what came before."), "{answer}");
    assert!(table.types("Olad", "journal here 2").contains("tags: was nothing, is t0"));
}

/// The interval of an exit is undone and redone, also after ticks in between.
#[test]
fn exit_interval_is_undone_and_redone() {
    let mut table = builders();
    for line in ["dig Pit:start = pit, out", "pit", "open east:branch"] {
        table.types("Olad", line);
    }
    let intervals = |table: &Table| {
        let room = table.room("Olad").id;
        let east = &table.world().exits.of(room).find(|exit| exit.name == "east").expect("an exit").own_tasks;
        [east.reset, east.check].map(|task| task.map(|task| task.interval))
    };
    table.types("Olad", "set east reset_interval = 60");
    table.types("Olad", "set east reset_interval = 90");
    table.waits(Span::secs(200));
    assert_eq!(intervals(&table), [Some(Span::secs(90)), None]);
    table.types("Olad", "undo");
    assert_eq!(intervals(&table), [Some(Span::secs(60)), None]);
    table.types("Olad", "undo");
    assert_eq!(intervals(&table), [None, None]);
    table.types("Olad", "redo");
    table.types("Olad", "destroy east");
    table.types("Olad", "undo");
    assert_eq!(intervals(&table), [Some(Span::secs(60)), None]);
    table.restart();
    table.waits(Span::secs(200));
    assert_eq!(intervals(&table), [Some(Span::secs(60)), None]);
}

/// A door has two sides; its undo needs current rights to both.
#[test]
fn a5_door_undo_needs_rights_to_both_sides() {
    let mut table = builders();
    for line in ["zone new mill", "dig Mill = gate, out", "gate", "zone set mill", "zone add Bera"] {
        table.types("Olad", line);
    }
    assert!(table.types("Bera", "set gate door = oak door").contains("oak door now"));
    table.types("Olad", "zone remove Bera");
    let answer = table.types("Bera", "undo");
    assert!(answer.contains("You do not build in the zone mill"), "{answer}");
    table.types("Olad", "zone add Bera");
    assert!(table.types("Bera", "undo").contains("You take back: set gate door = oak door"));
}

#[test]
fn replaced_trigger_is_reported_and_restored_by_undo() {
    let mut table = builders();
    table.types("Olad", "trigger leave = room Dust settles.");
    let answer = table.types("Olad", "trigger leave as leave = room A bell rings.");
    assert!(answer.contains("It replaces the one that was here"), "{answer}");
    table.types("Olad", "undo");
    let lines: Vec<_> = table.room("Olad").triggers.iter().map(|trigger| trigger.lines.clone()).collect();
    assert_eq!(lines, [vec!["room Dust settles.".to_owned()]]);
}

#[test]
fn replaced_enter_script_is_reported_and_restored_by_undo() {
    let mut table = builders();
    let room = table.room("Olad").id;
    let lines = ["set on_enter = tell A.", "trigger enter as enter = tell B.", "set here on_enter = tell C."];
    for (at, line) in
        lines.into_iter().chain([format!("set #{room} on_enter = tell D.").as_str()]).enumerate()
    {
        let answer = table.types("Olad", line);
        assert_eq!(answer.contains("It replaces the one that was here"), at > 0, "{line}: {answer}");
    }
    table.types("Olad", "undo");
    assert_eq!(table.room("Olad").triggers[0].lines, ["tell C."]);
    let answer = table.types("Olad", "set on_enter = none");
    assert!(answer.contains("Nothing happens any more"), "{answer}");
    for line in ["set on_enter = none", "trigger enter = none", "set on_enter ="] {
        let answer = table.types("Olad", line);
        assert!(answer.contains("Nothing happens here at enter."), "{line}: {answer}");
    }
}

#[test]
fn clearing_unknown_definition_field_is_refused() {
    let mut table = builders();
    let makes = ["creature mill_rat like rat", "item crate", "theme pit like well", "help mill_rules"];
    table.types_all(
        "Olad",
        &makes.map(|definition| format!("make {definition}")).each_ref().map(String::as_str),
    );
    for definition in ["creature mill_rat", "item crate", "theme pit", "help mill_rules"] {
        let answer = table.types("Olad", &format!("set {definition} nonsense = none"));
        assert!(answer.contains("unknown key `nonsense`"), "{answer}");
    }
    let answer = table.types("Olad", "set creature mill_rat plural = none");
    assert!(answer.contains("nothing is said of plural"), "{answer}");
}

#[test]
fn refused_setting_lists_valid_settings() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out"]);
    let answer = table.types("Olad", "set here damp = yes");
    assert!(
        answer.contains("no setting \"damp\"")
            && answer.contains("key, environment, board, capacity, fights"),
        "{answer}"
    );
    let answer = table.types("Olad", "set hatch lost = yes");
    assert!(
        answer.contains("no setting \"lost\"") && answer.contains("door, key, hidden and puzzle"),
        "{answer}"
    );
}

#[test]
fn journal_list_shows_where_two_long_texts_differ() {
    let mut table = builders();
    let long = "A long room of grey stone, swept and bare, with a bench along the wall. ".repeat(3);
    table.types("Olad", &format!("describe here = {long}It smells of tar."));
    table.types("Olad", &format!("describe here = {long}It smells of wax."));
    let answer = table.types("Olad", "journal me");
    assert!(answer.contains("smells of tar.") && answer.contains("smells of wax."), "{answer}");
}

#[test]
fn script_gives_coins_into_the_purse() {
    let mut table = builders();
    table.types("Olad", "trigger say pay = give silver_coin");
    let before = table.body("Bera").money.purse;
    let carried = table.world().carried(table.id("Bera")).len();
    let answer = table.types("Bera", "say pay");
    assert!(answer.contains("You put one silver into your purse."), "{answer}");
    assert_eq!(table.body("Bera").money.purse, before + 10);
    assert_eq!(table.world().carried(table.id("Bera")).len(), carried);
}

#[test]
fn script_takes_coins_out_of_the_purse_and_asks_for_them() {
    let mut table = builders();
    let lines = ["trigger say toll = if has gold_coin: take gold_coin; if not has gold_coin: tell No gold."];
    table.types_all("Olad", &lines);
    table.types_all("Olad", &["trigger say pay = give gold_coin"]);
    table.types("Bera", "say pay");
    let before = table.body("Bera").money.purse;
    assert!(before >= 100, "{before}");
    let answer = table.types("Bera", "say toll");
    assert!(answer.contains("You take one gold out of your purse and pay."), "{answer}");
    assert_eq!(table.body("Bera").money.purse, before - 100);
    while table.body("Bera").money.purse >= 100 {
        table.types("Bera", "say toll");
    }
    let poor = table.body("Bera").money.purse;
    let answer = table.types("Bera", "say toll");
    assert!(answer.contains("No gold.") && !answer.contains("out of your purse"), "{answer}");
    assert_eq!(table.body("Bera").money.purse, poor);
}

#[test]
fn coins_cannot_be_spawned_or_sold() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch"]);
    for line in ["spawn silver_coin", "spawn silver coin = 2", "shop here = silver_coin"] {
        let answer = table.types("Olad", line);
        assert!(answer.contains("silver_coin is money"), "{line}: {answer}");
    }
    let room = table.room("Olad");
    assert!(room.spawns.is_empty() && room.stock.is_empty());
    assert!(table.world().ground(room.id).is_empty());
}

#[test]
fn proper_name_has_no_definite_article() {
    let mut table = builders();
    table.types_all(
        "Olad",
        &["make creature marta like rat = Marta", "set creature marta with_article = Marta", "spawn marta"],
    );
    let answer = table.types("Olad", "destroy marta");
    assert!(answer.contains("Marta is gone.") && !answer.contains("The Marta"), "{answer}");
}

#[test]
fn creature_article_follows_its_kind_unless_renamed() {
    let mut table = builders();
    table.types_all("Olad", &["dig Cellar = hatch, out", "hatch"]);
    for (key, name, article, indefinite, definite) in [
        ("owl", "owl", None, "An owl", "The owl"),
        ("pair", "pair of boots", Some("some boots"), "Some boots", "The pair of boots"),
        ("warden", "Warden", Some("the Warden"), "The Warden", "The Warden"),
        ("marta", "Marta", Some("Marta"), "Marta", "Marta"),
    ] {
        table.types("Olad", &format!("make creature {key} like rat = {name}"));
        if let Some(article) = article {
            table.types("Olad", &format!("set creature {key} with_article = {article}"));
        }
        let answer = table.types("Olad", &format!("spawn {key}"));
        assert!(answer.contains(&format!("{indefinite} comes in.")), "{answer}");
        let answer = table.types("Olad", &format!("destroy {name}"));
        assert!(answer.contains(&format!("{definite} is gone.")), "{answer}");
    }
    table.types_all("Olad", &["spawn rat", "name rat = Greta"]);
    let answer = table.types("Olad", "destroy greta");
    assert!(answer.contains("The Greta is gone."), "{answer}");
}

#[test]
fn room_whose_key_changed_in_the_file_keeps_its_identity() {
    let mut table = builders();
    table.types_all("Olad", &["zone new mill", "dig Tar Store = hatch, out", "hatch", "zone set mill"]);
    let (room, zone, key) = {
        let row = table.room("Olad");
        (row.id, row.area.clone(), row.key.clone())
    };
    let text = exported(&mut table, "Olad", &zone);
    let changed = text.replace(&format!("\"{key}\""), "\"tar_cellar\"");
    assert_ne!(text, changed);
    let answer = import_zone(&mut table, "Olad", &zone, &changed);
    assert_eq!(table.world().rooms.get(room).map(|row| row.key.as_str()), Some("tar_cellar"), "{answer}");
}

/// Gives a change of a room the form of an entry that has the field `on_enter`.
fn with_on_enter(before: &mut Value, after: &mut Value) {
    let divide = |image: &mut Value| {
        let triggers = image["triggers"].as_array().cloned().unwrap_or_default();
        let (first, others): (Vec<Value>, Vec<Value>) = triggers
            .into_iter()
            .partition(|trigger| trigger["on"] == "enter" && trigger.get("name").is_none());
        image["on_enter"] = first.first().map_or(Value::Null, |trigger| trigger["lines"].clone());
        image["triggers"] = if others.is_empty() { Value::Null } else { Value::from(others) };
    };
    divide(before);
    divide(after);
    for field in ["on_enter", "triggers"] {
        if before[field] == after[field] {
            for image in [&mut *before, &mut *after] {
                image.as_object_mut().expect("an image").remove(field);
            }
        }
    }
}

/// Entries with the field `on_enter` are undone and redone as those with a trigger.
#[test]
fn entries_with_on_enter_are_undone_and_redone() {
    let lines = [
        "set on_enter = tell A.",
        "trigger say friend = tell Friend.",
        "trigger enter as enter = tell B.",
        "trigger enter as deep = tell C.",
        "trigger enter = none",
        "trigger say friend = none",
    ];
    let mut table = builders();
    let mut states = vec![table.room("Olad").triggers.to_vec()];
    for line in lines {
        let answer = table.types("Olad", line);
        states.push(table.room("Olad").triggers.to_vec());
        assert_ne!(states.last(), states.get(states.len() - 2), "{line}: {answer}");
    }
    table.edit_stored(|stored| {
        let pieces = stored.journal.values_mut().flat_map(|entry| &mut entry.touches.pieces);
        for piece in pieces {
            let (Some(before), Some(after)) = (&mut piece.before, &mut piece.after) else { continue };
            with_on_enter(before, after);
        }
        let text = serde_json::to_string(&stored.journal).expect("JSON");
        assert!(text.contains("on_enter") && !text.contains(r#"{"on":"enter","lines""#), "{text}");
    });
    for state in states.iter().rev().skip(1) {
        let answer = table.types("Olad", "undo");
        assert_eq!(table.room("Olad").triggers.to_vec(), *state, "{answer}");
    }
    for state in states.iter().skip(1) {
        let answer = table.types("Olad", "redo");
        assert_eq!(table.room("Olad").triggers.to_vec(), *state, "{answer}");
    }
}
