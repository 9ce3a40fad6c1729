//! A room of a row of a puzzle.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "slot", ..KindSpec::PLAIN };
