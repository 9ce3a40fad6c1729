//! Passwords: Argon2id on the blocking pool, in few slots behind a short queue; an unknown name costs the same
//! time and gets the same words as a wrong password; whoever fails again and again waits longer and longer,
//! by address and by address and name, so that nobody can lock out the owner of a name from elsewhere.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::TryRng as _;
use rand::rngs::SysRng;
use tokio::sync::Semaphore;

use crate::base::{GameTime, Span};
use crate::net::Clock;
use crate::net::admission::source;
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

/// Why no answer was found, in a sentence for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denied {
    /// No such name, or another password: the words do not tell which.
    Wrong,
    /// Too many hashes wait already.
    Busy,
    /// Hashing itself failed.
    Fault,
}

impl Denied {
    /// The sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Wrong => "That name and that password do not belong together.",
            Self::Busy => "Too many people are at the gate just now. Please try again in a moment.",
            Self::Fault => "Something on our side went wrong. Please try again.",
        }
    }
}

impl From<Denied> for Delivery {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Wrong => Self::LoginFailed(denied.sentence()),
            Denied::Busy | Denied::Fault => Self::LoginPostponed(denied.sentence()),
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
}

/// Checks and makes credentials.
#[derive(Debug)]
pub struct Authenticator {
    params: Params,
    slots: Semaphore,
    queue_most: u32,
    waiting: AtomicU32,
    /// What an unknown name is checked against.
    dummy: Arc<str>,
    failures: Mutex<Failures>,
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
            slots: Semaphore::new(settings.slots as usize),
            queue_most: settings.queue,
            waiting: AtomicU32::new(0),
            dummy: dummy.into(),
            failures: Mutex::default(),
            clock,
        })
    }

    /// Checks a password against the credential behind a name; without one it fails, in the same time.
    pub async fn verify(
        &self,
        address: IpAddr,
        name: &str,
        credential: Option<Arc<str>>,
        password: Secret,
    ) -> Result<(), Denied> {
        let caller = Caller::new(address, name);
        // Counted before the answer is known: attempts side by side must not all pass as the first.
        let wait = self.failures().note(&caller, self.clock.now());
        tokio::time::sleep(wait).await;
        let known = credential.is_some();
        let credential = credential.unwrap_or_else(|| Arc::clone(&self.dummy));
        let right = self.in_slot(move || verify(&credential, password.0.as_bytes())).await;
        match right {
            Ok(true) if known => {
                self.failures().forgive(&caller);
                Ok(())
            }
            Ok(_) => Err(Denied::Wrong),
            Err(denied) => {
                // No password was tried: whoever comes again because we asked for it must not wait for it.
                self.failures().take_back(&caller);
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

    /// Makes the credential of a new password.
    pub async fn hash(&self, password: Secret) -> Result<String, Denied> {
        let params = self.params.clone();
        self.in_slot(move || hash(&params, password.0.as_bytes())).await?
    }

    /// Runs work on the blocking pool when a slot is free, unless too many wait for one.
    async fn in_slot<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Denied> {
        let _place = Permit::take(&self.waiting, self.queue_most)?;
        let _slot = self.slots.acquire().await.map_err(|_| Denied::Fault)?;
        tokio::task::spawn_blocking(work).await.map_err(|_| Denied::Fault)
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

/// A permit: a place among those who wait for a slot or hold one.
struct Permit<'a>(&'a AtomicU32);

impl<'a> Permit<'a> {
    fn take(waiting: &'a AtomicU32, most: u32) -> Result<Self, Denied> {
        waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| (now < most).then_some(now + 1))
            .map(|_| Self(waiting))
            .map_err(|_| Denied::Busy)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
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

    const SETTINGS: AuthSettings = AuthSettings { slots: 1, queue: 8, memory_kib: 64, passes: 1 };

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
        let credential = authenticator(SETTINGS).hash(secret("correct horse")).await.unwrap();
        assert!(!authenticator(SETTINGS).is_weak(&credential));
        assert!(authenticator(AuthSettings { passes: 2, ..SETTINGS }).is_weak(&credential));
        assert!(authenticator(AuthSettings { memory_kib: 128, ..SETTINGS }).is_weak(&credential));
        assert!(authenticator(SETTINGS).is_weak("not a credential"));
    }

    #[tokio::test]
    async fn a1_a_password_opens_its_own_credential_only() {
        let auth = authenticator(SETTINGS);
        let credential: Arc<str> = auth.hash(secret("correct horse")).await.unwrap().into();
        assert!(credential.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{credential}");
        assert_ne!(*credential, auth.hash(secret("correct horse")).await.unwrap());
        let right = auth.verify(far(1), "Ann", Some(Arc::clone(&credential)), secret("correct horse")).await;
        assert_eq!(right, Ok(()));
        let wrong = auth.verify(far(1), "Ann", Some(credential), secret("correct hors")).await;
        assert_eq!(wrong, Err(Denied::Wrong));
    }

    #[tokio::test]
    async fn a2_an_unknown_name_and_a_broken_credential_get_the_same_answer() {
        let auth = authenticator(SETTINGS);
        assert_eq!(auth.verify(far(1), "Nobody", None, secret("x")).await, Err(Denied::Wrong));
        let broken = auth.verify(far(1), "Ann", Some("rubbish".into()), secret("x")).await;
        assert_eq!(broken, Err(Denied::Wrong));
    }

    #[tokio::test]
    async fn a1_a_full_queue_refuses_at_once() {
        let auth = authenticator(AuthSettings { queue: 1, ..SETTINGS });
        let _place = Permit::take(&auth.waiting, 1).unwrap();
        assert_eq!(auth.hash(secret("x")).await, Err(Denied::Busy));
        assert_eq!(auth.verify(far(1), "Ann", None, secret("x")).await, Err(Denied::Busy));
        assert!(auth.failures().records.is_empty(), "no password was tried");
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
