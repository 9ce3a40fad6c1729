//! Permissions of staff. A rank is a set of permissions; individual accounts may have additional or fewer ones.

use super::listed::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// Single permission.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Right {
        /// Inspect builder data, go anywhere, search, validate, and enter drafts.
        Look = "look",
        /// Dig, open, link and destroy rooms and exits, and set their properties.
        Dig = "dig",
        /// Name and describe rooms, exits and creatures, including details and tags.
        Texts = "texts",
        /// Set spawn rules, and create shops.
        Creatures = "creatures",
        /// Create and edit prototypes of creatures and items.
        Prototypes = "prototypes",
        /// Write triggers and scripts.
        Scripts = "scripts",
        /// Create zones, their files and drafts.
        Zones = "zones",
        /// Publish and discard drafts.
        Publish = "publish",
        /// Build in zones of other builders, and undo their changes.
        AllZones = "all_zones",
        /// Manage branches of the dungeon.
        Branches = "branches",
        /// Manage puzzles.
        Puzzles = "puzzles",
        /// Reload changed content files.
        Content = "content",
        /// Broadcast announcements in the server's name.
        Announce = "announce",
        /// Read reports from players.
        Reports = "reports",
        /// Kick, mute and freeze players.
        Moderate = "moderate",
        /// Watch another player's session.
        Snoop = "snoop",
        /// Ban accounts and addresses, and set lockdown switches.
        Bans = "bans",
        /// Read the audit log.
        Audit = "audit",
        /// Reset access for a player who has lost their password.
        Recover = "recover",
        /// Inspect and rename accounts and characters of players.
        Accounts = "accounts",
        /// Assign ranks below the account's own.
        Ranks = "ranks",
        /// Stop the server.
        Server = "server",
        /// Grant or withhold single permissions. Reserved for the owner.
        Grant = "grant",
    }
}

impl Right {
    /// Returns `true` for a permission of builders.
    pub fn is_of_builders(self) -> bool {
        self <= Self::Content
    }
}

/// Set of permissions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rights(u32);

impl Rights {
    /// Empty set: the permissions of players.
    pub const NONE: Self = Self(0);

    /// Full set: the permissions of the owner.
    pub const ALL: Self = Self((1 << Right::ALL.len()) - 1);

    /// Returns `true` if the set contains a permission.
    pub const fn has(self, right: Right) -> bool {
        self.0 & (1 << right as u32) != 0
    }

    /// Returns `true` if the set satisfies a requirement; `None` requires nothing.
    pub fn allow(self, right: Option<Right>) -> bool {
        right.is_none_or(|right| self.has(right))
    }

    /// Returns the set with a permission added.
    #[must_use]
    pub const fn with(self, right: Right) -> Self {
        Self(self.0 | (1 << right as u32))
    }

    /// Returns the set with a permission removed.
    #[must_use]
    pub const fn without(self, right: Right) -> Self {
        Self(self.0 & !(1 << right as u32))
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns the permissions in declaration order.
    pub fn iter(self) -> impl Iterator<Item = Right> {
        Right::ALL.into_iter().filter(move |right| self.has(*right))
    }
}

impl FromIterator<Right> for Rights {
    fn from_iter<I: IntoIterator<Item = Right>>(rights: I) -> Self {
        rights.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_added_and_removed() {
        let some: Rights = [Right::Dig, Right::Grant].into_iter().collect();
        assert!(some.has(Right::Dig) && some.has(Right::Grant) && !some.has(Right::Look));
        assert_eq!(some.without(Right::Dig).iter().collect::<Vec<_>>(), [Right::Grant]);
        assert_eq!(Right::ALL.into_iter().collect::<Rights>(), Rights::ALL);
        assert!(Rights::NONE.allow(None) && !Rights::NONE.allow(Some(Right::Look)));
        for right in Right::ALL {
            assert_eq!(serde_json::to_value(right).expect("a word"), right.name(), "stored as it is typed");
        }
    }
}
