//! Script lines in content files and in-game building: reactions of a room to events, and actions of a creature on each
//! tick. A script is a list of lines `[if CONDITION:] [N%] VERB REST` without loops, so its run time is bounded by its
//! length. The game limits how many scripts may trigger each other.

pub use super::script_line::{Condition, Deed, Expected, RoomName, ScriptLine, ScriptMistake, ScriptPlace};
use super::{Catalog, Referent};
use crate::data::{CatalogError, Mistake, Position, Reader};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A script. Stored as its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Script {
    lines: Vec<ScriptLine>,
}

/// A reference in a script to content that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName<'s> {
    /// Line number from 1.
    pub line: usize,
    /// Kind of content.
    pub what: &'static str,
    /// Unknown key.
    pub key: &'s str,
    /// Valid keys.
    pub valid: Vec<&'s str>,
}

/// A stored script that cannot be parsed, with all its errors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct InvalidScript(pub Vec<ScriptMistake>);

impl fmt::Display for InvalidScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, mistake) in self.0.iter().enumerate() {
            write!(f, "{}{mistake}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl Script {
    /// Maximum number of lines.
    pub const LINES_MAX: usize = 12;

    /// Parses lines.
    ///
    /// # Errors
    /// All errors, in the order of the lines.
    pub fn parse<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Self, Vec<ScriptMistake>> {
        let (mut read, mut mistakes) = (Vec::new(), Vec::new());
        for (at, text) in lines.into_iter().enumerate() {
            if at >= Self::LINES_MAX {
                let expected = format!("at most {} lines", Self::LINES_MAX);
                let place = ScriptPlace { line: at + 1, column: 1 };
                mistakes.push(Mistake::new(&place, "this is one line too many", expected));
                break;
            }
            match ScriptLine::read(at + 1, text) {
                Ok(line) => read.push(line),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() { Ok(Self { lines: read }) } else { Err(mistakes) }
    }

    /// Reads the lines of a key in a content file; empty if the key is absent. Errors are recorded with their places in
    /// the file.
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Self {
        let lines = reader.placed_texts(name, 0);
        Self::of_lines(reader, &lines)
    }

    /// Parses lines that were taken from a content file. Errors are recorded with their places in the file.
    pub(super) fn of_lines(reader: &mut Reader<'_>, lines: &[(Position, String)]) -> Self {
        let placed = |mistake: ScriptMistake| {
            let ScriptPlace { line, column } = mistake.place;
            let mut place = lines.get(line - 1).map(|(place, _)| place.clone()).unwrap_or_default();
            // The text begins after its opening quote.
            place.column = place.column.saturating_add(u32::try_from(column).unwrap_or(u32::MAX));
            let Mistake { wrong, expected, nearest, .. } = mistake;
            CatalogError { place, wrong, expected, nearest }
        };
        match Self::parse(lines.iter().map(|(_, text)| text.as_str())) {
            Ok(script) => script,
            Err(wrong) => {
                for mistake in wrong {
                    reader.note(placed(mistake));
                }
                Self::default()
            }
        }
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[ScriptLine] {
        &self.lines
    }

    /// Returns `true` if it can take a character's last hit point directly.
    pub fn kills(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.deed, Deed::Harm(_)))
    }

    /// Returns `true` if the script has no lines.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the script with the rooms of its `move` lines renamed.
    #[must_use]
    pub fn with_rooms(mut self, mut rename: impl FnMut(&RoomName) -> RoomName) -> Self {
        for line in &mut self.lines {
            if let Deed::Move(room) = &mut line.deed {
                *room = rename(room);
            }
        }
        self
    }

    /// Returns the unknown references of the script.
    pub fn unknown_names<'s>(&'s self, catalog: &'s Catalog) -> Vec<UnknownName<'s>> {
        let mut unknown = Vec::new();
        for (line, of, key) in self.names() {
            if !catalog.has(of, key) {
                let valid = catalog.keys(of);
                unknown.push(UnknownName { line, what: of.name(), key, valid });
            }
        }
        for (line, number) in self.lines.iter().zip(1..) {
            let Deed::Call { script, function } = &line.deed else { continue };
            let Some(program) = catalog.scripts.get(script) else { continue };
            let valid: Vec<&str> = program.functions().collect();
            if !valid.contains(&function.as_str()) {
                unknown.push(UnknownName { line: number, what: "function", key: function, valid });
            }
        }
        unknown
    }

    /// Returns all references to other content, with line numbers from 1.
    pub fn names(&self) -> impl Iterator<Item = (usize, Referent, &str)> {
        self.lines.iter().zip(1..).flat_map(|(line, number)| {
            let asked = match &line.condition {
                Some((Condition::Has(key), _)) => Some((Referent::Item, key)),
                _ => None,
            };
            let done = match &line.deed {
                Deed::Spawn(key) => Some((Referent::Mob, key)),
                Deed::Item(key) | Deed::Give(key) | Deed::Take(key) => Some((Referent::Item, key)),
                Deed::Affect(key) => Some((Referent::Affect, key)),
                Deed::Call { script, .. } => Some((Referent::Script, script)),
                _ => None,
            };
            asked.into_iter().chain(done).map(move |(of, key)| (number, of, key.as_str()))
        })
    }
}

impl TryFrom<Vec<String>> for Script {
    type Error = InvalidScript;

    fn try_from(lines: Vec<String>) -> Result<Self, InvalidScript> {
        Self::parse(lines.iter().map(String::as_str)).map_err(InvalidScript)
    }
}

impl From<Script> for Vec<String> {
    fn from(script: Script) -> Self {
        script.lines.iter().map(ToString::to_string).collect()
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, line) in self.lines.iter().enumerate() {
            write!(f, "{}{line}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R21: a script survives a round trip through text and storage.
    #[test]
    fn script_round_trip_is_identical() {
        let lines = ["20% room The rat sniffs.", "tell A dart hits you.", "harm 3", "affect webbed", "once"];
        let script = Script::parse(lines).expect("a script");
        assert_eq!(script.lines().len(), 5);
        assert_eq!(
            script.lines()[0],
            ScriptLine { condition: None, percent: 20, deed: Deed::Room("The rat sniffs.".into()) }
        );
        assert_eq!(Vec::from(script.clone()), lines);
        assert_eq!(script.to_string(), lines.join("; "));
        let stored = serde_json::to_string(&script).unwrap();
        assert_eq!(serde_json::from_str::<Script>(&stored).unwrap(), script);
        assert!(serde_json::from_str::<Script>("[\"explode\"]").is_err());
        let nothing = Catalog::default();
        let webbed = UnknownName { line: 4, what: "affect", key: "webbed", valid: Vec::new() };
        assert_eq!(script.unknown_names(&nothing), [webbed]);
    }

    /// R21: a line may depend on an item or a counter.
    #[test]
    fn line_may_have_a_condition() {
        let lines =
            ["if not has old_key: tell It is locked.", "if count knocks 3: 50% open north", "count knocks"];
        let script = Script::parse(lines).expect("a script");
        assert_eq!(Vec::from(script.clone()), lines);
        let knocks = Condition::Count("knocks".into(), 3);
        assert_eq!(script.lines()[1].condition, Some((knocks, Expected::Yes)));
        let key = UnknownName { line: 1, what: "item", key: "old_key", valid: Vec::new() };
        assert_eq!(script.unknown_names(&Catalog::default()), [key]);
        for wrong in
            ["if has: once", "if rich: once", "if has old_key once", "if count knocks: once", "if not: once"]
        {
            assert!(Script::parse([wrong]).expect_err(wrong)[0].to_string().contains("condition"), "{wrong}");
        }
    }

    /// R21: each error has its line and column.
    #[test]
    fn errors_have_line_and_column() {
        let lines = ["harn 3", "20% harm lots", "0% once", "", "once more", "10% ", "spawn two rats"];
        let wrong = Script::parse(lines).expect_err("seven mistakes");
        let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 1, column 1: unknown verb `harn`, expected one of tell, room, say, harm, bruise, heal, \
                 affect, spawn, item, open, shut, give, take, move, count, reset, call, once, did you mean `harm`?",
                "line 2, column 10: `harm` needs a number of points",
                "line 3, column 1: `0%` does not fit, expected a chance from 1% to 100%",
                "line 4, column 1: a verb is missing, expected one of tell, room, say, harm, bruise, heal, \
                 affect, spawn, item, open, shut, give, take, move, count, reset, call, once",
                "line 5, column 6: `once` needs nothing",
                "line 6, column 5: a verb is missing, expected one of tell, room, say, harm, bruise, heal, \
                 affect, spawn, item, open, shut, give, take, move, count, reset, call, once",
                "line 7, column 7: `spawn` needs the key of a creature",
            ]
        );
    }

    #[test]
    fn script_length_and_numbers_are_limited() {
        let many = vec!["once"; Script::LINES_MAX + 5];
        let wrong = Script::parse(many).expect_err("too many");
        assert_eq!((wrong.len(), wrong[0].place.line), (1, Script::LINES_MAX + 1));
        let long = format!("room {}", "a".repeat(ScriptLine::CHARS_MAX));
        assert!(Script::parse([long.as_str()]).is_err());
        assert!(Script::parse(["harm 100001"]).is_err() && Script::parse(["harm 0"]).is_err());
    }
}
