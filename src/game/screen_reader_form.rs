//! How each kind of message is told to somebody who listens to it, or whose client watches for it.
//! A kind that says nothing about itself here does not compile. How a text becomes linear is `text::plain`'s.

use crate::game::effect::Class;

/// What becomes of a message that comes several times in a row, as when three rats arrive at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// Each is told: it was said by somebody, or asked for.
    Told,
    /// Told once, and then how often it came again.
    Counted,
}

/// How a kind of message is told to somebody who listens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScreenReaderForm {
    /// The word that stands before it, with a colon, for those who want each kind named (`config cues on`).
    pub cue: &'static str,
    /// What becomes of the same again.
    pub repeats: Repeats,
    /// How its lines begin without a cue: what a trigger can wait for. `NAME` stands for whoever it is about.
    pub begins: &'static [&'static str],
}

impl Class {
    /// Every class, for tables and tests over all of them.
    pub const ALL: [Self; 10] = [
        Self::Room,
        Self::Movement,
        Self::Speech,
        Self::Tell,
        Self::Channel,
        Self::Combat,
        Self::Notice,
        Self::Reply,
        Self::Refusal,
        Self::System,
    ];

    /// Its form for those who listen. Docs: docs/screen-reader.md.
    pub const fn screen_reader_form(self) -> ScreenReaderForm {
        match self {
            Self::Room => told("Room", &["Exits: ", "The way onward is blocked. "]),
            Self::Movement => counted("Movement", &["NAME leaves ", "NAME arrives "]),
            Self::Speech => told("Speech", &["NAME says: ", "NAME shouts", "You say: ", "You shout: "]),
            Self::Tell => told("Tell", &["NAME tells you: ", "You tell NAME: "]),
            Self::Channel => told("Channel", &["[Newbie] NAME: ", "[Ooc] NAME: ", "[Party] NAME: "]),
            Self::Combat => counted(
                "Fight",
                &["You hit ", "You miss ", "NAME hits you for ", "NAME misses you.", "NAME is dead"],
            ),
            Self::Notice => counted("Notice", &["The room is clear: ", "Guide, step ", "Tip: "]),
            Self::Reply => told("Answer", &[]),
            Self::Refusal => told("Refused", &["You can't go that way."]),
            Self::System => told("Server", &["Server: "]),
        }
    }
}

const fn told(cue: &'static str, begins: &'static [&'static str]) -> ScreenReaderForm {
    ScreenReaderForm { cue, repeats: Repeats::Told, begins }
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
    fn no_two_kinds_begin_alike() {
        let cues: BTreeSet<&str> = Class::ALL.iter().map(|class| class.screen_reader_form().cue).collect();
        assert_eq!(cues.len(), Class::ALL.len());
        let mut begins = BTreeSet::new();
        for class in Class::ALL {
            for start in class.screen_reader_form().begins {
                assert!(begins.insert(*start), "{start:?} is not {class:?} alone");
            }
        }
    }

    /// What somebody says or asks for is told as often as it comes.
    #[test]
    fn only_what_nobody_says_is_counted() {
        let counted: Vec<Class> = Class::ALL
            .into_iter()
            .filter(|class| class.screen_reader_form().repeats == Repeats::Counted)
            .collect();
        assert_eq!(counted, [Class::Movement, Class::Combat, Class::Notice]);
    }
}
