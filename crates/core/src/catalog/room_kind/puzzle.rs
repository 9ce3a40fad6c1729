//! A room whose mechanism blocks the exits that lead on: a portcullis with a stuck lever, or the gate of a puzzle.

use super::{Furnishing, KindSpec, Mark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "puzzle",
    furnishing: Some(Furnishing::Mechanism),
    mark: Mark { letter: 'l', meaning: "a room with a stuck lever", rank: 4 },
    ..KindSpec::PLAIN
};
