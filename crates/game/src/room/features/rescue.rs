//! Captives: freed when the last of their guards has died, companions on the way up, and grateful on leaving the
//! branch.

use crate::attack;
use crate::character::{experience, spawn};
use crate::creature::companion;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::party::{members, share};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, RoomId};
use deepwell_core::catalog::theme::furnishing::Captive;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::RoomFeature;

/// Frees the captive of a room, who becomes a companion of `who`.
pub(crate) fn free_captive(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    let (branch, difficulty) = (row.branch, row.difficulty);
    let Some(RoomFeature::Captive { creature: key }) = row.challenge.feature.clone() else { return };
    let theme = row.area.clone();
    let freed = captive(turn, &theme, &key).map(|captive| captive.freed.clone());
    if let Some(row) = turn.world.rooms.edit(room) {
        row.challenge.feature = None;
        row.challenge.hint = None;
    }
    let Some(captive) = spawn::spawn_creature(turn, &key, room, branch) else { return };
    let rules = turn.catalog.rules.places;
    let reward =
        rules.captive_reward.saturating_add(rules.captive_reward_per_difficulty.saturating_mul(difficulty));
    if let Some(body) = turn.world.characters.edit(captive) {
        // The experience value of the captive is the later reward.
        body.xp = i64::from(reward);
        body.held_by = Some(theme);
    }
    let message = freed.unwrap_or_else(|| "Somebody who was held here is free.".into());
    tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, &message));
    if !companion::join_companion(turn, captive, who) {
        let name = naming::name_of(turn, captive);
        tell::tell_room(turn, room, &[], Class::Movement, name.and(" sets off for the daylight alone."));
        turn.world.remove_character(captive);
    }
}

/// Rewards a character who has left a branch with freed captives, who then leave the game. Returns their number.
pub(crate) fn reward_freed_captives(turn: &mut Turn, who: CharacterId, branch: BranchId) -> u32 {
    let mut freed = 0;
    let room = turn.world.characters[who].room;
    let theirs = |id: &CharacterId| turn.world.characters[*id].master == Some(who);
    let companions: Vec<CharacterId> = turn.world.occupants(room).iter().copied().filter(theirs).collect();
    for companion in companions {
        let body = &turn.world.characters[companion];
        let (theme, key) = (body.held_by.as_deref(), body.prototype.clone().unwrap_or_default());
        let captive = theme.and_then(|theme| captive(turn, theme, &key));
        let Some(thanks) = captive.map(|captive| captive.thanks.clone()) else { continue };
        let reward = body.xp;
        tell::tell_room(turn, room, &[], Class::Notice, Markup::plain(&thanks));
        attack::stop_fights_of(turn, companion);
        turn.world.remove_character(companion);
        share::split_coins(turn, who, room, reward, "You are given");
        for member in members::companions_of(turn, who, room) {
            experience::gain_experience(turn, member, reward, "");
            turn.emit_event(GameEvent::Rescued { who: member, creature: &key, branch });
        }
        freed += 1;
    }
    freed
}

/// Returns the definition of a captive in a theme. Each theme has its own texts for the same creature.
fn captive<'a>(turn: &'a Turn, theme: &str, creature: &str) -> Option<&'a Captive> {
    turn.catalog.themes.get(theme)?.captives.iter().find(|captive| captive.creature == creature)
}
