//! A room with a travelling merchant.

use super::{Bars, Furnishing, KindSpec, PlotMark, RoomVisit, WareStock};
use crate::catalog::help::lesson::Lesson;

pub(super) const SPEC: KindSpec = KindSpec {
    name: "merchant",
    furnishing: Some(Furnishing::Wares),
    sentences: Some("peddlers"),
    bars: Bars::Never,
    sells: Some(WareStock::Pack),
    mark: PlotMark { letter: 'b', meaning: "a room with a merchant", rank: 14 },
    remembered: Some("a merchant"),
    lesson: Some(Lesson::SawMerchant),
    visit: RoomVisit::Business,
    offers: &[("See what is for sale", "list")],
    ..KindSpec::PLAIN
};
