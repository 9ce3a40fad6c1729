//! The game loop: one task that feeds the game, hands its changes to the writer, and lets words out once what they
//! tell of is on the disk. It never touches a socket and waits for nothing but the writer.
//!
//! Clients are served in turn: each connection waits with at most one request for room in the bounded channel, and
//! room is given out in the order of asking.

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
use crate::game::{Closed, Effect, Game, GameConfig, Input, SEAT_REFUSED};
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

/// Requests that wait for the world; beyond it connections wait.
pub const REQUESTS_WAITING_MAX: usize = 1_024;
/// Requests played before the changes are cut.
const BATCH_MAX: usize = 256;

/// What the driver is made of.
pub struct Parts {
    /// Definitions.
    pub catalog: Arc<Catalog>,
    /// Settings of the rules.
    pub config: GameConfig,
    /// The loaded game.
    pub game: Game,
    /// Game time.
    pub clock: Clock,
    /// The way to the database.
    pub writer: Writer,
    /// What became of batches.
    pub outcomes: mpsc::UnboundedReceiver<Outcome>,
    /// From connections.
    pub requests: mpsc::Receiver<ClientEvent>,
    /// The other end of it: logins come back that way when their password is checked.
    pub logins: mpsc::Sender<ClientEvent>,
    /// From operators.
    pub questions: mpsc::Receiver<Question>,
    /// Checks passwords.
    pub auth: Arc<Authenticator>,
    /// What is measured.
    pub metrics: Arc<Metrics>,
    /// For staff who stop the server from within.
    pub stopper: Stopper,
    /// Recent inputs, for the day the game panics.
    pub recorder: Recorder,
    /// Reads the content again.
    pub reloader: Reloader,
    /// Writes and reads the files of zones.
    pub zone_files: ZoneFiles,
    /// Longest time of a commit before the disk counts as slow.
    pub slow_commit: Duration,
}

/// The game loop and what it keeps.
pub struct Driver {
    pub(super) pipeline: Pipeline,
    pub(super) recovery: Recovery,
    requests: mpsc::Receiver<ClientEvent>,
    logins: mpsc::Sender<ClientEvent>,
    questions: mpsc::Receiver<Question>,
    started: GameTime,
    /// What crawlers were told last, and when it was counted.
    figures: Option<(GameTime, Figures)>,
    inspections: Asked<Option<Vec<String>>>,
}

/// What ended a wait.
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
    /// Ready to start.
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

    /// Plays what comes first and waits until it is on the disk: what came due while the server was down and
    /// what else a start has to say.
    pub async fn begin(&mut self, inputs: Vec<Input>) -> anyhow::Result<()> {
        self.recovery.play(&mut self.pipeline, inputs).await?;
        self.settle_all().await?;
        if self.pipeline.retry_at.is_some() {
            bail!("storage cannot be written");
        }
        Ok(())
    }

    /// Plays until `stop`; then nothing is left unsaid and nothing unwritten, and the loop can go on with
    /// [`end`](Self::end).
    pub async fn run(&mut self, stop: &CancellationToken) -> anyhow::Result<()> {
        let mut requests = Vec::with_capacity(BATCH_MAX);
        let mut alarm = Alarm::default();
        let mut stopped = std::pin::pin!(stop.cancelled());
        loop {
            // While the disk does not answer nothing is written, so that the clients that do not wait for it are served.
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
                // Before the requests, of which there may always be more.
                () = alarm.ring(deadline), if deadline.is_some() => Event::Due,
                _ = self.requests.recv_many(&mut requests, BATCH_MAX), if open => Event::Requests,
            };
            match event {
                Event::Stop => return Ok(()),
                Event::Slow => {
                    self.pipeline.note_slow();
                    self.recovery.play(&mut self.pipeline, vec![Input::StorageReadOnly(true)]).await?;
                }
                Event::Outcome(outcome) => self.recovery.settle(&mut self.pipeline, outcome).await?,
                Event::Probed(succeeded) => end_retry(&mut self.pipeline, succeeded).await?,
                Event::Question(question) => self.answer(question).await?,
                Event::Loaded(loaded) => self.put_in_force(*loaded).await?,
                Event::ZoneFile(input) => self.recovery.play(&mut self.pipeline, vec![*input]).await?,
                Event::Requests => self.play(&mut requests).await?,
                Event::Due => self.wake().await?,
            }
        }
    }

    /// Lets the clients go, which have been told, and writes what their going changes. Ends when the last has gone
    /// or when `hurry` says so.
    pub async fn end(&mut self, hurry: &CancellationToken) -> anyhow::Result<()> {
        self.settle_all().await?;
        self.pipeline.game.settle_counts();
        self.recovery.play(&mut self.pipeline, vec![Input::Wake]).await?;
        self.pipeline.router.close_all(Closed::Shutdown);
        let mut requests = Vec::with_capacity(BATCH_MAX);
        while !self.pipeline.router.is_empty() {
            tokio::select! {
                biased;
                _ = self.requests.recv_many(&mut requests, BATCH_MAX) => {}
                () = hurry.cancelled() => break,
            }
            requests.retain(belongs_to_the_end);
            self.play(&mut requests).await?;
            self.settle_all().await?;
        }
        self.settle_all().await
    }

    /// Tells everybody, whether they play or not.
    pub fn announce(&self, words: &str) {
        self.pipeline.router.show(&notice(words), true);
    }

    /// Plays one batch of requests at one moment.
    pub(super) async fn play(&mut self, requests: &mut Vec<ClientEvent>) -> anyhow::Result<()> {
        let inputs: Vec<Input> = requests.drain(..).filter_map(|event| self.take(event)).collect();
        self.recovery.play(&mut self.pipeline, inputs).await
    }

    /// Waits until everything handed to the writer is written.
    async fn settle_all(&mut self) -> anyhow::Result<()> {
        self.recovery.settle_all(&mut self.pipeline).await
    }

    /// Carries out what is due.
    pub(super) async fn wake(&mut self) -> anyhow::Result<()> {
        let now = self.pipeline.clock.now();
        if self.pipeline.retry_at.is_some_and(|at| at <= now) {
            retry_storage(&mut self.pipeline);
        }
        if self.pipeline.deadline() <= now {
            self.recovery.play(&mut self.pipeline, vec![Input::Wake]).await?;
        }
        Ok(())
    }

    pub(super) fn deadline(&self) -> GameTime {
        match self.pipeline.retry_at {
            // While nothing can be written, nothing is due.
            Some(retry) => retry,
            None => self.pipeline.deadline(),
        }
    }

    /// Turns what a client did into an input, or sees to it at once.
    fn take(&mut self, event: ClientEvent) -> Option<Input> {
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
            ClientEvent::Ended { session } => {
                self.pipeline.recorder.note_leaving(self.pipeline.router.seat(session));
                self.pipeline.router.end(session).then_some(Input::Lost { session })
            }
        }
    }

    /// Sees to what a client asks for, unless that is the game's to do.
    fn carry_out(&mut self, session: SessionId, request: Request) -> Option<Input> {
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
                return Some(Input::KeepSeat { session, account, token });
            }
            Request::TakeSeat { name, browser, token, next, pre_login } => {
                let tokens = [token, next].map(|token| seat_token::hash(&token, browser));
                return self.take_seat(session, name, tokens, pre_login);
            }
            Request::Who => {
                let who = Arc::new(self.pipeline.game.who());
                self.pipeline.router.deliver(session, Delivery::Show(who));
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
            Request::Game(input) if input.entering().is_some_and(|account| self.is_held_back(account)) => {
                self.pipeline.router.deliver(session, Delivery::LoginPostponed(HELD_BACK));
            }
            Request::Game(input) => return self.pipeline.router.admit(&input).then_some(input),
        }
        None
    }

    /// Lets in a guest, who counts as an account that was made from there.
    fn visit(&mut self, session: SessionId, pre_login: Settings) -> Option<Input> {
        let (address, _) = self.pipeline.router.client(session)?;
        if let Err(denied) = self.pipeline.auth.take_account(address) {
            self.pipeline.router.deliver(session, denied.into());
            return None;
        }
        self.carry_out(session, Request::Game(Input::Visit { session, pre_login }.from(address)))
    }

    /// Lets in who shows a seat token, if the game knows it.
    fn take_seat(
        &mut self,
        session: SessionId,
        name: String,
        tokens: [Option<String>; 2],
        pre_login: Settings,
    ) -> Option<Input> {
        let account = self.pipeline.game.credential(&name).map(|(account, _)| account);
        let (Some(account), [Some(token), Some(next)]) = (account, tokens) else {
            self.pipeline.router.deliver(session, Delivery::LoginFailed(SEAT_REFUSED));
            return None;
        };
        let (address, _) = self.pipeline.router.client(session)?;
        let take = Input::TakeSeat { session, account, name, token, next, pre_login };
        self.carry_out(session, Request::Game(take.from(address)))
    }

    fn attempt(&self, session: SessionId) -> Option<Attempt> {
        let (address, outbox) = self.pipeline.router.client(session)?;
        let (auth, requests) = (Arc::clone(&self.pipeline.auth), self.logins.clone());
        let metrics = Arc::clone(&self.pipeline.metrics);
        Some(Attempt { auth, requests, outbox, metrics, address, session })
    }

    /// Whoever plays on a client.
    fn holder(&self, session: SessionId) -> Option<Holder> {
        let account = self.pipeline.router.account(session)?;
        let row = self.pipeline.game.world().accounts.get(account)?;
        Some(Holder { account, name: row.name.clone(), credential: row.credential.as_str().into() })
    }

    /// The account of a name that has a recovery code, and its hash.
    fn recovery_of(&self, name: &str) -> Option<(AccountId, Arc<str>)> {
        let (account, _) = self.pipeline.game.credential(name)?;
        let row = self.pipeline.game.world().accounts.get(account)?;
        Some((account, row.recovery_at(self.pipeline.clock.now())?.into()))
    }

    /// Whether somebody has a name, or could have it.
    fn standing(&self, name: &str) -> Standing {
        let game = &self.pipeline.game;
        match game.credential(name) {
            Some(_) => Standing::Known,
            None => game.name_flaw(name).map_or(Standing::Free, Standing::Unfit),
        }
    }

    /// Whether an account broke the game a moment ago.
    fn is_held_back(&self, account: AccountId) -> bool {
        self.recovery.is_held_back(account, self.pipeline.clock.now())
    }
}

/// Whether a request still counts while the server stops: a command would get no answer and so must not happen, and
/// whoever comes in is sent away.
fn belongs_to_the_end(event: &ClientEvent) -> bool {
    if let ClientEvent::Connected { session, outbox, .. } = event {
        outbox.deliver(Delivery::Effect(Effect::Close { session: *session, why: Closed::Shutdown }));
    }
    matches!(event, ClientEvent::Ended { .. })
}

/// Returns once a moment is reached; never for none.
async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Waits for a trial of the storage, if there is one.
async fn probed(probe: &mut Option<Probe>) -> bool {
    match probe {
        Some(probe) => probe.succeeded().await,
        None => std::future::pending().await,
    }
}
