//! A room with a shrine for prayers.

use super::{Bars, Furnishing, KindSpec, PlotMark, RoomFeature, RoomVisit};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "shrine",
    furnishing: Some(Furnishing::Shrine),
    bars: Bars::Never,
    feature: Some(|affect| RoomFeature::Shrine { affect }),
    mark: PlotMark { letter: 'p', meaning: "a room with a shrine", rank: 15 },
    remembered: Some("a shrine"),
    lesson: Some(Lesson::SawShrine),
    visit: RoomVisit::Business,
    offers: &[("Pray", "pray")],
    ..KindSpec::PLAIN
};
