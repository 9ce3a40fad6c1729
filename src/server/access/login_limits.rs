//! Rate limits for password attempts and account creation. Repeated failures delay further attempts exponentially, per
//! address and per address and account. Budgets limit attempts per account, address and network.
//!
//! Part of an account's budget is reserved for addresses from which its owner has logged in before, so that guesses
//! from elsewhere cannot lock the owner out. An owner at a new address has a [`TurnLimits`] there when the budget is
//! used up. No address is exempt from the account's limit. Every table is bounded.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use crate::net::admission::{network, provider};
use deepwell_core::base::budgets::RateLimits;
use deepwell_core::base::{AccountId, GameTime, Span};

/// Delay after the first failure; it doubles with each further one.
const WAIT_FIRST: Duration = Duration::from_millis(250);
/// Maximum delay.
const WAIT_MOST: Duration = Duration::from_secs(16);
/// Maximum delay for clients on this machine, where a proxy may connect for many clients.
const WAIT_MOST_LOCAL: Duration = Duration::from_secs(1);
/// Failures without delay: for one account, and for one address, which several players may share.
const FREE_FOR_SUBJECT: u32 = 1;
const FREE_FOR_ADDRESS: u32 = 8;
/// Time without a further failure after which failures are forgotten.
const MEMORY: Span = Span::mins(15);
/// Maximum number of entries in each table.
const REMEMBERED: usize = 4_096;

/// Attempts per minute from one address, which several players may share, and from one network.
const GUESSES_BY_SOURCE: u32 = 30;
const GUESSES_BY_NETWORK: u32 = 120;
/// Attempts for one account in [`MEMORY`] that are looked at even if the budget of the account is used up: from one address,
/// network and provider.
const TURNS: [u32; 3] = [1, 4, 8];
/// All such attempts for one account per minute.
const TURNS_BY_SUBJECT: u32 = 120;
/// Failed logins logged per minute; further ones are only counted.
const LOGGED: u32 = 60;
/// Factor by which a network's limit exceeds that of one address.
const NETWORK: u32 = 8;

/// A password attempt.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::server) struct LoginAttempt {
    /// Client address, normalised by `admission::source`.
    pub(in crate::server) source: IpAddr,
    pub(in crate::server) subject: LoginSubject,
}

/// An attempt that may be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) struct Begun {
    /// Delay that earlier failures impose.
    pub(in crate::server) wait: Duration,
    /// Set if the attempt counts against the budget of the account, and not as a [`TurnLimits`].
    has_paid: bool,
}

/// The account or name that a password is tried for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::server) enum LoginSubject {
    Account(AccountId),
    /// A name without an account, in lower case.
    Name(Box<str>),
}

impl LoginSubject {
    pub(in crate::server) fn name(name: &str) -> Self {
        Self::Name(name.to_lowercase().into())
    }
}

/// Attempts beyond the budget of an account, from addresses that have rarely tried it.
#[derive(Debug)]
struct TurnLimits {
    /// By address, network and provider.
    by_range: [RateLimits<LoginAttempt>; 3],
    by_subject: RateLimits<LoginSubject>,
}

impl TurnLimits {
    fn new() -> Self {
        Self {
            by_range: TURNS.map(|most| RateLimits::new(most, MEMORY, REMEMBERED)),
            by_subject: RateLimits::new(TURNS_BY_SUBJECT, Span::mins(1), REMEMBERED),
        }
    }

    /// Returns the guess as one of its address, of its network and of its provider.
    fn ranges(guess: &LoginAttempt) -> [LoginAttempt; 3] {
        let source = guess.source;
        [source, network(source), provider(source)].map(|source| LoginAttempt { source, ..guess.clone() })
    }

    /// Takes a turn, if one is left.
    fn take(&mut self, guess: &LoginAttempt, now: GameTime) -> bool {
        let ranges = Self::ranges(guess);
        let left = self.by_subject.is_left(&guess.subject, now)
            && self.by_range.iter().zip(&ranges).all(|(turns, range)| turns.is_left(range, now));
        if left {
            self.by_subject.take(guess.subject.clone(), now);
            self.by_range.iter_mut().zip(ranges).for_each(|(turns, range)| turns.take(range, now));
        }
        left
    }
}

/// Recent attempts and remaining budgets.
#[derive(Debug)]
pub(in crate::server) struct LoginLimits {
    failures: LoginFailures,
    /// Per account, from all addresses.
    by_subject: RateLimits<LoginSubject>,
    /// Part of the account's budget that is reserved for known addresses.
    reserve: u32,
    /// Attempts per minute and accounts per hour, as set.
    set: (u32, u32),
    /// Per known address and account, so that one of the owner's addresses cannot use up the whole reserve.
    by_known: RateLimits<LoginAttempt>,
    turn: TurnLimits,
    by_source: RateLimits<IpAddr>,
    by_network: RateLimits<IpAddr>,
    accounts: RateLimits<IpAddr>,
    accounts_by_network: RateLimits<IpAddr>,
    lines: RateLimits<()>,
    /// Failed logins that were not logged since the last one that was.
    unlogged: u64,
    /// Time of the last login from each known address, per account.
    known: BTreeMap<LoginAttempt, GameTime>,
}

impl LoginLimits {
    /// Creates the limits: attempts per minute for one account from unknown addresses, and accounts per hour from one
    /// address. Known addresses may make half as many attempts again.
    pub(in crate::server) fn new(guesses_per_minute: u32, accounts_per_hour: u32) -> Self {
        let (minute, hour) = (Span::mins(1), Span::mins(60));
        let guesses = guesses_per_minute.max(1);
        let reserve = guesses.div_ceil(2);
        let all = guesses.saturating_add(reserve);
        // The refill per minute is the same as without the reserve.
        let until_whole = Span(minute.0 * i64::from(all) / i64::from(guesses));
        Self {
            failures: LoginFailures::default(),
            by_subject: RateLimits::new(all, until_whole, REMEMBERED),
            reserve,
            set: (guesses_per_minute, accounts_per_hour),
            by_known: RateLimits::new(reserve, minute, REMEMBERED),
            turn: TurnLimits::new(),
            by_source: RateLimits::new(GUESSES_BY_SOURCE, minute, REMEMBERED),
            by_network: RateLimits::new(GUESSES_BY_NETWORK, minute, REMEMBERED),
            accounts: RateLimits::new(accounts_per_hour, hour, REMEMBERED),
            accounts_by_network: RateLimits::new(accounts_per_hour.saturating_mul(NETWORK), hour, REMEMBERED),
            lines: RateLimits::new(LOGGED, minute, 1),
            unlogged: 0,
            known: BTreeMap::new(),
        }
    }

    /// Changes the limits, whose budgets are then full. Failures and known addresses are kept.
    pub(in crate::server) fn set_limits(&mut self, guesses_per_minute: u32, accounts_per_hour: u32) {
        if self.set == (guesses_per_minute, accounts_per_hour) {
            return;
        }
        let failures = std::mem::take(&mut self.failures);
        let known = std::mem::take(&mut self.known);
        *self = Self {
            failures,
            known,
            unlogged: self.unlogged,
            ..Self::new(guesses_per_minute, accounts_per_hour)
        };
    }

    /// Counts an attempt as failed until it is forgiven or taken back. Returns `None` if the attempt is refused.
    pub(in crate::server) fn begin(&mut self, guess: &LoginAttempt, now: GameTime) -> Option<Begun> {
        let (source, network) = (guess.source, network(guess.source));
        let known = self.knows(guess);
        let account_left = if known {
            self.by_subject.is_left(&guess.subject, now) && self.by_known.is_left(guess, now)
        } else {
            self.by_subject.has_more_than(self.reserve, &guess.subject, now)
        };
        // A proxy on this machine may connect for many clients. At a known address, guesses for other accounts do not count
        // against its own, which `by_known` limits.
        let source_left = known
            || source.is_loopback()
            || self.by_source.is_left(&source, now) && self.by_network.is_left(&network, now);
        if !source_left || !(account_left || self.turn.take(guess, now)) {
            return None;
        }
        // A turn leaves the reserve to known addresses.
        if account_left {
            self.by_subject.take(guess.subject.clone(), now);
        }
        if known {
            self.by_known.take(guess.clone(), now);
        }
        self.by_source.take(source, now);
        self.by_network.take(network, now);
        Some(Begun { wait: self.failures.note(guess, now), has_paid: account_left })
    }

    /// Undoes [`begin`](Self::begin) for an attempt that was not carried out.
    pub(in crate::server) fn take_back(&mut self, guess: &LoginAttempt, begun: Begun, now: GameTime) {
        if begun.has_paid {
            self.by_subject.put_back(&guess.subject, now);
        }
        self.put_back(guess, now);
    }

    fn put_back(&mut self, guess: &LoginAttempt, now: GameTime) {
        // No effect if the address was not known.
        self.by_known.put_back(guess, now);
        self.by_source.put_back(&guess.source, now);
        self.by_network.put_back(&network(guess.source), now);
        self.failures.take_back(guess);
    }

    /// Clears the failures after a correct password and marks the address as known.
    pub(in crate::server) fn forgive(&mut self, guess: LoginAttempt, now: GameTime) {
        self.by_subject.put_back(&guess.subject, now);
        self.put_back(&guess, now);
        self.failures.forget(&guess);
        self.know(guess, now);
    }

    /// Returns `true` if the owner of the account has logged in from this address before.
    pub(in crate::server) fn knows(&self, guess: &LoginAttempt) -> bool {
        self.known.contains_key(guess)
    }

    /// Marks the address as known for this account, so that guesses from elsewhere do not lock its owner out.
    pub(in crate::server) fn know(&mut self, guess: LoginAttempt, now: GameTime) {
        if self.known.len() >= REMEMBERED && !self.known.contains_key(&guess) {
            let oldest = self.known.iter().min_by_key(|(_, at)| **at).map(|(known, _)| known.clone());
            oldest.map(|oldest| self.known.remove(&oldest));
        }
        self.known.insert(guess, now);
    }

    /// Returns the number of unlogged failures before this one if this failure may be logged, else `None`.
    pub(in crate::server) fn take_log_permit(&mut self, now: GameTime) -> Option<u64> {
        if !self.lines.is_left(&(), now) {
            self.unlogged += 1;
            return None;
        }
        self.lines.take((), now);
        Some(std::mem::take(&mut self.unlogged))
    }

    /// Takes an account creation from the address's budget. Returns `false` if the budget is used up.
    pub(in crate::server) fn take_account(&mut self, source: IpAddr, now: GameTime) -> bool {
        let network = network(source);
        let left = source.is_loopback()
            || self.accounts.is_left(&source, now) && self.accounts_by_network.is_left(&network, now);
        if left {
            self.accounts.take(source, now);
            self.accounts_by_network.take(network, now);
        }
        left
    }
}

/// Failure counts, per address and subject and per address alone. When the table is full, the least recent entry is
/// evicted.
#[derive(Debug, Default)]
struct LoginFailures {
    records: BTreeMap<(IpAddr, Option<LoginSubject>), FailureRecord>,
}

#[derive(Clone, Copy, Debug)]
struct FailureRecord {
    count: u32,
    last: GameTime,
}

impl LoginFailures {
    /// Counts a failure. Returns the delay that earlier failures impose.
    fn note(&mut self, guess: &LoginAttempt, now: GameTime) -> Duration {
        let by_address = self.count((guess.source, None), now).saturating_sub(FREE_FOR_ADDRESS);
        let subject = Some(guess.subject.clone());
        let by_subject = self.count((guess.source, subject), now).saturating_sub(FREE_FOR_SUBJECT);
        let most = if guess.source.is_loopback() { WAIT_MOST_LOCAL } else { WAIT_MOST };
        match by_address.max(by_subject) {
            0 => Duration::ZERO,
            failed => WAIT_FIRST.saturating_mul(1 << (failed - 1).min(16)).min(most),
        }
    }

    /// Forgets the failures of this address and subject.
    fn forget(&mut self, guess: &LoginAttempt) {
        self.records.remove(&(guess.source, Some(guess.subject.clone())));
    }

    /// Undoes one [`note`](Self::note).
    fn take_back(&mut self, guess: &LoginAttempt) {
        for key in [(guess.source, Some(guess.subject.clone())), (guess.source, None)] {
            if let Some(record) = self.records.get_mut(&key) {
                record.count = record.count.saturating_sub(1);
                if record.count == 0 {
                    self.records.remove(&key);
                }
            }
        }
    }

    /// Increments a count and returns its previous value.
    fn count(&mut self, key: (IpAddr, Option<LoginSubject>), now: GameTime) -> u32 {
        if self.records.len() >= REMEMBERED && !self.records.contains_key(&key) {
            self.make_space(now);
        }
        let record = self.records.entry(key).or_insert(FailureRecord { count: 0, last: now });
        if now.since(record.last) > MEMORY {
            record.count = 0;
        }
        record.last = now;
        record.count = record.count.saturating_add(1);
        record.count - 1
    }

    fn make_space(&mut self, now: GameTime) {
        self.records.retain(|_, record| now.since(record.last) <= MEMORY);
        let oldest = self.records.iter().min_by_key(|(_, record)| record.last).map(|(key, _)| key.clone());
        if let Some(oldest) = oldest.filter(|_| self.records.len() >= REMEMBERED) {
            self.records.remove(&oldest);
        }
    }
}

#[cfg(test)]
impl LoginLimits {
    /// Returns `true` if no failure is counted.
    pub(in crate::server) fn is_empty(&self) -> bool {
        self.failures.records.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const START: GameTime = GameTime(0);

    fn far(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    fn guess(source: IpAddr, name: &str) -> LoginAttempt {
        LoginAttempt { source, subject: LoginSubject::name(name) }
    }

    fn guesses() -> LoginLimits {
        LoginLimits::new(10, 3)
    }

    #[test]
    fn n2_guesses_for_one_account_are_limited() {
        let mut guesses = guesses();
        let tried = (0..200).filter(|n| guesses.begin(&guess(far(*n), "Ann"), START).is_some());
        assert_eq!(tried.count(), 14, "from two hundred addresses of a network, which has four turns");
        assert!(guesses.begin(&guess(far(201), "Ben"), START).is_some(), "another account's are its own");
        guesses.forgive(guess(far(202), "Ann"), START);
        for _ in 0..5 {
            let own = guesses.begin(&guess(far(202), "Ann"), START);
            assert!(own.is_some(), "its owner has come from there before");
        }
        assert_eq!(guesses.begin(&guess(far(202), "Ann"), START), None, "and has no endless budget either");
        assert!(
            guesses.begin(&guess([198, 51, 100, 7].into(), "Ann"), START).is_some(),
            "a new address has a turn"
        );
        assert_eq!(guesses.begin(&guess([198, 51, 100, 7].into(), "Ann"), START), None);
        let elsewhere = IpAddr::from(Ipv4Addr::new(198, 51, 100, 1));
        let tried = (0..200).filter(|n| guesses.begin(&guess(elsewhere, &n.to_string()), START).is_some());
        assert!(tried.count() <= 30, "one address tries many names");
    }

    /// N2: a known address, such as one shared by many, does not lift the account's limit and leaves the owner attempts
    /// from other known addresses.
    #[test]
    fn n2_known_addresses_are_limited_and_share_the_reserve() {
        let mut guesses = guesses();
        let (local, home) = (guess(Ipv4Addr::LOCALHOST.into(), "Ann"), guess(far(202), "Ann"));
        guesses.know(local.clone(), START);
        guesses.know(home.clone(), START);
        let mut tried = 0;
        for second in 0..600 {
            let now = START + Span::secs(second);
            (0..200).for_each(|n| tried += u32::from(guesses.begin(&guess(far(n), "Ann"), now).is_some()));
            (0..50).for_each(|_| tried += u32::from(guesses.begin(&local, now).is_some()));
            if second % 60 == 59 {
                let own = guesses.begin(&home, now);
                assert!(own.is_some(), "the owner's turn at second {second}");
                guesses.forgive(home.clone(), now);
            }
        }
        assert!(tried <= 120, "{tried} guesses in ten minutes");
    }

    /// N2: the address that created an account is known, so guesses from elsewhere do not block it.
    #[test]
    fn n2_address_that_created_account_is_known() {
        let mut guesses = guesses();
        guesses.know(guess(far(202), "Ann"), START);
        (0..200).for_each(|n| _ = guesses.begin(&guess(far(n), "Ann"), START));
        assert!(guesses.begin(&guess(far(202), "Ann"), START).is_some());
        assert_eq!(guesses.begin(&guess(far(203), "Ann"), START), None);
    }

    /// N2: for as long as an attack lasts, from as many addresses as a provider has, an owner at any address is looked at.
    #[test]
    fn n2_owner_at_a_new_address_is_looked_at_during_an_attack() {
        let mut guesses = guesses();
        let attack = |n: u16| guess([30, 7, n.to_be_bytes()[1], n.to_be_bytes()[0]].into(), "Ann");
        let mut looked_at = 0;
        for second in 0..1_800_i64 {
            let now = START + Span::secs(second);
            for n in 0..20 {
                let n = u16::try_from(second * 20 + n).unwrap();
                looked_at += u32::from(guesses.begin(&attack(n), now).is_some());
            }
            if second % 300 == 299 {
                let owner = guess([203, 0, 113, second.to_le_bytes()[0]].into(), "Ann");
                assert!(guesses.begin(&owner, now).is_some(), "second {second}");
            }
        }
        assert!(looked_at <= 10 * 31 + 8 * 3 + 8, "{looked_at} guesses in half an hour");
    }

    /// N2: guesses for many accounts from an address that many share do not lock out an owner who is known there.
    #[test]
    fn n2_owner_at_a_shared_address_is_looked_at_during_an_attack_on_others() {
        let mut guesses = guesses();
        guesses.know(guess(far(1), "Ann"), START);
        (0..500).for_each(|n| _ = guesses.begin(&guess(far(1), &n.to_string()), START));
        assert_eq!(guesses.begin(&guess(far(1), "Ben"), START), None);
        assert!(guesses.begin(&guess(far(1), "Ann"), START).is_some());
    }

    #[test]
    fn o9_a_flood_of_failures_does_not_fill_the_log() {
        let mut guesses = guesses();
        let lines = (0..1_000).filter_map(|_| guesses.take_log_permit(START)).count();
        assert_eq!(lines, 60);
        assert_eq!(guesses.take_log_permit(START + Span::mins(1)), Some(940), "the rest is counted");
    }

    #[test]
    fn n2_account_creation_is_limited_per_address_and_network() {
        let mut guesses = guesses();
        let made = (0..50).filter(|_| guesses.take_account(far(1), START)).count();
        assert_eq!(made, 3);
        let made = (0..=255).filter(|n| guesses.take_account(far(*n), START)).count();
        assert_eq!(made, 24 - 3, "of the whole network");
        assert!(guesses.take_account(far(1), START + Span::mins(60)));
        assert!((0..50).all(|_| guesses.take_account(Ipv4Addr::LOCALHOST.into(), START)));
    }

    #[test]
    fn n2_failures_delay_only_their_address_and_account() {
        let mut failures = LoginFailures::default();
        let waits: Vec<_> =
            (0..5).map(|n| failures.note(&guess(far(1), "Ann"), GameTime(n)).as_millis()).collect();
        assert_eq!(waits, [0, 0, 250, 500, 1_000]);
        assert_eq!(failures.note(&guess(far(2), "ann"), GameTime(6)), Duration::ZERO);
        assert_eq!(failures.note(&guess(far(1), "Ben"), GameTime(6)), Duration::ZERO);
    }

    #[test]
    fn n2_trying_many_names_delays_the_address_up_to_maximum() {
        let wait = |address: IpAddr| {
            let mut failures = LoginFailures::default();
            (0..60).map(|n| failures.note(&guess(address, &format!("n{n}")), START)).last().unwrap()
        };
        assert_eq!(wait(far(1)), WAIT_MOST);
        assert_eq!(wait(Ipv4Addr::LOCALHOST.into()), WAIT_MOST_LOCAL);
    }

    #[test]
    fn n2_success_and_time_clear_failures() {
        let (mut guesses, ann) = (guesses(), guess(far(1), "Ann"));
        guesses.begin(&ann, START).unwrap();
        guesses.forgive(ann.clone(), START);
        assert!(guesses.is_empty());
        (0..9).for_each(|_| _ = guesses.failures.note(&ann, START));
        assert_eq!(guesses.failures.note(&ann, START + MEMORY + Span(1)), Duration::ZERO);
    }

    #[test]
    fn o9_failure_table_is_bounded() {
        let mut failures = LoginFailures::default();
        for n in 0..6_000_i64 {
            failures.note(&guess(far(1), &n.to_string()), GameTime(n));
        }
        assert_eq!(failures.records.len(), REMEMBERED);
        assert!(failures.records.contains_key(&(far(1), None)));
    }

    #[test]
    fn changed_limits_keep_the_failures() {
        let mut guesses = guesses();
        let tries = |guesses: &mut LoginLimits| {
            (0..99).filter(|n| guesses.begin(&guess(far(*n), "Ann"), START).is_some()).count()
        };
        assert_eq!(tries(&mut guesses), 14);
        guesses.set_limits(10, 3);
        assert_eq!(tries(&mut guesses), 0, "unchanged limits give no new budget");
        guesses.set_limits(20, 3);
        assert_eq!(tries(&mut guesses), 20 + 4);
        assert!(guesses.begin(&guess(far(1), "Ben"), START).is_some());
    }
}
