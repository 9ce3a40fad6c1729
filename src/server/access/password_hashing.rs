//! Password hashing and verification: Argon2id on the blocking pool, with few slots and a bounded queue, in which a
//! client is told its number. An unknown name takes the same time and gives the same message as a wrong password. Rate
//! limits are in `guesses`.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::net::admission::source;
use crate::net::{ClientOutbox, Clock, ConnectionLimit, Counters};
use crate::server::access::fair_queue::{FairQueue, Full, Rank};
use crate::server::access::login_limits::{LoginAttempt, LoginLimits, LoginSubject};
use crate::server::game_loop::router::notice;
use crate::session::{Delivery, Secret};
use deepwell_core::base::AccountId;
use deepwell_core::base::limits::Limits;

/// Reason why a password check failed, with a sentence for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denied {
    /// Unknown name or wrong password; the message does not tell which.
    Wrong,
    /// The hash queue is full.
    Busy,
    /// Too many recent attempts.
    TooManyGuesses,
    /// Too many accounts were created recently from this address.
    TooManyAccounts,
    /// Hashing failed.
    Fault,
}

impl Denied {
    /// Returns the limit that was reached, if the reason is one.
    const fn limit(self) -> Option<ConnectionLimit> {
        match self {
            Self::Busy => Some(ConnectionLimit::HashQueue),
            Self::TooManyGuesses => Some(ConnectionLimit::GuessesPerMinute),
            Self::TooManyAccounts => Some(ConnectionLimit::AccountsPerHour),
            Self::Wrong | Self::Fault => None,
        }
    }

    /// Counts the refusal if a limit was reached.
    pub(in crate::server) fn count(self, counters: &Counters) {
        if let Some(limit) = self.limit() {
            counters.count_refusal(limit);
        }
    }

    /// Returns the sentence for the player.
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
            Denied::Wrong => Self::LoginFailed(denied.sentence().into()),
            Denied::Busy | Denied::TooManyGuesses | Denied::TooManyAccounts | Denied::Fault => {
                Self::LoginPostponed(denied.sentence().into())
            }
        }
    }
}

/// Cost of a hash, and limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuthSettings {
    /// Maximum number of hashes computed at the same time.
    pub slots: u32,
    /// Maximum number of hashes waiting for a slot.
    pub queue: u32,
    /// Memory of one hash in KiB.
    pub memory_kib: u32,
    /// Passes over that memory.
    pub passes: u32,
    /// Maximum number of new accounts per hour from one address.
    pub accounts_per_hour: u32,
    /// Maximum number of password attempts per minute for one account.
    pub guesses_per_minute: u32,
}

impl Default for AuthSettings {
    fn default() -> Self {
        Self {
            slots: 1,
            queue: Limits::default().hash_queue,
            memory_kib: 19_456,
            passes: 2,
            accounts_per_hour: 10,
            guesses_per_minute: 10,
        }
    }
}

/// Client that needs a hash.
#[derive(Clone, Copy, Debug)]
pub struct Applicant<'a> {
    /// Address of the client, by which the queue is fair.
    pub address: IpAddr,
    /// Outbox for the client's number in the queue; `None` for a client without one, such as the web builder.
    pub outbox: Option<&'a ClientOutbox>,
}

impl Applicant<'_> {
    fn tell(&self, delivery: Delivery) {
        if let Some(outbox) = self.outbox {
            outbox.deliver(delivery);
        }
    }
}

impl From<IpAddr> for Applicant<'_> {
    fn from(address: IpAddr) -> Self {
        Self { address, outbox: None }
    }
}

/// Delay of a password check, imposed by earlier failures, that the client is told of.
const DELAY_TOLD: Duration = Duration::from_secs(2);
const YOUR_TURN_COMES: &str = "Please wait: your turn at the gate comes in a moment.";

/// Verifies passwords and creates credentials.
#[derive(Debug)]
pub struct Authenticator {
    params: Params,
    slots: FairQueue,
    /// Credential that unknown names are verified against.
    dummy: Arc<str>,
    guesses: Mutex<LoginLimits>,
    clock: Clock,
}

#[cfg(test)]
impl Authenticator {
    /// Creates an authenticator whose hashes cost little.
    pub(in crate::server) fn weak() -> Arc<Self> {
        let settings = AuthSettings { memory_kib: 64, passes: 1, ..AuthSettings::default() };
        Arc::new(Self::new(settings, Clock::start_at(deepwell_core::base::GameTime(0))).unwrap())
    }
}

impl Authenticator {
    /// Creates the authenticator. Blocks for one hash, that of the dummy credential.
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
            guesses: Mutex::new(LoginLimits::new(settings.guesses_per_minute, settings.accounts_per_hour)),
            clock,
        })
    }

    /// Changes the limits of password attempts and new accounts.
    pub fn set_limits(&self, guesses_per_minute: u32, accounts_per_hour: u32) {
        self.guesses().set_limits(guesses_per_minute, accounts_per_hour);
    }

    /// Verifies a password against the credential of a name. Without a credential it fails after the same time.
    pub async fn verify(
        &self,
        applicant: Applicant<'_>,
        name: &str,
        known: Option<(AccountId, Arc<str>)>,
        password: Secret,
    ) -> Result<(), Denied> {
        let guess = LoginAttempt {
            source: source(applicant.address),
            subject: known
                .as_ref()
                .map_or_else(|| LoginSubject::name(name), |(account, _)| LoginSubject::Account(*account)),
        };
        // Count before verifying, so that concurrent attempts cannot all pass as the first.
        let (begun, rank) = {
            let mut guesses = self.guesses();
            let rank = if guesses.knows(&guess) { Rank::Known } else { Rank::Stranger };
            (guesses.begin(&guess, self.clock.now()).ok_or(Denied::TooManyGuesses)?, rank)
        };
        if begun.wait >= DELAY_TOLD {
            applicant.tell(Delivery::Show(notice(YOUR_TURN_COMES)));
        }
        tokio::time::sleep(begun.wait).await;
        let is_known = known.is_some();
        let credential = known.map_or_else(|| Arc::clone(&self.dummy), |(_, credential)| credential);
        let right = self.in_slot(applicant, rank, move || verify(&credential, password.0.as_bytes())).await;
        match right {
            Ok(true) if is_known => {
                self.guesses().forgive(guess, self.clock.now());
                Ok(())
            }
            Ok(_) => Err(Denied::Wrong),
            Err(denied) => {
                // No password was checked, so the retry must not be delayed.
                self.guesses().take_back(&guess, begun, self.clock.now());
                Err(denied)
            }
        }
    }

    /// Records a successful login or account creation from this address.
    pub fn welcome(&self, address: IpAddr, account: AccountId) {
        let guess = LoginAttempt { source: source(address), subject: LoginSubject::Account(account) };
        self.guesses().know(guess, self.clock.now());
    }

    /// Returns `true` if a credential is weaker than the settings require and should be hashed again.
    pub fn is_weak(&self, credential: &str) -> bool {
        let stored = PasswordHash::new(credential).ok().and_then(|hash| Params::try_from(&hash).ok());
        stored.is_none_or(|stored| {
            stored.m_cost() < self.params.m_cost() || stored.t_cost() < self.params.t_cost()
        })
    }

    /// Returns the number of unlogged failures before this one if this failed login may be logged, else `None`. This
    /// keeps attackers from filling the log.
    pub fn note_failure(&self) -> Option<u64> {
        self.guesses().take_log_permit(self.clock.now())
    }

    /// Returns the number of password checks and new accounts that wait for a slot.
    pub fn waiting(&self) -> usize {
        self.slots.waiting()
    }

    /// Takes an account creation from the address's budget.
    pub fn take_account(&self, address: IpAddr) -> Result<(), Denied> {
        let taken = self.guesses().take_account(source(address), self.clock.now());
        if taken { Ok(()) } else { Err(Denied::TooManyAccounts) }
    }

    /// Creates the credential of a new password.
    pub async fn hash(&self, applicant: Applicant<'_>, password: Secret) -> Result<String, Denied> {
        let params = self.params.clone();
        self.in_slot(applicant, Rank::Stranger, move || hash(&params, password.0.as_bytes())).await?
    }

    /// Runs work on the blocking pool when a slot is free, and tells the client its number while it waits. Fails if the
    /// queue is full.
    async fn in_slot<T: Send + 'static>(
        &self,
        applicant: Applicant<'_>,
        rank: Rank,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Denied> {
        let tell = |number| applicant.tell(Delivery::Queued(number));
        let slot =
            self.slots.slot(source(applicant.address), rank, tell).await.map_err(|Full| Denied::Busy)?;
        let work = move || {
            // The work holds the slot, since the caller may be cancelled before it ends.
            let _slot = slot;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| Denied::Fault)
    }

    fn guesses(&self) -> MutexGuard<'_, LoginLimits> {
        self.guesses.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Verifies a password with the cost stored in the credential, not the configured one. A malformed credential matches
/// no password.
fn verify(credential: &str, password: &[u8]) -> bool {
    PasswordHash::new(credential)
        .is_ok_and(|hash| argon2(Params::default()).verify_password(password, &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::GameTime;
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

    fn far(last: u8) -> Applicant<'static> {
        IpAddr::from(Ipv4Addr::new(192, 0, 2, last)).into()
    }

    fn secret(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    #[tokio::test]
    async fn a1_credential_below_current_settings_is_weak() {
        let credential = authenticator(SETTINGS).hash(far(1), secret("correct horse")).await.unwrap();
        assert!(!authenticator(SETTINGS).is_weak(&credential));
        assert!(authenticator(AuthSettings { passes: 2, ..SETTINGS }).is_weak(&credential));
        assert!(authenticator(AuthSettings { memory_kib: 128, ..SETTINGS }).is_weak(&credential));
        assert!(authenticator(SETTINGS).is_weak("not a credential"));
    }

    #[tokio::test]
    async fn a1_password_verifies_only_its_own_credential() {
        let auth = authenticator(SETTINGS);
        let credential: Arc<str> = auth.hash(far(1), secret("correct horse")).await.unwrap().into();
        assert!(credential.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{credential}");
        assert_ne!(*credential, auth.hash(far(1), secret("correct horse")).await.unwrap());
        let right =
            auth.verify(far(1), "Ann", Some((ANN, Arc::clone(&credential))), secret("correct horse")).await;
        assert_eq!(right, Ok(()));
        let outcome = auth.verify(far(1), "Ann", Some((ANN, credential)), secret("correct hors")).await;
        assert_eq!(outcome, Err(Denied::Wrong));
    }

    #[tokio::test]
    async fn a2_unknown_name_and_bad_credential_fail_alike() {
        let auth = authenticator(SETTINGS);
        assert_eq!(auth.verify(far(1), "Nobody", None, secret("x")).await, Err(Denied::Wrong));
        let broken = auth.verify(far(1), "Ann", Some((ANN, "rubbish".into())), secret("x")).await;
        assert_eq!(broken, Err(Denied::Wrong));
    }

    #[tokio::test]
    async fn a1_full_queue_refuses_immediately() {
        let auth = authenticator(AuthSettings { queue: 1, ..SETTINGS });
        let _working = auth.slots.slot(far(1).address, Rank::Stranger, |_| {}).await.unwrap();
        let mut waiting = Box::pin(auth.slots.slot(far(1).address, Rank::Stranger, |_| {}));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert_eq!(auth.hash(far(1), secret("x")).await, Err(Denied::Busy));
        assert_eq!(auth.verify(far(1), "Ann", None, secret("x")).await, Err(Denied::Busy));
        assert!(auth.guesses().is_empty(), "no password was tried");
    }

    fn queued(outbox: &ClientOutbox) -> Vec<Delivery> {
        let mut deliveries = Vec::new();
        outbox.take(&mut deliveries).unwrap();
        deliveries
    }

    /// New accounts wait in the same queue as logins.
    #[tokio::test(start_paused = true)]
    async fn client_that_waits_for_a_hash_is_told_its_number() {
        let auth = authenticator(SETTINGS);
        let working = auth.slots.slot(far(1).address, Rank::Stranger, |_| {}).await.unwrap();
        let (one, two) = (ClientOutbox::new(1_000), ClientOutbox::new(1_000));
        let applicant = |nth, outbox| Applicant { outbox: Some(outbox), ..far(nth) };
        let mut logs_in = Box::pin(auth.verify(applicant(2, &one), "Ann", None, secret("x")));
        let mut creates = Box::pin(auth.hash(applicant(3, &two), secret("x")));
        assert!(
            futures_util::poll!(&mut logs_in).is_pending() && futures_util::poll!(&mut creates).is_pending()
        );
        assert_eq!(queued(&one), [Delivery::Queued(1)]);
        assert_eq!(queued(&two), [Delivery::Queued(2)]);
        drop(logs_in);
        assert!(tokio::time::timeout(Duration::from_secs(5), &mut creates).await.is_err());
        assert_eq!(queued(&two), [Delivery::Queued(1)]);
        drop(working);
        assert!(creates.await.is_ok());
        assert_eq!(queued(&one), []);
    }

    #[tokio::test(start_paused = true)]
    async fn n2_client_that_disconnects_leaves_the_queue() {
        let auth = Arc::new(authenticator(AuthSettings { queue: 1, ..SETTINGS }));
        let _working = auth.slots.slot(far(1).address, Rank::Stranger, |_| {}).await.unwrap();
        let outbox = Arc::new(ClientOutbox::new(1_000));
        let (queue, receiver) = (Arc::clone(&auth), Arc::clone(&outbox));
        crate::server::access::verification::spawn(&outbox, async move {
            let _ = queue.hash(Applicant { outbox: Some(&receiver), ..far(2) }, secret("x")).await;
        });
        outbox.filled().await;
        assert_eq!(auth.hash(far(3), secret("x")).await, Err(Denied::Busy), "the queue is full");
        outbox.abandon();
        tokio::task::yield_now().await;
        let mut next = Box::pin(auth.hash(far(3), secret("x")));
        assert!(futures_util::poll!(&mut next).is_pending(), "the place is free again");
    }

    #[tokio::test(start_paused = true)]
    async fn a2_client_whose_check_is_delayed_is_told() {
        let auth = authenticator(SETTINGS);
        let outbox = ClientOutbox::new(1_000);
        let guess = async || {
            let applicant = Applicant { outbox: Some(&outbox), ..far(1) };
            auth.verify(applicant, "Ann", None, secret("x")).await
        };
        let mut counts = Vec::new();
        for _ in 0..6 {
            assert_eq!(guess().await, Err(Denied::Wrong));
            counts.push(queued(&outbox).len());
        }
        assert_eq!(counts, [0, 0, 0, 0, 0, 1], "0, 250 ms, 500 ms, 1 s and 2 s");
    }
}
