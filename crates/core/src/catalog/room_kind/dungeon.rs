//! An ordinary room of a branch.

use super::KindSpec;

pub(super) const SPEC: KindSpec = KindSpec { name: "dungeon", plain: true, ..KindSpec::PLAIN };
