//! Removal of accounts that were created but never used. Some time after the last visit they are deleted with their
//! initial belongings, and their names become free. Accounts with earned progress are kept.

use crate::access::audit_log;
use crate::account::deletion;
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{AccountId, CharacterId, GameTime, Span, Tally};
use deepwell_core::catalog::Lesson;
use deepwell_core::world::{Account, Banned, Role};
use std::ops::Bound;

/// Delay of the first check after a start, and interval of later ones.
const FIRST: Span = Span::mins(10);
const EVERY: Span = Span::mins(24 * 60);
/// Maximum number of accounts checked and removed per step.
const CHECKED_PER_STEP: usize = 200;
const REMOVED_PER_STEP: usize = 5;
/// Pause between two steps of a check, in which other inputs are processed.
const PAUSE: Span = Span::millis(200);

/// Reason in the ledger for the removed belongings.
const WHY: &str = "unused";

/// Schedules the first check after a start.
pub(crate) fn schedule_first(turn: &mut Turn) {
    if turn.config.limits.unused_account > Span::ZERO {
        turn.timers.schedule(turn.now + FIRST, Timer::ClearUnused(AccountId(0)));
    }
}

/// Checks some accounts after `behind` and removes the unused ones.
pub(crate) fn clear_unused(turn: &mut Turn, behind: AccountId) {
    let since = unused_since(turn);
    let (mut last, mut looked_at, mut unused, mut sleeping) = (behind, 0, Vec::new(), Vec::new());
    for (id, account) in turn.world.accounts.range((Bound::Excluded(behind), Bound::Unbounded)) {
        if looked_at == CHECKED_PER_STEP || unused.len() + sleeping.len() == REMOVED_PER_STEP {
            break;
        }
        (last, looked_at) = (id, looked_at + 1);
        if turn.world.is_absent(id) {
            sleeping.extend(may_be_unused(turn, account, since).then_some(id));
        } else if is_unused(turn, account, since) {
            unused.push(id);
        }
    }
    let is_over = looked_at < CHECKED_PER_STEP && unused.len() + sleeping.len() < REMOVED_PER_STEP;
    for account in &unused {
        remove(turn, *account);
    }
    for account in sleeping {
        turn.sleepers.check_if_unused(account);
    }
    let (pause, behind) = if is_over { (EVERY, AccountId(0)) } else { (PAUSE, last) };
    turn.timers.schedule(turn.now + pause, Timer::ClearUnused(behind));
}

/// Removes an account that the check has had woken, if it is unused.
pub(crate) fn remove_if_unused(turn: &mut Turn, account: AccountId) {
    let since = unused_since(turn);
    if !turn.read_only && turn.world.accounts.get(account).is_some_and(|row| is_unused(turn, row, since)) {
        remove(turn, account);
    }
}

/// Returns the time before which the last visit to an unused account was.
fn unused_since(turn: &Turn) -> GameTime {
    GameTime(turn.now.0.saturating_sub(turn.config.limits.unused_account.0))
}

/// Returns `true` if an absent account can be unused; its rows tell.
fn may_be_unused(turn: &Turn, account: &Account, since: GameTime) -> bool {
    let is_new = |who| {
        let absent = turn.world.asleep.absent(who);
        absent.is_some_and(|absent| absent.level == 1 && absent.xp == 0 && absent.seen_at <= since)
    };
    is_idle(turn, account, since) && turn.world.characters_of(account.id).all(is_new)
}

/// Returns `true` if an account has not been used since a time and has nothing to lose. Accounts with open reports,
/// sanctions or bans are kept until staff have settled them.
fn is_unused(turn: &Turn, account: &Account, since: GameTime) -> bool {
    is_idle(turn, account, since)
        && turn.world.characters_of(account.id).all(|who| is_untouched(turn, who, since))
}

fn is_idle(turn: &Turn, account: &Account, since: GameTime) -> bool {
    account.role == Role::Player
        && account.created_at <= since
        && account.sentences.is_empty()
        && !turn.world.bans.iter().any(|(_, ban)| ban.banned == Banned::Account(account.id))
        && !turn.world.reports.iter().any(|(_, report)| report.account == account.id)
}

/// Returns `true` if a character has never entered the dungeon and has neither learned nor earned anything.
fn is_untouched(turn: &Turn, who: CharacterId, since: GameTime) -> bool {
    let body = &turn.world.characters[who];
    let knows_below = body.delved || body.guide.tips.contains(Lesson::EnteredBranch.name());
    let has_learned = body.level > 1 || body.xp > 0 || body.trainings > 0;
    let (parties, expeditions) = (&turn.world.parties, &turn.world.expeditions);
    let is_in_company = parties.of(who).is_some()
        || parties.invitations(who).next().is_some()
        || expeditions.of(who).next().is_some()
        || expeditions.invitations(who).next().is_some();
    !body.awake
        && body.seen_at <= since
        && body.branch.is_none()
        && !knows_below
        && !has_learned
        && !is_in_company
        && has_little(turn, who)
}

/// Returns `true` if the money and items of a character are worth no more than the initial purse.
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

/// Removes an account with everything it owns, and writes the audit log and ledger.
fn remove(turn: &mut Turn, account: AccountId) {
    deletion::remove_account(turn, account, "Your account is gone.", WHY);
    audit_log::audit_own(turn, &format!("unused: account {account} is gone"));
    turn.outbox.count(Tally::AccountsUnused);
}
