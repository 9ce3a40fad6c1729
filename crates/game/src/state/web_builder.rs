//! State of the web builder while one of its commands runs.

use deepwell_core::base::{CharacterId, RoomId};

/// Command context of a web builder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WebBuilder {
    /// Character in whose name the commands run; it stays in its own room.
    pub(crate) who: CharacterId,
    /// Room that the commands apply to.
    pub(crate) room: RoomId,
    /// Set for a dry run, which other players must not notice.
    pub(crate) is_dry_run: bool,
    /// Output of the commands.
    pub(crate) heard: Vec<String>,
}
