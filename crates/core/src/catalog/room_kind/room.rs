//! An ordinary hand-built room.

use super::{KindSpec, RoomOrigin};

pub(super) const SPEC: KindSpec = KindSpec { name: "room", origin: RoomOrigin::Builders, ..KindSpec::PLAIN };
