//! Events that trigger scripts of a room, with their syntax in files and commands.

use super::variable::is_variable_name;
use crate::data::{CatalogError, Reader};
use crate::text::{nearest, sanitise};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use thiserror::Error;

/// Valid delays of timer triggers, in seconds.
pub const TIMER_SECS: RangeInclusive<u32> = 10..=86_400;

/// Syntax of all events for error messages.
pub const EVENTS: &str = "enter, leave, say WORDS, use THING, look WORD, open EXIT, search, command WORD, timer SECONDS, clear and death";

/// Names of the events except `enter`.
const WORDS: [&str; 10] =
    ["leave", "say", "use", "look", "open", "search", "command", "timer", "clear", "death"];

/// Event that triggers a script, other than entering.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerEvent {
    /// A player leaves.
    Leave,
    /// A player says something that contains one of these phrases, which are separated by `;`.
    Say(String),
    /// A player uses an item or a feature of the room with one of these names, separated by `;`.
    Use(String),
    /// A player looks at something with one of these names, separated by `;`.
    Look(String),
    /// A player opens the door of an exit with one of these names, separated by `;`.
    Open(String),
    /// A player searches the room.
    Search,
    /// A player types a line that begins with one of these words, separated by `;`, which are not commands otherwise.
    Command(String),
    /// This number of seconds has passed and a player is in the room.
    Timer(u32),
    /// The last creature is gone.
    Clear,
    /// A creature dies, or a player is incapacitated.
    Death,
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
pub(super) fn name(table: &mut Reader<'_>) -> String {
    let Some((place, name)) = table.text_if_any("name") else { return String::new() };
    if !is_trigger_name(&name) {
        let wrong = format!("`{name}` is no name of a trigger");
        table.note(CatalogError::new(&place, wrong, "at most 40 small letters, figures and _"));
    }
    name
}

impl TriggerEvent {
    /// Returns the word of the event, as in `say`.
    pub const fn event(&self) -> &'static str {
        match self {
            Self::Leave => "leave",
            Self::Say(_) => "say",
            Self::Use(_) => "use",
            Self::Look(_) => "look",
            Self::Open(_) => "open",
            Self::Search => "search",
            Self::Command(_) => "command",
            Self::Timer(_) => "timer",
            Self::Clear => "clear",
            Self::Death => "death",
        }
    }

    /// Parses an event with its argument, such as `say friend;mate`. The argument is truncated to `chars_max`
    /// characters.
    ///
    /// # Errors
    /// An error in the text. `enter` is not one of these events.
    pub fn parse(typed: &str, chars_max: usize) -> Result<Self, EventMistake> {
        let (event, word) = typed.trim().split_once(char::is_whitespace).unwrap_or((typed.trim(), ""));
        let event = event.to_lowercase();
        let word = sanitise::clean_line(word, chars_max).to_lowercase();
        let named = |make: fn(String) -> Self| {
            let known = Some(word.clone()).filter(|word| !word.is_empty());
            known.map(make).ok_or_else(|| EventMistake::NeedsWord(event.clone()))
        };
        match event.as_str() {
            "leave" => Ok(Self::Leave),
            "say" => named(Self::Say),
            "use" => named(Self::Use),
            "look" => named(Self::Look),
            "open" => named(Self::Open),
            "search" => Ok(Self::Search),
            "command" => named(Self::Command),
            "timer" => {
                let secs = word.parse().ok().filter(|secs| TIMER_SECS.contains(secs));
                secs.map(Self::Timer).ok_or(EventMistake::TimerOutOfRange)
            }
            "clear" => Ok(Self::Clear),
            "death" => Ok(Self::Death),
            _ => {
                let meant = nearest(&event, WORDS);
                Err(EventMistake::Unknown { word: event, meant })
            }
        }
    }

    /// Returns the event's argument, if it has one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Say(word) | Self::Use(word) | Self::Look(word) | Self::Open(word) | Self::Command(word) => {
                Some(word)
            }
            Self::Leave | Self::Search | Self::Timer(_) | Self::Clear | Self::Death => None,
        }
    }
}

/// Formats the event as it is typed.
impl fmt::Display for TriggerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.event())?;
        match self {
            Self::Timer(secs) => write!(f, " {secs}"),
            _ => self.word().map_or(Ok(()), |word| write!(f, " {word}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R21: an event survives a round trip through text.
    #[test]
    fn event_text_round_trip_is_identical() {
        for words in [
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
            assert_eq!(TriggerEvent::parse(words, 60).expect(words).to_string(), words);
        }
        assert_eq!(TriggerEvent::parse(" SAY  Friend ", 60), Ok(TriggerEvent::Say("friend".into())));
        assert_eq!(TriggerEvent::parse("say friend", 3), Ok(TriggerEvent::Say("fri".into())));
        for (words, told) in [
            ("say", "`say` needs a word behind it"),
            ("timer 9", "`timer` needs 10 to 86400 seconds"),
            ("timer soon", "`timer` needs 10 to 86400 seconds"),
            ("laeve", "unknown event `laeve`"),
            ("", "unknown event ``"),
        ] {
            assert_eq!(TriggerEvent::parse(words, 60).expect_err(words).to_string(), told);
        }
        let mistake = TriggerEvent::parse("laeve", 60).expect_err("no event");
        assert_eq!(mistake, EventMistake::Unknown { word: "laeve".into(), meant: Some("leave") });
    }
}
