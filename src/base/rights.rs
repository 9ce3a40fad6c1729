//! Single rights: what staff may do and players may not. A rank is a set of them; one person may have more, or fewer.

use super::listed::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// Something that not everybody may do.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Right {
        /// To look behind what is built, to go anywhere, to find and check, and to come into drafts.
        Look = "look",
        /// To dig, open, link and destroy rooms and ways, and to set what they are.
        Dig = "dig",
        /// To name and describe what is built, with its details and tags.
        Texts = "texts",
        /// To let creatures and things come, and to make shops.
        Creatures = "creatures",
        /// To make creatures and things, and to change what they are.
        Prototypes = "prototypes",
        /// To say what happens where somebody does something.
        Scripts = "scripts",
        /// To make zones, their files and drafts.
        Zones = "zones",
        /// To publish drafts and to throw them away.
        Publish = "publish",
        /// To build in zones of others, and to take back what others built.
        AllZones = "all_zones",
        /// To look after branches of the dungeon.
        Branches = "branches",
        /// To look after puzzles.
        Puzzles = "puzzles",
        /// To put changed content files in force.
        Content = "content",
        /// To speak to everybody in the server's name.
        Announce = "announce",
        /// To read what players report.
        Reports = "reports",
        /// To send away, to silence and to hold fast.
        Moderate = "moderate",
        /// To read along with somebody.
        Snoop = "snoop",
        /// To keep people and addresses out, and to lock doors to everybody.
        Bans = "bans",
        /// To read what staff did.
        Audit = "audit",
        /// To let somebody back in who has lost their password.
        Recover = "recover",
        /// To give ranks below one's own.
        Ranks = "ranks",
        /// To stop the server.
        Server = "server",
        /// To give one right to one person. It is the owner's alone.
        Grant = "grant",
    }
}

/// Some rights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rights(u32);

impl Rights {
    /// None: what players have.
    pub const NONE: Self = Self(0);

    /// All there are: what the owner has.
    pub const ALL: Self = Self((1 << Right::ALL.len()) - 1);

    /// Whether one right is among them.
    pub const fn has(self, right: Right) -> bool {
        self.0 & (1 << right as u32) != 0
    }

    /// Whether they are enough for what needs a right, or needs none.
    pub fn allow(self, right: Option<Right>) -> bool {
        right.is_none_or(|right| self.has(right))
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, right: Right) -> Self {
        Self(self.0 | (1 << right as u32))
    }

    /// These but one.
    #[must_use]
    pub const fn without(self, right: Right) -> Self {
        Self(self.0 & !(1 << right as u32))
    }

    /// These and others.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// One by one, in their order.
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
    fn rights_come_and_go_one_by_one() {
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
