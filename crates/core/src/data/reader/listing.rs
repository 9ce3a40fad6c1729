//! Lists of the fields of a definition table. A reader without a file records each key that it is asked for, so that the
//! list follows from the code that reads the table.

use super::Reader;
use super::field::{Field, FieldList};
use crate::data::{CatalogError, Position, SourceFile};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Returns the fields that a function reads from a table, in order. Fields that depend on the value of another one are those
/// for its default.
pub fn fields_of<T>(read: impl FnOnce(&mut Reader<'_>) -> T) -> Vec<Field> {
    let (mut fields, mut mistakes): (Vec<Field>, Vec<CatalogError>) = (Vec::new(), Vec::new());
    let mut reader = Reader {
        source: Rc::new(SourceFile::new("", "")),
        place: Position::default(),
        entries: BTreeMap::new(),
        asked: Vec::new(),
        mistakes: &mut mistakes,
        listed: FieldList::begin(&mut fields),
    };
    read(&mut reader);
    fields
}

#[cfg(test)]
mod tests {
    use crate::data::{definition, fields_of};

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
        let fields = fields_of(Whole::read);
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
