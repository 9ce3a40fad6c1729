//! Tests that the report of an import is true: each script, quest and shop that it calls kept is in the output, and the
//! output has no others.

use crate::circle::tests::{assert_has, assert_loads, file, imported};
use crate::circle::*;
use deepwell_core::catalog::script::trigger::label;
use deepwell_core::catalog::{Area, AreaRoom};
use std::collections::BTreeMap;

/// Loads the files of an area with each kind of script, quest and shop.
macro_rules! forge {
    ($($name:literal),*) => {
        [$(AreaFile {
            name: $name.to_owned(),
            bytes: include_bytes!(concat!("../../../../../tests/data/circle/forge/", $name)).to_vec(),
        }),*]
    };
}

fn forge() -> Import {
    imported(&forge!("80.mob", "80.obj", "80.qst", "80.shp", "80.trg", "80.wld", "80.zon"))
}

fn zone(import: &Import) -> Area {
    let mut mistakes = Vec::new();
    let area = Area::parse("zones/weir.toml", file(import, "zones/weir.toml"), &mut mistakes);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    area.expect("a zone")
}

/// Returns the triggers of the output: owner and event, each with the numbers of their lines.
fn triggers_made(import: &Import) -> BTreeMap<(String, String), Vec<usize>> {
    let mut made = BTreeMap::<_, Vec<usize>>::new();
    let mut add = |owner: &str, on: &str, lines: usize| {
        made.entry((owner.to_owned(), on.to_owned())).or_default().push(lines);
    };
    for (path, text) in &import.files {
        let owner = path.trim_start_matches("content/").trim_end_matches(".toml");
        for part in text.split("\n[[triggers]]\n").skip(1) {
            let on = part.lines().next().unwrap_or_default();
            let on = on.trim_start_matches("on = \"").trim_end_matches('"');
            // Triggers of quests are told with them.
            let of_quest = part.contains("\"start ") || part.contains("takes it with a nod");
            if !of_quest {
                add(owner, on, part.lines().filter(|line| line.starts_with("  \"")).count());
            }
        }
    }
    let area = zone(import);
    let owner = |room: &AreaRoom| format!("weir/{}", room.key);
    for room in &area.rooms {
        for trigger in &room.triggers {
            let on = trigger.on.as_ref().map(|on| label("", on)).unwrap_or_default();
            add(&owner(room), &on, trigger.lines.script.lines().len());
        }
    }
    for lines in made.values_mut() {
        lines.sort_unstable();
    }
    made
}

/// Returns the triggers that the report calls kept, in the same form.
fn triggers_told(report: &ImportReport) -> BTreeMap<(String, String), Vec<usize>> {
    let mut reported = BTreeMap::<_, Vec<usize>>::new();
    for line in report.first(NoteKind::KeptScript, usize::MAX) {
        let (_, rest) = line.split_once('`').expect("an event");
        let (on, rest) = rest.split_once("` of ").expect("an owner");
        let (owner, count) = rest.rsplit_once(", ").expect("a number of lines");
        let number = count.split(' ').next().unwrap_or_default();
        let number = (1..=30_usize).find(|n| *grammar::number(*n) == *number || n.to_string() == number);
        reported.entry((owner.to_owned(), on.to_owned())).or_default().push(number.expect(count));
    }
    for lines in reported.values_mut() {
        lines.sort_unstable();
    }
    reported
}

#[test]
fn report_and_output_have_the_same_triggers() {
    let import = forge();
    assert_loads(&import);
    let (made, reported) = (triggers_made(&import), triggers_told(&import.report));
    assert_eq!(made, reported, "{}", import.report);
    assert_eq!(import.report.count(NoteKind::Mistake), 0, "{}", import.report);
    let events: Vec<&str> = made.keys().map(|(_, on)| on.split(' ').next().unwrap_or_default()).collect();
    for event in [
        "greet", "say", "receive", "killed", "hurt", "leave", "get", "drop", "wear", "enter", "command",
        "timer",
    ] {
        assert!(events.contains(&event), "{event}: {events:?}");
    }
}

#[test]
fn scripts_become_lines_of_triggers() {
    let import = forge();
    let smith = file(&import, "content/mobs/weir_smith.toml");
    assert_has(
        smith,
        &[
            "on = \"greet\"\nlines = [\n  \"if not chance 60%: stop\",\n  \"if not level 5: say Stay away from the fire, {player}.\",\n  \
             \"else if level 20: emote bows.\",\n  \"then tell The smith shows you {player.their} best hammer.\",\n  \
             \"else emote nods.\",\n]\n",
            "on = \"say work\"\nlines = [\n  \"alone\",\n  \"say There is always work.\",\n  \"wait 2\",\n  \
             \"others The smith looks {player} up and down.\",\n]\n",
            "on = \"say pay;money\"\nlines = [\n  \"say First the work.\",\n]\n",
            "on = \"receive weir_lump_of_coal\"\nlines = [\n  \"say That burns!\",\n  \"give weir_iron_horseshoe\",\n]\n",
            "on = \"killed\"\nlines = [\n  \"room The fire goes out.\",\n  \"item weir_forge_hammer\",\n]\n",
            "on = \"hurt 30\"\nlines = [\n  \"emote spits on the floor.\",\n  \"harm 10\",\n]\n",
            "on = \"receive coins\"\nlines = [\n  \"say Much obliged.\",\n]\n",
        ],
    );
    let zone = file(&import, "zones/weir.toml");
    assert_has(
        zone,
        &[
            "on = \"enter\"\nlines = [\n  \"tell It smells of coal.\",\n]\n",
            "on = \"command clang\"\nlines = [\n  \"alone\",\n  \"room A bell rings.\",\n  \"open east\",\n  \"wait 20s\",\n  \"shut east\",\n]\n",
            "on = \"say open the gate\"\nlines = [\n  \"move smithy\",\n]\n",
            "on = \"timer 26\"\nlines = [\n  \"if chance 33%: room The wind turns.\",\n]\n",
            "on = \"timer 130\"\nlines = [\n  \"if not here weir_soot_imp: stop\",\n  \"room A soot imp says, \\\"Soot. Soot everywhere.\\\"\",\n]\n",
            "on = \"command jab\"\nlines = [\n  \"if not here weir_soot_imp: stop\",\n  \"if level 4: room A soot imp bites.\",\n  \"then harm 3\",\n]\n",
        ],
    );
    assert_has(
        file(&import, "content/mobs/weir_soot_imp.toml"),
        &["on = \"leave\"\n", "emote hisses after {player.them}.\""],
    );
}

/// Lines that no trigger can say are named with file, line and reason.
#[test]
fn everything_left_out_is_reported_with_place_and_reason() {
    let import = forge();
    assert_has(
        &import.report.to_string(),
        &[
            "80.trg:25: script 8001, smith hears: `else` left out: no event stands for all other answers\n",
            "80.trg:62: script 8006, smith fights: left out: there is no event for FIGHT\n",
            "80.trg:82: script 8008, imp and the jab: `return 0` left out: a script does not forbid what set it off\n",
            "80.trg:84: script 8009, imp takes all: left out: there is no event for all commands\n",
            "`set count 1` left out: there is no line for it\n",
            "`while %count% < 3` left out: there are no loops and no switches; it goes with its commands\n",
            "`%force% %actor% dance` left out: there is no line for it\n",
            "script 8023, hammer is given: left out: there is no event for GIVE\n",
            "script 8030, of nobody: left out: nothing that was read has it\n",
            "80.wld:1: script 8099: left out: no .trg file has it\n",
        ],
    );
}

#[test]
fn report_and_output_have_the_same_quests() {
    let import = forge();
    let mut reported: Vec<String> = import
        .report
        .first(NoteKind::KeptQuest, usize::MAX)
        .iter()
        .filter_map(|line| Some(line.split_once(": quests/")?.1.split_once(',')?.0.to_owned()))
        .collect();
    reported.sort();
    let of_quest =
        |path: &String| Some(path.strip_prefix("content/quests/")?.strip_suffix(".toml")?.to_owned());
    let made: Vec<String> = import.files.iter().filter_map(|(path, _)| of_quest(path)).collect();
    assert_eq!(made, reported, "{}", import.report);
    assert_eq!(
        import.report.made(),
        "three rooms, two creatures, three items, one shop, 19 triggers and six quests"
    );
    assert_has(
        file(&import, "content/quests/weir_the_imps.toml"),
        &[
            "text = \"Kill the imps in the cellar. They eat the coal.\"\nonly_if = \"level 2 and not level 31\"\n\
             repeat = \"always\"\nlimit_secs = 1800\nexperience = 100\ncopper = 50\nitems = [\"weir_forge_hammer\"]\n\
             lines = [\"tell The smith grins.\", \"start weir_coal_for_the_smith\"]\n",
            "kill = \"weir_soot_imp\"\n",
            "count = 3\n",
        ],
    );
    assert_has(
        file(&import, "content/quests/weir_coal_for_the_smith.toml"),
        &[
            "only_if = \"not level 100 and quest weir_the_imps done\"\n",
            "give = \"weir_lump_of_coal\"\nto = \"weir_smith\"\n",
        ],
    );
    assert_has(
        file(&import, "content/quests/weir_a_lost_shoe.toml"),
        &["only_if = \"not level 100 and has weir_lump_of_coal\"\n", "fetch = "],
    );
    assert_has(file(&import, "content/quests/weir_the_cellar.toml"), &["reach = \"weir/coal_cellar\"\n"]);
    assert_has(
        file(&import, "content/quests/weir_find_the_imp.toml"),
        &["condition = \"here weir_soot_imp\"\n"],
    );
    assert_has(
        file(&import, "content/mobs/weir_smith.toml"),
        &["on = \"ask quest;the;imps\"\nlines = [\n  \"start weir_the_imps\",\n]\n"],
    );
    assert_has(
        &import.report.to_string(),
        &[
            "80.qst:1: quest 8000, The Imps: left out: 10 quest points, the text of giving it up\n",
            "quest 8004, Save the Smith: left out: no step asks for the rescue of a creature in a fight\n",
            "quest 8005, Find the Imp: the quest before it is left out: they need each other in a circle\n",
        ],
    );
}

#[test]
fn report_and_output_have_the_same_shop() {
    let import = forge();
    let lines = import.report.first(NoteKind::KeptShop, usize::MAX);
    assert_eq!(lines, ["80.shp:2: shop 8000: weir/smithy, three wares, two opening times, two offers"]);
    let area = zone(&import);
    let smithy = area.rooms.iter().find(|room| room.key == "smithy").expect("a shop");
    let shop = (smithy.shop.stock.len(), smithy.shop.open.len(), smithy.shop.buys.len());
    assert_eq!(shop, (3, 2, 2));
    assert_has(
        file(&import, "zones/weir.toml"),
        &[
            "stock = [\"weir_forge_hammer 60 copper x1\", \"weir_iron_horseshoe 13 copper\", \"weir_lump_of_coal 4 copper x2\"]\n",
            "buys = [\"40% weapon\", \"40% trinket\"]\n",
            "open = [\"8-12\", \"14-20\"]\n",
        ],
    );
    assert_has(&import.report.to_string(), &["it buys each trinket, for TRASH\n"]);
}
