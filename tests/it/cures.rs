//! Refusals that state the reason and the command to type instead, for builders and players.

use crate::table::{Table, seeded};
use deepwell::catalog::DefinitionKind;
use deepwell::data::edit;

/// Puts Olad, the owner, and Gesa, a player, into a cellar with an oak door in the north, an iron chest and a crate.
fn cellar() -> Table {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    table.make_owner("Olad");
    table.sit("Gesa");
    table.types_all(
        "Olad",
        &[
            "north",
            "dig cellar = hatch,out",
            "hatch",
            "dig vault = north,south",
            "set north door = oak door",
            "make item chest like cloth_sack = iron chest",
            "make item crate",
            "spawn chest",
            "spawn crate",
        ],
    );
    table.types_all("Gesa", &["north", "hatch"]);
    table.hears("Gesa");
    table
}

#[test]
fn open_refusal_names_the_item_the_reason_and_the_door() {
    let mut table = cellar();
    let bag = "The iron chest needs no opening: look in chest tells what is in it, and get all from chest takes it.";
    for (name, line, message) in [
        ("Gesa", "open chest", bag),
        ("Gesa", "close the chest", bag),
        ("Olad", "open chest", bag),
        ("Gesa", "open crate", "The crate neither opens nor closes."),
        ("Olad", "open crate", "set item crate holds = NUMBER"),
        ("Gesa", "open olad", "Olad neither opens nor closes."),
        ("Gesa", "open cupboard", "There is no \"cupboard\" here to open or to close."),
    ] {
        let answer = table.types(name, line);
        assert!(answer.contains(message), "{name}: {line}: {answer}");
        assert!(answer.contains("The oak door is north."), "{name}: {line}: {answer}");
    }
    let answer = table.types("Gesa", "open crate");
    assert!(!answer.contains("set item"), "only builders are told how to make it: {answer}");
    assert!(table.types("Olad", "open cupboard").contains("open EXIT = ROOM"));
    assert!(table.types("Gesa", "open door").contains("You open the oak door."));
    assert!(!table.types("Gesa", "look in chest").contains("There is no"));
    assert!(
        table.types("Olad", "open chest = #1").contains("You open the exit chest."),
        "an exit may be called so"
    );
}

#[test]
fn refused_field_lists_missing_and_valid_keys() {
    let mut table = cellar();
    for (field, missing) in
        [("class = container", "holds"), ("class = armour", "slot"), ("burst = 2", "range")]
    {
        let answer = table.types("Olad", &format!("set item crate {field}"));
        assert!(answer.contains(&format!("`{missing}` is missing")), "{answer}");
        assert!(answer.contains(&format!("Type set item crate {missing} = VALUE first.")), "{answer}");
    }
    table.types_all("Olad", &["set item crate holds = 3", "set item crate class = container"]);
    assert!(table.types("Olad", "examine item crate").contains("class = \"container\""));
    let answer = table.types("Olad", "set item crate holds = none");
    assert!(answer.contains("`holds` is missing") && !answer.contains("first"), "{answer}");
    let answer = table.types("Olad", "set item crate nonsense = 3");
    assert!(answer.contains("one of name, class, slot, affect, "), "{answer}");
}

/// Every field of a shipped theme that is longer than the line limit can be set on a copy by typing the lines that
/// `examine` shows.
#[test]
fn long_theme_fields_can_be_retyped_from_examine() {
    let mut table = cellar();
    let limits = &seeded(5).limits;
    let (line_most, text_most) = (limits.line_bytes as usize, limits.definition_bytes as usize - 200);
    let catalog = std::sync::Arc::clone(table.game().catalog());
    let mut long = 0;
    for theme in catalog.themes.keys() {
        let text = catalog.text_of_file(DefinitionKind::Theme, theme).expect("a file");
        for (field, value) in edit::fields(text).expect("it is TOML") {
            let written = edit::written(&value);
            if !(line_most..text_most).contains(&written.len()) {
                continue;
            }
            long += 1;
            table.types("Olad", &format!("make theme pit like {theme}"));
            let answer = table.types("Olad", &format!("set theme pit {field} = {written}"));
            assert!(answer.contains(&format!("{field} is ")), "{theme} {field}: {answer}");
            let made = |table: &Table| {
                table.world().definitions.find(DefinitionKind::Theme, "pit").expect("it is made").text.clone()
            };
            let before = made(&table);
            let shown = table.types("Olad", "examine theme pit");
            let (_, lines) = shown.split_once("To type it again:\n").expect("lines to type");
            table.types("Olad", "destroy theme pit");
            for line in lines.lines() {
                assert!(line.len() <= line_most, "{theme} {field}: {} bytes", line.len());
                table.types("Olad", line);
            }
            assert_eq!(made(&table), before, "{theme} {field}");
            table.types("Olad", "destroy theme pit");
        }
    }
    assert!(long >= 5, "only {long} long fields");
}

#[test]
fn multi_line_field_can_be_entered_or_discarded() {
    let mut table = cellar();
    table.types("Olad", "make creature mill_rat like rat");
    let answer = table.types("Olad", "set creature mill_rat nonsense");
    assert!(answer.contains("unknown key `nonsense`"), "{answer}");
    assert!(table.types("Olad", "set creature mill_rat strikes").contains("Write it line by line"));
    table.types_all("Olad", &["[\"bites\",", "\"claws", "at\"]", "."]);
    let answer = table.types("Olad", "examine creature mill_rat");
    assert!(answer.contains("strikes = [\"bites\", \"claws at\"]"), "{answer}");
    table.types_all("Olad", &["set creature mill_rat strikes", "[\"nips\"]", "~"]);
    assert!(!table.types("Olad", "examine creature mill_rat").contains("nips"));
}

#[test]
fn audit_lines_are_cut_to_the_line_limit() {
    let mut table = cellar();
    table.types_all("Olad", &["make theme pit like well", "set theme pit omens", "["]);
    let omen = format!("\"{}.\",", "The way {exit} is dark ".repeat(20));
    (0..20).for_each(|_| _ = table.types("Olad", &omen));
    table.types_all("Olad", &["]", "."]);
    let most = seeded(5).limits.line_bytes as usize;
    let lines: Vec<usize> = table
        .stored()
        .audit
        .values()
        .filter(|row| row.action.starts_with("set theme"))
        .map(|row| row.action.len())
        .collect();
    assert!(lines.iter().any(|length| *length > most / 2), "{lines:?}");
    assert!(lines.iter().all(|length| *length <= most), "{lines:?}");
}
