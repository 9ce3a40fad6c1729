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
    /// Noun for an element of a list of texts; empty for other values.
    pub list_of: &'static str,
    /// Value if the key is absent, as a file has it; empty without one.
    pub default: String,
    /// Set if the key must be present.
    pub is_required: bool,
    /// One-line help.
    pub about: String,
    /// Help of the table that contains it.
    pub about_table: String,
}

/// List of the fields of a table while a function reads it. A reader of a file records nothing.
#[derive(Default)]
pub(crate) struct FieldList<'a> {
    fields: Option<&'a mut Vec<Field>>,
    /// Keys that the reader asked about before it took them.
    optional: Vec<String>,
    table: String,
    pub(super) about: &'static str,
    about_table: &'static str,
}

impl<'a> FieldList<'a> {
    /// Starts a list.
    pub(super) fn begin(fields: &'a mut Vec<Field>) -> Self {
        Self { fields: Some(fields), ..Self::default() }
    }

    /// Returns `true` if the fields are being listed, so that there is no file.
    pub(super) const fn is_listing(&self) -> bool {
        self.fields.is_some()
    }

    /// Starts a table inside this one. Its fields have the help of the table, unless they have their own.
    pub(super) fn inner(&mut self, name: &str) -> FieldList<'_> {
        let table = if self.table.is_empty() { name.to_owned() } else { format!("{}.{name}", self.table) };
        FieldList { fields: self.fields.as_deref_mut(), table, about: self.about, ..FieldList::default() }
    }

    /// Returns the field with a key, which is added if it is new. `None` while a file is read.
    fn field(&mut self, name: &str) -> Option<&mut Field> {
        let fields = self.fields.as_mut()?;
        let is_same = |field: &Field| field.table == self.table && field.name == name;
        let at = fields.iter().position(is_same).unwrap_or_else(|| {
            fields.push(Field {
                table: self.table.clone(),
                name: name.to_owned(),
                about: self.about.trim().to_owned(),
                about_table: self.about_table.trim().to_owned(),
                ..Field::default()
            });
            fields.len() - 1
        });
        fields.get_mut(at)
    }

    /// Sets the help of the table, unless it has one.
    pub(crate) const fn set_about_table(&mut self, help: &'static str) {
        if self.about_table.is_empty() {
            self.about_table = help;
        }
    }

    /// Sets the type of a key's value.
    pub(crate) fn record(&mut self, name: &str, value: impl FnOnce() -> String) {
        let unit = UNITS.iter().find(|(word, _)| name.rsplit('_').next() == Some(word));
        if let Some(field) = self.field(name) {
            field.value = match unit {
                Some((_, unit)) => format!("{}, {unit}", value()),
                None => value(),
            };
        }
    }

    /// Sets the noun for an element of a key's list of texts.
    pub(super) fn record_list(&mut self, name: &str, noun: &'static str) {
        if let Some(field) = self.field(name) {
            field.list_of = noun;
        }
    }

    /// Sets the default of a key.
    pub(crate) fn record_default(&mut self, name: &str, default: impl FnOnce() -> String) {
        if let Some(field) = self.field(name) {
            field.default = default();
        }
    }

    /// Records that a key may be absent.
    pub(super) fn record_optional(&mut self, name: &str) {
        if self.is_listing() {
            self.optional.push(name.to_owned());
        }
    }

    /// Records that a key must be present.
    pub(super) fn record_required(&mut self, name: &str) {
        let is_required = !self.optional.iter().any(|optional| optional == name);
        if let Some(field) = self.field(name) {
            field.is_required = is_required;
        }
    }
}
