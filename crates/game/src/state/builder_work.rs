//! Pace of builders: work that their commands owe, and their files that are being read or written.

use deepwell_core::base::{AccountId, GameTime, SessionId, Span};
use std::collections::BTreeMap;

/// Units of work that one builder may owe before a further command is refused; all builders may owe twice as much.
const OWED_MAX: u64 = 150_000;
/// Units of work by which the debt of one builder falls in a millisecond. Up to 10,000 take a millisecond, and those of files
/// three times as long, so commands of one builder take at most a tenth of the time, and those of all builders a fifth.
const PAID_PER_MS: u64 = 300;
/// Work of a command that is free: that of a command about one room.
const FREE: u64 = 2_000;
/// Time after which a request for files is taken to have no answer.
const ANSWERED_WITHIN: Span = Span::secs(60);

/// Work that is owed, at a moment.
#[derive(Clone, Copy, Debug, Default)]
struct Debt {
    work: u64,
    at: GameTime,
}

impl Debt {
    /// Returns the work that is still owed.
    fn owed(self, now: GameTime, paid_per_ms: u64) -> u64 {
        self.work.saturating_sub(now.since(self.at).0.unsigned_abs() * paid_per_ms)
    }

    fn add(&mut self, work: u64, now: GameTime, paid_per_ms: u64) {
        *self = Self { work: self.owed(now, paid_per_ms) + work, at: now };
    }
}

/// Returns the time in which the excess of a debt is paid.
const fn time_to_pay(excess: u64, paid_per_ms: u64) -> Option<Span> {
    if excess == 0 { None } else { Some(Span(excess.div_ceil(paid_per_ms).cast_signed())) }
}

/// Debts of builders, and their requests for files.
#[derive(Debug, Default)]
pub(crate) struct BuilderWork {
    debts: BTreeMap<AccountId, Debt>,
    all: Debt,
    /// Times of the requests for files that have not been answered, by asker.
    requests: BTreeMap<SessionId, GameTime>,
}

impl BuilderWork {
    /// Returns the time that a builder must wait before the next command, if any.
    pub(crate) fn wait(&self, account: AccountId, now: GameTime) -> Option<Span> {
        let own = self.debts.get(&account).map_or(0, |debt| debt.owed(now, PAID_PER_MS));
        let all = self.all.owed(now, 2 * PAID_PER_MS);
        let own = time_to_pay(own.saturating_sub(OWED_MAX), PAID_PER_MS);
        own.max(time_to_pay(all.saturating_sub(2 * OWED_MAX), 2 * PAID_PER_MS))
    }

    /// Charges the work of a builder's command.
    pub(crate) fn charge(&mut self, account: AccountId, work: u64, now: GameTime) {
        let work = work.saturating_sub(FREE);
        if work == 0 {
            return;
        }
        self.debts.retain(|_, debt| debt.owed(now, PAID_PER_MS) > 0);
        self.debts.entry(account).or_default().add(work, now, PAID_PER_MS);
        self.all.add(work, now, 2 * PAID_PER_MS);
    }

    /// Records a request for files. Returns `false` if an earlier one of the asker has no answer.
    pub(crate) fn begin_request(&mut self, asker: SessionId, now: GameTime) -> bool {
        self.requests.retain(|_, at| now.since(*at) < ANSWERED_WITHIN);
        self.requests.insert(asker, now).is_none()
    }

    /// Records that a request for files has been answered.
    pub(crate) fn end_request(&mut self, asker: SessionId) {
        self.requests.remove(&asker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: GameTime = GameTime(1_000_000);
    const ANN: AccountId = AccountId(1);
    const BEN: AccountId = AccountId(2);

    #[test]
    fn n3_builder_waits_until_a_debt_is_paid() {
        let mut work = BuilderWork::default();
        (0..1_000).for_each(|_| work.charge(ANN, FREE, NOON));
        assert_eq!(work.wait(ANN, NOON), None, "small commands are free");
        work.charge(ANN, FREE + OWED_MAX, NOON);
        assert_eq!(work.wait(ANN, NOON), None);
        work.charge(ANN, FREE + 200 * PAID_PER_MS, NOON);
        assert_eq!(work.wait(ANN, NOON), Some(Span::millis(200)));
        assert_eq!(work.wait(BEN, NOON), None);
        assert_eq!(work.wait(ANN, NOON + Span::millis(200)), None);
    }

    #[test]
    fn n3_many_builders_share_a_part_of_the_time() {
        let mut work = BuilderWork::default();
        for account in 0..10 {
            work.charge(AccountId(account), FREE + OWED_MAX / 5 + 100 * PAID_PER_MS, NOON);
        }
        assert_eq!(work.wait(AccountId(99), NOON), Some(Span::millis(500)));
        assert_eq!(work.wait(AccountId(99), NOON + Span::millis(500)), None);
        work.charge(ANN, FREE + 1, NOON + Span::mins(1));
        assert_eq!(work.debts.len(), 1, "paid debts are dropped");
    }

    #[test]
    fn n3_one_request_for_files_at_a_time() {
        let mut work = BuilderWork::default();
        let (one, other) = (SessionId(1), SessionId(2));
        assert!(
            work.begin_request(one, NOON)
                && !work.begin_request(one, NOON)
                && work.begin_request(other, NOON)
        );
        work.end_request(one);
        assert!(work.begin_request(one, NOON));
        assert!(work.begin_request(one, NOON + ANSWERED_WITHIN), "no answer came");
    }
}
