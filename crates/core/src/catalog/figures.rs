//! Numbers in texts for players. `{rules.levels.base}` in a help topic, tip or guide step is replaced by the value in
//! the file, so that texts are never outdated. `{rules.levels.base + rules.levels.factor}` is a sum, and `*` a product.
//! Slots that begin with `here.` or `way.` are left for the game to fill.

use crate::text::{grammar, nearest};
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Files whose values may be used: the rules, and folders of definitions.
const SOURCES: &[&str] =
    &["rules.toml", "abilities/", "affects/", "items/", "mobs/", "props/", "themes/", "training/"];

/// Prefixes of slots that the game fills.
const IN_PLAY: &[&str] = &["here.", "way."];

/// Every value that a text may refer to: `rules.levels.base`, `mobs.rat.hp`.
#[derive(Clone, Debug, Default)]
pub(super) struct TextFigures {
    values: BTreeMap<String, String>,
}

/// A slot without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnknownTextValue {
    /// Offset of the slot in characters.
    pub(super) at: usize,
    /// Invalid name in the slot.
    pub(super) name: String,
    /// Nearest valid name.
    pub(super) nearest: Option<String>,
}

impl TextFigures {
    /// Collects the values of these files; of files with the same name the first is used.
    pub(super) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut figures = Self::default();
        for (path, text) in files {
            let Some(name) = path.strip_suffix(crate::data::SUFFIX) else { continue };
            if name.is_empty() || !SOURCES.iter().any(|source| path.starts_with(source)) {
                continue;
            }
            // Errors in the file are reported where the file itself is read.
            let (table, errors) = DeTable::parse_recoverable(text);
            if errors.is_empty() {
                figures.add_table(&name.replace('/', "."), table.into_inner());
            }
        }
        figures
    }

    fn add_table(&mut self, name: &str, table: DeTable<'_>) {
        for (key, value) in table {
            self.add(format!("{name}.{}", key.into_inner()), value.into_inner());
        }
    }

    fn add(&mut self, name: String, value: DeValue<'_>) {
        let text = match value {
            DeValue::Table(table) => return self.add_table(&name, table),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::String(text) => text.into_owned(),
            DeValue::Array(array) => {
                let numbers = array.into_iter().map(|value| match value.into_inner() {
                    DeValue::Integer(number) => Some(number.as_str().to_owned()),
                    _ => None,
                });
                let Some(numbers) = numbers.collect::<Option<Vec<_>>>() else { return };
                grammar::list(&numbers)
            }
            _ => return,
        };
        self.values.entry(name).or_insert(text);
    }

    /// Returns a text with its slots filled, and the invalid slots.
    pub(super) fn fill(&self, text: &str) -> (String, Vec<UnknownTextValue>) {
        let (mut filled, mut bad) = (String::with_capacity(text.len()), Vec::new());
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('{') {
            filled.push_str(before);
            let at = text.chars().count() - tail.chars().count() - 1;
            let Some((slot, after)) = tail.split_once('}') else {
                bad.push(UnknownTextValue { at, name: tail.to_owned(), nearest: None });
                return (filled, bad);
            };
            if IN_PLAY.iter().any(|start| slot.starts_with(start)) {
                filled.push('{');
                filled.push_str(slot);
                filled.push('}');
            } else {
                match self.value(at, slot) {
                    Ok(value) => filled.push_str(&value),
                    Err(figure) => bad.push(figure),
                }
            }
            rest = after;
        }
        filled.push_str(rest);
        (filled, bad)
    }

    /// Returns the value of a slot: a name, or sums of products of names and whole numbers.
    fn value(&self, at: usize, slot: &str) -> Result<String, UnknownTextValue> {
        let bad = |name: &str| {
            let nearest = nearest(name, self.values.keys().map(String::as_str)).map(str::to_owned);
            UnknownTextValue { at, name: name.to_owned(), nearest }
        };
        if let Some(value) = self.values.get(slot.trim()) {
            return Ok(value.clone());
        }
        let mut sum = 0_i64;
        for term in slot.split('+') {
            let mut product = 1_i64;
            for name in term.split('*').map(str::trim) {
                let known = self.values.get(name).map_or(name, String::as_str);
                let number: i64 = known.parse().map_err(|_| bad(name))?;
                product = product.checked_mul(number).ok_or_else(|| bad(slot))?;
            }
            sum = sum.checked_add(product).ok_or_else(|| bad(slot))?;
        }
        Ok(sum.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "[levels]\nbase = 200\nfactor = 150\n[party]\nshare = [100, 80, 70]\n";

    fn figures() -> TextFigures {
        TextFigures::of([("rules.toml", RULES), ("mobs/rat.toml", "name = \"rat\"\nhp = 5\n")])
    }

    #[test]
    fn slots_are_replaced_by_values() {
        let filled = |text: &str| {
            let (filled, bad) = figures().fill(text);
            assert_eq!(bad, []);
            filled
        };
        assert_eq!(filled("{rules.levels.base} and {mobs.rat.hp}."), "200 and 5.");
        assert_eq!(filled("{rules.levels.base + 2 * rules.levels.factor}"), "500");
        assert_eq!(filled("{rules.party.share} percent"), "100, 80 and 70 percent");
        assert_eq!(filled("Go {way.shop}; kill {here.creature}."), "Go {way.shop}; kill {here.creature}.");
        assert_eq!(filled("nothing"), "nothing");
    }

    #[test]
    fn slots_without_value_are_reported_with_place() {
        let bad = |text: &str| figures().fill(text).1;
        let one = bad("Not {rules.levels.bass}.");
        assert_eq!((one[0].at, one[0].name.as_str()), (4, "rules.levels.bass"));
        assert_eq!(one[0].nearest.as_deref(), Some("rules.levels.base"));
        assert_eq!(bad("{rules.levels.base + nine}")[0].name, "nine");
        assert_eq!(bad("{rules.party.share * 2}")[0].name, "rules.party.share");
        assert_eq!(bad("an {open one")[0].at, 3);
        assert_eq!(bad("{9223372036854775807 + 1}").len(), 1);
    }
}
