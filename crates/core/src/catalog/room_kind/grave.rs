//! A room with a grave that contains a key.

use super::{Bars, Furnishing, KindSpec, Loot, PlotMark, RoomFeature};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "grave",
    furnishing: Some(Furnishing::Grave),
    bars: Bars::Never,
    loot: Loot::Key,
    feature: Some(|name| RoomFeature::Grave { name }),
    mark: PlotMark { letter: 'e', meaning: "a room with a grave", rank: 18 },
    remembered: Some("a grave"),
    ..KindSpec::PLAIN
};
