//! Build journal: one entry per builder command that changed something, with the affected rows. Written in the same
//! batch as the command.

use crate::base::{AccountId, CharacterId, GameTime, JournalId, RoomId};
use crate::world::indexed::{Indexed, TableIndex};
use crate::world::{BuildChanges, Built, FormerZones, Item, RowChange, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Record of an undo.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UndoRecord {
    /// Journal number of the undo, later than that of every entry before it.
    pub number: JournalId,
    /// Time of the action.
    pub at: GameTime,
    /// Name of the builder.
    pub name: String,
}

/// Entry of the build journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Unique id, never reused.
    pub id: JournalId,
    /// Time of the action.
    pub at: GameTime,
    /// Account whose permission was used; `None` for the server operator.
    pub account: Option<AccountId>,
    /// Name of the account at that time.
    pub name: String,
    /// Command as typed, possibly truncated.
    pub line: String,
    /// Room in which it was typed; `None` for the operator.
    pub room: Option<RoomId>,
    /// Changes made by the command.
    pub touches: BuildChanges,
    /// Zones on the other side of an import that took several steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<FormerZones>,
    /// Set if the changes were too large to store.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
    /// Record of the undo, if the entry was undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<UndoRecord>,
    /// Approximate size in bytes.
    pub bytes: u32,
}

impl JournalEntry {
    /// Returns the journal number of the latest action on the entry.
    pub fn moved(&self) -> JournalId {
        self.undone.as_ref().map_or(self.id, |undone| undone.number)
    }

    /// Returns `true` if the entry touched a row.
    pub fn touches(&self, built: Built) -> bool {
        self.touches.pieces.iter().any(|piece| piece.of == built)
    }

    fn weigh(&mut self) {
        let former = self.former.as_ref().map_or(0, FormerZones::bytes);
        let touches = serde_json::to_string(&self.touches).map_or(0, |json| json.len());
        let bytes = touches + former + self.line.len() + 200;
        self.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    }
}

/// Author of entries: an account, or `None` for the operator.
type JournalAuthor = Option<AccountId>;

/// Entries by author, with their sizes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JournalIndex {
    authors: BTreeMap<JournalAuthor, (BTreeSet<JournalId>, u64)>,
    bytes: u64,
}

impl TableIndex<JournalEntry> for JournalIndex {
    fn note(&mut self, entry: &JournalEntry) {
        let (entries, bytes) = self.authors.entry(entry.account).or_default();
        entries.insert(entry.id);
        *bytes += u64::from(entry.bytes);
        self.bytes += u64::from(entry.bytes);
    }

    fn forget(&mut self, entry: &JournalEntry) {
        let Some((entries, bytes)) = self.authors.get_mut(&entry.account) else { return };
        entries.remove(&entry.id);
        *bytes -= u64::from(entry.bytes);
        if entries.is_empty() {
            self.authors.remove(&entry.account);
        }
        self.bytes -= u64::from(entry.bytes);
    }
}

impl JournalIndex {
    fn of(&self, author: JournalAuthor) -> impl DoubleEndedIterator<Item = JournalId> {
        self.authors.get(&author).into_iter().flat_map(|(entries, _)| entries).copied()
    }

    fn count(&self, author: JournalAuthor) -> usize {
        self.authors.get(&author).map_or(0, |(entries, _)| entries.len())
    }

    /// Returns the oldest entry of the author with the largest total size.
    fn oldest_of_largest_author(&self) -> Option<JournalId> {
        let heaviest = self.authors.values().max_by_key(|(_, bytes)| *bytes)?;
        heaviest.0.first().copied()
    }
}

/// Build journal.
pub type Journal = Indexed<JournalEntry, JournalIndex>;

impl Journal {
    /// Inserts or replaces an entry. Above `most` entries of its author, the author's oldest are deleted. Above
    /// `bytes_most` in total, the oldest of the author with the largest total size are deleted, so that no author can
    /// push out the entries of others.
    pub fn write(&mut self, mut entry: JournalEntry, most: u32, bytes_most: u32) {
        entry.weigh();
        if entry.bytes > bytes_most / 2 {
            (entry.touches, entry.former, entry.too_large) = (BuildChanges::default(), None, true);
            entry.weigh();
        }
        if let Some(old) = self.rows.get(entry.id) {
            self.index.forget(old);
        }
        let author = entry.account;
        self.add(entry);
        while self.index.count(author) > most as usize {
            let Some(oldest) = self.index.of(author).next() else { break };
            self.remove(oldest);
        }
        while self.index.bytes > u64::from(bytes_most)
            && let Some(oldest) = self.index.oldest_of_largest_author()
        {
            self.remove(oldest);
        }
    }

    /// Returns the entries of an author, oldest first.
    pub fn of(&self, author: Option<AccountId>) -> impl DoubleEndedIterator<Item = &JournalEntry> {
        self.index.of(author).filter_map(|id| self.get(id))
    }

    /// Removes references to characters as owners of items in a bin.
    pub(in crate::world) fn forget_characters(&mut self, bodies: &[CharacterId]) {
        let owned = |item: &Item| item.owner.is_some_and(|who| bodies.contains(&who));
        let is_meant = |entry: &JournalEntry| entry.touches.bin.iter().any(owned);
        self.rows.change_where(is_meant, |entry| {
            let owned = entry.touches.bin.iter_mut().filter(|item| owned(item));
            owned.for_each(|item| (item.owner, item.owner_until) = (None, None));
        });
    }

    /// Removes references to an account: as builder of a zone, and as author of a definition.
    pub(in crate::world) fn forget_account(&mut self, account: AccountId) {
        let author = Value::from(account.0);
        let is_authors = |piece: &RowChange| {
            let mut images = piece.before.iter().chain(&piece.after);
            matches!(piece.of, Built::Definition(_))
                && images.any(|image| image.get("author") == Some(&author))
        };
        let is_meant = |entry: &JournalEntry| {
            let zones = entry.touches.zones.values().any(|zone| zone.mentions(account));
            let pieces = entry.touches.pieces.iter().any(is_authors);
            zones || pieces
        };
        self.rows.change_where(is_meant, |entry| {
            entry.touches.zones.values_mut().for_each(|zone| zone.forget(account));
            let authors = entry.touches.pieces.iter_mut().filter(|piece| is_authors(piece));
            for image in authors.flat_map(|piece| piece.before.iter_mut().chain(&mut piece.after)) {
                if let Value::Object(fields) = image
                    && fields.get("author") == Some(&author)
                {
                    fields.remove("author");
                }
            }
        });
    }

    /// Returns the highest number in use.
    pub(in crate::world) fn last_number(&self) -> Option<u64> {
        self.iter().map(|(_, entry)| entry.moved().0).max()
    }
}

/// Checks that no item is both in the world and in a bin, that undos follow their entries, and that the index matches
/// the rows.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut shelved = JournalIndex::default();
    for (id, entry) in world.journal.iter() {
        shelved.note(entry);
        if entry.moved() < id || entry.bytes == 0 {
            violations.push(format!("journal {id}: taken back before it was made, or of no weight"));
        }
        if (entry.too_large || entry.former.is_some()) != entry.touches.is_empty() {
            violations
                .push(format!("journal {id}: too large: {}, and yet something or nothing", entry.too_large));
        }
        for item in entry.touches.bin.iter().filter(|item| world.items.get(item.id).is_some()) {
            violations.push(format!("journal {id}: thing {} is in its bin and in the world", item.id));
        }
    }
    if shelved != world.journal.index {
        violations.push("journal: its shelves do not hold what there is".to_owned());
    }
}
