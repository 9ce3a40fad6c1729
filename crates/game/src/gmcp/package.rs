//! Declaration of a package: its defaults, and how subscribed clients are updated.

use crate::effect::data::{Data, Package};
use crate::state::gmcp::{GmcpState, Objects, People};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId};
use std::cell::OnceCell;
use std::sync::Arc;

/// Builds a message about a character.
type MessageBuilder = fn(&Turn, CharacterId) -> Data;

/// Declaration of a package.
pub(super) struct PackageSpec {
    pub(super) package: Package,
    /// Set if clients that request no packages get this one.
    pub(super) by_default: bool,
    /// Sends the initial data to a new subscriber, or schedules it for the end of the step.
    pub(super) first: fn(&mut Turn, SessionId, CharacterId),
    pub(super) known: PackageState,
}

/// State that a client is kept up to date with, and when differences are computed.
pub(super) enum PackageState {
    /// No state; events only.
    Events,
    /// Complete messages. Those that changed are sent with each prompt.
    AtPrompt(&'static [MessageBuilder]),
    /// Surroundings and affects of the character. Differences are sent at the end of a step that changed them.
    Around(fn(&mut GmcpContext<'_>)),
}

impl PackageSpec {
    /// Creates a package that sends only events and must be requested by name.
    pub(super) const fn new(package: Package) -> Self {
        Self { package, by_default: false, first: |_, _, _| (), known: PackageState::Events }
    }

    pub(super) const fn by_default(self) -> Self {
        Self { by_default: true, ..self }
    }

    pub(super) const fn first(self, first: fn(&mut Turn, SessionId, CharacterId)) -> Self {
        Self { first, ..self }
    }

    pub(super) const fn at_prompt(self, messages: &'static [MessageBuilder]) -> Self {
        Self { known: PackageState::AtPrompt(messages), ..self }
    }

    pub(super) const fn around(self, tell: fn(&mut GmcpContext<'_>)) -> Self {
        Self { known: PackageState::Around(tell), ..self }
    }
}

/// Context for computing the differences for one client.
pub(super) struct GmcpContext<'a> {
    pub(super) turn: &'a Turn,
    /// Character of the client.
    pub(super) who: CharacterId,
    pub(super) scene: &'a RoomContents,
    /// State last sent to the client.
    pub(super) sent: &'a mut GmcpState,
    /// Messages to send.
    pub(super) news: &'a mut Vec<Data>,
}

/// Contents of a room, computed once for all clients in the room.
#[derive(Default)]
pub(super) struct RoomContents {
    pub(super) people: OnceCell<Arc<People>>,
    pub(super) items: OnceCell<Arc<Objects>>,
}
