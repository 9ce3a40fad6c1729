//! A room of the column in which the rows of a puzzle begin.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "gallery", ..KindSpec::PLAIN };
