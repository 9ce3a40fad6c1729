//! Rolls for valuable items: need beats greed, the highest roll wins, and no answer is a pass. An item being rolled for
//! is on the ground and cannot be taken. Its claimants are fixed when it drops, so leaving, quitting or disconnecting
//! gives no advantage.

use crate::effect::Class;
use crate::item::{inventory, stacks};
use crate::message::{naming, notices, tell};
use crate::party::{members, share};
use crate::refusal::{Refusal, refuse};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Dice, ItemId, PartyId, RoomId};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Claim, LootRule, Place, Roll};
use std::collections::BTreeMap;

/// Maximum number of rerolls, after which ties are decided by party order. Practically never reached.
const THROWS_MAX: u32 = 50;

/// Starts a roll for an item if it is valuable enough. Returns `false` otherwise.
fn begin_roll(turn: &mut Turn, id: PartyId, item: ItemId, room: RoomId, here: &[CharacterId]) -> bool {
    let row = &turn.world.items[item];
    let value = turn.catalog.items.get(&row.prototype).map_or(0, |prototype| prototype.value);
    let worth = u64::from(value) * u64::from(row.count);
    let open = turn.world.parties[id].rolls.len();
    if worth < u64::from(turn.catalog.rules.party.roll_worth)
        || open >= turn.config.limits.party_rolls as usize
        || turn.world.parties.rolled_for(item).is_some()
    {
        return false;
    }
    if row.place != Place::Room(room) {
        turn.world.move_item(item, Place::Room(room));
        stacks::trim_ground(turn, room, item);
    }
    let (time, until) = members::deadline(turn, turn.catalog.rules.party.roll_secs);
    let claims = here.iter().map(|member| (*member, None)).collect();
    turn.world.parties.add_roll(id, Roll { item, until, claims });
    turn.timers.schedule(until, Timer::Party(id));
    let what = naming::item(turn, item);
    let question =
        Markup::plain("Who gets ").with(Style::Item, &what).and("? Type ").with(Style::Command, "roll need");
    let question =
        question.and(", ").with(Style::Command, "roll greed").and(" or ").with(Style::Command, "roll pass");
    let question = question.and(&format!(" within {time}."));
    for member in here {
        tell::tell(turn, *member, Class::Notice, question.clone());
    }
    true
}

/// Records a claim for the named item, or for the first one that awaits the member's answer.
pub(crate) fn claim(turn: &mut Turn, who: CharacterId, claim: Claim, name: &str) -> Result<(), Refusal> {
    let typed = name.to_lowercase();
    let id = members::own_party(turn, who)?.id;
    let waits = |roll: &&Roll| roll.claims.get(&who) == Some(&None);
    let meant = |roll: &&Roll| naming::item(turn, roll.item).to_lowercase().contains(&typed);
    let roll = turn.world.parties[id].rolls.iter().filter(waits).find(meant);
    let item = roll.map(|roll| roll.item).ok_or_else(|| match name {
        "" => refuse!("Nothing waits for your answer."),
        _ => refuse!("No \"{name}\" waits for your answer."),
    })?;
    note_claim(turn, id, item, who, claim);
    let what = naming::item(turn, item);
    let (yours, theirs) = match claim {
        Claim::Need => ("You need", " needs "),
        Claim::Greed => ("You would like", " would like "),
        Claim::Pass => ("You leave to the others", " does without "),
    };
    tell::tell(turn, who, Class::Reply, Markup::plain(yours).and(" ").with(Style::Item, &what).and("."));
    let line = naming::name_of(turn, who).and(theirs).with(Style::Item, &what).and(".");
    for other in claimants(turn, item) {
        if other != who {
            tell::tell(turn, other, Class::Notice, line.clone());
        }
    }
    settle_if_all_answered(turn, item);
    Ok(())
}

/// Lists a member's open rolls, one line per item.
pub(crate) fn open_rolls(turn: &Turn, who: CharacterId) -> Result<Markup, Refusal> {
    let party = members::own_party(turn, who)?;
    let mut list = Markup::new();
    for roll in party.rolls.iter().filter(|roll| roll.claims.contains_key(&who)) {
        let left = deepwell_core::base::Span(roll.until.0 - turn.now.0);
        let state = match roll.claims.get(&who) {
            Some(None) => "your answer is awaited",
            _ => "the others are awaited",
        };
        let what = grammar::capitalise(&naming::item(turn, roll.item)).into_owned();
        if list.is_empty() {
            list.push(Style::Item, &what);
        } else {
            list.line(Style::Item, &what);
        }
        list.push(Style::Plain, &format!(": {state}, at most {left} more."));
    }
    if list.is_empty() { Err(refuse!("Nothing is rolled for.")) } else { Ok(list) }
}

fn claimants(turn: &Turn, item: ItemId) -> Vec<CharacterId> {
    let party = turn.world.parties.rolled_for(item).map(|id| &turn.world.parties[id]);
    let roll = party.and_then(|party| party.rolls.iter().find(|roll| roll.item == item));
    roll.map(|roll| roll.claims.keys().copied().collect()).unwrap_or_default()
}

fn note_claim(turn: &mut Turn, id: PartyId, item: ItemId, who: CharacterId, claim: Claim) {
    let party = turn.world.parties.edit(id);
    if let Some(roll) = party.and_then(|party| party.rolls.iter_mut().find(|roll| roll.item == item)) {
        roll.claims.insert(who, Some(claim));
    }
}

/// Passes on all open rolls of a member who leaves.
pub(crate) fn give_up_rolls(turn: &mut Turn, id: PartyId, who: CharacterId) {
    let rolls = turn.world.parties[id].rolls.iter().filter(|roll| roll.claims.contains_key(&who));
    for item in rolls.map(|roll| roll.item).collect::<Vec<_>>() {
        note_claim(turn, id, item, who, Claim::Pass);
        settle_if_all_answered(turn, item);
    }
}

/// Removes a deleted character from all rolls. A roll without claimants ends.
pub(crate) fn forget_claims(turn: &mut Turn, who: CharacterId) {
    for item in turn.world.parties.rolled().collect::<Vec<_>>() {
        if !claimants(turn, item).contains(&who) {
            continue;
        }
        let party = turn.world.parties.rolled_for(item).and_then(|id| turn.world.parties.edit(id));
        if let Some(roll) = party.and_then(|party| party.rolls.iter_mut().find(|roll| roll.item == item)) {
            roll.claims.remove(&who);
        }
        settle_if_all_answered(turn, item);
    }
}

fn settle_if_all_answered(turn: &mut Turn, item: ItemId) {
    let party = turn.world.parties.rolled_for(item).map(|id| &turn.world.parties[id]);
    let roll = party.and_then(|party| party.rolls.iter().find(|roll| roll.item == item));
    if roll.is_some_and(|roll| roll.claims.values().all(Option::is_some)) {
        settle(turn, item);
    }
}

/// Settles the rolls in a branch before it is deleted, so that items already won are not lost.
pub(crate) fn settle_rolls_in(turn: &mut Turn, branch: BranchId) {
    let inside = |item: &ItemId| match turn.world.items[*item].place {
        Place::Room(room) => turn.world.rooms[room].branch == Some(branch),
        Place::Holder(_) | Place::Inside(_) | Place::Mail(_) => false,
    };
    for item in turn.world.parties.rolled().filter(inside).collect::<Vec<_>>() {
        settle(turn, item);
    }
}

/// Ends a roll: the item goes to the best claimant, or is free to take.
pub(crate) fn settle(turn: &mut Turn, item: ItemId) {
    let Some(roll) = turn.world.parties.end_roll(item) else { return };
    let what = naming::item(turn, item);
    let claim = |who: &CharacterId| roll.claims.get(who).copied().flatten().unwrap_or(Claim::Pass);
    let best = roll.claims.keys().map(claim).max().unwrap_or(Claim::Pass);
    let able: Vec<CharacterId> = roll
        .claims
        .keys()
        .copied()
        .filter(|who| {
            claim(who) == best && inventory::can_carry(turn, *who, item, turn.world.items[item].count)
        })
        .collect();
    let line = match (best, able.as_slice()) {
        (Claim::Pass, _) => {
            let line = Markup::plain("Nobody wants ").with(Style::Item, &what);
            line.and(": it lies there for whoever takes it.")
        }
        (_, []) => {
            let line = Markup::plain("Nobody who wants ").with(Style::Item, &what);
            line.and(" can carry any more: it lies there for whoever takes it.")
        }
        (_, several) => {
            let (winner, thrown) = throw(turn, several, item);
            share::win(turn, item, winner);
            let line = Markup::plain(&thrown).with(Style::Player, &turn.world.characters[winner].name);
            line.and(" gets ").with(Style::Item, &what).and(".")
        }
    };
    for who in roll.claims.keys() {
        notices::tell(turn, *who, line.clone());
    }
}

/// Rolls dice for the given characters, again for ties. Returns the winner and a description of the rolls.
fn throw(turn: &Turn, among: &[CharacterId], item: ItemId) -> (CharacterId, String) {
    let mut dice = turn.moment_seed("roll", item.0, turn.now).rng();
    let (mut left, mut line) = (among.to_vec(), String::new());
    for _ in 0..THROWS_MAX {
        if left.len() < 2 {
            break;
        }
        let throws: BTreeMap<CharacterId, u32> =
            left.iter().map(|who| (*who, dice.between(1, 100))).collect();
        let best = throws.values().copied().max().unwrap_or(0);
        let throw = |(who, points): (&CharacterId, &u32)| {
            format!("{} throws {points}", turn.world.characters[*who].name)
        };
        line += &grammar::list(throws.iter().map(throw));
        line += ". ";
        left.retain(|who| throws.get(who) == Some(&best));
        if left.len() > 1 {
            line += "That is equal, so they throw again: ";
        }
    }
    (left.first().or(among.first()).copied().unwrap_or(CharacterId(0)), line)
}

/// Distributes an item found by a party member by the loot rule: in turn, by a roll, or left in place. Returns `true`
/// if it was given or is being rolled for.
pub(crate) fn award_item(turn: &mut Turn, item: ItemId, finder: CharacterId) -> bool {
    let finder = members::credited(turn, finder);
    let room = turn.world.characters[finder].room;
    let Some(party) = turn.world.parties.of(finder) else { return false };
    let here = members::companions_of(turn, finder, room);
    if here.len() < 2 || turn.world.items.get(item).is_none() {
        return false;
    }
    match turn.world.parties[party].loot {
        LootRule::Free => false,
        LootRule::RoundRobin => share::give_in_turn(turn, party, item, room, &here),
        LootRule::Roll => begin_roll(turn, party, item, room, &here),
    }
}

/// Distributes an item that appeared in a room, if a party is there.
pub(crate) fn award_found(turn: &mut Turn, item: ItemId, room: RoomId) -> bool {
    let in_party = |id: &CharacterId| turn.world.parties.of(*id).is_some();
    let finder = turn.world.occupants(room).iter().copied().find(in_party);
    finder.is_some_and(|finder| award_item(turn, item, finder))
}
