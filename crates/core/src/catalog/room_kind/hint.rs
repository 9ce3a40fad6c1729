//! A room with a written clue.

use super::{Bars, Furnishing, KindSpec, PlotMark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "hint",
    furnishing: Some(Furnishing::Hint),
    bars: Bars::Never,
    mark: PlotMark { letter: 'h', meaning: "a room with a hint", rank: 3 },
    ..KindSpec::PLAIN
};
