//! Text of a large zone that is written over several steps.

use deepwell_core::base::{Digest, RoomId};
use std::collections::BTreeMap;

/// Text of a zone so far.
#[derive(Debug)]
pub(crate) struct ZoneText {
    /// Zone that is written.
    pub(crate) zone: String,
    /// Zone that the text is for: the same, its draft, or the zone of a draft.
    pub(crate) target: String,
    /// Room whose key was noted last.
    pub(crate) room: Option<RoomId>,
    /// Rooms by key.
    pub(crate) keys: BTreeMap<String, RoomId>,
    /// Set when all keys are noted.
    pub(crate) has_keys: bool,
    /// Text for the target.
    pub(crate) text: String,
    /// Digest of the text of the zone itself.
    pub(crate) digest: Digest,
    /// Digest of the zone as built: of that text, with all doors shut.
    pub(crate) state: Digest,
}

impl ZoneText {
    /// Begins to write a zone.
    pub(crate) fn new(zone: &str, target: &str) -> Self {
        Self {
            zone: zone.to_owned(),
            target: target.to_owned(),
            room: None,
            keys: BTreeMap::new(),
            has_keys: false,
            text: String::new(),
            digest: Digest::default(),
            state: Digest::default(),
        }
    }
}
