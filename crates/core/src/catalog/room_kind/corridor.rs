//! An ordinary room of the generator `corridor`, or of the path between two sections of a whole floor.

use super::{KindSpec, PlotMark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "corridor",
    plain: true,
    mark: PlotMark { letter: 'k', meaning: "a corridor with nothing in the way", rank: 7 },
    ..KindSpec::PLAIN
};
