//! Who builds just now without a body: at the desk of the page for builders. Lasts for one line.

use crate::base::{CharacterId, RoomId};

/// A builder at the desk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Desk {
    /// Whose doing it counts as; the body may be anywhere, and stays there.
    pub(crate) who: CharacterId,
    /// The room that is worked on.
    pub(crate) room: RoomId,
    /// Whether it is only tried out, and nobody is to notice.
    pub(crate) is_trial: bool,
    /// What the builder was told.
    pub(crate) heard: Vec<String>,
}
