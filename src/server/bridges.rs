//! Bridges to other chat networks. The game gives public events to a bounded feed, which requests to
//! `/bridge/events`, the web hook and Grapevine read at their own pace, so that a slow reader delays neither the game nor another.
//! Speech from outside comes back as a request to the game, which decides whether it is heard.

mod endpoint;
mod feed;
mod grapevine;
mod secret_file;
mod webhook;

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use tokio::sync::{Semaphore, mpsc};

use crate::base::budgets::RateLimits;
use crate::base::{GameTime, Span};
use crate::game::{Declined, OutsideSpeech, PublicEvent};
use crate::net::Clock;
use crate::server::config::Config;
use crate::server::metrics::bridges::BridgeMetrics;
use crate::server::question::{PATIENCE, Question, Unanswered, ask};

use endpoint::Endpoint;
use feed::Feed;
use grapevine::Grapevine;
use secret_file::Token;
use webhook::Webhook;

/// Maximum number of bridges whose lines are counted.
const REMEMBERED: usize = 64;

/// Configured bridges.
#[derive(Debug)]
pub struct Bridges {
    token: Option<Token>,
    webhook: Option<Webhook>,
    grapevine: Option<Grapevine>,
    feed: Arc<Feed>,
    readers: Arc<Semaphore>,
    budgets: Arc<Mutex<RateLimits<String>>>,
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
    questions: mpsc::Sender<Question>,
    clock: Clock,
    budgets: Arc<Mutex<RateLimits<String>>>,
    metrics: BridgeMetrics,
}

/// The game, as far as bridges need it.
#[derive(Clone, Debug)]
pub(super) struct BridgedGame {
    pub(super) questions: mpsc::Sender<Question>,
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
            budgets: Arc::new(Mutex::new(RateLimits::new(1, Span::mins(1), REMEMBERED))),
        }
    }

    /// Reads the secrets of the configured bridges.
    ///
    /// # Errors
    /// If a file cannot be read or its content is not valid.
    pub fn of(config: &Config) -> anyhow::Result<Self> {
        let bridge = &config.bridge;
        let token = bridge.token_file.as_deref().map(Token::read).transpose()?;
        let webhook = Webhook::of(bridge)?;
        let grapevine = Grapevine::of(config)?;
        let has_reader = token.is_some() || webhook.is_some() || grapevine.is_some();
        let per_minute = RateLimits::new(bridge.lines_per_minute, Span::mins(1), REMEMBERED);
        Ok(Self {
            token,
            webhook,
            grapevine,
            feed: Arc::new(Feed::new(if has_reader { bridge.events as usize } else { 0 })),
            readers: Arc::new(Semaphore::new(bridge.readers as usize)),
            budgets: Arc::new(Mutex::new(per_minute)),
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
        Endpoint { token, feed, readers, speaker: self.speaker(game) }.pages()
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
                grapevine.run(self.feed.reader(), &self.speaker(game.clone())).await;
            }
        };
        tokio::join!(hooked, networked);
    }

    fn speaker(&self, game: BridgedGame) -> Speaker {
        let BridgedGame { questions, clock, metrics } = game;
        Speaker { questions, clock, budgets: Arc::clone(&self.budgets), metrics }
    }
}

impl Speaker {
    /// Says something in the game.
    async fn say(&self, said: OutsideSpeech) -> Result<(), NotSaid> {
        let outcome = self.try_say(said).await;
        self.metrics.count_line(match &outcome {
            Ok(()) => "said",
            Err(NotSaid::TooMuch) => "limited",
            Err(NotSaid::Declined(_)) => "declined",
            Err(NotSaid::Late | NotSaid::Stopping) => "unanswered",
        });
        outcome
    }

    async fn try_say(&self, said: OutsideSpeech) -> Result<(), NotSaid> {
        let is_allowed = {
            let mut budgets = self.budgets.lock().unwrap_or_else(PoisonError::into_inner);
            budgets.try_take(&said.via, 1, self.clock.now())
        };
        if !is_allowed {
            return Err(NotSaid::TooMuch);
        }
        match ask(&self.questions, |answer| Question::Bridge(said, answer), PATIENCE).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(declined)) => Err(NotSaid::Declined(declined)),
            Err(Unanswered::Late) => Err(NotSaid::Late),
            Err(Unanswered::Ended) => Err(NotSaid::Stopping),
        }
    }
}
