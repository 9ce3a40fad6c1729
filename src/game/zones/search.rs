//! What builders look for: rooms and prototypes by what they are called and by what uses them, rooms to which nobody comes,
//! ways that are not whole, and what is used nowhere. Reads only, in the order of numbers and keys.

use super::check;
use crate::base::RoomId;
use crate::catalog::help::HelpTopic;
use crate::catalog::{DefinitionKind, Referent};
use crate::game::refusal::{DefinitionRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{founding, rehearsal};
use crate::text::{grammar, nearest};
use crate::world::{Room, Spawned};
use std::collections::{BTreeMap, BTreeSet};

/// Of those who use something so many are told to whoever would take it away.
const USERS_TOLD: usize = 6;

/// One thing that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Find {
    /// The room it is, or in which it is; none for what is content.
    pub(crate) room: Option<RoomId>,
    /// What there is to say of it; nothing of a room that was looked for itself.
    pub(crate) words: String,
}

impl Find {
    fn room(room: &Room) -> Self {
        Self { room: Some(room.id), words: String::new() }
    }

    fn in_room(room: &Room, words: impl Into<String>) -> Self {
        Self { room: Some(room.id), words: words.into() }
    }

    fn content(words: String) -> Self {
        Self { room: None, words }
    }
}

/// The hand-built rooms, by number.
fn rooms(turn: &Turn) -> impl Iterator<Item = &Room> {
    let ids: BTreeSet<RoomId> = turn.world.built_rooms().collect();
    ids.into_iter().map(|id| &turn.world.rooms[id])
}

/// Hand-built rooms that are meant.
pub(crate) fn rooms_that(turn: &Turn, is_meant: impl Fn(&Room) -> bool) -> Vec<Find> {
    rooms(turn).filter(|room| is_meant(room)).map(Find::room).collect()
}

/// The rooms that have some words in them, those with the words in their name first.
pub(crate) fn with_words(turn: &Turn, words: &str) -> Vec<Find> {
    let typed = words.to_lowercase();
    let says = |text: &String| text.to_lowercase().contains(&typed);
    let is_meant = |room: &Room| {
        let named =
            [&room.name, &room.area, &room.description].into_iter().chain(&room.aliases).chain(&room.tags);
        named.chain(room.details.keys()).any(says) || typed.trim_start_matches('#') == room.id.to_string()
    };
    let mut found = rooms_that(turn, is_meant);
    found.sort_by_key(|find| (!find.room.is_some_and(|room| says(&turn.world.rooms[room].name)), find.room));
    found
}

/// What builders call a kind of prototype.
pub(crate) const fn called(of: Referent) -> &'static str {
    match of {
        Referent::Mob => "creature",
        Referent::Item => "thing",
        Referent::Affect | Referent::Loot | Referent::Script => of.name(),
    }
}

/// Creatures or things by key or name, each with how it is used.
pub(crate) fn prototypes(turn: &Turn, of: Referent, words: &str) -> Vec<Find> {
    let typed = words.to_lowercase();
    let (uses, using, around) = (turn.catalog.uses(), rooms_using(turn), around(turn, of));
    let named = turn.catalog.keys(of).into_iter().filter_map(|key| Some((key, name_of(turn, of, key)?)));
    let meant = named.filter(|(key, name)| key.contains(&typed) || name.to_lowercase().contains(&typed));
    let found = meant.map(|(key, name)| {
        let of_content = uses.get(&(of, key)).map_or(0, BTreeSet::len);
        let of_rooms = using.get(&(of, key.to_owned())).copied().unwrap_or_default();
        let counted =
            |number: usize, noun| grammar::counted(u32::try_from(number).unwrap_or(u32::MAX), noun, None);
        let around = counted(around.get(key).copied().unwrap_or_default(), "time");
        let (rooms, files) = (counted(of_rooms, "room"), counted(of_content, "place"));
        Find::content(format!("{name}, {key}: used in {rooms} and in {files} of the content, there {around}"))
    });
    found.collect()
}

fn name_of(turn: &Turn, of: Referent, key: &str) -> Option<String> {
    match of {
        Referent::Mob => turn.catalog.mobs.get(key).map(|mob| mob.name.clone()),
        Referent::Item => turn.catalog.items.get(key).map(|item| item.name.clone()),
        Referent::Affect | Referent::Loot | Referent::Script => None,
    }
}

/// How many there are at this moment of each creature or thing, by key.
fn around(turn: &Turn, of: Referent) -> BTreeMap<&str, usize> {
    match of {
        Referent::Mob => count(turn.world.characters.iter().filter_map(|(_, body)| body.mob.as_deref())),
        Referent::Item => count(turn.world.items.iter().map(|(_, item)| item.prototype.as_str())),
        Referent::Affect | Referent::Loot | Referent::Script => BTreeMap::new(),
    }
}

/// How many rooms use each thing of content.
fn rooms_using(turn: &Turn) -> BTreeMap<(Referent, String), usize> {
    count(rooms(turn).flat_map(|room| names_of(turn, room)))
}

fn count<K: Ord>(all: impl Iterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counted = BTreeMap::new();
    all.for_each(|one| *counted.entry(one).or_default() += 1);
    counted
}

/// Everything of content that a room uses: what it sells, lays out and lets come, what opens its doors, and what stands in
/// its scripts.
fn names_of(turn: &Turn, room: &Room) -> BTreeSet<(Referent, String)> {
    let sold = room.stock.iter().chain(&room.supplies);
    let keys = turn.world.exits_of(room.id).filter_map(|exit| exit.door.as_ref()?.key.as_ref());
    let things = sold.chain(keys).map(|key| (Referent::Item, key.clone()));
    let spawned = room.spawns.iter().map(|rule| match &rule.what {
        Spawned::Creature(key) => (Referent::Mob, key.clone()),
        Spawned::Item(key) => (Referent::Item, key.clone()),
    });
    let mut names: BTreeSet<(Referent, String)> = things.chain(spawned).collect();
    for (_, script) in check::scripts(room) {
        let script = script.unwrap_or_default();
        names.extend(script.names().map(|(_, of, key)| (of, key.to_owned())));
    }
    names
}

/// Who uses something of the content, and where it is just now, in words, so that nobody takes it away unaware.
pub(crate) fn users(turn: &Turn, kind: DefinitionKind, key: &str) -> Vec<String> {
    match kind {
        DefinitionKind::Creature => users_of(turn, Referent::Mob, key),
        DefinitionKind::Thing => users_of(turn, Referent::Item, key),
        DefinitionKind::Help => {
            let leads = |topic: &&HelpTopic| topic.see.iter().any(|see| see == key);
            turn.catalog.help.topics().filter(leads).map(|topic| format!("the page {}", topic.key)).collect()
        }
        DefinitionKind::Theme => users_of_theme(turn, key),
    }
}

/// Themes that are like it, exits and start rooms that open branches of it, and branches that stand.
fn users_of_theme(turn: &Turn, key: &str) -> Vec<String> {
    let is_it = |theme: &Option<String>| theme.as_deref() == Some(key);
    let heirs = turn.catalog.heirs_of_theme(key).into_iter();
    let mut users: Vec<String> = heirs.map(|heir| format!("the theme {heir}")).collect();
    for room in rooms(turn) {
        let tasks = turn.world.start_tasks.get(room.id);
        let says = tasks.is_some_and(|tasks| is_it(&tasks.settings.exits.theme));
        if says || turn.world.exits_of(room.id).any(|exit| is_it(&exit.settings.theme)) {
            users.push(format!("{}, room {}", room.name, room.id));
        }
    }
    let branches = turn.world.branches.iter().filter(|(_, branch)| branch.theme == key).count();
    if branches > 0 {
        let number =
            grammar::counted(u32::try_from(branches).unwrap_or(u32::MAX), "branch", Some("branches"));
        users.push(number);
    }
    users
}

fn users_of(turn: &Turn, of: Referent, key: &str) -> Vec<String> {
    let named = (of, key.to_owned());
    let here = rooms(turn).filter(|room| names_of(turn, room).contains(&named));
    let mut users: Vec<String> = here.map(|room| format!("{}, room {}", room.name, room.id)).collect();
    users.extend(made_vaults_naming(turn, |named| named == (of, key)));
    users.extend(turn.catalog.naming().get(&(of, key)).into_iter().flatten().cloned());
    if let Some(around) = around(turn, of).get(key) {
        let number = grammar::number(u32::try_from(*around).unwrap_or(u32::MAX));
        users.push(format!("{number} of it in the world"));
    }
    users
}

/// The vaults made in the game that name something.
fn made_vaults_naming(turn: &Turn, is_meant: impl Fn((Referent, &str)) -> bool) -> Vec<String> {
    let vaults = turn.world.made_vaults().into_iter();
    let meant = vaults.filter(|(_, vault)| vault.names().any(&is_meant));
    meant.map(|(name, _)| format!("the vault {name}")).collect()
}

/// Refuses to take away what is used: by rooms, by other content, or because some of it is in the world. What a file says
/// besides is there all the same.
pub(crate) fn require_unused(turn: &Turn, kind: DefinitionKind, key: &str) -> Result<(), Refusal> {
    if turn.of_files.text_of_file(kind, key).is_some() {
        return Ok(());
    }
    let mut by = users(turn, kind, key);
    if by.is_empty() {
        return Ok(());
    }
    if by.len() > USERS_TOLD {
        let more = by.split_off(USERS_TOLD).len();
        by.push(format!("{more} more"));
    }
    let key = key.to_owned();
    Err(DefinitionRefusal::InUse { kind, key, by: grammar::list(&by) }.into())
}

/// The rooms that have to do with a creature, a thing or an affect, and then who has in the content.
pub(crate) fn uses_of(turn: &Turn, key: &str) -> Vec<Find> {
    let uses_it = |room: &Room| names_of(turn, room).iter().any(|(_, named)| named == key);
    let mut found = rooms_that(turn, uses_it);
    let uses = turn.catalog.uses();
    let of_content = uses.iter().filter(|((_, named), _)| *named == key).flat_map(|(_, by)| by).cloned();
    let mut by: BTreeSet<String> = of_content.collect();
    by.extend(made_vaults_naming(turn, |(_, named)| named == key));
    found.extend(by.iter().map(|by| Find::content(grammar::capitalise(by).into_owned())));
    found
}

/// What of content a key is nearest to, if it is none itself.
pub(crate) fn nearest_key(turn: &Turn, key: &str) -> Option<String> {
    let keys: Vec<&str> = Referent::ALL.into_iter().flat_map(|of| turn.catalog.keys(of)).collect();
    if keys.contains(&key) { None } else { nearest(key, keys).map(str::to_owned) }
}

/// Rooms that no exit leads to, and rooms out of which none leads.
pub(crate) fn orphans(turn: &Turn) -> Vec<Find> {
    let (town, entered) = (founding::town(turn), check::entered(turn));
    let amiss = |room: &Room| {
        let is_draft = rehearsal::draft_around(turn, room.id).is_some();
        let is_entered = room.id == town || is_draft || entered.contains(&room.id);
        match (is_entered, turn.world.exits_of(room.id).next().is_some()) {
            (true, true) => None,
            (false, true) => Some("no exit leads here"),
            (true, false) => Some("no exit leads out"),
            (false, false) => Some("no exit leads here, and none out"),
        }
    };
    rooms(turn).filter_map(|room| Some(Find::in_room(room, amiss(room)?))).collect()
}

/// Rooms to which nobody can walk from the town.
pub(crate) fn unlinked(turn: &Turn) -> Vec<Find> {
    let walkable = check::walkable(turn);
    rooms_that(turn, |room| rehearsal::draft_around(turn, room.id).is_none() && !walkable.contains(&room.id))
}

/// Exits that lead nowhere, and those of which no way leads back.
pub(crate) fn exits(turn: &Turn) -> Vec<Find> {
    let amiss = |room| check::ways_amiss(turn, room).into_iter();
    let found = rooms(turn).flat_map(|room| amiss(room).map(|(_, words)| Find::in_room(room, words)));
    found.map(|find| Find { words: find.words.trim_end_matches('.').to_owned(), ..find }).collect()
}

/// Creatures and things that are made and used nowhere, and details that no text of their room speaks of.
pub(crate) fn unused(turn: &Turn) -> Vec<Find> {
    let mut used: BTreeSet<(Referent, String)> =
        turn.catalog.uses().into_keys().map(|(of, key)| (of, key.to_owned())).collect();
    used.extend(rooms_using(turn).into_keys());
    for vault in turn.world.made_vaults().values() {
        used.extend(vault.names().map(|(of, key)| (of, key.to_owned())));
    }
    let bodies = turn.world.characters.iter().filter_map(|(_, body)| body.mob.clone());
    used.extend(bodies.map(|key| (Referent::Mob, key)));
    used.extend(turn.world.items.iter().map(|(_, item)| (Referent::Item, item.prototype.clone())));
    let is_made_by_rules =
        |key: &str| turn.catalog.items.get(key).is_some_and(|item| !item.class.lies_about());
    let mut found = Vec::new();
    for of in [Referent::Mob, Referent::Item] {
        let idle = turn.catalog.keys(of).into_iter().filter(|key| !used.contains(&(of, (*key).to_owned())));
        let idle = idle.filter(|key| of != Referent::Item || !is_made_by_rules(key));
        let told = idle.filter_map(|key| {
            let name = name_of(turn, of, key)?;
            Some(Find::content(format!("The {} {name}, {key}, comes nowhere", called(of))))
        });
        found.extend(told);
    }
    for room in rooms(turn) {
        let untold = room.details.keys().filter(|nouns| !is_told(turn, room, nouns));
        found.extend(untold.map(|nouns| {
            Find::in_room(room, format!("no text here speaks of {nouns}, behind which there is a detail"))
        }));
    }
    found
}

/// Whether something that players read in a room has one of the words behind which a detail stands.
fn is_told(turn: &Turn, room: &Room, nouns: &str) -> bool {
    let exits = turn.world.exits_of(room.id).flat_map(|exit| [&exit.name, &exit.description]);
    let others = room.details.iter().filter(|(other, _)| *other != nouns).map(|(_, text)| text);
    let scripts = room.on_enter.iter().chain(room.triggers.iter().flat_map(|trigger| &trigger.lines));
    let texts = [&room.name, &room.description].into_iter().chain(exits).chain(others).chain(scripts);
    let texts: Vec<String> = texts.map(|text| text.to_lowercase()).collect();
    let mut words = nouns.split(',').map(|noun| noun.trim().to_lowercase());
    words.any(|noun| texts.iter().any(|text| text.contains(&noun)))
}
