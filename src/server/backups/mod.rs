//! Backups that the running server makes: on a schedule, or when an operator asks for one. A backup is a copy by a
//! separate connection, checked row by row on a blocking thread, so that neither the game nor the writer waits for it.
//! A failure is logged, counted and shown in the status; play continues.

mod folder;
mod hook;
mod retention;
mod schedule;
pub(super) mod status;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::net::Clock;
use crate::server::config::BackupConfig;
use crate::server::game_loop::question::{Problem, Status};
use crate::store::{self, BatchLog, StoreError};
use deepwell_core::base::{GameTime, Span};

pub(in crate::server) use folder::{BackupFile, list};
use retention::Retention;
use schedule::Schedule;
use status::BackupStatus;

/// Longest time between two checks whether backups are late.
const LATE_CHECK: Span = Span::mins(1);

/// Time between two checks whether batches are missing in the log, and after a backup that failed.
const GAP_CHECK: Duration = Duration::from_secs(2);
const GAP_RETRY: Duration = Duration::from_mins(1);

/// Reason why no backup was made.
#[derive(Debug, thiserror::Error)]
pub enum NotMade {
    /// There is no folder for backups.
    #[error("backup.folder is \"off\": name a file, or set the folder")]
    NoFolder,
    /// The folder is not there, perhaps because its file system is not mounted.
    #[error("backup.folder: {} is not a folder; mount or create it", .0.display())]
    Missing(PathBuf),
    /// The copy failed, or is not sound.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Handle to the backups of a server.
#[derive(Clone, Debug)]
pub(in crate::server) struct Backups(Arc<SharedBackups>);

#[derive(Debug)]
struct SharedBackups {
    config: BackupConfig,
    database: PathBuf,
    clock: Clock,
    batches: Option<BatchLog>,
    state: Mutex<BackupState>,
    /// Held while a backup is made.
    turn: tokio::sync::Mutex<()>,
    /// Notified when the schedule has changed.
    changed: Notify,
}

#[derive(Debug)]
struct BackupState {
    schedule: Schedule,
    status: BackupStatus,
    /// Set if the last run of the hook failed.
    hook_failed: bool,
    /// Set while a log line about lateness is in effect.
    told_late: bool,
}

/// A sound backup.
struct MadeBackup {
    file: PathBuf,
    bytes: u64,
}

impl Backups {
    /// Creates the backups of a server; [`run`](Self::run) makes them.
    pub(in crate::server) fn new(
        config: &BackupConfig,
        database: PathBuf,
        clock: Clock,
        batches: Option<BatchLog>,
    ) -> Self {
        let state = BackupState {
            schedule: Schedule::begin(config.every, clock.now(), Some(Span::ZERO)),
            status: BackupStatus::default(),
            hook_failed: false,
            told_late: false,
        };
        Self(Arc::new(SharedBackups {
            config: config.clone(),
            database,
            clock,
            batches,
            state: Mutex::new(state),
            turn: tokio::sync::Mutex::default(),
            changed: Notify::new(),
        }))
    }

    /// Returns the backups of a process that makes none.
    pub(in crate::server) fn off(clock: Clock) -> Self {
        Self::new(&BackupConfig::default(), PathBuf::new(), clock, None)
    }

    /// Makes backups on schedule until the server stops. The end of the process would cut off a later backup, which would
    /// leave an incomplete file.
    pub(in crate::server) async fn run(self, stop: CancellationToken) {
        let Some(folder) = self.0.config.folder.clone() else { return };
        self.read_newest(folder).await;
        self.look_for_gap().await;
        tokio::join!(
            self.make_on_schedule(&stop),
            self.watch_for_lateness(&stop),
            self.watch_for_gaps(&stop)
        );
    }

    /// Finds the newest backup, from which the schedule continues.
    async fn read_newest(&self, folder: PathBuf) {
        let found = spawn_blocking(move || list(&folder)).await;
        let newest = found.ok().and_then(Result::ok).and_then(|mut files| files.pop());
        let (now, wall) = (self.0.clock.now(), self.0.clock.wall());
        let age = newest.as_ref().map(|newest| wall.since(newest.at));
        let mut state = self.state();
        state.schedule = Schedule::begin(self.0.config.every, now, age);
        if let Some(newest) = newest {
            state.status.last_success_seconds = newest.at.0 / 1_000;
            state.status.bytes = newest.bytes;
            state.status.file = Some(newest.path.display().to_string());
        }
    }

    async fn make_on_schedule(&self, stop: &CancellationToken) {
        loop {
            let Some(next) = self.state().schedule.next() else { return };
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = sleep_until(self.0.clock.instant(next)) => {}
                // An operator has asked for a backup.
                () = self.0.changed.notified() => continue,
            }
            // The failure has been logged.
            let _ = self.make().await;
        }
    }

    /// Logs a warning when backups become late, also while one takes too long.
    async fn watch_for_lateness(&self, stop: &CancellationToken) {
        let Some(every) = self.0.config.every else { return };
        let pause = Duration::from_millis(every.min(LATE_CHECK).0.unsigned_abs());
        while stop.run_until_cancelled(sleep(pause)).await.is_some() {
            let mut state = self.state();
            let is_late = state.schedule.is_late(self.0.clock.now());
            if is_late && !state.told_late {
                let every = every.to_string();
                tracing::warn!(every, "no backup has been made for longer than twice the interval");
            }
            state.told_late = is_late;
        }
    }

    /// Takes note of batches that are missing in the log after the newest backup, such as those of a server that was
    /// stopped before it could make one. The files of the log tell, so nothing else must remember it.
    async fn look_for_gap(&self) {
        let Some((folder, log)) = self.0.config.batches.clone().zip(self.0.batches.clone()) else { return };
        let newest = self.state().status.file.clone();
        let runtime = Handle::current();
        let looked = spawn_blocking(move || {
            let Some(newest) = newest else { return Ok(false) };
            let place = runtime.block_on(store::place_of(Path::new(&newest)))?;
            store::leads_on(&folder, place).map_err(StoreError::from)
        });
        let is_whole = match looked.await {
            Ok(Ok(is_whole)) => is_whole,
            Ok(Err(error)) => {
                tracing::warn!(%error, "cannot read the log of batches");
                false
            }
            Err(_) => false,
        };
        if !is_whole {
            log.put_gap_back();
        }
    }

    /// Deletes the oldest files of the log of batches if it is larger than its limit.
    async fn limit_log(&self) {
        let Some((folder, log)) = self.0.config.batches.clone().zip(self.0.batches.clone()) else { return };
        let limit = u64::from(self.0.config.batches_mib) << 20;
        if log.bytes() <= limit {
            return;
        }
        let pruned = spawn_blocking(move || {
            let deleted = store::prune_to(&folder, limit)?;
            log.measure(&folder)?;
            io::Result::Ok(deleted)
        });
        match pruned.await {
            Ok(Ok(0)) | Err(_) => {}
            Ok(Ok(files)) => {
                tracing::warn!(files, "deleted old batches, because the log has reached backup.batches_mib");
                self.look_for_gap().await;
            }
            Ok(Err(error)) => tracing::warn!(%error, "cannot delete old batches"),
        }
    }

    /// Makes a backup when batches are missing in the log, because later ones can be applied only to a backup after the
    /// gap.
    async fn watch_for_gaps(&self, stop: &CancellationToken) {
        let Some(batches) = &self.0.batches else { return };
        while stop.run_until_cancelled(sleep(GAP_CHECK)).await.is_some() {
            self.limit_log().await;
            if !batches.is_failing() && batches.has_gap() {
                tracing::warn!(
                    "batches are missing in the log; making a backup that later ones can be applied to"
                );
                if self.make().await.is_err() {
                    sleep(GAP_RETRY).await;
                }
            }
        }
    }

    /// Makes a backup in the folder, deletes those that expire with it, and runs the hook. Returns its path.
    ///
    /// # Errors
    /// [`NotMade`]; no file is left behind.
    pub(in crate::server) async fn make(&self) -> Result<PathBuf, NotMade> {
        let folder = self.0.config.folder.clone().ok_or(NotMade::NoFolder)?;
        let _turn = self.0.turn.lock().await;
        let (begun, wall, started) = (self.0.clock.now(), self.0.clock.wall(), Instant::now());
        let file = folder.join(folder::file_name(wall));
        // A gap that is there already lies before this backup.
        let gap = self.0.batches.as_ref().filter(|batches| batches.take_gap());
        let made = copy(self.0.database.clone(), folder.clone(), file.clone()).await;
        if let (Err(_), Some(batches)) = (&made, gap) {
            batches.put_gap_back();
        }
        match &made {
            Ok(made) => self.note_success(made, (begun, wall), started.elapsed()),
            Err(error) => {
                // Whoever reads the line finds the failure in the status.
                let mut state = self.state();
                state.status.failed += 1;
                state.status.error = Some(error.to_string());
                state.schedule.note_failure(self.0.clock.now());
                drop(state);
                tracing::error!(%error, "no backup was made");
            }
        }
        self.0.changed.notify_one();
        if made.is_ok() {
            let (rules, batches) = (self.retention(), self.0.config.batches.clone());
            let (runtime, log) = (Handle::current(), self.0.batches.clone());
            let clean_up = move || {
                delete_expired(&folder, rules, wall);
                if let Some((batches, log)) = batches.zip(log) {
                    runtime.block_on(delete_old_batches(&folder, &batches, &log));
                }
            };
            // A panic cannot be repaired here; the next backup tries again.
            let _ = spawn_blocking(clean_up).await;
        }
        self.run_hook(&file, made.as_ref().err()).await;
        made.map(|made| made.file)
    }

    fn note_success(&self, made: &MadeBackup, (begun, wall): (GameTime, GameTime), took: Duration) {
        let (file, bytes) = (made.file.display().to_string(), made.bytes);
        let mut state = self.state();
        state.schedule.note_success(begun);
        let (failed, hooks_failed) = (state.status.failed, state.status.hooks_failed);
        state.status = BackupStatus {
            file: Some(file.clone()),
            last_success_seconds: wall.0 / 1_000,
            bytes,
            duration_seconds: took.as_secs_f64(),
            failed,
            hooks_failed,
            ..BackupStatus::default()
        };
        drop(state);
        tracing::info!(file, bytes, took_ms = took.as_millis(), "made a backup");
    }

    /// Runs the hook, if there is one.
    async fn run_hook(&self, file: &Path, error: Option<&NotMade>) {
        let Some(program) = &self.0.config.hook else { return };
        let error = error.map(ToString::to_string);
        let patience = Duration::from_secs(self.0.config.hook_secs.into());
        let ended = hook::run(program, file, error.as_deref(), patience).await;
        let mut state = self.state();
        state.hook_failed = ended.is_err();
        if let Err(why) = ended {
            state.status.hooks_failed += 1;
            tracing::warn!(program = %program.display(), %why, "the program that runs after a backup failed");
        }
    }

    fn retention(&self) -> Retention {
        let config = &self.0.config;
        Retention {
            latest: config.keep_latest,
            daily: config.keep_daily,
            weekly: config.keep_weekly,
            monthly: config.keep_monthly,
        }
    }

    /// Adds figures and warnings to a status.
    pub(in crate::server) fn note_in(&self, status: &mut Status) {
        if self.0.config.folder.is_none() {
            return;
        }
        let state = self.state();
        let late = state.schedule.is_late(self.0.clock.now());
        let warnings = [
            (state.status.error.is_some(), Problem::BackupFailed),
            (late, Problem::BackupLate),
            (state.hook_failed, Problem::BackupHookFailed),
            (self.0.batches.as_ref().is_some_and(BatchLog::is_failing), Problem::BatchesNotLogged),
        ];
        status.problems.extend(warnings.iter().filter(|(is_so, _)| *is_so).map(|(_, problem)| *problem));
        let mut backup = BackupStatus { late, ..state.status.clone() };
        if let Some(batches) = &self.0.batches {
            backup.batches_logged = batches.logged();
            backup.batches_bytes = batches.bytes();
            backup.batches_lost = batches.dropped();
        }
        status.backup = Some(backup);
    }

    fn state(&self) -> MutexGuard<'_, BackupState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes and checks a backup on a blocking thread.
async fn copy(database: PathBuf, folder: PathBuf, file: PathBuf) -> Result<MadeBackup, NotMade> {
    let runtime = Handle::current();
    let copied = spawn_blocking(move || {
        if !folder.is_dir() {
            return Err(NotMade::Missing(folder));
        }
        runtime.block_on(store::backup_beside_world(&database, &file))?;
        let bytes = fs::metadata(&file).map_err(StoreError::from)?.len();
        Ok(MadeBackup { file, bytes })
    });
    copied.await.unwrap_or_else(|error| Err(StoreError::from(io::Error::from(error)).into()))
}

/// Deletes the backups that the rules do not keep. Other files, and the backup just made, are left alone.
fn delete_expired(folder: &Path, rules: Retention, made: GameTime) {
    let files = match list(folder) {
        Ok(files) => files,
        Err(error) => return tracing::warn!(%error, "cannot list the backups, so no old one was deleted"),
    };
    let times: BTreeSet<GameTime> = files.iter().map(|file| file.at).collect();
    let expired = rules.expired(&times, made);
    for file in files.into_iter().filter(|file| expired.contains(&file.at)) {
        let path = file.path.display().to_string();
        match fs::remove_file(&file.path) {
            Ok(()) => tracing::info!(file = path, "deleted an old backup"),
            Err(error) => tracing::warn!(file = path, %error, "cannot delete an old backup"),
        }
    }
}

/// Deletes the files of the log that end before the oldest backup.
async fn delete_old_batches(folder: &Path, batches: &Path, log: &BatchLog) {
    let oldest = list(folder).ok().and_then(|files| files.into_iter().next());
    let Some(oldest) = oldest else { return };
    let deleted = match store::place_of(&oldest.path).await {
        Ok(place) => {
            store::prune(batches, place).and_then(|_| log.measure(batches)).map_err(StoreError::from)
        }
        Err(error) => Err(error),
    };
    if let Err(error) = deleted {
        tracing::warn!(%error, "cannot delete old batches");
    }
}

#[cfg(test)]
mod tests;
