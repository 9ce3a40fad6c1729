//! Who typed a line: what every command is told.

use crate::base::{AccountId, CharacterId, SessionId};

/// Who typed a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// The client.
    pub(crate) session: SessionId,
    /// The account whose rights count.
    pub(crate) account: AccountId,
    /// The body that acts.
    pub(crate) who: CharacterId,
}
