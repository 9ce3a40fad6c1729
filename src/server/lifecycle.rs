//! Starting and stopping as the outside sees them: signals, the announced stop, the file that says "ready", and the
//! token of a fresh world.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::TryRng as _;
use rand::rngs::SysRng;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::base::Span;
use crate::server::question::Question;
use crate::server::replace::{remove_if_there, replace_file};

/// How a stop is asked for: politely, or without waiting for anybody.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    /// Finish, tell everybody, write everything, end.
    pub stop: CancellationToken,
    /// Wait for no client.
    pub hurry: CancellationToken,
}

impl Shutdown {
    /// Stops at SIGTERM or SIGINT, hurries at the second. Catching them is also what makes them work for process 1.
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
                token.cancel();
            }
        });
        Ok(())
    }
}

/// Stops the server after a time that players are told of.
#[derive(Clone, Debug)]
pub struct Stopper {
    stop: CancellationToken,
    questions: mpsc::Sender<Question>,
}

impl Stopper {
    /// Announces through the driver's questions.
    pub const fn new(stop: CancellationToken, questions: mpsc::Sender<Question>) -> Self {
        Self { stop, questions }
    }

    /// Starts the countdown. If several run, the first to end stops the server.
    pub fn stop_in(&self, after: Span) {
        tracing::info!(after_ms = after.0, "a stop was asked for");
        let stopper = self.clone();
        tokio::spawn(async move {
            for (left, pause) in countdown(after) {
                let (told, _) = oneshot::channel();
                let words = format!("The server stops in {left}.");
                // Without a driver the server stops anyway.
                let _ = stopper.questions.send(Question::Broadcast(words, told)).await;
                tokio::time::sleep(pause).await;
            }
            stopper.stop.cancel();
        });
    }
}

/// What to announce, and how long to wait after each.
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

/// The body of `ready.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Ready {
    /// The process.
    pub pid: u32,
    /// Where players connect.
    pub telnet: SocketAddr,
    /// Where they connect by TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telnet_tls: Option<SocketAddr>,
    /// Where browsers connect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<SocketAddr>,
    /// Where operators look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops: Option<SocketAddr>,
}

/// The file that is there as long as players can log in.
#[derive(Debug)]
pub struct ReadyFile {
    path: PathBuf,
}

impl ReadyFile {
    /// Writes it whole or not at all.
    pub fn write(path: &Path, ready: &Ready) -> io::Result<Self> {
        let mut text = serde_json::to_vec(ready)?;
        text.push(b'\n');
        replace_file(path, 0o644, &text)?;
        Ok(Self { path: path.to_owned() })
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        // Somebody may have removed it already; there is nobody left to tell of anything else.
        let _ = remove_if_there(&self.path);
    }
}

/// A token that nobody guesses and that can be read aloud: 16 letters and digits without look-alikes, 80 bits.
pub fn draw_token() -> Result<String, rand::rngs::SysError> {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// A seed for a fresh world whose operator chose none.
pub fn draw_seed() -> Result<u64, rand::rngs::SysError> {
    let mut bytes = [0; 8];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn o1_a_planned_stop_is_announced_earlier_and_comes_on_time() {
        let plan = countdown(Span::secs(90));
        let marks: Vec<_> = plan.iter().map(|(left, _)| left.to_string()).collect();
        assert_eq!(marks, ["90 seconds", "60 seconds", "10 seconds"]);
        assert_eq!(plan.iter().map(|(_, pause)| *pause).sum::<Duration>(), Duration::from_secs(90));
        assert!(countdown(Span::ZERO).is_empty());
    }

    #[test]
    fn the_ready_file_names_bound_addresses_and_goes_with_the_server() {
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
        let (one, two) = (draw_token().unwrap(), draw_token().unwrap());
        assert!(one != two && one.len() == 16 && !one.contains(['0', 'O', '1', 'I']));
    }
}
