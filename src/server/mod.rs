//! The composition root: builds the layers from a checked configuration, serves until told to stop, and shuts down in
//! order.
//!
//! A start checks everything that can be wrong before it writes to the disk: certificate, content, addresses. It then
//! takes the lock and opens database, game and ports, and logs `ready`. A stop reverses the order: ports, clients, last
//! commit, database, lock.

pub mod access;
mod backups;
pub mod bridges;
pub mod cli;
pub mod cluster;
pub mod config;
pub mod content;
pub mod control;
pub mod files;
pub mod game_loop;
mod gateway;
mod host;
pub mod http;
pub mod link;
mod load;
pub mod logging;
pub mod metrics;
pub mod ops;
pub mod start;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::net::{Clock, raise_descriptor_limit};
use crate::store::{PartReader, Store};
use deepwell_core::base::{GameTime, Seed, Span};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::{Role, Snapshot};
use deepwell_game::{Envelope, Game, Input};

use crate::server::start::listeners::{Doors, Prepared};
use access::password_hashing::{AuthSettings, Authenticator};
use backups::Backups;
use bridges::Bridges;
use config::in_force::ConfigOrigins;
use config::mistake::mistake;
use config::{Config, ServerConfig};
use content::reload::Reloader;
use control::ControlledRole;
use files::builder_files::BuilderFiles;
use files::lock::ServerLock;
use game_loop::driver::{Channels, GameDriver, REQUESTS_WAITING_MAX};
use game_loop::part_reads::PartReads;
use game_loop::pipeline::{Commits, PipelineParts};
use game_loop::recorder::Recorder;
use game_loop::writer::{StoreWriter, WriterStorage};
use metrics::Metrics;
use start::certificate::Certificate;
use start::lifecycle::{LAST_WORDS, Stopper, generate_number, generate_owner_token};

pub use start::lifecycle::Shutdown;

/// Worker threads shared by all connections and the world. The world is a single task; more threads help only the I/O
/// around it.
const WORKERS: usize = 2;
/// Seconds that the machine's clock may be behind game time before a warning is logged.
const CLOCK_BEHIND_SECS: i64 = 60;
/// Maximum number of queued operator requests.
const QUESTIONS_MAX: usize = 16;
/// Time that clients have to read the shutdown message.
const FAREWELL: Duration = Duration::from_secs(3);
/// Maximum time for the game loop to end, including [`FAREWELL`].
const LAST_COMMIT: Duration = Duration::from_secs(6);
/// Maximum time for connection tasks to end after the game loop.
const LINGER: Duration = Duration::from_secs(1);
/// Maximum time for the database to close. Together with the two limits above this stays within Docker's ten seconds.
const LAST_CHECKPOINT: Duration = Duration::from_secs(2);

/// Builds the runtime, installs the signal handlers and runs the server.
pub fn serve(config: Config, origins: ConfigOrigins) -> anyhow::Result<()> {
    run_to_end(|shutdown| run(config, origins, shutdown))
}

/// Builds the runtime, installs the signal handlers and runs a role until it ends.
fn run_to_end<T, W>(role: impl FnOnce(Shutdown) -> W) -> anyhow::Result<T>
where
    W: Future<Output = anyhow::Result<T>>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let served = runtime.block_on(async {
        let shutdown = Shutdown::default();
        shutdown.on_signals().context("cannot catch signals")?;
        Box::pin(role(shutdown)).await
    });
    // Do not wait for a password hash that is still being computed.
    runtime.shutdown_background();
    served
}

/// Runs the server until `shutdown`, then shuts it down in order. `origins` are the sources from which `config` was read.
///
/// # Errors
/// If the server could not start, or did not shut down cleanly. The message is one line for the operator.
pub async fn run(mut config: Config, origins: ConfigOrigins, shutdown: Shutdown) -> anyhow::Result<()> {
    let read = config.clone();
    files::descriptors::fit(&mut config.game.limits, raise_descriptor_limit())?;
    // If the state folder exists, check first that no other server uses it. A new folder is created only after all
    // other checks.
    let held = config.server.lock().exists().then(|| take_folder(&config.server)).transpose()?;
    let certificate = load_certificate(&config)?;
    let catalog = Arc::new(content::load(&config.server).map_err(mistake)?);
    let bridges = Arc::new(Bridges::of(&config).map_err(mistake)?);
    let prepared = Box::new(Prepared::of(&config, &certificate)?);
    let _lock = held.map_or_else(|| take_folder(&config.server), Ok)?;
    let store = open_alone(&config).await.map_err(mistake)?;
    // Boxed because the future that builds the world is large.
    let (mut driver, doors, writer) = Box::pin(load_game(
        &config,
        read,
        origins,
        catalog,
        (shutdown.stop.clone(), Arc::clone(&bridges)),
        store,
    ))
    .await?;
    let open = match doors.open(*prepared, &config, &certificate, &shutdown) {
        Ok(open) => open,
        Err(error) => {
            close(&writer).await?;
            return Err(error);
        }
    };
    let played = tokio::spawn({
        let shutdown = shutdown.clone();
        async move {
            driver.run(&shutdown.stop).await?;
            tracing::info!("stopping");
            driver.announce(LAST_WORDS);
            driver.end(&shutdown.hurry).await
        }
    });
    let ended = finish(played, shutdown.clone()).await;
    let broken = open.broken.is_cancelled();
    drop((open.ready, open.socket));
    shutdown.hurry.cancel();
    open.tasks.close();
    // Connections that are still open have been sent everything.
    let _ = timeout(LINGER, open.tasks.wait()).await;
    bridges.keep_undelivered().await;
    let closed = close(&writer).await;
    ended.and(closed)?;
    if broken {
        bail!("a listener task panicked; all acknowledged changes are stored");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Loads the certificate of the listeners.
fn load_certificate(config: &Config) -> anyhow::Result<Certificate> {
    Certificate::load(config.tls.files()).context("cannot use the certificate").map_err(mistake)
}

/// Locks the state folder for this server.
fn take_folder(server: &ServerConfig) -> anyhow::Result<ServerLock> {
    let lock = ServerLock::take(&server.lock())?;
    // A killed server leaves its ready file behind, but no player can log in yet.
    files::atomic_file::remove_if_there(&server.ready_file())?;
    Ok(lock)
}

/// Closes the database; gives up after [`LAST_CHECKPOINT`] if the disk does not respond.
async fn close(writer: &StoreWriter) -> anyhow::Result<()> {
    timeout(LAST_CHECKPOINT, writer.close())
        .await
        .context("storage took too long to close; all acknowledged changes are stored")?
}

/// Waits for the game loop to end. An end without `shutdown` is a failure; after `shutdown` the loop has
/// [`LAST_COMMIT`].
async fn finish(mut played: JoinHandle<anyhow::Result<()>>, shutdown: Shutdown) -> anyhow::Result<()> {
    let signal = tokio::select! {
        biased;
        () = shutdown.stop.cancelled() => {
            if shutdown.restart.is_cancelled() {
                start::service_manager::reloading();
            } else {
                start::service_manager::stopping();
            }
            let hurry = shutdown.hurry.clone();
            tokio::spawn(async move {
                tokio::time::sleep(FAREWELL).await;
                hurry.cancel();
            });
            let Ok(ended) = timeout(LAST_COMMIT, &mut played).await else {
                bail!("storage took too long for the last commit; all acknowledged changes are stored");
            };
            ended
        }
        ended = &mut played => ended,
    };
    shutdown.stop.cancel();
    signal.context("the game loop panicked")?
}

/// Loads the game from the database and runs the timers that expired while the server was down.
async fn load_game(
    config: &Config,
    read: Config,
    origins: ConfigOrigins,
    catalog: Arc<Catalog>,
    (stop, bridges): (CancellationToken, Arc<Bridges>),
    mut storage: impl WriterStorage,
) -> anyhow::Result<(GameDriver, Doors, StoreWriter)> {
    let database = config.server.database();
    let stored = storage.load().await.with_context(|| format!("cannot read {}", database.display()));
    let stored = stored.map_err(mistake)?;
    let first = first_inputs(&stored)?;
    let mut rules = config.game.clone();
    if stored.meta.is_none() && rules.seed == Seed(0) {
        rules.seed = Seed(generate_number().context("the system's random number generator failed")?);
    }
    let game = Game::load(Arc::clone(&catalog), rules.clone(), stored)
        .map_err(|mistakes| mistake(anyhow!("the stored world is invalid:\n{mistakes}")))?;
    let clock = start_clock(config, game.time());
    let auth = Arc::new(Authenticator::new(auth_settings(config), clock)?);
    let batch_log = storage.batch_log();
    let (writer, outcomes) = StoreWriter::start(storage);
    let (requests, waiting) = mpsc::channel(REQUESTS_WAITING_MAX);
    let (questions, asked) = mpsc::channel(QUESTIONS_MAX);
    let stopper = Stopper::new(stop, questions.clone());
    let metrics = Arc::new(Metrics::default());
    let slow_commit = Duration::from_secs(config.server.slow_commit_secs.into());
    let parts = PipelineParts {
        catalog,
        config: rules,
        game,
        clock,
        commits: Commits::new(writer.clone(), outcomes, slow_commit, clock.now()),
        auth: Arc::clone(&auth),
        metrics: Arc::clone(&metrics),
        stopper: stopper.clone(),
        recorder: Recorder::new(&config.server.state_dir),
        reloader: Reloader::new(config.server.clone()),
        files: BuilderFiles::new(&config.server.state_dir, &config.game.limits),
        reads: PartReads::start(PartReader::new(database)),
        bridges: Arc::clone(&bridges),
    };
    let (logins, web_logins) = (requests.clone(), questions.clone());
    let channels = Channels { requests: waiting, logins, questions: asked, web_logins };
    let mut driver = GameDriver::new(parts, channels);
    driver.begin(first.inputs).await?;
    if let Some(token) = first.token {
        tracing::info!("owner token: {token} (type: claim {token})");
    }
    let (role, first_session) = (ControlledRole::Serve, 1);
    let cluster = None;
    let backups = Backups::new(&config.backup, config.server.database(), clock, batch_log);
    let doors = Doors {
        clock,
        backups,
        bridges,
        requests,
        questions,
        stopper,
        metrics,
        auth,
        origins,
        read,
        role,
        cluster,
        first_session,
    };
    Ok((driver, doors, writer))
}

/// Opens the database on a blocking thread. The migration future is not provably `Send`, and [`run`] must be spawnable
/// on any runtime.
async fn open_store(config: &Config) -> anyhow::Result<Store> {
    let (runtime, path) = (Handle::current(), config.server.database());
    let opened = tokio::task::spawn_blocking(move || runtime.block_on(Store::open(&path)));
    let mut store = opened.await??;
    store.bound_log(u64::from(config.server.wal_mib) << 20);
    let (branches, accounts) = (config.game.dungeon.sleep_after, config.game.limits.absent_after);
    store.leave_asleep(branches > Span::ZERO, accounts > Span::ZERO);
    Ok(store)
}

/// Opens the database for a server that is not part of a cluster. The world then no longer follows the log of one, which
/// would lack what happens here.
async fn open_alone(config: &Config) -> anyhow::Result<Store> {
    let mut store = open_store(config).await?;
    if store.position().is_some() {
        tracing::warn!("the world was part of a cluster and is not any more; see docs/operate/cluster.md");
        store.place(None).await?;
    }
    match &config.backup.batches {
        Some(folder) => store.log_batches(folder).await?,
        None => store.forget_batches().await?,
    }
    Ok(store)
}

/// Starts the game clock and logs a warning if it differs too much from the machine's clock.
fn start_clock(config: &Config, world: GameTime) -> Clock {
    let most_ahead = Span::mins(i64::from(config.server.clock_ahead_days) * 24 * 60);
    let clock = Clock::start(world, most_ahead);
    let ahead_secs = clock.drift() / 1_000;
    if ahead_secs > 0 {
        tracing::warn!(
            ahead_secs,
            "the machine's clock is too far ahead of game time to be trusted; game time continues where it stopped. If the clock is right, start once with a higher server.clock_ahead_days"
        );
    } else if -ahead_secs >= CLOCK_BEHIND_SECS {
        tracing::warn!(
            behind_secs = -ahead_secs,
            "the machine's clock is behind game time, which never goes back; correct the clock, or, if an earlier clock was ahead, restore a backup from before that"
        );
    }
    clock
}

fn auth_settings(config: &Config) -> AuthSettings {
    AuthSettings {
        slots: config.auth.slots,
        queue: config.game.limits.hash_queue,
        memory_kib: config.auth.memory_kib,
        passes: config.auth.passes,
        accounts_per_hour: config.auth.accounts_per_hour,
        guesses_per_minute: config.auth.guesses_per_minute,
    }
}

/// Inputs that the game receives before any client can connect.
struct First {
    inputs: Vec<Envelope>,
    token: Option<String>,
}

/// Generates an owner token if the world has neither an owner nor a token.
fn first_inputs(stored: &Snapshot) -> anyhow::Result<First> {
    let owned = stored.accounts.values().any(|account| account.role == Role::Owner);
    let waits = stored.meta.as_ref().is_some_and(|meta| meta.owner_token.is_some());
    if owned || waits {
        return Ok(First { inputs: vec![Input::Wake.into()], token: None });
    }
    let token = generate_owner_token().context("the system's random number generator failed")?;
    Ok(First { inputs: vec![Input::OwnerToken { token: token.clone() }.into()], token: Some(token) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::control::protocol::{ControlCommand, ControlRequest};
    use crate::store::StoreError;
    use deepwell_core::world::Changes;
    use std::fs;
    use std::path::Path;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    fn config(folder: &Path) -> Config {
        let mut config = Config::default();
        config.server.state_dir = folder.join("var");
        config.telnet.listen = "127.0.0.1:0".parse().unwrap();
        config.http.listen = Some("127.0.0.1:0".parse().unwrap());
        config.ops.listen = Some("127.0.0.1:0".parse().unwrap());
        config
    }

    /// O7: a failed game loop ends the server, so no port stays open without a game behind it.
    #[tokio::test]
    async fn o7_panicking_game_loop_ends_the_server() {
        let shutdown = Shutdown::default();
        let dying = tokio::spawn(async { panic!("on purpose") });
        let ended = finish(dying, shutdown.clone()).await.unwrap_err().to_string();
        assert_eq!(ended, "the game loop panicked");
        assert!(shutdown.stop.is_cancelled(), "who accepts is told to stop");
    }

    /// Starts a server and waits for its ready file.
    async fn start(config: &Config) -> (serde_json::Value, Shutdown, JoinHandle<anyhow::Result<()>>) {
        let shutdown = Shutdown::default();
        let mut running = tokio::spawn(run(config.clone(), ConfigOrigins::default(), shutdown.clone()));
        let mut looks = tokio::time::interval(Duration::from_millis(5));
        loop {
            if let Ok(text) = fs::read_to_string(config.server.ready_file()) {
                return (serde_json::from_str(&text).unwrap(), shutdown, running);
            }
            tokio::select! {
                _ = looks.tick() => {}
                ended = &mut running => panic!("ended instead of serving: {ended:?}"),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn o1_hanging_disk_does_not_delay_the_stop() {
        let (writer, _outcomes) = StoreWriter::start(Stuck);
        let before = tokio::time::Instant::now();
        let error = close(&writer).await.unwrap_err().to_string();
        assert!(error.starts_with("storage took too long to close"), "{error}");
        assert!(LAST_COMMIT + LINGER + before.elapsed() < Duration::from_secs(10));
    }

    /// A database on a disk that never responds.
    struct Stuck;

    impl WriterStorage for Stuck {
        async fn load(&mut self) -> Result<Snapshot, StoreError> {
            std::future::pending().await
        }
        async fn commit(&mut self, _: &Changes) -> Result<(), StoreError> {
            std::future::pending().await
        }
        async fn probe(&mut self) -> Result<game_loop::writer::Probed, StoreError> {
            std::future::pending().await
        }
        async fn close(self) -> Result<(), StoreError> {
            std::future::pending().await
        }
    }

    #[tokio::test]
    async fn failed_start_removes_stale_ready_file() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path());
        fs::create_dir(&config.server.state_dir).unwrap();
        fs::write(config.server.ready_file(), "{}").unwrap();
        fs::write(config.server.database(), "rubbish").unwrap();
        Box::pin(run(config.clone(), ConfigOrigins::default(), Shutdown::default())).await.unwrap_err();
        assert!(!config.server.ready_file().exists());
    }

    /// O2: a failed first start must not leave a world behind whose owner token was never printed.
    #[tokio::test]
    async fn o2_failed_first_start_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut busy = config(folder.path());
        busy.telnet.listen = taken.local_addr().unwrap();
        let mut no_content = config(folder.path());
        no_content.server.content_dir = folder.path().join("none");
        let mut no_page = config(folder.path());
        no_page.http.web_dir = Some(folder.path().join("none"));
        let mut too_long = config(folder.path());
        too_long.server.state_dir = folder.path().join("v".repeat(120));
        for (config, why) in [
            (busy, "telnet.listen: cannot listen on "),
            (no_content, "none: cannot be read"),
            (no_page, "http.web_dir: cannot read "),
            (too_long, "server.state_dir: "),
        ] {
            let error = Box::pin(run(config, ConfigOrigins::default(), Shutdown::default()))
                .await
                .unwrap_err()
                .to_string();
            assert!(error.contains(why), "{error}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{why}");
        }
    }

    /// Reads until the received text ends with `end`.
    async fn until(stream: &mut TcpStream, end: &str) -> String {
        let mut text = Vec::new();
        while !text.ends_with(end.as_bytes()) {
            let read = timeout(Duration::from_secs(20), stream.read_buf(&mut text)).await;
            let so_far = String::from_utf8_lossy(&text).into_owned();
            assert_ne!(read.expect(&so_far).expect(&so_far), 0, "closed after {so_far}");
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    async fn connect(ready: &serde_json::Value, line: &str) -> (TcpStream, String) {
        let mut stream = TcpStream::connect(ready["telnet"].as_str().unwrap()).await.unwrap();
        until(&mut stream, "name: ").await;
        stream.write_all(line.as_bytes()).await.unwrap();
        let text = until(&mut stream, "> ").await;
        (stream, text)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn o1_o2_server_restarts_with_its_world() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path());
        let (ready, shutdown, running) = start(&config).await;
        let second = Box::pin(run(config.clone(), ConfigOrigins::default(), Shutdown::default()))
            .await
            .unwrap_err()
            .to_string();
        assert!(second.starts_with("another server is running"), "{second}");
        let (mut stream, text) = connect(&ready, "create Annika correct-horse\r\n").await;
        assert!(text.contains("Exits:"), "{text}");
        stream.write_all(b"look\r\n").await.unwrap();
        assert!(until(&mut stream, "> ").await.contains("Exits:"));
        shutdown.stop.cancel();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).await.unwrap();
        assert!(rest.contains("The server stops now."), "{rest}");
        drop(stream);
        running.await.unwrap().unwrap();
        assert!(!config.server.ready_file().exists() && !config.server.control_socket().exists());

        let (ready, shutdown, running) = start(&config).await;
        let (_stream, text) = connect(&ready, "connect annika correct-horse\r\n").await;
        assert!(text.contains("Exits:"), "{text}");
        shutdown.stop.cancel();
        running.await.unwrap().unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn o8_operators_can_query_and_stop_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path());
        let (ready, _shutdown, running) = start(&config).await;
        for (page, expected) in [("health", "\"playing\":0"), ("ready", "ready"), ("metrics", "# EOF")] {
            let mut stream = TcpStream::connect(ready["ops"].as_str().unwrap()).await.unwrap();
            let request = format!("GET /{page} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).await.unwrap();
            assert!(text.starts_with("HTTP/1.1 200") && text.contains(expected), "{page}: {text}");
        }
        let backup = ControlCommand::Backup { file: Some("copy.db".into()) };
        for (command, expected) in [
            (ControlCommand::Who, r#"{"ok":true,"result":[]}"#),
            (
                ControlCommand::Netinfo { name: "Ada".to_owned() },
                r#"{"ok":false,"error":"no player named Ada is connected"}"#,
            ),
            (ControlCommand::DumpBranch { id: 9 }, r#"{"ok":false,"error":"there is no branch 9"}"#),
            (backup, r#"{"ok":false,"error":"copy.db is not an absolute path"}"#),
            (ControlCommand::Stop { after: Span::ZERO }, r#"{"ok":true,"result":null}"#),
        ] {
            let mut socket = tokio::net::UnixStream::connect(config.server.control_socket()).await.unwrap();
            let line = serde_json::to_string(&ControlRequest::new(command, None)).unwrap();
            socket.write_all(format!("{line}\n").as_bytes()).await.unwrap();
            let mut text = String::new();
            socket.read_to_string(&mut text).await.unwrap();
            assert_eq!(text.trim_end(), expected);
        }
        running.await.unwrap().unwrap();
    }
}
