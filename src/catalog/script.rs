//! Small scripts that builders write in data or in the game: what happens when somebody does something in a room, and
//! what a creature does at each tick. A script is a list of lines `[if CONDITION:] [N%] VERB REST` without loops, so that
//! running one is bounded by its length; how many may set off each other is the game's to bound.

use super::{Catalog, Referent};
use crate::data::{CatalogError, Mistake, Position, Reader};
use crate::text::nearest_within;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What one line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Tells whoever it is about.
    Tell(String),
    /// Tells everybody in the room.
    Room(String),
    /// The creature says it; in a room, a voice does.
    Say(String),
    /// Harms whoever it is about.
    Harm(u32),
    /// Harms whoever it is about, but never takes the last hit point.
    Bruise(u32),
    /// Heals whoever it is about.
    Heal(u32),
    /// Hangs an affect on whoever it is about, by key.
    Affect(String),
    /// A creature comes to be, by key.
    Spawn(String),
    /// A thing comes to be on the ground, by key.
    Item(String),
    /// The door in a way out opens, by the name of the exit.
    Open(String),
    /// The same door falls shut.
    Shut(String),
    /// Whoever it is about gets a thing, by key.
    Give(String),
    /// Whoever it is about loses a thing, by key, if they carry one.
    Take(String),
    /// Whoever it is about is elsewhere, in a hand-built room.
    Move(RoomName),
    /// Counts something in the room.
    Count(String),
    /// Counts it from nothing again.
    Reset(String),
    /// A function of a script in Luau says what happens.
    Call {
        /// The script, by key.
        script: String,
        /// The function.
        function: String,
    },
    /// The script is spent with this run.
    Once,
}

/// What a script calls a hand-built room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomName {
    /// Its number, which is known in its own world alone.
    Number(u32),
    /// Its key in a file: of the same area, or AREA/KEY.
    Key(String),
}

impl RoomName {
    /// What stands for a room that is gone: no room has this number.
    pub const GONE: Self = Self::Number(0);
}

/// As it is written.
impl fmt::Display for RoomName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Key(key) => f.write_str(key),
        }
    }
}

/// What must be so for a line to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Whoever it is about carries a thing, by key.
    Has(String),
    /// Something was counted so often at the least.
    Count(String, u32),
}

/// How a condition has to turn out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It is so.
    Yes,
    /// It is not.
    No,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// What must be so, and whether it must not be so instead.
    pub condition: Option<(Condition, Expected)>,
    /// In how many of 100 runs it happens.
    pub percent: u32,
    /// What happens.
    pub deed: Deed,
}

/// A script. In storage it is its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Script {
    lines: Vec<ScriptLine>,
}

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPlace {
    /// The line, from 1.
    pub line: usize,
    /// The letter in it, from 1.
    pub column: usize,
}

/// A key of other content that a script uses and that names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName<'s> {
    /// The line, from 1.
    pub line: usize,
    /// Of what it should be the key.
    pub what: &'static str,
    /// The key.
    pub key: &'s str,
    /// The keys there are.
    pub valid: Vec<&'s str>,
}

/// What is wrong with a script, and where.
pub type ScriptMistake = Mistake<ScriptPlace>;

/// A stored script that cannot be read, with all its mistakes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct BadScript(pub Vec<ScriptMistake>);

impl fmt::Display for BadScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, mistake) in self.0.iter().enumerate() {
            write!(f, "{}{mistake}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The verbs, each with what has to follow it.
const VERBS: &[(&str, &str)] = &[
    ("tell", "a text"),
    ("room", "a text"),
    ("say", "a text"),
    ("harm", "a number of points"),
    ("bruise", "a number of points"),
    ("heal", "a number of points"),
    ("affect", "the key of an affect"),
    ("spawn", "the key of a creature"),
    ("item", "the key of a thing"),
    ("open", "the name of an exit with a door"),
    ("shut", "the name of an exit with a door"),
    ("give", "the key of a thing"),
    ("take", "the key of a thing"),
    ("move", "the number or the key of a room built by hand"),
    ("count", "a word for what is counted"),
    ("reset", "a word for what is counted"),
    ("call", "the key of a script and one of its functions"),
    ("once", "nothing"),
];

impl Script {
    /// Lines at most.
    pub const LINES_MAX: usize = 12;

    /// Letters of a line at most.
    pub const LINE_CHARS_MAX: usize = 400;

    /// Points that one line may harm or heal at most.
    pub const POINTS_MAX: u32 = 100_000;

    /// Reads lines; every mistake of all of them.
    ///
    /// # Errors
    /// What is wrong, in the order of the lines.
    pub fn parse<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Self, Vec<ScriptMistake>> {
        let (mut read, mut mistakes) = (Vec::new(), Vec::new());
        for (at, text) in lines.into_iter().enumerate() {
            if at >= Self::LINES_MAX {
                let expected = format!("at most {} lines", Self::LINES_MAX);
                let place = ScriptPlace { line: at + 1, column: 1 };
                mistakes.push(Mistake::new(&place, "this is one line too many", expected));
                break;
            }
            match line(at + 1, text) {
                Ok(line) => read.push(line),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() { Ok(Self { lines: read }) } else { Err(mistakes) }
    }

    /// Reads the lines under a key of a content file, none if the key is absent; mistakes are placed in it.
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Self {
        let lines = reader.placed_texts(name, 0);
        Self::of_lines(reader, &lines)
    }

    /// The same for lines that were taken out of the file.
    pub(super) fn of_lines(reader: &mut Reader<'_>, lines: &[(Position, String)]) -> Self {
        let placed = |mistake: ScriptMistake| {
            let ScriptPlace { line, column } = mistake.place;
            let mut place = lines.get(line - 1).map(|(place, _)| place.clone()).unwrap_or_default();
            // A text begins behind its quote.
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

    /// Its lines.
    pub fn lines(&self) -> &[ScriptLine] {
        &self.lines
    }

    /// Whether it can take somebody's last hit point.
    pub fn kills(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.deed, Deed::Harm(_)))
    }

    /// Whether nothing is in it.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The same script with other names for the rooms of its `move`s.
    #[must_use]
    pub fn with_rooms(mut self, mut rename: impl FnMut(&RoomName) -> RoomName) -> Self {
        for line in &mut self.lines {
            if let Deed::Move(room) = &mut line.deed {
                *room = rename(room);
            }
        }
        self
    }

    /// Keys that it uses and that name nothing.
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

    /// The keys of other content in it, each with its line, counted from 1, and what it names.
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
    type Error = BadScript;

    fn try_from(lines: Vec<String>) -> Result<Self, BadScript> {
        Self::parse(lines.iter().map(String::as_str)).map_err(BadScript)
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

impl fmt::Display for ScriptLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((condition, expected)) = &self.condition {
            let not = if *expected == Expected::No { "not " } else { "" };
            match condition {
                Condition::Has(key) => write!(f, "if {not}has {key}: ")?,
                Condition::Count(what, least) => write!(f, "if {not}count {what} {least}: ")?,
            }
        }
        if self.percent < 100 {
            write!(f, "{}% ", self.percent)?;
        }
        match &self.deed {
            Deed::Tell(text) => write!(f, "tell {text}"),
            Deed::Room(text) => write!(f, "room {text}"),
            Deed::Say(text) => write!(f, "say {text}"),
            Deed::Harm(points) => write!(f, "harm {points}"),
            Deed::Bruise(points) => write!(f, "bruise {points}"),
            Deed::Heal(points) => write!(f, "heal {points}"),
            Deed::Affect(key) => write!(f, "affect {key}"),
            Deed::Spawn(key) => write!(f, "spawn {key}"),
            Deed::Item(key) => write!(f, "item {key}"),
            Deed::Open(exit) => write!(f, "open {exit}"),
            Deed::Shut(exit) => write!(f, "shut {exit}"),
            Deed::Give(key) => write!(f, "give {key}"),
            Deed::Take(key) => write!(f, "take {key}"),
            Deed::Move(room) => write!(f, "move {room}"),
            Deed::Count(what) => write!(f, "count {what}"),
            Deed::Reset(what) => write!(f, "reset {what}"),
            Deed::Call { script, function } => write!(f, "call {script} {function}"),
            Deed::Once => f.write_str("once"),
        }
    }
}

/// Reads the line of a number.
fn line(number: usize, text: &str) -> Result<ScriptLine, ScriptMistake> {
    let column = |rest: &str| {
        let before = text.len() - rest.len();
        text.get(..before).map_or(0, |before| before.chars().count()) + 1
    };
    let fail = |rest: &str, wrong: String, expected: &str| {
        ScriptMistake::new(&ScriptPlace { line: number, column: column(rest) }, wrong, expected)
    };
    if text.chars().count() > Script::LINE_CHARS_MAX {
        let expected = format!("at most {} letters", Script::LINE_CHARS_MAX);
        return Err(fail(text, "the line is too long".into(), &expected));
    }
    let (condition, trimmed) = match text.trim_start().strip_prefix("if ") {
        None => (None, text.trim_start()),
        Some(rest) => {
            let read = rest.split_once(':').and_then(|(words, rest)| Some((condition(words)?, rest)));
            let Some((condition, rest)) = read else {
                let wrong = "the condition does not fit".into();
                return Err(fail(
                    rest,
                    wrong,
                    "`if has KEY:` or `if count WORD NUMBER:`, with not or without",
                ));
            };
            (Some(condition), rest.trim_start())
        }
    };
    let (first, after) = word(trimmed);
    let (percent, rest) = match first.strip_suffix('%') {
        None => (100, trimmed),
        Some(number) => {
            let percent = number.parse().ok().filter(|percent| (1..=100).contains(percent));
            let Some(percent) = percent else {
                return Err(fail(trimmed, format!("`{first}` does not fit"), "a chance from 1% to 100%"));
            };
            (percent, after)
        }
    };
    let (verb, tail) = word(rest);
    let Some((_, needs)) = VERBS.iter().find(|(name, _)| *name == verb) else {
        let names: Vec<&str> = VERBS.iter().map(|(name, _)| *name).collect();
        let wrong =
            if verb.is_empty() { "a verb is missing".into() } else { format!("unknown verb `{verb}`") };
        let mistake = fail(rest, wrong, &format!("one of {}", names.join(", ")));
        return Err(mistake.with_nearest(nearest_within(1, verb, names)));
    };
    let tail = tail.trim_end();
    let unfit = || fail(tail, format!("`{verb}` needs {needs}"), "");
    let deed = deed(verb, tail).ok_or_else(unfit)?;
    Ok(ScriptLine { condition, percent, deed })
}

/// What stands between `if` and the colon.
fn condition(words: &str) -> Option<(Condition, Expected)> {
    let (expected, words) = match words.trim().strip_prefix("not ") {
        Some(rest) => (Expected::No, rest),
        None => (Expected::Yes, words),
    };
    let condition = match *words.split_whitespace().collect::<Vec<_>>() {
        ["has", key] => Condition::Has(key.to_owned()),
        ["count", what, least] => Condition::Count(what.to_owned(), least.parse().ok()?),
        _ => return None,
    };
    Some((condition, expected))
}

/// The first word and what follows it, without the blanks between.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    (word, rest.trim_start())
}

/// A number as it is told, or else a key: `007` is one.
fn room_name(word: &str) -> RoomName {
    let digits = word.trim_start_matches('#');
    let number = digits.parse().ok().filter(|number: &u32| number.to_string() == digits);
    number.map_or_else(|| RoomName::Key(word.to_owned()), RoomName::Number)
}

fn deed(verb: &str, rest: &str) -> Option<Deed> {
    let text = || Some(rest.to_owned()).filter(|rest| !rest.is_empty());
    let key = || text().filter(|rest| !rest.contains(char::is_whitespace));
    let points = || rest.parse().ok().filter(|points| (1..=Script::POINTS_MAX).contains(points));
    Some(match verb {
        "tell" => Deed::Tell(text()?),
        "room" => Deed::Room(text()?),
        "say" => Deed::Say(text()?),
        "harm" => Deed::Harm(points()?),
        "bruise" => Deed::Bruise(points()?),
        "heal" => Deed::Heal(points()?),
        "affect" => Deed::Affect(key()?),
        "spawn" => Deed::Spawn(key()?),
        "item" => Deed::Item(key()?),
        "open" => Deed::Open(text()?),
        "shut" => Deed::Shut(text()?),
        "give" => Deed::Give(key()?),
        "take" => Deed::Take(key()?),
        "move" => Deed::Move(room_name(&key()?)),
        "count" => Deed::Count(key()?),
        "reset" => Deed::Reset(key()?),
        "call" => match *rest.split_whitespace().collect::<Vec<_>>() {
            [script, function] => Deed::Call { script: script.to_owned(), function: function.to_owned() },
            _ => return None,
        },
        _ if rest.is_empty() => Deed::Once,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R21: what is written comes back as it was written, in the game and in storage.
    #[test]
    fn a_script_is_its_lines() {
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

    /// R21: a line may depend on what somebody carries, or on what was counted.
    #[test]
    fn a_line_may_have_a_condition() {
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

    /// R21: every mistake has its line and its column.
    #[test]
    fn mistakes_are_placed() {
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
    fn a_script_is_bounded() {
        let many = vec!["once"; Script::LINES_MAX + 5];
        let wrong = Script::parse(many).expect_err("too many");
        assert_eq!((wrong.len(), wrong[0].place.line), (1, Script::LINES_MAX + 1));
        let long = format!("room {}", "a".repeat(Script::LINE_CHARS_MAX));
        assert!(Script::parse([long.as_str()]).is_err());
        assert!(Script::parse(["harm 100001"]).is_err() && Script::parse(["harm 0"]).is_err());
    }
}
