//! Rows by id, with a note of which were touched since the last cut: what is edited is written, nothing else is.

use crate::world::record::TableChanges;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::ops::Index;
use std::ops::RangeBounds;

/// Rows of one kind.
#[derive(Clone, Debug)]
pub struct Table<K, V> {
    rows: BTreeMap<K, V>,
    touched: BTreeSet<K>,
}

impl<K: Ord + Copy + Debug, V: Clone> Table<K, V> {
    /// Rows as they came from storage; none of them counts as touched.
    pub fn stored(rows: BTreeMap<K, V>) -> Self {
        Self { rows, touched: BTreeSet::new() }
    }

    /// The row, if there is one.
    pub fn get(&self, id: K) -> Option<&V> {
        self.rows.get(&id)
    }

    /// The row, to be changed; it will be written with the batch.
    pub fn edit(&mut self, id: K) -> Option<&mut V> {
        let row = self.rows.get_mut(&id)?;
        self.touched.insert(id);
        Some(row)
    }

    /// Adds or replaces a row.
    pub fn put(&mut self, id: K, row: V) {
        self.rows.insert(id, row);
        self.touched.insert(id);
    }

    /// Removes a row; storage forgets it with the batch.
    pub fn remove(&mut self, id: K) -> Option<V> {
        let row = self.rows.remove(&id)?;
        self.touched.insert(id);
        Some(row)
    }

    /// All rows in the order of their ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.rows.iter().map(|(id, row)| (*id, row))
    }

    /// The rows whose ids are in a range, in the order of their ids.
    pub fn range(&self, ids: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.rows.range(ids).map(|(id, row)| (*id, row))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What was touched since the last cut, as it stands.
    pub fn cut(&mut self) -> TableChanges<K, V> {
        let mut changes = TableChanges::default();
        for id in std::mem::take(&mut self.touched) {
            match self.rows.get(&id) {
                Some(row) => changes.put.push(row.clone()),
                None => changes.gone.push(id),
            }
        }
        changes
    }

    /// A copy of all rows.
    pub fn rows(&self) -> BTreeMap<K, V> {
        self.rows.clone()
    }
}

/// For ids that the world's invariants vouch for; a missing row is a broken invariant and stops the step.
impl<K: Ord + Copy + Debug, V> Index<K> for Table<K, V> {
    type Output = V;
    fn index(&self, id: K) -> &V {
        match self.rows.get(&id) {
            Some(row) => row,
            None => panic!("broken invariant: no row {id:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_holds_what_was_touched_once() {
        let mut table = Table::stored(BTreeMap::from([(1, "a"), (2, "b"), (3, "c")]));
        table.put(4, "d");
        table.remove(4);
        table.remove(2);
        *table.edit(3).unwrap() = "C";
        let changes = table.cut();
        assert_eq!((changes.put, changes.gone), (vec!["C"], vec![2, 4]));
        assert!(table.cut().is_empty());
    }
}
