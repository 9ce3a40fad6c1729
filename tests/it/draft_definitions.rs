//! Definitions in drafts of zones: what a draft changes is seen in the draft alone until it is published.

use crate::workshop::Workshop;
use deepwell::base::{Dice, Rng, Seed, Span};
use deepwell::catalog::DefinitionKind;
use std::collections::BTreeMap;

/// Lines that make definitions of each kind for the mill, and use them in its rooms.
const MADE: &[&str] = &[
    "make creature hare like rat = hare",
    "make item sieve = sieve",
    "make item crumb = crumb",
    "make quest grain = Grain",
    "make dialogue miller = miller",
    "dialogue answer miller hello = Give me work. leads to work",
    "dialogue do miller work = start grain",
    "make creature miller like rat = miller",
    "set creature miller dialogue = miller",
    "trigger creature miller greet = give sieve",
    "set quest grain steps = a kill = \"hare\", text = \"Drive it off.\"",
    "make script grind",
    "make help mill_rules = Mill rules",
    "make theme mill_deep like well = mill deep",
    "spawn hare = 1 every 60",
    "spawn miller = 1 every 60",
    "spawn sieve = 1 every 60",
    "trigger say grind = give crumb; call grind run",
];

/// Returns the mill with its definitions; Olad is on its floor.
pub(crate) fn mill() -> Workshop {
    let mut shop = Workshop::with_mill();
    shop.table.allows_any_work();
    types_all(&mut shop, MADE);
    shop.table.waits(Span::secs(61));
    shop
}

/// Types lines, none of which may be refused.
pub(crate) fn types_all(shop: &mut Workshop, lines: &[&str]) {
    for line in lines {
        let answer = shop.types("Olad", line);
        for no in ["There is no ", "Type ", "expected", "stays, for", "Nothing is changed", "unknown"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
}

/// Returns the mill with a draft; Olad is on the floor of the draft.
pub(crate) fn mill_with_draft() -> Workshop {
    let mut shop = mill();
    types_all(&mut shop, &["zone draft"]);
    assert_eq!(shop.table.room("Olad").area, "mill_draft");
    shop
}

/// Text and zone of a definition.
type Stored = (String, Option<String>);

/// Returns the texts of all definitions by kind and key, with their zones.
fn definitions(shop: &Workshop) -> BTreeMap<(DefinitionKind, String), Stored> {
    let rows = shop.table.world().definitions.iter();
    rows.map(|(_, row)| ((row.kind, row.key.clone()), (row.text.clone(), row.zone.clone()))).collect()
}

/// Returns the published definitions.
fn published(shop: &Workshop) -> BTreeMap<(DefinitionKind, String), Stored> {
    let rows = shop.table.world().definitions.iter().filter(|(_, row)| row.draft.is_none());
    rows.map(|(_, row)| ((row.kind, row.key.clone()), (row.text.clone(), row.zone.clone()))).collect()
}

/// Returns a change of the mill's definition of a kind, with the key and what the changed text contains.
pub(crate) fn change_of(kind: DefinitionKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        DefinitionKind::Creature => ("hare", "set creature hare hp = 77", "hp = 77"),
        DefinitionKind::Item => ("sieve", "describe item sieve = Worn thin.", "Worn thin."),
        DefinitionKind::Help => ("mill_rules", "describe help mill_rules = No shoes.", "No shoes."),
        DefinitionKind::Theme => ("mill_deep", "name theme mill_deep = flooded mill", "flooded mill"),
        DefinitionKind::Dialogue => ("miller", "dialogue say miller hello = Go away.", "Go away."),
        DefinitionKind::Quest => ("grain", "set quest grain text = Hares again.", "Hares again."),
        DefinitionKind::Script => (
            "grind",
            "script write grind = local M = {}\\nfunction M.run(event)\\n    return { \"tell Round.\" }\\nend\\nreturn M",
            "tell Round.",
        ),
    }
}

/// Of each kind: a change in a draft is seen there alone, is told before it is published, and can be undone at each step.
#[test]
fn change_of_each_kind_is_seen_in_the_draft_alone_until_published() {
    for kind in DefinitionKind::ALL {
        let mut shop = mill_with_draft();
        let before = published(&shop);
        let (key, line, says) = change_of(kind);
        let name = format!("{} {key}", kind.name());
        types_all(&mut shop, &[line]);
        assert_eq!(published(&shop), before, "{line}");
        let version = (kind, format!("mill_draft__{key}"));
        assert!(definitions(&shop).get(&version).is_some_and(|(text, _)| text.contains(says)), "{line}");
        if kind != DefinitionKind::Script {
            assert!(shop.types("Olad", &format!("examine {name}")).contains(says), "{line}");
        }
        let all = definitions(&shop);
        shop.table.restart();
        assert!(definitions(&shop) == all, "{line}");
        let answer = shop.types("Olad", "undo");
        assert_eq!(published(&shop), before, "undo of {line}");
        assert!(!definitions(&shop).contains_key(&version), "undo of {line}: {answer}");
        shop.types("Olad", "redo");
        assert!(definitions(&shop) == all, "redo of {line}");

        let answer = shop.types("Olad", "zone publish");
        let noun = format!("The {} {key}", kind.noun());
        assert!(answer.contains(&noun), "{line}: {answer}");
        shop.types("Olad", "zone publish now");
        let after = definitions(&shop);
        assert!(after[&(kind, key.to_owned())].0.contains(says), "{line}");
        assert_eq!(after.len(), before.len(), "{line}");
        let others = |all: &BTreeMap<(DefinitionKind, String), Stored>| {
            let mut all = all.clone();
            all.remove(&(kind, key.to_owned()));
            all
        };
        assert_eq!(others(&after), others(&before), "{line}");
        shop.types("Olad", "undo");
        assert!(definitions(&shop) == all, "undo of publishing {line}");
        shop.types("Olad", "redo");
        assert!(definitions(&shop) == after, "redo of publishing {line}");
        shop.table.restart();

        let mut shop = mill_with_draft();
        types_all(&mut shop, &[line, "zone discard now"]);
        assert!(definitions(&shop) == before, "discarding {line}");
        shop.types("Olad", "undo");
        assert!(definitions(&shop).contains_key(&version), "undo of discarding {line}");
        shop.table.restart();
    }
}

/// A definition of each kind that is made in a draft becomes one of the zone, or goes with the draft.
#[test]
fn definition_of_each_kind_made_in_a_draft_is_published_or_discarded_with_it() {
    for kind in DefinitionKind::ALL {
        let like = match kind {
            DefinitionKind::Theme => " like well",
            DefinitionKind::Creature
            | DefinitionKind::Item
            | DefinitionKind::Help
            | DefinitionKind::Dialogue
            | DefinitionKind::Quest
            | DefinitionKind::Script => "",
        };
        let command = format!("make {} novelty{like}", kind.name());
        let mut shop = mill_with_draft();
        let before = definitions(&shop);
        types_all(&mut shop, &[&command]);
        let answer = shop.types("Olad", "zone publish");
        assert!(answer.contains(&format!("The {} novelty is new.", kind.noun())), "{command}: {answer}");
        shop.types("Olad", "zone discard now");
        assert!(!definitions(&shop).contains_key(&(kind, "novelty".to_owned())), "{command}");
        shop.types("Olad", "undo");
        types_all(&mut shop, &["zone publish mill now"]);
        let mut after = definitions(&shop);
        let made = after.remove(&(kind, "novelty".to_owned())).expect("it is published");
        assert_eq!(made.1.as_deref(), Some("mill"), "{command}");
        let mut before = before;
        before.retain(|(_, key), _| !key.starts_with("mill_draft__"));
        assert_eq!(after, before, "{command}");
        shop.table.restart();
    }
}

/// A definition of each kind is removed in the draft alone, and everywhere once the draft is published.
#[test]
fn definition_of_each_kind_is_removed_by_publishing() {
    for kind in DefinitionKind::ALL {
        let mut shop = Workshop::with_mill();
        shop.table.allows_any_work();
        let like = if kind == DefinitionKind::Theme { " like well" } else { "" };
        types_all(&mut shop, &[&format!("make {} relic{like}", kind.name()), "zone draft"]);
        let named = (kind, "relic".to_owned());
        types_all(&mut shop, &[&format!("destroy {} relic", kind.name())]);
        assert!(definitions(&shop).contains_key(&named), "{named:?} is removed from the draft alone");
        let answer = shop.types("Olad", "zone publish");
        assert!(answer.contains(&format!("The {} relic is removed.", kind.noun())), "{answer}");
        shop.types("Olad", "zone publish now");
        assert!(!definitions(&shop).contains_key(&named), "{named:?}");
        shop.types("Olad", "undo");
        assert!(definitions(&shop).contains_key(&named), "{named:?}");
        shop.table.restart();
    }
}

/// The players in the draft meet its versions; the players of the zone meet those that are published. What players carry
/// out of the draft is of the published kind once the draft is gone.
#[test]
fn players_in_a_draft_meet_its_versions() {
    let mut shop = mill_with_draft();
    let lines = [
        "name creature hare = white hare",
        "dialogue say miller work = Mind the white one.",
        "name item crumb = golden crumb",
        "set quest grain text = The white one again.",
        "script write grind = local M = {}\\nfunction M.run(event)\\n    if event.carries.crumb then\\n        return { \"give sieve\" }\\n    end\\nend\\nreturn M",
        "name item sieve = golden sieve",
        "zone invite Bera",
    ];
    shop.table.sit("Bera");
    types_all(&mut shop, &lines);
    let around = |shop: &Workshop, zone: &str| {
        let world = shop.table.world();
        let floor = world.rooms.of_key(zone, "mill_floor").expect("the floor");
        let bodies = world.occupants(floor).iter().filter_map(|who| world.characters[*who].prototype.clone());
        let mut kinds: Vec<String> = bodies
            .chain(world.ground(floor).iter().map(|item| world.items[*item].prototype.clone()))
            .collect();
        kinds.sort();
        kinds
    };
    let versions = ["mill_draft__hare", "mill_draft__miller", "mill_draft__sieve"];
    assert_eq!(around(&shop, "mill_draft"), versions);
    assert_eq!(around(&shop, "mill"), ["hare", "miller", "sieve"]);
    for way in ["north", "in"] {
        shop.table.types("Bera", way);
    }
    let floor = shop.table.world().rooms.of_key("mill_draft", "mill_floor").expect("the floor");
    shop.table.types("Bera", "rehearse mill");
    assert_eq!(shop.table.room("Bera").id, floor);
    shop.table.types("Bera", "say grind");
    let answer = shop.table.types("Bera", "inventory");
    assert!(answer.contains("golden crumb") && answer.contains("golden sieve"), "{answer}");
    let answer = shop.table.types("Bera", "talk miller") + &shop.table.types("Bera", "1");
    assert!(answer.contains("Mind the white one."), "{answer}");
    let answer = shop.table.types("Bera", "quests") + &shop.table.types("Bera", "quest grain");
    assert!(answer.contains("The white one again."), "{answer}");
    let carried = |shop: &Workshop| {
        let world = shop.table.world();
        let bera = world.character_by_name("Bera").expect("Bera");
        let mut kinds: Vec<String> =
            world.carried(bera).iter().map(|item| world.items[*item].prototype.clone()).collect();
        kinds.retain(|kind| kind.contains("crumb") || kind.contains("sieve"));
        kinds.sort();
        (kinds, world.characters[bera].quests.keys().cloned().collect::<Vec<_>>())
    };
    let before = carried(&shop);
    assert!(before.0.contains(&"mill_draft__crumb".to_owned()), "{before:?}");
    assert_eq!(before.1, ["mill_draft__grain"]);
    types_all(&mut shop, &["zone discard now"]);
    let after = carried(&shop);
    assert!(
        after.0.contains(&"crumb".to_owned()) && !after.0.iter().any(|key| key.contains("draft")),
        "{after:?}"
    );
    assert_eq!(after.1.len(), 0, "what was done of a quest of the draft ends with it");
}

/// Lines that change content of the mill, on its floor.
fn any_line(dice: &mut Rng, number: usize) -> String {
    let creature = ["hare", "miller"][dice.up_to(1) as usize];
    let thing = ["sieve", "crumb"][dice.up_to(1) as usize];
    match dice.up_to(21) {
        0 => format!("set creature {creature} hp = {}", 5 + dice.up_to(8)),
        1 => format!("name creature {creature} = Odd {creature} {number}"),
        2 => format!("describe creature {creature} = It is number {number}."),
        3 => format!("trigger creature {creature} greet = give {thing}; set mill/heat = {number}"),
        4 => format!("describe item {thing} = It is number {number}."),
        5 => format!("trigger item {thing} use = tell Number {number}.; move mill/mill_loft"),
        6 => format!("dialogue say miller hello = It is number {number}."),
        7 => format!("dialogue answer miller hello = Number {number}? leads to work"),
        8 => format!("dialogue do miller work = start grain; give {thing}"),
        9 => format!("set quest grain text = Number {number}."),
        10 => format!("set quest grain steps = a kill = \"{creature}\", text = \"Number {number}.\""),
        11 => format!("set quest grain items = [\"{thing}\"]"),
        12 => format!("set quest grain steps = a reach = \"mill/mill_loft\", text = \"Number {number}.\""),
        13 => format!("describe help mill_rules = Rule {number}."),
        14 => format!("name theme mill_deep = deep {number}"),
        15 => format!(
            "script write grind = local M = {{}}\\nfunction M.run(event)\\n    return {{ \"give {thing}\", \"set mill/heat = {number}\" }}\\nend\\nreturn M"
        ),
        16 => format!("spawn {thing} = {} every 60", 1 + dice.up_to(2)),
        17 => format!("trigger say w{number} = if has {thing}: spawn {creature}; call grind run"),
        18 => format!("make item new{number} like {thing} = new {number}"),
        19 => format!("make creature new{number} like {creature} = new {number}"),
        20 => format!("describe here = It is number {number}."),
        _ => format!("set creature {creature} dialogue = miller"),
    }
}

/// Edits in a draft that is published do the same as edits of the zone; edits in a draft that is discarded do nothing.
#[test]
fn published_draft_equals_direct_edits_and_discarded_draft_changes_nothing() {
    for seed in 0..12 {
        let mut dice = Seed(seed).named("drafts").rng();
        let lines: Vec<String> = (0..14).map(|number| any_line(&mut dice, number)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let with_heat = || {
            let mut shop = mill();
            types_all(&mut shop, &["variable new heat = number of zone"]);
            shop
        };
        let mut direct = with_heat();
        types_all(&mut direct, &lines);
        let expected = (direct.exported("mill"), definitions(&direct));

        let mut shop = with_heat();
        let before = (shop.exported("mill"), definitions(&shop));
        types_all(&mut shop, &["zone draft"]);
        let first = definitions(&shop);
        let drafted = shop.table.world().journal.iter().filter(|(_, entry)| entry.undone.is_none()).count();
        types_all(&mut shop, &lines);
        shop.files.clear();
        assert_eq!(
            (shop.exported("mill"), published(&shop).len() >= before.1.len()),
            (before.0.clone(), true),
            "seed {seed}"
        );
        for (named, text) in &before.1 {
            assert_eq!(published(&shop).get(named), Some(text), "seed {seed}");
        }
        shop.table.restart();
        let edited = definitions(&shop);
        let entries = |shop: &Workshop| {
            shop.table.world().journal.iter().filter(|(_, entry)| entry.undone.is_none()).count()
        };
        let steps = entries(&shop) - drafted;
        for _ in 0..steps {
            types_all(&mut shop, &["undo"]);
        }
        assert_eq!(definitions(&shop), first, "seed {seed}: undo of {lines:#?}");
        for _ in 0..steps {
            types_all(&mut shop, &["redo"]);
        }
        assert_eq!(definitions(&shop), edited, "seed {seed}: redo of {lines:#?}");
        types_all(&mut shop, &["zone discard now"]);
        shop.files.clear();
        assert_eq!((shop.exported("mill"), definitions(&shop)), before, "seed {seed}");
        types_all(&mut shop, &["undo"]);
        let answer = shop.types("Olad", "zone publish mill now");
        shop.files.clear();
        assert_eq!(shop.exported("mill"), expected.0, "seed {seed}: {lines:#?}");
        for (named, text) in definitions(&shop) {
            assert_eq!(Some(&text), expected.1.get(&named), "seed {seed}, {named:?}: {answer}");
        }
        assert_eq!(definitions(&shop).len(), expected.1.len(), "seed {seed}");
        shop.table.restart();
        let answer = shop.types("Olad", "check all");
        assert!(!answer.contains("draft"), "{answer}");
    }
}

/// The page before a publication names both changes of a definition that has changed on both sides.
#[test]
fn publication_tells_of_definitions_that_have_changed_in_the_zone() {
    let mut shop = mill_with_draft();
    shop.table.sit("Bera");
    shop.table.types("Olad", "promote Bera builder");
    shop.table.types("Olad", "zone add Bera");
    types_all(&mut shop, &["set creature hare hp = 20"]);
    let answer = shop.types("Olad", "zone publish");
    assert!(!answer.contains("has changed in mill"), "{answer}");
    shop.types("Olad", "rehearse off");
    types_all(&mut shop, &["zone add Bera"]);
    shop.types("Bera", "set creature hare hp = 30");
    let answer = shop.types("Olad", "zone publish mill");
    for what in [
        "The creature hare, hp: 30 in mill, 20 in the draft.",
        "The creature hare has changed in mill since the draft changed it: by Bera, ",
        " in mill, and by Olad, ",
        "Publishing undoes the former.",
    ] {
        assert!(answer.contains(what), "{what}: {answer}");
    }
    shop.types("Olad", "zone publish mill now");
    assert!(definitions(&shop)[&(DefinitionKind::Creature, "hare".to_owned())].0.contains("hp = 20"));
}

/// A published definition that another zone uses cannot be removed by a draft, and what a draft has made cannot be discarded
/// while another zone uses it. All mistakes are told together, and nothing changes.
#[test]
fn definitions_in_use_elsewhere_hold_up_publishing_and_discarding() {
    let mut shop = mill_with_draft();
    types_all(&mut shop, &["make item newt = newt"]);
    let answer = shop.types("Olad", "destroy creature hare");
    assert!(
        answer.contains("The creature hare stays, for the draft uses it: the quest grain and Mill Floor"),
        "{answer}"
    );
    types_all(
        &mut shop,
        &["spawn hare = 0", "set quest grain steps = a reach = \"mill/mill_loft\", text = \"Go.\""],
    );
    types_all(&mut shop, &["destroy creature hare", "rehearse off", "goto Well Square"]);
    types_all(&mut shop, &["spawn hare = 1 every 600", "spawn newt = 1 every 600"]);
    let before = definitions(&shop);
    let answer = shop.types("Olad", "zone publish mill now");
    assert!(answer.contains("the creature hare is removed, and used by"), "{answer}");
    let answer = shop.types("Olad", "zone discard mill now");
    assert!(answer.contains("it was made in the draft, and is used by Well Square"), "{answer}");
    assert_eq!(definitions(&shop), before);
    types_all(&mut shop, &["spawn hare = 0", "spawn newt = 0"]);
    shop.types("Olad", "zone publish mill now");
    let after = definitions(&shop);
    assert!(!after.contains_key(&(DefinitionKind::Creature, "hare".to_owned())), "{after:?}");
    let hares =
        shop.table.world().characters.iter().filter(|(_, body)| body.prototype.as_deref() == Some("hare"));
    assert_eq!(hares.count(), 0, "they go with their kind");
}

/// Variables of a draft begin with the values of the zone, and change alone; publishing changes their declarations.
#[test]
fn variables_of_a_draft_begin_with_the_values_of_the_zone() {
    let mut shop = mill();
    let values = [
        "variable new heat = number of zone",
        "variable new damp = number of room",
        "variable new seen = number",
        "trigger say set = set heat = 5; set damp = 6; set seen = 7",
        "trigger say tell = tell heat {var:heat}, damp {var:damp}, seen {var:seen}",
        "trigger say add = add heat 1; add damp 1; add seen 1",
        "trigger say clear = clear seen",
    ];
    types_all(&mut shop, &values);
    shop.types("Olad", "say set");
    types_all(&mut shop, &["zone draft"]);
    let tells = |shop: &mut Workshop, what: &str| {
        let answer = shop.types("Olad", "say tell");
        assert!(answer.contains(what), "{what}: {answer}");
    };
    tells(&mut shop, "heat 5, damp 6, seen 7");
    shop.types("Olad", "say add");
    tells(&mut shop, "heat 6, damp 7, seen 8");
    shop.types("Olad", "say clear");
    tells(&mut shop, "seen 0");
    types_all(&mut shop, &["variable new cold = number of zone", "rehearse off"]);
    tells(&mut shop, "heat 5, damp 6, seen 7");
    types_all(&mut shop, &["zone publish mill now"]);
    tells(&mut shop, "heat 5, damp 6, seen 7");
    assert!(shop.table.world().meta().zones["mill"].variables.contains_key("cold"));
    shop.table.restart();
}

/// A page of help that a draft changes or makes is read in the draft alone.
#[test]
fn help_pages_of_a_draft_are_read_in_the_draft_alone() {
    let mut shop = mill_with_draft();
    shop.table.sit("Bera");
    types_all(&mut shop, &["describe help mill_rules = No shoes.", "make help mill_hours = Opening hours"]);
    assert!(shop.types("Olad", "help mill rules").contains("No shoes."));
    assert!(shop.types("Olad", "help mill_hours").contains("Nobody has written this page yet."));
    assert!(!shop.types("Bera", "help mill rules").contains("No shoes."));
    let answer = shop.types("Bera", "help mill_hours");
    assert!(answer.contains("There is no help"), "{answer}");
    for list in ["help", "help all"] {
        let answer = shop.types("Bera", list);
        assert!(!answer.contains("mill_hours") && !answer.contains("draft__"), "{answer}");
    }
}

/// Lists, exports and packages leave versions out, and the draft is named by the sheet of a version.
#[test]
fn versions_are_told_apart_from_published_definitions() {
    let mut shop = mill_with_draft();
    types_all(
        &mut shop,
        &[
            "set creature hare hp = 20",
            "dialogue say miller hello = Go.",
            "script write grind = return { run = function() return {} end }",
        ],
    );
    let answer = shop.types("Olad", "examine creature hare");
    assert!(answer.contains("Changed in the draft mill_draft by Olad"), "{answer}");
    assert!(!answer.contains("draft__"), "{answer}");
    let answer = shop.types("Olad", "examine here");
    assert!(answer.contains("spawn hare = 1 every 60") && !answer.contains("draft__"), "{answer}");
    let answer = shop.types("Olad", "zone used by mill_draft");
    assert!(answer.contains("The creature hare, changed in the draft alone."), "{answer}");
    assert!(shop.types("Olad", "zone pack mill_draft").contains("mill_draft is a draft of mill."));
    shop.types("Olad", "zone export mill_draft");
    assert!(!shop.files["mill_draft"].contains("draft__"), "{}", shop.files["mill_draft"]);
    let answer = shop.types("Olad", "zone diff mill_draft");
    assert!(answer.contains("say the same"), "{answer}");
    let answer = shop.types("Olad", "zone import mill_draft");
    assert!(answer.contains("zero rooms made"), "{answer}");
    shop.table.waits(Span::secs(70));
    shop.types("Olad", "zone export made");
    assert!(shop.made.keys().all(|path| !path.contains("draft")), "{:?}", shop.made.keys());
    shop.types("Olad", "rehearse off");
    for line in ["dialogue", "script list", "find unused", "check all", "zone used by mill"] {
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("draft__"), "{line}: {answer}");
    }
}
