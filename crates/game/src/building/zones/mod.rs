//! Zones: hand-built areas with their builders, stored as files. Each room names its zone as its area; other data of a
//! zone is in a separate row. The conversion of zones to and from text is in the files of this module.

pub(crate) mod check;
pub(crate) mod check_definitions;
mod check_routes;
mod check_trade;
pub(crate) mod draft;
pub(crate) mod file_work;
pub(crate) mod files;
mod findings;
mod followers;
mod import;
mod made;
mod mistakes;
pub(crate) mod outcome;
pub(crate) mod package;
mod package_entry;
mod prefix;
mod removed;
pub(crate) mod room_scripts;
pub(crate) mod search;
pub(crate) mod sweep;
pub(crate) mod text;
mod unused;
pub(crate) mod vaults;
mod way_below;

use crate::access::permissions;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Coordinates, Rare, Right, RoomId, RuleLimit};
use deepwell_core::catalog::{Area, DefinitionKind};
use deepwell_core::text::{grammar, nearest};
use deepwell_core::world::{Room, Zone};
use std::collections::{BTreeMap, BTreeSet};

/// Zone files imported together, by zone.
type ZoneFiles = BTreeMap<String, Area>;

/// Maximum length of a zone key, in characters.
pub(crate) const KEY_CHARS_MAX: usize = 40;

/// Reserved name for all content created in the game, accepted in place of a zone key.
pub(crate) const MADE: &str = "made";

/// Returns the hand-built rooms of a zone, in the order of their places.
pub(crate) fn rooms<'t>(turn: &'t Turn, zone: &str) -> impl Iterator<Item = &'t Room> {
    let mut rooms: Vec<&Room> = turn.world.rooms.of_zone(zone).map(|id| &turn.world.rooms[id]).collect();
    rooms.sort_by_key(|room| room.coordinates());
    rooms.into_iter()
}

/// Returns `true` if a zone has rooms.
pub(crate) fn has_rooms(turn: &Turn, zone: &str) -> bool {
    turn.world.rooms.of_zone(zone).len() > 0
}

/// Returns the players in the rooms of a zone.
pub(crate) fn players_in(turn: &Turn, zone: &str) -> Vec<CharacterId> {
    let here = rooms(turn, zone).flat_map(|room| turn.world.occupants(room.id)).copied();
    here.filter(|who| turn.world.characters[*who].is_player()).collect()
}

/// Returns the hand-built room that a zone file names by a key of the same zone or by `ZONE/KEY`.
pub(crate) fn room_called(turn: &Turn, zone: &str, name: &str) -> Option<RoomId> {
    let (zone, key) = name.split_once('/').unwrap_or((zone, name));
    turn.world.rooms.of_key(zone, key)
}

/// Returns all zones: those with a row, and those with rooms.
pub(crate) fn all(turn: &Turn) -> BTreeSet<String> {
    let kept = turn.world.meta().zones.keys().map(String::as_str);
    turn.world.rooms.zones().chain(kept).filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

/// Returns `true` if the zone has a row or a hand-built room.
pub(crate) fn is_zone(turn: &Turn, key: &str) -> bool {
    !key.is_empty() && (turn.world.meta().zones.contains_key(key) || has_rooms(turn, key))
}

/// Returns an error, with the nearest key, if the zone does not exist.
pub(crate) fn require_zone(turn: &Turn, key: &str) -> Result<(), Refusal> {
    if is_zone(turn, key) {
        return Ok(());
    }
    let known = all(turn);
    let meant = nearest(key, known.iter().map(String::as_str));
    Err(refuse!("There is no zone {key}.{}", refusal::did_you_mean(meant)))
}

/// Returns the stored data of a zone, or the default.
pub(crate) fn row(turn: &Turn, key: &str) -> Zone {
    turn.world.meta().zones.get(key).cloned().unwrap_or_default()
}

/// Returns the place of the `[0, 0, 0]` of a zone's file.
pub(crate) fn origin(turn: &Turn, key: &str) -> Coordinates {
    turn.world.meta().zones.get(key).map(|zone| zone.origin).unwrap_or_default()
}

/// Changes the stored data of a zone, creating its row if necessary, and returns the result of the change.
pub(crate) fn change<T>(turn: &mut Turn, key: &str, change: impl FnOnce(&mut Zone) -> T) -> T {
    change(turn.world.meta_mut().zones.entry(key.to_owned()).or_default())
}

/// Returns `true` if an account may build in a zone: its owner and authors, all builders if it has no owner, and always
/// accounts with the right to all zones.
pub(crate) fn may_build(turn: &Turn, account: AccountId, key: &str) -> bool {
    let Some(zone) = turn.world.meta().zones.get(key) else { return true };
    zone.owner.is_none() || is_builder(turn, account, key) || permissions::has(turn, account, Right::AllZones)
}

/// Returns `true` if an account is the owner or an author of a zone.
pub(crate) fn is_builder(turn: &Turn, account: AccountId, key: &str) -> bool {
    let zone = turn.world.meta().zones.get(key);
    zone.is_some_and(|zone| zone.owner == Some(account) || zone.authors.contains(&account))
}

/// Returns an error unless the account may build in the zone, and nothing holds up building.
pub(crate) fn require_author(turn: &Turn, account: AccountId, key: &str) -> Result<(), Refusal> {
    turn.require_no_import()?;
    if may_build(turn, account, key) {
        return Ok(());
    }
    let owner = row(turn, key).owner.and_then(|owner| turn.world.accounts.get(owner));
    let owner = owner.map_or_else(|| "staff".to_owned(), |row| row.name.clone());
    Err(Refusal::NotAuthor { zone: key.to_owned(), owner })
}

/// Returns an error unless the account owns the zone or has the right to all zones.
pub(crate) fn require_owner(turn: &Turn, account: AccountId, key: &str) -> Result<(), Refusal> {
    let is_free = permissions::has(turn, account, Right::AllZones);
    match row(turn, key).owner {
        Some(owner) if owner != account && !is_free => require_author(turn, account, key)
            .and_then(|()| Err(refuse!("Only the owner of the zone {key} says that."))),
        None if !is_free => {
            Err(refuse!("The zone {key} has no owner: all builders build in it. Staff can give it one."))
        }
        _ => Ok(()),
    }
}

/// Returns an error if the key cannot be a file name.
pub(crate) fn require_key(key: &str) -> Result<(), Refusal> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if key.is_empty() || key.len() > KEY_CHARS_MAX || !key.chars().all(fits) {
        return Err(refuse!("A zone is called by small letters, figures and _, forty at most."));
    }
    Ok(())
}

/// Returns an error if a theme has the key of a zone: the area of a room names one or the other.
pub(crate) fn require_no_zone(turn: &Turn, kind: DefinitionKind, key: &str) -> Result<(), Refusal> {
    if kind == DefinitionKind::Theme && (key == MADE || is_zone(turn, key)) {
        return Err(taken(key));
    }
    Ok(())
}

/// Refuses to exceed the limit on zones.
pub(crate) fn require_space(turn: &Turn, more: usize) -> Result<(), Refusal> {
    let (limits, wants) = (&turn.config.limits, turn.world.meta().zones.len() + more);
    refusal::require_at_most(limits, RuleLimit::Zones, wants, |_| {
        refuse!("There are as many zones as there may be.")
    })
}

/// Creates zones without rooms, all or none. Without an owner, all builders may build in them.
pub(crate) fn create(turn: &mut Turn, owner: Option<AccountId>, keys: &[&str]) -> Result<(), Refusal> {
    for key in keys {
        require_key(key)?;
        if *key == MADE || is_zone(turn, key) || turn.catalog.themes.contains_key(*key) {
            return Err(taken(key));
        }
    }
    require_space(turn, keys.len())?;
    for key in keys {
        change(turn, key, |zone| zone.owner = owner);
    }
    Ok(())
}

/// Moves a room into a zone, under a unique key.
pub(crate) fn take_room(turn: &mut Turn, room: RoomId, key: &str) {
    let own = turn.world.rooms[room].zone_key();
    let taken = turn.world.rooms.of_key(key, &own).is_some_and(|other| other != room);
    turn.world.rooms.change_built(room, |row| {
        key.clone_into(&mut row.area);
        if taken {
            row.key = Rare::usual();
        }
    });
}

/// Returns the summary line of a zone: `mill, 4 rooms, by Olad and Bera`.
pub(crate) fn line(turn: &Turn, key: &str) -> String {
    let (zone, rooms) = (row(turn, key), turn.world.rooms.of_zone(key).len());
    let name = |account: &AccountId| turn.world.accounts.get(*account).map(|row| row.name.clone());
    let by = match grammar::list(zone.owner.iter().chain(&zone.authors).filter_map(name)).as_str() {
        "" => "open to all builders".to_owned(),
        people => format!("by {people}"),
    };
    format!("{key}: {}, {by}", grammar::counted(rooms, "room"))
}

/// Returns the refusal of a key that a zone or theme has.
pub(crate) fn taken(key: &str) -> Refusal {
    refuse!("{key} is taken already. zone list tells all there are.")
}

/// Returns the refusal of a room that belongs to a branch and so to no zone.
pub(crate) fn not_built() -> Refusal {
    refuse!("This room is part of the dungeon, which has no zones.")
}
