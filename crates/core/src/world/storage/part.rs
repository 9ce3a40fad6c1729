//! Parts of the world that can be in storage only: the rows of single branches, and those of single accounts.

use crate::base::{AccountId, BranchId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Part of the world that can be asleep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum WorldPart {
    /// Rooms, exits, creatures, items and floors of a branch.
    Branch(BranchId),
    /// Characters of an account, and the items that they carry.
    Account(AccountId),
}

impl WorldPart {
    /// Returns the number of the part in storage: a branch has a positive one, an account a negative one.
    pub fn number(self) -> i64 {
        match self {
            Self::Branch(branch) => branch.0.into(),
            Self::Account(account) => -i64::from(account.0),
        }
    }

    /// Returns the branch, if the part is one.
    pub const fn branch(self) -> Option<BranchId> {
        match self {
            Self::Branch(branch) => Some(branch),
            Self::Account(_) => None,
        }
    }
}

impl fmt::Display for WorldPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Branch(branch) => write!(f, "branch {branch}"),
            Self::Account(account) => write!(f, "account {account}"),
        }
    }
}

impl From<BranchId> for WorldPart {
    fn from(branch: BranchId) -> Self {
        Self::Branch(branch)
    }
}

impl From<AccountId> for WorldPart {
    fn from(account: AccountId) -> Self {
        Self::Account(account)
    }
}
