//! Screen-reader form of each kind of message, also used by client triggers. The match is exhaustive, so a new kind
//! without a form does not compile. `text::plain` makes text linear.

use crate::effect::Class;

/// Treatment of a message repeated several times in a row, as when three rats arrive together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// Every repetition is sent: speech and replies.
    Sent,
    /// Sent once, followed by the number of repetitions.
    Counted,
}

/// Form of a kind of message for screen readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScreenReaderForm {
    /// Label before the message, followed by a colon, for players who enable `config cues on`.
    pub cue: &'static str,
    /// Treatment of repetitions.
    pub repeats: Repeats,
    /// Possible beginnings of its lines without a cue, for triggers. `NAME` is a placeholder for a name.
    pub begins: &'static [&'static str],
}

impl Class {
    /// Returns the screen-reader form. Docs: docs/play/screen-reader.md.
    pub const fn screen_reader_form(self) -> ScreenReaderForm {
        match self {
            Self::Room => sent("Room", &["Exits: ", "The way onward is blocked. "]),
            Self::Movement => counted("Movement", &["NAME leaves ", "NAME arrives "]),
            Self::Speech => sent("Speech", &["NAME says: ", "NAME shouts", "You say: ", "You shout: "]),
            Self::Tell => sent("Tell", &["NAME tells you: ", "You tell NAME: "]),
            Self::Channel => sent("Channel", &["[Newbie] NAME: ", "[Ooc] NAME: ", "[Party] NAME: "]),
            Self::Combat => counted(
                "Fight",
                &["You hit ", "You miss ", "NAME hits you for ", "NAME misses you.", "NAME is dead"],
            ),
            Self::Notice => counted("Notice", &["The room is clear: ", "Guide, step ", "Tip: "]),
            Self::Reply => sent("Answer", &[]),
            Self::Refusal => sent("Refused", &["You can't go that way."]),
            Self::System => sent("Server", &["Server: "]),
        }
    }
}

const fn sent(cue: &'static str, begins: &'static [&'static str]) -> ScreenReaderForm {
    ScreenReaderForm { cue, repeats: Repeats::Sent, begins }
}

const fn counted(cue: &'static str, begins: &'static [&'static str]) -> ScreenReaderForm {
    ScreenReaderForm { cue, repeats: Repeats::Counted, begins }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Protocols 10: stable, distinct line starts for triggers and soundpacks.
    #[test]
    fn line_beginnings_are_unique_per_kind() {
        let cues: BTreeSet<&str> = Class::ALL.iter().map(|class| class.screen_reader_form().cue).collect();
        assert_eq!(cues.len(), Class::ALL.len());
        let mut begins = BTreeSet::new();
        for class in Class::ALL {
            for start in class.screen_reader_form().begins {
                assert!(begins.insert(*start), "{start:?} is not {class:?} alone");
            }
        }
    }

    /// Speech and replies are sent as often as they occur.
    #[test]
    fn only_unspoken_kinds_count_repetitions() {
        let counted: Vec<Class> = Class::ALL
            .into_iter()
            .filter(|class| class.screen_reader_form().repeats == Repeats::Counted)
            .collect();
        assert_eq!(counted, [Class::Movement, Class::Combat, Class::Notice]);
    }
}
