//! The game loop: one task that feeds the game, hands its changes to the writer, and lets words out once what they
//! tell of is on the disk. It never touches a socket and waits for nothing but the writer.
//!
//! Clients are served in turn: each connection waits with at most one request for room in the bounded channel, and
//! room is given out in the order of asking.

use std::net::IpAddr;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::base::{AccountId, BranchId, GameTime, SessionId, Span};
use crate::catalog::Catalog;
use crate::game::{Closed, Effect, Effects, Game, GameConfig, Input, Stats};
use crate::net::{Alarm, Clock, Delivery, Outbox, Request};
use crate::server::auth::{Authenticator, Denied};
use crate::server::held::Held;
use crate::server::inspection::{self, Inspections};
use crate::server::lifecycle::Stopper;
use crate::server::metrics::Metrics;
use crate::server::recording::Recording;
use crate::server::recovery::{HELD_BACK, Panic};
use crate::server::router::Router;
use crate::server::writer::{Fate, IN_FLIGHT_MAX, Outcome, Ticket, Writer};
use crate::session::{Figures, Secret};
use crate::text::{Markup, Style};
use crate::world::{Changes, Settings};

/// Requests that wait for the world; beyond it connections wait.
pub const REQUESTS_WAITING_MAX: usize = 1_024;
/// Requests played before the changes are cut.
const BATCH_MAX: usize = 256;

/// How long crawlers are told the same figures.
const FIGURES_KEPT: Span = Span::secs(10);

/// What operators ask.
#[derive(Debug)]
pub enum Question {
    /// Does the world still answer?
    Status(oneshot::Sender<Status>),
    /// Names of who plays.
    Who(oneshot::Sender<Vec<String>>),
    /// Words to everybody who plays.
    Broadcast(String, oneshot::Sender<()>),
    /// A branch as JSON, if there is one of this number.
    DumpBranch(BranchId, oneshot::Sender<Option<serde_json::Value>>),
    /// The rooms that last, as a map file.
    Atlas(oneshot::Sender<String>),
    /// How the player of this name is connected.
    Inspect(String, inspection::Answer),
    /// The token of a world that nobody has claimed.
    OwnerToken(oneshot::Sender<Option<String>>),
}

/// How the world and its shell are.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Status {
    /// What the game counts.
    pub world: Stats,
    /// Connections open.
    pub connections: u64,
    /// Clients that play.
    pub playing: u64,
    /// Requests of clients that wait for the world.
    pub requests_waiting: u64,
    /// Batches on their way to the disk.
    pub commits_waiting: u64,
    /// Whether storage cannot be written.
    pub read_only: bool,
    /// Seconds since the start.
    pub up_secs: u64,
}

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
    pub requests: mpsc::Receiver<Request>,
    /// The other end of it: logins come back that way when their password is checked.
    pub logins: mpsc::Sender<Request>,
    /// From operators.
    pub questions: mpsc::Receiver<Question>,
    /// Checks passwords.
    pub auth: Arc<Authenticator>,
    /// What is measured.
    pub metrics: Arc<Metrics>,
    /// For staff who stop the server from within.
    pub stopper: Stopper,
    /// Recent inputs, for the day the game panics.
    pub recording: Recording,
}

/// The game loop and what it keeps.
pub struct Driver {
    pub(super) parts: Parts,
    pub(super) router: Router,
    pub(super) held: Held,
    pub(super) next_ticket: u64,
    pub(super) in_flight: usize,
    /// Storage cannot be written; when to try again.
    pub(super) retry_at: Option<GameTime>,
    /// Commits that failed since the last that did not.
    pub(super) failures: u32,
    /// The last panics of the game.
    pub(super) panics: Vec<Panic>,
    started: GameTime,
    /// What crawlers were told last, and when it was counted.
    figures: Option<(GameTime, Figures)>,
    inspections: Inspections,
}

/// The game panicked, perhaps at the doing of a client; its state is worth nothing any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Broken {
    pub(super) by: Option<SessionId>,
}

/// What ended a wait.
enum Event {
    Stop,
    Outcome(Outcome),
    Question(Question),
    Requests,
    Due,
}

impl Driver {
    /// Ready to start.
    pub fn new(parts: Parts) -> Self {
        let started = parts.clock.now();
        Self {
            parts,
            router: Router::default(),
            held: Held::default(),
            next_ticket: 0,
            in_flight: 0,
            retry_at: None,
            failures: 0,
            panics: Vec::new(),
            started,
            figures: None,
            inspections: Inspections::default(),
        }
    }

    /// Plays what comes first and waits until it is on the disk: what came due while the server was down and
    /// what else a start has to say.
    pub async fn begin(&mut self, inputs: Vec<Input>) -> anyhow::Result<()> {
        let played = self.act(inputs).await;
        self.mend(played).await?;
        self.settle_all().await?;
        if self.retry_at.is_some() {
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
            let open = self.in_flight < IN_FLIGHT_MAX;
            let deadline = self.deadline().filter(|_| open).map(|at| self.parts.clock.instant(at));
            let event = tokio::select! {
                biased;
                () = &mut stopped => Event::Stop,
                Some(outcome) = self.parts.outcomes.recv(), if self.in_flight > 0 => Event::Outcome(outcome),
                Some(question) = self.parts.questions.recv() => Event::Question(question),
                // Before the requests, of which there may always be more.
                () = alarm.ring(deadline), if deadline.is_some() => Event::Due,
                _ = self.parts.requests.recv_many(&mut requests, BATCH_MAX), if open => Event::Requests,
            };
            match event {
                Event::Stop => return Ok(()),
                Event::Outcome(outcome) => self.settle(outcome).await?,
                Event::Question(question) => self.answer(question).await?,
                Event::Requests => self.play(&mut requests).await?,
                Event::Due => self.wake().await?,
            }
        }
    }

    /// Lets the clients go, which have been told, and writes what their going changes. Ends when the last has gone
    /// or when `hurry` says so.
    pub async fn end(&mut self, hurry: &CancellationToken) -> anyhow::Result<()> {
        self.settle_all().await?;
        self.router.close_all(Closed::Shutdown);
        let mut requests = Vec::with_capacity(BATCH_MAX);
        while !self.router.is_empty() {
            tokio::select! {
                biased;
                _ = self.parts.requests.recv_many(&mut requests, BATCH_MAX) => {}
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
        self.router.show(&notice(words), true);
    }

    /// Plays one batch of requests at one moment.
    pub(super) async fn play(&mut self, requests: &mut Vec<Request>) -> anyhow::Result<()> {
        let inputs: Vec<Input> = requests.drain(..).filter_map(|request| self.take(request)).collect();
        let played = self.act(inputs).await;
        self.mend(played).await
    }

    /// Carries out what is due.
    async fn wake(&mut self) -> anyhow::Result<()> {
        let now = self.parts.clock.now();
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_storage().await?;
        }
        if self.parts.game.next_deadline().is_some_and(|at| at <= now) {
            let played = self.act(vec![Input::Wake]).await;
            self.mend(played).await?;
        }
        Ok(())
    }

    fn deadline(&self) -> Option<GameTime> {
        self.parts.game.next_deadline().into_iter().chain(self.retry_at).min()
    }

    /// Turns a request into an input, or answers it at once.
    fn take(&mut self, request: Request) -> Option<Input> {
        match request {
            Request::Connected { session, address, outbox } => {
                self.router.connect(session, address, outbox);
                None
            }
            Request::LookUp { session, name } => {
                let known = self.parts.game.credential(&name).is_some();
                self.router.deliver(session, Delivery::NameKnown(known));
                None
            }
            Request::Authenticate { session, name, password, wishes } => {
                self.authenticate(session, name, password, wishes);
                None
            }
            Request::Create { session, name, password, wishes } => {
                self.create(session, name, password, wishes);
                None
            }
            Request::ChangePassword { session, old, new } => {
                self.change_password(session, old, new);
                None
            }
            Request::MakeRecovery { session, password } => {
                self.make_recovery(session, password);
                None
            }
            Request::Recover { session, name, code, password, wishes } => {
                self.recover(session, name, &code, password, wishes);
                None
            }
            Request::Who { session } => {
                self.router.deliver(session, Delivery::Show(Arc::new(self.parts.game.who())));
                None
            }
            Request::Status { session } => {
                let figures = self.figures();
                self.router.deliver(session, Delivery::Status(figures));
                None
            }
            Request::Report { to, text } => {
                if !self.inspections.end(to, &text) {
                    self.router.deliver(to, Delivery::Show(Arc::new(text)));
                }
                None
            }
            Request::Game(
                Input::Login { session, account, .. } | Input::Recovered { session, account, .. },
            ) if self.is_held_back(account) => {
                self.router.deliver(session, Delivery::LoginPostponed(HELD_BACK));
                None
            }
            Request::Game(input) => self.router.admit(&input).then_some(input),
            Request::Ended { session } => self.router.end(session).then_some(Input::Lost { session }),
        }
    }

    fn authenticate(&self, session: SessionId, name: String, password: Secret, wishes: Settings) {
        let Some((address, outbox)) = self.router.client(session) else { return };
        let known = self.parts.game.credential(&name);
        let login = Login { auth: Arc::clone(&self.parts.auth), outbox, address, session };
        let (logins, metrics) = (self.parts.logins.clone(), Arc::clone(&self.parts.metrics));
        tokio::spawn(async move {
            match login.verify(&name, known, password).await {
                Ok((account, stronger)) => {
                    let stronger = stronger.map(|credential| Input::Credential { account, credential });
                    let login = Input::Login { session, account, name, wishes };
                    for input in stronger.into_iter().chain([login]) {
                        // Nobody waits for a login when the server has stopped.
                        let _ = logins.send(Request::Game(input)).await;
                    }
                }
                Err(denied) => {
                    metrics.logins_failed.inc();
                    login.outbox.deliver(denied.into());
                }
            }
        });
    }

    fn create(&self, session: SessionId, name: String, password: Secret, wishes: Settings) {
        let Some((_, outbox)) = self.router.client(session) else { return };
        let (logins, auth) = (self.parts.logins.clone(), Arc::clone(&self.parts.auth));
        tokio::spawn(async move {
            match auth.hash(password).await {
                Ok(credential) => {
                    let input = Input::Create { session, name, credential, wishes };
                    // As above.
                    let _ = logins.send(Request::Game(input)).await;
                }
                Err(denied) => outbox.deliver(denied.into()),
            }
        });
    }

    /// Steps the game through a batch, cuts, and sends changes and effects on their ways.
    pub(super) async fn act(&mut self, inputs: Vec<Input>) -> anyhow::Result<Result<(), Broken>> {
        if inputs.is_empty() {
            return Ok(Ok(()));
        }
        let started = Instant::now();
        let now = self.parts.clock.now();
        let mut out = Effects::new();
        for input in inputs {
            let by = super::router::session_of_input(&input);
            self.parts.recording.note(now, &input);
            if guarded(|| self.parts.game.step(now, input, &mut out)).is_none() {
                return Ok(Err(Broken { by }));
            }
        }
        // While nothing can be written, changes stay in the game until something can.
        let cut = if self.retry_at.is_some() {
            Some(Changes::default())
        } else {
            guarded(|| self.parts.game.cut())
        };
        let Some(changes) = cut else { return Ok(Err(Broken { by: None })) };
        self.parts.metrics.step_seconds.observe(started.elapsed().as_secs_f64());
        if changes.is_empty() {
            if let Some(effects) = self.held.pass(out) {
                self.speak(effects);
            }
        } else {
            let ticket = Ticket(self.next_ticket);
            self.next_ticket += 1;
            self.in_flight += 1;
            self.held.hold(ticket, out);
            self.parts.writer.commit(ticket, changes).await?;
        }
        Ok(Ok(()))
    }

    /// A batch has been written, or not.
    pub(super) async fn settle(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        self.in_flight -= 1;
        match outcome.fate {
            Fate::Committed => {
                self.parts.metrics.commit_seconds.observe(outcome.took.as_secs_f64());
                self.failures = 0;
                self.held.committed(outcome.ticket);
                while let Some(effects) = self.held.release() {
                    self.speak(effects);
                }
                Ok(())
            }
            Fate::Failed(error) => {
                self.parts.metrics.commits_failed.inc();
                tracing::error!(%error, "a commit failed; the world goes back to what is stored");
                self.after_failed_commit(&error).await
            }
            // Only ever follows a failure, after which all outcomes are swept away.
            Fate::Dropped => Ok(()),
        }
    }

    /// Waits until everything handed to the writer is written.
    pub(super) async fn settle_all(&mut self) -> anyhow::Result<()> {
        while self.in_flight > 0 {
            let outcome = self.parts.outcomes.recv().await.context("the writer has ended")?;
            self.settle(outcome).await?;
        }
        Ok(())
    }

    pub(super) fn speak(&mut self, effects: Effects) {
        if let Some(after) = self.router.route(effects) {
            self.parts.stopper.stop_in(after);
        }
    }

    async fn answer(&mut self, question: Question) -> anyhow::Result<()> {
        // Whoever asked may have gone.
        match question {
            Question::Status(answer) => _ = answer.send(self.status()),
            Question::Who(answer) => _ = answer.send(self.parts.game.players()),
            Question::DumpBranch(branch, answer) => {
                let dump = self.parts.game.branch_dump(branch);
                let _ = answer.send(dump.and_then(|dump| serde_json::to_value(dump).ok()));
            }
            Question::Atlas(answer) => _ = answer.send(self.parts.game.atlas()),
            Question::Inspect(name, answer) => match self.parts.game.seat_of(&name) {
                Some((session, name)) => {
                    let asker = self.inspections.begin(answer);
                    let inspect = Effect::Inspect { session, asker, name };
                    self.router.deliver(session, Delivery::Effect(inspect));
                }
                None => _ = answer.send(None),
            },
            Question::OwnerToken(answer) => {
                let _ = answer.send(self.parts.game.owner_token().map(str::to_owned));
            }
            Question::Broadcast(text, answer) => {
                let played = self.act(vec![Input::Broadcast { text }]).await;
                self.mend(played).await?;
                let _ = answer.send(());
            }
        }
        Ok(())
    }

    /// What crawlers are told, counted at most once in [`FIGURES_KEPT`].
    fn figures(&mut self) -> Figures {
        let now = self.parts.clock.now();
        if let Some((at, figures)) = self.figures
            && now < at + FIGURES_KEPT
        {
            return figures;
        }
        let (stats, catalog) = (self.parts.game.stats(), &self.parts.catalog);
        let figures = Figures {
            players: stats.players,
            rooms: stats.rooms,
            areas: catalog.areas.len() as u64 + stats.branches,
            mobiles: catalog.mobs.len() as u64,
            objects: catalog.items.len() as u64,
            help_files: catalog.help.topics().count() as u64,
            started_at: u64::try_from(self.started.0 / 1_000).unwrap_or(0),
        };
        self.figures = Some((now, figures));
        figures
    }

    fn status(&self) -> Status {
        let requests = &self.parts.requests;
        Status {
            world: self.parts.game.stats(),
            connections: self.router.len() as u64,
            playing: self.router.playing() as u64,
            requests_waiting: requests.len() as u64,
            commits_waiting: self.in_flight as u64,
            read_only: self.retry_at.is_some(),
            up_secs: u64::try_from(self.parts.clock.now().since(self.started).0 / 1_000).unwrap_or(0),
        }
    }
}

/// Whether a request still counts while the server stops: a command would get no answer and so must not happen, and
/// whoever comes in is sent away.
fn belongs_to_the_end(request: &Request) -> bool {
    if let Request::Connected { session, outbox, .. } = request {
        outbox.deliver(Delivery::Effect(Effect::Close { session: *session, why: Closed::Shutdown }));
    }
    matches!(request, Request::Ended { .. })
}

/// One attempt to log in.
struct Login {
    auth: Arc<Authenticator>,
    outbox: Arc<Outbox>,
    address: IpAddr,
    session: SessionId,
}

impl Login {
    /// The account, and a stronger credential if the stored one is weaker than the settings ask for.
    async fn verify(
        &self,
        name: &str,
        known: Option<(AccountId, Arc<str>)>,
        password: Secret,
    ) -> Result<(AccountId, Option<String>), Denied> {
        let (account, credential) = known.unzip();
        let weak = credential.as_deref().is_some_and(|credential| self.auth.is_weak(credential));
        let again = weak.then(|| password.clone());
        let verified = self.auth.verify(self.address, name, credential, password).await;
        if let Err(denied) = verified {
            tracing::info!(session = self.session.0, ?denied, "login failed");
        }
        let account = verified.and(account.ok_or(Denied::Wrong))?;
        let stronger = match again {
            // A login does not fail because its password could not be hashed again; the next one tries anew.
            Some(password) => self.auth.hash(password).await.ok(),
            None => None,
        };
        Ok((account, stronger))
    }
}

/// A line from the server; no player can begin one like this.
pub(super) fn notice(words: &str) -> Arc<Markup> {
    Arc::new(Markup::styled(Style::System, &format!("Server: {words}")))
}

/// Runs a part of the game; none if it panics.
fn guarded<T>(part: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(part)).ok()
}
