//! Facts about the fields of a definition table, and their list while it is made.

/// Units by the last word of a field's name.
pub(super) const UNITS: [(&str, &str); 3] =
    [("secs", "seconds"), ("percent", "percent"), ("permille", "in 1,000")];

/// A field of a definition table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Field {
    /// Keys of the tables that contain it, joined by dots; empty for a field of the file itself.
    pub table: String,
    /// Key.
    pub name: String,
    /// Type of the value, with its range, its unit or its valid names.
    pub value: String,
    /// Value if the key is absent, as a file has it; empty without one.
    pub default: String,
    /// Set if the key must be present.
    pub is_required: bool,
    /// One-line help.
    pub about: String,
    /// Help of the table that contains it.
    pub about_table: String,
}

/// Fields recorded so far, and the place of the table that is being read.
pub(super) struct Survey<'a> {
    pub(super) fields: &'a mut Vec<Field>,
    /// Keys that the reader asked about before it took them.
    pub(super) optional: Vec<String>,
    pub(super) table: String,
    pub(super) about: &'static str,
    pub(super) about_table: &'static str,
}

impl Survey<'_> {
    /// Starts a table inside this one. Its fields have the help of the table, unless they have their own.
    pub(super) fn inner(&mut self, name: &str) -> Survey<'_> {
        let table = if self.table.is_empty() { name.to_owned() } else { format!("{}.{name}", self.table) };
        Survey { fields: self.fields, optional: Vec::new(), table, about: self.about, about_table: "" }
    }

    /// Returns the field with a key, which is added if it is new.
    pub(super) fn field(&mut self, name: &str) -> &mut Field {
        let is_same = |field: &Field| field.table == self.table && field.name == name;
        let at = self.fields.iter().position(is_same).unwrap_or_else(|| {
            self.fields.push(Field {
                table: self.table.clone(),
                name: name.to_owned(),
                about: self.about.trim().to_owned(),
                about_table: self.about_table.trim().to_owned(),
                ..Field::default()
            });
            self.fields.len() - 1
        });
        &mut self.fields[at]
    }
}
