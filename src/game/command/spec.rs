//! A command, declared once: dispatch, help, the list of commands and the reserved names follow from it.

use crate::base::{AccountId, CharacterId, SessionId};
use crate::catalog::guide::Lesson;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::puzzle::Verb;
use crate::world::Role;

/// Who typed a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// The client.
    pub(crate) session: SessionId,
    /// The account whose rights count.
    pub(crate) account: AccountId,
    /// The body that acts.
    pub(crate) who: CharacterId,
}

/// What must be so before a command is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needs {
    /// It only looks and talks: always.
    Nothing,
    /// It changes the world, but takes words, not hands: something can be written.
    Storage,
    /// It changes the world with one's hands: something can be written, and one is not down.
    Hands,
}

/// The function behind a command; gets the rest of the line.
pub(crate) type Run = fn(&mut Turn, Actor, &str) -> Result<(), Refusal>;

/// One command. What is not declared is as in [`CommandSpec::PLAYER`] or [`CommandSpec::BUILDER`].
#[derive(Clone, Copy)]
pub(crate) struct CommandSpec {
    /// The full word.
    pub(crate) name: &'static str,
    /// Further words that mean exactly it.
    pub(crate) aliases: &'static [&'static str],
    /// Who may.
    pub(crate) role: Role,
    /// What must be so before.
    pub(crate) needs: Needs,
    /// How it is typed.
    pub(crate) syntax: &'static str,
    /// One sentence.
    pub(crate) summary: &'static str,
    /// Something to type, and what it does.
    pub(crate) example: &'static str,
    /// All that follows is words, so that nothing parts it into several commands.
    pub(crate) takes_words: bool,
    /// No alias may stand in front of it: it is a way out of mistakes.
    pub(crate) is_protected: bool,
    /// The session asks for a password after it; what stands behind it may be one.
    pub(crate) asks_password: bool,
    /// What typing it teaches, if it was not refused.
    pub(crate) teaches: Option<Lesson>,
    /// What the word does for everybody inside a puzzle, instead of what it does elsewhere.
    pub(crate) in_puzzle: Option<Verb>,
    /// What it does.
    pub(crate) run: Run,
}

impl CommandSpec {
    /// What most commands are like: for everybody, and done by hand.
    pub(crate) const PLAYER: Self = Self {
        name: "",
        aliases: &[],
        role: Role::Player,
        needs: Needs::Hands,
        syntax: "",
        summary: "",
        example: "",
        takes_words: false,
        is_protected: false,
        asks_password: false,
        teaches: None,
        in_puzzle: None,
        run: |_, _, _| Ok(()),
    };

    /// What most builders' commands are like.
    pub(crate) const BUILDER: Self = Self { role: Role::Builder, needs: Needs::Storage, ..Self::PLAYER };
}

pub(crate) const fn must_write(turn: &Turn) -> Result<(), Refusal> {
    if turn.read_only { Err(Refusal::ReadOnly) } else { Ok(()) }
}
