//! One attempt to prove a secret. It runs beside the game loop, since checking a password takes long on purpose, and
//! comes back as an input.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::base::SessionId;
use crate::game::Input;
use crate::net::{ClientEvent, Outbox};
use crate::server::auth::{Authenticator, Denied};
use crate::server::metrics::Metrics;
use crate::session::{Delivery, Request};

/// What one attempt needs, wherever it runs.
pub(super) struct Attempt {
    pub(super) auth: Arc<Authenticator>,
    pub(super) requests: mpsc::Sender<ClientEvent>,
    pub(super) outbox: Arc<Outbox>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) address: IpAddr,
    pub(super) session: SessionId,
}

impl Attempt {
    /// Sends an input that follows from a secret.
    pub(super) async fn send(&self, input: Input) {
        // Nobody waits for an answer when the server has stopped.
        let asked = ClientEvent::Asked { session: self.session, request: Request::Game(input) };
        let _ = self.requests.send(asked).await;
    }

    /// Sends the input that follows from a secret that was right, or tells what was wrong with it.
    pub(super) async fn finish(self, result: Result<Input, Denied>, denied: impl FnOnce(Denied) -> Delivery) {
        match result {
            Ok(input) => self.send(input).await,
            Err(why) => {
                self.metrics.logins_failed.inc();
                tracing::info!(session = self.session.0, denied = ?why, "a password was not changed");
                self.outbox.deliver(denied(why));
            }
        }
    }
}
