//! Reward of the weekly expedition, and the members who have opened most of its rooms.

use crate::effect::Class;
use crate::message::{notices, rumours, tell};
use crate::post::mail;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::grammar;
use deepwell_core::world::Expedition;

/// Name of each weekly expedition.
pub(crate) const NAME: &str = "Weekly Survey";

/// Number of names in a sentence about its members.
const NAMED: usize = 10;

/// Returns the members who have opened most rooms, without those who have opted out of fame.
pub(crate) fn best(turn: &Turn, row: &Expedition) -> Vec<String> {
    let opened = row.weekly.iter().flat_map(|of| &of.opened);
    let mut all: Vec<(u32, CharacterId)> = opened.map(|(who, opened)| (opened.in_all, *who)).collect();
    all.sort_by_key(|(rooms, who)| (std::cmp::Reverse(*rooms), *who));
    let public = all.into_iter().filter(|(_, who)| rumours::is_public(turn, *who));
    public.take(NAMED).filter_map(|(_, who)| turn.world.name_of(who).map(str::to_owned)).collect()
}

/// Rewards all who have opened a room, and tells the end in the town.
pub(crate) fn reward(turn: &mut Turn, branch: BranchId) {
    let row = turn.world.expeditions[branch].clone();
    let copper = i64::from(turn.catalog.rules.expedition.weekly_reward);
    let members: Vec<CharacterId> = row.weekly.iter().flat_map(|of| of.opened.keys().copied()).collect();
    let done = format!("{NAME} is done: all {} are open.", grammar::counted(row.target, "room"));
    for member in &members {
        mail::send_reward(turn, *member, &format!("{done} Your share lies in this letter."), copper);
        notices::tell(turn, *member, format!("{done} Your share, {}, comes by mail.", money_words(copper)));
    }
    let names = grammar::list_or("people who want no fame", best(turn, &row));
    let message = format!(
        "Somebody runs to the wall of the lodge and draws a ring around a name. {done} It was {names}."
    );
    if let Some(square) = turn.world.meta().town {
        tell::tell_room(turn, square, &[], Class::Notice, message);
    }
    if turn.world.is_players(row.leader) {
        rumours::note_expedition(turn, branch, row.leader, &row.name);
    }
}
