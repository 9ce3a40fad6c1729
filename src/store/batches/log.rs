//! Writes committed batches to the files of the log, on a separate thread: a folder that is full, gone or slow makes
//! the log incomplete and delays nothing else.

use super::BatchPlace;
use super::segment::{
    BatchFrame, NextFrame, SegmentHeader, SegmentReader, files_in, path_of, size_of, write_frame,
};
use crate::store::{Batch, batch_format};
use deepwell_core::base::{GameTime, Span};
use std::fs::{File, OpenOptions, remove_file};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use std::{io, thread};
use tokio::sync::oneshot;

/// Size from which on a new file is begun.
const FILE_BYTES: u64 = 16 << 20;
/// Maximum number of batches that wait to be written.
const QUEUE: usize = 1_024;
/// Maximum length of the batches that wait to be written.
const QUEUE_BYTES: u64 = 64 << 20;
/// Longest time until a batch is synced.
const SYNC: Duration = Duration::from_secs(1);
/// World time between a failure and the next try.
const RETRY: Span = Span::secs(1);

/// Handle to the log.
#[derive(Clone, Debug)]
pub struct BatchLog {
    jobs: SyncSender<BatchLogJob>,
    shared: Arc<BatchLogStatus>,
}

#[derive(Debug, Default)]
struct BatchLogStatus {
    /// Set while batches cannot be written.
    is_failing: AtomicBool,
    /// Set if a batch is missing since the last backup began.
    has_gap: AtomicBool,
    /// Number of batches written since the start.
    logged: AtomicU64,
    dropped: AtomicU64,
    waiting_bytes: AtomicU64,
    /// Size of the files of the log.
    bytes: AtomicU64,
}

enum BatchLogJob {
    Batch(BatchPlace, BatchPlace, Batch),
    Sync(oneshot::Sender<()>),
}

/// Numbers of the batches of a store, and their log.
#[derive(Debug)]
pub(in crate::store) struct Numbered {
    /// Place of the last batch.
    pub(in crate::store) place: BatchPlace,
    /// Writer of the next one.
    pub(in crate::store) writer: u64,
    pub(in crate::store) log: BatchLog,
}

impl Numbered {
    /// Returns the place of the next batch.
    pub(in crate::store) const fn next(&self) -> BatchPlace {
        BatchPlace { sequence: self.place.sequence + 1, writer: self.writer }
    }

    /// Logs a batch that was committed at the next place.
    pub(in crate::store) fn append(&mut self, batch: Batch) {
        let next = self.next();
        self.log.append(self.place, next, batch);
        self.place = next;
    }
}

impl BatchLog {
    /// Starts the thread. `place` is that of the last batch in the database.
    pub(in crate::store) fn start(folder: PathBuf, place: BatchPlace) -> io::Result<Self> {
        let (jobs, waiting) = sync_channel(QUEUE);
        let shared = Arc::<BatchLogStatus>::default();
        let thread = LogThread {
            folder,
            shared: Arc::clone(&shared),
            last: None,
            file: None,
            unsynced: false,
            retry_at: GameTime(0),
        };
        thread::Builder::new().name("batch log".to_owned()).spawn(move || thread.run(place, &waiting))?;
        Ok(Self { jobs, shared })
    }

    fn append(&self, after: BatchPlace, place: BatchPlace, batch: Batch) {
        let bytes = batch.bytes();
        let waiting = self.shared.waiting_bytes.fetch_add(bytes, Ordering::Relaxed);
        let sent =
            waiting <= QUEUE_BYTES && self.jobs.try_send(BatchLogJob::Batch(after, place, batch)).is_ok();
        if !sent {
            self.shared.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.shared.note_dropped("the disk or network of the folder is too slow");
        }
    }

    /// Waits until all batches are written and synced, as far as that is possible.
    pub(in crate::store) async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.jobs.try_send(BatchLogJob::Sync(done)).is_ok() {
            // An error means that the thread has ended.
            let _ = flushed.await;
        }
    }

    /// Returns `true` while batches cannot be written.
    pub(crate) fn is_failing(&self) -> bool {
        self.shared.is_failing.load(Ordering::Relaxed)
    }

    /// Number of batches that were written since the start.
    pub(crate) fn logged(&self) -> u64 {
        self.shared.logged.load(Ordering::Relaxed)
    }

    /// Size of the files of the log in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.shared.bytes.load(Ordering::Relaxed)
    }

    /// Takes note of the size of the files in a folder, after some have been deleted.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn measure(&self, folder: &Path) -> io::Result<()> {
        self.shared.bytes.store(size_of(folder)?, Ordering::Relaxed);
        Ok(())
    }

    /// Number of batches that are missing in the log since the start.
    pub(crate) fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// Returns `true` if a batch is missing, so that a new backup is needed.
    pub(crate) fn has_gap(&self) -> bool {
        self.shared.has_gap.load(Ordering::Relaxed)
    }

    /// Returns the same once, as a new backup begins.
    pub(crate) fn take_gap(&self) -> bool {
        self.shared.has_gap.swap(false, Ordering::Relaxed)
    }

    /// Notes that the new backup was not made.
    pub(crate) fn put_gap_back(&self) {
        self.shared.has_gap.store(true, Ordering::Relaxed);
    }
}

impl BatchLogStatus {
    fn note_dropped(&self, why: &str) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        if !self.is_failing.swap(true, Ordering::Relaxed) {
            tracing::error!(why, "batches cannot be logged; play goes on");
        }
    }
}

/// State of the thread.
struct LogThread {
    folder: PathBuf,
    shared: Arc<BatchLogStatus>,
    /// Last batch in the log; `None` if that is not known.
    last: Option<BatchPlace>,
    file: Option<(File, u64)>,
    unsynced: bool,
    /// World time before which the folder is not tried again after a failure.
    retry_at: GameTime,
}

impl LogThread {
    fn run(mut self, place: BatchPlace, jobs: &Receiver<BatchLogJob>) {
        self.last = last_place(&self.folder).ok().flatten();
        if self.last != Some(place) {
            self.shared.has_gap.store(true, Ordering::Relaxed);
        }
        self.shared.bytes.store(size_of(&self.folder).unwrap_or(0), Ordering::Relaxed);
        let mut synced_at = GameTime::default();
        loop {
            match jobs.recv_timeout(SYNC) {
                Ok(BatchLogJob::Batch(after, place, batch)) => {
                    self.shared.waiting_bytes.fetch_sub(batch.bytes(), Ordering::Relaxed);
                    let at = batch.time();
                    self.take(after, place, batch);
                    if u128::try_from(at.since(synced_at).0).is_ok_and(|passed| passed >= SYNC.as_millis()) {
                        self.sync();
                        synced_at = at;
                    }
                }
                Ok(BatchLogJob::Sync(done)) => {
                    self.sync();
                    // The store may have given up.
                    let _ = done.send(());
                }
                Err(RecvTimeoutError::Timeout) => self.sync(),
                Err(RecvTimeoutError::Disconnected) => return self.sync(),
            }
        }
    }

    fn take(&mut self, after: BatchPlace, place: BatchPlace, batch: Batch) {
        let at = batch.time();
        if at < self.retry_at {
            self.shared.note_dropped("the last try has just failed");
        } else if let Err(error) = self.write(after, place, batch) {
            (self.file, self.retry_at) = (None, at + RETRY);
            self.shared.note_dropped(&error.to_string());
        } else if self.shared.is_failing.swap(false, Ordering::Relaxed) {
            tracing::info!("batches are logged again");
        }
    }

    fn write(&mut self, after: BatchPlace, place: BatchPlace, batch: Batch) -> io::Result<()> {
        let continues = self.last == Some(after);
        let fits = self.file.as_ref().is_some_and(|(_, bytes)| *bytes < FILE_BYTES);
        if !continues || !fits || after.writer != place.writer {
            self.sync();
            let (file, bytes) = begin(&self.folder, after, place, batch.time())?;
            self.shared.bytes.fetch_add(bytes, Ordering::Relaxed);
            self.file = Some((file, bytes));
        }
        if !continues {
            self.shared.has_gap.store(true, Ordering::Relaxed);
        }
        let Some((file, bytes)) = &mut self.file else { return Ok(()) };
        let record = BatchFrame { sequence: place.sequence, at: batch.time(), batch };
        let written = write_frame(file, &record)?;
        *bytes += written;
        self.shared.bytes.fetch_add(written, Ordering::Relaxed);
        self.shared.logged.fetch_add(1, Ordering::Relaxed);
        self.last = Some(place);
        self.unsynced = true;
        Ok(())
    }

    fn sync(&mut self) {
        let Some((file, _)) = self.file.as_ref().filter(|_| self.unsynced) else { return };
        if let Err(error) = file.sync_data() {
            self.shared.note_dropped(&error.to_string());
            // What was not synced may be missing.
            (self.file, self.last) = (None, None);
        }
        self.unsynced = false;
    }
}

/// Begins a file.
fn begin(folder: &Path, after: BatchPlace, first: BatchPlace, at: GameTime) -> io::Result<(File, u64)> {
    let path = path_of(folder, at, first);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let header = SegmentHeader { format: batch_format(), writer: first.writer, after };
    let begun = write_frame(&mut file, &header).and_then(|bytes| {
        File::open(folder)?.sync_all()?;
        Ok(bytes)
    });
    // A full disk must not fill up with empty files.
    let bytes = begun.inspect_err(|_| _ = remove_file(&path))?;
    Ok((file, bytes))
}

/// Returns the place of the last batch in a folder.
fn last_place(folder: &Path) -> io::Result<Option<BatchPlace>> {
    let Some(path) = files_in(folder)?.pop() else { return Ok(None) };
    let mut reader = SegmentReader::open(&path)?;
    let Some(header) = reader.header()? else { return Ok(None) };
    let mut last = header.after;
    while let NextFrame::Frame(record) = reader.record()? {
        last = BatchPlace { sequence: record.sequence, writer: header.writer };
    }
    Ok(Some(last))
}
