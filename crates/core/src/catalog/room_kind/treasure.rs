//! A room with something worth guarding.

use super::{Bars, Furnishing, KindSpec, Loot, PlotMark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "treasure",
    furnishing: Some(Furnishing::Hoard),
    bars: Bars::Guards,
    loot: Loot::Hoard,
    mark: PlotMark { letter: 't', meaning: "a room with treasure", rank: 6 },
    ..KindSpec::PLAIN
};
