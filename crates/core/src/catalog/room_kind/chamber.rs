//! A room of a whole floor or of a puzzle with something worth guarding.

use super::{KindSpec, PlotMark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "chamber",
    mark: PlotMark { letter: 'a', meaning: "a chamber with nothing in the way", rank: 8 },
    ..KindSpec::PLAIN
};
