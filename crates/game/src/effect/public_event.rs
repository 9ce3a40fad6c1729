//! Events that bridges show outside of the game: on other chat networks, or at a web hook.

use deepwell_core::world::Channel;
use serde::{Deserialize, Serialize};

/// Event that is shown outside of the game, as far as the settings in section `[bridge]` allow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PublicEvent {
    /// A message on a channel.
    Speech {
        /// Channel concerned.
        channel: Channel,
        /// Name of the speaker.
        name: String,
        /// Name of the bridge through which it came; `None` for a player of the game.
        via: Option<String>,
        /// Spoken text, without markup.
        text: String,
    },
    /// A player has come.
    Login {
        /// Name of the character.
        name: String,
    },
    /// A player has left.
    Logout {
        /// Name of the character.
        name: String,
    },
    /// News from below, as the people of the town tell it.
    News {
        /// A sentence.
        text: String,
    },
    /// An announcement of the operator.
    Announcement {
        /// Its text.
        text: String,
    },
}

/// Speech that comes through a bridge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutsideSpeech {
    /// Channel to speak on.
    pub channel: String,
    /// Name of the speaker there.
    pub name: String,
    /// Name of the bridge.
    pub via: String,
    /// Text as written there.
    pub text: String,
}
