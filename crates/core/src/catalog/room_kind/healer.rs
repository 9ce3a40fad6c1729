//! A healer's room of a hand-built area.

use super::{KindSpec, RoomOrigin};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "healer",
    origin: RoomOrigin::Areas,
    lesson: Some(Lesson::EnteredHealer),
    remembered: Some("a healer"),
    offers: &[("Ask what healing costs", "heal")],
    ..KindSpec::PLAIN
};
