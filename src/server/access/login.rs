//! Login and account creation. The game receives the account and only hashes of passwords.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::net::Counters;
use crate::server::access::password_hashing::{Applicant, Authenticator, Denied};
use crate::server::access::verification::{self, Attempt};
use crate::server::game_loop::question::{GameQuestion, WebBuilderRequest, WebLogIn};
use crate::session::{Delivery, Secret};
use deepwell_core::base::{AccountId, SessionId, Tally};
use deepwell_core::world::Settings;
use deepwell_game::{Declined, Input};

/// The account of a name and its credential, if the name has an account.
type KnownAccount = Option<(AccountId, Arc<str>)>;

/// Verifies a password and logs in. A password whose hash is weaker than the settings require is hashed again after the
/// login, so that the player waits in the queue only once.
pub(in crate::server) fn log_in(
    attempt: Attempt,
    name: String,
    known: KnownAccount,
    password: Secret,
    pre_login: Box<Settings>,
) {
    verification::spawn(&Arc::clone(&attempt.outbox), async move {
        let session = attempt.session;
        let weak = known.as_ref().is_some_and(|(_, credential)| attempt.auth.is_weak(credential));
        let again = weak.then(|| password.clone());
        let by = CheckOrigin { session: Some(session), applicant: attempt.applicant() };
        let (account, credential) = match prove(&attempt.auth, by, &name, known, password).await {
            Ok(proved) => proved,
            Err(denied) => {
                attempt.metrics.counters.count(Tally::LoginsFailed);
                denied.count(&attempt.metrics.counters);
                return attempt.outbox.deliver(denied.into());
            }
        };
        let login = Input::Login { session, account, name, pre_login, goes_on: false };
        attempt.send(login.proved(account, &credential)).await;
        // A failed rehash does not fail the login; the next login tries again.
        if let Some(password) = again
            && let Ok(stronger) = attempt.auth.hash(attempt.address.into(), password).await
        {
            let stronger = Input::Credential { account, credential: stronger };
            attempt.send(stronger.proved(account, &credential)).await;
        }
    });
}

/// Creates an account.
pub(in crate::server) fn create(attempt: Attempt, name: String, password: Secret, pre_login: Box<Settings>) {
    verification::spawn(&Arc::clone(&attempt.outbox), async move {
        let session = attempt.session;
        let made = async {
            attempt.auth.take_account(attempt.address)?;
            attempt.auth.hash(attempt.applicant(), password).await
        };
        match made.await {
            Ok(credential) => attempt.send(Input::Create { session, name, credential, pre_login }).await,
            Err(denied) => {
                denied.count(&attempt.metrics.counters);
                attempt.outbox.deliver(denied.into());
            }
        }
    });
}

/// Turns a guest into an account with a name and password.
pub(in crate::server) fn join(attempt: Attempt, name: String, password: Secret) {
    let denied = |why: Denied| Delivery::PasswordRefused(why.sentence().into());
    attempt.run(denied, async move |attempt| {
        let credential = attempt.auth.hash(attempt.applicant(), password).await?;
        Ok(Input::Join { session: attempt.session, name, credential }.into())
    });
}

/// Verifies the password of a login to the web builder, and logs in. Returns `None` if the game loop does not answer.
pub(in crate::server) async fn log_in_builder(
    auth: Arc<Authenticator>,
    counters: Counters,
    questions: mpsc::Sender<GameQuestion>,
    known: KnownAccount,
    asked: WebLogIn,
) -> Option<Result<Vec<String>, Declined>> {
    let WebLogIn { name, password, token, address, page } = asked;
    let caller = CheckOrigin { session: None, applicant: address.into() };
    let (account, credential) = match prove(&auth, caller, &name, known, password).await {
        Ok(owner) => owner,
        Err(denied) => {
            counters.count(Tally::LoginsFailed);
            denied.count(&counters);
            return Some(Err(Declined::Reason(denied.sentence().to_owned())));
        }
    };
    let request = WebBuilderRequest::LogIn { account, credential, token, address, page };
    let (answer, answered) = oneshot::channel();
    questions.send(GameQuestion::WebBuilder(request, answer)).await.ok()?;
    let opened = answered.await.ok()?;
    if opened.is_ok() {
        auth.welcome(address, account);
        tracing::info!(account = account.0, %address, "logged in to the web builder");
    }
    Some(opened)
}

/// Origin of a password check.
#[derive(Clone, Copy)]
struct CheckOrigin<'a> {
    /// Session of a game client; `None` for the web builder.
    session: Option<SessionId>,
    applicant: Applicant<'a>,
}

/// Verifies a password. Failures are logged within a rate limit.
async fn prove(
    auth: &Authenticator,
    by: CheckOrigin<'_>,
    name: &str,
    known: KnownAccount,
    password: Secret,
) -> Result<(AccountId, Arc<str>), Denied> {
    let verified = auth.verify(by.applicant, name, known.clone(), password).await;
    if let Err(denied) = verified
        && let Some(unlogged) = auth.note_failure()
    {
        let (session, address) = (by.session.map(|session| session.0), by.applicant.address);
        // An unknown name may be a password typed at the wrong prompt.
        let name = if known.is_some() { name } else { "(no such account)" };
        tracing::info!(session, name, %address, ?denied, unlogged, "login failed");
    }
    verified.and(known.ok_or(Denied::Wrong))
}
