//! Luau scripts made in the game: editing, trying, their log, undo, files and the web builder's line.

use crate::table::{Table, changed_content, seeded};
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::catalog::{BUILTIN, Catalog, DefinitionKind};
use deepwell::game::{Content, GameConfig, Input};
use std::sync::Arc;

/// A script in one typed line.
const BELL: &str = "script write bell = local M = {}\\nfunction M.ring(event)\\n    return { `tell You say {event.words}.` }\\n\
                    end\\nreturn M";

/// The script `bell` by Bera (builder), who is with Olad (owner) in the lodge.
fn with_bell() -> Workshop {
    with_bell_in(seeded(5))
}

fn with_bell_in(config: GameConfig) -> Workshop {
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    let mut shop = Workshop::beside(table);
    shop.table.sit("Bera");
    shop.types("Olad", "promote Bera builder");
    shop.types("Bera", "north");
    shop.types_all("Bera", &["make script bell = the bell of the lodge", BELL]);
    shop
}

fn text(shop: &Workshop) -> &str {
    shop.definition(DefinitionKind::Script, "bell")
}

/// A new script works at once, and after a restart the content is the same.
#[test]
fn script_made_in_the_game_is_called_by_triggers() {
    let mut shop = Workshop::open();
    let answer = shop.types("Olad", "make script bell = the bell of the lodge");
    assert!(answer.contains("There is a script bell now. script edit bell writes it"), "{answer}");
    assert!(text(&shop).starts_with("-- the bell of the lodge\n\nlocal M = {}\n"), "{}", text(&shop));
    shop.types("Olad", "trigger say ring = call bell ring");
    assert!(shop.types("Olad", "trigger say ring = call bell run").contains("It is set"));
    assert!(shop.types("Olad", "say ring").contains("Nothing happens yet."));
    let answer = shop.types("Olad", BELL);
    assert!(answer.contains("The script bell is written. Its functions: ring."), "{answer}");
    shop.types("Olad", "trigger say ring = call bell ring");
    assert!(shop.types("Olad", "say ring it").contains("You say ring it."));
    let before = shop.digest();
    shop.table.restart();
    assert_eq!(shop.digest(), before, "all read at a start is as what was read one by one");
    shop.table.comes_back("Olad");
    assert!(shop.types("Olad", "say ring it").contains("You say ring it."));
}

/// Lines are listed with numbers, replaced, inserted and deleted, and keep their indentation.
#[test]
fn script_is_edited_line_by_line() {
    let mut shop = with_bell();
    let answer = shop.types("Bera", "script edit bell");
    assert!(answer.contains("You write: script write bell. It has five lines so far"), "{answer}");
    for line in [
        ".replace 3 =     local said = event.words",
        ".insert 4 =     return { `room Clang: {said}` }",
        ".delete 6-6",
        "",
        "-- the end",
        ".insert 7 = return M",
        ".delete 8-8",
        ".delete 6",
    ] {
        shop.types("Bera", line);
    }
    let listed = shop.types("Bera", ".list 3");
    assert!(
        listed.contains("3:     local said = event.words\n4:     return { `room Clang: {said}` }"),
        "{listed}"
    );
    assert!(shop.types("Bera", ".delete 70").contains("There is no line 70"));
    assert!(shop.types("Bera", ".replace = 3").contains(".replace 3 = TEXT"));
    // A restart in between loses nothing.
    shop.table.restart();
    assert!(shop.table.comes_back("Bera").contains("You are writing: script write bell"));
    assert!(shop.types("Bera", ".").contains("The script bell is written."));
    assert_eq!(
        text(&shop),
        "local M = {}\nfunction M.ring(event)\n    local said = event.words\n    return { `room Clang: {said}` }\n\
         end\nreturn M\n"
    );
    let shown = shop.types("Bera", "script show bell 5");
    assert!(shown.contains("5: end\n6: return M"), "{shown}");
    assert!(!shown.contains("4: "), "{shown}");
}

/// A script that does not compile is refused with file, line and reason. The editor keeps what was written.
#[test]
fn script_that_does_not_compile_is_refused_and_kept_in_the_editor() {
    let mut shop = with_bell();
    let before = text(&shop).to_owned();
    shop.types_all("Bera", &["script edit bell", ".replace 3 =     return { tell }}"]);
    let answer = shop.types("Bera", ".");
    assert!(answer.contains("Nothing is changed: scripts/bell.luau:3"), "{answer}");
    assert_eq!(text(&shop), before);
    assert!(shop.types("Bera", ".list").contains("3:     return { tell }}"), "nothing is lost");
    shop.types("Bera", ".replace 3 =     return {}");
    assert!(shop.types("Bera", ".").contains("is written"));
    let answer = shop.types("Bera", "script write bell = return 5");
    assert!(answer.contains("a script returns a table of functions"), "{answer}");
    for (line, message) in [
        ("script edit bel", "There is no script bel. Did you mean bell?"),
        ("set script bell name = clang", "A script is one text without fields"),
        ("describe script bell", "script edit bell writes it"),
        ("script write bell", "Type script and show"),
        ("make script bell", "There is a script bell already"),
        ("script write dart_trap = return {}", "only an admin changes it here"),
    ] {
        let answer = shop.types("Bera", line);
        assert!(answer.contains(message), "{line}: {answer}");
    }
    // A creature's trigger that calls a function keeps the script from losing it.
    shop.types_all("Bera", &["make creature mill_rat like rat", BELL]);
    shop.types_all("Bera", &["trigger creature mill_rat greet = call bell ring"]);
    let answer = shop.types("Bera", "script write bell = return { rung = function() return {} end }");
    assert!(answer.contains("unknown function `ring`") && answer.contains("rung"), "{answer}");
}

/// A trial tells the answer and its cost, or the error with the functions that were running; the world stays as it is.
#[test]
fn script_test_touches_nothing_and_tells_its_cost() {
    let mut shop = with_bell();
    let source = "script write bell = local M = {}\\nlocal function deep(x)\\n    return x.missing.more\\nend\\n\
                  function M.ring(event)\\n    return { lines = { 'harm 3' }, state = { rung = 1 }, notes = { 'rung' } }\\nend\\n\
                  function M.fails(event)\\n    local found = deep({})\\n    return { found }\\nend\\n\
                  function M.loops()\\n    while true do end\\nend\\nreturn M";
    shop.types_all("Bera", &[source]);
    shop.table.commit();
    let before = (shop.table.body("Bera").hp, shop.table.world().rooms.rows());
    let answer = shop.types("Bera", "script test bell ring twice");
    assert!(answer.contains("ring gives back one line. Nothing of it is done.\nharm 3"), "{answer}");
    assert!(
        answer.contains("Its state would be {\"rung\":1}.") && answer.contains("It notes: rung"),
        "{answer}"
    );
    assert!(
        answer.contains(" of 6000 steps, and ") && answer.contains(" of 131072 bytes of memory."),
        "{answer}"
    );
    assert_eq!(before, (shop.table.body("Bera").hp, shop.table.world().rooms.rows()));
    let answer = shop.types("Bera", "script test bell fails");
    assert!(answer.contains("scripts/bell.luau:3:1: the script fails: "), "{answer}");
    assert!(answer.contains("in deep, line 3, called by fails, line 9"), "{answer}");
    let answer = shop.types("Bera", "script test bell loops");
    assert!(answer.contains("bell.luau:13:1: the script takes more steps than it may"), "{answer}");
    assert!(answer.contains("It used 6000 of 6000 steps"), "{answer}");
    let answer = shop.types("Bera", "script test bell rung");
    assert!(
        answer.contains("no function `rung`") && answer.contains("Its functions: fails, loops and ring."),
        "{answer}"
    );
    assert!(shop.types("Bera", "script log bell").contains("has not failed or noted anything"));
    // While the builder writes, the lines so far are called.
    shop.types_all("Bera", &["script edit bell", ".replace 6 =     return { 'heal 2' }"]);
    assert!(shop.types("Bera", "/script test bell ring").contains("heal 2"));
    assert!(shop.types("Bera", "script limits").is_empty(), "it is a line of the text");
    shop.types("Bera", "cancel");
    assert!(shop.types("Bera", "script limits").contains("A call may take 6000 steps"));
}

/// Errors and notes of calls are kept in memory, as many as the limit says, and the author is told, wherever they are.
#[test]
fn errors_and_notes_are_logged_and_told_to_the_author() {
    let mut shop = with_bell();
    let source = "script write bell = local M = {}\\nfunction M.ring(event)\\n    if event.words == 'ring hard' then error('cracked') end\\n\
                  return { notes = { `rung by {event.who}` } }\\nend\\nreturn M";
    shop.types_all("Bera", &[source]);
    shop.types("Olad", "trigger say ring = call bell ring");
    shop.types("Bera", "south");
    shop.table.hears("Bera");
    shop.types("Olad", "say ring");
    let text = shop.table.hears("Bera");
    assert!(text.contains("The script bell notes: rung by Olad. script log bell tells all"), "{text}");
    shop.types("Olad", "say ring");
    assert_eq!(shop.table.hears("Bera"), "", "not each time");
    shop.types("Olad", "say ring hard");
    let text = shop.table.hears("Bera");
    assert!(
        text.contains("A script failed in") && text.contains("bell.luau:3:1: the script fails: cracked"),
        "{text}"
    );
    let log = shop.types("Bera", "script log bell");
    assert!(log.contains(", two times. Note: rung by Olad\n"), "{log}");
    assert!(
        log.contains("Error: scripts/bell.luau:3:1: the script fails: cracked, in ring, line 3"),
        "{log}"
    );
    for number in 0..30 {
        shop.types("Olad", &format!("say ring {number}"));
        shop.types("Olad", "say ring hard");
        shop.table.waits(Span::secs(70));
    }
    assert_eq!(shop.types("Bera", "script log bell").lines().count(), 20, "limits.script_log");
}

/// Undo and redo restore whole texts, and the journal tells the lines that changed.
#[test]
fn script_changes_are_undone_and_redone() {
    let mut shop = with_bell();
    let before = text(&shop).to_owned();
    shop.types_all("Bera", &["script edit bell", ".replace 3 =     return { 'harm 1' }", "."]);
    let after = text(&shop).to_owned();
    let answer = shop.types("Bera", "journal script bell 1");
    assert!(
        answer.contains("line 3 was:") && answer.contains("line 3 is:") && answer.contains("harm 1"),
        "{answer}"
    );
    shop.table.restart();
    shop.table.comes_back("Bera");
    shop.types("Bera", "undo");
    assert_eq!(text(&shop), before);
    assert!(shop.types("Bera", "script test bell ring hello").contains("tell You say hello."));
    shop.types("Bera", "redo");
    assert_eq!(text(&shop), after);
    shop.types("Bera", "destroy script bell");
    assert!(!shop.table.game().catalog().scripts.contains_key("bell"));
    shop.types("Bera", "undo");
    assert_eq!(text(&shop), after);
}

/// `examine` shows lines that write the script again, also one that is longer than a typed line.
#[test]
fn examine_shows_lines_that_write_the_script_again() {
    let long =
        format!("script write bell = local M = {{}}\\n{}return M", "    M.x = \"\\\\\\\\n\"\\n".repeat(30));
    for (line, line_bytes) in [(BELL, 4096), (&*long, 256)] {
        let mut config = seeded(5);
        config.limits.line_bytes = line_bytes;
        let mut shop = with_bell_in(config);
        shop.types_all("Bera", &[line]);
        let before = text(&shop).to_owned();
        let shown = shop.types("Bera", "examine script bell");
        assert!(shown.contains("Made by Bera") && shown.contains("Used by: nothing."), "{shown}");
        let (_, lines) = shown.split_once("To type it again:\n").expect("lines to type");
        shop.types("Bera", "destroy script bell");
        for line in lines.lines() {
            shop.types("Bera", line);
        }
        assert_eq!(text(&shop), before, "{shown}");
    }
}

/// Exported scripts are the same after an import into another world; a changed file is compared by its first line.
#[test]
fn scripts_are_exported_compared_and_imported() {
    let mut shop = with_bell();
    shop.types("Bera", "zone export made");
    assert_eq!(shop.made["scripts/bell.luau"], text(&shop));
    let mut other = Workshop::open();
    other.made = shop.made.clone();
    assert!(other.types("Olad", "zone import made").contains("one new"));
    assert_eq!((text(&other), other.digest()), (text(&shop), shop.digest()));
    other.made.get_mut("scripts/bell.luau").expect("it is there").push_str("-- more\n");
    let answer = other.types("Olad", "zone diff made");
    assert!(
        answer
            .contains("The script bell differs from line 6 on: nothing in the game, `-- more` in the file."),
        "{answer}"
    );
    other.made.insert("scripts/bell.luau".into(), "return {".into());
    let answer = other.types("Olad", "zone import made");
    assert!(answer.contains("scripts/bell.luau:1"), "{answer}");
    other.types("Olad", "undo");
    assert!(!other.table.game().catalog().scripts.contains_key("bell"));
}

/// Scripts in use stay; `find unused` lists the others, and `check` the calls of scripts and functions that are gone.
#[test]
fn uses_of_scripts_are_found_and_missing_scripts_are_reported() {
    let mut shop = with_bell();
    assert!(shop.types("Bera", "find unused").contains("The script bell comes nowhere."));
    let answer = shop.types("Bera", "find script bel");
    assert!(answer.contains("bell: used in zero rooms"), "{answer}");
    for line in
        ["zone new mill", "dig Mill = in, out", "in", "zone set mill", "trigger say ring = call bell ring"]
    {
        shop.types("Bera", line);
    }
    assert!(!shop.types("Bera", "find unused").contains("The script bell"));
    let answer = shop.types("Bera", "destroy script bell");
    assert!(answer.contains("The script bell stays, for it is used: Mill, room"), "{answer}");
    shop.types("Bera", "script write bell = return { rung = function() return {} end }");
    let answer = shop.types("Bera", "check mill");
    assert!(answer.contains("names ring, which is no function. Did you mean rung?"), "{answer}");
    // A file that is gone after a reload leaves the call without a script.
    let mut table = Table::with_content(
        seeded(5),
        &changed_content(&[("scripts/gong.luau", "return { ring = function() return {} end }")]),
    );
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all(
        "Olad",
        &[
            "north",
            "zone new mill",
            "dig Mill = in, out",
            "in",
            "zone set mill",
            "trigger say ring = call gong ring",
        ],
    );
    let askers = vec![table.session("Olad")];
    let content = Content(Arc::new(Catalog::load(BUILTIN).expect("the content has no mistakes")));
    table.step(Input::Content { askers, content });
    let answer = table.types("Olad", "check mill");
    assert!(answer.contains("names gong, which is no script"), "{answer}");
}

/// The argument of a script has the room, its exits and occupants, the time, and the quests of the target.
#[test]
fn script_gets_the_room_and_its_target_as_values() {
    let mut shop = with_bell();
    let source = "script write bell = local M = {}\\nfunction M.ring(e)\\n    local quest = e.quests.tails\\n    return {\\n        \
                `tell people {table.concat(e.people, \" and \")}, level {e.level}, party {e.party}, staff {tostring(e.staff)}`,\\n        \
                `tell exits {e.exits.south}, {e.exits.down}, night {tostring(e.time.night)}, {e.time.part}`,\\n        \
                `tell {e.creatures[1].key} {e.creatures[1].name}, lamps {tostring(e.items.clay_lamp)}`,\\n        \
                `tell quest {if quest then tostring(quest.active) else \"none\"}`,\\n    }\\nend\\nreturn M";
    shop.types_all("Bera", &["make quest tails = Tails", source]);
    shop.types_all(
        "Bera",
        &[
            "dig Cellar = down, up",
            "set down door = trapdoor",
            "spawn rat",
            "spawn clay_lamp",
            "trigger say hunt = start tails",
        ],
    );
    let answer = shop.types("Bera", "script test bell ring");
    for line in [
        "tell people Olad and Bera, level 1, party 1, staff true",
        "tell exits open, closed, night ",
        "tell rat ",
        "lamps 1",
        "tell quest none",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    shop.types("Bera", "say hunt");
    assert!(shop.types("Bera", "script test bell ring").contains("tell quest true"));
}
