//! The room at the end of a puzzle.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "finish", ..KindSpec::PLAIN };
