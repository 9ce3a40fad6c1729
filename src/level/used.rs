//! What a branch has already of things that there may be only so many of. Game, tools and proofs each keep one for a
//! branch, and whoever makes a floor or a room reads it.

use super::plan::Portal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many rooms of a kind there may be; where it says nothing, no end of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// On each floor.
    pub per_floor: Option<u32>,
    /// In a branch.
    pub per_branch: Option<u32>,
}

impl Limit {
    /// Whether it says anything.
    pub const fn is_set(self) -> bool {
        self.per_floor.is_some() || self.per_branch.is_some()
    }
}

/// What a branch has already.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Used {
    /// The unique portals, by [`Portal::unique_key`].
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    portals: BTreeSet<String>,
    /// By kind with a limit the numbers of the floors of its rooms, in the order in which they were made.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    limited: BTreeMap<String, Vec<u32>>,
}

impl Used {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { portals: BTreeSet::new(), limited: BTreeMap::new() }
    }

    /// Whether a portal may be placed: it is not unique, or the branch does not have it yet.
    pub fn allows_portal(&self, portal: &Portal) -> bool {
        portal.unique_key().is_none_or(|key| !self.portals.contains(key))
    }

    /// Notes a portal, if it is unique.
    pub fn note_portal(&mut self, portal: &Portal) {
        self.portals.extend(portal.unique_key().map(str::to_owned));
    }

    /// Whether a floor may have one more room of a kind.
    pub fn allows_room(&self, kind: &str, limit: Limit, floor: u32) -> bool {
        let rooms = self.limited.get(kind).map_or(&[][..], Vec::as_slice);
        let here = rooms.iter().filter(|number| **number == floor).count();
        let is_below = |count: usize, most: Option<u32>| most.is_none_or(|most| count < most as usize);
        is_below(here, limit.per_floor) && is_below(rooms.len(), limit.per_branch)
    }

    /// How many rooms of a kind there are, if there is a limit to them.
    pub fn count(&self, kind: &str) -> usize {
        self.limited.get(kind).map_or(0, Vec::len)
    }

    /// Notes a room of a kind, if there is a limit to them.
    pub fn note_room(&mut self, kind: &str, limit: Limit, floor: u32) {
        if limit.is_set() {
            self.limited.entry(kind.to_owned()).or_default().push(floor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P30: limits bind floors and branches each for itself, and a row without any of it can be read.
    #[test]
    fn limits_bind() {
        let mut used: Used = serde_json::from_str("{}").unwrap();
        let limit = Limit { per_floor: Some(1), per_branch: Some(2) };
        for floor in [1, 2] {
            assert!(used.allows_room("shrine", limit, floor));
            used.note_room("shrine", limit, floor);
            assert!(!used.allows_room("shrine", limit, floor));
        }
        assert!(!used.allows_room("shrine", limit, 3), "the branch has two");
        assert!(used.allows_room("shrine", Limit::default(), 1) && used.allows_room("riddle", limit, 1));
        used.note_room("riddle", Limit::default(), 1);
        let gate = Portal { unique: true, ..Portal::down("vault") };
        assert!(used.allows_portal(&gate));
        used.note_portal(&gate);
        used.note_portal(&Portal::down("well"));
        assert!(!used.allows_portal(&gate) && used.allows_portal(&Portal::down("well")));
        let stored = serde_json::to_string(&used).unwrap();
        assert_eq!(stored, "{\"portals\":[\"vault\"],\"limited\":{\"shrine\":[1,2]}}");
        assert_eq!(serde_json::from_str::<Used>(&stored).unwrap(), used);
    }
}
