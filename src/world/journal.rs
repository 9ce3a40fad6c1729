//! The journal of what was built: an entry for each command of a builder that changed something, with what it
//! touched. It is written in the batch of the command.

use crate::base::{AccountId, CharacterId, GameTime, JournalId, RoomId};
use crate::world::{Built, Item, Piece, Touches, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// That an entry was taken back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Undone {
    /// A number of its own, later than that of every entry before it.
    pub number: JournalId,
    /// When.
    pub at: GameTime,
    /// Who, by name.
    pub name: String,
}

/// An entry of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Identity, never used again.
    pub id: JournalId,
    /// When.
    pub at: GameTime,
    /// Whose right was used; none for the operator of the server.
    pub account: Option<AccountId>,
    /// The name of the account then.
    pub name: String,
    /// What was typed, or the beginning of it.
    pub line: String,
    /// Where; none for the operator.
    pub room: Option<RoomId>,
    /// What it did.
    pub touches: Touches,
    /// Whether what it did was too much to be kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
    /// That it was taken back, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<Undone>,
    /// How many bytes it takes, about.
    pub bytes: u32,
}

impl JournalEntry {
    /// When something became of it last, as a number in the journal.
    pub fn moved(&self) -> JournalId {
        self.undone.as_ref().map_or(self.id, |undone| undone.number)
    }

    /// Whether it touched a row.
    pub fn touches(&self, built: Built) -> bool {
        self.touches.pieces.iter().any(|piece| piece.of == built)
    }

    fn weigh(&mut self) {
        let bytes = serde_json::to_string(&self.touches).map_or(0, |json| json.len()) + self.line.len() + 200;
        self.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    }
}

/// Whose entries they are: an account's, or the operator's.
type Author = Option<AccountId>;

/// Entries by author, with how much they weigh.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelves {
    authors: BTreeMap<Author, (BTreeSet<JournalId>, u64)>,
    bytes: u64,
}

impl Shelves {
    /// An entry is there.
    pub(super) fn note(&mut self, entry: &JournalEntry) {
        let (entries, bytes) = self.authors.entry(entry.account).or_default();
        entries.insert(entry.id);
        *bytes += u64::from(entry.bytes);
        self.bytes += u64::from(entry.bytes);
    }

    /// An entry is gone.
    fn forget(&mut self, entry: &JournalEntry) {
        let Some((entries, bytes)) = self.authors.get_mut(&entry.account) else { return };
        entries.remove(&entry.id);
        *bytes -= u64::from(entry.bytes);
        if entries.is_empty() {
            self.authors.remove(&entry.account);
        }
        self.bytes -= u64::from(entry.bytes);
    }

    fn of(&self, author: Author) -> impl DoubleEndedIterator<Item = JournalId> {
        self.authors.get(&author).into_iter().flat_map(|(entries, _)| entries).copied()
    }

    fn count(&self, author: Author) -> usize {
        self.authors.get(&author).map_or(0, |(entries, _)| entries.len())
    }

    /// The oldest entry of whoever's weigh most.
    fn oldest_of_the_heaviest(&self) -> Option<JournalId> {
        let heaviest = self.authors.values().max_by_key(|(_, bytes)| *bytes)?;
        heaviest.0.first().copied()
    }
}

impl World {
    /// Writes an entry, or writes it anew. Of more entries of one author than `most` the oldest go, and of more bytes than
    /// `bytes_most` the oldest of whoever takes most, so that nobody pushes out what others did.
    pub fn write_journal(&mut self, mut entry: JournalEntry, most: u32, bytes_most: u32) {
        entry.weigh();
        if entry.bytes > bytes_most / 2 {
            (entry.touches, entry.too_large) = (Touches::default(), true);
            entry.weigh();
        }
        if let Some(old) = self.journal.get(entry.id) {
            self.index.journal.forget(old);
        }
        self.index.journal.note(&entry);
        let author = entry.account;
        self.journal.put(entry);
        while self.index.journal.count(author) > most as usize {
            let Some(oldest) = self.index.journal.of(author).next() else { break };
            remove(self, oldest);
        }
        while self.index.journal.bytes > u64::from(bytes_most)
            && let Some(oldest) = self.index.journal.oldest_of_the_heaviest()
        {
            remove(self, oldest);
        }
    }

    /// The entries of an author, oldest first.
    pub fn journal_of(&self, author: Option<AccountId>) -> impl DoubleEndedIterator<Item = &JournalEntry> {
        self.index.journal.of(author).filter_map(|id| self.journal.get(id))
    }
}

fn remove(world: &mut World, id: JournalId) {
    if let Some(gone) = world.journal.remove(id) {
        world.index.journal.forget(&gone);
    }
}

/// Somebody is mentioned no longer: not as who builds a zone, not as who something in the bin is kept for.
pub(super) fn forget_person(world: &mut World, account: AccountId, bodies: &[CharacterId]) {
    let owned = |item: &Item| item.owner.is_some_and(|who| bodies.contains(&who));
    let author = Value::from(account.0);
    let is_authors = |piece: &Piece| {
        let mut images = piece.before.iter().chain(&piece.after);
        matches!(piece.of, Built::Definition(_)) && images.any(|image| image.get("author") == Some(&author))
    };
    let is_meant = |entry: &JournalEntry| {
        let zones = entry.touches.zones.values().any(|zone| zone.mentions(account));
        let pieces = entry.touches.pieces.iter().any(is_authors);
        zones || pieces || entry.touches.bin.iter().any(owned)
    };
    world.journal.change_where(is_meant, |entry| {
        entry.touches.zones.values_mut().for_each(|zone| zone.forget(account));
        let authors = entry.touches.pieces.iter_mut().filter(|piece| is_authors(piece));
        for image in authors.flat_map(|piece| piece.before.iter_mut().chain(&mut piece.after)) {
            if let Value::Object(fields) = image
                && fields.get("author") == Some(&author)
            {
                fields.remove("author");
            }
        }
        let owned = entry.touches.bin.iter_mut().filter(|item| owned(item));
        owned.for_each(|item| (item.owner, item.owner_until) = (None, None));
    });
}

/// The last number that the journal has in it.
pub(super) fn last_number(world: &World) -> Option<u64> {
    let undone = world.journal.iter().map(|(_, entry)| entry.moved().0);
    undone.max()
}

/// Nothing is in the world and in the bin, an entry is taken back after it was made, and the shelves hold what there is.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    let mut shelved = Shelves::default();
    for (id, entry) in world.journal.iter() {
        shelved.note(entry);
        if entry.moved() < id || entry.bytes == 0 {
            wrong.push(format!("journal {id}: taken back before it was made, or of no weight"));
        }
        if entry.too_large != entry.touches.is_empty() {
            wrong.push(format!("journal {id}: too large: {}, and yet something or nothing", entry.too_large));
        }
        for item in entry.touches.bin.iter().filter(|item| world.items.get(item.id).is_some()) {
            wrong.push(format!("journal {id}: thing {} is in its bin and in the world", item.id));
        }
    }
    if shelved.bytes != world.index.journal.bytes || shelved.authors != world.index.journal.authors {
        wrong.push("journal: its shelves do not hold what there is".to_owned());
    }
}
