//! Undo and redo of builder changes from the journal. A row is restored only if it is still in the state that the
//! journal recorded. Players keep their belongings and locations, except items of deleted kinds and players in deleted
//! rooms.

mod former_files;
mod planned_change;
mod planned_zone;
mod plan;
mod put_back;
pub(crate) mod recall;

use super::journal::{self, words};
use super::{definitions, zones};
use crate::access::permissions;
use crate::branch::asleep;
use crate::building::built_rooms;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, DefinitionId, ItemId, JournalId, Right, RoomId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{BuildChanges, Built, JournalEntry, Place, Room};
use plan::UndoPlan;
use std::collections::BTreeSet;

/// Reason in the ledger for restored items, and for removed ones that were spawned or whose kind is gone.
const WHY: &str = "undo";

/// Maximum number of lines in the report of an undo.
const MOST_LINES: usize = 20;

/// Undo or redo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UndoMode {
    /// Undo.
    Back,
    /// Redo.
    Again,
}

/// Builder who undoes or redoes an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UndoActor {
    pub(crate) account: AccountId,
    pub(crate) who: CharacterId,
}

/// Returns the entry of an author that was undone last, if the author has built nothing since.
pub(crate) fn last_undone(turn: &Turn, author: Option<AccountId>) -> Option<JournalId> {
    let newest = turn.world.journal.of(author).next_back().map(|entry| entry.id);
    let taken_back = |entry: &&JournalEntry| entry.undone.is_some() && newest < Some(entry.moved());
    let last = turn.world.journal.of(author).filter(taken_back).max_by_key(|entry| entry.moved());
    last.map(|entry| entry.id)
}

/// Undoes or redoes an entry. Returns the report.
///
/// # Errors
/// If the entry belongs to another builder, the builder lacks rights there, or a row has changed since.
pub(crate) fn undo_or_redo(
    turn: &mut Turn,
    hand: UndoActor,
    id: JournalId,
    way: UndoMode,
) -> Result<Markup, Refusal> {
    let mut entry = turn.world.journal.get(id).cloned().ok_or_else(|| no_entry(id))?;
    require_applicable(turn, hand, &entry, way)?;
    if let Some(former) = &entry.former {
        former_files::begin(turn, hand, &entry, former)?;
        return Ok(undo_report(way, &entry.line, &[former_files::TAKES_LONG.to_owned()], &[]));
    }
    let touches = match way {
        UndoMode::Back => reversed(entry.touches.clone()),
        UndoMode::Again => entry.touches.clone(),
    };
    require_rights(turn, hand.account, &entry, &touches)?;
    let comes = |piece: &&deepwell_core::world::RowChange| {
        matches!(piece.of, Built::Room(_)) && piece.before.is_none()
    };
    let goes = |piece: &&deepwell_core::world::RowChange| {
        matches!(piece.of, Built::Room(_)) && piece.after.is_none()
    };
    let (come, go) =
        (touches.pieces.iter().filter(comes).count(), touches.pieces.iter().filter(goes).count());
    if come > go {
        built_rooms::require_space(turn, come - go)?;
    }
    let plan = UndoPlan::make(turn, Some(hand.who), &entry, &touches)?;
    asleep::require_awake_in(turn, &plan.rooms.out.iter().copied().collect())?;
    // Recalled items are not stored for a later redo, so that no entry of the journal contains them.
    let recalled = recall::recall_items(turn, &plan);
    journal::watch(turn);
    let moved = put_back::evacuate_players(turn, &entry, &plan);
    plan.carry_out(turn);
    for who in moved {
        turn.emit_event(GameEvent::SawRoom { who });
    }
    let mut again = put_back::restore_contents(turn, &mut entry, way);
    again.extend(recalled);
    let made_in = entry.room.filter(|_| way == UndoMode::Again && !entry.touches.made.is_empty());
    let now = turn.world.take_build_changes(made_in);
    debug_assert!(is_as_intended(&now, &touches), "what is taken back is what was done");
    remember(&mut entry, now, way);
    entry.undone = (way == UndoMode::Back).then(|| journal::undo_record(turn, Some(hand.account)));
    let line = entry.line.clone();
    journal::write(turn, entry);
    let lines = words::lines(turn, &touches, words::Tense::Now, MOST_LINES);
    Ok(undo_report(way, &line, &lines, &again))
}

fn undo_report(way: UndoMode, line: &str, lines: &[String], again: &[String]) -> Markup {
    let verb = match way {
        UndoMode::Back => "You take back: ",
        UndoMode::Again => "You do again: ",
    };
    let mut message = Markup::plain(verb).with(Style::Command, line);
    for line in lines.iter().chain(again) {
        message.line(Style::Plain, line);
    }
    message
}

/// Returns the inverse change.
fn reversed(touches: BuildChanges) -> BuildChanges {
    let pieces = touches.pieces.into_iter().map(deepwell_core::world::RowChange::reversed).collect();
    let zones = touches.zones.into_iter().map(|(key, zone)| (key, zone.reversed())).collect();
    BuildChanges { pieces, zones, ..touches }
}

/// Refuses entries of other builders, entries already in the wanted state, and entries too large to have been stored.
fn require_applicable(
    turn: &Turn,
    hand: UndoActor,
    entry: &JournalEntry,
    way: UndoMode,
) -> Result<(), Refusal> {
    if entry.account != Some(hand.account) && !permissions::has(turn, hand.account, Right::AllZones) {
        return Err(refuse!("Number {} is by {}; only an admin takes that back.", entry.id, entry.name));
    }
    match (way, &entry.undone) {
        _ if entry.too_large => Err(refuse!(
            "\"{}\" changed more than the journal keeps, so it cannot be taken back.",
            entry.line
        )),
        (UndoMode::Back, Some(_)) => Err(refuse!("Number {} is taken back already.", entry.id)),
        (UndoMode::Again, None) => {
            Err(refuse!("Number {} is not taken back: it is as it was made.", entry.id))
        }
        _ => Ok(()),
    }
}

/// Refuses a builder who lacks current rights to what the entry changed: the zones of its rooms, the zone of the room
/// where an exit was built, and zones whose properties it changed.
fn require_rights(
    turn: &Turn,
    account: AccountId,
    entry: &JournalEntry,
    touches: &BuildChanges,
) -> Result<(), Refusal> {
    for piece in &touches.pieces {
        if let Built::Definition(id) = piece.of {
            require_definition(turn, account, id)?;
        }
    }
    for area in areas_of(turn, entry.room, touches) {
        zones::require_author(turn, account, &area)?;
    }
    for (key, zone) in &touches.zones {
        let people = |zone: &deepwell_core::world::Zone| (zone.owner, zone.authors.clone());
        let is_kept = turn.world.meta().zones.contains_key(key);
        // All builders of a zone may discard its draft.
        let draft = zones::row(turn, key).draft.filter(|_| zone.after.is_none());
        let ends_draft = draft.is_some();
        if let Some(draft) = draft {
            require_nothing_made_since(turn, touches, key, &draft.of)?;
        }
        if is_kept && !ends_draft && zone.before.as_ref().map(people) != zone.after.as_ref().map(people) {
            zones::require_owner(turn, account, key)?;
        } else {
            zones::require_author(turn, account, key)?;
        }
    }
    Ok(())
}

/// Refuses to take back a draft in which content has been made since.
fn require_nothing_made_since(
    turn: &Turn,
    touches: &BuildChanges,
    draft: &str,
    zone: &str,
) -> Result<(), Refusal> {
    let is_known = |id| touches.pieces.iter().any(|piece| piece.of == Built::Definition(id));
    let mut made = turn.world.definitions.iter().filter(|(_, row)| row.is_of_draft(draft));
    if made.all(|(id, _)| is_known(id)) {
        return Ok(());
    }
    Err(refuse!(
        "More has been made in the draft since. zone discard {zone} tells what would be lost with it."
    ))
}

/// Returns `true` if an entry changed something of a zone, such as a room or a definition that belongs to it.
pub(crate) fn concerns(turn: &Turn, entry: &JournalEntry, zone: &str) -> bool {
    let is_definition = |of: Built| {
        let Built::Definition(id) = of else { return false };
        turn.world.definitions.get(id).is_some_and(|row| row.zone.as_deref() == Some(zone))
    };
    entry.touches.zones.contains_key(zone)
        || entry.former.as_ref().is_some_and(|former| former.files.contains_key(zone))
        || entry.touches.pieces.iter().any(|piece| is_definition(piece.of))
        || areas_of(turn, entry.room, &entry.touches).contains(zone)
}

/// Returns the zones of the rooms, exits, creatures and items that a command typed in a room changed.
fn areas_of(turn: &Turn, typed_in: Option<RoomId>, touches: &BuildChanges) -> BTreeSet<String> {
    let area =
        |image: &serde_json::Value| image.get("area").and_then(serde_json::Value::as_str).map(str::to_owned);
    let mut areas: BTreeSet<String> = BTreeSet::new();
    for piece in &touches.pieces {
        let room = match piece.of {
            Built::Room(room) | Built::Tasks(room) => Some(room),
            // An exit that was created or deleted belongs to the room where the command was entered. A modified one
            // belongs to its own room.
            Built::Exit(exit) if piece.before.is_some() && piece.after.is_some() => {
                turn.world.exits.get(exit).map(|exit| exit.room)
            }
            Built::Exit(_) => typed_in,
            Built::Definition(_) => None,
            Built::Creature(body) => turn.world.characters.get(body).map(|body| body.room),
            Built::Item(item) => match turn.world.root(item) {
                Some(Place::Room(room)) => Some(room),
                Some(Place::Holder(who)) => turn.world.characters.get(who).map(|body| body.room),
                _ => None,
            },
        };
        areas.extend(room.and_then(|room| turn.world.rooms.get(room)).map(|room: &Room| room.area.clone()));
        if let Built::Room(_) = piece.of {
            areas.extend(piece.before.iter().chain(&piece.after).filter_map(area));
        }
    }
    areas.extend(touches.made.iter().filter_map(|made| Some(turn.world.rooms.get(made.room)?.area.clone())));
    areas
}

/// Refuses a builder who may not change a definition at present. A deleted definition has no author.
fn require_definition(turn: &Turn, account: AccountId, id: DefinitionId) -> Result<(), Refusal> {
    if !permissions::has(turn, account, Right::Prototypes) {
        return Err(permissions::right_missing(Right::Prototypes.name()));
    }
    let row = turn.world.definitions.get(id);
    row.map_or(Ok(()), |row| definitions::require_author(turn, account, row.kind, &row.key))
}

/// Updates an entry with the items from rooms that are now deleted and the last state of those rooms.
fn remember(entry: &mut JournalEntry, now: BuildChanges, way: UndoMode) {
    let now = if way == UndoMode::Back { reversed(now) } else { now };
    let whole = |piece: &&deepwell_core::world::RowChange| piece.before.is_none() || piece.after.is_none();
    for last in now.pieces.iter().filter(whole) {
        if let Some(piece) = entry.touches.pieces.iter_mut().find(|piece| piece.of == last.of) {
            *piece = last.clone();
        }
    }
    for (key, last) in now.zones {
        if last.before.is_none() || last.after.is_none() {
            entry.touches.zones.insert(key, last);
        }
    }
    // Creatures and items spawned by the command are restored separately. What was in a spawned container has taken its
    // place. The bin has each container before its contents.
    let mut spawned: BTreeSet<ItemId> = entry.touches.made.iter().filter_map(|made| made.item).collect();
    let mut bin = now.bin;
    bin.retain(|item| {
        if matches!(item.place, Place::Inside(container) if spawned.contains(&container)) {
            spawned.insert(item.id);
        }
        !spawned.contains(&item.id)
    });
    let destroyed: Vec<_> = now.destroyed.into_iter().filter(|id| !spawned.contains(id)).collect();
    let made: Vec<_> = entry.touches.made.iter().filter_map(|made| made.body).collect();
    let known: Vec<_> = entry.touches.removed.iter().map(|creature| creature.body).chain(made).collect();
    entry.touches.removed.extend(now.removed.into_iter().filter(|one| !known.contains(&one.body)));
    entry.touches.destroyed.extend(destroyed);
    entry.touches.bin.extend(bin);
    entry.touches.driven_out.extend(now.driven_out);
    if !now.made.is_empty() {
        entry.touches.made = now.made;
    }
}

/// Returns `true` if exactly the intended rows have changed.
fn is_as_intended(now: &BuildChanges, meant: &BuildChanges) -> bool {
    let of =
        |touches: &BuildChanges| -> BTreeSet<Built> { touches.pieces.iter().map(|piece| piece.of).collect() };
    of(now) == of(meant)
}

/// Returns the refusal of a number that no entry has.
pub(crate) fn no_entry(id: JournalId) -> Refusal {
    refuse!("The journal has no number {id}.")
}
