//! A command, declared once: dispatch, help, the list of commands and the reserved names follow from it.

use crate::base::{AccountId, CharacterId, SessionId};
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
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

/// What a command may do while the server cannot write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touches {
    /// It only looks and talks.
    Nothing,
    /// It changes the world.
    World,
}

/// The function behind a command; gets the rest of the line.
pub(crate) type Run = fn(&mut Turn, Actor, &str) -> Result<(), Refusal>;

/// One command.
#[derive(Clone, Copy)]
pub(crate) struct CommandSpec {
    /// The full word.
    pub(crate) name: &'static str,
    /// Further words that mean exactly it.
    pub(crate) aliases: &'static [&'static str],
    /// Who may.
    pub(crate) role: Role,
    /// What it does to the world.
    pub(crate) touches: Touches,
    /// How it is typed.
    pub(crate) syntax: &'static str,
    /// One sentence.
    pub(crate) summary: &'static str,
    /// Something to type, and what it does.
    pub(crate) example: &'static str,
    /// What it does.
    pub(crate) run: Run,
}

pub(crate) const fn must_write(turn: &Turn) -> Result<(), Refusal> {
    if turn.read_only { Err(Refusal::ReadOnly) } else { Ok(()) }
}
