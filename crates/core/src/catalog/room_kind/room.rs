//! An ordinary hand-built room.

use super::{KindSpec, Origin};

pub(super) const SPEC: KindSpec = KindSpec { name: "room", origin: Origin::Builders, ..KindSpec::PLAIN };
