//! Rows by id, with tracking of the rows touched since the last cut: only edited rows are written.

use crate::world::record::TableChanges;
use crate::world::tables::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, RangeBounds};

/// Table of rows of one type.
#[derive(Clone, Debug)]
pub struct Table<R: Row> {
    /// Boxed, because the nodes of the tree are half empty after insertions in order, and rows are large.
    rows: BTreeMap<R::Id, Box<R>>,
    touched: BTreeSet<R::Id>,
    /// Original values of the rows touched while tracking is on; `None` while it is off.
    before: Option<BTreeMap<R::Id, Before<R>>>,
}

/// Row before its first change.
#[derive(Clone, Debug)]
struct Before<R> {
    /// Original row; `None` if it did not exist.
    row: Option<R>,
    /// Set if the row was already touched before.
    touched: bool,
}

impl<R: Row> Table<R> {
    /// Creates a table from stored rows without marking them as touched.
    pub fn stored(rows: BTreeMap<R::Id, R>) -> Self {
        let rows = rows.into_iter().map(|(id, row)| (id, Box::new(row))).collect();
        Self { rows, touched: BTreeSet::new(), before: None }
    }

    /// Returns the row, if it exists.
    pub fn get(&self, id: R::Id) -> Option<&R> {
        self.rows.get(&id).map(Box::as_ref)
    }

    /// Returns the row for editing and marks it as touched.
    pub fn edit(&mut self, id: R::Id) -> Option<&mut R> {
        let row = self.rows.get_mut(&id)?;
        note(&mut self.touched, &mut self.before, id, Some(row));
        Some(row)
    }

    /// Changes a row; `None` if it does not exist.
    pub fn change<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> Option<T> {
        self.edit(id).map(change)
    }

    /// Inserts or replaces a row.
    pub fn put(&mut self, row: R) {
        note(&mut self.touched, &mut self.before, row.id(), self.rows.get(&row.id()).map(Box::as_ref));
        self.rows.insert(row.id(), Box::new(row));
    }

    /// Removes a row; the next batch deletes it from storage.
    pub fn remove(&mut self, id: R::Id) -> Option<R> {
        let row = self.rows.remove(&id)?;
        note(&mut self.touched, &mut self.before, id, Some(&row));
        Some(*row)
    }

    /// Changes all rows that match a predicate.
    pub fn change_where(&mut self, is_meant: impl Fn(&R) -> bool, mut change: impl FnMut(&mut R)) {
        for id in self.ids_where(is_meant) {
            self.edit(id).into_iter().for_each(&mut change);
        }
    }

    /// Removes all rows that match a predicate.
    pub fn remove_where(&mut self, is_meant: impl Fn(&R) -> bool) {
        for id in self.ids_where(is_meant) {
            self.remove(id);
        }
    }

    fn ids_where(&self, is_meant: impl Fn(&R) -> bool) -> Vec<R::Id> {
        self.rows.iter().filter(|(_, row)| is_meant(row)).map(|(id, _)| *id).collect()
    }

    /// Turns tracking of original values on or off. Values tracked so far are discarded.
    pub fn track_originals(&mut self, kept: bool) {
        self.before = kept.then(BTreeMap::new);
    }

    /// Returns the original values of the rows touched since tracking began, and turns tracking off. The value is
    /// `None` for rows that did not exist.
    pub fn take_originals(&mut self) -> Vec<(R::Id, Option<R>)> {
        let before = self.before.take().unwrap_or_default();
        before.into_iter().map(|(id, before)| (id, before.row)).collect()
    }

    /// Rolls back the changes made since tracking began. Returns `true` if there were any.
    pub fn take_back(&mut self) -> bool {
        let Some(before) = &mut self.before else { return false };
        let changed = !before.is_empty();
        for (id, before) in std::mem::take(before) {
            if !before.touched {
                self.touched.remove(&id);
            }
            match before.row {
                Some(row) => drop(self.rows.insert(id, Box::new(row))),
                None => drop(self.rows.remove(&id)),
            }
        }
        changed
    }

    /// Returns all rows in id order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (R::Id, &R)> {
        self.rows.iter().map(|(id, row)| (*id, row.as_ref()))
    }

    /// Returns the rows with ids in a range, in id order.
    pub fn range(&self, ids: impl RangeBounds<R::Id>) -> impl DoubleEndedIterator<Item = (R::Id, &R)> {
        self.rows.range(ids).map(|(id, row)| (*id, row.as_ref()))
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Takes the current values of all rows touched since the last cut.
    pub fn cut(&mut self) -> TableChanges<R> {
        let mut changes = TableChanges::default();
        for id in std::mem::take(&mut self.touched) {
            match self.rows.get(&id) {
                Some(row) => changes.put.push(R::clone(row)),
                None => changes.gone.push(id),
            }
        }
        changes
    }

    /// Returns the ids of the rows touched since the last cut, including removed rows.
    pub fn touched(&self) -> impl ExactSizeIterator<Item = R::Id> {
        self.touched.iter().copied()
    }

    /// Returns a copy of all rows.
    pub fn rows(&self) -> BTreeMap<R::Id, R> {
        self.iter().map(|(id, row)| (id, row.clone())).collect()
    }
}

/// Records that a row is about to change, with its original value while tracking is on.
fn note<R: Row>(
    touched: &mut BTreeSet<R::Id>,
    before: &mut Option<BTreeMap<R::Id, Before<R>>>,
    id: R::Id,
    row: Option<&R>,
) {
    let fresh = touched.insert(id);
    if let Some(before) = before {
        before.entry(id).or_insert_with(|| Before { row: row.cloned(), touched: !fresh });
    }
}

/// For ids guaranteed by the world's invariants. A missing row is a broken invariant and panics.
impl<R: Row> Index<R::Id> for Table<R> {
    type Output = R;
    fn index(&self, id: R::Id) -> &R {
        match self.rows.get(&id) {
            Some(row) => row,
            None => panic!("broken invariant: no row {id:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Row for (u32, char) {
        type Id = u32;
        const TABLE: &'static str = "letters";
        const KEY: &'static str = "0";

        fn id(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn tracked_changes_are_rolled_back() {
        let mut table = Table::stored(BTreeMap::from([(1, (1, 'a')), (2, (2, 'b')), (3, (3, 'c'))]));
        table.edit(1).unwrap().1 = 'A';
        table.track_originals(true);
        assert!(!table.take_back());
        table.edit(1).unwrap().1 = 'x';
        table.edit(2).unwrap().1 = 'x';
        table.remove(3);
        table.put((4, 'x'));
        assert!(table.take_back() && !table.take_back());
        assert_eq!(table.rows().into_values().collect::<Vec<_>>(), [(1, 'A'), (2, 'b'), (3, 'c')]);
        table.track_originals(false);
        assert_eq!(table.cut().put, [(1, 'A')], "what was to be written before still is");
    }

    #[test]
    fn cut_has_each_touched_row_once() {
        let mut table = Table::stored(BTreeMap::from([(1, (1, 'a')), (2, (2, 'b')), (3, (3, 'c'))]));
        table.put((4, 'd'));
        table.remove(4);
        table.remove(2);
        table.edit(3).unwrap().1 = 'C';
        let changes = table.cut();
        assert_eq!((changes.put, changes.gone), (vec![(3, 'C')], vec![2, 4]));
        assert!(table.cut().is_empty());
    }
}
