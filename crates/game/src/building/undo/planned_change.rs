//! Planned changes to rows of one kind: deletion, restoration and modification.

use deepwell_core::world::building::image::Imaged;
use deepwell_core::world::{RowChange, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Planned changes to rows of one kind.
pub(super) struct RowChanges<R: Imaged> {
    /// Rows to delete.
    pub(super) out: BTreeSet<R::Id>,
    /// Rows to restore.
    pub(super) back: BTreeMap<R::Id, R>,
    /// Rows to modify, with their new state.
    pub(super) otherwise: BTreeMap<R::Id, R>,
}

impl<R: Imaged> RowChanges<R> {
    pub(super) const fn none() -> Self {
        Self { out: BTreeSet::new(), back: BTreeMap::new(), otherwise: BTreeMap::new() }
    }

    /// Plans the change of a row. Returns `false` if its current state does not match the state in the journal.
    pub(super) fn take(&mut self, table: &Table<R>, id: R::Id, piece: &RowChange) -> bool {
        let now = table.get(id);
        match (now, &piece.before, &piece.after) {
            (Some(row), Some(was), None) => {
                self.out.insert(id);
                row.is_as(was)
            }
            (None, None, Some(is)) => R::of_image(is).map(|row| self.back.insert(id, row)).is_some(),
            (Some(row), Some(was), Some(is)) => {
                row.patched(was, is).map(|patched| self.otherwise.insert(id, patched)).is_some()
            }
            _ => false,
        }
    }

    /// Returns the planned state of a row.
    pub(super) fn after<'a>(&'a self, table: &'a Table<R>, id: R::Id) -> Option<&'a R> {
        let kept = || table.get(id).filter(|_| !self.out.contains(&id));
        self.back.get(&id).or_else(|| self.otherwise.get(&id)).or_else(kept)
    }

    /// Returns the rows that are restored or modified.
    pub(super) fn coming(&self) -> impl Iterator<Item = &R> {
        self.back.values().chain(self.otherwise.values())
    }
}
