//! What is to become of rows of one kind: they go, come back, or are otherwise from then on.

use crate::world::image::{self, Imaged};
use crate::world::{Piece, Table};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of rows of one kind.
pub(super) struct Fate<R: Imaged> {
    /// Those that go.
    pub(super) out: BTreeSet<R::Id>,
    /// Those that come back.
    pub(super) back: BTreeMap<R::Id, R>,
    /// Those that are otherwise from then on.
    pub(super) otherwise: BTreeMap<R::Id, R>,
}

impl<R: Imaged> Fate<R> {
    pub(super) const fn none() -> Self {
        Self { out: BTreeSet::new(), back: BTreeMap::new(), otherwise: BTreeMap::new() }
    }

    /// Takes up what is to become of a row; false if that is not what it was left as.
    pub(super) fn take(&mut self, table: &Table<R>, id: R::Id, piece: &Piece) -> bool {
        let now = table.get(id);
        match (now, &piece.before, &piece.after) {
            (Some(row), Some(was), None) => {
                self.out.insert(id);
                image::is_same(&row.image(), was, R::LIVING)
            }
            (None, None, Some(is)) => R::of_image(is).map(|row| self.back.insert(id, row)).is_some(),
            (Some(row), Some(was), Some(is)) => {
                let patched = image::patch(&row.image(), was, is).and_then(|image| R::of_image(&image));
                patched.map(|patched| self.otherwise.insert(id, patched.alive(row))).is_some()
            }
            _ => false,
        }
    }

    /// A row as it will be.
    pub(super) fn after<'a>(&'a self, table: &'a Table<R>, id: R::Id) -> Option<&'a R> {
        let kept = || table.get(id).filter(|_| !self.out.contains(&id));
        self.back.get(&id).or_else(|| self.otherwise.get(&id)).or_else(kept)
    }

    /// Rows that come or are otherwise.
    pub(super) fn coming(&self) -> impl Iterator<Item = &R> {
        self.back.values().chain(self.otherwise.values())
    }
}
