//! Settings of what bridges show outside of the game, and say in it.

use deepwell_core::world::Channel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Section `[bridge]`, as far as it concerns the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SharingConfig {
    /// Channels that are shared with bridges, in both directions.
    pub channels: SharedChannels,
    /// Shows logins and logouts of players who do not hide them.
    pub logins: bool,
    /// Shows news from below and announcements.
    pub news: bool,
}

/// Channels shared with bridges. That of parties is private and never among them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SharedChannels(BTreeSet<Channel>);

impl SharedChannels {
    /// Names of the channels that can be shared.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Channel::ALL.iter().filter(|channel| **channel != Channel::Party).map(|channel| channel.name())
    }

    /// Parses a comma-separated list of channels. Returns `None` if a part cannot be shared.
    pub fn parse(text: &str) -> Option<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(Self::named).collect::<Option<_>>().map(Self)
    }

    /// Returns the channel of a name, if it can be shared.
    pub fn named(name: &str) -> Option<Channel> {
        let known = Channel::ALL.iter().copied().find(|channel| channel.name() == name);
        known.filter(|channel| *channel != Channel::Party)
    }

    /// Returns the comma-separated list.
    pub fn text(&self) -> String {
        self.0.iter().map(|channel| channel.name()).collect::<Vec<_>>().join(", ")
    }

    /// Returns `true` if a channel is shared.
    pub fn contains(&self, channel: Channel) -> bool {
        self.0.contains(&channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_of_channels_is_read_and_written() {
        let both = SharedChannels::parse(" newbie,ooc ").unwrap();
        assert_eq!(both.text(), "ooc, newbie");
        assert_eq!(SharedChannels::parse(&both.text()), Some(both));
        assert_eq!(SharedChannels::parse(""), Some(SharedChannels::default()));
        assert_eq!(SharedChannels::parse("party"), None);
        assert_eq!(SharedChannels::parse("gossip"), None);
        assert_eq!(SharedChannels::names().collect::<Vec<_>>(), ["newbie", "ooc"]);
    }
}
