//! Start and stop: signals, announced shutdown, `ready.json`, and the owner token of a new world.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rand::TryRng as _;
use rand::rngs::SysRng;
use serde::Serialize;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::server::files::atomic_file::{remove_if_there, replace_file};
use crate::server::game_loop::question::{GameQuestion, PATIENCE, Problem, ask};
use crate::server::start::next_start::{NextStart, WouldFail};
use deepwell_core::base::Span;

/// Last notice to clients.
pub(in crate::server) const LAST_WORDS: &str =
    "The server stops now. Your character is safe; come back when the well is open again.";

/// Shutdown signals: graceful, or without waiting for clients.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    /// Requests a graceful shutdown: notify clients, write all changes, end.
    pub stop: CancellationToken,
    /// Requests not to wait for clients.
    pub hurry: CancellationToken,
    /// Set before `stop` if the process is to start again.
    pub restart: CancellationToken,
    /// Set at the first signal to stop, which counts more than a restart in progress.
    pub signalled: CancellationToken,
}

impl Shutdown {
    /// Stops at the first SIGTERM or SIGINT, and stops waiting for clients at the second. As process 1 of a container,
    /// the server must install handlers for these signals to have an effect.
    pub fn on_signals(&self) -> io::Result<()> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let shutdown = self.clone();
        tokio::spawn(async move {
            for token in [&shutdown.stop, &shutdown.hurry] {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                shutdown.signalled.cancel();
                token.cancel();
            }
        });
        Ok(())
    }
}

/// Reason why a host does not restart now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotRestarted {
    /// The game loop does not answer.
    #[error("the world does not answer")]
    NoAnswer,
    /// Changes would be lost or unwritten.
    #[error("{}", .0.words())]
    Unhealthy(Problem),
    /// The host has begun to stop.
    #[error("the host is stopping")]
    Stopping,
    /// The next start would fail.
    #[error("{0}")]
    WouldFail(String),
}

impl From<WouldFail> for NotRestarted {
    fn from(why: WouldFail) -> Self {
        Self::WouldFail(why.to_string())
    }
}

/// Restarts a host.
#[derive(Clone, Debug)]
pub struct Restarter {
    shutdown: Shutdown,
    questions: mpsc::Sender<GameQuestion>,
    next: NextStart,
    /// Held during a check of the next start, so that there is one at a time.
    checking: Arc<Mutex<()>>,
}

impl Restarter {
    /// Creates a restarter; `questions` leads to the game loop.
    pub(in crate::server) fn new(
        shutdown: Shutdown,
        questions: mpsc::Sender<GameQuestion>,
        next: NextStart,
    ) -> Self {
        Self { shutdown, questions, next, checking: Arc::default() }
    }

    /// Requests a restart. The game continues while the next start is checked.
    ///
    /// # Errors
    /// If the host could not start again, or has begun to stop.
    pub async fn restart(&self) -> Result<(), NotRestarted> {
        let _alone = self.checking.lock().await;
        self.require_health().await?;
        self.next.check().await?;
        // The check may have taken a while.
        self.require_health().await?;
        if self.shutdown.stop.is_cancelled() {
            return Err(NotRestarted::Stopping);
        }
        tracing::info!("restart requested");
        self.shutdown.restart.cancel();
        self.shutdown.stop.cancel();
        Ok(())
    }

    /// Returns `true` if a restart has begun.
    pub(in crate::server) fn has_begun(&self) -> bool {
        self.shutdown.restart.is_cancelled()
    }

    /// Refuses while changes would be lost or unwritten.
    async fn require_health(&self) -> Result<(), NotRestarted> {
        let status = ask(&self.questions, GameQuestion::Status, PATIENCE).await;
        let status = status.map_err(|_| NotRestarted::NoAnswer)?;
        if let Some(problem) = status.obstacle() {
            return Err(NotRestarted::Unhealthy(problem));
        }
        Ok(())
    }

    /// Restarts at each of these signals.
    pub fn restart_at(self, mut requested: Signal) {
        tokio::spawn(async move {
            while requested.recv().await.is_some() {
                if let Err(why) = self.restart().await {
                    tracing::warn!(%why, "not restarted");
                }
            }
        });
    }
}

/// Stops the server after a delay that is announced to players.
#[derive(Clone, Debug)]
pub struct Stopper {
    stop: CancellationToken,
    questions: mpsc::Sender<GameQuestion>,
}

impl Stopper {
    /// Creates a stopper; announcements are sent through `questions`.
    pub const fn new(stop: CancellationToken, questions: mpsc::Sender<GameQuestion>) -> Self {
        Self { stop, questions }
    }

    /// Starts a countdown. If several are active, the first to end stops the server.
    pub fn stop_in(&self, after: Span) {
        tracing::info!(after_ms = after.0, "stop requested");
        let stopper = self.clone();
        tokio::spawn(async move {
            for (left, pause) in countdown(after) {
                let (notice, _) = oneshot::channel();
                let message = format!("The server stops in {left}.");
                // Fails only if the game loop has ended, and the server stops in that case.
                let _ = stopper.questions.send(GameQuestion::Broadcast(message, notice)).await;
                tokio::time::sleep(pause).await;
            }
            stopper.stop.cancel();
        });
    }
}

/// Returns the remaining times to announce, each with the pause after it.
fn countdown(after: Span) -> Vec<(Span, Duration)> {
    const MARKS: &[Span] = &[Span::mins(60), Span::mins(15), Span::mins(5), Span::mins(1), Span::secs(10)];
    let mut marks: Vec<Span> = MARKS.iter().copied().filter(|mark| *mark < after).collect();
    if after > Span::ZERO {
        marks.insert(0, after);
    }
    let ends = marks.iter().skip(1).copied().chain([Span::ZERO]);
    let pause = |from: Span, to: Span| Duration::from_millis(u64::try_from(from.0 - to.0).unwrap_or(0));
    marks.iter().zip(ends).map(|(&from, to)| (from, pause(from, to))).collect()
}

/// Contents of `ready.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Ready {
    /// Process id.
    pub pid: u32,
    /// Address for telnet.
    pub telnet: SocketAddr,
    /// Address for telnet over TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telnet_tls: Option<SocketAddr>,
    /// Address for HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<SocketAddr>,
    /// Address of the operators' endpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops: Option<SocketAddr>,
}

/// File that exists while players can log in; removed on drop.
#[derive(Debug)]
pub struct ReadyFile {
    path: PathBuf,
}

impl ReadyFile {
    /// Writes the file atomically.
    pub fn write(path: &Path, ready: &impl Serialize) -> io::Result<Self> {
        let mut text = serde_json::to_vec(ready)?;
        text.push(b'\n');
        replace_file(path, 0o644, &text)?;
        Ok(Self { path: path.to_owned() })
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        // The operator may have removed it; other errors cannot be handled during shutdown.
        let _ = remove_if_there(&self.path);
    }
}

/// Generates a random token that can be read aloud: 16 letters and digits without look-alikes, 80 bits.
pub fn generate_owner_token() -> Result<String, rand::rngs::SysError> {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Generates a random number, such as the seed of a new world for which the operator set none.
pub fn generate_number() -> Result<u64, rand::rngs::SysError> {
    let mut bytes = [0; 8];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn o1_planned_stop_is_announced_and_on_time() {
        let plan = countdown(Span::secs(90));
        let marks: Vec<_> = plan.iter().map(|(left, _)| left.to_string()).collect();
        assert_eq!(marks, ["90 seconds", "60 seconds", "10 seconds"]);
        assert_eq!(plan.iter().map(|(_, pause)| *pause).sum::<Duration>(), Duration::from_secs(90));
        assert!(countdown(Span::ZERO).is_empty());
    }

    #[test]
    fn ready_file_lists_addresses_and_is_removed_on_drop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ready.json");
        let telnet = "127.0.0.1:4000".parse().unwrap();
        let ready = Ready { pid: 7, telnet, telnet_tls: None, http: None, ops: None };
        let file = ReadyFile::write(&path, &ready).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"pid\":7,\"telnet\":\"127.0.0.1:4000\"}\n");
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn tokens_differ_and_can_be_read_aloud() {
        let (one, two) = (generate_owner_token().unwrap(), generate_owner_token().unwrap());
        assert!(one != two && one.len() == 16 && !one.contains(['0', 'O', '1', 'I']));
    }
}
