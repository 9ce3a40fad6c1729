//! Failed commits and panicking rules, with an in-memory database.

mod replayed;

use crate::net::{ClientEvent, ClientOutbox, Clock};
use crate::server::access::password_hashing::{AuthSettings, Authenticator, Denied};
use crate::server::bridges::Bridges;
use crate::server::config::ServerConfig;
use crate::server::content::reload::Reloader;
use crate::server::files::builder_files::BuilderFiles;
use crate::server::game_loop::driver::{Channels, GameDriver};
use crate::server::game_loop::part_reads::PartReads;
use crate::server::game_loop::pipeline::commits::{Commits, StorageEvent};
use crate::server::game_loop::pipeline::failures::{FAILURES_MAX, PANICS_MAX};
use crate::server::game_loop::pipeline::recovery::*;
use crate::server::game_loop::pipeline::{PipelineEvent, PipelineParts};
use crate::server::game_loop::question::GameQuestion;
use crate::server::game_loop::recorder::Recorder;
use crate::server::game_loop::writer::{Probed, StoreWriter, WriterStorage};
use crate::server::metrics::Metrics;
use crate::server::start::lifecycle::Stopper;
use crate::session::Request;
use crate::store::{PartReader, Trouble};
use deepwell_core::base::Span;
use deepwell_core::catalog::Catalog;
use deepwell_core::world::Changes;
use deepwell_game::{BuilderRequest, Effect, GameConfig};
use std::net::Ipv4Addr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// In-memory database that can be made full.
struct Memory {
    stored: Snapshot,
    full: Arc<AtomicBool>,
    /// Set to let probes succeed although the database is full.
    probe_fits: Arc<AtomicBool>,
    /// Set to report failed commits as possibly stored.
    in_doubt: Arc<AtomicBool>,
    /// All batches that were stored.
    batches: Arc<Mutex<Vec<Changes>>>,
}

impl Memory {
    fn room(&self) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) {
            let doubt = self.in_doubt.load(Ordering::SeqCst);
            let reason = "no room".to_owned();
            return Err(if doubt {
                StoreError::InDoubt { reason }
            } else {
                StoreError::NotNow { trouble: Trouble::Full, reason }
            });
        }
        Ok(())
    }
}

impl WriterStorage for Memory {
    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        Ok(self.stored.clone())
    }
    async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        self.room()?;
        self.stored.apply(changes);
        self.batches.lock().unwrap().push(changes.clone());
        Ok(())
    }
    async fn probe(&mut self) -> Result<Probed, StoreError> {
        if !self.probe_fits.load(Ordering::SeqCst) {
            self.room()?;
        }
        Ok(Probed::Same)
    }
    async fn close(self) -> Result<(), StoreError> {
        Ok(())
    }
}

struct Stage {
    driver: Box<GameDriver>,
    full: Arc<AtomicBool>,
    probe_fits: Arc<AtomicBool>,
    in_doubt: Arc<AtomicBool>,
    batches: Arc<Mutex<Vec<Changes>>>,
    outbox: Arc<ClientOutbox>,
    _questions: mpsc::Sender<GameQuestion>,
}

const READ_ONLY: &str = "The stone holds its breath";
const ANN: SessionId = SessionId(1);

/// Returns a new world in which one client plays.
async fn stage() -> Stage {
    Box::pin(stage_of(Arc::new(Catalog::builtin()))).await
}

/// Like [`stage`], with other content.
async fn stage_of(catalog: Arc<Catalog>) -> Stage {
    let config = GameConfig::default();
    let game = Game::load(Arc::clone(&catalog), config.clone(), Snapshot::default()).unwrap();
    let clock = Clock::start_at(GameTime(1_000_000));
    let [full, probe_fits, in_doubt] = [const { AtomicBool::new(false) }; 3].map(Arc::new);
    let batches = Arc::default();
    let memory = Memory {
        stored: Snapshot::default(),
        full: Arc::clone(&full),
        probe_fits: Arc::clone(&probe_fits),
        in_doubt: Arc::clone(&in_doubt),
        batches: Arc::clone(&batches),
    };
    let (writer, outcomes) = StoreWriter::start(memory);
    let (logins, requests) = mpsc::channel(8);
    let (asking, questions) = mpsc::channel(8);
    let auth = AuthSettings { slots: 1, queue: 8, memory_kib: 64, passes: 1, ..AuthSettings::default() };
    let parts = PipelineParts {
        catalog,
        config,
        game,
        clock,
        commits: Commits::new(writer, outcomes, std::time::Duration::from_secs(2), clock.now()),
        auth: Arc::new(Authenticator::new(auth, clock).unwrap()),
        metrics: Arc::new(Metrics::default()),
        stopper: Stopper::new(CancellationToken::new(), asking.clone()),
        recorder: Recorder::new(&std::env::temp_dir().join("no such folder")),
        reloader: Reloader::new(ServerConfig::default()),
        files: BuilderFiles::new(
            &std::env::temp_dir().join("no such folder"),
            &deepwell_core::base::limits::Limits::default(),
        ),
        reads: PartReads::start(PartReader::new(std::env::temp_dir().join("no such file"))),
        bridges: Arc::new(Bridges::off()),
    };
    let driver = Box::new(GameDriver::new(
        parts,
        Channels { requests, logins, questions, web_logins: asking.clone() },
    ));
    let outbox = Arc::new(ClientOutbox::new(1_000_000));
    let mut stage = Stage {
        driver,
        full,
        probe_fits,
        in_doubt,
        batches,
        outbox: Arc::clone(&outbox),
        _questions: asking,
    };
    stage.driver.begin(vec![Input::Wake.into()]).await.unwrap();
    let address = Ipv4Addr::LOCALHOST.into();
    stage.play(ClientEvent::Connected { session: ANN, address, outbox }).await;
    let (name, credential) = ("Annika".to_owned(), "x".to_owned());
    let create = Input::Create { session: ANN, name, credential, pre_login: Box::default() };
    stage.input(create).await;
    assert!(stage.heard().iter().any(|d| matches!(d, Delivery::Effect(Effect::Entered { .. }))));
    stage
}

impl Stage {
    async fn play(&mut self, event: ClientEvent) {
        self.driver.play(&mut vec![event]).await.unwrap();
        self.settle_all().await.unwrap();
    }

    async fn input(&mut self, input: Input) {
        let session = input.session().unwrap();
        self.play(ClientEvent::Asked { session, request: Request::Game(input), place: None }).await;
    }

    async fn settle_all(&mut self) -> anyhow::Result<()> {
        self.driver.pipeline.settle_all().await
    }

    /// Simulates a panicking rule.
    async fn panic(&mut self, by: Option<SessionId>) -> anyhow::Result<()> {
        self.driver.pipeline.recover_from_panic(GamePanic { by, builder: None }).await
    }

    /// Simulates the retry timer of unwritable storage.
    async fn retry(&mut self) {
        let pipeline = &mut self.driver.pipeline;
        pipeline.parts.commits.retry(pipeline.parts.clock.now());
        let event = pipeline.next_event().await;
        assert!(matches!(event, PipelineEvent::Storage(StorageEvent::Probed(_))));
        pipeline.handle(event).await.unwrap();
    }

    /// Runs the timers and due commits of a period.
    async fn advance(&mut self, span: Span) {
        let until = self.driver.pipeline.parts.clock.now() + span;
        loop {
            let pipeline = &mut self.driver.pipeline;
            let (now, due) = (pipeline.parts.clock.now(), pipeline.deadline().min(until));
            let ahead = u64::try_from(due.since(now).0).unwrap_or_default();
            tokio::time::advance(std::time::Duration::from_millis(ahead)).await;
            if due == until {
                return;
            }
            pipeline.wake().await.unwrap();
            pipeline.settle_all().await.unwrap();
        }
    }

    async fn stored_time(&mut self) -> GameTime {
        self.driver.pipeline.parts.commits.writer.load().await.unwrap().meta.unwrap().time
    }

    async fn command(&mut self, line: &str) {
        self.input(Input::Command { session: ANN, line: line.to_owned() }).await;
    }

    fn heard(&self) -> Vec<Delivery> {
        let mut heard = Vec::new();
        self.outbox.take(&mut heard).unwrap();
        heard
    }

    fn words(&self) -> String {
        format!("{:?}", self.heard())
    }
}

/// A server without clients writes nothing for ten minutes but what the timers of its start rooms change, and stores the
/// time at a stop and with the next client.
#[tokio::test(start_paused = true)]
async fn idle_server_writes_nothing() {
    let mut stage = stage().await;
    stage.play(ClientEvent::Ended { session: ANN, receipt: None }).await;
    stage.advance(Span::mins(30)).await;
    stage.batches.lock().unwrap().clear();
    stage.advance(Span::mins(10)).await;
    let others: Vec<Changes> = std::mem::take(&mut *stage.batches.lock().unwrap());
    let others = others.into_iter().filter(|changes| changes.start_tasks.is_empty());
    assert_eq!(others.collect::<Vec<_>>(), []);

    let (session, address) = (SessionId(2), Ipv4Addr::LOCALHOST.into());
    let outbox = Arc::new(ClientOutbox::new(1_000_000));
    stage.play(ClientEvent::Connected { session, address, outbox }).await;
    stage.advance(Span::secs(6)).await;
    let now = stage.driver.pipeline.parts.clock.now();
    assert!(now.since(stage.stored_time().await) <= Span::secs(5));
    stage.play(ClientEvent::Ended { session, receipt: None }).await;
    stage.advance(Span::mins(3)).await;
    stage.driver.pipeline.close_clients().await.unwrap();
    stage.settle_all().await.unwrap();
    assert_eq!(stage.stored_time().await, stage.driver.pipeline.parts.clock.now());
}

/// E46, T8: an idle period is not lost from game time at a restart.
#[tokio::test(start_paused = true)]
async fn game_time_is_stored_while_a_client_is_idle() {
    let mut stage = stage().await;
    for _ in 0..3 {
        let before = stage.stored_time().await;
        tokio::time::advance(std::time::Duration::from_secs(6)).await;
        assert!(stage.driver.pipeline.deadline() <= stage.driver.pipeline.parts.clock.now());
        stage.driver.pipeline.wake().await.unwrap();
        stage.settle_all().await.unwrap();
        let after = stage.stored_time().await;
        assert!(after.since(before) >= Span::secs(5), "{before:?} {after:?}");
    }
}

#[tokio::test]
async fn d5_o3_full_disk_rolls_back_and_recovers() {
    let mut stage = stage().await;
    let (bob, address) = (SessionId(2), Ipv4Addr::LOCALHOST.into());
    let outbox = Arc::new(ClientOutbox::new(1_000_000));
    stage.play(ClientEvent::Connected { session: bob, address, outbox: Arc::clone(&outbox) }).await;
    stage.full.store(true, Ordering::SeqCst);
    let create = Input::Create {
        session: bob,
        name: "Never".to_owned(),
        credential: "x".to_owned(),
        pre_login: Box::default(),
    };
    stage.input(create).await;
    let mut heard = Vec::new();
    outbox.take(&mut heard).unwrap();
    let text = format!("{heard:?}");
    assert!(text.contains(ASK_AGAIN) && !text.contains("Entered"), "{text}");
    assert!(stage.driver.pipeline.is_read_only());
    assert_eq!(stage.driver.pipeline.parts.game.credential("never"), None);

    stage.retry().await;
    assert!(stage.driver.pipeline.is_read_only(), "the disk is still full");
    stage.full.store(false, Ordering::SeqCst);
    stage.retry().await;
    stage.settle_all().await.unwrap();
    assert!(!stage.driver.pipeline.is_read_only());
    assert_eq!(
        stage.driver.pipeline.parts.game.credential("annika").map(|known| known.0),
        Some(AccountId(1))
    );
}

/// N2: the address that created an account is known, so guesses from elsewhere do not lock its owner out.
#[tokio::test(start_paused = true)]
async fn n2_guesses_elsewhere_do_not_block_new_account() {
    let stage = stage().await;
    let pipeline = &stage.driver.pipeline;
    let guess = async |address: Ipv4Addr| {
        let known = pipeline.parts.game.credential("annika");
        let password = crate::session::Secret("wrong horse".into());
        pipeline
            .parts
            .auth
            .verify(std::net::IpAddr::from(address).into(), "annika", known, password)
            .await
            .unwrap_err()
    };
    for n in 0..20 {
        guess(Ipv4Addr::new(203, 0, 113, n)).await;
    }
    assert_eq!(guess(Ipv4Addr::new(203, 0, 113, 99)).await, Denied::TooManyGuesses);
    assert_eq!(guess(Ipv4Addr::LOCALHOST).await, Denied::Wrong);
}

/// O3, N3: the player is told, in this order, of the rollback, of the unanswered commands and of the read-only state.
#[tokio::test]
async fn o3_failed_commit_reports_unanswered_commands_and_read_only() {
    let mut stage = stage().await;
    stage.full.store(true, Ordering::SeqCst);
    let lines = ["down", "look", "say hello"].map(|line| {
        let command = Input::Command { session: ANN, line: line.to_owned() };
        ClientEvent::Asked { session: ANN, request: Request::Game(command), place: None }
    });
    stage.driver.play(&mut lines.into()).await.unwrap();
    stage.settle_all().await.unwrap();
    let text = stage.words();
    let mut from = 0;
    for message in [
        UNDONE,
        "Not answered: down",
        "Not answered: look",
        "Not answered: say hello",
        "Well Square",
        READ_ONLY,
    ] {
        let at = text[from..].find(message);
        from += at.unwrap_or_else(|| panic!("{message} is missing, or comes too early, in\n{text}"));
    }
    stage.command("down").await;
    assert!(!stage.words().contains("Not answered"));
}

/// D5: a change that a restart might find is not reported as undone.
#[tokio::test]
async fn d5_doubtful_commit_is_not_reported_as_undone() {
    let mut stage = stage().await;
    stage.in_doubt.store(true, Ordering::SeqCst);
    stage.full.store(true, Ordering::SeqCst);
    stage.command("down").await;
    let text = stage.words();
    assert!(text.contains(DOUBTFUL) && !text.contains("has not happened"), "{text}");
    assert!(stage.driver.pipeline.is_read_only(), "the server is read-only");
}

#[tokio::test]
async fn o3_full_disk_with_successful_probe_keeps_serving() {
    let mut stage = stage().await;
    stage.full.store(true, Ordering::SeqCst);
    stage.probe_fits.store(true, Ordering::SeqCst);
    stage.command("down").await;
    for _ in 0..2 * FAILURES_MAX {
        assert!(stage.driver.pipeline.is_read_only());
        stage.command("look").await;
        assert!(stage.words().contains("Exits"), "looking goes on");
        stage.retry().await;
        stage.settle_all().await.unwrap();
    }
}

#[tokio::test]
async fn d5_players_stay_attached_after_rebuild() {
    let mut stage = stage().await;
    stage.full.store(true, Ordering::SeqCst);
    let stored = stage.driver.pipeline.parts.commits.writer.load().await.unwrap();
    stage.driver.pipeline.rebuild(stored, UNDONE).await.unwrap();
    assert!(stage.words().contains("has not happened"));
    assert_eq!(stage.driver.pipeline.parts.game.players(), ["Annika"]);
    assert_eq!(stage.driver.pipeline.router.playing(), 1);
    stage.full.store(false, Ordering::SeqCst);
    stage.driver.pipeline.failures.note_commit();
    stage.settle_all().await.unwrap();
    stage.command("look").await;
    assert!(stage.words().contains("Exits"));
}

#[tokio::test]
async fn o7_panic_closes_session_and_blocks_login_for_a_minute() {
    let mut stage = stage().await;
    stage.panic(Some(ANN)).await.unwrap();
    let text = stage.words();
    assert!(text.contains(YOUR_COMMAND) && text.contains("Close"), "{text}");
    assert!(stage.driver.pipeline.parts.game.players().is_empty());
    let (account, name) = (AccountId(1), "Annika".to_owned());
    let login = Input::Login { session: ANN, account, name, pre_login: Box::default(), goes_on: false };
    stage.input(login.clone()).await;
    let text = stage.words();
    assert!(text.contains(HELD_BACK) && !text.contains("Entered"), "{text}");
    stage.driver.pipeline.failures.panics[0].at = GameTime(0);
    stage.input(login).await;
    assert!(stage.words().contains("Entered"));
}

/// O7: a panic caused by the web builder closes no session, but the account's requests are refused for a minute.
#[tokio::test]
async fn o7_web_builder_panic_blocks_account_for_a_minute() {
    let mut stage = stage().await;
    let account = AccountId(1);
    let ask = Input::WebBuilder { asker: SessionId(u64::MAX), account, ask: BuilderRequest::Zones };
    let builder = ask.builder();
    assert_eq!(builder, Some(account));
    let pipeline = &mut stage.driver.pipeline;
    pipeline.recover_from_panic(GamePanic { by: None, builder }).await.unwrap();
    assert_eq!(pipeline.held_back(account), Some(HELD_BACK));
    assert_eq!(pipeline.held_back(AccountId(2)), None);
    assert!(!stage.words().contains("Close"), "whoever plays stays");
}

#[tokio::test]
async fn o7_repeated_panics_end_the_process() {
    let mut stage = stage().await;
    for _ in 0..PANICS_MAX {
        stage.panic(None).await.unwrap();
    }
    let error = stage.panic(None).await.unwrap_err().to_string();
    assert_eq!(error, "the game panicked repeatedly within a minute");
}

/// O7: a rule that panics half-way is rolled back for all players. The player that caused it loses the session and
/// cannot log in for a minute; others lose only the last moment. The inputs are recorded for debugging.
#[tokio::test]
async fn o7_panicking_rule_is_rolled_back_and_others_stay() {
    let mut stage = stage().await;
    let folder = tempfile::tempdir().unwrap();
    stage.driver.pipeline.parts.recorder = Recorder::new(folder.path());
    let (bob, address) = (SessionId(2), Ipv4Addr::LOCALHOST.into());
    let outbox = Arc::new(ClientOutbox::new(1_000_000));
    stage.play(ClientEvent::Connected { session: bob, address, outbox: Arc::clone(&outbox) }).await;
    let (name, credential) = ("Bobbin".to_owned(), "secret hash".to_owned());
    stage.input(Input::Create { session: bob, name, credential, pre_login: Box::default() }).await;
    let bob_reads = || {
        let mut heard = Vec::new();
        outbox.take(&mut heard).unwrap();
        format!("{heard:?}")
    };
    bob_reads();
    let room_of =
        |stored: &Snapshot| stored.characters.values().find(|body| body.name == "Annika").unwrap().room;
    let before = room_of(&stage.driver.pipeline.parts.game.world().snapshot());

    stage.driver.pipeline.panics_at = Some("down");
    stage.command("down").await;
    let (hers, his) = (stage.words(), bob_reads());
    assert!(hers.contains(YOUR_COMMAND) && hers.contains("Close"), "{hers}");
    assert!(his.contains(UNDONE) && !his.contains("Close") && !his.contains("Annika leaves"), "{his}");
    let pipeline = &mut stage.driver.pipeline;
    assert_eq!(
        (room_of(&pipeline.parts.game.world().snapshot()), pipeline.parts.game.check()),
        (before, vec![])
    );
    assert_eq!(room_of(&pipeline.parts.commits.writer.load().await.unwrap()), before);
    assert_eq!((pipeline.router.playing(), pipeline.parts.game.players()), (1, vec!["Bobbin".to_owned()]));

    let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<_> = files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(texts.len() == 2 && texts.iter().any(|text| text.contains("\"down\"")), "{texts:?}");
    assert!(texts.iter().all(|text| !text.contains("secret")), "{texts:?}");

    stage.input(Input::Command { session: bob, line: "look".to_owned() }).await;
    assert!(bob_reads().contains("Exits"), "the connection is alive");
    let (account, name) = (AccountId(1), "Annika".to_owned());
    stage
        .input(Input::Login { session: ANN, account, name, pre_login: Box::default(), goes_on: false })
        .await;
    assert!(stage.words().contains(HELD_BACK));
}
