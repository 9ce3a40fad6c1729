//! Sleeping: until it is attacked, or a fight in its room wakes it.

use crate::game::body;
use crate::game::creatures::part::{PASSIVE, Part};

pub(super) const PART: Part = Part { name: "sleep", hurts: |turn, mob, _| body::wake(turn, mob), ..PASSIVE };
