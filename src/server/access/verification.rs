//! One attempt to verify a password or code. It runs outside the game loop, since password hashing is slow by design,
//! and its result returns as an input.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::net::{ClientEvent, ClientOutbox};
use crate::server::access::password_hashing::{Applicant, Authenticator, Denied};
use crate::server::metrics::Metrics;
use crate::session::Delivery;
use deepwell_core::base::{SessionId, Tally};
use deepwell_game::Envelope;

/// The context of one attempt.
pub(in crate::server) struct Attempt {
    pub(in crate::server) auth: Arc<Authenticator>,
    pub(in crate::server) requests: mpsc::Sender<ClientEvent>,
    pub(in crate::server) outbox: Arc<ClientOutbox>,
    pub(in crate::server) metrics: Arc<Metrics>,
    pub(in crate::server) address: IpAddr,
    pub(in crate::server) session: SessionId,
}

/// Runs an attempt outside the game loop, and cancels it when its connection ends, which frees its place in the queue.
pub(in crate::server) fn spawn(outbox: &Arc<ClientOutbox>, work: impl Future<Output = ()> + Send + 'static) {
    let outbox = Arc::clone(outbox);
    // Takes 2.4 KB for a login. Name, password, settings and the entry of the queue take less than 1 KB beside it, so that
    // the 4,000 attempts that `limits.hash_queue` lets wait by default take less than 14 MB.
    tokio::spawn(async move {
        tokio::select! {
            () = outbox.abandoned() => {}
            () = work => {}
        }
    });
}

impl Attempt {
    /// Returns the client, which is told its number while it waits for a hash.
    pub(in crate::server) fn applicant(&self) -> Applicant<'_> {
        Applicant { address: self.address, outbox: Some(&self.outbox) }
    }

    /// Sends the input of a verified attempt to the game loop.
    pub(in crate::server) async fn send(&self, input: impl Into<Envelope>) {
        // Fails only when the server has stopped; no client waits then.
        let verified = ClientEvent::Verified(Box::new(input.into().sent_from(self.address)));
        let _ = self.requests.send(verified).await;
    }

    /// Runs a check outside the game loop. Sends its input if it succeeds, and reports a failure to the client.
    pub(in crate::server) fn run<W>(self, denied: fn(Denied) -> Delivery, work: impl FnOnce(Arc<Self>) -> W)
    where
        W: Future<Output = Result<Envelope, Denied>> + Send + 'static,
    {
        let attempt = Arc::new(self);
        let work = work(Arc::clone(&attempt));
        spawn(&Arc::clone(&attempt.outbox), async move {
            match work.await {
                Ok(input) => attempt.send(input).await,
                Err(why) => {
                    attempt.metrics.counters.count(Tally::LoginsFailed);
                    why.count(&attempt.metrics.counters);
                    let (session, address) = (attempt.session.0, attempt.address);
                    tracing::info!(session, %address, denied = ?why, "password check failed");
                    attempt.outbox.deliver(denied(why));
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A5: bans are decided by address, so every attempt must carry it.
    #[tokio::test]
    async fn a5_input_after_password_check_carries_address() {
        let auth = Authenticator::weak();
        let (requests, mut sent) = mpsc::channel(1);
        let (outbox, metrics) = (Arc::new(ClientOutbox::new(1_000)), Arc::default());
        let address = IpAddr::from([192, 0, 2, 7]);
        let session = SessionId(1);
        Attempt { auth, requests, outbox, metrics, address, session }.send(deepwell_game::Input::Wake).await;
        let Some(ClientEvent::Verified(envelope)) = sent.recv().await else { panic!("an input") };
        assert_eq!(*envelope, deepwell_game::Input::Wake.sent_from(address));
    }
}
