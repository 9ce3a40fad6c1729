//! Search for what is used nowhere: definitions, details that no text mentions, and steps of quests that nobody can do.

use super::check_definitions;
use crate::state::sweeps::{SearchResult, Sweep};
use crate::turn::Turn;
use deepwell_core::catalog::quest::Quest;
use deepwell_core::catalog::{Referent, draft_key};
use deepwell_core::world::Room;
use std::collections::BTreeSet;

/// Returns the details of a room whose nouns no text of the room mentions.
pub(super) fn untold(turn: &Turn, room: &Room) -> Vec<SearchResult> {
    let untold = room.sheet.details.keys().filter(|nouns| !is_told(turn, room, nouns));
    let sentence = |nouns: &String| format!("no text here speaks of {nouns}, behind which there is a detail");
    untold.map(|nouns| SearchResult::in_room(room, sentence(nouns))).collect()
}

/// Lists the creatures, items, dialogues, quests and scripts that are used nowhere, except items that rules create.
pub(super) fn unused(turn: &Turn, sweep: &Sweep) -> Vec<SearchResult> {
    let mut used: BTreeSet<(Referent, String)> =
        turn.catalog.uses().into_keys().map(|(of, key)| (of, key.to_owned())).collect();
    used.extend(sweep.using.keys().cloned());
    for vault in turn.world.meta().vaults_created_in_game().values() {
        used.extend(vault.names().map(|(of, key)| (of, key.to_owned())));
    }
    used.extend(sweep.around.keys().cloned());
    // The board offers errands.
    let errands = turn.catalog.quests.values().filter(|quest| quest.errand.is_some());
    used.extend(errands.map(|quest| (Referent::Quest, quest.key.clone())));
    let is_made_by_rules =
        |key: &str| turn.catalog.items.get(key).is_some_and(|item| !item.class.may_be_placed());
    let mut found = Vec::new();
    for of in [Referent::Creature, Referent::Item, Referent::Dialogue, Referent::Quest, Referent::Script] {
        // What a draft uses is only known when it is published.
        let keys = turn.catalog.keys(of).into_iter().filter(|key| draft_key::split(key).is_none());
        let idle = keys.filter(|key| !used.contains(&(of, (*key).to_owned())));
        let idle = idle.filter(|key| of != Referent::Item || !is_made_by_rules(key));
        let lines = idle.filter_map(|key| {
            let name = turn.catalog.name_of(of, key)?;
            let named = if of == Referent::Script { name.to_owned() } else { format!("{name}, {key},") };
            Some(SearchResult::content(format!("The {} {named} comes nowhere", of.name())))
        });
        found.extend(lines);
    }
    found.extend(impossible_steps(turn, sweep));
    found
}

/// Lists what the quests of the content ask for that no player can come by or do: creatures, items and dialogues that
/// appear nowhere else, rooms that do not exist, and steps that no script completes.
fn impossible_steps(turn: &Turn, sweep: &Sweep) -> Vec<SearchResult> {
    let uses = turn.catalog.uses();
    let is_quest = |by: &String| by.starts_with("the quest ");
    let given: BTreeSet<(Referent, &str)> = turn.catalog.quests.values().flat_map(Quest::gives).collect();
    let is_met = |of: Referent, key: &str| {
        let named = (of, key.to_owned());
        given.contains(&(of, key))
            || uses.get(&(of, key)).is_some_and(|users| !users.iter().all(is_quest))
            || sweep.using.contains_key(&named)
            || sweep.around.contains_key(&named)
    };
    let is_room = |name: &str| {
        name.split_once('/').is_some_and(|(zone, key)| turn.world.rooms.of_key(zone, key).is_some())
    };
    let stuck = check_definitions::stuck_steps(turn, &sweep.steps_done).into_iter();
    let mut found: Vec<SearchResult> = stuck
        .map(|(name, key, step)| {
            SearchResult::content(format!(
                "The quest {name}, {key}, waits at the step {step} for a script, and none ends it"
            ))
        })
        .collect();
    for quest in turn.catalog.quests.values().filter(|quest| draft_key::split(&quest.key).is_none()) {
        let goals = quest.goals().into_iter().filter(|(_, of, key)| !is_met(*of, key));
        let missing = goals.map(|(_, of, key)| format!("the {} {key}", of.name()));
        let rooms = quest.destinations().filter(|to| !is_room(to)).map(|to| format!("the room {to}"));
        found.extend(missing.chain(rooms).map(|what| {
            let (name, key) = (&quest.name, &quest.key);
            SearchResult::content(format!("The quest {name}, {key}, asks for {what}, which appears nowhere"))
        }));
    }
    found
}

/// Returns `true` if a text that players read in a room contains a noun of a detail.
fn is_told(turn: &Turn, room: &Room, nouns: &str) -> bool {
    let exits = turn.world.exits.of(room.id).flat_map(|exit| [&exit.name, &exit.description]);
    let others = room.sheet.details.iter().filter(|(other, _)| *other != nouns).map(|(_, text)| text);
    let scripts = room.triggers.iter().flat_map(|trigger| &trigger.lines);
    let texts =
        [&room.sheet.name, &room.sheet.description].into_iter().chain(exits).chain(others).chain(scripts);
    let texts: Vec<String> = texts.map(|text| text.to_lowercase()).collect();
    let mut nouns = nouns.split(',').map(|noun| noun.trim().to_lowercase());
    nouns.any(|noun| texts.iter().any(|text| text.contains(&noun)))
}
