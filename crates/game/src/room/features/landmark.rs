//! Landmarks: each member of a branch who finds one gains some experience, once.

use crate::character::experience;
use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::world::RoomFeature;

/// Rewards a character who enters a landmark for the first time.
pub(crate) fn find_landmark(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    let Some(RoomFeature::Landmark { name }) = row.challenge.feature.clone() else { return };
    if row.challenge.visitors.contains_key(&who) {
        return;
    }
    let rules = turn.catalog.rules.places;
    let xp = i64::from(
        rules.landmark_xp.saturating_add(rules.landmark_xp_per_difficulty.saturating_mul(row.difficulty)),
    );
    turn.world.rooms.change(room, |row| row.challenge.visitors.insert(who, 1));
    tell::tell(turn, who, Class::Notice, format!("You have found {name}."));
    experience::gain_experience(turn, who, xp, "");
}
