//! A shop of a hand-built area.

use super::{KindSpec, RoomOrigin, WareStock};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "shop",
    origin: RoomOrigin::Areas,
    sells: Some(WareStock::Endless),
    lesson: Some(Lesson::EnteredShop),
    remembered: Some("a shop"),
    offers: &[("See what is for sale", "list")],
    ..KindSpec::PLAIN
};
