//! Tables with an index: look-ups that follow from the rows of one table.

use crate::world::Table;
use crate::world::tables::Row;
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};

/// Look-ups over the rows of one table.
pub trait TableIndex<R>: Default {
    /// Adds a row.
    fn note(&mut self, row: &R);

    /// Removes a row.
    fn forget(&mut self, row: &R);
}

/// Table with its index. The methods of the table remain available for fields that the index does not hold.
#[derive(Clone, Debug)]
pub struct Indexed<R: Row, I> {
    pub(super) rows: Table<R>,
    pub(super) index: I,
}

impl<R: Row, I: TableIndex<R>> Indexed<R, I> {
    /// Creates a table from stored rows, without its index.
    pub(super) fn stored(rows: BTreeMap<R::Id, R>) -> Self {
        Self { rows: Table::stored(rows), index: I::default() }
    }

    /// Rebuilds the index after rows were loaded or rolled back.
    pub(super) fn rebuild_index(&mut self) {
        self.index = I::default();
        self.rows.iter().for_each(|(_, row)| self.index.note(row));
    }

    /// Adds a new row.
    pub fn add(&mut self, row: R) {
        self.index.note(&row);
        self.rows.put(row);
    }

    /// Removes a row.
    pub fn remove(&mut self, id: R::Id) -> Option<R> {
        let gone = self.rows.remove(id)?;
        self.index.forget(&gone);
        Some(gone)
    }

    /// Takes a stored row into memory, with its entry in the index. A row that is in memory stays as it is.
    pub(super) fn restore(&mut self, row: R) {
        self.index.note(&row);
        self.rows.restore(row);
    }
}

impl<R: Row, I> Deref for Indexed<R, I> {
    type Target = Table<R>;

    fn deref(&self) -> &Table<R> {
        &self.rows
    }
}

impl<R: Row, I> DerefMut for Indexed<R, I> {
    fn deref_mut(&mut self) -> &mut Table<R> {
        &mut self.rows
    }
}

/// Removes a value from a set of a map, and an empty set from the map.
pub(super) fn remove_from<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V: Ord>(
    sets: &mut BTreeMap<K, BTreeSet<V>>,
    key: &Q,
    value: &V,
) {
    if let Some(set) = sets.get_mut(key) {
        set.remove(value);
        if set.is_empty() {
            sets.remove(key);
        }
    }
}
