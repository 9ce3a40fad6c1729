//! Login and account creation. The game receives the account and only hashes of passwords.

use std::net::IpAddr;
use std::sync::Arc;

use crate::base::{AccountId, SessionId, Tally};
use crate::game::Input;
use crate::server::attempt::{self, Attempt};
use crate::server::auth::{Authenticator, Denied};
use crate::session::{Delivery, Secret};
use crate::world::Settings;

/// The account of a name and its credential, if the name has an account.
type Known = Option<(AccountId, Arc<str>)>;

/// Verifies a password and logs in.
pub(super) fn log_in(
    attempt: Attempt,
    name: String,
    known: Known,
    password: Secret,
    pre_login: Box<Settings>,
) {
    let session = attempt.session;
    attempt::spawn(&Arc::clone(&attempt.outbox), async move {
        match attempt.in_queue(verify(&attempt, &name, known, password)).await {
            Ok(Owner { account, credential, stronger }) => {
                let login = Input::Login { session, account, name, pre_login, goes_on: false };
                attempt.send(login.proved(account, &credential)).await;
                if let Some(stronger) = stronger {
                    let again = Input::Credential { account, credential: stronger };
                    attempt.send(again.proved(account, &credential)).await;
                }
            }
            Err(denied) => {
                attempt.metrics.counters.count(Tally::LoginsFailed);
                attempt.outbox.deliver(denied.into());
            }
        }
    });
}

/// Creates an account.
pub(super) fn create(attempt: Attempt, name: String, password: Secret, pre_login: Box<Settings>) {
    let session = attempt.session;
    attempt::spawn(&Arc::clone(&attempt.outbox), async move {
        let made = async {
            attempt.auth.take_account(attempt.address)?;
            attempt.auth.hash(attempt.address, password).await
        };
        match attempt.in_queue(made).await {
            Ok(credential) => attempt.send(Input::Create { session, name, credential, pre_login }).await,
            Err(denied) => attempt.outbox.deliver(denied.into()),
        }
    });
}

/// Turns a guest into an account with a name and password.
pub(super) fn join(attempt: Attempt, name: String, password: Secret) {
    let denied = |why: Denied| Delivery::PasswordRefused(why.sentence());
    attempt.run(denied, async move |attempt| {
        let credential = attempt.auth.hash(attempt.address, password).await?;
        Ok(Input::Join { session: attempt.session, name, credential }.into())
    });
}

/// Result of a verified password.
struct Owner {
    account: AccountId,
    /// Credential that the password was verified against.
    credential: Arc<str>,
    /// New hash of the same password, if the settings require a stronger one.
    stronger: Option<String>,
}

async fn verify(attempt: &Attempt, name: &str, known: Known, password: Secret) -> Result<Owner, Denied> {
    let weak = known.as_ref().is_some_and(|(_, credential)| attempt.auth.is_weak(credential));
    let again = weak.then(|| password.clone());
    let by = Caller { session: Some(attempt.session), address: attempt.address };
    let (account, credential) = prove(&attempt.auth, by, name, known, password).await?;
    let stronger = match again {
        // A failed rehash does not fail the login; the next login tries again.
        Some(password) => attempt.auth.hash(attempt.address, password).await.ok(),
        None => None,
    };
    Ok(Owner { account, credential, stronger })
}

/// Origin of a password check.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    /// Session of a game client; `None` for the web builder.
    pub(super) session: Option<SessionId>,
    pub(super) address: IpAddr,
}

/// Verifies a password. Failures are logged within a rate limit.
pub(super) async fn prove(
    auth: &Authenticator,
    by: Caller,
    name: &str,
    known: Known,
    password: Secret,
) -> Result<(AccountId, Arc<str>), Denied> {
    let verified = auth.verify(by.address, name, known.clone(), password).await;
    if let Err(denied) = verified
        && let Some(unlogged) = auth.note_failure()
    {
        let (session, address) = (by.session.map(|session| session.0), by.address);
        // An unknown name may be a password typed at the wrong prompt.
        let name = if known.is_some() { name } else { "(no such account)" };
        tracing::info!(session, name, %address, ?denied, unlogged, "login failed");
    }
    verified.and(known.ok_or(Denied::Wrong))
}
