//! Scaling of creatures to the size of the party that opens a room. The scale is fixed when the room is generated, and
//! announced to players.

use crate::base::{BranchId, CharacterId, RoomId};
use crate::catalog::rules::by_number;
use crate::game::effect::Class;
use crate::game::message::tell;
use crate::game::turn::Turn;
use crate::text::{Markup, Style, grammar};

/// Scales a new room's creatures to the number of party members awake in the branch. Each room is scaled only once.
pub(crate) fn scale_room(turn: &mut Turn, room: RoomId, who: CharacterId) {
    let row = &turn.world.rooms[room];
    let Some(branch) = row.branch.filter(|_| row.scaled_for == 0) else { return };
    let wild = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        !body.is_player() && body.master.is_none() && body.home == room
    };
    let creatures: Vec<CharacterId> = turn.world.occupants(room).iter().copied().filter(wild).collect();
    if creatures.is_empty() {
        return;
    }
    let size = party_in(turn, branch, who);
    let percent = by_number(&turn.catalog.rules.party.creature_hp_percent, size);
    for creature in creatures {
        if let Some(body) = turn.world.characters.edit(creature) {
            body.max_hp = scaled(body.max_hp, percent);
            body.hp = scaled(body.hp, percent);
        }
    }
    turn.world.rooms.change(room, |row| row.scaled_for = u32::try_from(size).unwrap_or(u32::MAX));
}

/// Returns the number of party members awake in a branch, including the given character and followers about to enter.
fn party_in(turn: &Turn, branch: BranchId, who: CharacterId) -> usize {
    let Some(party) = turn.world.party_of(who) else { return 1 };
    let start = turn.world.branches[branch].start_room;
    let inside = |id: &&CharacterId| {
        let body = &turn.world.characters[**id];
        let follows = || body.room == start && turn.world.leads_to(**id, who);
        **id == who || (body.awake && (body.branch == Some(branch) || follows()))
    };
    turn.world.parties[party].members.iter().filter(inside).count()
}

/// Tells a player who enters an uncleared room for how many players its creatures were scaled.
pub(crate) fn tell_scale(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    if row.clear || row.scaled_for < 2 {
        return;
    }
    let percent = by_number(&turn.catalog.rules.party.creature_hp_percent, row.scaled_for as usize);
    let heads = grammar::number(row.scaled_for);
    let words = format!("{} of you: what waits here {}.", grammar::capitalise(&heads), life_words(percent));
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Hint, &words));
}

fn scaled(hp: i32, percent: u32) -> i32 {
    let scaled = i64::from(hp).saturating_mul(i64::from(percent)) / 100;
    i32::try_from(scaled.max(1)).unwrap_or(i32::MAX)
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

    #[test]
    fn scaling_stays_within_limits() {
        assert_eq!([scaled(1, 10), scaled(10, 150), scaled(i32::MAX, 310)], [1, 15, i32::MAX]);
    }
}
