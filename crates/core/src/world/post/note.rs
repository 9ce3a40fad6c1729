//! Notes on boards: the rows, and their order on each board. A board is named by its zone and key, so that several rooms
//! can show the same one.

use crate::base::{CharacterId, GameTime, NoteId};
use crate::world::World;
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Note on a board, stored as one row until it is removed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// Unique id, never reused.
    pub id: NoteId,
    /// Zone and key of the board: `town/lodge`.
    pub board: String,
    /// Number on the board.
    pub number: u32,
    /// Author. The note is removed with the account.
    pub from: CharacterId,
    /// Title.
    pub title: String,
    /// Text.
    pub text: String,
    /// Time of writing.
    pub at: GameTime,
}

/// Notes by board and by author.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoteIndex {
    boards: BTreeMap<String, BTreeMap<u32, NoteId>>,
    by_author: BTreeMap<CharacterId, BTreeSet<NoteId>>,
}

impl TableIndex<Note> for NoteIndex {
    fn note(&mut self, note: &Note) {
        self.boards.entry(note.board.clone()).or_default().insert(note.number, note.id);
        self.by_author.entry(note.from).or_default().insert(note.id);
    }

    fn forget(&mut self, note: &Note) {
        if let Some(notes) = self.boards.get_mut(&note.board) {
            notes.remove(&note.number);
            if notes.is_empty() {
                self.boards.remove(&note.board);
            }
        }
        remove_from(&mut self.by_author, &note.from, &note.id);
    }
}

/// Notes on boards.
pub type Notes = Indexed<Note, NoteIndex>;

impl Notes {
    /// Returns the notes of a board, oldest first.
    pub fn on(&self, board: &str) -> impl DoubleEndedIterator<Item = &Note> {
        self.index.boards.get(board).into_iter().flat_map(BTreeMap::values).map(|id| &self.rows[*id])
    }

    /// Returns a note by its number on a board.
    pub fn numbered(&self, board: &str, number: u32) -> Option<&Note> {
        self.get(*self.index.boards.get(board)?.get(&number)?)
    }

    /// Returns the notes of an author.
    pub fn by(&self, who: CharacterId) -> impl Iterator<Item = &Note> {
        self.index.by_author.get(&who).into_iter().flatten().map(|id| &self.rows[*id])
    }

    /// Returns the oldest note of the author with the most notes on all boards, if they are more than `least`.
    pub fn most_dispensable(&self, least: usize) -> Option<NoteId> {
        let of_most = self.index.by_author.values().max_by_key(|notes| notes.len())?;
        of_most.first().copied().filter(|_| of_most.len() > least)
    }

    /// Adds a note to its board, under the next number. Above `most` notes, the oldest note of the author with the most
    /// notes is removed, so that no author can push out the notes of others.
    pub fn post(&mut self, mut note: Note, most: usize) {
        let last = self.index.boards.get(&note.board).and_then(BTreeMap::last_key_value);
        note.number = last.map_or(1, |(last, _)| last + 1);
        let board = note.board.clone();
        self.add(note);
        while self.on(&board).count() > most {
            let mut counts: BTreeMap<CharacterId, usize> = BTreeMap::new();
            self.on(&board).for_each(|note| *counts.entry(note.from).or_default() += 1);
            let top = counts.values().max().copied();
            let oldest = self.on(&board).find(|note| counts.get(&note.from).copied() == top);
            let Some(oldest) = oldest.map(|note| note.id) else { return };
            self.remove(oldest);
        }
    }

    /// Removes the notes of these authors.
    pub(in crate::world) fn remove_by(&mut self, bodies: &[CharacterId]) {
        let notes: Vec<NoteId> = bodies.iter().flat_map(|who| self.by(*who)).map(|note| note.id).collect();
        for id in notes {
            self.remove(id);
        }
    }

    /// Removes the notes on the boards of a zone.
    pub(in crate::world) fn remove_of_zone(&mut self, zone: &str) {
        let boards = self.index.boards.range(format!("{zone}/")..);
        let of_zone = boards
            .take_while(|(board, _)| board.starts_with(zone))
            .filter(|(board, _)| board.split_once('/').is_some_and(|(of, _)| of == zone));
        let notes: Vec<NoteId> = of_zone.flat_map(|(_, notes)| notes.values().copied()).collect();
        for id in notes {
            self.remove(id);
        }
    }
}

/// Checks that notes have authors, are on boards and in the index.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut index = NoteIndex::default();
    for (id, note) in world.notes.iter() {
        if !world.is_players(note.from) || note.board.split_once('/').is_none() {
            violations.push(format!("notes {id}: by no character of a player, or on no board"));
        }
        if world.notes.numbered(&note.board, note.number).map(|note| note.id) != Some(id) {
            violations.push(format!("notes {id}: another has its number on the same board"));
        }
        index.note(note);
    }
    if index != world.notes.index {
        violations.push("notes: the index differs from the rows".to_owned());
    }
}
