//! Tests of backups in a folder: outcome, deletion of old files, warnings.

use super::*;
use deepwell_core::base::GameTime;
use tempfile::TempDir;

/// A database and its backups.
struct Scene {
    folder: TempDir,
    backups: Backups,
}

impl Scene {
    async fn begin(change: impl FnOnce(&mut BackupConfig)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("world.db");
        store::Store::open(&database).await.unwrap().close().await.unwrap();
        fs::create_dir(folder.path().join("backups")).unwrap();
        let mut config =
            BackupConfig { folder: Some(folder.path().join("backups")), ..BackupConfig::default() };
        change(&mut config);
        let clock = Clock::start(GameTime(0), Span::ZERO);
        Self { backups: Backups::new(&config, database, clock, None), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("backups").join(name)
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.path("")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    fn status(&self) -> Status {
        let mut status = Status::default();
        self.backups.note_in(&mut status);
        status
    }
}

#[tokio::test]
async fn no_backup_is_begun_once_the_server_is_to_stop() {
    let scene = Scene::begin(|config| config.every = Some(Span::secs(1))).await;
    let stop = CancellationToken::new();
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(30), scene.backups.clone().run(stop)).await;
    assert!(ended.is_ok(), "it makes backups for ever");
    assert_eq!(scene.names(), BTreeSet::new(), "the first one was due at once");
}

#[tokio::test]
async fn new_backup_replaces_expired_ones_and_no_other_files() {
    let scene = Scene::begin(|config| {
        (config.keep_latest, config.keep_daily, config.keep_weekly, config.keep_monthly) = (2, 0, 0, 0);
    })
    .await;
    let other = ["monday.db", "deepwell-2001-01-01T000000.000Z.db-wal", "notes.txt"];
    let old = ["deepwell-2001-01-01T000000.000Z.db", "deepwell-2001-01-02T000000.000Z.db"];
    for name in other.iter().chain(&old) {
        fs::write(scene.path(name), "rows").unwrap();
    }
    let made = scene.backups.make().await.unwrap();
    assert_eq!(store::check(&made).await.unwrap(), Vec::<String>::new());
    let mut names = scene.names();
    assert!(names.remove(made.file_name().unwrap().to_str().unwrap()));
    assert!(names.remove(old[1]), "the newest two are kept");
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), [other[1], other[0], other[2]]);
    let status = scene.status();
    assert!(status.problems.is_empty());
    let backup = status.backup.unwrap();
    assert_eq!((backup.file, backup.failed), (Some(made.display().to_string()), 0));
    assert!(backup.bytes > 4_096 && backup.last_success_seconds > 1_600_000_000 && !backup.late);
}

#[tokio::test]
async fn failed_backup_is_a_warning_until_one_succeeds_and_deletes_nothing() {
    let scene = Scene::begin(|config| config.keep_latest = 1).await;
    let old = scene.path("deepwell-2001-01-01T000000.000Z.db");
    fs::write(&old, "rows").unwrap();
    let away = scene.folder.path().join("away");
    fs::rename(scene.path(""), &away).unwrap();
    let error = scene.backups.make().await.unwrap_err().to_string();
    assert!(error.contains("is not a folder; mount or create it"), "{error}");
    let status = scene.status();
    assert_eq!((status.problems.as_slice(), status.obstacle()), (&[Problem::BackupFailed][..], None));
    let backup = status.backup.unwrap();
    assert_eq!((backup.failed, backup.error), (1, Some(error)));
    fs::rename(&away, scene.path("")).unwrap();
    assert!(old.exists());
    scene.backups.make().await.unwrap();
    let status = scene.status();
    assert_eq!((status.problems.len(), status.backup.unwrap().failed), (0, 1));
}

#[tokio::test]
async fn failed_hook_is_a_warning_and_the_backup_is_kept() {
    let scene = Scene::begin(|config| config.hook = Some("/bin/false".into())).await;
    let made = scene.backups.make().await.unwrap();
    assert!(made.exists());
    let status = scene.status();
    assert_eq!((status.problems.as_slice(), status.obstacle()), (&[Problem::BackupHookFailed][..], None));
    assert_eq!(status.backup.unwrap().hooks_failed, 1);
}

#[tokio::test]
async fn backups_without_a_folder_are_refused() {
    let backups = Backups::off(Clock::start_at(GameTime(0)));
    assert!(matches!(backups.make().await, Err(NotMade::NoFolder)));
    let mut status = Status::default();
    backups.note_in(&mut status);
    assert_eq!(status, Status::default());
}

#[tokio::test]
async fn schedule_continues_from_the_newest_file() {
    let scene = Scene::begin(|config| config.every = Some(Span::mins(60))).await;
    let first = scene.backups.make().await.unwrap();
    let clock = Clock::start(GameTime(0), Span::ZERO);
    let again = Backups::new(&scene.backups.0.config, scene.backups.0.database.clone(), clock, None);
    again.read_newest(scene.path("")).await;
    let left = again.state().schedule.next().unwrap().since(clock.now());
    assert!(left > Span::mins(59) && left <= Span::mins(60), "{left}");
    assert_eq!(again.state().status.file, Some(first.display().to_string()));
}
