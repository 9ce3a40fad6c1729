//! Journal of changes by builders, written in the step that makes them. `undo` reverts them.

pub(crate) mod words;

use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, JournalId, RoomId};
use deepwell_core::text::sanitise;
use deepwell_core::world::{
    BuildChanges, Built, FileVersions, FormerZones, JournalEntry, RowChange, UndoRecord, Zone, ZoneChange,
};
use std::collections::BTreeSet;

/// Maximum length of a command line in the journal; the images hold the full change.
const LINE_CHARS: usize = 200;

/// Notice about a change of which the journal keeps no images.
pub(crate) const TOO_LARGE: &str = "That was more than the journal keeps: undo cannot take it back.";

/// Starts to record changes to the hand-built world.
pub(crate) fn watch(turn: &mut Turn) {
    turn.world.watch_builder_rows();
}

/// Ends [`watch`] and writes an entry if there were changes: the account, the command line and the room. Returns a
/// message for the builder if the change was too large to store.
pub(crate) fn write_entry(
    turn: &mut Turn,
    account: Option<AccountId>,
    line: &str,
    room: Option<RoomId>,
) -> Option<&'static str> {
    let mut touches = turn.world.take_build_changes(room);
    if touches.pieces.is_empty() {
        // Writing a file makes an area a zone without a change by a builder.
        touches.zones.retain(|_, zone| !only_became_zone(zone));
    }
    if touches.is_empty() {
        return None;
    }
    tell_clients(turn, &touches);
    let id = turn.world.new_journal_id();
    let written = entry(turn, id, account, line, room, touches);
    write(turn, written);
    let too_large = turn.world.journal.get(id).is_none_or(|entry| entry.too_large);
    too_large.then_some(TOO_LARGE)
}

/// Writes the entry of a change that took several steps, of which the journal keeps no images, but for an import the former
/// zones. Returns `true` if it can be undone.
pub(crate) fn write_large(
    turn: &mut Turn,
    id: JournalId,
    account: Option<AccountId>,
    line: &str,
    room: Option<RoomId>,
    former: Option<FormerZones>,
) -> bool {
    let entry = entry(turn, id, account, line, room, BuildChanges::default());
    write(turn, JournalEntry { too_large: former.is_none(), former, ..entry });
    turn.world.journal.get(id).is_some_and(|entry| !entry.too_large)
}

/// Rewrites the entry of an import that was undone or done again. Returns `true` if that can be turned over in turn.
pub(crate) fn reverse(
    turn: &mut Turn,
    id: JournalId,
    account: Option<AccountId>,
    former: Option<FormerZones>,
) -> bool {
    let Some(entry) = turn.world.journal.get(id).cloned() else { return false };
    let undone = entry.undone.is_none().then(|| undo_record(turn, account));
    write(turn, JournalEntry { too_large: former.is_none(), former, undone, ..entry });
    turn.world.journal.get(id).is_some_and(|entry| !entry.too_large)
}

/// Returns the record of an undo by an account at present.
pub(crate) fn undo_record(turn: &mut Turn, account: Option<AccountId>) -> UndoRecord {
    let name = account.and_then(|account| turn.world.accounts.get(account)).map(|row| row.name.clone());
    UndoRecord { number: turn.world.new_journal_id(), at: turn.now, name: name.unwrap_or_default() }
}

fn entry(
    turn: &Turn,
    id: JournalId,
    account: Option<AccountId>,
    line: &str,
    room: Option<RoomId>,
    touches: BuildChanges,
) -> JournalEntry {
    let name = account.and_then(|account| turn.world.accounts.get(account)).map(|row| row.name.clone());
    JournalEntry {
        id,
        at: turn.now,
        account,
        name: name.unwrap_or_else(|| "the operator".into()),
        line: shortened(line),
        room,
        touches,
        former: None,
        too_large: false,
        undone: None,
        bytes: 0,
    }
}

/// Notifies clients that show a room with changes to itself or its exits.
fn tell_clients(turn: &mut Turn, touches: &BuildChanges) {
    let room_of = |piece: &RowChange| match piece.of {
        Built::Room(room) => Some(room),
        Built::Exit(exit) => match turn.world.exits.get(exit) {
            Some(exit) => Some(exit.room),
            None => piece.before.as_ref()?.get("room")?.as_u64()?.try_into().ok().map(RoomId),
        },
        Built::Tasks(_) | Built::Creature(_) | Built::Item(_) | Built::Definition(_) => None,
    };
    let rooms: BTreeSet<RoomId> = touches.pieces.iter().filter_map(room_of).collect();
    for room in rooms.into_iter().filter(|room| turn.world.rooms.get(*room).is_some()).collect::<Vec<_>>() {
        turn.emit_event(GameEvent::RoomChanged { room });
    }
}

/// Writes or rewrites an entry, within the limits.
pub(crate) fn write(turn: &mut Turn, entry: JournalEntry) {
    let (most, bytes) = (turn.config.limits.journal_entries, turn.config.limits.journal_bytes);
    turn.world.journal.write(entry, most, bytes);
}

/// Returns `true` if the only change is that the area is now stored as a zone.
fn only_became_zone(zone: &ZoneChange) -> bool {
    let plain = |zone: &Zone| {
        let (file, package) = (FileVersions::default(), FileVersions::default());
        Zone { file, package, ..zone.clone() } == Zone::default()
    };
    zone.before.is_none() && zone.after.as_ref().is_none_or(plain)
}

/// Shortens a command line for the journal.
fn shortened(line: &str) -> String {
    let line = line.trim().replace('\n', " ");
    let short = sanitise::clean_line(&line, LINE_CHARS);
    if short.len() < line.len() { format!("{short}...") } else { short }
}
