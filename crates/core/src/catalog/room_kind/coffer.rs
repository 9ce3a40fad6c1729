//! A room with a locked coffer, which a key from a grave opens.

use super::{Bars, Furnishing, KindSpec, Loot, PlotMark, RoomFeature};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "coffer",
    furnishing: Some(Furnishing::Coffer),
    bars: Bars::Never,
    loot: Loot::Gift,
    feature: Some(|name| RoomFeature::Coffer { name }),
    mark: PlotMark { letter: 'f', meaning: "a room with a coffer", rank: 19 },
    remembered: Some("a coffer"),
    ..KindSpec::PLAIN
};
