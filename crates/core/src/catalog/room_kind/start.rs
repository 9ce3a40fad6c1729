//! The start room of a dungeon: permanent, with timers that reset its exits and expire branches.

use super::{KindSpec, PlotMark, RoomOrigin};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "start",
    origin: RoomOrigin::Builders,
    mark: PlotMark { letter: 'S', meaning: "the start", rank: 0 },
    lesson: Some(Lesson::EnteredStart),
    ..KindSpec::PLAIN
};
