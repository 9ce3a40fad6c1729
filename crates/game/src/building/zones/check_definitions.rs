//! Check of definitions against the world: variables that no zone declares, keys that no player can come by, and steps
//! of quests that no script advances.

use super::{is_zone, room_called, room_scripts, rooms};
use crate::character::variables;
use crate::refusal::did_you_mean;
use crate::turn::Turn;
use deepwell_core::catalog::quest::QuestGoal;
use deepwell_core::catalog::script::ScriptDeed;
use deepwell_core::catalog::script::variable::VariableUse;
use deepwell_core::catalog::{Script, draft_key};
use deepwell_core::text::nearest;
use std::collections::BTreeSet;

/// Returns the references of definitions to rooms and variables that the zones do not have, or have as something else,
/// as sentences that begin in lower case. References to a zone that does not exist are reported for any zones.
pub(crate) fn mistakes(turn: &Turn, zones: &BTreeSet<String>) -> Vec<String> {
    let known = &turn.world.meta().zones;
    let is_meant = |zone: &str| zones.contains(zone) || !is_zone(turn, zone);
    let mut mistakes = BTreeSet::new();
    for (by, name) in turn.catalog.room_uses() {
        turn.world.note_work(1);
        let Some((zone, key)) = name.split_once('/') else { continue };
        if !is_meant(zone) || room_called(turn, zone, key).is_some() {
            continue;
        }
        let all: Vec<String> = turn
            .world
            .rooms
            .of_zone(zone)
            .map(|id| format!("{zone}/{}", turn.world.rooms[id].zone_key()))
            .collect();
        let meant = did_you_mean(nearest(&name, all.iter().map(String::as_str)));
        mistakes.insert(format!("{by} names the room {name}, which is not there.{meant}"));
    }
    for (by, _, of) in turn.catalog.variable_uses() {
        turn.world.note_work(1);
        let Some((zone, name)) = of.name().split_once('/') else { continue };
        if !is_meant(zone) {
            continue;
        }
        let Some(declaration) = variables::declaration(turn, of.name()) else {
            let all = known.iter().flat_map(|(zone, row)| {
                row.variables.keys().map(move |name| format!("{zone}/{name}")).collect::<Vec<_>>()
            });
            let all: Vec<String> = all.collect();
            let meant = did_you_mean(nearest(of.name(), all.iter().map(String::as_str)));
            mistakes
                .insert(format!("{by} names {zone}/{name}, which no zone declares as a variable.{meant}"));
            continue;
        };
        if let Some(mismatch) = of.mismatch(declaration.default.kind()) {
            mistakes.insert(format!("{by}: the variable {zone}/{name} {mismatch}."));
        }
    }
    mistakes.into_iter().collect()
}

/// Returns the rooms and definitions that use a variable, by zone and name.
pub(crate) fn variable_users(turn: &Turn, name: &str) -> BTreeSet<String> {
    let named = |of: VariableUse<'_>| of.name() == name;
    let mut users: BTreeSet<String> =
        turn.catalog.variable_uses().filter(|(.., of)| named(*of)).map(|(by, ..)| by).collect();
    for (key, vault) in turn.world.meta().vaults_created_in_game() {
        let mut scripts = vault.rooms.iter().flat_map(|room| room.content.scripts());
        if scripts.any(|script| script.variables().any(|(_, of)| named(of))) {
            users.insert(format!("the vault {key}"));
        }
    }
    let word = name.split_once('/').map_or(name, |(_, word)| word);
    for room in turn.world.meta().zones.keys().flat_map(|zone| rooms(turn, zone)) {
        turn.world.note_work(1);
        let is_it = |of: VariableUse<'_>| variables::full_name(turn, room.id, of.name()) == name;
        let asks = room.spawns.iter().filter_map(|rule| rule.bounds.only_if.as_ref());
        if asks.flat_map(|asked| asked.0.variables()).any(is_it) {
            users.insert(format!("a spawn of {}, room {}", room.sheet.name, room.id));
        }
        for (on, script) in room_scripts::scripts_with(turn, room, word) {
            if script.is_some_and(|script| script.variables().any(|(_, of)| is_it(of))) {
                users.insert(format!("the trigger {on} of {}, room {}", room.sheet.name, room.id));
            }
        }
    }
    users
}

/// Returns the keys of items that the definitions of the game hand out: loot, treasures, rewards, contents, what scripts
/// give, and what vaults contain.
pub(super) fn given_items(turn: &Turn) -> BTreeSet<String> {
    let catalog = &turn.catalog;
    let loot = catalog.loot.values().flat_map(|table| &table.items).map(|found| &found.item);
    let treasure = catalog.themes.values().flat_map(|theme| &theme.treasure);
    let rewards = catalog.quests.values().flat_map(|quest| &quest.items).map(|(_, key)| key);
    let contents = catalog.items.values().flat_map(|item| &item.filled_with);
    let laid = catalog.vaults.values().flat_map(|vault| &vault.rooms).flat_map(|room| &room.content.items);
    let mut given: BTreeSet<String> =
        loot.chain(treasure).chain(rewards).chain(contents).chain(laid).cloned().collect();
    for (.., script) in catalog.all_scripts() {
        given.extend(items_given(script).cloned());
    }
    for vault in turn.world.meta().vaults_created_in_game().values() {
        for content in vault.rooms.iter().map(|room| &room.content) {
            given.extend(content.items.iter().chain(content.scripts().flat_map(items_given)).cloned());
        }
    }
    given
}

/// Returns the keys of the items that a script hands out.
pub(super) fn items_given(script: &Script) -> impl Iterator<Item = &String> {
    script.lines().iter().filter_map(|line| match &line.deed {
        ScriptDeed::Give(_, key) | ScriptDeed::Item(key) => Some(key),
        _ => None,
    })
}

/// Returns the steps of quests that a script completes, each as the keys of quest and step, without step if it completes
/// the whole quest.
pub(super) fn steps_done(script: &Script) -> impl Iterator<Item = (&str, Option<&str>)> {
    script.lines().iter().filter_map(|line| match &line.deed {
        ScriptDeed::Advance(quest, step) => Some((quest.as_str(), Some(step.as_str()))),
        ScriptDeed::Finish(quest) => Some((quest.as_str(), None)),
        _ => None,
    })
}

/// Returns the steps that wait for a script and that neither a definition nor one of these steps completes, each as the
/// quest's name and key, and the key of the step.
pub(super) fn stuck_steps<'t>(
    turn: &'t Turn,
    done_in_rooms: &BTreeSet<(String, Option<String>)>,
) -> Vec<(&'t str, &'t str, &'t str)> {
    let catalog = &turn.catalog;
    let mut done = done_in_rooms.clone();
    let mut note = |script: &Script| {
        done.extend(steps_done(script).map(|(quest, step)| (quest.to_owned(), step.map(str::to_owned))));
    };
    catalog.all_scripts().for_each(|(.., script)| note(script));
    for vault in turn.world.meta().vaults_created_in_game().values() {
        vault.rooms.iter().flat_map(|room| room.content.scripts()).for_each(&mut note);
    }
    // A program may put its lines together, so it counts if it names both.
    let is_in_program = |quest: &str, step: &str| {
        catalog.scripts.values().any(|program| {
            program.source().contains(quest)
                && (program.source().contains(step) || program.source().contains("finish"))
        })
    };
    let mut stuck = Vec::new();
    for quest in catalog.quests.values().filter(|quest| draft_key::split(&quest.key).is_none()) {
        for step in quest.steps.iter().filter(|step| step.goal == Some(QuestGoal::Script)) {
            let ways = [Some(step.key.clone()), None];
            let is_done = ways.into_iter().any(|way| done.contains(&(quest.key.clone(), way)));
            if !is_done && !is_in_program(&quest.key, &step.key) {
                stuck.push((quest.name.as_str(), quest.key.as_str(), step.key.as_str()));
            }
        }
    }
    stuck
}
