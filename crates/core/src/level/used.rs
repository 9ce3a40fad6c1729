//! Unique portals and limited rooms that a branch already has. Game, tools and tests keep one per branch; the
//! generators read it.

use super::plan::Portal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rooms of a kind; `None` means unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RoomKindLimit {
    /// Maximum on each floor.
    pub per_floor: Option<u32>,
    /// Maximum in a branch.
    pub per_branch: Option<u32>,
}

impl RoomKindLimit {
    /// Returns `true` if either limit is set.
    pub const fn is_set(self) -> bool {
        self.per_floor.is_some() || self.per_branch.is_some()
    }
}

/// Unique portals and limited rooms of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UsedLimits {
    /// Unique portals, by [`Portal::unique_key`].
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    portals: BTreeSet<String>,
    /// Floor numbers of the rooms of each limited kind, in order of creation.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    limited: BTreeMap<String, Vec<u32>>,
}

impl UsedLimits {
    /// Creates an empty record.
    pub const fn new() -> Self {
        Self { portals: BTreeSet::new(), limited: BTreeMap::new() }
    }

    /// Returns `true` if a portal may be placed: it is not unique, or the branch does not have it yet.
    pub fn allows_portal(&self, portal: &Portal) -> bool {
        portal.unique_key().is_none_or(|key| !self.portals.contains(key))
    }

    /// Records a portal, if it is unique.
    pub fn note_portal(&mut self, portal: &Portal) {
        self.portals.extend(portal.unique_key().map(str::to_owned));
    }

    /// Returns `true` if a floor may have one more room of a kind.
    pub fn allows_room(&self, kind: &str, limit: RoomKindLimit, floor: u32) -> bool {
        let rooms = self.limited.get(kind).map_or(&[][..], Vec::as_slice);
        let here = rooms.iter().filter(|number| **number == floor).count();
        let is_below = |count: usize, most: Option<u32>| most.is_none_or(|most| count < most as usize);
        is_below(here, limit.per_floor) && is_below(rooms.len(), limit.per_branch)
    }

    /// Returns the number of recorded rooms of a kind; rooms without a limit are not recorded.
    pub fn count(&self, kind: &str) -> usize {
        self.limited.get(kind).map_or(0, Vec::len)
    }

    /// Records a room of a kind, if the kind has a limit.
    pub fn note_room(&mut self, kind: &str, limit: RoomKindLimit, floor: u32) {
        if limit.is_set() {
            self.limited.entry(kind.to_owned()).or_default().push(floor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P30: limits apply to floors and branches separately, and an empty row can be read.
    #[test]
    fn limits_apply_per_floor_and_per_branch() {
        let mut used: UsedLimits = serde_json::from_str("{}").unwrap();
        let limit = RoomKindLimit { per_floor: Some(1), per_branch: Some(2) };
        for floor in [1, 2] {
            assert!(used.allows_room("shrine", limit, floor));
            used.note_room("shrine", limit, floor);
            assert!(!used.allows_room("shrine", limit, floor));
        }
        assert!(!used.allows_room("shrine", limit, 3), "the branch has two");
        assert!(
            used.allows_room("shrine", RoomKindLimit::default(), 1) && used.allows_room("riddle", limit, 1)
        );
        used.note_room("riddle", RoomKindLimit::default(), 1);
        let gate = Portal { unique: true, ..Portal::down("vault") };
        assert!(used.allows_portal(&gate));
        used.note_portal(&gate);
        used.note_portal(&Portal::down("well"));
        assert!(!used.allows_portal(&gate) && used.allows_portal(&Portal::down("well")));
        let stored = serde_json::to_string(&used).unwrap();
        assert_eq!(stored, "{\"portals\":[\"vault\"],\"limited\":{\"shrine\":[1,2]}}");
        assert_eq!(serde_json::from_str::<UsedLimits>(&stored).unwrap(), used);
    }
}
