//! Coming in: a name with its password, or a new name. The game gets the account, and of passwords hashes only.

use std::net::IpAddr;
use std::sync::Arc;

use crate::base::{AccountId, SessionId, Tally};
use crate::game::Input;
use crate::server::attempt::{self, Attempt};
use crate::server::auth::{Authenticator, Denied};
use crate::session::{Delivery, Secret};
use crate::world::Settings;

/// The account of a name with its credential, if there is one.
type Known = Option<(AccountId, Arc<str>)>;

/// Checks a password and lets its owner in.
pub(super) fn log_in(attempt: Attempt, name: String, known: Known, password: Secret, pre_login: Settings) {
    let session = attempt.session;
    attempt::spawn(&Arc::clone(&attempt.outbox), async move {
        match attempt.in_line(verify(&attempt, &name, known, password)).await {
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

/// Makes an account.
pub(super) fn create(attempt: Attempt, name: String, password: Secret, pre_login: Settings) {
    let session = attempt.session;
    attempt::spawn(&Arc::clone(&attempt.outbox), async move {
        let made = async {
            attempt.auth.take_account(attempt.address)?;
            attempt.auth.hash(attempt.address, password).await
        };
        match attempt.in_line(made).await {
            Ok(credential) => attempt.send(Input::Create { session, name, credential, pre_login }).await,
            Err(denied) => attempt.outbox.deliver(denied.into()),
        }
    });
}

/// Makes a character of a guest.
pub(super) fn join(attempt: Attempt, name: String, password: Secret) {
    let session = attempt.session;
    attempt::spawn(&Arc::clone(&attempt.outbox), async move {
        let hashed = attempt.auth.hash(attempt.address, password).await;
        let result = hashed.map(|credential| Input::Join { session, name, credential });
        attempt.finish(result, |why| Delivery::PasswordRefused(why.sentence())).await;
    });
}

/// Whoever knows a password.
struct Owner {
    account: AccountId,
    /// What the password was compared with.
    credential: Arc<str>,
    /// The same password hashed again, if the settings ask for more.
    stronger: Option<String>,
}

async fn verify(attempt: &Attempt, name: &str, known: Known, password: Secret) -> Result<Owner, Denied> {
    let weak = known.as_ref().is_some_and(|(_, credential)| attempt.auth.is_weak(credential));
    let again = weak.then(|| password.clone());
    let by = Caller { session: Some(attempt.session), address: attempt.address };
    let (account, credential) = prove(&attempt.auth, by, name, known, password).await?;
    let stronger = match again {
        // A login does not fail because its password could not be hashed again; the next one tries anew.
        Some(password) => attempt.auth.hash(attempt.address, password).await.ok(),
        None => None,
    };
    Ok(Owner { account, credential, stronger })
}

/// Whose password is looked at.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    /// The client, if it is one of the game.
    pub(super) session: Option<SessionId>,
    pub(super) address: IpAddr,
}

/// Looks at a password. What is wrong with it goes into the log, but not more often than is good for that.
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
        // What is nobody's name may be a password, typed in the wrong place.
        let name = if known.is_some() { name } else { "(no such account)" };
        tracing::info!(session, name, %address, ?denied, unlogged, "login failed");
    }
    verified.and(known.ok_or(Denied::Wrong))
}
