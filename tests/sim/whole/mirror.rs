//! Client state known from GMCP alone: room, purse and inventory.

use crate::pair;
use deepwell::world::{Place, Snapshot};
use serde_json::Value;
use std::collections::BTreeSet;

/// Telnet option, and the packages requested.
pub(super) const GMCP: u8 = 201;
pub(super) const WANTED: &str = r#"Core.Supports.Set ["Char 1", "Char.Items 1", "Room 1"]"#;

#[derive(Debug, Default)]
pub(super) struct Mirror {
    room: Option<u64>,
    gold: Option<i64>,
    carried: BTreeSet<u64>,
    /// Set if removals of items are ignored.
    overhears: bool,
}

impl Mirror {
    /// Creates a mirror with a fault: it ignores removals of items.
    pub(super) fn ignoring_removals() -> Self {
        Self { overhears: true, ..Self::default() }
    }

    /// Applies a GMCP message.
    pub(super) fn take_in(&mut self, message: &str) {
        let (name, body) = message.split_once(' ').unwrap_or((message, "null"));
        let body: Value = serde_json::from_str(body).expect("a message is JSON");
        let id = |item: &Value| item["id"].as_str().and_then(|id| id.parse().ok());
        match name {
            "Room.Info" => self.room = body["num"].as_u64(),
            "Char.Status" => self.gold = body["gold"].as_i64().or(self.gold),
            "Char.Items.List" if body["location"] == "inv" => {
                self.carried = body["items"].as_array().into_iter().flatten().filter_map(id).collect();
            }
            "Char.Items.Add" if body["location"] == "inv" => self.carried.extend(id(&body["item"])),
            "Char.Items.Remove" if body["location"] == "inv" && !self.overhears => {
                self.carried.retain(|carried| Some(*carried) != id(&body["item"]));
            }
            _ => {}
        }
    }

    /// Returns `true` if it matches the stored state.
    pub(super) fn agrees(&self, stored: &Snapshot, name: &str) -> bool {
        let body = pair::character(stored, name);
        let held = stored.items.values().filter(|item| item.place == Place::Holder(body.id));
        self.room == Some(body.room.0.into())
            && self.gold == Some(body.money.purse)
            && held.map(|item| item.id.0).collect::<BTreeSet<u64>>() == self.carried
    }
}
