//! Lists of the fields of a definition table. A reader without a file records each key that it is asked for, so that the
//! list follows from the code that reads the table.

use super::Reader;
use super::field::{Field, Survey, UNITS};
use crate::data::{CatalogError, Position, Source};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Reader<'_> {
    /// Returns the fields that a function reads from a table, in order. Fields that depend on the value of another one
    /// are those for its default.
    pub fn fields<T>(read: impl FnOnce(&mut Reader<'_>) -> T) -> Vec<Field> {
        let (mut fields, mut mistakes): (Vec<Field>, Vec<CatalogError>) = (Vec::new(), Vec::new());
        let (table, about, about_table) = (String::new(), "", "");
        let survey = Survey { fields: &mut fields, optional: Vec::new(), table, about, about_table };
        let mut reader = Reader {
            source: Rc::new(Source::new("", "")),
            place: Position::default(),
            entries: BTreeMap::new(),
            asked: Vec::new(),
            mistakes: &mut mistakes,
            survey: Some(survey),
        };
        read(&mut reader);
        fields
    }

    /// Sets the help of the keys that are read next.
    pub fn about(&mut self, help: &'static str) -> &mut Self {
        if let Some(survey) = &mut self.survey {
            survey.about = help;
        }
        self
    }

    /// Sets the help of the table, unless it has one.
    pub(crate) fn about_table(&mut self, help: &'static str) {
        if let Some(survey) = self.survey.as_mut().filter(|survey| survey.about_table.is_empty()) {
            survey.about_table = help;
        }
    }

    /// Sets the type of a key's value for the list of fields.
    pub(crate) fn record(&mut self, name: &str, value: impl FnOnce() -> String) {
        if let Some(survey) = &mut self.survey {
            let field = survey.field(name);
            let unit = UNITS.iter().find(|(word, _)| name.rsplit('_').next() == Some(word));
            field.value = match unit {
                Some((_, unit)) => format!("{}, {unit}", value()),
                None => value(),
            };
        }
    }

    /// Sets the default of a key for the list of fields.
    pub(crate) fn record_default(&mut self, name: &str, default: impl FnOnce() -> String) {
        if let Some(survey) = &mut self.survey {
            survey.field(name).default = default();
        }
    }

    /// Records that a key may be absent.
    pub(super) fn record_optional(&mut self, name: &str) {
        if let Some(survey) = &mut self.survey {
            survey.optional.push(name.to_owned());
        }
    }

    /// Records that a key must be present.
    pub(super) fn record_required(&mut self, name: &str) {
        if let Some(survey) = &mut self.survey {
            let is_optional = survey.optional.iter().any(|optional| optional == name);
            survey.field(name).is_required = !is_optional;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Reader, definition};

    definition! {
        /// A whole.
        #[expect(dead_code, reason = "the test lists the fields")]
        struct Whole {
            /// Name for players.
            name: String = text(),
            /// Plural.
            plural: String = text_or(|| format!("{name}s")),
            /// Time of
            /// the whole.
            life_secs: Option<u32> = number_if_any(&(1..=9)),
            /// First and last.
            level: (u32, u32) = first_and_last(7),
            /// Parts.
            parts: Vec<Part> = tables_if_any(Part::read),
            /// Kind.
            kind: u8 = choice_or(&[("a", 1), ("b", 2)], 2),
            /// Places.
            places: Option<Vec<String>> => |file| file.has("places").then(|| file.texts("places", 1)),
        }
    }

    definition! {
        /// A part.
        #[expect(dead_code, reason = "the test lists the fields")]
        struct Part {
            /// Open.
            open: bool = bool_or(true),
        }
    }

    #[test]
    fn fields_of_a_table_follow_from_its_reader() {
        let fields = Reader::fields(Whole::read);
        let rows: Vec<String> = fields
            .iter()
            .map(|field| {
                let is = if field.is_required { "required" } else { &field.default };
                format!("{}/{}: {} ({is}) {}", field.table, field.name, field.value, field.about)
            })
            .collect();
        assert_eq!(
            rows,
            [
                "/name: text (required) Name for players.",
                "/plural: text (\"NAMEs\") Plural.",
                "/life_secs: number from 1 to 9, seconds () Time of the whole.",
                "/first_level: number from 0 to 7 (0) First and last.",
                "/last_level: number, at least 0 () First and last.",
                "/parts: list of tables () Parts.",
                "parts/open: `true` or `false` (true) Open.",
                "/kind: one of `a`, `b` (\"b\") Kind.",
                "/places: list of at least one text () Places.",
            ]
        );
        assert!(fields.iter().all(|field| field.about_table == if field.table.is_empty() { "A whole." } else { "A part." }));
    }
}
