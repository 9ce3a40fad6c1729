//! A room with a riddle, which does not block any exit.

use super::{Bars, Furnishing, KindSpec, Loot, PlotMark, RoomFeature};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "riddle",
    furnishing: Some(Furnishing::Riddle),
    sentences: Some("faces"),
    bars: Bars::Never,
    loot: Loot::Gift,
    feature: Some(|answer| RoomFeature::Riddle { answer }),
    mark: PlotMark { letter: 'r', meaning: "a room with a riddle", rank: 16 },
    remembered: Some("a riddle"),
    lesson: Some(Lesson::SawRiddle),
    ..KindSpec::PLAIN
};
