//! Shares of a party: experience, coins to the last copper, and items in turn.

use crate::character::experience;
use crate::effect::Class;
use crate::item::{equipment, inventory, money};
use crate::message::{naming, notices, tell};
use crate::party::members;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, PartyId, RoomId};
use deepwell_core::catalog::rules::by_number;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Character, Item, Place};
use std::cmp::Reverse;

/// Players who share a kill, as one of the sides that fought the victim: a party, or a player without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    /// Player who did most of the damage or, on the side of the slayer, the slayer.
    pub(crate) first: CharacterId,
    /// Members who share: those where the victim fell, and where the members who fought are.
    winners: Vec<CharacterId>,
    /// Damage of its members.
    damage: u32,
}

/// Returns the sides of a kill, the one with the greatest damage first; of equal ones, that of the slayer. Players who have
/// left the branch, or in hand-built rooms the room, do not share. Empty if no player has a part in the kill.
pub(crate) fn sides(turn: &Turn, victim: CharacterId, slayer: CharacterId) -> Vec<Side> {
    let slayer_room = turn.world.characters[slayer].room;
    let slayer = members::credited(turn, slayer);
    let fallen = &turn.world.characters[victim];
    let is_near = |who: &CharacterId| {
        let body = turn.world.characters.get(*who).filter(|body| body.is_player() && body.awake);
        body.is_some_and(|body| {
            body.room == fallen.room || (body.branch.is_some() && body.branch == fallen.branch)
        })
    };
    let mut fighters: Vec<(CharacterId, u32)> =
        turn.wounds.of(victim).filter(|(who, _)| *who != slayer && is_near(who)).collect();
    fighters.sort_by_key(|(who, damage)| (Reverse(*damage), *who));
    let own = turn.wounds.of(victim).find(|(who, _)| *who == slayer).map_or(0, |(_, damage)| damage);
    let plays = turn.world.characters.get(slayer).is_some_and(Character::is_player);
    if plays {
        fighters.insert(0, (slayer, own));
    }
    let mut sides: Vec<Side> = Vec::new();
    for (who, damage) in fighters {
        let room = if who == slayer { slayer_room } else { turn.world.characters[who].room };
        let party = turn.world.parties.of(who);
        let is_own = |side: &Side| party.is_some() && turn.world.parties.of(side.first) == party;
        let at = sides.iter().position(is_own).unwrap_or_else(|| {
            sides.push(Side { first: who, winners: Vec::new(), damage: 0 });
            sides.len() - 1
        });
        let side = &mut sides[at];
        side.damage = side.damage.saturating_add(damage);
        for room in [fallen.room, room] {
            for member in members::companions_of(turn, who, room) {
                if !side.winners.contains(&member) {
                    side.winners.push(member);
                }
            }
        }
    }
    // A stable sort: the side of the slayer stays before others with the same damage.
    sides.sort_by_key(|side| Reverse(side.damage));
    sides
}

/// Returns the part of a whole that is due to each side by its damage; what is left over goes to the first.
pub(crate) fn parts(sides: &[Side], whole: i64) -> Vec<i64> {
    let total = sides.iter().map(|side| i64::from(side.damage)).sum::<i64>();
    if total == 0 {
        return sides.iter().enumerate().map(|(at, _)| if at == 0 { whole } else { 0 }).collect();
    }
    let mut parts: Vec<i64> =
        sides.iter().map(|side| whole.saturating_mul(side.damage.into()) / total).collect();
    let left = whole - parts.iter().sum::<i64>();
    if let Some(first) = parts.first_mut() {
        *first += left;
    }
    parts
}

/// Returns the sharers of a kill on all sides.
pub(crate) fn winners_of(turn: &Turn, victim: CharacterId, slayer: CharacterId) -> Vec<CharacterId> {
    sides(turn, victim, slayer).into_iter().flat_map(|side| side.winners).collect()
}

/// Gives each side its part of a kill's experience, and each member a share of that part, by the experience rules.
/// Incapacitated members get a share; companions get none.
pub(crate) fn share_experience(turn: &mut Turn, victim: CharacterId, slayer: CharacterId) {
    let body = &turn.world.characters[victim];
    let (xp, name) = (body.xp.max(0), naming::name_of(turn, victim).text().to_owned());
    let sides = sides(turn, victim, slayer);
    let parts = parts(&sides, xp);
    for (side, part) in sides.into_iter().zip(parts) {
        let percent = by_number(&turn.catalog.rules.party.experience_percent, side.winners.len());
        let share = part.saturating_mul(i64::from(percent)) / 100;
        for winner in side.winners {
            experience::gain_experience(turn, winner, share, &name);
        }
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
    let extra = whose_turn(turn, turn.world.parties.of(finder), &here, left);
    for member in here {
        let share = each + i64::from(extra.contains(&member));
        if share == 0 {
            continue;
        }
        money::mint(turn, member, share, "loot");
        notices::keep_if_away(turn, member, "Coins were found, and you had your share.");
        let message = match heads {
            1 => format!("{found} {}.", money_words(share)),
            _ => format!("{found} {}; your share is {}.", money_words(copper), money_words(share)),
        };
        tell::tell(turn, member, Class::Notice, message);
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
    let what = naming::item(turn, item);
    win(turn, item, winner);
    let name = turn.world.characters[winner].name.clone();
    let line = Markup::styled(Style::Item, &deepwell_core::text::grammar::capitalise(&what));
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
