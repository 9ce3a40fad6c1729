//! Solves a puzzle with screen-reader text only: visits every room, tries what the rooms mention, and returns to locked
//! doors. Used by `company`.

use crate::company::Company;
use crate::listener::{ExitSeen, PlayerMap, Spot, things};
use deepwell::base::Span;
use std::collections::BTreeSet;

/// Maximum number of moves before a puzzle is given up.
const MAX_MOVES: u32 = 120;

/// Nouns with an obvious action.
const LEVERS: [&str; 3] = ["lever", "crank", "chain"];
const CHESTS: [&str; 8] = ["chest", "box", "trunk", "casket", "bin", "coffin", "crate", "barrel"];

/// Enters the gate, solves the puzzle and leaves. Returns `false` if the text did not suffice.
pub(crate) fn solve_puzzle(company: &mut Company) -> bool {
    let answer = company.says("in");
    if !answer.contains("\nExits: ") {
        return false;
    }
    company.sheets.push(PlayerMap::default());
    company.says("help puzzles");
    company.says("goal");
    let mut visited: BTreeSet<Spot> = BTreeSet::new();
    let mut doors_tried: BTreeSet<Spot> = BTreeSet::new();
    company.says("look");
    for _ in 0..MAX_MOVES {
        let at = company.sheets.last().expect("a map").at;
        if company.has_solved() {
            break;
        }
        if visited.insert(at) {
            for thing in things(&company.room) {
                if try_actions(company, &thing) {
                    // The state has changed, so locked doors are tried again.
                    doors_tried.clear();
                }
            }
            fight_guards(company);
            company.records_exits();
        }
        if !next_move(company, &visited, &mut doors_tried) {
            break;
        }
    }
    let solved = company.has_solved();
    leave_puzzle(company) && solved
}

/// Moves one step towards an unvisited room, else towards a locked door. Returns `false` if there is neither.
fn next_move(company: &mut Company, visited: &BTreeSet<Spot>, doors_tried: &mut BTreeSet<Spot>) -> bool {
    let sheet = company.sheets.last().expect("a map");
    if let Some(door) = sheet.way(ExitSeen::KeyAtHand) {
        company.says(&format!("unlock {door}"));
        company.records_exits();
        return true;
    }
    let unseen = |spot: Spot| !visited.contains(&spot) && !sheet.rooms.contains_key(&spot);
    let shut = |spot: Spot| {
        let ways = sheet.rooms.get(&spot);
        !doors_tried.contains(&spot)
            && ways.is_some_and(|ways| ways.values().any(|way| *way == ExitSeen::Shut))
    };
    let steps = sheet.way_to(unseen).or_else(|| sheet.way_to(shut));
    let Some(steps) = steps else { return false };
    for name in steps {
        let answer = company.says(&name);
        if answer.contains("Exits: ") {
            company.sheets.last_mut().expect("a map").goes(&name);
        }
    }
    let at = company.sheets.last().expect("a map").at;
    if visited.contains(&at) {
        doors_tried.insert(at);
        company.records_exits();
    }
    true
}

/// Tries the action that a sentence suggests; returns `true` if it had an effect.
fn try_actions(company: &mut Company, sentence: &str) -> bool {
    let words: Vec<String> = sentence
        .split(|c: char| !c.is_alphabetic() && c != '-')
        .filter(|word| word.len() > 2)
        .map(str::to_lowercase)
        .collect();
    let known = |list: &[&str]| words.iter().find(|word| list.contains(&word.as_str())).cloned();
    if let Some(lever) = known(&LEVERS) {
        return has_effect(company, &format!("pull {lever}"));
    }
    if let Some(chest) = known(&CHESTS) {
        return has_effect(company, &format!("open {chest}"));
    }
    let plain = ["the", "this", "over", "and", "has", "one", "its", "are", "old", "here", "there", "finish"];
    let nouns = words.iter().filter(|word| !plain.contains(&word.as_str())).take(6);
    nouns.into_iter().any(|noun| has_effect(company, &format!("search {noun}")))
}

fn has_effect(company: &mut Company, line: &str) -> bool {
    let answer = company.says(line);
    !answer.contains("There is nothing like that") && !answer.contains("There is no ")
}

/// Fights creatures in the room, targeting each by the last word of its name.
fn fight_guards(company: &mut Company) {
    let room = company.room.clone();
    let is_creature = |line: &&str| line.starts_with("A ") || line.starts_with("An ");
    for line in room.lines().filter(is_creature) {
        let Some(name) = line.strip_suffix(" is here.") else { continue };
        let noun = name.split(' ').next_back().unwrap_or_default();
        if company.attacks(noun).is_some() {
            for _ in 0..40 {
                company.waits(Span::secs(3));
                if !company.first.fighting {
                    break;
                }
            }
        }
    }
}

/// Returns to the entrance and leaves by the gate.
fn leave_puzzle(company: &mut Company) -> bool {
    company.records_exits();
    let sheet = company.sheets.last().expect("a map");
    let Some(steps) = sheet.way_to(|spot| spot == Spot::default()) else { return false };
    for name in steps {
        company.says(&name);
    }
    let answer = company.says("out");
    company.sheets.pop();
    answer.contains("in leads to a puzzle")
}
