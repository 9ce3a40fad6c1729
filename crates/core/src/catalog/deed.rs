//! Actions of script lines, with their verbs.

use super::usage::Referent;
use std::fmt;

/// Action of a line. The target is the character that triggered the script. Texts may contain
/// [slots](super::slot).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Sends a message to the target.
    Tell(String),
    /// Sends a message to everyone in the room but the target.
    Others(String),
    /// Sends a message to the room.
    Room(String),
    /// Speaks as the creature, or as a voice in a room's script.
    Say(String),
    /// Sends the room the name of the creature, followed by a text.
    Emote(String),
    /// Damages the target.
    Harm(u32),
    /// Damages the target, but leaves at least one hit point.
    Bruise(u32),
    /// Heals the target.
    Heal(u32),
    /// Gives the target experience.
    Experience(u32),
    /// Applies an affect to the target, by key.
    Affect(String),
    /// Spawns a creature, by key.
    Spawn(String),
    /// Removes a creature of a kind from the room, by key.
    Despawn(String),
    /// Makes the creature of the script a companion of the target.
    Join,
    /// Sends away the companions of the target of a kind, by key.
    Part(String),
    /// Creates an item on the ground, by key.
    Item(String),
    /// Opens the door of an exit, by the name of the exit.
    Open(String),
    /// Closes the door of an exit, by the name of the exit.
    Shut(String),
    /// Gives the target a number of items, by key.
    Give(u32, String),
    /// Takes a number of items from the target, by key, if the target carries them all.
    Take(u32, String),
    /// Moves the target to a hand-built room.
    Move(RoomName),
    /// Increments a counter of the room.
    Count(String),
    /// Resets a counter of the room.
    Reset(String),
    /// Sets a variable to a value.
    Set(String, String),
    /// Adds an amount to a variable.
    Add(String, i64),
    /// Resets a variable to its default.
    Clear(String),
    /// Starts a quest for the target, by key.
    Start(String),
    /// Completes a step of a quest of the target: the keys of both.
    Advance(String, String),
    /// Completes a quest of the target, by key.
    Finish(String),
    /// Suspends the script for a time, in seconds.
    Wait(u32),
    /// Ends the run.
    Stop,
    /// Calls a function of a Luau script, which returns the lines to run.
    Call {
        /// Script, by key.
        script: String,
        /// Name of the function.
        function: String,
    },
    /// Disables the script after this run.
    Once,
    /// Ends the run if an earlier run of the script is suspended.
    Alone,
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

    /// Parses a room number in its canonical form, else a key: `007` is a key.
    fn parse(word: &str) -> Self {
        let digits = word.trim_start_matches('#');
        let number = digits.parse().ok().filter(|number: &u32| number.to_string() == digits);
        number.map_or_else(|| Self::Key(word.to_owned()), Self::Number)
    }
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

/// Verb of a line, as it is typed.
pub(super) struct Verb {
    /// The word.
    pub(super) name: &'static str,
    /// Description of the argument.
    pub(super) needs: &'static str,
    /// Parses the argument; `None` if it does not fit.
    pub(super) read: fn(&str) -> Option<Deed>,
}

/// All verbs.
pub(super) const VERBS: &[Verb] = &[
    Verb { name: "tell", needs: "a text", read: |rest| text(rest).map(Deed::Tell) },
    Verb { name: "others", needs: "a text", read: |rest| text(rest).map(Deed::Others) },
    Verb { name: "room", needs: "a text", read: |rest| text(rest).map(Deed::Room) },
    Verb { name: "say", needs: "a text", read: |rest| text(rest).map(Deed::Say) },
    Verb { name: "emote", needs: "a text", read: |rest| text(rest).map(Deed::Emote) },
    Verb { name: "harm", needs: "a number of points", read: |rest| points(rest).map(Deed::Harm) },
    Verb { name: "bruise", needs: "a number of points", read: |rest| points(rest).map(Deed::Bruise) },
    Verb { name: "heal", needs: "a number of points", read: |rest| points(rest).map(Deed::Heal) },
    Verb { name: "experience", needs: "a number of points", read: |rest| points(rest).map(Deed::Experience) },
    Verb { name: "affect", needs: "the key of an affect", read: |rest| key(rest).map(Deed::Affect) },
    Verb { name: "spawn", needs: "the key of a creature", read: |rest| key(rest).map(Deed::Spawn) },
    Verb { name: "despawn", needs: "the key of a creature", read: |rest| key(rest).map(Deed::Despawn) },
    Verb { name: "join", needs: "nothing", read: |rest| rest.is_empty().then_some(Deed::Join) },
    Verb { name: "part", needs: "the key of a creature", read: |rest| key(rest).map(Deed::Part) },
    Verb { name: "item", needs: "the key of a thing", read: |rest| key(rest).map(Deed::Item) },
    Verb { name: "open", needs: "the name of an exit with a door", read: |rest| text(rest).map(Deed::Open) },
    Verb { name: "shut", needs: "the name of an exit with a door", read: |rest| text(rest).map(Deed::Shut) },
    Verb { name: "give", needs: SOME, read: |rest| some(rest).map(|(count, key)| Deed::Give(count, key)) },
    Verb { name: "take", needs: SOME, read: |rest| some(rest).map(|(count, key)| Deed::Take(count, key)) },
    Verb {
        name: "move",
        needs: "the number or the key of a room built by hand",
        read: |rest| key(rest).map(|word| Deed::Move(RoomName::parse(&word))),
    },
    Verb { name: "count", needs: "a word for what is counted", read: |rest| key(rest).map(Deed::Count) },
    Verb { name: "reset", needs: "a word for what is counted", read: |rest| key(rest).map(Deed::Reset) },
    Verb { name: "set", needs: "the name of a variable, = and a value", read: setting },
    Verb { name: "add", needs: "the name of a variable and a number", read: addition },
    Verb { name: "clear", needs: "the name of a variable", read: |rest| key(rest).map(Deed::Clear) },
    Verb { name: "start", needs: "the key of a quest", read: |rest| key(rest).map(Deed::Start) },
    Verb { name: "advance", needs: "the key of a quest and one of its steps", read: step },
    Verb { name: "finish", needs: "the key of a quest", read: |rest| key(rest).map(Deed::Finish) },
    Verb { name: "wait", needs: "a time from 1s to 3600s", read: |rest| wait(rest).map(Deed::Wait) },
    Verb { name: "stop", needs: "nothing", read: |rest| rest.is_empty().then_some(Deed::Stop) },
    Verb { name: "call", needs: "the key of a script and one of its functions", read: call },
    Verb { name: "once", needs: "nothing", read: |rest| rest.is_empty().then_some(Deed::Once) },
    Verb { name: "alone", needs: "nothing", read: |rest| rest.is_empty().then_some(Deed::Alone) },
];

/// Kind and key of the content that an action refers to: shared, or for editing, as the action is borrowed.
macro_rules! reference {
    ($deed:expr) => {
        match $deed {
            Self::Spawn(key) | Self::Despawn(key) | Self::Part(key) => Some((Referent::Mob, key)),
            Self::Item(key) | Self::Give(_, key) | Self::Take(_, key) => Some((Referent::Item, key)),
            Self::Affect(key) => Some((Referent::Affect, key)),
            Self::Call { script, .. } => Some((Referent::Script, script)),
            Self::Start(key) | Self::Advance(key, _) | Self::Finish(key) => Some((Referent::Quest, key)),
            _ => None,
        }
    };
}

/// Argument of verbs for items.
const SOME: &str = "the key of a thing, perhaps with a number before it";

impl Deed {
    /// Maximum damage, healing or experience of a line.
    pub const POINTS_MAX: u32 = 100_000;
    /// Maximum number of items of a line.
    pub const ITEMS_MAX: u32 = 100;
    /// Maximum time to wait, in seconds.
    pub const WAIT_SECS_MAX: u32 = 3_600;

    /// Returns `true` if the line gives the target, or the room, money, items or experience.
    pub const fn pays(&self) -> bool {
        match self {
            Self::Experience(_) | Self::Item(_) | Self::Give(..) => true,
            Self::Tell(_)
            | Self::Others(_)
            | Self::Room(_)
            | Self::Say(_)
            | Self::Emote(_)
            | Self::Harm(_)
            | Self::Bruise(_)
            | Self::Heal(_)
            | Self::Affect(_)
            | Self::Spawn(_)
            | Self::Despawn(_)
            | Self::Join
            | Self::Part(_)
            | Self::Open(_)
            | Self::Shut(_)
            | Self::Take(..)
            | Self::Move(_)
            | Self::Count(_)
            | Self::Reset(_)
            | Self::Set(..)
            | Self::Add(..)
            | Self::Clear(_)
            | Self::Start(_)
            | Self::Advance(..)
            | Self::Finish(_)
            | Self::Wait(_)
            | Self::Stop
            | Self::Alone
            | Self::Call { .. }
            | Self::Once => false,
        }
    }

    /// Returns the text that may contain slots, if there is one.
    pub const fn text(&self) -> Option<&String> {
        match self {
            Self::Tell(text)
            | Self::Others(text)
            | Self::Room(text)
            | Self::Say(text)
            | Self::Emote(text)
            | Self::Set(_, text) => Some(text),
            _ => None,
        }
    }

    /// Returns the same for editing.
    pub(super) const fn text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Tell(text)
            | Self::Others(text)
            | Self::Room(text)
            | Self::Say(text)
            | Self::Emote(text)
            | Self::Set(_, text) => Some(text),
            _ => None,
        }
    }

    /// Returns the reference to other content, if there is one.
    pub const fn name(&self) -> Option<(Referent, &String)> {
        reference!(self)
    }

    /// Returns the same for editing.
    pub(super) const fn name_mut(&mut self) -> Option<(Referent, &mut String)> {
        reference!(self)
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tell(text) => write!(f, "tell {text}"),
            Self::Others(text) => write!(f, "others {text}"),
            Self::Room(text) => write!(f, "room {text}"),
            Self::Say(text) => write!(f, "say {text}"),
            Self::Emote(text) => write!(f, "emote {text}"),
            Self::Harm(points) => write!(f, "harm {points}"),
            Self::Bruise(points) => write!(f, "bruise {points}"),
            Self::Heal(points) => write!(f, "heal {points}"),
            Self::Experience(points) => write!(f, "experience {points}"),
            Self::Affect(key) => write!(f, "affect {key}"),
            Self::Spawn(key) => write!(f, "spawn {key}"),
            Self::Despawn(key) => write!(f, "despawn {key}"),
            Self::Join => f.write_str("join"),
            Self::Part(key) => write!(f, "part {key}"),
            Self::Item(key) => write!(f, "item {key}"),
            Self::Open(exit) => write!(f, "open {exit}"),
            Self::Shut(exit) => write!(f, "shut {exit}"),
            Self::Give(1, key) => write!(f, "give {key}"),
            Self::Give(count, key) => write!(f, "give {count} {key}"),
            Self::Take(1, key) => write!(f, "take {key}"),
            Self::Take(count, key) => write!(f, "take {count} {key}"),
            Self::Move(room) => write!(f, "move {room}"),
            Self::Count(what) => write!(f, "count {what}"),
            Self::Reset(what) => write!(f, "reset {what}"),
            Self::Set(name, value) => write!(f, "set {name} = {value}"),
            Self::Add(name, amount) => write!(f, "add {name} {amount}"),
            Self::Clear(name) => write!(f, "clear {name}"),
            Self::Start(quest) => write!(f, "start {quest}"),
            Self::Advance(quest, step) => write!(f, "advance {quest} {step}"),
            Self::Finish(quest) => write!(f, "finish {quest}"),
            Self::Wait(secs) => write!(f, "wait {secs}s"),
            Self::Stop => f.write_str("stop"),
            Self::Call { script, function } => write!(f, "call {script} {function}"),
            Self::Once => f.write_str("once"),
            Self::Alone => f.write_str("alone"),
        }
    }
}

fn text(rest: &str) -> Option<String> {
    Some(rest.to_owned()).filter(|rest| !rest.is_empty())
}

fn key(rest: &str) -> Option<String> {
    text(rest).filter(|rest| !rest.contains(char::is_whitespace))
}

fn points(rest: &str) -> Option<u32> {
    rest.parse().ok().filter(|points| (1..=Deed::POINTS_MAX).contains(points))
}

/// Parses `[NUMBER] KEY`.
fn some(rest: &str) -> Option<(u32, String)> {
    let Some((count, rest)) = rest.split_once(char::is_whitespace) else {
        return Some((1, key(rest)?));
    };
    let count = count.parse().ok().filter(|count| (1..=Deed::ITEMS_MAX).contains(count))?;
    Some((count, key(rest.trim_start())?))
}

/// Parses `NAME = VALUE`; the value may be empty.
fn setting(rest: &str) -> Option<Deed> {
    let (name, value) = rest.split_once('=')?;
    Some(Deed::Set(key(name.trim())?, value.trim().to_owned()))
}

fn addition(rest: &str) -> Option<Deed> {
    let (name, amount) = rest.split_once(char::is_whitespace)?;
    let amount: i64 = amount.trim_start().parse().ok()?;
    (amount.abs() <= i64::from(u32::MAX)).then(|| Deed::Add(name.to_owned(), amount))
}

fn wait(rest: &str) -> Option<u32> {
    let secs = rest.strip_suffix('s').unwrap_or(rest).trim_end().parse().ok();
    secs.filter(|secs| (1..=Deed::WAIT_SECS_MAX).contains(secs))
}

fn step(rest: &str) -> Option<Deed> {
    let (quest, step) = rest.split_once(char::is_whitespace)?;
    Some(Deed::Advance(quest.to_owned(), key(step.trim_start())?))
}

fn call(rest: &str) -> Option<Deed> {
    match *rest.split_whitespace().collect::<Vec<_>>() {
        [script, function] => Some(Deed::Call { script: script.to_owned(), function: function.to_owned() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R21: every verb is formatted as it is typed, and rejects an argument of another kind.
    #[test]
    fn verb_round_trip_is_identical() {
        let typed = [
            "tell Go.",
            "others {player} goes.",
            "room It rains.",
            "say No.",
            "emote yawns.",
            "harm 3",
            "bruise 2",
            "heal 9",
            "experience 40",
            "affect webbed",
            "spawn rat",
            "despawn rat",
            "join",
            "part rat",
            "item lamp",
            "open north",
            "shut trap door",
            "give lamp",
            "give 12 silver_coin",
            "take lamp",
            "take 3 rat_tail",
            "move 17",
            "move town/square",
            "count bells",
            "reset bells",
            "set mood = very glad",
            "set mood = ",
            "add mill/bells -2",
            "clear bells",
            "start tails",
            "advance tails rats",
            "finish tails",
            "wait 30s",
            "stop",
            "call door answer",
            "once",
            "alone",
        ];
        let read = |line: &str| {
            let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
            (VERBS.iter().find(|known| known.name == verb).expect(line).read)(rest)
        };
        for line in typed {
            assert_eq!(read(line).expect(line).to_string(), line);
        }
        for verb in VERBS {
            assert!(typed.iter().any(|line| line.split(' ').next() == Some(verb.name)), "{}", verb.name);
        }
        assert_eq!(read("wait 5"), Some(Deed::Wait(5)));
        for wrong in [
            "tell", "harm 0", "harm 100001", "give", "give 0 lamp", "give two lamps", "set mood", "set = 3",
            "add bells", "add bells few", "wait", "wait 0s", "wait 3601", "wait long", "stop now",
            "call door", "once more",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
