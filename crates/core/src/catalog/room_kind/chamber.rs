//! A room of a whole floor or of a puzzle with something worth guarding.

use super::{KindSpec, Mark};

pub(super) const SPEC: KindSpec = KindSpec {
    name: "chamber",
    mark: Mark { letter: 'a', meaning: "a chamber with nothing in the way", rank: 8 },
    ..KindSpec::PLAIN
};
