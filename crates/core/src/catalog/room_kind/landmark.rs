//! A scenic room that rewards its discovery.

use super::{Bars, Furnishing, KindSpec, PlotMark, RoomFeature};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "landmark",
    furnishing: Some(Furnishing::Landmark),
    bars: Bars::Never,
    set_piece: true,
    feature: Some(|name| RoomFeature::Landmark { name }),
    mark: PlotMark { letter: '*', meaning: "a landmark", rank: 17 },
    remembered: Some("a landmark"),
    lesson: Some(Lesson::SawLandmark),
    ..KindSpec::PLAIN
};
