//! What the file of a package declares: its name, whether it is told unasked, and how a client that asked for it is kept
//! informed.

use crate::base::{CharacterId, SessionId};
use crate::game::data::{Data, Package};
use crate::game::state::gmcp::{GmcpState, People, Things};
use crate::game::turn::Turn;
use std::cell::OnceCell;
use std::sync::Arc;

/// What a client is told of a body.
type Message = fn(&Turn, CharacterId) -> Data;

/// A package, as its file declares it.
pub(super) struct Row {
    pub(super) package: Package,
    /// As clients name it.
    pub(super) name: &'static str,
    /// Names of its messages; a client may name them in place of the package.
    pub(super) messages: &'static [&'static str],
    /// Whether a client gets it that names nothing.
    pub(super) by_default: bool,
    /// Tells a client that has just asked for the package, or notes it for the end of the step.
    pub(super) first: fn(&mut Turn, SessionId, CharacterId),
    pub(super) known: Known,
}

/// What a client should know at any time, and when it is looked at for differences.
pub(super) enum Known {
    /// Nothing: it is told what happens.
    Events,
    /// These messages, each whole. With each prompt, those are told that are not what it was told last.
    AtPrompt(&'static [Message]),
    /// What is around its body and hangs on it. At the end of a step that touched it, the differences are told.
    Around(fn(&mut Look<'_>)),
}

impl Row {
    /// A package of a name, of which clients are told only what happens, and only if they name it.
    pub(super) const fn new(package: Package, name: &'static str, messages: &'static [&'static str]) -> Self {
        Self { package, name, messages, by_default: false, first: |_, _, _| (), known: Known::Events }
    }

    pub(super) const fn by_default(self) -> Self {
        Self { by_default: true, ..self }
    }

    pub(super) const fn first(self, first: fn(&mut Turn, SessionId, CharacterId)) -> Self {
        Self { first, ..self }
    }

    pub(super) const fn at_prompt(self, messages: &'static [Message]) -> Self {
        Self { known: Known::AtPrompt(messages), ..self }
    }

    pub(super) const fn around(self, tell: fn(&mut Look<'_>)) -> Self {
        Self { known: Known::Around(tell), ..self }
    }
}

/// One client's look around itself.
pub(super) struct Look<'a> {
    pub(super) turn: &'a Turn,
    /// Its body.
    pub(super) who: CharacterId,
    pub(super) scene: &'a Scene,
    /// What it was told.
    pub(super) told: &'a mut GmcpState,
    /// What it is told now.
    pub(super) news: &'a mut Vec<Data>,
}

/// What is in a room, looked at once for all who are there.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) people: OnceCell<Arc<People>>,
    pub(super) things: OnceCell<Arc<Things>>,
}
