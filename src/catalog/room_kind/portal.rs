//! A room of a puzzle that sends one on.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "portal", ..KindSpec::PLAIN };
