//! A room of the column from which the rows of a puzzle set out.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "gallery", ..KindSpec::PLAIN };
