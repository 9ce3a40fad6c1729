//! A room with a captive behind guards.

use super::{Bars, Furnishing, KindSpec, PlotMark, RoomFeature, RoomVisit};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "rescue",
    furnishing: Some(Furnishing::Captive),
    bars: Bars::Guards,
    set_piece: true,
    feature: Some(|creature| RoomFeature::Captive { creature }),
    mark: PlotMark { letter: 'c', meaning: "a room with a captive behind monsters", rank: 12 },
    lesson: Some(Lesson::SawCaptive),
    visit: RoomVisit::Business,
    ..KindSpec::PLAIN
};
