//! Bodies of `Comm.Channel`, except the text.

use serde::Serialize;

/// Channel in `Comm.Channel.List`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ChannelInfo {
    /// Name, as in `Comm.Channel.Text`.
    pub name: &'static str,
    /// Name for display.
    pub caption: &'static str,
    /// Command that speaks on the channel.
    pub command: &'static str,
}

/// Player in `Comm.Channel.Players`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChannelPlayer {
    /// Name.
    pub name: String,
    /// Channels that both this player and the recipient listen to.
    pub channels: Vec<&'static str>,
}
