//! The game loop: one task that feeds inputs to the game, passes its changes to the writer, and releases output once
//! the changes it reports are on the disk. It never touches a socket and waits only for the writer.
//!
//! Clients are served fairly: each connection has at most one request waiting for the bounded channel, and slots are
//! granted in order of arrival.

mod content;
mod questions;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::base::{AccountId, GameTime, SessionId};
use crate::catalog::Catalog;
use crate::game::{CloseReason, Effect, Envelope, Game, GameConfig, Input, SEAT_REFUSED};
use crate::net::{Alarm, ClientEvent, Clock};
use crate::server::attempt::Attempt;
use crate::server::auth::Authenticator;
use crate::server::held::Held;
use crate::server::inspection::Asked;
use crate::server::lifecycle::Stopper;
use crate::server::login::{create, join, log_in};
use crate::server::metrics::Metrics;
use crate::server::passwords::{
    Applicant, Holder, change_password, delete_account, make_code, make_recovery, recover,
};
use crate::server::pipeline::Pipeline;
use crate::server::question::Question;
use crate::server::recorder::Recorder;
use crate::server::recovery::{HELD_BACK, Recovery, end_retry, retry_storage};
use crate::server::reload::{Loaded, Reloader};
use crate::server::router::{Router, notice};
use crate::server::seat_token;
use crate::server::writer::{IN_FLIGHT_MAX, Outcome, Probe, Writer};
use crate::server::zone_files::ZoneFiles;
use crate::session::{Delivery, Figures, Request, Standing};
use crate::world::Settings;

/// Capacity of the request queue; when it is full, connections wait.
pub const REQUESTS_WAITING_MAX: usize = 1_024;
/// Maximum number of requests per batch of changes.
const BATCH_MAX: usize = 256;

/// Components of a [`Driver`].
pub struct Parts {
    /// Definitions from the content.
    pub catalog: Arc<Catalog>,
    /// Settings of the game rules.
    pub config: GameConfig,
    /// The loaded game.
    pub game: Game,
    /// Game time.
    pub clock: Clock,
    /// Handle to the database writer.
    pub writer: Writer,
    /// Results of commits.
    pub outcomes: mpsc::UnboundedReceiver<Outcome>,
    /// Requests from connections.
    pub requests: mpsc::Receiver<ClientEvent>,
    /// Sender of `requests`, through which logins return after their password check.
    pub logins: mpsc::Sender<ClientEvent>,
    /// Requests from operators.
    pub questions: mpsc::Receiver<Question>,
    /// Password checks.
    pub auth: Arc<Authenticator>,
    /// Metrics.
    pub metrics: Arc<Metrics>,
    /// Stops the server on a command of staff in the game.
    pub stopper: Stopper,
    /// Recent inputs, written to a file if the game panics.
    pub recorder: Recorder,
    /// Reloads the content.
    pub reloader: Reloader,
    /// Reads and writes zone files.
    pub zone_files: ZoneFiles,
    /// Maximum duration of a commit before the disk counts as slow.
    pub slow_commit: Duration,
}

/// The game loop and its state.
pub struct Driver {
    pub(super) pipeline: Pipeline,
    pub(super) recovery: Recovery,
    requests: mpsc::Receiver<ClientEvent>,
    logins: mpsc::Sender<ClientEvent>,
    questions: mpsc::Receiver<Question>,
    started: GameTime,
    /// Cached figures for MSSP crawlers, and when they were counted.
    figures: Option<(GameTime, Figures)>,
    inspections: Asked<Option<Vec<String>>>,
}

/// An event that ends a wait of the game loop.
enum Event {
    Stop,
    Outcome(Outcome),
    Slow,
    Question(Question),
    Requests,
    Due,
    Probed(bool),
    Loaded(Box<Loaded>),
    ZoneFile(Box<Input>),
}

impl Driver {
    /// Creates a game loop that is not running yet.
    pub fn new(parts: Parts) -> Self {
        let started = parts.clock.now();
        let pipeline = Pipeline {
            catalog: parts.catalog,
            config: parts.config,
            game: parts.game,
            clock: parts.clock,
            writer: parts.writer,
            outcomes: parts.outcomes,
            metrics: parts.metrics,
            stopper: parts.stopper,
            auth: parts.auth,
            recorder: parts.recorder,
            reloader: parts.reloader,
            zone_files: parts.zone_files,
            router: Router::default(),
            held: Held::default(),
            next_ticket: 0,
            in_flight: VecDeque::new(),
            slow_commit: parts.slow_commit,
            slow: false,
            places: Vec::new(),
            retry_at: None,
            probe: None,
            time_written: started,
            #[cfg(test)]
            panics_at: None,
        };
        Self {
            pipeline,
            recovery: Recovery::default(),
            requests: parts.requests,
            logins: parts.logins,
            questions: parts.questions,
            started,
            figures: None,
            inspections: Asked::default(),
        }
    }

    /// Plays the first inputs, such as timers that expired while the server was down, and waits until their changes are
    /// on the disk.
    pub async fn begin(&mut self, inputs: Vec<Envelope>) -> anyhow::Result<()> {
        self.recovery.play(&mut self.pipeline, inputs).await?;
        self.settle_all().await?;
        if self.pipeline.retry_at.is_some() {
            bail!("storage cannot be written");
        }
        Ok(())
    }

    /// Runs until `stop`. All output is then sent and all changes are written, and [`end`](Self::end) can follow.
    pub async fn run(&mut self, stop: &CancellationToken) -> anyhow::Result<()> {
        let mut requests = Vec::with_capacity(BATCH_MAX);
        let mut alarm = Alarm::default();
        let mut stopped = std::pin::pin!(stop.cancelled());
        loop {
            // While the disk does not respond, nothing is written, so the loop keeps serving clients that do not wait
            // for a commit.
            let open = self.pipeline.slow || self.pipeline.in_flight.len() < IN_FLIGHT_MAX;
            let slow_at = self.pipeline.slow_at();
            let deadline =
                (open && !self.pipeline.slow).then(|| self.pipeline.clock.instant(self.deadline()));
            let event = tokio::select! {
                biased;
                () = &mut stopped => Event::Stop,
                Some(outcome) = self.pipeline.outcomes.recv(), if !self.pipeline.in_flight.is_empty() => {
                    Event::Outcome(outcome)
                }
                () = reached(slow_at), if slow_at.is_some() => Event::Slow,
                succeeded = probed(&mut self.pipeline.probe), if self.pipeline.probe.is_some() => {
                    Event::Probed(succeeded)
                }
                Some(question) = self.questions.recv() => Event::Question(question),
                loaded = self.pipeline.reloader.loaded(), if self.pipeline.reloader.is_reading() => {
                    Event::Loaded(Box::new(loaded))
                }
                input = self.pipeline.zone_files.done(), if open && self.pipeline.zone_files.is_busy() => {
                    Event::ZoneFile(Box::new(input))
                }
                // Before the requests, which may never run out.
                () = alarm.ring(deadline), if deadline.is_some() => Event::Due,
                _ = self.requests.recv_many(&mut requests, BATCH_MAX), if open => Event::Requests,
            };
            match event {
                Event::Stop => return Ok(()),
                Event::Slow => {
                    self.pipeline.note_slow();
                    self.play_input(Input::StorageReadOnly(true)).await?;
                }
                Event::Outcome(outcome) => self.recovery.settle(&mut self.pipeline, outcome).await?,
                Event::Probed(succeeded) => end_retry(&mut self.pipeline, succeeded).await?,
                Event::Question(question) => self.answer(question).await?,
                Event::Loaded(loaded) => self.put_in_force(*loaded).await?,
                Event::ZoneFile(input) => self.play_input(*input).await?,
                Event::Requests => self.play(&mut requests).await?,
                Event::Due => self.wake().await?,
            }
        }
    }

    /// Disconnects the clients, which have been notified, and writes the resulting changes. Returns when the last
    /// client has left or `hurry` is cancelled.
    pub async fn end(&mut self, hurry: &CancellationToken) -> anyhow::Result<()> {
        self.settle_all().await?;
        self.pipeline.game.flush_counters();
        self.play_input(Input::Wake).await?;
        self.pipeline.router.close_all(CloseReason::Shutdown);
        let mut requests = Vec::with_capacity(BATCH_MAX);
        while !self.pipeline.router.is_empty() {
            tokio::select! {
                biased;
                _ = self.requests.recv_many(&mut requests, BATCH_MAX) => {}
                () = hurry.cancelled() => break,
            }
            requests.retain(is_handled_during_shutdown);
            self.play(&mut requests).await?;
            self.settle_all().await?;
        }
        self.settle_all().await
    }

    /// Shows a server notice to all clients, logged in or not.
    pub fn announce(&self, words: &str) {
        self.pipeline.router.show(&notice(words), true);
    }

    /// Plays one batch of requests at one moment.
    pub(super) async fn play(&mut self, requests: &mut Vec<ClientEvent>) -> anyhow::Result<()> {
        let inputs: Vec<Envelope> = requests.drain(..).filter_map(|event| self.take(event)).collect();
        self.recovery.play(&mut self.pipeline, inputs).await
    }

    async fn play_input(&mut self, input: impl Into<Envelope>) -> anyhow::Result<()> {
        self.recovery.play(&mut self.pipeline, vec![input.into()]).await
    }

    /// Waits until all changes passed to the writer are written.
    async fn settle_all(&mut self) -> anyhow::Result<()> {
        self.recovery.settle_all(&mut self.pipeline).await
    }

    /// Runs the timers that have expired.
    pub(super) async fn wake(&mut self) -> anyhow::Result<()> {
        let now = self.pipeline.clock.now();
        if self.pipeline.retry_at.is_some_and(|at| at <= now) {
            retry_storage(&mut self.pipeline);
        }
        if self.pipeline.deadline() <= now {
            self.play_input(Input::Wake).await?;
        }
        Ok(())
    }

    pub(super) fn deadline(&self) -> GameTime {
        match self.pipeline.retry_at {
            // While storage cannot be written, only the next retry is due.
            Some(retry) => retry,
            None => self.pipeline.deadline(),
        }
    }

    /// Converts a client event into a game input, or handles it here and returns `None`.
    fn take(&mut self, event: ClientEvent) -> Option<Envelope> {
        match event {
            ClientEvent::Connected { session, address, outbox } => {
                self.pipeline.router.connect(session, address, outbox);
                None
            }
            ClientEvent::Asked { session, request, place } => {
                if self.pipeline.slow && self.pipeline.held.waiting().contains(&session) {
                    self.pipeline.places.extend(place);
                }
                self.carry_out(session, request)
            }
            ClientEvent::Verified(envelope) => self.admit(envelope.input.session()?, *envelope),
            ClientEvent::Ended { session } => {
                self.pipeline.recorder.note_leaving(self.pipeline.router.seat(session));
                self.pipeline.router.end(session).then(|| Input::Lost { session }.into())
            }
        }
    }

    /// Handles a client request, or returns the input if it is for the game.
    fn carry_out(&mut self, session: SessionId, request: Request) -> Option<Envelope> {
        match request {
            Request::LookUp { name } => {
                let standing = self.standing(&name);
                self.pipeline.router.deliver(session, Delivery::NameLookedUp(standing));
            }
            Request::CheckName { name } => {
                let flaw = self.pipeline.game.name_flaw(&name);
                self.pipeline.router.deliver(session, Delivery::NameChecked { name, flaw });
            }
            Request::Authenticate { name, password, pre_login } => {
                let attempt = self.attempt(session)?;
                let known = self.pipeline.game.credential(&name);
                log_in(attempt, name, known, password, pre_login);
            }
            Request::Visit { pre_login } => return self.visit(session, pre_login),
            Request::Join { name, password } => join(self.attempt(session)?, name, password),
            Request::Create { name, password, pre_login } => {
                create(self.attempt(session)?, name, password, pre_login);
            }
            Request::ChangePassword { old, new } => {
                change_password(self.attempt(session)?, self.holder(session)?, old, new);
            }
            Request::MakeRecovery { password } => {
                make_recovery(self.attempt(session)?, self.holder(session)?, password);
            }
            Request::DeleteAccount { password, name } => {
                delete_account(self.attempt(session)?, self.holder(session)?, password, &name);
            }
            Request::MakeCode { account } => make_code(self.attempt(session)?, account),
            Request::Recover { name, code, password, pre_login } => {
                let known = self.recovery_of(&name);
                let applicant = Applicant { name, code, password, pre_login };
                recover(self.attempt(session)?, known, applicant);
            }
            Request::KeepSeat { browser, token } => {
                let account = self.pipeline.router.account(session)?;
                let token = seat_token::hash(&token, browser)?;
                return Some(Input::KeepSeat { session, account, token }.into());
            }
            Request::TakeSeat { name, browser, token, next, pre_login } => {
                let tokens = [token, next].map(|token| seat_token::hash(&token, browser));
                return self.take_seat(session, name, tokens, pre_login);
            }
            Request::Who => {
                self.pipeline.router.deliver(session, Delivery::Show(Arc::new(self.pipeline.game.who())));
            }
            Request::Players => {
                let names = self.pipeline.game.players();
                self.pipeline.router.deliver(session, Delivery::Players(names));
            }
            Request::Status => {
                let figures = self.figures();
                self.pipeline.router.deliver(session, Delivery::Status(figures));
            }
            Request::Report { to, text } => {
                if self.inspections.awaits(to) {
                    let lines = text.text().lines().map(str::to_owned).collect();
                    self.inspections.answer(to, Some(lines));
                } else {
                    self.pipeline.router.deliver(to, Delivery::Show(Arc::new(text)));
                }
            }
            Request::Game(input) => return self.admit(session, input.into()),
        }
        None
    }

    /// Returns an input that may be passed to the game.
    fn admit(&mut self, session: SessionId, envelope: Envelope) -> Option<Envelope> {
        if envelope.input.entering_account().is_some_and(|account| self.is_held_back(account)) {
            self.pipeline.router.deliver(session, Delivery::LoginPostponed(HELD_BACK));
            return None;
        }
        self.pipeline.router.admit(&envelope.input).then_some(envelope)
    }

    /// Logs in a guest. This counts against the address's limit for account creation.
    fn visit(&mut self, session: SessionId, pre_login: Settings) -> Option<Envelope> {
        let (address, _) = self.pipeline.router.client(session)?;
        if let Err(denied) = self.pipeline.auth.take_account(address) {
            self.pipeline.router.deliver(session, denied.into());
            return None;
        }
        self.admit(session, Input::Visit { session, pre_login }.sent_from(address))
    }

    /// Logs in a client that presents a valid seat token.
    fn take_seat(
        &mut self,
        session: SessionId,
        name: String,
        tokens: [Option<String>; 2],
        pre_login: Settings,
    ) -> Option<Envelope> {
        let account = self.pipeline.game.credential(&name).map(|(account, _)| account);
        let (Some(account), [Some(token), Some(next)]) = (account, tokens) else {
            self.pipeline.router.deliver(session, Delivery::LoginFailed(SEAT_REFUSED));
            return None;
        };
        let (address, _) = self.pipeline.router.client(session)?;
        let take = Input::TakeSeat { session, account, name, token, next, pre_login };
        self.admit(session, take.sent_from(address))
    }

    fn attempt(&self, session: SessionId) -> Option<Attempt> {
        let (address, outbox) = self.pipeline.router.client(session)?;
        let (auth, requests) = (Arc::clone(&self.pipeline.auth), self.logins.clone());
        let metrics = Arc::clone(&self.pipeline.metrics);
        Some(Attempt { auth, requests, outbox, metrics, address, session })
    }

    /// Returns the account that plays on a session.
    fn holder(&self, session: SessionId) -> Option<Holder> {
        let account = self.pipeline.router.account(session)?;
        let row = self.pipeline.game.world().accounts.get(account)?;
        Some(Holder { account, name: row.name.clone(), credential: row.credential.as_str().into() })
    }

    /// Returns the account of this name and the hash of its recovery code, if it has a valid one.
    fn recovery_of(&self, name: &str) -> Option<(AccountId, Arc<str>)> {
        let (account, _) = self.pipeline.game.credential(name)?;
        let row = self.pipeline.game.world().accounts.get(account)?;
        Some((account, row.recovery_at(self.pipeline.clock.now())?.into()))
    }

    /// Returns whether a name has an account, is available, or is not allowed.
    fn standing(&self, name: &str) -> Standing {
        let game = &self.pipeline.game;
        match game.credential(name) {
            Some(_) => Standing::Known,
            None => game.name_flaw(name).map_or(Standing::Free, Standing::Unfit),
        }
    }

    /// Returns `true` if an input of this account made the game panic a moment ago.
    fn is_held_back(&self, account: AccountId) -> bool {
        self.recovery.is_held_back(account, self.pipeline.clock.now())
    }
}

/// Returns `true` if a request is still handled during shutdown. Commands would get no answer, so they must have no
/// effect; new connections are closed.
fn is_handled_during_shutdown(event: &ClientEvent) -> bool {
    if let ClientEvent::Connected { session, outbox, .. } = event {
        outbox.deliver(Delivery::Effect(Effect::Close { session: *session, why: CloseReason::Shutdown }));
    }
    matches!(event, ClientEvent::Ended { .. })
}

/// Waits until `moment`; for ever if it is `None`.
async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Waits for the storage probe in progress; for ever if there is no probe.
async fn probed(probe: &mut Option<Probe>) -> bool {
    match probe {
        Some(probe) => probe.succeeded().await,
        None => std::future::pending().await,
    }
}
