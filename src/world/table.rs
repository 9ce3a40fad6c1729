//! Rows by id, with a note of which were touched since the last cut: what is edited is written, nothing else is.

use crate::world::record::TableChanges;
use crate::world::tables::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, RangeBounds};

/// Rows of one kind.
#[derive(Clone, Debug)]
pub struct Table<R: Row> {
    rows: BTreeMap<R::Id, R>,
    touched: BTreeSet<R::Id>,
    /// While that is kept: what the rows touched since were.
    before: Option<BTreeMap<R::Id, Before<R>>>,
}

/// A row before it was touched.
#[derive(Clone, Debug)]
struct Before<R> {
    /// As it was, if it was there.
    row: Option<R>,
    /// Whether it was to be written already.
    touched: bool,
}

impl<R: Row> Table<R> {
    /// Rows as they came from storage; none of them counts as touched.
    pub fn stored(rows: BTreeMap<R::Id, R>) -> Self {
        Self { rows, touched: BTreeSet::new(), before: None }
    }

    /// The row, if there is one.
    pub fn get(&self, id: R::Id) -> Option<&R> {
        self.rows.get(&id)
    }

    /// The row, to be changed; it will be written with the batch.
    pub fn edit(&mut self, id: R::Id) -> Option<&mut R> {
        let row = self.rows.get_mut(&id)?;
        note(&mut self.touched, &mut self.before, id, Some(row));
        Some(row)
    }

    /// Changes a row in one way; none if there is no such row.
    pub fn change<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> Option<T> {
        self.edit(id).map(change)
    }

    /// Adds or replaces a row.
    pub fn put(&mut self, row: R) {
        note(&mut self.touched, &mut self.before, row.id(), self.rows.get(&row.id()));
        self.rows.insert(row.id(), row);
    }

    /// Removes a row; storage forgets it with the batch.
    pub fn remove(&mut self, id: R::Id) -> Option<R> {
        let row = self.rows.remove(&id)?;
        note(&mut self.touched, &mut self.before, id, Some(&row));
        Some(row)
    }

    /// Changes all rows of which something is so.
    pub fn change_where(&mut self, is_meant: impl Fn(&R) -> bool, mut change: impl FnMut(&mut R)) {
        for id in self.ids_where(is_meant) {
            self.edit(id).into_iter().for_each(&mut change);
        }
    }

    /// Removes all rows of which something is so.
    pub fn remove_where(&mut self, is_meant: impl Fn(&R) -> bool) {
        for id in self.ids_where(is_meant) {
            self.remove(id);
        }
    }

    fn ids_where(&self, is_meant: impl Fn(&R) -> bool) -> Vec<R::Id> {
        self.rows.iter().filter(|(_, row)| is_meant(row)).map(|(id, _)| *id).collect()
    }

    /// From now on what rows were before they change is kept, or no longer.
    pub fn keep_before(&mut self, kept: bool) {
        self.before = kept.then(BTreeMap::new);
    }

    /// What the rows were that have been touched since that is kept, and is kept no longer; none of those that were not
    /// there.
    pub fn take_before(&mut self) -> Vec<(R::Id, Option<R>)> {
        let before = self.before.take().unwrap_or_default();
        before.into_iter().map(|(id, before)| (id, before.row)).collect()
    }

    /// Takes back what has changed since what it was is kept; tells whether anything had.
    pub fn take_back(&mut self) -> bool {
        let Some(before) = &mut self.before else { return false };
        let changed = !before.is_empty();
        for (id, before) in std::mem::take(before) {
            if !before.touched {
                self.touched.remove(&id);
            }
            match before.row {
                Some(row) => drop(self.rows.insert(id, row)),
                None => drop(self.rows.remove(&id)),
            }
        }
        changed
    }

    /// All rows in the order of their ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (R::Id, &R)> {
        self.rows.iter().map(|(id, row)| (*id, row))
    }

    /// The rows whose ids are in a range, in the order of their ids.
    pub fn range(&self, ids: impl RangeBounds<R::Id>) -> impl DoubleEndedIterator<Item = (R::Id, &R)> {
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
    pub fn cut(&mut self) -> TableChanges<R> {
        let mut changes = TableChanges::default();
        for id in std::mem::take(&mut self.touched) {
            match self.rows.get(&id) {
                Some(row) => changes.put.push(row.clone()),
                None => changes.gone.push(id),
            }
        }
        changes
    }

    /// Which rows were touched since the last cut, those that are gone among them.
    pub fn touched(&self) -> impl Iterator<Item = R::Id> {
        self.touched.iter().copied()
    }

    /// A copy of all rows.
    pub fn rows(&self) -> BTreeMap<R::Id, R> {
        self.rows.clone()
    }
}

/// Notes that a row is about to change, and while that is kept also what it was.
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

/// For ids that the world's invariants vouch for; a missing row is a broken invariant and stops the step.
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
    fn what_changes_while_it_is_kept_is_taken_back() {
        let mut table = Table::stored(BTreeMap::from([(1, (1, 'a')), (2, (2, 'b')), (3, (3, 'c'))]));
        table.edit(1).unwrap().1 = 'A';
        table.keep_before(true);
        assert!(!table.take_back());
        table.edit(1).unwrap().1 = 'x';
        table.edit(2).unwrap().1 = 'x';
        table.remove(3);
        table.put((4, 'x'));
        assert!(table.take_back() && !table.take_back());
        assert_eq!(table.rows().into_values().collect::<Vec<_>>(), [(1, 'A'), (2, 'b'), (3, 'c')]);
        table.keep_before(false);
        assert_eq!(table.cut().put, [(1, 'A')], "what was to be written before still is");
    }

    #[test]
    fn a_cut_holds_what_was_touched_once() {
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
