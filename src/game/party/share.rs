//! Shares of a party: experience, coins to the last copper, and items in turn.

use crate::base::{CharacterId, ItemId, PartyId, RoomId};
use crate::catalog::rules::by_number;
use crate::game::character::experience;
use crate::game::effect::Class;
use crate::game::item::{equipment, inventory, money};
use crate::game::message::{naming, notices, tell};
use crate::game::party::members;
use crate::game::turn::Turn;
use crate::text::coins::money_words;
use crate::text::{Markup, Style};
use crate::world::{Item, Place};

/// Returns the sharers of a kill: the slayer's companions where the victim fell, and where the slayer is after a shot.
pub(crate) fn winners_of(turn: &Turn, victim: CharacterId, slayer: CharacterId) -> Vec<CharacterId> {
    let [fell, stands] = [victim, slayer].map(|who| turn.world.characters[who].room);
    let mut winners = members::companions_of(turn, slayer, fell);
    if stands != fell {
        let there = members::companions_of(turn, slayer, stands);
        winners.extend(there.into_iter().filter(|who| !winners.contains(who)).collect::<Vec<_>>());
    }
    winners
}

/// Gives each party member in the room a share of a kill's experience, by the experience rules. Incapacitated members
/// get a share; companions get none.
pub(crate) fn share_experience(turn: &mut Turn, victim: CharacterId, slayer: CharacterId) {
    let body = &turn.world.characters[victim];
    let (xp, name) = (body.xp, naming::name_of(turn, victim).text().to_owned());
    let rooms = [victim, slayer].map(|who| turn.world.characters[who].room);
    let here = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.is_player() && body.awake && rooms.contains(&body.room)
    };
    let winners: Vec<CharacterId> = winners_of(turn, victim, slayer).into_iter().filter(here).collect();
    let percent = by_number(&turn.catalog.rules.party.experience_percent, winners.len());
    let share = xp.max(0).saturating_mul(i64::from(percent)) / 100;
    for winner in winners {
        experience::gain_experience(turn, winner, share, &name);
    }
}

/// Splits found coppers equally among the purses of the party members in the room, and notifies the finder with text
/// that ends with the sum. The remainder is distributed in turn, so that no member is ever more than one copper ahead.
pub(crate) fn split_coins(turn: &mut Turn, finder: CharacterId, room: RoomId, copper: i64, found: &str) {
    let finder = members::credited(turn, finder);
    let mut here = members::companions_of(turn, finder, room);
    if here.is_empty() {
        here.push(finder);
    }
    let heads = i64::try_from(here.len()).unwrap_or(1);
    let (each, left) = (copper.max(0) / heads, copper.max(0) % heads);
    let extra = whose_turn(turn, turn.world.party_of(finder), &here, left);
    for member in here {
        let share = each + i64::from(extra.contains(&member));
        if share == 0 {
            continue;
        }
        money::mint(turn, member, share, "loot");
        notices::keep_if_away(turn, member, "Coins were found, and you had your share.");
        let words = match heads {
            1 => format!("{found} {}.", money_words(share)),
            _ => format!("{found} {}; your share is {}.", money_words(copper), money_words(share)),
        };
        tell::tell(turn, member, Class::Notice, words);
    }
}

/// Picks the present members who get one extra copper, and advances the turn past them.
fn whose_turn(turn: &mut Turn, party: Option<PartyId>, here: &[CharacterId], left: i64) -> Vec<CharacterId> {
    let Some(id) = party else { return Vec::new() };
    let row = &turn.world.parties[id];
    let (members, mut next) = (row.members.clone(), row.coin_turn);
    let mut extra = Vec::new();
    while i64::try_from(extra.len()).is_ok_and(|given| given < left) {
        let member = members[wrapped_index(next, members.len())];
        next += 1;
        if here.contains(&member) {
            extra.push(member);
        }
    }
    if left > 0 {
        turn.world
            .parties
            .change(id, |row| row.coin_turn = next % u64::try_from(members.len().max(1)).unwrap_or(1));
    }
    extra
}

/// Gives an item to the next present member in turn who can carry it.
pub(crate) fn give_in_turn(
    turn: &mut Turn,
    id: PartyId,
    item: ItemId,
    room: RoomId,
    here: &[CharacterId],
) -> bool {
    let party = &turn.world.parties[id];
    let count = party.members.len();
    let order = (0..count).map(|step| wrapped_index(party.turn + step as u64, count));
    let able = |at: &usize| {
        here.contains(&party.members[*at])
            && inventory::can_carry(turn, party.members[*at], item, turn.world.items[item].count)
    };
    let Some(at) = order.into_iter().find(able) else { return false };
    let winner = party.members[at];
    turn.world.parties.change(id, |party| party.turn = ((at + 1) % count) as u64);
    let what = naming::thing(turn, item);
    win(turn, item, winner);
    let name = turn.world.characters[winner].name.clone();
    let line = Markup::styled(Style::Item, &crate::text::grammar::capitalise(&what));
    let line = line.and(" goes to ").with(Style::Player, &name).and(", whose turn it was.");
    tell::tell_room(turn, room, &[winner], Class::Notice, line);
    let yours = Markup::plain("It is your turn: you get ").with(Style::Item, &what).and(".");
    notices::tell(turn, winner, yours);
    true
}

/// Moves an item from the ground or a corpse to the member who won it, wherever the member is. Returns `false` if the
/// member cannot carry it.
pub(crate) fn win(turn: &mut Turn, item: ItemId, who: CharacterId) -> bool {
    let Item { count, place: from, .. } = turn.world.items[item];
    let Ok(part) = inventory::acquire(turn, who, item, count) else { return false };
    if let Place::Inside(container) = from {
        inventory::clear_away(turn, container);
    }
    if let Some(part) = part {
        equipment::wear_if_better(turn, who, part);
    }
    true
}

/// Returns the index of a running counter in a list, wrapping around.
fn wrapped_index(turn: u64, len: usize) -> usize {
    usize::try_from(turn % u64::try_from(len.max(1)).unwrap_or(1)).unwrap_or(0)
}
