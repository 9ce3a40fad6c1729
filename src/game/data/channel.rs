//! Bodies of `Comm.Channel`, but for the text itself.

use serde::Serialize;

/// A channel in `Comm.Channel.List`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ChannelInfo {
    /// As in `Comm.Channel.Text`.
    pub name: &'static str,
    /// What people call it.
    pub caption: &'static str,
    /// What one types to speak there.
    pub command: &'static str,
}

/// Somebody in `Comm.Channel.Players`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChannelPlayer {
    /// The name.
    pub name: String,
    /// The channels they hear and you do, too.
    pub channels: Vec<&'static str>,
}
