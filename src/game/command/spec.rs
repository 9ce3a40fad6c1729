//! A command, declared once: dispatch, help, the list of commands and the reserved names follow from it.

use crate::base::Right;
use crate::catalog::guide::Lesson;
use crate::game::command::actor::Actor;
use crate::game::command::argument::{Argument, Slot};
use crate::game::command::words::Words;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::puzzle::Verb;

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

/// Who knows how to do what a command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownTo {
    /// Anybody.
    Everybody,
    /// Whoever has learnt the ability of its name.
    Learners,
    /// Whoever has a rank, also while they lay it down.
    Staff,
}

/// What becomes of somebody's being away who types a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenAway {
    /// They are back.
    Back,
    /// The command itself says.
    Said,
}

/// What the line after a command may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Before {
    /// Another command.
    Command,
    /// A password, for which the session asks; what stands behind the command may be one, too.
    Password,
    /// The first line of a text.
    Text,
}

/// What a command does for whoever is frozen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenFrozen {
    /// It is refused.
    Refused,
    /// What it does for everybody.
    Done,
}

/// What a command does for the page for builders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtDesk {
    /// What it does when it is typed in the room that is worked on.
    Done,
    /// It is refused: it needs a body or a client, or is about more than what is built.
    Refused,
}

/// The function behind a command, with what it takes.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// How what it takes is written.
    pub(crate) slot: Slot,
    /// Reads what was typed behind the command, and does it.
    pub(crate) call: fn(&mut Turn, Actor, Words<'_>) -> Result<(), Refusal>,
}

/// Makes a [`Run`] of a function: the type of its last parameter, an [`Argument`], is what the command takes.
macro_rules! run {
    ($function:expr) => {
        $crate::game::command::spec::Run {
            slot: $crate::game::command::spec::slot_of($function),
            call: |turn, actor, words| {
                let argument = $crate::game::command::argument::Argument::read(turn, actor, words)?;
                $crate::game::command::spec::function($function)(turn, actor, argument)
            },
        }
    };
}

pub(crate) use run;

/// How the argument of a function is written.
pub(crate) const fn slot_of<'a, A: Argument<'a>>(_: fn(&mut Turn, Actor, A) -> Result<(), Refusal>) -> Slot {
    A::SLOT
}

/// The same function; tells the compiler what a closure takes.
pub(crate) const fn function<A>(
    function: fn(&mut Turn, Actor, A) -> Result<(), Refusal>,
) -> fn(&mut Turn, Actor, A) -> Result<(), Refusal> {
    function
}

/// One command. What is not declared is as in [`CommandSpec::PLAYER`] or [`CommandSpec::BUILDER`].
#[derive(Clone, Copy)]
pub(crate) struct CommandSpec {
    /// The full word.
    pub(crate) name: &'static str,
    /// Further words that mean exactly it.
    pub(crate) aliases: &'static [&'static str],
    /// What right it takes, if not everybody may.
    pub(crate) right: Option<Right>,
    /// What must be so before.
    pub(crate) needs: Needs,
    /// How it is typed, where that does not follow from its name and what it takes.
    pub(crate) syntax: &'static str,
    /// What to type, for whoever left out what it needs.
    pub(crate) missing: &'static str,
    /// One sentence.
    pub(crate) summary: &'static str,
    /// Something to type, and what it does.
    pub(crate) example: &'static str,
    /// All that follows is words, so that nothing parts it into several commands.
    pub(crate) takes_words: bool,
    /// No alias may stand in front of it: it is a way out of mistakes.
    pub(crate) is_protected: bool,
    /// Who of those who may knows how.
    pub(crate) known_to: KnownTo,
    /// What it does for whoever is frozen.
    pub(crate) when_frozen: WhenFrozen,
    /// Whether whoever was away is back.
    pub(crate) when_away: WhenAway,
    /// What the line after it may be.
    pub(crate) before: Before,
    /// What typing it teaches, if it was not refused.
    pub(crate) teaches: Option<Lesson>,
    /// What the word does for everybody inside a puzzle, instead of what it does elsewhere.
    pub(crate) in_puzzle: Option<Verb>,
    /// Whether it builds: what it changes is written into the journal, and can be taken back.
    pub(crate) builds: bool,
    /// Whether the page for builders may send it: it is about one room, and the body of the builder has no part in it.
    pub(crate) at_desk: AtDesk,
    /// What it does.
    pub(crate) run: Run,
}

impl CommandSpec {
    /// What most commands are like: for everybody, and done by hand.
    pub(crate) const PLAYER: Self = Self {
        name: "",
        aliases: &[],
        right: None,
        needs: Needs::Hands,
        syntax: "",
        missing: "",
        summary: "",
        example: "",
        takes_words: false,
        is_protected: false,
        known_to: KnownTo::Everybody,
        when_frozen: WhenFrozen::Refused,
        when_away: WhenAway::Back,
        before: Before::Command,
        teaches: None,
        in_puzzle: None,
        builds: false,
        at_desk: AtDesk::Refused,
        run: run!(|_, _, ()| Ok(())),
    };

    /// What most builders' commands are like.
    pub(crate) const BUILDER: Self = Self {
        right: Some(Right::Dig),
        needs: Needs::Storage,
        builds: true,
        at_desk: AtDesk::Done,
        ..Self::PLAYER
    };

    /// How it is typed.
    pub(crate) fn typed(&self) -> String {
        match self.run.slot.syntax() {
            Some(slot) if self.syntax.is_empty() => format!("{} {slot}", self.name).trim_end().to_owned(),
            _ => self.syntax.to_owned(),
        }
    }
}

pub(crate) const fn must_write(turn: &Turn) -> Result<(), Refusal> {
    turn.require_writable()
}
