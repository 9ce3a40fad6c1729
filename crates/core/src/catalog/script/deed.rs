//! Actions of script lines, with their verbs.

use crate::catalog::references::Referent::{Affect, Creature, Item, Quest, Script};
use crate::catalog::script::verbs::ArgumentKind::{
    self, Assigned, Count, Key, Number, Step, Text, Unit, Value, Variable, Word, Words,
};
use crate::catalog::script::verbs::{ScriptVerb, VerbArgument, VerbArguments, verbs};
use std::fmt;

verbs! {
    /// Action of a line. The target is the character that triggered the script. Texts may contain
    /// [slots](crate::catalog::script::slot).
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ScriptDeed as str::to_owned {
        /// Sends the text to the target.
        Tell(text: String = Text) = "tell" "a text",
        /// Sends the text to everyone in the room but the target.
        Others(text: String = Text) = "others" "a text",
        /// Sends the text to everyone in the room.
        Room(text: String = Text) = "room" "a text",
        /// The creature or item says the text; in a room's script, "a voice" says it.
        Say(text: String = Text) = "say" "a text",
        /// Sends the name of the creature or item and the text to the room.
        Emote(text: String = Text) = "emote" "a text",
        /// Removes hit points of the target; where fighting is off, never the last one.
        Harm(points: u32 = POINTS) = "harm" "a number of points from 1 to 100000",
        /// Removes hit points of the target, but never the last one.
        Bruise(points: u32 = POINTS) = "bruise" "a number of points from 1 to 100000",
        /// Restores hit points of the target.
        Heal(points: u32 = POINTS) = "heal" "a number of points from 1 to 100000",
        /// Gives the target experience.
        Experience(points: u32 = POINTS) = "experience" "a number of points from 1 to 100000",
        /// Applies an affect of `content/affects` to the target.
        Affect(key: String = Key(Affect)) = "affect" "the key of an affect",
        /// Spawns a creature, unless the room has `creatures_in_room` or the branch `creatures_in_branch` creatures.
        Spawn(key: String = Key(Creature)) = "spawn" "the key of a creature",
        /// Removes a creature of that kind from the room, unless it is a companion.
        Despawn(key: String = Key(Creature)) = "despawn" "the key of a creature",
        /// The creature becomes a companion of the target: it follows and fights for the player.
        Join = "join" "nothing",
        /// Sends away the target's companions of that kind in the room.
        Part(key: String = Key(Creature)) = "part" "the key of a creature",
        /// Creates an item on the ground, unless the room already holds `limits.items_in_room` items.
        Item(key: String = Key(Item)) = "item" "the key of a thing",
        /// Opens the door of that exit, on both sides.
        Open(exit: String = Words) = "open" "the name of an exit with a door",
        /// Closes the door of that exit, on both sides; a door with a key is locked while it is closed.
        Shut(exit: String = Words) = "shut" "the name of an exit with a door",
        /// Gives the target that many items; coins are added to the purse.
        Give(count: u32 = ITEMS, key: String = Key(Item)) =
            "give" "the key of a thing, perhaps with a number from 1 to 100 before it",
        /// Takes that many items, if the target carries them all; coins are paid from the purse, if it holds enough.
        Take(count: u32 = ITEMS, key: String = Key(Item)) =
            "take" "the key of a thing, perhaps with a number from 1 to 100 before it",
        /// Moves the target from one hand-built room to another, given by its number in the game, its key, or
        /// `ZONE/KEY`.
        Move(room: ScriptRoomName = Word) = "move" "the number or the key of a room built by hand",
        /// Adds one to a counter of this room.
        Count(counter: String = Word) = "count" "a word for what is counted",
        /// Resets a counter of this room to zero.
        Reset(counter: String = Word) = "reset" "a word for what is counted",
        /// Sets a variable to a value.
        Set(name: String = Assigned, value: String = Value) = "set" "the name of a variable, = and a value",
        /// Adds an amount to a variable.
        Add(name: String = Variable, amount: i64 = Word) =
            "add" "the name of a variable and a number from -4294967295 to 4294967295",
        /// Resets a variable to its default.
        Clear(name: String = Variable) = "clear" "the name of a variable",
        /// Begins a quest of the target.
        Start(quest: String = Key(Quest)) = "start" "the key of a quest",
        /// Completes a step of a quest of the target.
        Advance(quest: String = Key(Quest), step: String = Step) =
            "advance" "the key of a quest and one of its steps",
        /// Completes a quest of the target.
        Finish(quest: String = Key(Quest)) = "finish" "the key of a quest",
        /// Continues with the next line after that time.
        Wait(secs: u32 = Unit(3_600, 's')) = "wait" "a time from 1s to 3600s",
        /// Ends the run.
        Stop = "stop" "nothing",
        /// Calls a function of a Luau script, which returns the lines to run.
        Call(script: String = Key(Script), function: String = Word) =
            "call" "the key of a script and one of its functions",
        /// Makes this run the last one of the script; for rooms and single creatures and items only, and before the
        /// first `wait`.
        Once = "once" "nothing",
        /// Ends the run if an earlier run of the script still waits; before the first `wait`.
        Alone = "alone" "nothing",
    }
}

/// Damage, healing or experience of a line.
const POINTS: ArgumentKind = Number(1, 100_000);
/// Number of items of a line.
const ITEMS: ArgumentKind = Count(100);

/// Reference to a hand-built room in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptRoomName {
    /// Room number; valid only in its own world.
    Number(u32),
    /// Room key in a file: KEY in the same area, or AREA/KEY.
    Key(String),
}

impl ScriptRoomName {
    /// Reference to a deleted room; no room has this number.
    pub const GONE: Self = Self::Number(0);

    /// Returns the key; `None` for a number.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Number(_) => None,
            Self::Key(key) => Some(key),
        }
    }

    /// Parses a room number in its canonical form, else a key: `007` is a key.
    fn parse(word: &str) -> Self {
        let digits = word.trim_start_matches('#');
        let number = digits.parse().ok().filter(|number: &u32| number.to_string() == digits);
        number.map_or_else(|| Self::Key(word.to_owned()), Self::Number)
    }
}

/// Formats the reference as it is typed.
impl fmt::Display for ScriptRoomName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Key(key) => f.write_str(key),
        }
    }
}

impl VerbArgument for ScriptRoomName {
    fn read(_: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self> {
        arguments.words.next().map(Self::parse)
    }

    fn print(&self, _: ArgumentKind, _: fn(&str) -> String) -> String {
        self.to_string()
    }
}

impl VerbArgument for i64 {
    fn read(_: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self> {
        let most = Self::from(u32::MAX);
        arguments.words.next()?.parse().ok().filter(|amount| (-most..=most).contains(amount))
    }

    fn print(&self, _: ArgumentKind, _: fn(&str) -> String) -> String {
        self.to_string()
    }
}

impl ScriptDeed {
    /// Returns `true` if the line gives the target, or the room, money, items or experience.
    pub const fn pays(&self) -> bool {
        matches!(self, Self::Experience(_) | Self::Item(_) | Self::Give(..))
    }

    /// Returns the text that may contain slots, if there is one.
    pub fn text(&self) -> Option<&String> {
        self.texts().find(|(kind, _)| matches!(kind, Text | Value)).map(|(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each verb with its arguments.
    const TYPED: [&str; 37] = [
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

    fn read(line: &str) -> Option<ScriptDeed> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        ScriptDeed::read(verb, &mut VerbArguments::of(rest))
    }

    /// The form of each verb tells the limits of its numbers.
    #[test]
    fn forms_of_verbs_tell_limits() {
        let rows = TYPED.map(|line| (read(line).expect(line), line));
        for (deed, line) in rows {
            let (verb, kinds) = deed.parts();
            let form = ScriptDeed::ROWS.iter().find(|row| row.verb == verb).map_or("", |row| row.form);
            for (kind, _) in kinds {
                let limits = match kind {
                    Number(least, most) => format!("from {least} to {most}"),
                    Count(most) => format!("from 1 to {most}"),
                    Unit(most, unit) => format!("from 1{unit} to {most}{unit}"),
                    _ => String::new(),
                };
                assert!(form.contains(&limits), "{line}: {form} does not tell {limits}");
            }
        }
    }

    /// R21: every verb is formatted as it is typed, and rejects an argument of another kind.
    #[test]
    fn verb_round_trip_is_identical() {
        for line in TYPED {
            assert_eq!(read(line).expect(line).to_string(), line);
        }
        for verb in ScriptDeed::names() {
            assert!(TYPED.iter().any(|line| line.split(' ').next() == Some(verb)), "{verb}");
        }
        assert_eq!(read("wait 5"), Some(ScriptDeed::Wait(5)));
        for text in [
            "tell",
            "harm 0",
            "harm 100001",
            "give",
            "give 0 lamp",
            "give 101 lamp",
            "take 101 lamp",
            "add bells 4294967296",
            "give two lamps",
            "set mood",
            "set = 3",
            "add bells",
            "add bells few",
            "wait",
            "wait 0s",
            "wait 3601",
            "wait long",
            "stop now",
            "call door",
            "once more",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
