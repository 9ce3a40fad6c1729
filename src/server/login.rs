//! Coming in: a name with its password, or a new name. The game gets the account, and of passwords hashes only.

use std::sync::Arc;

use crate::base::{AccountId, Tally};
use crate::game::Input;
use crate::server::attempt::Attempt;
use crate::server::auth::Denied;
use crate::session::Secret;
use crate::world::Settings;

/// The account of a name with its credential, if there is one.
type Known = Option<(AccountId, Arc<str>)>;

/// Checks a password and lets its owner in.
pub(super) fn log_in(attempt: Attempt, name: String, known: Known, password: Secret, pre_login: Settings) {
    let session = attempt.session;
    tokio::spawn(async move {
        match verify(&attempt, &name, known, password).await {
            Ok((account, stronger)) => {
                if let Some(credential) = stronger {
                    attempt.send(Input::Credential { account, credential }).await;
                }
                attempt.send(Input::Login { session, account, name, pre_login }).await;
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
    tokio::spawn(async move {
        match attempt.auth.hash(password).await {
            Ok(credential) => attempt.send(Input::Create { session, name, credential, pre_login }).await,
            Err(denied) => attempt.outbox.deliver(denied.into()),
        }
    });
}

/// The account, and a stronger credential if the stored one is weaker than the settings ask for.
async fn verify(
    attempt: &Attempt,
    name: &str,
    known: Known,
    password: Secret,
) -> Result<(AccountId, Option<String>), Denied> {
    let (account, credential) = known.unzip();
    let weak = credential.as_deref().is_some_and(|credential| attempt.auth.is_weak(credential));
    let again = weak.then(|| password.clone());
    let verified = attempt.auth.verify(attempt.address, name, credential, password).await;
    if let Err(denied) = verified {
        tracing::info!(session = attempt.session.0, ?denied, "login failed");
    }
    let account = verified.and(account.ok_or(Denied::Wrong))?;
    let stronger = match again {
        // A login does not fail because its password could not be hashed again; the next one tries anew.
        Some(password) => attempt.auth.hash(password).await.ok(),
        None => None,
    };
    Ok((account, stronger))
}
