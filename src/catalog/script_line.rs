//! One line of a small script, `[if CONDITION:] [N%] VERB REST`: what it says, how it is read and how it is written.

use crate::data::Mistake;
use crate::text::nearest_within;
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

impl Deed {
    /// Points that one line may harm or heal at most.
    pub const POINTS_MAX: u32 = 100_000;
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

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPlace {
    /// The line, from 1.
    pub line: usize,
    /// The letter in it, from 1.
    pub column: usize,
}

/// What is wrong with a script, and where.
pub type ScriptMistake = Mistake<ScriptPlace>;

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl ScriptLine {
    /// Letters at most.
    pub const CHARS_MAX: usize = 400;

    /// Reads the line of a number.
    pub(super) fn read(number: usize, text: &str) -> Result<Self, ScriptMistake> {
        let column = |rest: &str| {
            let before = text.len() - rest.len();
            text.get(..before).map_or(0, |before| before.chars().count()) + 1
        };
        let fail = |rest: &str, wrong: String, expected: &str| {
            ScriptMistake::new(&ScriptPlace { line: number, column: column(rest) }, wrong, expected)
        };
        if text.chars().count() > Self::CHARS_MAX {
            let expected = format!("at most {} letters", Self::CHARS_MAX);
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
        Ok(Self { condition, percent, deed })
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
    let points = || rest.parse().ok().filter(|points| (1..=Deed::POINTS_MAX).contains(points));
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
