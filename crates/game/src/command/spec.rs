//! Declaration of a command. Dispatch, help, the command list and the reserved names are derived from it.

use crate::command::parse::{Actor, Argument, ArgumentForm, Words};
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::puzzle::Verb;
use deepwell_core::text::Markup;

/// Requirements of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needs {
    /// None: it only reads or talks.
    Nothing,
    /// Storage is writable: it changes the world, but is not a physical action.
    Storage,
    /// Storage is writable and the character is not incapacitated: a physical action.
    Hands,
}

/// Players who know a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownTo {
    /// All players.
    Everybody,
    /// Characters that have learnt the ability of its name.
    Learners,
    /// Accounts with a rank, even while it is quelled.
    Staff,
}

/// Effect of a command on the player's AFK flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenAway {
    /// Clears the flag.
    Back,
    /// The command itself sets or clears the flag.
    SetByCommand,
}

/// Kind of the line that may follow a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineKind {
    /// Another command.
    Command,
    /// A password, requested by the session; the command's argument may also be one.
    Password,
    /// The first line of a text.
    Text,
}

/// Treatment of a command typed by a frozen player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenFrozen {
    /// Refused.
    Refused,
    /// Permitted.
    Done,
}

/// Treatment of a command sent by the web builder or the staff page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FromWeb {
    /// Runs as if typed in the selected room.
    Done,
    /// Runs as if typed in the selected room if the first word is one of these, and is refused otherwise.
    Verbs(&'static [&'static str]),
    /// Runs on the staff page.
    Staff,
    /// Refused: it needs a character or a client, or concerns more than the building.
    Refused,
}

/// Handler of a command with its argument.
#[derive(Clone, Copy)]
pub(crate) struct CommandRun {
    /// Form of the argument in the syntax.
    pub(crate) slot: ArgumentForm,
    /// Set if the handler gets the world by shared reference, so that it cannot change it.
    pub(crate) reads: bool,
    /// Parses the argument, runs the command and sends the reply.
    pub(crate) call: fn(&mut Turn, Actor, Words<'_>) -> Result<(), Refusal>,
}

/// Creates a [`CommandRun`] from a function with this type of first parameter. The type of its last parameter, an
/// [`Argument`], is the argument of the command; its result is the [`Reply`].
macro_rules! handler {
    ($turn:ty, $reads:literal, $function:expr) => {
        $crate::command::spec::CommandRun {
            slot: {
                let function: fn($turn, $crate::command::parse::Actor, _) -> _ = $function;
                $crate::command::spec::slot_of(function)
            },
            reads: $reads,
            call: |turn, actor, words| {
                let function: fn($turn, $crate::command::parse::Actor, _) -> _ = $function;
                let argument = $crate::command::parse::argument::Argument::read(turn, actor, words)?;
                let reply = function(turn, actor, argument);
                $crate::command::spec::send(turn, actor, reply)
            },
        }
    };
}

/// Creates a [`CommandRun`] from a function that may change the world.
macro_rules! run {
    ($function:expr) => {
        $crate::command::spec::handler!(&mut $crate::turn::Turn, false, $function)
    };
}

/// Creates a [`CommandRun`] from a function that only reads the world. The command needs [`Needs::Nothing`].
macro_rules! show {
    ($function:expr) => {
        $crate::command::spec::handler!(&$crate::turn::Turn, true, $function)
    };
}

pub(crate) use {handler, run, show};

/// Returns the form of the argument of a function.
pub(crate) const fn slot_of<'a, T, A: Argument<'a>, R>(
    _: fn(T, Actor, A) -> Result<R, Refusal>,
) -> ArgumentForm {
    A::SLOT
}

/// Sends the reply of a handler to the actor.
pub(crate) fn send(turn: &mut Turn, actor: Actor, reply: Result<impl Reply, Refusal>) -> Result<(), Refusal> {
    reply?.send(turn, actor)
}

/// Result of a handler: text for the actor, or nothing if the handler has sent all text itself.
pub(crate) trait Reply {
    /// Sends the text to the actor.
    fn send(self, turn: &mut Turn, actor: Actor) -> Result<(), Refusal>;
}

impl Reply for () {
    fn send(self, _: &mut Turn, _: Actor) -> Result<(), Refusal> {
        Ok(())
    }
}

macro_rules! reply_with {
    ($($text:ty),*) => {
        $(impl Reply for $text {
            fn send(self, turn: &mut Turn, actor: Actor) -> Result<(), Refusal> {
                actor.answer(turn, self)
            }
        })*
    };
}

reply_with!(Markup, String, &str);

/// A command. Omitted fields are as in [`CommandSpec::PLAYER`], [`CommandSpec::GUEST`] or
/// [`CommandSpec::BUILDER`].
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties, not a hidden state machine")]
pub(crate) struct CommandSpec {
    /// Full name.
    pub(crate) name: &'static str,
    /// Alternative names.
    pub(crate) aliases: &'static [&'static str],
    /// Required right; `None` if any player may use the command.
    pub(crate) right: Option<Right>,
    /// Requirements of a command that may change the world; see [`CommandSpec::needs`].
    pub(crate) needs: Needs,
    /// Syntax, if it cannot be derived from the name and the argument.
    pub(crate) syntax: &'static str,
    /// Usage shown if an argument is missing.
    pub(crate) missing: &'static str,
    /// Summary in one sentence.
    pub(crate) summary: &'static str,
    /// Example line, and its effect.
    pub(crate) example: &'static str,
    /// The rest of the line is text and is never split into several commands.
    pub(crate) takes_words: bool,
    /// Must not be used as an alias: players need the command to undo mistakes.
    pub(crate) is_protected: bool,
    /// Players who know the command, among those permitted to use it.
    pub(crate) known_to: KnownTo,
    /// Set if guests may use the command.
    pub(crate) for_guests: bool,
    /// Treatment of frozen players.
    pub(crate) when_frozen: WhenFrozen,
    /// Effect on the AFK flag.
    pub(crate) when_away: WhenAway,
    /// Kind of the following line.
    pub(crate) before: LineKind,
    /// Tutorial lesson completed by the command, if it was not refused.
    pub(crate) teaches: Option<Lesson>,
    /// Action of the word inside a puzzle, in place of the command.
    pub(crate) in_puzzle: Option<Verb>,
    /// Set if a trigger `command` of the room for a word of the command runs when the command finds nothing to act on.
    pub(crate) yields_to_room: bool,
    /// Set if changes are recorded in the building journal and can be undone.
    pub(crate) builds: bool,
    /// Treatment of lines sent by the web builder.
    pub(crate) from_web: FromWeb,
    /// Handler.
    pub(crate) run: CommandRun,
}

impl CommandSpec {
    /// Defaults of most commands: available to all players, a physical action.
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
        for_guests: false,
        when_frozen: WhenFrozen::Refused,
        when_away: WhenAway::Back,
        before: LineKind::Command,
        teaches: None,
        in_puzzle: None,
        yields_to_room: false,
        builds: false,
        from_web: FromWeb::Refused,
        run: run!(|_, _, ()| Ok(())),
    };

    /// Defaults of a command that guests may use too.
    pub(crate) const GUEST: Self = Self { for_guests: true, ..Self::PLAYER };

    /// Defaults of most build commands.
    pub(crate) const BUILDER: Self = Self {
        right: Some(Right::Dig),
        needs: Needs::Storage,
        builds: true,
        from_web: FromWeb::Done,
        ..Self::PLAYER
    };

    /// Returns the requirements; a command that only reads has none.
    pub(crate) const fn needs(&self) -> Needs {
        if self.run.reads { Needs::Nothing } else { self.needs }
    }

    /// Returns `true` if this is the name or an alias of the command.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        self.name == word || self.aliases.contains(&word)
    }

    /// Returns the syntax.
    pub(crate) fn typed(&self) -> String {
        match self.run.slot.syntax() {
            Some(slot) if self.syntax.is_empty() => format!("{} {slot}", self.name).trim_end().to_owned(),
            _ => self.syntax.to_owned(),
        }
    }
}
