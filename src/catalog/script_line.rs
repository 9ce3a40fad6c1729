//! One line of a script, `[if CONDITION:] [N%] VERB REST`: representation, parsing and formatting.

use crate::data::Mistake;
use crate::text::nearest_within;
use std::fmt;

/// Action of a line. The target is the character that triggered the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Sends a message to the target.
    Tell(String),
    /// Sends a message to the room.
    Room(String),
    /// Speaks as the creature, or as a voice in a room's script.
    Say(String),
    /// Damages the target.
    Harm(u32),
    /// Damages the target, but leaves at least one hit point.
    Bruise(u32),
    /// Heals the target.
    Heal(u32),
    /// Applies an affect to the target, by key.
    Affect(String),
    /// Spawns a creature, by key.
    Spawn(String),
    /// Creates an item on the ground, by key.
    Item(String),
    /// Opens the door of an exit, by the name of the exit.
    Open(String),
    /// Closes the door of an exit, by the name of the exit.
    Shut(String),
    /// Gives the target an item, by key.
    Give(String),
    /// Takes an item from the target, by key, if the target carries one.
    Take(String),
    /// Moves the target to a hand-built room.
    Move(RoomName),
    /// Increments a counter of the room.
    Count(String),
    /// Resets a counter of the room.
    Reset(String),
    /// Calls a function of a Luau script, which returns the lines to run.
    Call {
        /// Script, by key.
        script: String,
        /// Name of the function.
        function: String,
    },
    /// Disables the script after this run.
    Once,
}

impl Deed {
    /// Maximum damage or healing of a line.
    pub const POINTS_MAX: u32 = 100_000;
}

/// Reference to a hand-built room in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomName {
    /// Room number; valid only in its own world.
    Number(u32),
    /// Room key in a file: KEY in the same area, or AREA/KEY.
    Key(String),
}

impl RoomName {
    /// Reference to a deleted room; no room has this number.
    pub const GONE: Self = Self::Number(0);
}

/// Formats the reference as it is typed.
impl fmt::Display for RoomName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Key(key) => f.write_str(key),
        }
    }
}

/// Condition of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The target carries an item, by key; for coins, enough money.
    Has(String),
    /// A counter of the room has at least this value.
    Count(String, u32),
}

/// Required result of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The condition must hold.
    Yes,
    /// The condition must not hold.
    No,
}

/// A line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Condition and its required result.
    pub condition: Option<(Condition, Expected)>,
    /// Chance that the line runs, in percent.
    pub percent: u32,
    /// Action.
    pub deed: Deed,
}

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPlace {
    /// Line from 1.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
}

/// An error in a script.
pub type ScriptMistake = Mistake<ScriptPlace>;

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl ScriptLine {
    /// Maximum length in characters.
    pub const CHARS_MAX: usize = 400;

    /// Parses a line; `number` is its line number for errors.
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

/// Verbs, each with a description of its argument.
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

/// Parses the text between `if` and the colon.
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

/// Splits off the first word; blanks between it and the rest are dropped.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    (word, rest.trim_start())
}

/// Parses a room number in its canonical form, else a key: `007` is a key.
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
