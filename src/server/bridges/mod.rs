//! Bridges to other chat networks. The game gives public events to a bounded feed, which requests to
//! `/bridge/events`, the web hook and Grapevine read at their own pace, so that a slow reader delays neither the game nor another.
//! Speech from outside comes back as a request to the game, which decides whether it is heard.

mod endpoint;
mod feed;
mod grapevine;
mod pending;
mod secret_file;
mod webhook;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::net::Clock;
use crate::server::config::Config;
use crate::server::game_loop::question::{GameQuestion, PATIENCE, Unanswered, ask};
use crate::server::metrics::bridges::BridgeMetrics;
use deepwell_core::base::budgets::RateLimits;
use deepwell_core::base::{GameTime, Span};
use deepwell_game::{Declined, OutsideSpeech, PublicEvent};

use endpoint::Endpoint;
use feed::Feed;
use grapevine::Grapevine;
use secret_file::SecretToken;
use webhook::Webhook;

/// Maximum number of bridges whose lines are counted.
const REMEMBERED: usize = 64;
/// Factor by which the limit of all lines from one origin exceeds that of one `via`, which the sender chooses.
const VIAS: u32 = 4;

/// Origin of what is said outside: it cannot be chosen by the sender.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum BridgeOrigin {
    /// Programs that know the token.
    Endpoint,
    /// Games on Grapevine.
    Grapevine,
}

/// Rate limits of lines, by origin and by the `via` that it names.
#[derive(Debug)]
struct Budgets {
    by_origin: RateLimits<BridgeOrigin>,
    by_via: RateLimits<(BridgeOrigin, String)>,
}

impl Budgets {
    fn new(per_minute: u32) -> Self {
        let minute = Span::mins(1);
        Self {
            by_origin: RateLimits::new(per_minute.saturating_mul(VIAS), minute, REMEMBERED),
            by_via: RateLimits::new(per_minute, minute, REMEMBERED),
        }
    }

    /// Takes a line. Returns `false` if too much has been said.
    fn take(&mut self, origin: BridgeOrigin, via: &str, now: GameTime) -> bool {
        self.by_origin.is_left(&origin, now)
            && self.by_via.try_take(&(origin, via.to_owned()), 1, now)
            && self.by_origin.try_take(&origin, 1, now)
    }
}

/// Maximum time to write undelivered events at a stop.
const KEEP: Duration = Duration::from_millis(500);

/// Configured bridges.
#[derive(Debug)]
pub struct Bridges {
    token: Option<SecretToken>,
    webhook: Option<Webhook>,
    grapevine: Option<Grapevine>,
    feed: Arc<Feed>,
    readers: Arc<Semaphore>,
    budgets: Arc<Mutex<Budgets>>,
}

/// Reason why something said outside is not heard in the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum NotSaid {
    /// Too many lines of this bridge.
    #[error("this bridge says too much: bridge.lines_per_minute is the limit")]
    TooMuch,
    /// A rule of the game.
    #[error("{0}")]
    Declined(Declined),
    /// The game loop gives no answer.
    #[error("the game does not answer just now; it may still say the line")]
    Late,
    /// The game loop has ended.
    #[error("the server stops")]
    Stopping,
}

/// Way into the game for what is said outside.
#[derive(Clone, Debug)]
struct Speaker {
    origin: BridgeOrigin,
    questions: mpsc::Sender<GameQuestion>,
    clock: Clock,
    budgets: Arc<Mutex<Budgets>>,
    metrics: BridgeMetrics,
}

/// The game, as far as bridges need it.
#[derive(Clone, Debug)]
pub(super) struct BridgedGame {
    pub(super) questions: mpsc::Sender<GameQuestion>,
    pub(super) clock: Clock,
    pub(super) metrics: BridgeMetrics,
}

impl Bridges {
    /// Returns no bridges, for a process without the game.
    pub fn off() -> Self {
        Self {
            token: None,
            webhook: None,
            grapevine: None,
            feed: Arc::new(Feed::new(0)),
            readers: Arc::new(Semaphore::new(0)),
            budgets: Arc::new(Mutex::new(Budgets::new(1))),
        }
    }

    /// Reads the secrets of the configured bridges.
    ///
    /// # Errors
    /// If a file cannot be read or its content is not valid.
    pub fn of(config: &Config) -> anyhow::Result<Self> {
        let bridge = &config.bridge;
        let token = bridge.token_file.as_deref().map(SecretToken::read).transpose()?;
        let webhook = Webhook::of(config)?;
        let grapevine = Grapevine::of(config)?;
        let has_reader = token.is_some() || webhook.is_some() || grapevine.is_some();
        Ok(Self {
            token,
            webhook,
            grapevine,
            feed: Arc::new(Feed::new(if has_reader { bridge.events as usize } else { 0 })),
            readers: Arc::new(Semaphore::new(bridge.readers as usize)),
            budgets: Arc::new(Mutex::new(Budgets::new(bridge.lines_per_minute))),
        })
    }

    /// Publishes an event of the game.
    pub(super) fn publish(&self, event: &PublicEvent, at: GameTime) {
        self.feed.publish(event, at);
    }

    /// Returns the pages of the endpoint; none without a token.
    pub(super) fn pages(&self, game: BridgedGame) -> Router {
        let Some(token) = self.token.clone() else { return Router::new() };
        let (feed, readers) = (Arc::clone(&self.feed), Arc::clone(&self.readers));
        Endpoint { token, feed, readers, speaker: self.speaker(game, BridgeOrigin::Endpoint) }.pages()
    }

    /// Serves the web hook and Grapevine until the task is aborted.
    pub(super) async fn run(self: Arc<Self>, game: BridgedGame) {
        let hooked = async {
            if let Some(webhook) = &self.webhook {
                webhook.run(self.feed.reader(), &game.metrics).await;
            }
        };
        let networked = async {
            if let Some(grapevine) = &self.grapevine {
                grapevine.run(self.feed.reader(), &self.speaker(game.clone(), BridgeOrigin::Grapevine)).await;
            }
        };
        tokio::join!(hooked, networked);
    }

    /// Keeps the events that the web hook has not delivered for the next start.
    pub(super) async fn keep_undelivered(self: Arc<Self>) {
        let keeping = spawn_blocking(move || {
            if let Some(webhook) = &self.webhook {
                webhook.pending.keep(&self.feed);
            }
        });
        // A disk that does not respond must not delay the stop.
        let _ = timeout(KEEP, keeping).await;
    }

    fn speaker(&self, game: BridgedGame, origin: BridgeOrigin) -> Speaker {
        let BridgedGame { questions, clock, metrics } = game;
        Speaker { origin, questions, clock, budgets: Arc::clone(&self.budgets), metrics }
    }
}

impl Speaker {
    /// Says something in the game.
    async fn say(&self, speech: OutsideSpeech) -> Result<(), NotSaid> {
        let outcome = self.try_say(speech).await;
        self.metrics.count_line(match &outcome {
            Ok(()) => "said",
            Err(NotSaid::TooMuch) => "limited",
            Err(NotSaid::Declined(_)) => "declined",
            Err(NotSaid::Late | NotSaid::Stopping) => "unanswered",
        });
        outcome
    }

    async fn try_say(&self, speech: OutsideSpeech) -> Result<(), NotSaid> {
        let is_allowed = {
            let mut budgets = self.budgets.lock().unwrap_or_else(PoisonError::into_inner);
            budgets.take(self.origin, &speech.via, self.clock.now())
        };
        if !is_allowed {
            return Err(NotSaid::TooMuch);
        }
        match ask(&self.questions, |answer| GameQuestion::Bridge(speech, answer), PATIENCE).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(declined)) => Err(NotSaid::Declined(declined)),
            Err(Unanswered::Late) => Err(NotSaid::Late),
            Err(Unanswered::Ended) => Err(NotSaid::Stopping),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n1_lines_are_limited_for_any_name_that_the_sender_chooses() {
        let (mut budgets, now) = (Budgets::new(10), GameTime(0));
        let mut accepted = |origin, via: &dyn Fn(u32) -> String| {
            (0..1_000).filter(|n| budgets.take(origin, &via(*n), now)).count()
        };
        assert_eq!(accepted(BridgeOrigin::Endpoint, &|_| "discord".into()), 10);
        assert_eq!(accepted(BridgeOrigin::Endpoint, &|n| n.to_string()), 30, "together four times as many");
        assert_eq!(accepted(BridgeOrigin::Grapevine, &|n| n.to_string()), 40, "another origin has its own");
    }
}
