//! A room of a puzzle that transports players.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "portal", ..KindSpec::PLAIN };
