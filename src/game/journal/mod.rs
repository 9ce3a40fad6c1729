//! Writes down what builders change, in the step in which they do. Taking it back is `undo`'s.

pub(crate) mod words;

use super::turn::Turn;
use crate::base::{AccountId, RoomId};
use crate::text::sanitise;
use crate::world::{JournalEntry, Zone, ZoneFile, ZonePiece};

/// Letters of a typed line that the journal keeps; the images have the rest of it.
const LINE_CHARS: usize = 200;

/// From now on it is noted what of the built world changes.
pub(crate) fn watch(turn: &mut Turn) {
    turn.world.watch_built();
}

/// Ends [`watch`], and writes down what has changed, if anything has: who did it by typing what, and where. What there is
/// to be said to them, if it was too much to be kept.
pub(crate) fn write_down(
    turn: &mut Turn,
    account: Option<AccountId>,
    line: &str,
    room: Option<RoomId>,
) -> Option<&'static str> {
    let mut touches = turn.world.take_touches(room);
    if touches.pieces.is_empty() {
        // That a file of it is written makes an area a zone, which nobody has built.
        touches.zones.retain(|_, zone| !is_plain(zone));
    }
    if touches.is_empty() {
        return None;
    }
    let id = turn.world.new_journal_id();
    let name = account.and_then(|account| turn.world.accounts.get(account)).map(|row| row.name.clone());
    write(
        turn,
        JournalEntry {
            id,
            at: turn.now,
            account,
            name: name.unwrap_or_else(|| "the operator".into()),
            line: shortened(line),
            room,
            touches,
            too_large: false,
            undone: None,
            bytes: 0,
        },
    );
    let too_large = turn.world.journal.get(id).is_none_or(|entry| entry.too_large);
    too_large.then_some("That was more than the journal keeps: undo cannot take it back.")
}

/// Writes an entry anew, within the limits.
pub(crate) fn write(turn: &mut Turn, entry: JournalEntry) {
    let (most, bytes) = (turn.config.limits.journal_entries, turn.config.limits.journal_bytes);
    turn.world.write_journal(entry, most, bytes);
}

/// Whether all that became of a zone is that it is kept as one.
fn is_plain(zone: &ZonePiece) -> bool {
    let plain = |zone: &Zone| Zone { file: ZoneFile::default(), ..zone.clone() } == Zone::default();
    zone.before.is_none() && zone.after.as_ref().is_none_or(plain)
}

/// A typed line as the journal has it: the beginning of a long one.
fn shortened(line: &str) -> String {
    let line = line.trim().replace('\n', " ");
    let short = sanitise::clean_line(&line, LINE_CHARS);
    if short.len() < line.len() { format!("{short}...") } else { short }
}
