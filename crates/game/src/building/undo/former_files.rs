//! Undo and redo of imports that took several steps: the former files are imported, over several steps too.

use super::{UndoActor, concerns};
use crate::building::zones;
use crate::building::zones::{draft, file_work};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::world::{FormerZones, JournalEntry};

/// Told when the import of the former files begins.
pub(super) const TAKES_LONG: &str = "That takes a moment; you are told when it is done.";

/// Begins to import the former files of an entry.
pub(super) fn begin(
    turn: &mut Turn,
    hand: UndoActor,
    entry: &JournalEntry,
    former: &FormerZones,
) -> Result<(), Refusal> {
    turn.require_writable()?;
    turn.require_no_import()?;
    for (zone, file) in &former.files {
        zones::require_author(turn, hand.account, zone)?;
        require_unchanged(turn, entry, zone)?;
        if file.is_none() {
            require_bare(turn, zone)?;
        }
    }
    let Some(session) = turn.seated.get(&hand.who).copied() else {
        return Err(refuse!("Only who plays takes that back."));
    };
    file_work::reverse(turn, session, entry.id, former);
    Ok(())
}

/// Refuses if a later entry, which is not undone, changed the zone.
fn require_unchanged(turn: &Turn, entry: &JournalEntry, zone: &str) -> Result<(), Refusal> {
    let entries = turn.world.journal.iter().rev().map(|(_, other)| other);
    let mut later = entries.take_while(|other| other.id > entry.id).filter(|other| other.undone.is_none());
    match later.find(|other| other.id > entry.moved() && concerns(turn, other, zone)) {
        Some(other) => Err(refuse!(
            "The zone {zone} has changed since: number {}, \"{}\", by {}. Take that back first.",
            other.id,
            other.line,
            other.name
        )),
        None => Ok(()),
    }
}

/// Refuses to remove a zone that has got something else than rooms.
fn require_bare(turn: &Turn, zone: &str) -> Result<(), Refusal> {
    let has_definitions = turn.world.definitions.iter().any(|(_, row)| row.zone.as_deref() == Some(zone));
    let has_more = has_definitions || !zones::row(turn, zone).vaults.is_empty();
    if has_more || zones::is_zone(turn, &draft::key_of(zone)) {
        return Err(refuse!(
            "The zone {zone} has definitions, vaults or a draft now, which would go with it."
        ));
    }
    Ok(())
}
