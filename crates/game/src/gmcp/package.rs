//! Declaration of a package: its defaults, and how subscribed clients are updated.

use crate::effect::data::{Data, Package};
use crate::state::gmcp::{GmcpState, People, Things};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId};
use std::cell::OnceCell;
use std::sync::Arc;

/// Builds a message about a character.
type Message = fn(&Turn, CharacterId) -> Data;

/// Declaration of a package.
pub(super) struct Row {
    pub(super) package: Package,
    /// Set if clients that request no packages get this one.
    pub(super) by_default: bool,
    /// Sends the initial data to a new subscriber, or schedules it for the end of the step.
    pub(super) first: fn(&mut Turn, SessionId, CharacterId),
    pub(super) known: Known,
}

/// State that a client is kept up to date with, and when differences are computed.
pub(super) enum Known {
    /// No state; events only.
    Events,
    /// Complete messages. Those that changed are sent with each prompt.
    AtPrompt(&'static [Message]),
    /// Surroundings and affects of the character. Differences are sent at the end of a step that changed them.
    Around(fn(&mut Look<'_>)),
}

impl Row {
    /// Creates a package that sends only events and must be requested by name.
    pub(super) const fn new(package: Package) -> Self {
        Self { package, by_default: false, first: |_, _, _| (), known: Known::Events }
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

/// Context for computing the differences for one client.
pub(super) struct Look<'a> {
    pub(super) turn: &'a Turn,
    /// Character of the client.
    pub(super) who: CharacterId,
    pub(super) scene: &'a Scene,
    /// State last sent to the client.
    pub(super) told: &'a mut GmcpState,
    /// Messages to send.
    pub(super) news: &'a mut Vec<Data>,
}

/// Contents of a room, computed once for all clients in the room.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) people: OnceCell<Arc<People>>,
    pub(super) things: OnceCell<Arc<Things>>,
}
