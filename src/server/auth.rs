//! Passwords: Argon2id on the blocking pool, in few slots behind a short queue; an unknown name costs the same
//! time and gets the same words as a wrong password; whoever fails again and again waits longer and longer,
//! by address and by address and name. There are budgets, too, for guesses and for new accounts, and who has come in from
//! an address before is not held up by what others guess from elsewhere.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::base::{AccountId, GameTime, Span};
use crate::net::Clock;
use crate::net::admission::{network, source};
use crate::server::budgets::Budgets;
use crate::server::fair_queue::{FairQueue, Full};
use crate::session::{Delivery, Secret};

/// The first wait after a failure; each further one doubles it.
const WAIT_FIRST: Duration = Duration::from_millis(250);
/// The longest wait.
const WAIT_MOST: Duration = Duration::from_secs(16);
/// The longest wait for callers on this machine, which may be a proxy for many.
const WAIT_MOST_LOCAL: Duration = Duration::from_secs(1);
/// Failures are forgotten after so long without a further one.
const MEMORY: Span = Span::mins(15);
/// Callers remembered.
const REMEMBERED: usize = 4_096;

/// Guesses in a minute from one address, behind which many may sit, and from one network.
const GUESSES_BY_SOURCE: u32 = 30;
const GUESSES_BY_NETWORK: u32 = 120;
/// Failed log-ins that are logged in a minute; of the others only the number.
const LOGGED: u32 = 60;
/// What a network may have more than one of its addresses.
const NETWORK: u32 = 8;

/// Why no answer was found, in a sentence for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denied {
    /// No such name, or another password: the words do not tell which.
    Wrong,
    /// Too many hashes wait already.
    Busy,
    /// Too many passwords were tried lately.
    TooManyGuesses,
    /// Too many accounts were made from there lately.
    TooManyAccounts,
    /// Hashing itself failed.
    Fault,
}

impl Denied {
    /// The sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Wrong => "That name and that password do not belong together.",
            Self::Busy => "Too many people are at the gate just now. Please try again in a moment.",
            Self::TooManyGuesses => {
                "Too many passwords have been tried lately, so none is looked at just now. Please try again in a minute."
            }
            Self::TooManyAccounts => {
                "Many accounts have been made from your address lately. Log in with one that you have, or try again later."
            }
            Self::Fault => "Something on our side went wrong. Please try again.",
        }
    }
}

impl From<Denied> for Delivery {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Wrong => Self::LoginFailed(denied.sentence()),
            Denied::Busy | Denied::TooManyGuesses | Denied::TooManyAccounts | Denied::Fault => {
                Self::LoginPostponed(denied.sentence())
            }
        }
    }
}

/// Cost of a hash and how many may be worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuthSettings {
    /// Hashes worked on at the same time.
    pub slots: u32,
    /// Hashes waiting for a slot.
    pub queue: u32,
    /// Memory of one hash in KiB.
    pub memory_kib: u32,
    /// Passes over that memory.
    pub passes: u32,
    /// New accounts from one address.
    pub accounts_per_hour: u32,
    /// Passwords tried for one account.
    pub guesses_per_minute: u32,
}

impl Default for AuthSettings {
    fn default() -> Self {
        Self {
            slots: 1,
            queue: 64,
            memory_kib: 19_456,
            passes: 2,
            accounts_per_hour: 10,
            guesses_per_minute: 10,
        }
    }
}

/// Checks and makes credentials.
#[derive(Debug)]
pub struct Authenticator {
    params: Params,
    slots: FairQueue,
    /// What an unknown name is checked against.
    dummy: Arc<str>,
    failures: Mutex<Failures>,
    allowed: Mutex<Allowed>,
    clock: Clock,
}

impl Authenticator {
    /// Makes the dummy credential, which takes as long as one hash.
    pub fn new(settings: AuthSettings, clock: Clock) -> anyhow::Result<Self> {
        let params = Params::new(settings.memory_kib, settings.passes, 1, None)
            .map_err(|error| anyhow::anyhow!("auth.memory_kib or auth.passes: {error}"))?;
        let mut unknown = [0; 16];
        SysRng.try_fill_bytes(&mut unknown)?;
        let dummy = hash(&params, &unknown).map_err(|denied| anyhow::anyhow!(denied.sentence()))?;
        Ok(Self {
            params,
            slots: FairQueue::new(settings.slots, settings.queue),
            dummy: dummy.into(),
            failures: Mutex::default(),
            allowed: Mutex::new(Allowed::new(settings)),
            clock,
        })
    }

    /// Checks a password against the credential behind a name; without one it fails, in the same time.
    pub async fn verify(
        &self,
        address: IpAddr,
        name: &str,
        known: Option<(AccountId, Arc<str>)>,
        password: Secret,
    ) -> Result<(), Denied> {
        let (subject, credential) = known.map(|(account, hash)| (account.to_string(), hash)).unzip();
        let caller = Caller::new(address, name);
        let guess =
            Guess { source: caller.source, subject: subject.map_or_else(|| caller.name.clone(), Into::into) };
        if !self.allowed().take_guess(&guess, self.clock.now()) {
            return Err(Denied::TooManyGuesses);
        }
        // Counted before the answer is known: attempts side by side must not all pass as the first.
        let wait = self.failures().note(&caller, self.clock.now());
        tokio::time::sleep(wait).await;
        let known = credential.is_some();
        let credential = credential.unwrap_or_else(|| Arc::clone(&self.dummy));
        let right = self.in_slot(address, move || verify(&credential, password.0.as_bytes())).await;
        match right {
            Ok(true) if known => {
                self.failures().forgive(&caller);
                self.allowed().know(guess, self.clock.now());
                Ok(())
            }
            Ok(_) => Err(Denied::Wrong),
            Err(denied) => {
                // No password was tried: whoever comes again because we asked for it must not wait for it.
                self.failures().take_back(&caller);
                self.allowed().put_back_guess(&guess, self.clock.now());
                Err(denied)
            }
        }
    }

    /// Whether a credential is weaker than the settings ask for, so that it is worth hashing again.
    pub fn is_weak(&self, credential: &str) -> bool {
        let stored = PasswordHash::new(credential).ok().and_then(|hash| Params::try_from(&hash).ok());
        stored.is_none_or(|stored| {
            stored.m_cost() < self.params.m_cost() || stored.t_cost() < self.params.t_cost()
        })
    }

    /// A log-in has failed. Whether that is worth a line in the log, which somebody who knocks all day must not fill: how
    /// many were not since the last one.
    pub fn note_failure(&self) -> Option<u64> {
        self.allowed().take_line(self.clock.now())
    }

    /// Takes one of the accounts that may be made from an address.
    pub fn take_account(&self, address: IpAddr) -> Result<(), Denied> {
        let taken = self.allowed().take_account(source(address), self.clock.now());
        if taken { Ok(()) } else { Err(Denied::TooManyAccounts) }
    }

    /// Makes the credential of a new password.
    pub async fn hash(&self, address: IpAddr, password: Secret) -> Result<String, Denied> {
        let params = self.params.clone();
        self.in_slot(address, move || hash(&params, password.0.as_bytes())).await?
    }

    /// Runs work on the blocking pool when a slot is free, unless too many wait for one.
    async fn in_slot<T: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Denied> {
        let slot = self.slots.slot(source(address)).await.map_err(|Full| Denied::Busy)?;
        let work = move || {
            // The slot is the work's own: who asked may be gone before it ends.
            let _slot = slot;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| Denied::Fault)
    }

    fn allowed(&self) -> MutexGuard<'_, Allowed> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failures(&self) -> MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn argon2(params: Params) -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(params: &Params, password: &[u8]) -> Result<String, Denied> {
    let mut salt = [0; 16];
    SysRng.try_fill_bytes(&mut salt).map_err(|_| Denied::Fault)?;
    let hash = argon2(params.clone()).hash_password_with_salt(password, &salt).map_err(|_| Denied::Fault)?;
    Ok(hash.to_string())
}

/// The cost is the credential's own, not the configured one. A credential that cannot be read fits no password.
fn verify(credential: &str, password: &[u8]) -> bool {
    PasswordHash::new(credential)
        .is_ok_and(|hash| argon2(Params::default()).verify_password(password, &hash).is_ok())
}

/// A password that is tried for an account, or for a name that nobody has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Guess {
    source: IpAddr,
    subject: Box<str>,
}

/// What is left to whom.
#[derive(Debug)]
struct Allowed {
    by_subject: Budgets<Box<str>>,
    by_source: Budgets<IpAddr>,
    by_network: Budgets<IpAddr>,
    accounts: Budgets<IpAddr>,
    accounts_by_network: Budgets<IpAddr>,
    lines: Budgets<()>,
    /// Failed log-ins without a line of their own since the last line.
    unlogged: u64,
    /// Who came in from where, and when.
    known: BTreeMap<Guess, GameTime>,
}

impl Allowed {
    fn new(settings: AuthSettings) -> Self {
        let (minute, hour) = (Span::mins(1), Span::mins(60));
        let accounts = settings.accounts_per_hour;
        Self {
            by_subject: Budgets::new(settings.guesses_per_minute, minute, REMEMBERED),
            by_source: Budgets::new(GUESSES_BY_SOURCE, minute, REMEMBERED),
            by_network: Budgets::new(GUESSES_BY_NETWORK, minute, REMEMBERED),
            accounts: Budgets::new(accounts, hour, REMEMBERED),
            accounts_by_network: Budgets::new(accounts.saturating_mul(NETWORK), hour, REMEMBERED),
            lines: Budgets::new(LOGGED, minute, 1),
            unlogged: 0,
            known: BTreeMap::new(),
        }
    }

    /// Whether a password may be tried. Callers on this machine may be a proxy for many.
    fn take_guess(&mut self, guess: &Guess, now: GameTime) -> bool {
        let (source, network) = (guess.source, network(guess.source));
        let local = source.is_loopback();
        let known = self.known.contains_key(guess);
        let left = (known || self.by_subject.is_left(&guess.subject, now))
            && (local || self.by_source.is_left(&source, now) && self.by_network.is_left(&network, now));
        if left {
            if !known {
                self.by_subject.take(guess.subject.clone(), now);
            }
            self.by_source.take(source, now);
            self.by_network.take(network, now);
        }
        left
    }

    fn put_back_guess(&mut self, guess: &Guess, now: GameTime) {
        if !self.known.contains_key(guess) {
            self.by_subject.put_back(&guess.subject, now);
        }
        self.by_source.put_back(&guess.source, now);
        self.by_network.put_back(&network(guess.source), now);
    }

    /// It was no guess: somebody knows the password, and comes from there.
    fn know(&mut self, guess: Guess, now: GameTime) {
        self.put_back_guess(&guess, now);
        if self.known.len() >= REMEMBERED && !self.known.contains_key(&guess) {
            let oldest = self.known.iter().min_by_key(|(_, at)| **at).map(|(known, _)| known.clone());
            oldest.map(|oldest| self.known.remove(&oldest));
        }
        self.known.insert(guess, now);
    }

    /// Whether a failure gets a line in the log: how many before it got none.
    fn take_line(&mut self, now: GameTime) -> Option<u64> {
        if !self.lines.is_left(&(), now) {
            self.unlogged += 1;
            return None;
        }
        self.lines.take((), now);
        Some(std::mem::take(&mut self.unlogged))
    }

    fn take_account(&mut self, source: IpAddr, now: GameTime) -> bool {
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

/// Who tries to log in as whom.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Caller {
    source: IpAddr,
    name: Box<str>,
}

impl Caller {
    fn new(address: IpAddr, name: &str) -> Self {
        Self { source: source(address), name: name.to_lowercase().into() }
    }

    /// The address alone.
    fn anybody(&self) -> Self {
        Self { source: self.source, name: "".into() }
    }
}

/// Who failed how often. Bounded: when it is full, whoever failed longest ago is forgotten.
#[derive(Debug, Default)]
struct Failures {
    records: BTreeMap<Caller, Record>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    count: u32,
    last: GameTime,
}

impl Failures {
    /// Counts an attempt as failed until it is forgiven. Returns how long the caller has to wait for what came
    /// before: one free try for a name, a few for an address, behind which several people may sit.
    fn note(&mut self, caller: &Caller, now: GameTime) -> Duration {
        const FREE_BY_NAME: u32 = 1;
        const FREE_BY_ADDRESS: u32 = 8;
        let by_address = self.count(caller.anybody(), now).saturating_sub(FREE_BY_ADDRESS);
        let by_name = self.count(caller.clone(), now).saturating_sub(FREE_BY_NAME);
        let most = if caller.source.is_loopback() { WAIT_MOST_LOCAL } else { WAIT_MOST };
        match by_address.max(by_name) {
            0 => Duration::ZERO,
            failed => WAIT_FIRST.saturating_mul(1 << (failed - 1).min(16)).min(most),
        }
    }

    /// The attempt succeeded: takes it back, and all of the caller's failures with this name.
    fn forgive(&mut self, caller: &Caller) {
        self.take_back(caller);
        self.records.remove(caller);
    }

    /// The attempt was none.
    fn take_back(&mut self, caller: &Caller) {
        for key in [caller, &caller.anybody()] {
            if let Some(record) = self.records.get_mut(key) {
                record.count = record.count.saturating_sub(1);
                if record.count == 0 {
                    self.records.remove(key);
                }
            }
        }
    }

    /// Counts one more; returns how many there were.
    fn count(&mut self, caller: Caller, now: GameTime) -> u32 {
        if self.records.len() >= REMEMBERED && !self.records.contains_key(&caller) {
            self.forget(now);
        }
        let record = self.records.entry(caller).or_insert(Record { count: 0, last: now });
        if now.since(record.last) > MEMORY {
            record.count = 0;
        }
        record.last = now;
        record.count = record.count.saturating_add(1);
        record.count - 1
    }

    fn forget(&mut self, now: GameTime) {
        self.records.retain(|_, record| now.since(record.last) <= MEMORY);
        let oldest =
            self.records.iter().min_by_key(|(_, record)| record.last).map(|(caller, _)| caller.clone());
        if let Some(oldest) = oldest.filter(|_| self.records.len() >= REMEMBERED) {
            self.records.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const SETTINGS: AuthSettings = AuthSettings {
        slots: 1,
        queue: 8,
        memory_kib: 64,
        passes: 1,
        accounts_per_hour: 3,
        guesses_per_minute: 10,
    };

    const ANN: AccountId = AccountId(1);

    fn authenticator(settings: AuthSettings) -> Authenticator {
        Authenticator::new(settings, Clock::start_at(GameTime(0))).unwrap()
    }

    fn far(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    fn secret(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    #[tokio::test]
    async fn a1_a_credential_is_weak_once_the_settings_ask_for_more() {
        let credential = authenticator(SETTINGS).hash(far(1), secret("correct horse")).await.unwrap();
        assert!(!authenticator(SETTINGS).is_weak(&credential));
        assert!(authenticator(AuthSettings { passes: 2, ..SETTINGS }).is_weak(&credential));
        assert!(authenticator(AuthSettings { memory_kib: 128, ..SETTINGS }).is_weak(&credential));
        assert!(authenticator(SETTINGS).is_weak("not a credential"));
    }

    #[tokio::test]
    async fn a1_a_password_opens_its_own_credential_only() {
        let auth = authenticator(SETTINGS);
        let credential: Arc<str> = auth.hash(far(1), secret("correct horse")).await.unwrap().into();
        assert!(credential.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{credential}");
        assert_ne!(*credential, auth.hash(far(1), secret("correct horse")).await.unwrap());
        let right =
            auth.verify(far(1), "Ann", Some((ANN, Arc::clone(&credential))), secret("correct horse")).await;
        assert_eq!(right, Ok(()));
        let wrong = auth.verify(far(1), "Ann", Some((ANN, credential)), secret("correct hors")).await;
        assert_eq!(wrong, Err(Denied::Wrong));
    }

    #[tokio::test]
    async fn a2_an_unknown_name_and_a_broken_credential_get_the_same_answer() {
        let auth = authenticator(SETTINGS);
        assert_eq!(auth.verify(far(1), "Nobody", None, secret("x")).await, Err(Denied::Wrong));
        let broken = auth.verify(far(1), "Ann", Some((ANN, "rubbish".into())), secret("x")).await;
        assert_eq!(broken, Err(Denied::Wrong));
    }

    #[tokio::test]
    async fn a1_a_full_queue_refuses_at_once() {
        let auth = authenticator(AuthSettings { queue: 1, ..SETTINGS });
        let _working = auth.slots.slot(far(1)).await.unwrap();
        let mut waiting = Box::pin(auth.slots.slot(far(1)));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert_eq!(auth.hash(far(1), secret("x")).await, Err(Denied::Busy));
        assert_eq!(auth.verify(far(1), "Ann", None, secret("x")).await, Err(Denied::Busy));
        assert!(auth.failures().records.is_empty(), "no password was tried");
    }

    #[test]
    fn n2_guesses_for_one_account_are_few_whoever_asks() {
        let mut allowed = Allowed::new(SETTINGS);
        let guess = |address, subject: &str| Guess { source: address, subject: subject.into() };
        let mut tried = 0;
        for n in 0..200 {
            tried += u32::from(allowed.take_guess(&guess(far(n), "1"), GameTime(0)));
        }
        assert_eq!(tried, 10, "from two hundred addresses");
        assert!(allowed.take_guess(&guess(far(201), "2"), GameTime(0)), "another account's are its own");
        allowed.know(guess(far(202), "1"), GameTime(0));
        for _ in 0..10 {
            assert!(
                allowed.take_guess(&guess(far(202), "1"), GameTime(0)),
                "its owner has come from there before"
            );
        }
        let elsewhere = |n: u8| IpAddr::from(Ipv4Addr::new(198, 51, 100, n));
        let tried =
            (0..200).filter(|n| allowed.take_guess(&guess(elsewhere(1), &n.to_string()), GameTime(0)));
        assert!(tried.count() <= 30, "one address tries many names");
    }

    #[test]
    fn o9_a_flood_of_failures_does_not_fill_the_log() {
        let mut allowed = Allowed::new(SETTINGS);
        let lines = (0..1_000).filter_map(|_| allowed.take_line(GameTime(0))).count();
        assert_eq!(lines, 60);
        assert_eq!(allowed.take_line(GameTime(0) + Span::mins(1)), Some(940), "the rest is counted");
    }

    #[test]
    fn n2_accounts_from_one_address_and_from_one_network_are_few() {
        let mut allowed = Allowed::new(SETTINGS);
        let made = (0..50).filter(|_| allowed.take_account(far(1), GameTime(0))).count();
        assert_eq!(made, 3);
        let made = (0..=255).filter(|n| allowed.take_account(far(*n), GameTime(0))).count();
        assert_eq!(made, 24 - 3, "of the whole network");
        assert!(allowed.take_account(far(1), GameTime(0) + Span::mins(60)));
        assert!((0..50).all(|_| allowed.take_account(Ipv4Addr::LOCALHOST.into(), GameTime(0))));
    }

    #[test]
    fn n2_failures_slow_the_pair_and_not_others() {
        let mut failures = Failures::default();
        let caller = Caller::new(far(1), "Ann");
        let waits: Vec<_> = (0..5).map(|n| failures.note(&caller, GameTime(n)).as_millis()).collect();
        assert_eq!(waits, [0, 0, 250, 500, 1_000]);
        assert_eq!(failures.note(&Caller::new(far(2), "ann"), GameTime(6)), Duration::ZERO);
        assert_eq!(failures.note(&Caller::new(far(1), "Ben"), GameTime(6)), Duration::ZERO);
    }

    #[test]
    fn n2_trying_many_names_slows_the_address_up_to_a_bound() {
        let wait = |address: IpAddr| {
            let mut failures = Failures::default();
            (0..60)
                .map(|n| failures.note(&Caller::new(address, &format!("n{n}")), GameTime(0)))
                .last()
                .unwrap()
        };
        assert_eq!(wait(far(1)), WAIT_MOST);
        assert_eq!(wait(Ipv4Addr::LOCALHOST.into()), WAIT_MOST_LOCAL);
    }

    #[test]
    fn n2_success_and_time_forgive() {
        let mut failures = Failures::default();
        let caller = Caller::new(far(1), "Ann");
        failures.note(&caller, GameTime(0));
        failures.forgive(&caller);
        assert!(failures.records.is_empty());
        (0..9).for_each(|_| _ = failures.note(&caller, GameTime(0)));
        assert_eq!(failures.note(&caller, GameTime(0) + MEMORY + Span(1)), Duration::ZERO);
    }

    #[test]
    fn o9_the_table_of_failures_is_bounded() {
        let mut failures = Failures::default();
        for n in 0..6_000_i64 {
            failures.note(&Caller::new(far(1), &n.to_string()), GameTime(n));
        }
        assert_eq!(failures.records.len(), REMEMBERED);
        assert!(failures.records.contains_key(&Caller::new(far(1), "").anybody()));
    }
}
