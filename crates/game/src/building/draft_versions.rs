//! Versions of definitions that belong to drafts of zones. The row of a version has the key of the draft before that of the
//! definition, and the text that is published. In the content, its references lead to the versions, rooms and variables of
//! the draft, as those in the rooms of the draft do.

use crate::access::draft_names::{draft_at, key_in, renaming};
use crate::building::definitions::{self, DefinitionChanges};
use crate::building::draft_content::{digest, zone_before};
use crate::building::zones::search;
use crate::building::{pace, renamed_rows, zones};
use crate::refusal::{Refusal, refuse};
use crate::state::file_work::FileWork;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, ItemId, RoomId};
use deepwell_core::catalog::{Area, DefinitionKind, Referent, Renaming, draft_key};
use deepwell_core::world::{Definition, QuestProgress, RemovedDefinition, VariableOwner};
use std::collections::{BTreeMap, BTreeSet};

/// Kind and key of a definition.
pub(crate) type Named = (DefinitionKind, String);

/// Returns a text of a definition as it is published.
fn published_text(turn: &Turn, draft: &str, text: &str) -> String {
    draft_key::published_text(text, draft, zone_before(turn, draft))
}

/// Returns the definitions of which a draft needs versions if it gets versions of the given ones: they refer to them. Pages,
/// themes and scripts refer to nothing that has to follow, and definitions of other zones are shared.
fn with_users(turn: &Turn, draft: &str, roots: BTreeSet<Named>) -> BTreeSet<Named> {
    let zone = zone_before(turn, draft);
    let (mut all, mut new) = (roots.clone(), roots);
    let candidates = candidates(turn, draft);
    while !new.is_empty() {
        let keys: Vec<String> = new.iter().map(|(_, key)| key.clone()).collect();
        let mut renaming = Renaming::into_draft(&Area::empty(zone), draft);
        for (kind, key) in &new {
            renaming.add_definition(*kind, key);
        }
        new = users(&candidates, &renaming, |text| keys.iter().any(|key| text.contains(key.as_str())));
        new.retain(|named| !all.contains(named));
        all.extend(new.iter().cloned());
    }
    all
}

/// Returns the definitions that name rooms or variables of a zone.
fn naming_places(turn: &Turn, draft: &str) -> BTreeSet<Named> {
    let zone = zone_before(turn, draft);
    let sign = format!("{zone}/");
    let renaming = Renaming::into_draft(&Area::empty(zone), draft);
    users(&candidates(turn, draft), &renaming, |text| text.contains(&sign))
}

fn users(
    candidates: &BTreeMap<Named, &str>,
    renaming: &Renaming,
    may_be: impl Fn(&str) -> bool,
) -> BTreeSet<Named> {
    let meant = candidates.iter().filter(|(_, text)| may_be(text));
    let meant = meant.filter(|((kind, _), text)| renaming.definition(*kind, text) != ***text);
    meant.map(|(named, _)| named.clone()).collect()
}

/// Returns the published definitions that a draft may have to follow with versions, and has not yet.
fn candidates<'t>(turn: &'t Turn, draft: &str) -> BTreeMap<Named, &'t str> {
    let zone = zone_before(turn, draft);
    let mut found = BTreeMap::new();
    for kind in DefinitionKind::ALL {
        let follows = match kind {
            DefinitionKind::Creature
            | DefinitionKind::Item
            | DefinitionKind::Dialogue
            | DefinitionKind::Quest => true,
            DefinitionKind::Help | DefinitionKind::Theme | DefinitionKind::Script => false,
        };
        for key in turn.catalog.defined(kind).into_iter().filter(|_| follows) {
            let row = turn.world.definitions.find(kind, key);
            let is_shared =
                row.is_some_and(|row| row.draft.is_some() || row.zone.as_ref().is_some_and(|of| of != zone));
            let has_version = || turn.world.definitions.find(kind, &draft_key::join(draft, key)).is_some();
            if draft_key::split(key).is_none() && !is_shared && !has_version() {
                let text = definitions::text_of(turn, kind, key);
                found.extend(text.map(|text| ((kind, key.to_owned()), text)));
            }
        }
    }
    turn.world.note_work(found.len());
    found
}

/// Changes definitions in a draft: published ones get versions there, and so do those that refer to them.
pub(crate) fn write(
    turn: &mut Turn,
    author: Option<AccountId>,
    draft: &str,
    texts: BTreeMap<Named, Option<String>>,
) -> Result<(), Refusal> {
    let is_version = |(_, key): &Named| draft_key::split(key).is_some();
    let is_published = |(kind, key): &Named| {
        let row = turn.world.definitions.find(*kind, key);
        definitions::text_of(turn, *kind, key).is_some() && row.is_none_or(|row| row.draft.is_none())
    };
    let roots: BTreeSet<Named> =
        texts.keys().filter(|named| !is_version(named) && is_published(named)).cloned().collect();
    let versions = if roots.is_empty() { roots } else { with_users(turn, draft, roots) };
    let mut changes = DefinitionChanges::new();
    for (named, text) in texts {
        let text = text.map(|text| published_text(turn, draft, &text));
        let key = if versions.contains(&named) { draft_key::join(draft, &named.1) } else { named.1 };
        changes.insert((named.0, key), text);
    }
    for named in &versions {
        let text = definitions::text_of(turn, named.0, &named.1).map(str::to_owned);
        changes.entry((named.0, draft_key::join(draft, &named.1))).or_insert(text);
    }
    definitions::write_in(turn, author, Some(draft), &changes)?;
    if !versions.is_empty() {
        localise_rooms(turn, draft);
    }
    Ok(())
}

/// Returns the definitions of which a new draft has versions from the beginning: those that name rooms or variables of its
/// zone, and those that refer to them.
pub(crate) fn first_versions(turn: &Turn, draft: &str) -> BTreeSet<Named> {
    with_users(turn, draft, naming_places(turn, draft))
}

/// Gives a new draft its first versions of definitions, and the values that the variables of its zone have.
pub(crate) fn begin(turn: &mut Turn, author: Option<AccountId>, draft: &str) -> Result<(), Refusal> {
    let versions = first_versions(turn, draft);
    let mut changes = DefinitionChanges::new();
    for (kind, key) in &versions {
        let text = definitions::text_of(turn, *kind, key).map(str::to_owned);
        changes.insert((*kind, draft_key::join(draft, key)), text);
    }
    if !changes.is_empty() {
        definitions::write(turn, author, &changes)?;
        localise_rooms(turn, draft);
    }
    copy_values(turn, draft);
    Ok(())
}

/// Copies the values that variables of the zone of a draft have.
fn copy_values(turn: &mut Turn, draft: &str) {
    copy(turn, draft, VariableOwner::Zone, VariableOwner::Zone);
    for room in turn.world.rooms.of_zone(draft).collect::<Vec<RoomId>>() {
        copy_room_values(turn, room);
    }
}

/// Copies the values that variables have in the published room to a room of a draft that has none.
pub(crate) fn copy_room_values(turn: &mut Turn, room: RoomId) {
    let Some(draft) = draft_at(turn, room).map(str::to_owned) else { return };
    let published = turn.world.rooms.of_key(zone_before(turn, &draft), &turn.world.rooms[room].zone_key());
    let owner = VariableOwner::Room(room);
    if let Some(published) = published.filter(|_| !turn.world.variables.has_any(owner)) {
        copy(turn, &draft, VariableOwner::Room(published), owner);
    }
}

fn copy(turn: &mut Turn, draft: &str, from: VariableOwner, to: VariableOwner) {
    let zone = zone_before(turn, draft).to_owned();
    let rows = turn.world.variables.of(from).filter_map(|row| {
        let name = row.name.strip_prefix(&zone).filter(|name| name.starts_with('/'))?;
        Some((format!("{draft}{name}"), row.value.clone(), row.at))
    });
    for (name, value, at) in rows.collect::<Vec<_>>() {
        turn.world.set_variable(to, &name, value, at, None);
    }
}

/// Gives the rooms of a draft the names of its versions: at once, or if they are very many over several steps.
fn localise_rooms(turn: &mut Turn, draft: &str) {
    let rooms: Vec<RoomId> = turn.world.rooms.of_zone(draft).collect();
    if pace::are_many(turn, rooms.len()) {
        return pace::queue(turn, FileWork::localise(draft));
    }
    let renamings = [renaming(turn, draft)];
    for id in rooms {
        localise_room(turn, draft, id, &renamings);
    }
}

/// Gives the rooms of large drafts the names of their versions of definitions, if the server ended before all had them, or
/// if versions have come or gone by an undo.
pub(crate) fn localise_large_drafts(turn: &mut Turn) {
    let drafts = turn.world.meta().zones.iter().filter(|(_, row)| row.draft.is_some()).map(|(key, _)| key);
    let is_large = |key: &&String| pace::are_many(turn, turn.world.rooms.of_zone(key).len());
    let drafts: Vec<String> = drafts.filter(is_large).cloned().collect();
    for key in drafts {
        pace::queue(turn, FileWork::localise(&key));
    }
}

/// Renames the references of a room of a draft, and gives the creatures and items in it the prototypes of its versions.
pub(crate) fn localise_room(turn: &mut Turn, draft: &str, id: RoomId, renamings: &[Renaming]) {
    let inside: Vec<CharacterId> = turn.world.occupants(id).to_vec();
    let ground: Vec<ItemId> = turn.world.ground(id).to_vec();
    turn.world.note_work(1 + inside.len() + ground.len());
    renamed_rows::rename_in_room(turn, id, renamings);
    renamed_rows::rename_inside(turn, id, renamings);
    for who in inside {
        let body = &turn.world.characters[who];
        if body.is_player() {
            continue;
        }
        let prototype = body.prototype.as_ref().map(|own| key_in(turn, draft, DefinitionKind::Creature, own));
        let prototype = prototype.filter(|new| body.prototype.as_ref() != Some(new));
        if let Some(prototype) = prototype {
            turn.world.characters.change(who, |row| row.prototype = Some(prototype));
        }
    }
    for item in ground {
        let row = &turn.world.items[item];
        let prototype = key_in(turn, draft, DefinitionKind::Item, &row.prototype);
        if prototype != row.prototype {
            turn.world.change_prototype(item, &prototype);
        }
    }
}

/// Returns `true` for a definition that is published, or for a draft's version of one.
pub(crate) fn is_of_published(turn: &Turn, kind: DefinitionKind, key: &str) -> bool {
    turn.world.definitions.find(kind, key).is_none_or(|row| row.draft.is_none() || row.version().is_some())
}

/// Refuses a published definition that the draft removes.
pub(crate) fn require_kept(turn: &Turn, kind: DefinitionKind, key: &str, draft: &str) -> Result<(), Refusal> {
    let row = turn.world.meta().zones.get(draft).and_then(|zone| zone.draft.as_ref());
    let is_it = |removed: &RemovedDefinition| removed.kind == kind && removed.key == key;
    if row.is_some_and(|draft| draft.removes.iter().any(is_it)) {
        return Err(refuse!(
            "The draft {draft} has removed the {} {key}. undo of that brings it back.",
            kind.noun()
        ));
    }
    Ok(())
}

/// Removes a published definition from a draft, so that its publication removes it.
pub(crate) fn remove(turn: &mut Turn, draft: &str, kind: DefinitionKind, plain: &str) -> Result<(), Refusal> {
    if turn.of_files.text_of_file(kind, plain).is_some() {
        return Err(refuse!(
            "The {} {plain} is in the files of the server, and goes with its file alone.",
            kind.noun()
        ));
    }
    let version = draft_key::join(draft, plain);
    let named = (kind, plain.to_owned());
    let rows = turn.world.definitions.iter().map(|(_, row)| row);
    let of_draft = rows.filter(|row| row.is_of_draft(draft) && row.key != version);
    let mut renaming = Renaming::into_draft(&Area::empty(zone_before(turn, draft)), draft);
    renaming.add_definition(kind, plain);
    let names_it = |row: &&Definition| {
        let places = Renaming::into_draft(&Area::empty(zone_before(turn, draft)), draft);
        row.text.contains(plain)
            && renaming.definition(row.kind, &row.text) != places.definition(row.kind, &row.text)
    };
    let mut users: Vec<String> = of_draft
        .filter(names_it)
        .map(|row| format!("the {} {}", row.kind.noun(), draft_key::plain(&row.key)))
        .collect();
    let published = self::users(&candidates(turn, draft), &renaming, |text| text.contains(plain));
    let others = published.into_iter().filter(|other| *other != named);
    users.extend(others.map(|(kind, key)| format!("the {} {key}", kind.noun())));
    for id in turn.world.rooms.of_zone(draft) {
        let used = search::names_of(turn, &turn.world.rooms[id]);
        let is_it = |(of, key): &(Referent, String)| {
            DefinitionKind::of(*of) == Some(kind) && draft_key::plain(key) == plain
        };
        users.extend(used.iter().any(is_it).then(|| search::user_room(&turn.world.rooms[id])));
    }
    if !users.is_empty() {
        return Err(refuse!(
            "The {} {plain} stays, for the draft uses it: {}.",
            kind.noun(),
            search::listed(users)
        ));
    }
    let since = digest(definitions::text_of(turn, kind, plain).unwrap_or_default());
    if turn.world.definitions.find(kind, &version).is_some() {
        definitions::write(turn, None, &[((kind, version), None)].into())?;
    }
    zones::change(turn, draft, |zone| {
        let removed = RemovedDefinition { kind, key: plain.to_owned(), since };
        zone.draft.iter_mut().for_each(|draft| _ = draft.removes.insert(removed.clone()));
    });
    Ok(())
}

/// Gives creatures, items and players the published names of versions that are gone.
pub(crate) fn release(turn: &mut Turn, is_gone: impl Fn(&Turn, DefinitionKind, &str) -> bool) {
    let bodies: Vec<CharacterId> = turn.world.characters.iter().map(|(id, _)| id).collect();
    let items: Vec<ItemId> = turn.world.items.iter().map(|(id, _)| id).collect();
    for who in bodies {
        release_body(turn, who, &is_gone);
    }
    for item in items {
        release_item(turn, item, &is_gone);
    }
}

/// Gives characters and items that wake the published names of versions that are gone, and the keys that definitions got
/// meanwhile.
pub(crate) fn release_woken(turn: &mut Turn, bodies: &[CharacterId], items: &[ItemId]) {
    let is_gone = |turn: &Turn, kind, key: &str| turn.world.definitions.find(kind, key).is_none();
    for who in bodies {
        release_body(turn, *who, &is_gone);
    }
    for item in items {
        release_item(turn, *item, &is_gone);
    }
}

fn release_body(turn: &mut Turn, who: CharacterId, is_gone: &impl Fn(&Turn, DefinitionKind, &str) -> bool) {
    let body = &turn.world.characters[who];
    let prototype =
        body.prototype.as_ref().and_then(|key| released(turn, DefinitionKind::Creature, key, is_gone));
    if let Some(key) = prototype {
        turn.world.characters.change(who, |body| body.prototype = Some(key));
    }
    let quests = &turn.world.characters[who].quests;
    let kept = |key: &String| match released(turn, DefinitionKind::Quest, key, is_gone) {
        Some(now) if draft_key::split(key).is_none() => Some(now),
        _ => {
            let is_kept = draft_key::split(key).is_none() || !is_gone(turn, DefinitionKind::Quest, key);
            is_kept.then(|| key.clone())
        }
    };
    let released: BTreeMap<String, QuestProgress> =
        quests.iter().filter_map(|(key, progress)| Some((kept(key)?, progress.clone()))).collect();
    if released != **quests {
        turn.world.characters.change(who, |body| body.quests = released.into());
    }
}

fn release_item(turn: &mut Turn, item: ItemId, is_gone: &impl Fn(&Turn, DefinitionKind, &str) -> bool) {
    if let Some(key) = released(turn, DefinitionKind::Item, &turn.world.items[item].prototype, is_gone) {
        turn.world.change_prototype(item, &key);
    }
}

/// Returns the published key of a version that is gone, or the present key of a definition that had another.
fn released(
    turn: &Turn,
    kind: DefinitionKind,
    key: &str,
    is_gone: &impl Fn(&Turn, DefinitionKind, &str) -> bool,
) -> Option<String> {
    let Some((_, plain)) = draft_key::split(key) else {
        return definitions::renamed_key(turn, kind, key);
    };
    (is_gone(turn, kind, key) && turn.catalog.defines(kind, plain)).then(|| plain.to_owned())
}
