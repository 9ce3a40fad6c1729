//! Drafts of zones: a copy of a zone without exits into it, changed and tested by invited players, and published in one
//! step. Access to drafts is in `rehearsal`.

pub(super) mod definitions;
pub(super) mod moving;
pub(crate) mod preview;

use self::definitions::{Publication, used_elsewhere};
use self::moving::counterpart;
use super::followers::Followers;
use super::import::{Imported, carry_out, import, require_awake_in_gone};
use super::mistakes::{examine, with_content};
use super::outcome::shown;
use super::{
    ZoneFiles, change, create, has_rooms, is_zone, origin, require_author, require_key, require_zone,
    room_called, row, taken, text,
};
use crate::access::drafts;
use crate::building::definitions as made;
use crate::building::{built_rooms, draft_versions};
use crate::movement;
use crate::refusal::{Refusal, refuse};
use crate::state::file_work::import_run::ImportRun;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Coordinates, Digest, RoomId};
use deepwell_core::catalog::area::{PlacedReference, zone_file};
use deepwell_core::catalog::{Area, AreaRoom, Catalog, CatalogError, Renaming};
use deepwell_core::data::Position;
use deepwell_core::world::{Exit, RoomKind, ZoneDraft};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Vertical offset of a draft from its zone, so that they never overlap on a map.
const ALOFT: i32 = 1_000;

pub(super) use deepwell_core::catalog::draft_key::DRAFT_ENDING as ENDING;

/// Returns the key of a zone's draft.
pub(crate) fn key_of(zone: &str) -> String {
    format!("{zone}{ENDING}")
}

/// Finds a draft by its own key or by the key of its zone.
pub(crate) fn meant(turn: &Turn, key: &str) -> Result<(String, ZoneDraft), Refusal> {
    let found = [key.to_owned(), key_of(key)].into_iter().find_map(|key| {
        let draft = row(turn, &key).draft?;
        Some((key, draft))
    });
    found.ok_or_else(|| no_draft(key))
}

/// Returns all drafts with the zones they will replace.
pub(crate) fn all(turn: &Turn) -> impl Iterator<Item = (&String, &ZoneDraft)> {
    turn.world.meta().zones.iter().filter_map(|(key, zone)| Some((key, zone.draft.as_ref()?)))
}

/// Refuses a draft of a draft, of a zone of others, of a key that no zone can have, and a second one of a zone.
pub(crate) fn require_draftable(turn: &Turn, account: AccountId, zone: &str) -> Result<(), Refusal> {
    if row(turn, zone).draft.is_some() {
        return Err(refuse!("{zone} is a draft itself."));
    }
    require_author(turn, account, zone)?;
    if require_zone(turn, zone).is_err() {
        require_key(zone)?;
    }
    if is_zone(turn, &key_of(zone)) { Err(taken(&key_of(zone))) } else { Ok(()) }
}

/// Creates a draft of a zone with the same builders, or of a new zone with one bare room. Returns its key.
pub(crate) fn begin(turn: &mut Turn, account: AccountId, zone: &str) -> Result<String, Refusal> {
    require_draftable(turn, account, zone)?;
    let key = key_of(zone);
    let original = text::area(turn, zone);
    let files = ZoneFiles::from([(key.clone(), renamed_whole(original, &key))]);
    if let Some(mistake) = examine(turn, &files).mistakes.first() {
        return Err(refuse!("No draft of it can be made: {mistake}"));
    }
    require_space_for_versions(turn, &key)?;
    let since = digest(turn, zone);
    create_row(turn, Some(account), zone, since)?;
    import(turn, files);
    if !has_rooms(turn, &key) {
        let origin = row(turn, &key).origin;
        built_rooms::add_built_room(turn, RoomKind::Room, "First Room", &[], &key, origin);
    }
    draft_versions::begin(turn, Some(account), &key)?;
    Ok(key)
}

/// Refuses a draft if there would be too many definitions with the versions that it begins with.
pub(crate) fn require_space_for_versions(turn: &Turn, key: &str) -> Result<(), Refusal> {
    let versions = draft_versions::first_versions(turn, key).len();
    if versions == 0 { Ok(()) } else { made::require_space(turn, versions) }
}

/// Creates the row of a draft, with the builders of its zone.
pub(super) fn create_row(
    turn: &mut Turn,
    account: Option<AccountId>,
    zone: &str,
    since: String,
) -> Result<(), Refusal> {
    let (key, people) = (key_of(zone), row(turn, zone));
    let owner = if require_zone(turn, zone).is_err() { account } else { people.owner };
    create(turn, owner, &[&key])?;
    change(turn, &key, |row| {
        row.origin = Coordinates { z: people.origin.z.saturating_add(ALOFT), ..people.origin };
        row.authors = people.authors;
        row.draft = Some(ZoneDraft {
            of: zone.to_owned(),
            since,
            testers: BTreeSet::new(),
            removes: BTreeSet::new(),
        });
    });
    Ok(())
}

/// Returns an error if moving the room into the zone would leave an exit into a draft from outside.
pub(crate) fn require_closed(turn: &Turn, room: RoomId, zone: &str) -> Result<(), Refusal> {
    let area = |id: RoomId| if id == room { zone } else { turn.world.rooms[id].area.as_str() };
    let touches = |exit: &Exit| exit.room == room || exit.to == Some(room);
    let mut ways = turn.world.exits.iter().map(|(_, exit)| exit).filter(|exit| touches(exit));
    let enters = |exit: &Exit| {
        let (from, to) = (area(exit.room), exit.to.map(area));
        to.is_some_and(|to| from != to && row(turn, to).draft.is_some())
    };
    if ways.any(enters) { Err(leads_into_draft()) } else { Ok(()) }
}

/// Returns an error if the exit would lead into a draft from outside.
pub(crate) fn require_outward(turn: &Turn, from: RoomId, to: RoomId) -> Result<(), Refusal> {
    let enters = drafts::is_border(turn, from, to) && drafts::draft_around(turn, to).is_some();
    if enters { Err(leads_into_draft()) } else { Ok(()) }
}

/// Returns `true` if a draft is that of a new zone, which takes its rooms over.
pub(super) fn moves_rooms(turn: &Turn, draft: &ZoneDraft) -> bool {
    !has_rooms(turn, &draft.of)
}

/// Returns `true` if the published zone has changed since its draft was created. Publishing would undo those changes.
pub(crate) fn is_outdated(turn: &Turn, draft: &ZoneDraft) -> bool {
    digest(turn, &draft.of) != draft.since
}

/// Replaces the published zone with its draft in one step and removes the draft. Players in the draft are moved to the
/// same room of the zone. On error returns all mistakes and changes nothing.
pub(crate) fn publish(turn: &mut Turn, key: &str, draft: &ZoneDraft) -> Result<Imported, Vec<CatalogError>> {
    let CheckedPublication { files, publication, content } = checked(turn, key, draft)?;
    publication.write(turn, draft, content).map_err(|refusal| as_mistake(&refusal))?;
    create_published(turn, key, draft);
    let moves_rooms = moves_rooms(turn, draft);
    let run = ImportRun { moves_rooms, ..ImportRun::of_draft(key, draft) };
    let mut imported = carry_out(turn, files, run);
    end(turn, key, draft, true);
    let changes = imported.remove(&draft.of).unwrap_or_default();
    Ok(if moves_rooms { changes.all_made() } else { changes })
}

/// A draft that can be published.
struct CheckedPublication {
    files: ZoneFiles,
    publication: Publication,
    content: Arc<Catalog>,
}

/// Returns a draft as it can be published, or all mistakes that stand against it.
fn checked(turn: &mut Turn, key: &str, draft: &ZoneDraft) -> Result<CheckedPublication, Vec<CatalogError>> {
    let mut mistakes = Vec::new();
    let written = zone_file::write(&as_published(turn, key, draft));
    let read = text::parse(turn, key, &written, &mut mistakes);
    let Some(area) = read.filter(|_| mistakes.is_empty()) else { return Err(mistakes) };
    let area = Area { key: draft.of.clone(), ..area };
    let files = ZoneFiles::from([(draft.of.clone(), area)]);
    let both =
        ZoneFiles::from([(key.to_owned(), Area::empty(key))]).into_iter().chain(files.clone()).collect();
    let followers = Followers::definitions_of(turn, key, draft);
    let publication = Publication::of(turn, key, draft).with_followers(followers.definitions());
    let content = publication.content(turn, key, &draft.of);
    let (content, mut found) = match content {
        Ok(content) => (content, Vec::new()),
        Err(found) => (Arc::clone(&turn.catalog), found),
    };
    found.extend(with_content(turn, Some(&content), |turn| examine(turn, &both)).mistakes);
    if found.is_empty() { Ok(CheckedPublication { files, publication, content }) } else { Err(found) }
}

/// Returns the mistakes that stand against publishing a draft.
pub(crate) fn mistakes(turn: &mut Turn, key: &str, draft: &ZoneDraft) -> Vec<CatalogError> {
    let checked = checked(turn, key, draft);
    let is_possible = checked
        .and_then(|checked| checked.publication.require_space(turn).map_err(|refusal| as_mistake(&refusal)));
    is_possible.err().unwrap_or_default()
}

/// Tells how to publish a draft and to take it back, or what stands against it.
pub(crate) fn how_to_publish(mistakes: &[CatalogError], how: &str) -> Vec<String> {
    if mistakes.is_empty() {
        return vec![format!("zone publish now does it{how}")];
    }
    let refused = "zone publish now is refused, for these mistakes:".to_owned();
    [refused].into_iter().chain(shown(mistakes)).collect()
}

/// Returns the content as it will be after publishing a draft, or all its mistakes.
pub(super) fn content(turn: &Turn, key: &str, draft: &ZoneDraft) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let followers = Followers::definitions_of(turn, key, draft);
    let publication = Publication::of(turn, key, draft).with_followers(followers.definitions());
    publication.content(turn, key, &draft.of)
}

/// Returns a refusal as a mistake.
fn as_mistake(refusal: &Refusal) -> Vec<CatalogError> {
    vec![CatalogError::new(&Position::default(), refusal.markup().text(), "")]
}

/// Returns `true` if a room of another zone has a place.
pub(super) fn is_foreign(turn: &Turn, place: Coordinates, zone: &str) -> bool {
    turn.world.rooms.built_at(place).is_some_and(|id| turn.world.rooms[id].area != zone)
}

/// Creates the row of a new zone that a draft brings, with the builders of the draft, and moves the vaults of the draft to
/// its zone.
pub(super) fn create_published(turn: &mut Turn, key: &str, draft: &ZoneDraft) {
    let people = row(turn, key);
    if require_zone(turn, &draft.of).is_err() {
        change(turn, &draft.of, |row| (row.owner, row.authors) = (people.owner, people.authors));
    }
    if !people.vaults.is_empty() {
        change(turn, key, |row| (row.vaults, row.vault_files) = (BTreeMap::new(), BTreeMap::new()));
        change(turn, &draft.of, |row| {
            row.vaults.extend(people.vaults);
            row.vault_files.extend(people.vault_files);
        });
    }
}

/// Refuses if a character in a room that goes with a draft, or with its publication, is asleep.
pub(crate) fn require_awake(
    turn: &mut Turn,
    key: &str,
    draft: &ZoneDraft,
    publish: bool,
) -> Result<(), Refusal> {
    let mut files = ZoneFiles::from([(key.to_owned(), Area::empty(key))]);
    if publish {
        let published = as_published(turn, key, draft);
        files.insert(draft.of.clone(), Area { key: draft.of.clone(), ..published });
    }
    require_awake_in_gone(turn, &files)
}

/// Discards a draft; the published zone is not changed.
pub(crate) fn discard(turn: &mut Turn, key: &str, draft: &ZoneDraft) -> Result<(), Vec<CatalogError>> {
    let mut run = ImportRun::of_draft(key, draft);
    run.leave_draft();
    let nothing = std::mem::take(&mut run.files);
    let mut found = used_elsewhere(turn, key);
    found.extend(examine(turn, &nothing).mistakes);
    if !found.is_empty() {
        return Err(found);
    }
    carry_out(turn, nothing, run);
    end(turn, key, draft, false);
    Ok(())
}

/// Moves a player into a draft: to the draft's version of the current room, or to its first room.
pub(crate) fn enter(turn: &mut Turn, who: CharacterId, key: &str) -> Result<(), Refusal> {
    let here = &turn.world.rooms[turn.world.characters[who].room];
    let is_original = row(turn, key).draft.is_some_and(|draft| draft.of == here.area);
    let same = room_called(turn, key, &here.zone_key()).filter(|_| is_original);
    let first = turn.world.rooms.of_zone(key).next();
    let to = same.or(first).ok_or_else(|| no_draft(key))?;
    movement::transport(turn, who, to, " steps aside to try something new.", " is here to try this out.");
    Ok(())
}

/// Moves a player out of a draft: to the published version of the current room, or to the town.
pub(crate) fn leave(turn: &mut Turn, who: CharacterId, draft: &ZoneDraft) {
    let to = counterpart(turn, turn.world.characters[who].room, draft);
    movement::transport(turn, who, to, " goes back to the world.", " is back from trying something out.");
}

fn digest(turn: &Turn, zone: &str) -> String {
    Digest::of_text(&text::file(turn, zone)).to_string()
}

/// Ends a draft without rooms: removes its row and its definitions, which its zone gets if it is published.
pub(super) fn end(turn: &mut Turn, key: &str, draft: &ZoneDraft, is_published: bool) {
    if is_published {
        made::rename_zone(turn, key, &draft.of);
    }
    definitions::end(turn, key);
    turn.world.remove_zone(key);
}

/// Returns the zone as it would be after publishing the draft.
fn as_published(turn: &Turn, key: &str, draft: &ZoneDraft) -> Area {
    let area = renamed_whole(text::area(turn, key), &draft.of);
    let rooms = area.rooms.into_iter().map(|room| published_room(turn, room, &draft.of)).collect();
    Area { rooms, start: published_start(turn, draft), ..area }
}

/// Returns a draft without its rooms as it would be after publishing it.
pub(super) fn as_published_head(turn: &Turn, head: Area, draft: &ZoneDraft) -> Area {
    Area { start: published_start(turn, draft), ..renamed_whole(head, &draft.of) }
}

fn published_start(turn: &Turn, draft: &ZoneDraft) -> Option<PlacedReference> {
    let town = turn.world.meta().town.and_then(|town| turn.world.rooms.get(town));
    let begins = town.filter(|room| room.area == draft.of);
    begins.map(|room| (Position::default(), room.zone_key()))
}

/// Returns a room of a draft as it would be after publishing. One that was dug in the draft gets a free place if its own
/// is occupied. A zone without rooms yet is laid out as a whole on import.
pub(super) fn published_room(turn: &Turn, mut room: AreaRoom, zone: &str) -> AreaRoom {
    if has_rooms(turn, zone) {
        let stands = room_called(turn, zone, &room.key).is_some();
        room.at = room.at.filter(|at| stands || !is_foreign(turn, at.beyond(origin(turn, zone)), zone));
    }
    room
}

fn renamed_whole(area: Area, to: &str) -> Area {
    let renaming = Renaming::of_zone(&area, to);
    renamed(area, &renaming, to)
}

/// Renames a zone: its references to itself follow, and its exits by its old or new name become local.
pub(super) fn renamed(area: Area, renaming: &Renaming, to: &str) -> Area {
    let mut area = renaming.area(area);
    let leads = area.rooms.iter_mut().flat_map(|room| &mut room.exits).filter_map(|exit| exit.to.as_mut());
    for (_, name) in leads {
        if let Some((zone, key)) = name.split_once('/')
            && zone == to
        {
            *name = key.to_owned();
        }
    }
    area
}

/// Returns the refusal of a key that no draft has.
fn no_draft(key: &str) -> Refusal {
    refuse!("There is no draft of {key}. zone draft NAME makes one.")
}

/// Returns the refusal of an exit into a draft from outside.
fn leads_into_draft() -> Refusal {
    refuse!("One side of that is in a draft, which nobody walks into. Publish the draft first.")
}
