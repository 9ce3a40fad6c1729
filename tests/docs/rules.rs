//! Design rules: docs/develop/rules.md states for each rule where a player meets it, and every such rule is tested over
//! sockets. The table of those tests at the end of the page is generated from their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{faults, generated};

const PAGE: &str = "docs/develop/rules.md";
/// Letters of the designs, each with its number of rules.
const DESIGNS: [(&str, u32); 6] = [("C", 6), ("E", 59), ("P", 31), ("T", 20), ("R", 25), ("H", 20)];
/// Folder of the tests whose names begin with the rules that they show.
const FOLDER: &str = "tests/live/rows/";
/// Prefix of the entry of a rule that no player can meet; the reason follows.
const NOT_MET: &str = "not met: ";
/// Socket tests in other folders that also show design rules.
const OTHER_TESTS: &[(&str, &str)] = &[
    ("E49", "acknowledged_changes_survive_sigkill"),
    ("E52", "e53_dungeon_is_built_with_six_commands"),
    ("E53", "e53_dungeon_is_built_with_six_commands"),
];
/// Markers around the table in the page.
const MARKS: [&str; 2] =
    ["<!-- tests over sockets: generated from tests/docs/rules.rs -->\n", "<!-- end of the tests -->\n"];

/// A rule by letter and number, which sort in the order of the page.
type Rule = (char, u32);

fn rule(id: &str) -> Option<Rule> {
    let letter = id.chars().next()?.to_ascii_uppercase();
    let number = id[1..].parse().ok()?;
    DESIGNS.iter().any(|(design, _)| design.starts_with(letter)).then_some((letter, number))
}

/// Parses the rules of a cell, such as "P8, P9" or "R7 to R9".
fn rules_of(cell: &str) -> Vec<Rule> {
    cell.split(", ")
        .flat_map(|part| match part.split_once(" to ") {
            Some((first, last)) => {
                let ends = (rule(first).expect("a rule"), rule(last).expect("a rule"));
                (ends.0.1..=ends.1.1).map(|number| (ends.0.0, number)).collect()
            }
            None => vec![rule(part).unwrap_or_else(|| panic!("{part} is no rule of a design"))],
        })
        .collect()
}

/// Returns the rules with which the name of a test begins, such as `e18_e21_exits_that_meet`.
fn rules_in_name(name: &str) -> Vec<Rule> {
    name.split('_').map_while(rule).collect()
}

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).expect("the page of rules")
}

/// Returns the place where a player meets each rule, from the tables with three columns.
fn places(page: &str) -> BTreeMap<Rule, String> {
    let mut places = BTreeMap::new();
    let mut is_design = false;
    for line in page.lines() {
        match line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) {
            Some(row) if row.starts_with("id | ") => is_design = row.ends_with("| where a player meets it"),
            Some(row) if is_design => {
                let (id, rest) = row.split_once(" | ").expect("three columns");
                let (_, place) = rest.rsplit_once(" | ").expect("three columns");
                for rule in rules_of(id) {
                    assert!(places.insert(rule, place.to_owned()).is_none(), "{rule:?} stands twice");
                }
            }
            _ => is_design &= line.starts_with("|---"),
        }
    }
    places
}

/// Returns the socket tests of each rule.
fn shown() -> BTreeMap<Rule, BTreeSet<String>> {
    let mut shown: BTreeMap<Rule, BTreeSet<String>> = BTreeMap::new();
    for (name, file) in faults::tests() {
        let file = file.unwrap_or_default();
        let beside = OTHER_TESTS.iter().filter(|(_, test)| *test == name).filter_map(|(id, _)| rule(id));
        let named = if file.starts_with(FOLDER) { rules_in_name(&name) } else { Vec::new() };
        for rule in named.into_iter().chain(beside) {
            assert!(file.starts_with("tests/live/"), "{name} in {file:?} is no test over sockets");
            shown.entry(rule).or_default().insert(format!("[{name}](../../{file})"));
        }
    }
    shown
}

fn name_of((letter, number): Rule) -> String {
    format!("{letter}{number}")
}

#[test]
fn every_design_rule_says_where_it_is_met() {
    let places = places(&page());
    let all: Vec<Rule> = DESIGNS
        .iter()
        .flat_map(|(design, count)| (1..=*count).filter_map(move |number| rule(&format!("{design}{number}"))))
        .collect();
    let missing: Vec<String> =
        all.iter().filter(|rule| !places.contains_key(rule)).copied().map(name_of).collect();
    assert!(missing.is_empty(), "{PAGE} does not say where these are met: {missing:?}");
    assert_eq!(places.len(), all.len(), "{PAGE} has a rule too many");
    for (rule, place) in places {
        let reason = place.strip_prefix(NOT_MET).unwrap_or(&place);
        assert!(reason.chars().any(char::is_alphabetic), "{}: {place:?}", name_of(rule));
    }
}

#[test]
fn every_met_rule_has_a_socket_test() {
    let (page, shown) = (page(), shown());
    let mut complaints = String::new();
    for (id, test) in OTHER_TESTS {
        let rule = rule(id).expect("a rule");
        if !shown
            .get(&rule)
            .is_some_and(|tests| tests.iter().any(|listed| listed.starts_with(&format!("[{test}]"))))
        {
            let _ = writeln!(complaints, "{id}: there is no test {test}");
        }
    }
    let places = places(&page);
    for (rule, place) in &places {
        let name = name_of(*rule);
        match (place.starts_with(NOT_MET), shown.contains_key(rule)) {
            (false, true) | (true, false) => {}
            (false, false) => _ = writeln!(complaints, "{name}: no test in {FOLDER} begins with it"),
            (true, true) => _ = writeln!(complaints, "{name}: is not met, but there is a test"),
        }
    }
    for rule in shown.keys().filter(|rule| !places.contains_key(rule)) {
        let _ = writeln!(complaints, "{}: a test shows it, and {PAGE} does not know it", name_of(*rule));
    }
    assert!(complaints.is_empty(), "\n{complaints}");

    let mut table = String::from("\n| rules | tests |\n|---|---|\n");
    let mut rows: Vec<(Vec<Rule>, String)> = Vec::new();
    for (rule, tests) in &shown {
        let tests = tests.iter().cloned().collect::<Vec<_>>().join("<br>");
        match rows.iter_mut().find(|(_, listed)| *listed == tests) {
            Some((rules, _)) => rules.push(*rule),
            None => rows.push((vec![*rule], tests)),
        }
    }
    for (rules, tests) in rows {
        let rules = rules.into_iter().map(name_of).collect::<Vec<_>>().join(", ");
        let _ = writeln!(table, "| {rules} | {tests} |");
    }
    table.push('\n');
    let (before, rest) = page.split_once(MARKS[0]).expect("the page has a place for the table");
    let (_, after) = rest.split_once(MARKS[1]).expect("the table ends");
    let wanted = [before, MARKS[0], &table, MARKS[1], after].concat();
    assert!(generated::is_up_to_date(PAGE, &wanted), "{PAGE} does not show the tests; {}", generated::HOW);
}

#[test]
fn rules_are_parsed_from_cells_and_names() {
    assert_eq!(rules_of("R7 to R9"), [('R', 7), ('R', 8), ('R', 9)]);
    assert_eq!(rules_of("P8, P9"), [('P', 8), ('P', 9)]);
    assert_eq!(rules_in_name("e18_e21_ways_that_meet_2"), [('E', 18), ('E', 21)]);
    assert!(rules_in_name("n6_any_bytes").is_empty());
    let page = "| id | rule | where a player meets it |\n|---|---|---|\n| E1 | a \\| b | `look` |\n\n| id | rule |\n|---|---|\n| D1 | c |\n";
    assert_eq!(places(page), BTreeMap::from([(('E', 1), "`look`".to_owned())]));
}
