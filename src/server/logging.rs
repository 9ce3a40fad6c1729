//! The log: human or JSON lines on standard error, filtered by `log.level` and `log.filter`.
//! What is logged, and at which level, is decided where it happens; secrets and private speech never are.
//!
//! A thread of its own writes the lines out of a bounded queue, so that a log that cannot be written, or whose reader
//! does not read, costs lines and nothing else. [`lines_dropped`] counts them.

use super::config::{LogConfig, LogFormat};
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// Longest wait for standard error to take the last words of the program.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Lines that found the queue full, or that standard error did not take.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Number of log lines that were dropped since the start.
pub fn lines_dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

fn count_dropped() {
    DROPPED.fetch_add(1, Ordering::Relaxed);
}

/// Message to the thread of the log.
enum Message {
    /// A line to write.
    Line(Vec<u8>),
    /// Everything before this is written: say so.
    Flush(SyncSender<()>),
}

/// The way into the queue.
#[derive(Clone)]
struct Queue(SyncSender<Message>);

impl Write for Queue {
    /// Queues a whole line, or drops and counts it; never waits.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.0.try_send(Message::Line(line.to_vec())).is_err() {
            count_dropped();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Queue {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// The running log. Dropping it waits until what is queued is written, for at most a second.
pub struct Log(Queue);

impl Drop for Log {
    fn drop(&mut self) {
        let (done, is_done) = mpsc::sync_channel(1);
        // A full queue has a reader that does not read: its lines are lost either way.
        if self.0.0.try_send(Message::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(LAST_WORDS);
        }
    }
}

/// Writes to standard error before the program ends, for at most a second: a reader that does not read must not hold up
/// the end.
pub fn last_words(words: String) {
    let (told, is_told) = mpsc::channel();
    thread::spawn(move || {
        // Nothing is left to do if standard error is closed.
        let _ = writeln!(io::stderr(), "{words}");
        let _ = told.send(());
    });
    let _ = is_told.recv_timeout(LAST_WORDS);
}

/// Starts logging for the whole process.
///
/// # Errors
/// If logging was started before.
pub fn start(config: &LogConfig) -> Result<Log, TryInitError> {
    let (queue, queued) = mpsc::sync_channel(config.queue_lines as usize);
    let queue = Queue(queue);
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter(config))
        .with_writer(queue.clone())
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    match config.format {
        LogFormat::Text => lines.with_target(false).finish().try_init()?,
        LogFormat::Json => lines.json().flatten_event(true).finish().try_init()?,
    }
    let out = Lines { out: io::stderr(), format: config.format, told: 0 };
    thread::spawn(move || write_lines(&queued, out));
    // The usual hook writes to standard error itself, and waits for its reader.
    panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    Ok(Log(queue))
}

/// Writes what is queued, for as long as the process lives.
fn write_lines(queued: &Receiver<Message>, mut lines: Lines<impl Write>) {
    while let Ok(message) = queued.recv() {
        match message {
            Message::Line(line) => lines.write(&line),
            Message::Flush(done) => {
                let _ = done.send(());
            }
        }
    }
}

/// Lines on their way out, and the line that tells how many were dropped.
struct Lines<W> {
    out: W,
    format: LogFormat,
    /// Dropped lines that were told of.
    told: u64,
}

impl<W: Write> Lines<W> {
    /// Tells of lines that were dropped since this was told last, if any were.
    fn tell_dropped(&mut self, dropped: u64) {
        let new = dropped.saturating_sub(self.told);
        if new == 0 {
            return;
        }
        let told = match self.format {
            LogFormat::Text => writeln!(self.out, "WARN {new} log lines were dropped"),
            LogFormat::Json => {
                let line = serde_json::json!({
                    "level": "WARN", "message": "log lines were dropped", "lines": new,
                });
                writeln!(self.out, "{line}")
            }
        };
        if told.is_ok() {
            self.told = dropped;
        }
    }

    /// Writes a line, or counts it as dropped.
    fn write(&mut self, line: &[u8]) {
        self.tell_dropped(lines_dropped());
        if self.out.write_all(line).is_err() {
            count_dropped();
        }
    }
}

fn filter(config: &LogConfig) -> EnvFilter {
    let (level, exceptions) = (config.level.name(), config.filter.as_str());
    let gap = if exceptions.is_empty() { "" } else { "," };
    EnvFilter::builder().parse_lossy(format!("{level}{gap}{exceptions}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::config::{LogFilter, LogLevel};

    #[test]
    fn dropped_lines_are_told_once_when_lines_flow_again() {
        let mut lines = Lines { out: Vec::new(), format: LogFormat::Text, told: 0 };
        lines.tell_dropped(0);
        lines.tell_dropped(3);
        lines.tell_dropped(3);
        lines.tell_dropped(5);
        let told = String::from_utf8(lines.out).unwrap();
        assert_eq!(told, "WARN 3 log lines were dropped\nWARN 2 log lines were dropped\n");
    }

    #[test]
    fn a_full_queue_drops_and_counts_lines_without_waiting() {
        let (queue, queued) = mpsc::sync_channel(2);
        let mut queue = Queue(queue);
        let before = lines_dropped();
        for _ in 0..5 {
            queue.write_all(b"a line\n").unwrap();
        }
        assert!(lines_dropped() >= before + 3);
        drop(Log(queue));
        assert_eq!(queued.try_iter().count(), 2, "nothing waits for a reader that does not read");
    }

    #[test]
    fn a_line_that_cannot_be_written_is_counted_and_is_no_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::StorageFull.into())
            }
        }
        let before = lines_dropped();
        let mut lines = Lines { out: Full, format: LogFormat::Json, told: before };
        lines.write(b"a line\n");
        assert!(lines_dropped() > before);
    }

    #[test]
    fn exceptions_win_over_the_level() {
        let filter_of = LogFilter::parse("deepwell::net=debug").unwrap();
        let config = LogConfig { level: LogLevel::Warn, filter: filter_of, ..LogConfig::default() };
        assert_eq!(filter(&config).to_string(), "deepwell::net=debug,warn");
        assert_eq!(filter(&LogConfig::default()).to_string(), "info");
    }
}
