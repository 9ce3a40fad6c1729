//! A room without roaming creatures, where players rest well.

use super::{Bars, Furnishing, KindSpec, PlotMark};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "rest",
    furnishing: Some(Furnishing::Sentence { stream: "camp" }),
    sentences: Some("camps"),
    bars: Bars::Never,
    peaceful: true,
    mark: PlotMark { letter: 'z', meaning: "a room to rest in", rank: 13 },
    remembered: Some("a place to rest"),
    lesson: Some(Lesson::SawRest),
    ..KindSpec::PLAIN
};
