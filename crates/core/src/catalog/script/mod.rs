//! Script lines in content files and in-game building: reactions of a room to events, and actions of a creature on each
//! tick. A script is a list of lines `[if CONDITION:] [N%] VERB REST` without loops, so its run time is bounded by its
//! length. The game limits how many scripts may trigger each other.

pub mod condition;
pub mod deed;
pub mod line;
pub mod object_trigger;
pub(super) mod sentence;
pub mod slot;
pub mod trigger;
pub mod variable;
pub mod verbs;

pub use crate::catalog::script::condition::{
    ComparedValue, Condition, ExpectedResult, FIRST_VISIT, QuestState, Test,
};
pub use crate::catalog::script::deed::{ScriptDeed, ScriptRoomName};
pub use crate::catalog::script::line::{Guard, ScriptLine, ScriptMistake, ScriptPlace};
use crate::catalog::script::slot::{TextPiece, TextSlot};
use crate::catalog::script::variable::VariableUse;
use crate::catalog::script::verbs::ArgumentKind;
use crate::catalog::{Catalog, Referent};
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
    pub const LINES_MAX: usize = 30;

    /// Parses lines.
    ///
    /// # Errors
    /// All errors, in the order of the lines.
    pub fn parse<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Self, Vec<ScriptMistake>> {
        Self::parse_lines(lines, misplaced)
    }

    /// Parses the rest of a script, whose lines may continue a condition before it.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_rest<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Self, Vec<ScriptMistake>> {
        Self::parse_lines(lines, |_, _| None)
    }

    fn parse_lines<'l>(
        lines: impl IntoIterator<Item = &'l str>,
        misplaced: fn(&[ScriptLine], &ScriptLine) -> Option<ScriptMistake>,
    ) -> Result<Self, Vec<ScriptMistake>> {
        let (mut read, mut mistakes) = (Vec::new(), Vec::new());
        for (at, text) in lines.into_iter().enumerate() {
            if at >= Self::LINES_MAX {
                let expected = format!("at most {} lines", Self::LINES_MAX);
                let place = ScriptPlace { line: at + 1, column: 1 };
                mistakes.push(Mistake::new(&place, "this is one line too many", expected));
                break;
            }
            match ScriptLine::read(at + 1, text) {
                Ok(line) => {
                    mistakes.extend(misplaced(&read, &line));
                    read.push(line);
                }
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() { Ok(Self { lines: read }) } else { Err(mistakes) }
    }

    /// Reads the lines of a key in a content file; empty if the key is absent. Errors are recorded with their places in
    /// the file.
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Self {
        let lines = reader.placed_list("line", name, 0);
        Self::of_lines(reader, &lines)
    }

    /// Reads lines that must not contain `once`, because many objects share them.
    pub(super) fn read_lasting(reader: &mut Reader<'_>, name: &str) -> Self {
        let place = reader.place_of(name);
        let script = Self::read(reader, name);
        if script.lines.iter().any(|line| line.deed == ScriptDeed::Once) {
            reader.note(CatalogError::new(
                &place,
                "`once` is for scripts of rooms",
                "a script without `once`",
            ));
        }
        script
    }

    /// Parses lines that were taken from a content file. Errors are recorded with their places in the file.
    pub(super) fn of_lines(reader: &mut Reader<'_>, lines: &[(Position, String)]) -> Self {
        let placed = |mistake: ScriptMistake| {
            let ScriptPlace { line, column } = mistake.place;
            let mut place = lines.get(line - 1).map(|(place, _)| place.clone()).unwrap_or_default();
            // The text begins after its opening quote.
            place.column = place.column.saturating_add(u32::try_from(column).unwrap_or(u32::MAX));
            let Mistake { message, expected, nearest, .. } = mistake;
            CatalogError { place, message, expected, nearest }
        };
        match Self::parse(lines.iter().map(|(_, text)| text.as_str())) {
            Ok(script) => script,
            Err(error) => {
                for mistake in error {
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
        self.lines.iter().any(|line| matches!(line.deed, ScriptDeed::Harm(_)))
    }

    /// Returns `true` if the script has no lines.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns all conditions.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.lines.iter().filter_map(|line| line.guard.condition())
    }

    /// Returns the script with the rooms of its `move` lines renamed.
    #[must_use]
    pub fn with_rooms(mut self, mut rename: impl FnMut(&ScriptRoomName) -> ScriptRoomName) -> Self {
        for line in &mut self.lines {
            if let ScriptDeed::Move(room) = &mut line.deed {
                *room = rename(room);
            }
        }
        self
    }

    /// Returns the rooms to which the script moves characters, with line numbers from 1.
    pub fn rooms(&self) -> impl Iterator<Item = (usize, &ScriptRoomName)> {
        self.lines.iter().zip(1..).filter_map(|(line, number)| match &line.deed {
            ScriptDeed::Move(room) => Some((number, room)),
            _ => None,
        })
    }

    /// Returns the script with its variables renamed.
    #[must_use]
    pub fn with_variables(mut self, mut rename: impl FnMut(&str) -> String) -> Self {
        for (kind, text) in self.texts_mut() {
            kind.rename_variables(text, &mut rename);
        }
        self
    }

    /// Returns the texts of all lines, with their kinds, for editing.
    pub(super) fn texts_mut(&mut self) -> impl Iterator<Item = (ArgumentKind, &mut String)> {
        self.lines.iter_mut().flat_map(ScriptLine::texts_mut)
    }

    /// Returns the uses of variables, with line numbers from 1.
    pub fn variables(&self) -> impl Iterator<Item = (usize, VariableUse<'_>)> {
        self.lines.iter().zip(1..).flat_map(|(line, number)| {
            let asked = line.guard.condition().into_iter().flat_map(Condition::variables);
            let done = match &line.deed {
                ScriptDeed::Set(name, value) => Some(VariableUse::Set(name, value)),
                ScriptDeed::Add(name, _) => Some(VariableUse::Add(name)),
                ScriptDeed::Clear(name) => Some(VariableUse::Read(name)),
                _ => None,
            };
            let shown = line.deed.text().into_iter().flat_map(|text| slot::pieces(text));
            let shown = shown.filter_map(|piece| match piece {
                TextPiece::Slot(TextSlot::Variable(name)) => Some(VariableUse::Read(name)),
                TextPiece::Slot(TextSlot::Word(_)) | TextPiece::Text(_) => None,
            });
            asked.chain(done).chain(shown).map(move |of| (number, of)).collect::<Vec<_>>()
        })
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
            let ScriptDeed::Call(script, function) = &line.deed else { continue };
            let Some(program) = catalog.scripts.get(script) else { continue };
            let valid: Vec<&str> = program.functions().collect();
            if !valid.contains(&function.as_str()) {
                unknown.push(UnknownName { line: number, what: "function", key: function, valid });
            }
        }
        for (line, number) in self.lines.iter().zip(1..) {
            let texts: Vec<(ArgumentKind, &String)> = line.texts().collect();
            for pair in texts.windows(2) {
                let [(ArgumentKind::Key(Referent::Quest), key), (ArgumentKind::Step, step)] = pair else {
                    continue;
                };
                let Some(quest) = catalog.quests.get(*key).filter(|quest| quest.step(step).is_none()) else {
                    continue;
                };
                let valid = quest.steps.iter().map(|step| step.key.as_str()).collect();
                unknown.push(UnknownName { line: number, what: "step", key: step, valid });
            }
            let slots = line.deed.text().into_iter().flat_map(|text| slot::unknown(text));
            unknown.extend(slots.map(|key| UnknownName {
                line: number,
                what: "slot",
                key,
                valid: slot::WORDS.to_vec(),
            }));
        }
        unknown
    }

    /// Returns all references to other content, with line numbers from 1.
    pub fn names(&self) -> impl Iterator<Item = (usize, Referent, &str)> {
        self.lines.iter().zip(1..).flat_map(|(line, number)| {
            line.texts().filter_map(move |(kind, text)| Some((number, kind.referent()?, text.as_str())))
        })
    }
}

/// Returns the error of a line that does not fit behind those before it.
fn misplaced(before: &[ScriptLine], line: &ScriptLine) -> Option<ScriptMistake> {
    let place = ScriptPlace { line: before.len() + 1, column: 1 };
    let last = before.last().map(|last| &last.guard);
    let is_open = last.is_some_and(|guard| *guard != Guard::Always);
    // After `else`, a chain has no alternative left.
    let ended = before.iter().rev().find(|line| line.guard != Guard::Then);
    let is_ended = ended.is_some_and(|line| line.guard == Guard::Else);
    let has_waited = before.iter().any(|line| matches!(line.deed, ScriptDeed::Wait(_)));
    if line.guard.continues() && !is_open {
        let expected = "a line with `if` just before it";
        return Some(Mistake::new(&place, "`then` and `else` belong to a condition", expected));
    }
    if matches!(line.guard, Guard::Else | Guard::ElseIf(_)) && is_ended {
        return Some(Mistake::new(
            &place,
            "there is an `else` before it",
            "one `else`, as the last alternative",
        ));
    }
    let word = line.deed.to_string();
    if matches!(line.deed, ScriptDeed::Once | ScriptDeed::Alone) && has_waited {
        let expected = format!("`{word}` before the first `wait`");
        return Some(Mistake::new(&place, format!("`{word}` comes too late"), expected));
    }
    None
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
    use crate::catalog::script::variable::VariableType;

    /// R21: a script survives a round trip through text and storage.
    #[test]
    fn script_round_trip_is_identical() {
        let lines = ["20% room The rat sniffs.", "tell A dart hits you.", "harm 3", "affect webbed", "once"];
        let script = Script::parse(lines).expect("a script");
        assert_eq!(script.lines().len(), 5);
        assert_eq!(
            script.lines()[0],
            ScriptLine {
                guard: Guard::Always,
                percent: 20,
                deed: ScriptDeed::Room("The rat sniffs.".into())
            }
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
        let knocks = Condition::parse("count knocks 3").expect("a condition");
        assert_eq!(script.lines()[1].guard, Guard::If(knocks));
        let key = UnknownName { line: 1, what: "item", key: "old_key", valid: Vec::new() };
        assert_eq!(script.unknown_names(&Catalog::default()), [key]);
        for line in
            ["if has: once", "if rich: once", "if has old_key once", "if count knocks: once", "if not: once"]
        {
            assert!(Script::parse([line]).expect_err(line)[0].to_string().contains("condition"), "{line}");
        }
    }

    /// R21: `then`, `else if` and `else` belong to the condition before them.
    #[test]
    fn lines_may_continue_a_condition() {
        let lines = [
            "if has rat_tail and var done: take rat_tail",
            "then give 3 silver_coin",
            "else if level 5: tell Too late.",
            "then wait 3s",
            "else 50% stop",
            "then stop",
        ];
        assert_eq!(Vec::from(Script::parse(lines).expect("a script")), lines);
        for (lines, mistake) in [
            (vec!["then stop"], "line 1, column 1: `then` and `else` belong to a condition"),
            (vec!["if clear: stop", "stop", "else stop"], "line 3, column 1: `then` and `else` belong to"),
            (
                vec!["if clear: stop", "else stop", "then stop", "else stop"],
                "line 4, column 1: there is an `else`",
            ),
            (vec!["wait 5s", "once"], "line 2, column 1: `once` comes too late"),
            (vec!["wait 5s", "alone"], "line 2, column 1: `alone` comes too late"),
        ] {
            let mistakes = Script::parse(lines).expect_err(mistake);
            assert!(mistakes.len() == 1 && mistakes[0].to_string().starts_with(mistake), "{mistakes:?}");
        }
    }

    #[test]
    fn variables_and_slots_are_found_and_renamed() {
        let lines = [
            "if var bells >= 3 and var mill/done: set mood = glad of {var:bells}",
            "add bells 2",
            "clear mood",
            "tell {player} has {var:mood}, {plyer}.",
        ];
        let script = Script::parse(lines).expect("a script");
        let names: Vec<_> = script.variables().map(|(line, of)| (line, of.name())).collect();
        let expected = [
            (1, "bells"),
            (1, "mill/done"),
            (1, "mood"),
            (1, "bells"),
            (2, "bells"),
            (3, "mood"),
            (4, "mood"),
        ];
        assert_eq!(names, expected);
        let slot = UnknownName { line: 4, what: "slot", key: "plyer", valid: slot::WORDS.to_vec() };
        assert_eq!(script.unknown_names(&Catalog::default()), [slot]);
        let renamed = script
            .with_variables(|name| if name.contains('/') { name.into() } else { format!("mill/{name}") });
        assert_eq!(
            Vec::from(renamed),
            [
                "if var mill/bells >= 3 and var mill/done: set mill/mood = glad of {var:mill/bells}",
                "add mill/bells 2",
                "clear mill/mood",
                "tell {player} has {var:mill/mood}, {plyer}.",
            ]
        );
    }

    #[test]
    fn uses_of_another_type_are_mismatches() {
        let lines =
            ["if var bells > few: add bells 1", "if var bells < 3: set bells = many", "set bells = {player}"];
        let script = Script::parse(lines).expect("a script");
        let mismatches = |kind: VariableType| {
            script
                .variables()
                .filter_map(move |(line, of)| Some((line, of.mismatch(kind)?)))
                .collect::<Vec<_>>()
        };
        let fifteen = "a whole number of at most fifteen figures";
        assert_eq!(
            mismatches(VariableType::Number),
            [
                (1, format!("is compared to few, and is {fifteen}")),
                (2, format!("is set to many, and is {fifteen}"))
            ]
        );
        assert_eq!(mismatches(VariableType::Text).len(), 3);
    }

    /// R21: each error has its line and column.
    #[test]
    fn errors_have_line_and_column() {
        let lines = ["harn 3", "20% harm lots", "0% once", "", "once more", "10% ", "spawn two rats"];
        let mistakes = Script::parse(lines).expect_err("seven mistakes");
        let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        let verbs = "tell, others, room, say, emote, harm, bruise, heal, experience, affect, spawn, despawn, join, part, item, open, \
                     shut, give, take, move, count, reset, set, add, clear, start, advance, \
                     finish, wait, stop, call, once, alone";
        assert_eq!(
            messages,
            [
                &format!(
                    "line 1, column 1: unknown verb `harn`, expected one of {verbs}, did you mean `harm`?"
                ),
                "line 2, column 10: `harm` needs a number of points from 1 to 100000",
                "line 3, column 1: `0%` does not fit, expected a chance from 1% to 100%",
                &format!("line 4, column 1: a verb is missing, expected one of {verbs}"),
                "line 5, column 6: `once` needs nothing",
                &format!("line 6, column 5: a verb is missing, expected one of {verbs}"),
                "line 7, column 7: `spawn` needs the key of a creature",
            ]
        );
    }

    #[test]
    fn script_length_and_numbers_are_limited() {
        let many = vec!["once"; Script::LINES_MAX + 5];
        let mistakes = Script::parse(many).expect_err("too many");
        assert_eq!((mistakes.len(), mistakes[0].place.line), (1, Script::LINES_MAX + 1));
        let long = format!("room {}", "a".repeat(ScriptLine::CHARS_MAX));
        assert!(Script::parse([long.as_str()]).is_err());
        assert!(Script::parse(["harm 100001"]).is_err() && Script::parse(["harm 0"]).is_err());
    }
}
