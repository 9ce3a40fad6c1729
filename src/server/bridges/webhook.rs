//! The web hook: each event is sent as a signed request to one address, in order. A receiver that fails is tried again
//! with growing pauses, during which the feed keeps a bounded number of events.

use std::time::Duration;

use anyhow::Context as _;
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use axum::http::{Request, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use percent_encoding::percent_decode_str;
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::crypto::ring;
use url::Url;

use super::feed::{FeedReader, NextFeedEvent, Published};
use super::pending::Pending;
use super::secret_file::SigningKey;
use crate::net::clock;
use crate::server::config::Config;
use crate::server::metrics::bridges::BridgeMetrics;

/// Maximum time for a receiver to answer.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// Pause after the first failure. It doubles with each further one.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_mins(1);
/// Number of attempts after which an event is given up, so that one that the receiver cannot handle does not hold up the
/// rest.
const ATTEMPTS: u32 = 10;

/// File in the state folder with the events that a stopped server has not delivered.
const FILE: &str = "webhook.json";

/// Receiver of events.
#[derive(Debug)]
pub(super) struct Webhook {
    url: Url,
    key: SigningKey,
    client: Client<HttpsConnector<HttpConnector>, Body>,
    /// Events that are not delivered.
    pub(super) pending: Pending,
}

/// Reason why an event is not delivered.
#[derive(Debug, thiserror::Error)]
enum NotDelivered {
    /// The receiver does not want this event.
    #[error("the receiver answers {0}")]
    Refused(StatusCode),
    /// The receiver may take the event later.
    #[error("the receiver answers {0}")]
    Busy(StatusCode),
    /// There is no answer.
    #[error("{0}")]
    Unreachable(String),
}

impl Webhook {
    /// Returns the web hook that is configured, if any.
    pub(super) fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let bridge = &config.bridge;
        let key = bridge.webhook_secret_file.as_deref().map(SigningKey::read).transpose()?;
        let Some((url, key)) = bridge.webhook.clone().zip(key) else { return Ok(None) };
        let pending = Pending::read(config.server.state_dir.join(FILE), bridge.events as usize);
        Self::new(url, key, pending).map(Some)
    }

    fn new(url: Url, key: SigningKey, pending: Pending) -> anyhow::Result<Self> {
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_native_roots(ring::default_provider())
            .context("bridge.webhook: cannot make an HTTP client")?
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { url, key, client, pending })
    }

    /// Delivers the events that earlier runs kept, and all from now on.
    pub(super) async fn run(&self, mut reader: FeedReader, metrics: &BridgeMetrics) {
        let mut pause = PAUSE;
        self.pending.note(&reader);
        while let Some(event) = self.pending.first_earlier() {
            let outcome = self.deliver(&event, &mut reader, &mut pause, metrics).await;
            metrics.count_deliveries(outcome, 1);
            self.pending.forget_first();
        }
        loop {
            self.pending.note(&reader);
            metrics.show_waiting(reader.waiting());
            match reader.next().await {
                NextFeedEvent::Missed(missed) => {
                    tracing::warn!(missed, "the receiver of the web hook was too slow for some events");
                    metrics.count_deliveries("missed", missed);
                }
                NextFeedEvent::Event(event) => {
                    let outcome = self.deliver(&event, &mut reader, &mut pause, metrics).await;
                    metrics.count_deliveries(outcome, 1);
                }
            }
        }
    }

    /// Tries to deliver an event, and returns the outcome. `pause` grows across events until one is delivered.
    async fn deliver(
        &self,
        event: &Published,
        reader: &mut FeedReader,
        pause: &mut Duration,
        metrics: &BridgeMetrics,
    ) -> &'static str {
        for attempt in 1..=ATTEMPTS {
            match self.send(event).await {
                Err(error @ (NotDelivered::Busy(_) | NotDelivered::Unreachable(_))) => {
                    metrics.show_failing(true);
                    if *pause == PAUSE {
                        tracing::warn!(%error, "the receiver of the web hook fails; it is tried again");
                    }
                    if attempt < ATTEMPTS {
                        count_during(sleep(*pause), reader, &self.pending, metrics).await;
                    }
                    *pause = (*pause * 2).min(PAUSE_MAX);
                }
                answered => {
                    if *pause > PAUSE {
                        tracing::info!("the receiver of the web hook answers again");
                    }
                    *pause = PAUSE;
                    metrics.show_failing(false);
                    let Err(error) = answered else { return "delivered" };
                    tracing::warn!(%error, id = event.id, "an event was not delivered");
                    return "refused";
                }
            }
        }
        tracing::warn!(id = event.id, "an event was given up");
        "given_up"
    }

    async fn send(&self, event: &Published) -> Result<(), NotDelivered> {
        let unreachable = |error: &dyn std::error::Error| NotDelivered::Unreachable(reason(error));
        let body = serde_json::to_string(event).map_err(|error| unreachable(&error))?;
        // The receiver compares the time with its own clock, which game time may be behind.
        let seconds = clock::wall().0 / 1_000;
        let mut request = Request::post(self.url.as_str())
            .header(USER_AGENT, concat!("Deepwell/", env!("CARGO_PKG_VERSION")))
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &event.id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", self.key.signature(&event.id, seconds, &body));
        if let Some(credentials) = credentials(&self.url) {
            request = request.header(AUTHORIZATION, credentials);
        }
        let request = request.body(Body::from(body)).map_err(|error| unreachable(&error))?;
        let answer = timeout(ANSWER_TIME, self.client.request(request)).await;
        let answer = answer.map_err(|_| NotDelivered::Unreachable("no answer in time".to_owned()))?;
        // Redirects are not followed, and the body of the answer is not read.
        let status = answer.map_err(|error| unreachable(&error))?.status();
        let may_pass = matches!(
            status,
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS
        );
        match status {
            _ if status.is_success() => Ok(()),
            _ if status.is_client_error() && !may_pass => Err(NotDelivered::Refused(status)),
            _ => Err(NotDelivered::Busy(status)),
        }
    }
}

/// Returns the user and password in a URL, as a request presents them.
fn credentials(url: &Url) -> Option<String> {
    let [user, password] = [url.username(), url.password().unwrap_or_default()]
        .map(|written| percent_decode_str(written).decode_utf8_lossy());
    let is_empty = user.is_empty() && password.is_empty();
    (!is_empty).then(|| format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))))
}

/// Shows the number of events that wait until a pause is over.
async fn count_during(
    pause: impl Future<Output = ()>,
    reader: &mut FeedReader,
    pending: &Pending,
    metrics: &BridgeMetrics,
) {
    let mut pause = std::pin::pin!(pause);
    loop {
        // The event that is tried is one of an earlier run, or one that the reader has taken.
        metrics.show_waiting(reader.waiting() + pending.earlier_count().max(1));
        tokio::select! {
            () = &mut pause => return,
            () = reader.grown() => {}
        }
    }
}

/// Returns an error with its causes.
fn reason(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
