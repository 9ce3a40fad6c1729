//! What sets off a trigger of a room: the words of builders, in the game and in files, and what they mean.

use crate::text::{nearest, sanitise};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use thiserror::Error;

/// How long a trigger that waits for time alone can wait, in seconds.
pub const TIMER_SECS: RangeInclusive<u32> = 10..=86_400;

/// What to write for each event.
pub const EVENTS: &str =
    "enter, leave, say WORDS, use THING, look WORD, command WORD, timer SECONDS, clear and death";

/// The word of each event besides coming in.
const WORDS: [&str; 8] = ["leave", "say", "use", "look", "command", "timer", "clear", "death"];

/// What sets off a trigger, besides coming in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerEvent {
    /// Somebody goes.
    Leave,
    /// Somebody says something with these words in it.
    Say(String),
    /// Somebody uses a thing, by prototype, or something that stands here, by its word.
    Use(String),
    /// Somebody looks at something, by its word.
    Look(String),
    /// Somebody types a line that begins with this word, which is no command elsewhere.
    Command(String),
    /// So many seconds are over, and somebody is here.
    Timer(u32),
    /// The last creature is gone.
    Clear,
    /// Somebody dies, or goes down.
    Death,
}

/// Why words are no event.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EventMistake {
    /// It has to be said at which word.
    #[error("`{0}` needs a word behind it")]
    NeedsWord(String),
    /// The time does not fit.
    #[error("`timer` needs {} to {} seconds", TIMER_SECS.start(), TIMER_SECS.end())]
    TimerOutOfRange,
    /// There is no such event.
    #[error("unknown event `{word}`")]
    Unknown {
        /// What was written.
        word: String,
        /// What was meant, maybe.
        meant: Option<&'static str>,
    },
}

impl TriggerEvent {
    /// Reads `say friend;mate`: the word of the event, and what has to follow it, of which so many letters are kept.
    ///
    /// # Errors
    /// What does not fit. Coming in is none of these events.
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

    /// The word at which it happens, if it is not the same for all.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Say(word) | Self::Use(word) | Self::Look(word) | Self::Command(word) => Some(word),
            Self::Leave | Self::Timer(_) | Self::Clear | Self::Death => None,
        }
    }
}

/// As it would be typed.
impl fmt::Display for TriggerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leave => f.write_str("leave"),
            Self::Say(words) => write!(f, "say {words}"),
            Self::Use(word) => write!(f, "use {word}"),
            Self::Look(word) => write!(f, "look {word}"),
            Self::Command(word) => write!(f, "command {word}"),
            Self::Timer(secs) => write!(f, "timer {secs}"),
            Self::Clear => f.write_str("clear"),
            Self::Death => f.write_str("death"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R21: what is written comes back as it was written.
    #[test]
    fn an_event_is_its_words() {
        for words in [
            "leave",
            "say friend;old friend",
            "use bell",
            "look painting",
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
