//! Columns that the database has in addition to the key and the JSON of a row: unique names, unique places, the containing
//! part, by which the rows of one branch or account are found, and the fields of characters that may be absent, which a
//! start reads instead of their rows.

use deepwell_core::world::ledger::Stocktaking;
use deepwell_core::world::references::Refers;
use deepwell_core::world::storage::containing_part::ContainingPart as _;
use deepwell_core::world::{
    AbsentCharacter, Account, AuditRecord, Ban, Branch, Character, Definition, Exit, Expedition, Floor, Item,
    JournalEntry, Mail, Note, Party, PendingImport, Report, Room, StartTasks, Variable, World, WorldPart,
};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

/// Name of the column of the containing part, in tables whose rows are in branches only.
pub(super) const BRANCH: &str = "branch";

/// Name of that column in the other tables. The number of an account is negative.
pub(super) const PART: &str = "part";

/// Name of the column with the fields of characters that may be absent.
pub(super) const ABSENT: &str = "absent";

/// Value of a column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Column<'a> {
    /// A number, or null.
    Number(Option<i64>),
    /// A text, or null.
    Text(Option<&'a str>),
    /// A value as JSON, or null.
    Json(#[serde(serialize_with = "as_text")] Option<AbsentCharacter>),
}

/// Serializes a value as a text that is JSON.
#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn as_text<S: Serializer>(value: &Option<AbsentCharacter>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = value.as_ref().map(serde_json::to_string).transpose().map_err(S::Error::custom)?;
    text.serialize(serializer)
}

/// Row of a table with such columns.
pub(super) trait StoredRow: Refers + Serialize {
    /// Names of the columns. [`load::mismatches`](super::load::mismatches) compares them with the rows.
    const COLUMNS: &'static [&'static str] = &[];

    /// Adds their values to a list, in this order, given the containing part.
    fn add_columns<'a>(&'a self, _: Option<WorldPart>, _: &mut Vec<Column<'a>>) {}

    /// Returns the containing part of the row.
    fn part_in(&self, _: &World) -> Option<WorldPart> {
        None
    }

    /// Takes the row into account in a comparison of amounts.
    fn note_in(&self, _: &mut Stocktaking) {}

    /// Returns the name of the column of the containing part.
    fn part_column() -> Option<&'static str> {
        Self::COLUMNS.iter().copied().find(|name| [BRANCH, PART].contains(name))
    }
}

macro_rules! no_columns {
    ($($row:ty)*) => {$(impl StoredRow for $row {})*};
}
no_columns! {
    Branch Floor StartTasks Party Report Ban AuditRecord JournalEntry Definition Mail Note PendingImport Expedition
}

impl StoredRow for Account {
    const COLUMNS: &'static [&'static str] = &["name", "skeleton"];

    fn add_columns<'a>(&'a self, _: Option<WorldPart>, columns: &mut Vec<Column<'a>>) {
        columns.extend([Column::Text(Some(&self.key)), Column::Text(Some(&self.skeleton))]);
    }
}

impl StoredRow for Room {
    const COLUMNS: &'static [&'static str] = &[BRANCH, "floor", "x", "y"];

    fn add_columns<'a>(&'a self, part: Option<WorldPart>, columns: &mut Vec<Column<'a>>) {
        let place = [i64::from(self.floor), self.at.x.into(), self.at.y.into()];
        columns.push(part_column(part));
        columns.extend(place.map(|number| Column::Number(part.map(|_| number))));
    }

    fn part_in(&self, _: &World) -> Option<WorldPart> {
        self.branch.map(WorldPart::Branch)
    }
}

impl StoredRow for Exit {
    const COLUMNS: &'static [&'static str] = &[BRANCH];

    fn add_columns<'a>(&'a self, part: Option<WorldPart>, columns: &mut Vec<Column<'a>>) {
        columns.push(part_column(part));
    }

    fn part_in(&self, world: &World) -> Option<WorldPart> {
        world.branch_around_room(self.room).map(WorldPart::Branch)
    }
}

impl StoredRow for Character {
    const COLUMNS: &'static [&'static str] = &[PART, "name", "skeleton", ABSENT];

    fn add_columns<'a>(&'a self, part: Option<WorldPart>, columns: &mut Vec<Column<'a>>) {
        let names = [self.key.as_deref(), self.skeleton.as_deref()];
        columns.push(part_column(part));
        columns.extend(names.map(Column::Text));
        columns.push(Column::Json(AbsentCharacter::of(self)));
    }

    fn part_in(&self, world: &World) -> Option<WorldPart> {
        world.part_around_character(self)
    }

    fn note_in(&self, stock: &mut Stocktaking) {
        stock.note_character(self);
    }
}

impl StoredRow for Item {
    const COLUMNS: &'static [&'static str] = &[PART];

    fn add_columns<'a>(&'a self, part: Option<WorldPart>, columns: &mut Vec<Column<'a>>) {
        columns.push(part_column(part));
    }

    fn part_in(&self, world: &World) -> Option<WorldPart> {
        world.part_around_place(self.place)
    }

    fn note_in(&self, stock: &mut Stocktaking) {
        stock.note_item(self);
    }
}

impl StoredRow for Variable {
    const COLUMNS: &'static [&'static str] = &[PART];

    fn add_columns<'a>(&'a self, part: Option<WorldPart>, columns: &mut Vec<Column<'a>>) {
        columns.push(part_column(part));
    }

    fn part_in(&self, world: &World) -> Option<WorldPart> {
        world.part_around_variables(self.owner)
    }
}

fn part_column(part: Option<WorldPart>) -> Column<'static> {
    Column::Number(part.map(WorldPart::number))
}
