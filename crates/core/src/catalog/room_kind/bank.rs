//! A bank of a hand-built area.

use super::{KindSpec, RoomOrigin};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "bank",
    origin: RoomOrigin::Areas,
    lesson: Some(Lesson::EnteredBank),
    remembered: Some("a bank"),
    offers: &[("Ask what lies in the bank", "balance")],
    ..KindSpec::PLAIN
};
