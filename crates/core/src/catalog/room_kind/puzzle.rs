//! A room whose mechanism blocks the exits that lead on: a portcullis with a stuck lever, or the gate of a puzzle.

use super::{Furnishing, KindSpec, PlotMark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "puzzle",
    furnishing: Some(Furnishing::Mechanism),
    mark: PlotMark { letter: 'l', meaning: "a room with a stuck lever", rank: 4 },
    ..KindSpec::PLAIN
};
