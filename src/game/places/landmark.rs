//! Landmarks: each member who finds one gains a little experience, once.

use crate::base::{CharacterId, RoomId};
use crate::game::{Class, Game};
use crate::text::{Markup, Style};

impl Game {
    /// Somebody has come to a landmark.
    pub(super) fn finds_landmark(&mut self, who: CharacterId, room: RoomId) {
        let row = &self.world.rooms[room];
        let Some(name) = row.challenge.feature.clone() else { return };
        if row.challenge.visitors.contains_key(&who) {
            return;
        }
        let rules = self.catalog.rules.places;
        let xp = i64::from(
            rules.landmark_xp.saturating_add(rules.landmark_xp_per_difficulty.saturating_mul(row.difficulty)),
        );
        if let Some(row) = self.world.rooms.edit(room) {
            row.challenge.visitors.insert(who, 1);
        }
        let words = Markup::plain("You have found ").with(Style::RoomName, &name).and(".");
        self.tell(who, Class::Notice, words);
        self.gain_experience(who, xp, "");
    }
}
