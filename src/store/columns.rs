//! Columns that the database has in addition to the key and the JSON of a row: unique names, unique places, and the
//! containing branch, by which the rows of one branch are found.

use crate::base::BranchId;
use crate::world::containing_branch::ContainingBranch as _;
use crate::world::tables::Row;
use crate::world::{
    Account, AuditRecord, Ban, Branch, Character, Definition, Exit, Floor, Item, JournalEntry, Party, Report,
    Room, StartTasks, World,
};
use serde::Serialize;

/// Name of the column of the containing branch.
pub(super) const BRANCH: &str = "branch";

/// Value of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Column<'a> {
    /// A number, or null.
    Number(Option<i64>),
    /// A text, or null.
    Text(Option<&'a str>),
}

/// Row of a table with such columns.
pub(super) trait Stored: Row + Serialize {
    /// Names of the columns. [`load::mismatches`](super::load::mismatches) compares them with the rows.
    const COLUMNS: &'static [&'static str] = &[];

    /// Adds their values to a list, in this order, given the containing branch.
    fn add_columns<'a>(&'a self, _: Option<BranchId>, _: &mut Vec<Column<'a>>) {}

    /// Returns the containing branch of the row.
    fn branch_in(&self, _: &World) -> Option<BranchId> {
        None
    }
}

macro_rules! no_columns {
    ($($row:ty)*) => {$(impl Stored for $row {})*};
}
no_columns! { Branch Floor StartTasks Party Report Ban AuditRecord JournalEntry Definition }

impl Stored for Account {
    const COLUMNS: &'static [&'static str] = &["name", "skeleton"];

    fn add_columns<'a>(&'a self, _: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        columns.extend([Column::Text(Some(&self.key)), Column::Text(Some(&self.skeleton))]);
    }
}

impl Stored for Room {
    const COLUMNS: &'static [&'static str] = &[BRANCH, "floor", "x", "y"];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        let place = [i64::from(self.floor), self.at.x.into(), self.at.y.into()];
        columns.push(branch_column(branch));
        columns.extend(place.map(|number| Column::Number(branch.map(|_| number))));
    }

    fn branch_in(&self, _: &World) -> Option<BranchId> {
        self.branch
    }
}

impl Stored for Exit {
    const COLUMNS: &'static [&'static str] = &[BRANCH];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        columns.push(branch_column(branch));
    }

    fn branch_in(&self, world: &World) -> Option<BranchId> {
        world.branch_around_room(self.room)
    }
}

impl Stored for Character {
    const COLUMNS: &'static [&'static str] = &[BRANCH, "name", "skeleton"];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        let names = [self.key.as_deref(), self.skeleton.as_deref()];
        columns.push(branch_column(branch));
        columns.extend(names.map(Column::Text));
    }

    fn branch_in(&self, world: &World) -> Option<BranchId> {
        world.branch_around_character(self)
    }
}

impl Stored for Item {
    const COLUMNS: &'static [&'static str] = &[BRANCH];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        columns.push(branch_column(branch));
    }

    fn branch_in(&self, world: &World) -> Option<BranchId> {
        world.branch_around_place(self.place)
    }
}

fn branch_column(branch: Option<BranchId>) -> Column<'static> {
    Column::Number(branch.map(|branch| branch.0.into()))
}
