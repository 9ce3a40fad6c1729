//! Accounts that were made and never used: a while after the last visit they go, with what they were given, and their
//! names are free again. Nobody loses by it what they have earned.

use crate::base::{AccountId, CharacterId, GameTime, Span, Tally};
use crate::catalog::Lesson;
use crate::game::timers::Timer;
use crate::game::turn::Turn;
use crate::game::{books, prototypes, removal};
use crate::world::{Account, Banned, Role};
use std::ops::Bound;

/// When accounts are looked at for the first time after a start, and then again and again.
const FIRST: Span = Span::mins(10);
const EVERY: Span = Span::mins(24 * 60);
/// Accounts that are looked at in one step, and how many of them go at most.
const LOOKED_AT: usize = 200;
const GO_AT_ONCE: usize = 5;
/// How long the game attends to others between two steps.
const PAUSE: Span = Span::millis(200);

/// What the ledger says of what they leave.
const WHY: &str = "unused";

/// After a start.
pub(crate) fn schedule_first(turn: &mut Turn) {
    if turn.config.limits.unused_account > Span::ZERO {
        turn.timers.schedule(turn.now + FIRST, Timer::ClearUnused(AccountId(0)));
    }
}

/// Looks at some accounts behind this one, and clears away those of them that were never used.
pub(crate) fn clear_unused(turn: &mut Turn, behind: AccountId) {
    let since = GameTime(turn.now.0.saturating_sub(turn.config.limits.unused_account.0));
    let (mut last, mut looked_at, mut unused) = (behind, 0, Vec::new());
    for (id, account) in turn.world.accounts.range((Bound::Excluded(behind), Bound::Unbounded)) {
        if looked_at == LOOKED_AT || unused.len() == GO_AT_ONCE {
            break;
        }
        (last, looked_at) = (id, looked_at + 1);
        if is_unused(turn, account, since) {
            unused.push(id);
        }
    }
    let is_over = looked_at < LOOKED_AT && unused.len() < GO_AT_ONCE;
    for account in &unused {
        remove(turn, *account);
    }
    let (pause, behind) = if is_over { (EVERY, AccountId(0)) } else { (PAUSE, last) };
    turn.timers.schedule(turn.now + pause, Timer::ClearUnused(behind));
}

/// Whether nobody has come since with an account that is nobody's loss. What it has reported is staff's to
/// settle first, and what staff have laid on it has to end first.
fn is_unused(turn: &Turn, account: &Account, since: GameTime) -> bool {
    account.role == Role::Player
        && account.created_at <= since
        && turn.world.characters_of(account.id).all(|who| is_untouched(turn, who, since))
        && account.sentences.is_empty()
        && !turn.world.bans.iter().any(|(_, ban)| ban.banned == Banned::Account(account.id))
        && !turn.world.reports.iter().any(|(_, report)| report.account == account.id)
}

/// Whether a body sleeps as it was made: it never went below and has neither learned nor earned anything.
fn is_untouched(turn: &Turn, who: CharacterId, since: GameTime) -> bool {
    let body = &turn.world.characters[who];
    let knows_below = body.delved || body.guide.tips.contains(Lesson::EnteredBranch.name());
    let has_learned = body.level > 1 || body.xp > 0 || body.trainings > 0;
    let is_in_company = turn.world.party_of(who).is_some() || turn.world.invitations(who).next().is_some();
    !body.awake
        && body.seen_at <= since
        && body.branch.is_none()
        && !knows_below
        && !has_learned
        && !is_in_company
        && has_little(turn, who)
}

/// Whether what somebody owns is worth no more than what everybody begins with, in money and in things.
fn has_little(turn: &Turn, who: CharacterId) -> bool {
    let given = i64::from(turn.catalog.rules.beginner.purse);
    let money = &turn.world.characters[who].money;
    let things = turn.world.carried(who).iter().flat_map(|item| turn.world.with_contents(*item));
    let worth = |item| {
        let row = &turn.world.items[item];
        let value = prototypes::kind_of(turn, item).map_or(0, |kind| i64::from(kind.value));
        value.saturating_add(i64::from(row.copper)).saturating_mul(i64::from(row.count))
    };
    money.purse.saturating_add(money.bank) <= given && things.map(worth).sum::<i64>() <= given
}

/// Removes an account with all that it has; the audit and the ledger tell.
fn remove(turn: &mut Turn, account: AccountId) {
    removal::remove_account(turn, account, "Your account is gone.", WHY);
    books::audit_own(turn, format!("unused: account {account} is gone"));
    turn.outbox.count(Tally::AccountsUnused);
}
