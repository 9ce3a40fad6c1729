//! Events that trigger scripts of a room, with their syntax in files and commands.

use crate::catalog::script::variable::is_variable_name;
use crate::catalog::script::verbs::ArgumentKind::{self, Number, Words};
use crate::catalog::script::verbs::{ScriptVerb, VerbArgument, VerbArguments, verbs};
use crate::data::{CatalogError, Reader};
use crate::text::{grammar, nearest, sanitise};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use thiserror::Error;

/// Valid delays of timer triggers, in seconds.
pub const TIMER_SECS: RangeInclusive<u32> = 10..=86_400;

verbs! {
    /// Event that triggers a script.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TriggerEvent as str::to_owned {
        /// A player enters.
        Enter = "enter",
        /// A player leaves.
        Leave = "leave",
        /// A player says something that contains one of these phrases, separated by `;`.
        Say(words: String = Words) = "say" "WORDS",
        /// A player uses a carried item with one of these keys, separated by `;`, or types `use` and such a key.
        Use(names: String = Words) = "use" "THING",
        /// A player looks at one of these words, separated by `;`, with or without a detail for it.
        Look(names: String = Words) = "look" "WORD",
        /// A player opens the door of an exit with one of these names, separated by `;`, or the door with that name.
        Open(names: String = Words) = "open" "EXIT",
        /// A player searches the room.
        Search = "search",
        /// A player types a line that begins with one of these words, separated by `;`; exits and commands of the
        /// game take precedence, and verbs such as `pull` where they find something to act on.
        Command(words: String = Words) = "command" "WORD",
        /// A time of 10 to 86400 seconds has passed, and a player is in the room.
        Timer(secs: u32 = Number(*TIMER_SECS.start(), *TIMER_SECS.end())) = "timer" "SECONDS",
        /// The last creature is gone.
        Clear = "clear",
        /// A creature dies, or a player is incapacitated.
        Death = "death",
    }
}

/// Returns the syntax of all events for error messages.
pub fn events() -> String {
    grammar::list(TriggerEvent::forms())
}

/// Error in the text of an event.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EventMistake {
    /// The argument is missing.
    #[error("`{0}` needs a word behind it")]
    NeedsWord(String),
    /// The delay is out of range.
    #[error("`timer` needs {} to {} seconds", TIMER_SECS.start(), TIMER_SECS.end())]
    TimerOutOfRange,
    /// The event is unknown.
    #[error("unknown event `{word}`")]
    Unknown {
        /// Name as typed.
        word: String,
        /// Suggested name.
        meant: Option<&'static str>,
    },
}

/// Returns the name of a trigger, or else its event.
pub fn label(name: &str, on: &TriggerEvent) -> String {
    if name.is_empty() { on.to_string() } else { name.to_owned() }
}

/// Returns `true` for a valid name of a trigger: small letters, figures and `_`.
pub fn is_trigger_name(name: &str) -> bool {
    is_variable_name(name)
}

/// Reads the name of a trigger in a file; empty if it has none.
pub(in crate::catalog) fn name(table: &mut Reader<'_>) -> String {
    let Some((place, name)) = table.text_if_any("name") else { return String::new() };
    if !is_trigger_name(&name) {
        let mistake = format!("`{name}` is no name of a trigger");
        table.note(CatalogError::new(&place, mistake, "at most 40 small letters, figures and _"));
    }
    name
}

impl TriggerEvent {
    /// Returns the word of the event, as in `say`.
    pub fn event(&self) -> &'static str {
        self.parts().0
    }

    /// Parses an event with its argument, such as `say friend;mate`. The argument is truncated to `chars_max`
    /// characters.
    ///
    /// # Errors
    /// An error in the text.
    pub fn parse(typed: &str, chars_max: usize) -> Result<Self, EventMistake> {
        let (event, word) = typed.trim().split_once(char::is_whitespace).unwrap_or((typed.trim(), ""));
        let event = event.to_lowercase();
        let word = sanitise::clean_line(word, chars_max).to_lowercase();
        let Some(row) = Self::ROWS.iter().find(|row| row.verb == event) else {
            let meant = nearest(&event, Self::names());
            return Err(EventMistake::Unknown { word: event, meant });
        };
        let word = if row.form.is_empty() { "" } else { &word };
        Self::read(&event, &mut VerbArguments::of(word)).ok_or(match event.as_str() {
            "timer" => EventMistake::TimerOutOfRange,
            _ => EventMistake::NeedsWord(event),
        })
    }

    /// Returns the event's argument, if it has one.
    pub fn word(&self) -> Option<&str> {
        self.texts().next().map(|(_, word)| word.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R21: an event survives a round trip through text.
    #[test]
    fn event_text_round_trip_is_identical() {
        for text in [
            "enter",
            "leave",
            "say friend;old friend",
            "use bell",
            "look painting",
            "open oak door;north",
            "search",
            "command ring;toll",
            "timer 90",
            "clear",
            "death",
        ] {
            assert_eq!(TriggerEvent::parse(text, 60).expect(text).to_string(), text);
        }
        assert_eq!(TriggerEvent::parse(" SAY  Friend ", 60), Ok(TriggerEvent::Say("friend".into())));
        assert_eq!(TriggerEvent::parse("say friend", 3), Ok(TriggerEvent::Say("fri".into())));
        for (text, mistake) in [
            ("say", "`say` needs a word behind it"),
            ("timer 9", "`timer` needs 10 to 86400 seconds"),
            ("timer soon", "`timer` needs 10 to 86400 seconds"),
            ("laeve", "unknown event `laeve`"),
            ("", "unknown event ``"),
        ] {
            assert_eq!(TriggerEvent::parse(text, 60).expect_err(text).to_string(), mistake);
        }
        let mistake = TriggerEvent::parse("laeve", 60).expect_err("no event");
        assert_eq!(mistake, EventMistake::Unknown { word: "laeve".into(), meant: Some("leave") });
    }
}
