//! Searches for builders: rooms and prototypes by name and by use, rooms without exits leading to them, broken exits,
//! and unused definitions. Read-only; results are ordered by number and key.

use super::{check, check_definitions, room_scripts, unused};
use crate::access::drafts;
use crate::building::built_rooms;
use crate::refusal::{Refusal, refuse};
pub(crate) use crate::state::sweeps::SearchResult;
use crate::state::sweeps::{Finds, SearchTarget, Sweep};
use crate::turn::Turn;
use deepwell_core::catalog::help::HelpTopic;
use deepwell_core::catalog::{DefinitionKind, Referent, draft_key};
use deepwell_core::text::{grammar, nearest};
use deepwell_core::world::{Room, Spawned};
use std::collections::BTreeSet;

/// Bytes of text whose search takes about as long as reading a row.
const BYTES_PER_WORK: usize = 128;

/// Maximum number of uses listed when a removal is refused.
const USERS_TOLD: usize = 6;

/// Returns the hand-built rooms, by number.
fn rooms(turn: &Turn) -> impl Iterator<Item = &Room> {
    turn.world.rooms.built_after(None).map(|id| &turn.world.rooms[id])
}

/// Checks a room against the search.
pub(super) fn look_at(turn: &Turn, sweep: &mut Sweep, room: &Room) {
    let is_meant = match &sweep.sought {
        SearchTarget::Words(phrase) => {
            let typed = phrase.to_lowercase();
            if room.sheet.name.to_lowercase().contains(&typed) {
                sweep.first.add(sweep.page, [SearchResult::room(room)]);
                return;
            }
            turn.world.note_work(room.sheet.description.len() / BYTES_PER_WORK);
            has_words(room, &typed)
        }
        SearchTarget::Tag(tag) => room.sheet.tags.contains(tag),
        SearchTarget::Kind(kind) => room.sheet.kind == *kind,
        SearchTarget::Uses(key) => uses(turn, room, None, key),
        SearchTarget::Unlinked => {
            drafts::draft_around(turn, room.id).is_none() && !sweep.walkable.contains(&room.id)
        }
        SearchTarget::Orphans => {
            let orphan = orphan(turn, sweep, room);
            sweep.found.add(sweep.page, orphan);
            return;
        }
        SearchTarget::Exits => {
            let amiss = check::exit_problems(turn, room).into_iter();
            let amiss = amiss.map(|(_, problem)| SearchResult::in_room(room, problem.trim_end_matches('.')));
            sweep.found.add(sweep.page, amiss);
            return;
        }
        SearchTarget::Prototypes(..) | SearchTarget::Unused => {
            for name in names_of(turn, room) {
                *sweep.using.entry(name).or_default() += 1;
            }
            if sweep.sought == SearchTarget::Unused {
                for script in room_scripts::scripts(turn, room).filter_map(|(_, script)| script) {
                    let done = check_definitions::steps_done(&script);
                    sweep
                        .steps_done
                        .extend(done.map(|(quest, step)| (quest.to_owned(), step.map(str::to_owned))));
                }
                sweep.found.add(sweep.page, unused::untold(turn, room));
            }
            return;
        }
        SearchTarget::Mistakes { .. } => false,
    };
    if is_meant {
        sweep.found.add(sweep.page, [SearchResult::room(room)]);
    }
}

/// Returns the results of a finished search up to the end of its page, and the number of all. Rooms deleted while the
/// search ran are left out; beyond the page they are still counted.
pub(crate) fn finish(turn: &Turn, mut sweep: Sweep) -> Finds {
    let (mut found, others) = (std::mem::take(&mut sweep.first), std::mem::take(&mut sweep.found));
    let page = sweep.page;
    match &sweep.sought {
        SearchTarget::Prototypes(of, phrase) => found.add(page, prototypes(turn, &sweep, *of, phrase)),
        SearchTarget::Unused => found.add(page, unused::unused(turn, &sweep)),
        _ => {}
    }
    found.kept.extend(others.kept);
    found.count += others.count;
    if let SearchTarget::Uses(key) = &sweep.sought {
        found.add(page, content_using(turn, key));
    }
    let kept = found.kept.len();
    found.kept.retain(|find| find.room.is_none_or(|room| turn.world.rooms.get(room).is_some()));
    found.count -= kept - found.kept.len();
    found
}

/// Returns `true` if a room has the typed words in its text or has the typed number.
fn has_words(room: &Room, typed: &str) -> bool {
    let says = |text: &String| text.to_lowercase().contains(typed);
    let named =
        [&room.area, &room.sheet.description].into_iter().chain(&room.sheet.aliases).chain(&room.sheet.tags);
    named.chain(room.sheet.details.keys()).any(says) || typed.trim_start_matches('#') == room.id.to_string()
}

/// Finds creatures or items by key or name, each with its number of uses.
fn prototypes(turn: &Turn, sweep: &Sweep, of: Referent, phrase: &str) -> Vec<SearchResult> {
    let typed = phrase.to_lowercase();
    let uses = turn.catalog.uses();
    let named =
        turn.catalog.keys(of).into_iter().filter_map(|key| Some((key, turn.catalog.name_of(of, key)?)));
    let meant = named.filter(|(key, name)| key.contains(&typed) || name.to_lowercase().contains(&typed));
    let found = meant.map(|(key, name)| {
        let of_content = uses.get(&(of, key)).map_or(0, BTreeSet::len);
        let of_rooms = sweep.using.get(&(of, key.to_owned())).copied().unwrap_or_default();
        let around = sweep.around.get(&(of, key.to_owned())).copied().unwrap_or_default();
        let around = grammar::counted(around, "time");
        let (rooms, files) = (grammar::counted(of_rooms, "room"), grammar::counted(of_content, "place"));
        let named = if of == Referent::Script { name.to_owned() } else { format!("{name}, {key}") };
        SearchResult::content(format!(
            "{named}: used in {rooms} and in {files} of the content, there {around}"
        ))
    });
    found.collect()
}

/// Counts the creatures or items of a kind in the world.
pub(crate) fn around(turn: &Turn, kind: DefinitionKind, key: &str) -> usize {
    match kind {
        DefinitionKind::Creature => {
            turn.world.characters.iter().filter(|(_, body)| body.prototype.as_deref() == Some(key)).count()
        }
        DefinitionKind::Item => turn.world.items.iter().filter(|(_, item)| item.prototype == key).count(),
        DefinitionKind::Help
        | DefinitionKind::Theme
        | DefinitionKind::Dialogue
        | DefinitionKind::Quest
        | DefinitionKind::Script => 0,
    }
}

/// Returns `true` if a room uses the content with the given key, of any kind if none is given. Scripts are parsed only
/// if a line contains the key.
fn uses(turn: &Turn, room: &Room, of: Option<Referent>, key: &str) -> bool {
    let doors = turn.world.exits.of(room.id).filter_map(|exit| exit.door.as_ref()?.key.as_deref());
    let spawned = room.spawns.iter().map(|rule| rule.what.key());
    let named = room.offered_items().chain(doors).chain(spawned).any(|named| named == key);
    let mut lines = room.triggers.iter().flat_map(|trigger| &trigger.lines);
    (named || lines.any(|line| line.contains(key)))
        && names_of(turn, room).iter().any(|(kind, named)| named == key && of.is_none_or(|of| of == *kind))
}

/// Returns all content used by a room: stock, supplies, spawns, keys of its doors, and names in its scripts.
pub(crate) fn names_of(turn: &Turn, room: &Room) -> BTreeSet<(Referent, String)> {
    let keys = turn.world.exits.of(room.id).filter_map(|exit| exit.door.as_ref()?.key.as_deref());
    let items = room.offered_items().chain(keys).map(|key| (Referent::Item, key.to_owned()));
    let spawned = room.spawns.iter().map(|rule| match &rule.what {
        Spawned::Creature(key) => (Referent::Creature, key.clone()),
        Spawned::Item(key) => (Referent::Item, key.clone()),
    });
    let mut names: BTreeSet<(Referent, String)> = items.chain(spawned).collect();
    for (_, script) in room_scripts::scripts(turn, room) {
        let script = script.unwrap_or_default();
        names.extend(script.names().map(|(_, of, key)| (of, key.to_owned())));
    }
    names
}

/// Treatment of existing creatures and items of a kind when its uses are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InWorld {
    /// Count as a use.
    Counts,
    /// Do not count, because they are removed with their kind.
    Ignored,
}

/// Lists the uses of a definition as text: rooms, other content, and existing instances.
pub(crate) fn users(turn: &Turn, kind: DefinitionKind, key: &str, in_world: InWorld) -> Vec<String> {
    match kind {
        DefinitionKind::Creature => users_of(turn, Referent::Creature, key, in_world),
        DefinitionKind::Item => users_of(turn, Referent::Item, key, in_world),
        DefinitionKind::Help => {
            let leads = |topic: &&HelpTopic| topic.see.iter().any(|see| see == key);
            turn.catalog.help.topics().filter(leads).map(|topic| format!("the page {}", topic.key)).collect()
        }
        DefinitionKind::Theme => users_of_theme(turn, key),
        DefinitionKind::Dialogue => users_of(turn, Referent::Dialogue, key, in_world),
        DefinitionKind::Quest => users_of(turn, Referent::Quest, key, in_world),
        DefinitionKind::Script => users_of(turn, Referent::Script, key, in_world),
    }
}

/// Returns a room as a user of content.
pub(crate) fn user_room(room: &Room) -> String {
    format!("{}, room {}", room.sheet.name, room.id)
}

/// Returns the uses of a theme: themes inheriting from it, exits and start rooms that open branches with it, and
/// existing branches.
fn users_of_theme(turn: &Turn, key: &str) -> Vec<String> {
    let is_it = |theme: &Option<String>| theme.as_deref() == Some(key);
    let heirs = turn.catalog.descendants_of_theme(key).into_iter();
    let mut users: Vec<String> = heirs.map(|heir| format!("the theme {heir}")).collect();
    for room in rooms(turn) {
        let tasks = turn.world.start_tasks.get(room.id);
        let says = tasks.is_some_and(|tasks| is_it(&tasks.settings.exits.theme));
        if says || turn.world.exits.of(room.id).any(|exit| is_it(&exit.settings.theme)) {
            users.push(user_room(room));
        }
    }
    let branches = turn.world.branches.iter().filter(|(_, branch)| branch.theme == key).count();
    if branches > 0 {
        let number = grammar::counted(branches, "branch");
        users.push(number);
    }
    users
}

fn users_of(turn: &Turn, of: Referent, key: &str, in_world: InWorld) -> Vec<String> {
    let here = rooms(turn).filter(|room| uses(turn, room, Some(of), key));
    let mut users: Vec<String> = here.map(user_room).collect();
    users.extend(made_vaults_naming(turn, |named| named == (of, key)));
    users.extend(turn.catalog.naming().get(&(of, key)).into_iter().flatten().cloned());
    if in_world == InWorld::Counts {
        let around = DefinitionKind::of(of).map_or(0, |kind| around(turn, kind, key));
        if around > 0 {
            users.push(format!("{} of it in the world", grammar::number(around)));
        }
    }
    users
}

/// Returns the vaults created in the game that name the given content.
fn made_vaults_naming(turn: &Turn, is_meant: impl Fn((Referent, &str)) -> bool) -> Vec<String> {
    let vaults = turn.world.meta().vaults_created_in_game().into_iter();
    let meant = vaults.filter(|(_, vault)| vault.names().any(&is_meant));
    meant.map(|(name, _)| format!("the vault {name}")).collect()
}

/// Returns an error if a definition in use is to be removed. Definitions that are also in a content file remain
/// available and are never refused.
pub(crate) fn require_unused(
    turn: &Turn,
    kind: DefinitionKind,
    key: &str,
    in_world: InWorld,
) -> Result<(), Refusal> {
    require_unused_after(turn, kind, key, in_world, &BTreeSet::new())
}

/// Returns an error as [`require_unused`], unless all uses are among those that are removed with the definition.
pub(crate) fn require_unused_after(
    turn: &Turn,
    kind: DefinitionKind,
    key: &str,
    in_world: InWorld,
    removed: &BTreeSet<String>,
) -> Result<(), Refusal> {
    if turn.of_files.text_of_file(kind, key).is_some() {
        return Ok(());
    }
    let mut by = users(turn, kind, key, in_world);
    by.retain(|user| !removed.contains(user));
    if by.is_empty() {
        return Ok(());
    }
    let by = by.iter().map(|user| draft_key::plain_text(user));
    let key = draft_key::described(key);
    Err(refuse!("The {} {key} stays, for it is used: {}.", kind.noun(), listed(by)))
}

/// Lists the first users of content, and the number of the others.
pub(crate) fn listed(users: impl IntoIterator<Item = String>) -> String {
    let mut by: Vec<String> = users.into_iter().collect();
    if by.len() > USERS_TOLD {
        let more = by.split_off(USERS_TOLD).len();
        by.push(format!("{more} more"));
    }
    grammar::list(&by)
}

/// Returns the content that uses a creature, an item or an affect.
fn content_using(turn: &Turn, key: &str) -> Vec<SearchResult> {
    let uses = turn.catalog.uses();
    let of_content = uses.iter().filter(|((_, named), _)| *named == key).flat_map(|(_, by)| by).cloned();
    let mut by: BTreeSet<String> = of_content.collect();
    by.extend(made_vaults_naming(turn, |(_, named)| named == key));
    by.iter().map(|by| SearchResult::content(grammar::capitalise(by).into_owned())).collect()
}

/// Returns the content key nearest to an unknown key; `None` if the key exists.
pub(crate) fn nearest_key(turn: &Turn, key: &str) -> Option<String> {
    let keys: Vec<&str> = Referent::ALL.into_iter().flat_map(|of| turn.catalog.keys(of)).collect();
    if keys.contains(&key) { None } else { nearest(key, keys).map(str::to_owned) }
}

/// Reports a room without exits leading to it, or without exits.
fn orphan(turn: &Turn, sweep: &Sweep, room: &Room) -> Option<SearchResult> {
    let is_draft = drafts::draft_around(turn, room.id).is_some();
    let is_entered = room.id == built_rooms::town(turn) || is_draft || sweep.entered.contains(&room.id);
    let amiss = match (is_entered, turn.world.exits.of(room.id).next().is_some()) {
        (true, true) => return None,
        (false, true) => "no exit leads here",
        (true, false) => "no exit leads out",
        (false, false) => "no exit leads here, and none out",
    };
    Some(SearchResult::in_room(room, amiss))
}
