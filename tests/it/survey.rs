//! `check` and `find`: errors and warnings about built rooms, and search of rooms and definitions.

use crate::table::{Table, changed_content, seeded};
use crate::workshop::Workshop;
use deepwell::base::Span;

/// A mill with many errors; Olad is on the mill floor.
fn faulty_mill() -> Workshop {
    let mut shop = Workshop::with_mill();
    for line in [
        "spawn rat = 1",
        "set up door = hatch of planks",
        "set up key = brass_ring",
        "trigger say friend = if count stepz 3: open up; shut up",
        "trigger use bell = count steps; move #1",
        "dig Barn",
        "open slide = Barn",
        "trigger leave = move #3",
        "dig Cellar = trap",
        "trigger death = room It sighs.",
        "dig Attic:start = rope, rope",
    ] {
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("Type "), "{line}: {answer}");
    }
    shop
}

#[test]
fn zone_without_faults_has_no_findings() {
    let mut shop = Workshop::open();
    let answer = shop.types("Olad", "check town");
    assert!(answer.contains("There is nothing to say against the zone town."), "{answer}");
    assert!(shop.types("Olad", "check twon").contains("There is no zone twon. Did you mean town?"));
    assert!(shop.types("Olad", "check town two").contains("Type check"));
}

/// Each finding has its severity, its room and a suggestion.
#[test]
fn findings_have_severity_room_and_suggestion() {
    let mut shop = faulty_mill();
    let floor = shop.table.body("Olad").room;
    let answer = shop.types("Olad", "check");
    for finding in [
        &format!(
            "Doubt: Mill Floor, room {floor}: line 1 of the trigger say friend asks for stepz, which nothing here \
             counts. Did you mean steps?"
        )[..],
        "the exit slide leads to Barn, and no exit leads back.",
        "Barn, room ",
        "no exit leads out of here.",
        "nobody has said yet what one sees here.",
        "Attic, room ",
        "this start room has no branch exit, so nobody can go down here.",
        "the trigger death waits for a death where nobody fights.",
    ] {
        assert!(answer.contains(finding), "{finding}\n{answer}");
    }
    assert!(answer.starts_with("In the zone mill: no mistake and "), "{answer}");
}

/// References to removed content and deleted rooms are errors; errors are listed first.
#[test]
fn dangling_references_are_errors_and_listed_first() {
    let mut shop = faulty_mill();
    shop.types("Olad", "set up door = none");
    shop.types("Olad", "trigger use bell = if not has clay_lamp: move mill_loft");
    shop.types("Olad", "destroy mill loft");
    let answer = shop.types("Olad", "check mill");
    let first = answer.lines().nth(1).expect("a remark");
    assert!(first.starts_with("Mistake: Mill Floor"), "{answer}");
    assert!(answer.contains("the trigger say friend moves the door of up, where there is none."), "{answer}");
    assert!(answer.contains("line 1 of the trigger use bell leads to room "), "{answer}");
}

/// Long lists are paged, with the command for the next page; `check all` covers every zone of the builder.
#[test]
fn findings_are_paged() {
    let mut shop = Workshop::with_mill();
    for number in 0..15 {
        shop.types("Olad", &format!("dig Stall {number} = stall{number}"));
    }
    let first = shop.types("Olad", "check mill");
    assert!(first.ends_with("Type check mill 2 for the next."), "{first}");
    assert_eq!(first.lines().count(), 22, "{first}");
    let second = shop.types("Olad", "check mill 2");
    assert!(second.contains("Doubt: ") && second != first, "{second}");
    assert!(shop.types("Olad", "check mill 99").contains("There are no more pages than "));
    assert!(shop.types("Olad", "check all").starts_with("In all zones that you build in: "));
}

/// Rooms are found by tag, by kind, by what they use, and if unreachable.
#[test]
fn rooms_are_found_by_tag_kind_and_uses() {
    let mut shop = faulty_mill();
    shop.types("Olad", "tag here = harbour");
    shop.types("Olad", "trigger look rope = if has clay_lamp: affect poisoned");
    for (line, room) in [
        ("find tag harbour", "Mill Floor"),
        ("find kind start", "Wheel Pit"),
        ("find uses brass_ring", "Mill Loft"),
        ("find uses rat", "Mill Floor"),
        ("find uses clay_lamp", "Mill Floor"),
        ("find uses poisoned", "Mill Floor"),
        ("find mill door", "nothing"),
        ("find loft", "Mill Loft"),
    ] {
        let answer = shop.types("Olad", line);
        assert!(
            answer.contains(room) || (room == "nothing" && answer.contains("Nothing is called")),
            "{line}: {answer}"
        );
    }
    shop.types("Olad", "trigger leave = none");
    shop.types("Olad", "dig Island");
    let orphans = shop.types("Olad", "find orphans");
    assert!(orphans.contains("Island") && !orphans.contains("Mill Floor"), "{orphans}");
    shop.types("Olad", "goto island");
    shop.types("Olad", "dig Grove = path, path");
    let unlinked = shop.types("Olad", "find unlinked");
    assert!(unlinked.contains("Island") && unlinked.contains("Grove"), "{unlinked}");
    assert!(!unlinked.contains("Mill Floor"), "{unlinked}");
}

/// Incomplete exits, and rooms without exits, are listed with the fault, by room id.
#[test]
fn incomplete_exits_and_orphan_rooms_are_found() {
    let mut shop = faulty_mill();
    let exits = shop.types("Olad", "find exits");
    assert!(
        exits.contains("Mill Floor, room ")
            && exits.contains("in mill: the exit slide leads to Barn, and no exit leads back."),
        "{exits}"
    );
    assert!(!exits.contains("hatch"), "{exits}");
    let orphans = shop.types("Olad", "find orphans");
    assert!(orphans.contains("Barn, room ") && orphans.contains(": no exit leads out."), "{orphans}");
    shop.types("Olad", "dig Island");
    let orphans = shop.types("Olad", "find orphans");
    assert!(
        orphans.contains("Island") && orphans.contains(": no exit leads here, and none out."),
        "{orphans}"
    );
    let mut whole = Workshop::open();
    assert!(whole.types("Olad", "find orphans").contains("Some exit leads to every room"));
    assert!(whole.types("Olad", "find exits").contains("Every exit leads somewhere"));
}

/// Unused creature and item definitions are listed until used, and details until a text mentions them.
#[test]
fn unused_definitions_and_details_are_found() {
    let content = changed_content(&[(
        "mobs/idle.toml",
        "name = \"paper tiger\"\ndescription = \"It waits.\"\nhp = 3\nattack = 1\ndefence = 0\nxp = 1\nfirst_difficulty = 0\nweight = 1\nthreat = 1\nstrikes = [\"bites\"]\nbehaviours = []\ndeath = \"It folds.\"\n",
    )]);
    let mut table = Table::with_content(seeded(5), &content);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    let mut shop = Workshop::beside(table);
    shop.types("Olad", "dig Cellar = hatch, out");
    shop.types("Olad", "hatch");
    shop.types("Olad", "detail bucket = It has no bottom.");
    let answer = shop.types("Olad", "find unused");
    assert!(answer.contains("The creature paper tiger, idle, comes nowhere."), "{answer}");
    assert!(answer.contains("no text here speaks of bucket, behind which there is a detail."), "{answer}");
    for of_use in ["goblin", "rye_loaf", "old_key", "corpse", "gold_coin"] {
        assert!(!answer.contains(of_use), "{of_use}: {answer}");
    }
    shop.types("Olad", "describe here = A bucket stands on the floor.");
    shop.types("Olad", "trigger say tiger = spawn idle");
    let answer = shop.types("Olad", "find unused");
    assert!(!answer.contains("paper tiger") && !answer.contains("bucket"), "{answer}");
}

/// Creatures and items are found by name and key, with their uses in rooms and content.
#[test]
fn definitions_are_found_with_their_uses() {
    let mut shop = faulty_mill();
    let answer = shop.types("Olad", "find creature rat");
    assert!(answer.contains("rat, rat: used in one room and in "), "{answer}");
    assert!(shop.types("Olad", "find item lamp").contains("clay lamp, clay_lamp: used in "));
    assert!(shop.types("Olad", "find item nonsense").contains("No item is called \"nonsense\"."));
    assert!(shop.types("Olad", "find uses rat").contains("The theme "));
    assert!(shop.types("Olad", "find uses clay_lmp").contains("Did you mean clay_lamp?"));
}

/// A long list tells the number of remaining results and how to continue.
#[test]
fn search_results_are_paged() {
    let mut shop = Workshop::with_mill();
    for number in 0..40 {
        shop.types("Olad", &format!("dig Stall {number}"));
    }
    let first = shop.types("Olad", "find stall");
    assert_eq!(first.lines().count(), 31, "{first}");
    assert!(first.ends_with("And 10 more: put page 2 behind it, or say it with more words."), "{first}");
    let second = shop.types("Olad", "find stall page 2");
    assert_eq!(second.lines().count(), 10, "{second}");
    assert!(shop.types("Olad", "find orphans page 9").contains("There are no more pages than 2."));
}

/// Search commands, with and without results.
const SEARCHES: [&str; 12] = [
    "check",
    "check mill 2",
    "check all",
    "find loft",
    "find kind start",
    "find uses brass_ring",
    "find creature rat",
    "find orphans",
    "find unlinked",
    "find exits",
    "find unused",
    "find nothing of the sort",
];

/// In a world with more rooms than fit into `slice_work`, the answer comes after several steps and is the same.
#[test]
fn search_over_several_steps_gives_the_same_answer() {
    let mut shop = faulty_mill();
    shop.table.sit("Bera");
    let expected: Vec<String> = SEARCHES.iter().map(|line| shop.types("Olad", line)).collect();
    let mut config = seeded(1);
    config.limits.slice_work = 100;
    let (stored, now) = (shop.table.stored().clone(), shop.table.now());
    let mut table = Table::resume(config, stored, now);
    table.comes_back("Olad");
    table.comes_back("Bera");
    for (line, expected) in SEARCHES.iter().zip(expected) {
        let answer = table.types("Olad", line);
        assert!(answer.contains("the answer comes in a moment"), "{line}: {answer}");
        table.hears("Olad");
        assert!(!table.types("Bera", "look").is_empty(), "others play on");
        table.waits(Span::secs(1));
        let text = table.hears("Olad");
        assert!(text.contains(&expected), "{line}:\n{text}\ninstead of\n{expected}");
    }
}

/// Searches of several clients are interleaved, a new search replaces the client's previous one, and rooms deleted
/// during a search are left out.
#[test]
fn searches_are_interleaved_and_survive_changes() {
    let shop = faulty_mill();
    let mut config = seeded(1);
    config.limits.slice_work = 100;
    let mut table = Table::resume(config, shop.table.stored().clone(), shop.table.now());
    table.comes_back("Olad");
    table.types("Olad", "find exits");
    table.types("Olad", "find loft");
    table.types("Olad", "destroy mill loft");
    table.waits(Span::secs(1));
    let text = table.hears("Olad");
    assert!(text.contains("Nothing is called, tagged or described so: \"loft\"."), "{text}");
    table.types("Olad", "check");
    table.types("Olad", "quit");
    table.waits(Span::secs(1));
}

/// One missing exit gives one finding, for any number of rooms behind it.
#[test]
fn rooms_cut_off_by_one_missing_exit_are_one_finding() {
    let mut shop = Workshop::with_mill();
    for line in
        ["dig Annexe = annexe, out", "annexe", "dig Store = store, out", "dig Yard = yard, out", "out"]
    {
        shop.types("Olad", line);
    }
    let destroyed = shop.types("Olad", "destroy annexe");
    assert!(destroyed.contains("The exit annexe is gone."), "{destroyed}");
    let answer = shop.types("Olad", "check mill");
    let cut_off: Vec<&str> = answer.lines().filter(|line| line.contains("nobody can walk")).collect();
    assert_eq!(cut_off.len(), 1, "{answer}");
    assert!(cut_off[0].contains("Annexe") && cut_off[0].contains("the 2 rooms joined to it"), "{answer}");
}

/// Lines that make a definition of each kind that uses the variable `mill/NAME`, as a number above three.
const ASKING: [&[&str]; 7] = [
    &[
        "make dialogue asker = asker",
        "dialogue answer asker hello = So.",
        "dialogue if asker hello 1 = var mill/NAME > 3",
    ],
    &["make dialogue asker = asker", "dialogue do asker hello = set mill/NAME = many"],
    &["make quest asker = Asker", "set quest asker only_if = var mill/NAME > 3"],
    &[
        "make quest asker = Asker",
        "set quest asker steps = a condition = \"var mill/NAME > 3\", text = \"Wait.\"",
    ],
    &["make quest asker = Asker", "set quest asker lines = add mill/NAME 1"],
    &["make creature asker like rat = asker", "trigger creature asker greet = if var mill/NAME > 3: say Hm."],
    &["make item asker = asker", "trigger item asker use = if var mill/NAME > 3: tell Hm."],
];

/// A variable that no zone declares, or that is of another type, is found in every kind of definition, and one in use
/// is not removed.
#[test]
fn variables_of_every_kind_of_definition_are_checked() {
    for lines in ASKING {
        let mut shop = Workshop::with_mill();
        shop.types("Olad", "variable new bells = number of zone");
        shop.types("Olad", "variable new words = text of zone");
        let make = |shop: &mut Workshop, name: &str| {
            for line in lines {
                let answer = shop.types("Olad", &line.replace("NAME", name));
                assert!(!answer.contains("Type ") && !answer.contains("expected"), "{line}: {answer}");
            }
            shop.types("Olad", "check mill")
        };
        let answer = make(&mut shop, "bels");
        let missing = "asker names mill/bels, which no zone declares as a variable. Did you mean mill/bells?";
        assert!(answer.contains(missing) && answer.contains("Mistake: the "), "{lines:?}: {answer}");
        for _ in lines {
            shop.types("Olad", "undo");
        }
        assert!(!shop.types("Olad", "check mill").contains("asker"), "{lines:?}");
        let answer = make(&mut shop, "words");
        let is_plain = lines.iter().any(|line| line.contains("set mill/NAME = many"));
        assert_eq!(answer.contains("the variable mill/words is "), !is_plain, "{lines:?}: {answer}");
        let answer = shop.types("Olad", "variable remove words");
        assert!(
            answer.contains("words is used here: the ") && answer.contains(" asker"),
            "{lines:?}: {answer}"
        );
    }
}

/// A room that is not there is found in every kind of definition that names rooms.
#[test]
fn rooms_of_every_kind_of_definition_are_checked() {
    for lines in [
        &["make quest asker = Asker", "set quest asker steps = a reach = \"mill/flor\", text = \"Go.\""][..],
        &["make creature asker like rat = asker", "set creature asker patrol = mill/flor"],
        &["make item asker = asker", "trigger item asker use = move mill/flor"],
        &["make dialogue asker = asker", "dialogue do asker hello = move mill/flor"],
    ] {
        let mut shop = Workshop::with_mill();
        shop.types("Olad", "set here key = floor");
        for line in lines {
            shop.types("Olad", line);
        }
        let answer = shop.types("Olad", "check mill");
        let missing = "asker names the room mill/flor, which is not there. Did you mean mill/floor?";
        assert!(answer.contains(missing), "{lines:?}: {answer}");
    }
}

/// A key that a definition of any kind hands out can be obtained.
#[test]
fn keys_that_definitions_hand_out_can_be_come_by() {
    for lines in [
        &["make quest giver = Giver", "set quest giver items = vault_key"][..],
        &["make quest giver = Giver", "set quest giver lines = give vault_key"],
        &["make dialogue giver = giver", "dialogue do giver hello = give vault_key"],
        &["make creature giver like rat = giver", "trigger creature giver greet = give vault_key"],
        &[
            "make item giver = chest",
            "set item giver holds = 2",
            "set item giver class = container",
            "set item giver filled_with = vault_key",
        ],
    ] {
        let mut shop = Workshop::with_mill();
        for line in ["make item vault_key = vault key", "set up door = hatch", "set up key = vault_key"] {
            shop.types("Olad", line);
        }
        let doubt = "needs vault_key, which nobody can come by";
        assert!(shop.types("Olad", "check mill").contains(doubt));
        for line in lines {
            shop.types("Olad", line);
        }
        let answer = shop.types("Olad", "check mill");
        assert!(!answer.contains(doubt), "{lines:?}: {answer}");
    }
}

/// A step that waits for a script is found while no script of a definition or a room completes it.
#[test]
fn steps_that_no_script_completes_are_found() {
    let stuck = "The quest Asker, asker, waits at the step a for a script, and none ends it";
    let other = "make dialogue ender = ender";
    for lines in [
        &["trigger say done = advance asker a"][..],
        &["trigger say done = finish asker"],
        &[other, "dialogue do ender hello = advance asker a"],
        &["make creature ender like rat = ender", "trigger creature ender greet = advance asker a"],
    ] {
        let mut shop = Workshop::with_mill();
        shop.types("Olad", "make quest asker = Asker");
        shop.types("Olad", "set quest asker steps = a script = true, text = \"Wait.\"");
        let answer = shop.types("Olad", "find unused");
        assert!(answer.contains(stuck), "{answer}");
        for line in lines {
            shop.types("Olad", line);
        }
        let answer = shop.types("Olad", "find unused");
        assert!(!answer.contains(stuck), "{lines:?}: {answer}");
    }
}
