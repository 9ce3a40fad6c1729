//! Rows by id, with tracking of the rows touched since the last cut: only edited rows are written.

use crate::base::WorkMeter;
use crate::world::WorldPart;
use crate::world::tables::Row;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, RangeBounds};

/// Table of rows of one type.
#[derive(Clone, Debug)]
pub struct Table<R: Row> {
    /// A step looks up tens of rows, so the map is a hash map; it is never iterated. Boxed, because a hash map has free
    /// slots, and rows are large.
    rows: FxHashMap<R::Id, Box<R>>,
    /// Ids of all rows, in order.
    order: BTreeSet<R::Id>,
    /// Rows touched since the last cut. `true` if new, or changed in a name or their containing part; perhaps also
    /// after such a change was rolled back.
    touched: BTreeMap<R::Id, bool>,
    /// Original values of the rows touched while tracking is on; `None` while it is off.
    before: Option<BTreeMap<R::Id, RowBefore<R>>>,
    /// Number of rows read or changed, and entries of an index of the table visited.
    pub(super) work: WorkMeter,
    /// Number of changes of rows.
    changes: u64,
}

/// Row before its first change.
#[derive(Clone, Debug)]
struct RowBefore<R> {
    /// Original row; `None` if it did not exist.
    row: Option<R>,
    /// Set if the row was already touched before.
    touched: bool,
}

impl<R: Row> Table<R> {
    /// Creates a table from stored rows without marking them as touched.
    pub fn stored(rows: BTreeMap<R::Id, R>) -> Self {
        let order = rows.keys().copied().collect();
        let rows = rows.into_iter().map(|(id, row)| (id, Box::new(row))).collect();
        Self { rows, order, touched: BTreeMap::new(), before: None, work: WorkMeter::default(), changes: 0 }
    }

    /// Returns the row, if it exists.
    pub fn get(&self, id: R::Id) -> Option<&R> {
        self.work.add(1);
        self.rows.get(&id).map(Box::as_ref)
    }

    /// Returns the row for editing and marks it as touched. A caller that changes a name, or the containing part,
    /// uses [`Self::rekey`].
    pub fn edit(&mut self, id: R::Id) -> Option<&mut R> {
        self.work.add(1);
        self.changes += 1;
        let row = self.rows.get_mut(&id)?;
        note(&mut self.touched, &mut self.before, id, Some(row));
        Some(row)
    }

    /// Returns the row for editing, and marks it as touched in a value that the database keeps outside of the JSON.
    pub fn rekey(&mut self, id: R::Id) -> Option<&mut R> {
        self.work.add(1);
        self.changes += 1;
        let row = self.rows.get_mut(&id)?;
        note(&mut self.touched, &mut self.before, id, Some(row));
        self.touched.insert(id, true);
        Some(row)
    }

    /// Changes a row; `None` if it does not exist.
    pub fn change<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> Option<T> {
        self.edit(id).map(change)
    }

    /// Inserts or replaces a row.
    pub fn put(&mut self, row: R) {
        self.work.add(1);
        self.changes += 1;
        note(&mut self.touched, &mut self.before, row.id(), self.rows.get(&row.id()).map(Box::as_ref));
        self.touched.insert(row.id(), true);
        self.insert(row);
    }

    fn insert(&mut self, row: R) {
        self.order.insert(row.id());
        self.rows.insert(row.id(), Box::new(row));
    }

    fn take(&mut self, id: R::Id) -> Option<R> {
        let row = self.rows.remove(&id)?;
        self.order.remove(&id);
        Some(*row)
    }

    /// Removes a row; the next batch deletes it from storage.
    pub fn remove(&mut self, id: R::Id) -> Option<R> {
        self.work.add(1);
        self.changes += 1;
        let row = self.take(id)?;
        note(&mut self.touched, &mut self.before, id, Some(&row));
        Some(row)
    }

    /// Removes a row that was added since the last cut, as if it had not been added.
    pub(super) fn retract(&mut self, id: R::Id) -> Option<R> {
        self.work.add(1);
        self.changes += 1;
        let row = self.take(id)?;
        self.touched.remove(&id);
        if let Some(before) = &mut self.before {
            before.remove(&id);
        }
        Some(row)
    }

    /// Inserts a row as it is stored, without marking it as touched. A row that is present stays.
    pub(super) fn restore(&mut self, row: R) {
        if !self.rows.contains_key(&row.id()) {
            self.insert(row);
        }
    }

    /// Takes a row out of memory and leaves it in storage.
    ///
    /// # Panics
    /// If the row has changed since the last cut, so that storage has an older one.
    pub(super) fn release(&mut self, id: R::Id) -> Option<R> {
        assert!(
            !self.touched.contains_key(&id),
            "broken invariant: row {id:?} is released before it is stored"
        );
        self.take(id)
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
        self.iter().filter(|(_, row)| is_meant(row)).map(|(id, _)| id).collect()
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
                Some(row) => self.insert(row),
                None => drop(self.take(id)),
            }
        }
        changed
    }

    /// Returns all rows in id order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (R::Id, &R)> {
        self.range(..)
    }

    /// Returns the rows with ids in a range, in id order.
    pub fn range(&self, ids: impl RangeBounds<R::Id>) -> impl DoubleEndedIterator<Item = (R::Id, &R)> {
        self.order.range(ids).map(|id| (*id, &self[*id]))
    }

    /// Returns the number of rows read or changed since the table was created.
    pub fn work(&self) -> u64 {
        self.work.total()
    }

    /// Returns the number of changes of rows since the table was created.
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Takes the current values of all rows touched since the last cut, without their containing parts.
    pub fn cut(&mut self) -> TableChanges<R> {
        let mut changes = TableChanges::default();
        if self.touched.is_empty() {
            return changes;
        }
        for (id, rekeyed) in std::mem::take(&mut self.touched) {
            match self.rows.get(&id) {
                Some(row) => {
                    changes.put.push(R::clone(row));
                    if !rekeyed {
                        changes.edited.insert(id);
                    }
                }
                None => changes.gone.push(id),
            }
        }
        changes
    }

    /// Returns the ids of the rows touched since the last cut, including removed rows.
    pub fn touched(&self) -> impl ExactSizeIterator<Item = R::Id> {
        self.touched.keys().copied()
    }

    /// Returns `true` if the row was touched since the last cut.
    pub fn is_touched(&self, id: R::Id) -> bool {
        self.touched.contains_key(&id)
    }

    /// Returns a copy of all rows.
    pub fn rows(&self) -> BTreeMap<R::Id, R> {
        self.iter().map(|(id, row)| (id, row.clone())).collect()
    }
}

/// Changes of one table. No id is both put and deleted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableChanges<R: Row> {
    /// Rows to insert or replace, in id order.
    pub put: Vec<R>,
    /// Containing parts of these rows, which the rows alone do not tell. Rows outside of parts are left out.
    pub parts: BTreeMap<R::Id, WorldPart>,
    /// Those of these rows that are stored already, with the same name and containing part. Storage leaves the columns
    /// of those values, and their indices, alone.
    pub edited: BTreeSet<R::Id>,
    /// Ids of rows to delete, in order.
    pub gone: Vec<R::Id>,
}

impl<R: Row> Default for TableChanges<R> {
    fn default() -> Self {
        Self { put: Vec::new(), parts: BTreeMap::new(), edited: BTreeSet::new(), gone: Vec::new() }
    }
}

impl<R: Row> TableChanges<R> {
    /// Returns `true` if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.gone.is_empty()
    }

    /// Applies the changes to a table, as the database does.
    pub(super) fn apply(&self, rows: &mut BTreeMap<R::Id, R>) {
        rows.extend(self.put.iter().map(|row| (row.id(), row.clone())));
        for gone in &self.gone {
            rows.remove(gone);
        }
    }
}

/// Records that a row is about to change, with its original value while tracking is on.
fn note<R: Row>(
    touched: &mut BTreeMap<R::Id, bool>,
    before: &mut Option<BTreeMap<R::Id, RowBefore<R>>>,
    id: R::Id,
    row: Option<&R>,
) {
    let was_touched = touched.contains_key(&id);
    touched.entry(id).or_insert(false);
    if let Some(before) = before {
        before.entry(id).or_insert_with(|| RowBefore { row: row.cloned(), touched: was_touched });
    }
}

/// For ids guaranteed by the world's invariants. A missing row is a broken invariant and panics.
impl<R: Row> Index<R::Id> for Table<R> {
    type Output = R;
    fn index(&self, id: R::Id) -> &R {
        match self.get(id) {
            Some(row) => row,
            None => panic!("broken invariant: no row {id:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    impl Row for (u32, char) {
        type Id = u32;
        const TABLE: &'static str = "letters";
        const KEY: &'static str = "0";

        fn id(&self) -> u32 {
            self.0
        }
    }

    /// The database rewrites the indices of new and rekeyed rows only.
    #[test]
    fn rows_that_are_neither_new_nor_rekeyed_are_edited() {
        let mut table = Table::stored(BTreeMap::from([(1, (1, 'a')), (2, (2, 'b'))]));
        table.edit(1).unwrap().1 = 'A';
        table.rekey(2).unwrap().1 = 'B';
        table.put((3, 'c'));
        assert_eq!(table.cut().edited, BTreeSet::from([1]));
        (1..=3).for_each(|id| table.edit(id).unwrap().1 = 'x');
        assert_eq!(table.cut().edited, BTreeSet::from([1, 2, 3]));
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

    /// Every way to read or change rows counts each row once.
    #[test]
    fn rows_read_and_changed_are_counted() {
        let mut table = Table::stored(BTreeMap::from([(1, (1, 'a')), (2, (2, 'b')), (3, (3, 'c'))]));
        let mut counted = |act: fn(&mut Table<(u32, char)>)| {
            let before = table.work();
            act(&mut table);
            table.work() - before
        };
        assert_eq!(counted(|table| assert!(table.get(9).is_none() && table[1].1 == 'a')), 2);
        assert_eq!(counted(|table| assert_eq!(table.iter().rev().count(), 3)), 3);
        assert_eq!(counted(|table| assert!(table.iter().next().is_some())), 1, "a walk that ends early");
        assert_eq!(counted(|table| assert_eq!(table.range(2..).count(), 2)), 2);
        assert_eq!(counted(|table| table.change_where(|row| row.0 > 1, |row| row.1 = 'x')), 5);
        assert_eq!(counted(|table| table.put((4, 'd'))), 1);
        assert_eq!(counted(|table| assert!(table.remove(4).is_some())), 1);
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
