//! Settings of rooms and exits as tables. A row declares a setting once: its name, its key in files, its values, its help
//! and its place in a type.

use crate::base::Span;
use crate::data::edit::quoted;
use crate::data::{CatalogError, Reader};
use std::ops::RangeInclusive;

/// Values that a setting takes.
#[derive(Clone, Debug)]
pub enum SettingValues {
    /// Level types by key.
    LevelType,
    /// Layouts by name.
    Layout,
    /// Words of a form: its description, and whether a word has it.
    Word(&'static str, fn(&str) -> bool),
    /// Numbers in a range.
    Number(RangeInclusive<u32>),
    /// Percentages; per mille in files.
    Percent,
    /// Yes or no.
    YesNo,
    /// Times in a range of seconds.
    Secs(RangeInclusive<u32>),
}

/// Value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingValue {
    /// Key, name or word.
    Word(String),
    /// Number, or per mille.
    Number(u32),
    /// Yes or no.
    YesNo(bool),
    /// Time.
    Time(Span),
}

impl SettingValue {
    /// Returns the value as in a file.
    pub(super) fn written(self) -> String {
        match self {
            Self::Word(word) => quoted(&word),
            Self::Number(number) => number.to_string(),
            Self::YesNo(yes) => yes.to_string(),
            Self::Time(span) => span.whole_secs().to_string(),
        }
    }
}

/// Setting of a room or exit, kept in a field of `T`.
#[derive(Debug)]
pub struct Setting<T: 'static> {
    /// Name behind `set`.
    pub name: &'static str,
    /// Values that it takes.
    pub values: SettingValues,
    /// One-line help.
    pub about: &'static str,
    /// Key in files.
    pub(super) file: &'static str,
    pub(super) get: fn(&T) -> Option<SettingValue>,
    pub(super) set: fn(&mut T, Option<SettingValue>),
}

impl<T> Setting<T> {
    /// Returns the value, if it is set.
    pub fn value(&self, of: &T) -> Option<SettingValue> {
        (self.get)(of)
    }

    /// Sets or clears the value. A value of another form clears it.
    pub fn set(&self, of: &mut T, value: Option<SettingValue>) {
        (self.set)(of, value);
    }

    /// Reads the value of a table of a file.
    pub(super) fn read(&self, table: &mut Reader<'_>) -> Option<SettingValue> {
        table.about(self.about);
        match &self.values {
            SettingValues::LevelType | SettingValues::Layout => {
                table.any_text(self.file).map(SettingValue::Word)
            }
            SettingValues::Word(form, fits) => {
                let place = table.place_of(self.file);
                let word = table.any_text(self.file).filter(|word| !word.is_empty())?;
                if !fits(&word) {
                    let mistake = format!("`{}` cannot be `{word}`", self.file);
                    table.note(CatalogError::new(&place, mistake, *form));
                }
                Some(SettingValue::Word(word))
            }
            SettingValues::Number(range) => table.number_if_any(self.file, range).map(SettingValue::Number),
            SettingValues::Percent => table.number_if_any(self.file, &(0..=1_000)).map(SettingValue::Number),
            SettingValues::YesNo => table.bool_if_any(self.file).map(SettingValue::YesNo),
            SettingValues::Secs(range) => {
                let secs = table.number_if_any(self.file, range);
                secs.map(|secs| SettingValue::Time(Span::secs(secs.into())))
            }
        }
    }
}

/// Field of a type that keeps the value of a setting.
pub(super) trait SettingField {
    /// Returns the value, if it is set.
    fn get(&self) -> Option<SettingValue>;
    /// Sets or clears the value.
    fn set(&mut self, value: Option<SettingValue>);
}

impl SettingField for String {
    fn get(&self) -> Option<SettingValue> {
        (!self.is_empty()).then(|| SettingValue::Word(self.clone()))
    }

    fn set(&mut self, value: Option<SettingValue>) {
        *self = match value {
            Some(SettingValue::Word(word)) => word,
            _ => Self::new(),
        };
    }
}

macro_rules! optional_fields {
    ($($field:ty, $form:ident;)*) => {
        $(impl SettingField for Option<$field> {
            fn get(&self) -> Option<SettingValue> {
                self.clone().map(|value| SettingValue::$form(value.into()))
            }

            fn set(&mut self, value: Option<SettingValue>) {
                *self = match value {
                    Some(SettingValue::$form(value)) => Some(value.into()),
                    _ => None,
                };
            }
        })*
    };
}

optional_fields! {
    String, Word;
    Box<str>, Word;
    u32, Number;
    bool, YesNo;
    Span, Time;
}

/// Rows of a table of settings: the name, the key in files, the values, the field and the help.
macro_rules! settings {
    ($($name:literal $file:literal $values:expr, $($field:ident).+, $about:literal;)*) => {
        [$($crate::catalog::area::setting::Setting {
            name: $name,
            values: $values,
            about: $about,
            file: $file,
            get: |of| $crate::catalog::area::setting::SettingField::get(&of.$($field).+),
            set: |of, value| $crate::catalog::area::setting::SettingField::set(&mut of.$($field).+, value),
        },)*]
    };
}

pub(super) use settings;
