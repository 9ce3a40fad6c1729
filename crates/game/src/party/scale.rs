//! Scaling of creatures to the number of players who meet them. Creatures that are not in a fight adapt to the players in
//! their room, also strangers; a party member who comes into a fight makes them tougher. The scale is announced to players.

use crate::character::stats;
use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::rules::by_number;
use deepwell_core::text::{Markup, Style, grammar};

/// Scales the creatures of a room to the players in it, with a player who enters and the followers who are
/// about to come from the same room.
pub(crate) fn scale_for_arrival(turn: &mut Turn, room: RoomId, who: CharacterId, from: RoomId) {
    if !turn.world.characters[who].is_player() {
        return;
    }
    let present = players_in(turn, room);
    let party = turn.world.parties.of(who);
    let joins = party.is_some_and(|id| {
        turn.world.parties[id].members.iter().any(|member| *member != who && present.contains(member))
    });
    let follows = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.awake && body.room == from && turn.world.leads_to(*id, who)
    };
    let followers = party.map_or(0, |id| {
        let members = turn.world.parties[id].members.iter();
        members.filter(|id| !present.contains(id) && **id != who).filter(|id| follows(id)).count()
    });
    let size = present.len() + usize::from(!present.contains(&who)) + followers;
    scale(turn, room, size, joins);
}

/// Scales the creatures of a room to the players who are left in it.
pub(crate) fn scale_for_departure(turn: &mut Turn, room: RoomId) {
    let size = players_in(turn, room).len();
    if size > 0 && turn.world.rooms.get(room).is_some_and(|row| row.scaled_for as usize > size) {
        scale(turn, room, size, false);
    }
}

fn players_in(turn: &Turn, room: RoomId) -> Vec<CharacterId> {
    let plays = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.is_player() && body.awake
    };
    turn.world.occupants(room).iter().copied().filter(plays).collect()
}

/// Scales the creatures of a room to a number of players. In a fight they are only made tougher, by a member who joins it.
fn scale(turn: &mut Turn, room: RoomId, size: usize, joins: bool) {
    let row = &turn.world.rooms[room];
    let before = row.scaled_for as usize;
    if row.branch.is_none() || before == size {
        return;
    }
    let wild = |id: &CharacterId| turn.world.is_wild_in(*id, room);
    let creatures: Vec<CharacterId> = turn.world.occupants(room).iter().copied().filter(wild).collect();
    let is_met = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.target.is_some() || body.hp < body.max_hp
    };
    let in_fight = creatures.iter().any(is_met);
    if creatures.is_empty() || (in_fight && !(joins && size > before)) {
        return;
    }
    let hp_percent = &turn.catalog.rules.party.creature_hp_percent;
    let [old, new] = [before.max(1), size].map(|number| by_number(hp_percent, number));
    for creature in creatures {
        if let Some(body) = turn.world.characters.edit(creature) {
            let most = scaled(unscaled(body.max_hp, old), new);
            // Wounds stay as they are.
            body.hp = most.saturating_sub(body.max_hp.saturating_sub(body.hp)).max(1);
            body.max_hp = most;
        }
    }
    turn.world.rooms.change(room, |row| row.scaled_for = u32::try_from(size).unwrap_or(u32::MAX));
}

/// Tells a player who enters an uncleared room for how many players its creatures were scaled.
pub(crate) fn tell_scale(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    if row.clear || row.scaled_for < 2 {
        return;
    }
    let rules = &turn.catalog.rules.party;
    let hp = by_number(&rules.creature_hp_percent, row.scaled_for as usize);
    let attack = stats::scaled_attack_percent(rules, row);
    let heads = grammar::number(row.scaled_for);
    let blows = if attack > 100 { ", and strikes harder" } else { "" };
    let heads = grammar::capitalise(&heads);
    let message = format!("{heads} of you: what waits here {}{blows}.", life_words(hp));
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Hint, &message));
}

fn scaled(hp: i32, percent: u32) -> i32 {
    let scaled = i64::from(hp).saturating_mul(i64::from(percent)) / 100;
    i32::try_from(scaled.max(1)).unwrap_or(i32::MAX)
}

/// Returns the hit points that were scaled by a percentage. [`scaled`] rounds down, so this rounds up.
fn unscaled(hp: i32, percent: u32) -> i32 {
    let percent = i64::from(percent.max(1));
    let unscaled = (i64::from(hp).saturating_mul(100) + percent - 1) / percent;
    i32::try_from(unscaled.max(1)).unwrap_or(i32::MAX)
}

/// Describes a percentage of the usual hit points.
fn life_words(percent: u32) -> String {
    match percent {
        0..=100 => "is no tougher than ever".into(),
        101..=135 => "has somewhat more life in it than for one".into(),
        136..=165 => "has half as much life again".into(),
        166..=215 => "has about twice the life".into(),
        216..=265 => "has well over twice the life".into(),
        _ => format!("has about {} times the life", grammar::number((percent + 50) / 100)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_point_percentages_have_descriptions() {
        let shipped = [150, 190, 230, 270, 310].map(life_words);
        assert_eq!(
            shipped,
            [
                "has half as much life again",
                "has about twice the life",
                "has well over twice the life",
                "has about three times the life",
                "has about three times the life",
            ]
        );
    }

    /// However often the number of players changes, one player finds the creature as it was.
    #[test]
    fn scaling_is_undone_without_loss() {
        for percent in 100..=400 {
            for hp in 1..=60 {
                assert_eq!(unscaled(scaled(hp, percent), percent), hp, "{hp} at {percent} percent");
            }
        }
    }

    #[test]
    fn scaling_stays_within_limits() {
        assert_eq!([scaled(1, 10), scaled(10, 150), scaled(i32::MAX, 310)], [1, 15, i32::MAX]);
    }
}
