//! Accounts that are away: their characters and items leave memory and stay in storage. They wake when the account logs in,
//! or when staff, a builder or a tool need them.

use crate::character::experience;
use crate::creature::companion;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Span};
use deepwell_core::world::WorldPart;
use std::collections::BTreeSet;

/// Lets an account that no session plays fall asleep after a while. Like the sleep of branches that is no timer.
pub(crate) fn schedule_sleep(turn: &mut Turn, account: AccountId) {
    let after = turn.config.limits.absent_after;
    if after > Span::ZERO && is_away(turn, account) {
        turn.sleepers.note_idle(WorldPart::Account(account), turn.now + after);
    }
}

/// Schedules the sleep of all accounts that are in memory, after a start.
pub(crate) fn schedule_all(turn: &mut Turn) {
    let players = turn.world.characters.iter().filter(|(_, body)| !body.awake);
    let accounts: BTreeSet<AccountId> = players.filter_map(|(_, body)| body.account).collect();
    for account in accounts {
        schedule_sleep(turn, account);
    }
}

/// Returns `true` if the characters of an account are in memory, and none is awake.
fn is_away(turn: &Turn, account: AccountId) -> bool {
    let is_away = |who: CharacterId| turn.world.characters.get(who).is_some_and(|body| !body.awake);
    turn.world.accounts.get(account).is_some() && turn.world.characters_of(account).all(is_away)
}

/// Puts an account to sleep that has been away for long enough. If something can still happen to one of its characters,
/// it is tried again later.
pub(crate) fn put_to_sleep_if_away(turn: &mut Turn, account: AccountId) {
    if !is_away(turn, account) {
        return;
    }
    if has_work(turn, account) {
        return schedule_sleep(turn, account);
    }
    turn.world.put_to_sleep(WorldPart::Account(account));
}

/// Returns `true` if something will happen to a character of an account, or something outside refers to it.
fn has_work(turn: &Turn, account: AccountId) -> bool {
    let awaits = |item| turn.world.items[item].is_timed();
    let is_busy = |who: CharacterId| {
        let carried = turn.world.carried(who).iter().flat_map(|item| turn.world.with_contents(*item));
        experience::has_enough(turn, &turn.world.characters[who])
            || companion::has_companions(turn, who)
            || carried.into_iter().any(awaits)
    };
    !turn.world.may_sleep(WorldPart::Account(account)) || turn.world.characters_of(account).any(is_busy)
}
