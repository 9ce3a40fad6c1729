//! The log: text or JSON lines on standard error, filtered by `log.level` and `log.filter`. Each call site decides on
//! contents and level; secrets and private conversations are never logged.
//!
//! A dedicated thread writes the lines from a bounded queue. If standard error blocks or fails, lines are dropped, but
//! the server is not delayed. [`lines_dropped`] counts them. The last warnings and errors are kept for the staff page.

use super::config::{LogConfig, LogFormat};
use crate::net::clock;
use deepwell_core::base::unicode;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{panic, thread};
use tracing::field::{Field, Visit};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::{SubscriberInitExt as _, TryInitError};
use tracing_subscriber::{Layer as _, Registry, layer::SubscriberExt as _, reload};

/// Maximum wait for standard error to accept the last lines of the process.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Lines dropped because the queue was full or standard error failed.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Filter of the running log.
static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Name of this process, for the staff page.
static PROCESS: OnceLock<&'static str> = OnceLock::new();

/// Returns the name of this process: server, host or gateway.
pub fn process() -> &'static str {
    PROCESS.get().copied().unwrap_or("server")
}

/// Applies `log.level` and `log.filter` to the running log, if there is one.
pub fn apply_filter(config: &LogConfig) {
    if let Some(running) = FILTER.get()
        && let Err(error) = running.reload(filter(config))
    {
        tracing::error!(%error, "the filter of the log could not be replaced");
    }
}

/// Number of warnings and errors that are kept.
const WARNINGS_KEPT: usize = 50;

/// Maximum length of a kept line in characters.
const WARNING_CHARS: usize = 400;

/// Last warnings and errors, oldest first.
static WARNINGS: Mutex<VecDeque<Warning>> = Mutex::new(VecDeque::new());

/// Kept line of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// Process that wrote it.
    pub process: Cow<'static, str>,
    /// Time in seconds since 1970.
    pub at: i64,
    /// `WARN` or `ERROR`.
    pub level: Cow<'static, str>,
    /// Message and fields.
    pub text: String,
}

/// Returns the last warnings and errors, oldest first.
pub fn last_warnings() -> Vec<Warning> {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
}

/// Layer that keeps the last warnings and errors.
struct Warnings;

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Warnings {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        let level = event.metadata().level();
        if *level > tracing::Level::WARN {
            return;
        }
        let mut text = EventText::default();
        event.record(&mut text);
        let at = clock::wall().0 / 1_000;
        let text = text.0.chars().take(WARNING_CHARS).collect();
        let mut kept = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= WARNINGS_KEPT {
            kept.pop_front();
        }
        kept.push_back(Warning { process: process().into(), at, level: level.as_str().into(), text });
    }
}

/// Message and fields of an event.
#[derive(Default)]
struct EventText(String);

impl Visit for EventText {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let (space, name) = (if self.0.is_empty() { "" } else { " " }, field.name());
        // Writing to a string cannot fail.
        let _ = if name == "message" {
            write!(self.0, "{space}{value:?}")
        } else {
            write!(self.0, "{space}{name}={value:?}")
        };
    }
}

/// Returns the number of log lines dropped since the start.
pub fn lines_dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

fn count_dropped() {
    DROPPED.fetch_add(1, Ordering::Relaxed);
}

/// Message to the log thread.
enum LogMessage {
    /// A line to write.
    Line(Vec<u8>),
    /// Request to signal that all earlier lines are written.
    Flush(SyncSender<()>),
}

/// Sending end of the queue.
#[derive(Clone)]
struct LogQueue {
    lines: SyncSender<LogMessage>,
    /// Set if lines have colours. The library then writes escape sequences, and none that come from text.
    colours: bool,
}

impl Write for LogQueue {
    /// Queues a whole line, or drops and counts it; never blocks.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.lines.try_send(LogMessage::Line(one_line(line, self.colours))).is_err() {
            count_dropped();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Escapes what would end the line early or control a terminal, since messages contain text of peers and files.
fn one_line(record: &[u8], colours: bool) -> Vec<u8> {
    let record = String::from_utf8_lossy(record);
    let line = record.strip_suffix('\n').unwrap_or(&record).replace('\n', "\\n");
    let pieces = line.split(|c| colours && c == '\u{1b}').map(unicode::escape_unprintable);
    let mut line = pieces.collect::<Vec<_>>().join("\u{1b}");
    line.push('\n');
    line.into_bytes()
}

impl MakeWriter<'_> for LogQueue {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// The running log. Dropping it flushes the queue, for at most a second.
pub struct RunningLog(LogQueue);

impl Drop for RunningLog {
    fn drop(&mut self) {
        let (done, is_done) = mpsc::sync_channel(1);
        // If the queue is full, its reader is blocked and the lines are lost in any case.
        if self.0.lines.try_send(LogMessage::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(LAST_WORDS);
        }
    }
}

/// Writes to standard error before the process ends. Waits at most a second, so that a blocked reader cannot delay the
/// end.
pub fn last_words(message: String) {
    let (flushed, is_told) = mpsc::channel();
    thread::spawn(move || {
        // Standard error may be closed; the text is lost then.
        let _ = writeln!(io::stderr(), "{}", unicode::escape_unprintable(&message));
        let _ = flushed.send(());
    });
    let _ = is_told.recv_timeout(LAST_WORDS);
}

/// Starts logging for the whole process, which has this name.
///
/// # Errors
/// If logging was started before.
pub fn start(config: &LogConfig, process: &'static str) -> Result<RunningLog, TryInitError> {
    let (queue, queued) = mpsc::sync_channel(config.queue_lines as usize);
    let queue = LogQueue { lines: queue, colours: io::stderr().is_terminal() };
    let (filter, handle) = reload::Layer::new(filter(config));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(queue.clone())
        .log_internal_errors(false)
        .with_ansi(queue.colours);
    let lines = match config.format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(filter).with(lines).with(Warnings).try_init()?;
    // Logging starts once in a process.
    let _ = (FILTER.set(handle), PROCESS.set(process));
    let out = LogOutput { out: io::stderr(), format: config.format, reported: 0 };
    thread::spawn(move || write_lines(&queued, out));
    // The default hook writes to standard error directly and would block on its reader.
    panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    Ok(RunningLog(queue))
}

/// Writes queued lines until the process ends.
fn write_lines(queued: &Receiver<LogMessage>, mut lines: LogOutput<impl Write>) {
    while let Ok(message) = queued.recv() {
        match message {
            LogMessage::Line(line) => lines.write(&line),
            LogMessage::Flush(done) => {
                let _ = done.send(());
            }
        }
    }
}

/// Output of log lines, including the line that reports dropped ones.
struct LogOutput<W> {
    out: W,
    format: LogFormat,
    /// Dropped lines reported so far.
    reported: u64,
}

impl<W: Write> LogOutput<W> {
    /// Reports lines dropped since the last report, if any.
    fn report_dropped(&mut self, dropped: u64) {
        let new = dropped.saturating_sub(self.reported);
        if new == 0 {
            return;
        }
        let report = match self.format {
            LogFormat::Text => writeln!(self.out, "WARN {new} log lines were dropped"),
            LogFormat::Json => {
                let line = serde_json::json!({
                    "level": "WARN", "message": "log lines were dropped", "lines": new,
                });
                writeln!(self.out, "{line}")
            }
        };
        if report.is_ok() {
            self.reported = dropped;
        }
    }

    /// Writes a line, or counts it as dropped.
    fn write(&mut self, line: &[u8]) {
        self.report_dropped(lines_dropped());
        if self.out.write_all(line).is_err() {
            count_dropped();
        }
    }
}

fn filter(config: &LogConfig) -> Targets {
    let level = config.level.filter();
    let all = Targets::new().with_default(level);
    // Its library logs every connection.
    let quiet =
        if level > LevelFilter::INFO { all } else { all.with_target("async_nats", LevelFilter::WARN) };
    quiet.with_targets(config.filter.directives())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::config::{LogFilter, LogLevel};

    #[test]
    fn dropped_lines_are_reported_once() {
        let mut lines = LogOutput { out: Vec::new(), format: LogFormat::Text, reported: 0 };
        lines.report_dropped(0);
        lines.report_dropped(3);
        lines.report_dropped(3);
        lines.report_dropped(5);
        let text = String::from_utf8(lines.out).unwrap();
        assert_eq!(text, "WARN 3 log lines were dropped\nWARN 2 log lines were dropped\n");
    }

    #[test]
    fn a_full_queue_drops_and_counts_lines_without_waiting() {
        let (queue, queued) = mpsc::sync_channel(2);
        let mut queue = LogQueue { lines: queue, colours: false };
        let before = lines_dropped();
        for _ in 0..5 {
            queue.write_all(b"a line\n").unwrap();
        }
        assert!(lines_dropped() >= before + 3);
        drop(RunningLog(queue));
        assert_eq!(queued.try_iter().count(), 2, "nothing waits for a reader that does not read");
    }

    #[test]
    fn t6_record_is_one_printable_line_with_or_without_colours() {
        let forged = "\u{1b}[33mWARN\u{1b}[0m lost: x\n2030 INFO forged\r\u{7}\u{9b}2J\u{202e}\n".as_bytes();
        let line = |colours| String::from_utf8(one_line(forged, colours)).unwrap();
        let text = r"lost: x\n2030 INFO forged\u000d\u0007\u009b2J\u202e";
        assert_eq!(line(true), format!("\u{1b}[33mWARN\u{1b}[0m {text}\n"));
        assert_eq!(line(false), format!(r"\u001b[33mWARN\u001b[0m {text}") + "\n");
    }

    #[test]
    fn last_warnings_and_errors_are_kept_whole() {
        let subscriber = tracing_subscriber::registry().with(Warnings);
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!("not kept");
            for secs in 0..WARNINGS_KEPT + 5 {
                tracing::warn!(secs, "the disk is not responding");
            }
            tracing::error!("{}", "long ".repeat(WARNING_CHARS));
        });
        let kept = last_warnings();
        assert_eq!(kept.len(), WARNINGS_KEPT);
        let last = &kept[WARNINGS_KEPT - 1];
        assert_eq!((last.level.as_ref(), last.text.chars().count()), ("ERROR", WARNING_CHARS));
        let before = &kept[WARNINGS_KEPT - 2];
        let text = format!("the disk is not responding secs={}", WARNINGS_KEPT + 4);
        assert_eq!((before.level.as_ref(), &before.text), ("WARN", &text));
    }

    #[test]
    fn unwritable_line_is_counted_without_error() {
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
        let mut lines = LogOutput { out: Full, format: LogFormat::Json, reported: before };
        lines.write(b"a line\n");
        assert!(lines_dropped() > before);
    }

    #[test]
    fn filter_directives_override_the_level() {
        let filter_of = LogFilter::parse("deepwell::net=debug").unwrap();
        let config = LogConfig { level: LogLevel::Warn, filter: filter_of, ..LogConfig::default() };
        assert_eq!(filter(&config).to_string(), "deepwell::net=debug,async_nats=warn,warn");
        assert_eq!(filter(&LogConfig::default()).to_string(), "async_nats=warn,info");
    }

    #[test]
    fn directives_name_a_module_and_a_level() {
        let directives = |text| LogFilter::parse(text).map(|filter| filter.directives().count());
        assert_eq!(directives(""), Some(0));
        assert_eq!(directives("deepwell::net=debug, sqlx=off,"), Some(2));
        for directive in ["deepwell", "=debug", "deepwell=loud", "a b=info", "a=info=warn"] {
            assert_eq!(directives(directive), None, "{directive}");
        }
    }
}
