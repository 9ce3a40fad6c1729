//! Webs: a spinner does nothing about them but leave its room, see `webs`.

use crate::game::creatures::part::{PASSIVE, Part};

/// A part that moves nothing by itself: who leaves a room spins.
pub(super) const PART: Part = Part { name: "webs", ..PASSIVE };
