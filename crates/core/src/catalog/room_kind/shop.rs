//! A shop of a hand-built area.

use super::{KindSpec, Origin, Stock};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "shop",
    origin: Origin::Areas,
    sells: Some(Stock::Endless),
    lesson: Some(Lesson::EnteredShop),
    remembered: Some("a shop"),
    ..KindSpec::PLAIN
};
