//! Restore: one interrupted at any step is completed by the next start or restore, and loses nothing. A start never
//! creates a world beside the remains of another.

use super::*;
use crate::store::files::beside;

/// The folder of a killed server: a database whose last batches are still in its log, and an older copy.
struct Killed {
    folder: TempDir,
    /// Contents of the copy.
    copied: Snapshot,
    /// Contents of the database.
    stored: Snapshot,
}

impl Killed {
    async fn begin() -> Self {
        // In a box, because the steps hold several snapshots.
        Box::pin(async {
            let mut played = Played::begin().await;
            let folder = tempfile::tempdir().unwrap();
            backup(&played.store.path, &folder.path().join("copy.db")).await.unwrap();
            let copied = played.store.load().await.unwrap();
            played.explore(10).await;
            let stored = played.store.load().await.unwrap();
            assert!(stored != copied);
            for suffix in ["", "-wal"] {
                let copy = beside(&folder.path().join("world.db"), suffix);
                fs::copy(beside(&played.store.path, suffix), copy).unwrap();
            }
            assert!(fs::metadata(folder.path().join("world.db-wal")).unwrap().len() > 0);
            Self { folder, copied, stored }
        })
        .await
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.file(from), self.file(to)).unwrap();
    }

    async fn holds(&self, name: &str, world: &Snapshot) {
        let mut store = Store::open(&self.file(name)).await.unwrap();
        assert!(store.load().await.unwrap() == *world, "{name} holds another world");
        store.close().await.unwrap();
    }
}

/// Promise 1: a restore killed before the copy is complete on disk has no effect.
#[tokio::test]
async fn restore_killed_before_commit_changes_nothing() {
    let killed = Killed::begin().await;
    fs::write(killed.file("world.db.restore-part"), "half a co").unwrap();
    killed.holds("world.db", &killed.stored).await;
    restore(&killed.file("copy.db"), &killed.file("world.db")).await.unwrap();
    killed.holds("world.db", &killed.copied).await;
    killed.holds("world.db.before-restore-1", &killed.stored).await;
}

/// Promise 1: a restore killed later is completed by the next start, from any step.
#[tokio::test]
async fn committed_restore_is_completed_by_next_start() {
    for steps in 0..3 {
        let killed = Killed::begin().await;
        fs::copy(killed.file("copy.db"), killed.file("world.db.restore-ready")).unwrap();
        if steps > 0 {
            fs::hard_link(killed.file("world.db"), killed.file("world.db.before-restore-1")).unwrap();
        }
        if steps > 1 {
            killed.rename("world.db-wal", "world.db.before-restore-1-wal");
        }
        killed.holds("world.db", &killed.copied).await;
        killed.holds("world.db.before-restore-1", &killed.stored).await;
        assert!(!killed.file("world.db.before-restore-2").exists(), "after {steps} steps");
    }
}

/// A restore can be undone completely: the database moved aside keeps its log.
#[tokio::test]
async fn database_moved_aside_is_restored_with_its_log() {
    let killed = Killed::begin().await;
    let aside = restore(&killed.file("copy.db"), &killed.file("world.db")).await.unwrap().unwrap();
    assert!(fs::metadata(beside(&aside, "-wal")).unwrap().len() > 0);
    restore(&aside, &killed.file("world.db")).await.unwrap();
    killed.holds("world.db", &killed.stored).await;
}

/// A log without its database makes a start fail. A restore moves it aside, so that it is not replayed into the copy.
#[tokio::test]
async fn log_without_database_is_kept() {
    let killed = Killed::begin().await;
    killed.rename("world.db", "elsewhere.db");
    let log = fs::read(killed.file("world.db-wal")).unwrap();
    let refused = Store::open(&killed.file("world.db")).await.unwrap_err().to_string();
    assert!(refused.contains("world.db-wal exists"), "{refused}");
    assert_eq!(fs::read(killed.file("world.db-wal")).unwrap(), log);
    assert!(!killed.file("world.db").exists());
    let aside = restore(&killed.file("copy.db"), &killed.file("world.db")).await.unwrap().unwrap();
    killed.holds("world.db", &killed.copied).await;
    assert_eq!(fs::read(beside(&aside, "-wal")).unwrap(), log);
}

/// No new world is created if the database is empty, or was moved aside and is missing.
#[tokio::test]
async fn no_new_world_is_created_beside_remains() {
    for aside in ["world.db.before-restore-1", "world.db.schema-3-1"] {
        let killed = Killed::begin().await;
        fs::remove_file(killed.file("world.db-wal")).unwrap();
        killed.rename("world.db", aside);
        let refused = Store::open(&killed.file("world.db")).await.unwrap_err().to_string();
        assert!(refused.contains(&format!("{aside} exists")), "{refused}");
        assert!(!killed.file("world.db").exists());
    }
    let killed = Killed::begin().await;
    let log = fs::read(killed.file("world.db-wal")).unwrap();
    fs::write(killed.file("world.db"), "").unwrap();
    assert!(matches!(Store::open(&killed.file("world.db")).await, Err(StoreError::Empty(_))));
    assert_eq!(fs::read(killed.file("world.db-wal")).unwrap(), log, "SQLite would remove it");
}

/// Copies are private to the server's user from their first byte, and links are not followed.
#[tokio::test]
async fn copies_are_private_and_links_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let killed = Killed::begin().await;
    let victim = killed.file("victim");
    fs::write(&victim, "mine").unwrap();
    for name in ["to.db", "world.db.probe", "world.db.restore-part"] {
        symlink(&victim, killed.file(name)).unwrap();
    }
    assert!(matches!(
        backup(&killed.file("world.db"), &killed.file("to.db")).await,
        Err(StoreError::Exists(_))
    ));
    let mut store = Store::open(&killed.file("world.db")).await.unwrap();
    store.probe().await.unwrap();
    store.close().await.unwrap();
    restore(&killed.file("copy.db"), &killed.file("world.db")).await.unwrap();
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    let mode = fs::metadata(killed.file("world.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // A file of that name may belong to another program.
    fs::write(killed.file("new.db.part-1"), "mine").unwrap();
    backup(&killed.file("world.db"), &killed.file("new.db")).await.unwrap();
    assert_eq!(fs::read(killed.file("new.db.part-1")).unwrap(), b"mine");
}

/// O5: the next backup or start removes unfinished copies of killed backups, and no other files.
#[tokio::test]
async fn o5_only_unfinished_copies_of_killed_backups_are_removed() {
    let killed = Killed::begin().await;
    let database = killed.file("world.db");
    let left = |name: &str, bytes: &[u8]| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::write(killed.file(name), bytes).unwrap();
        fs::set_permissions(killed.file(name), fs::Permissions::from_mode(0o600)).unwrap();
    };
    let foreign = ["a.db.part-1", "a.db.deepwell-part-x", "text.deepwell-part-1", "open.deepwell-part-1"];
    for at_start in [false, true] {
        left("a.db.deepwell-part-1", b"");
        left("b.db.deepwell-part-7", &fs::read(&database).unwrap());
        left("c.db.deepwell-part-2", &[0; 4_096]);
        left("c.db.deepwell-part-2-journal", b"half a page");
        foreign[..2].iter().for_each(|name| left(name, b""));
        left(foreign[2], b"a letter home");
        fs::write(killed.file(foreign[3]), "").unwrap();
        left("busy.deepwell-part-1", b"");
        let busy = fs::File::open(killed.file("busy.deepwell-part-1")).unwrap();
        busy.try_lock().unwrap();
        if at_start {
            Store::open(&database).await.unwrap().close().await.unwrap();
        } else {
            backup(&database, &killed.file("new.db")).await.unwrap();
        }
        let listed = fs::read_dir(database.parent().unwrap()).unwrap();
        let mut parts: Vec<String> =
            listed.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        parts.retain(|name| name.contains("part"));
        parts.sort();
        let kept = [
            "a.db.deepwell-part-x",
            "a.db.part-1",
            "busy.deepwell-part-1",
            "open.deepwell-part-1",
            "text.deepwell-part-1",
        ];
        assert_eq!(parts, kept, "at the start: {at_start}");
    }
}

/// O2: restoring an unsound copy fails, asks for another copy, and changes nothing.
#[tokio::test]
async fn o2_restoring_unsound_copy_asks_for_another() {
    let killed = Killed::begin().await;
    fs::write(killed.file("text.db"), [b'x'; 8_192]).unwrap();
    fs::write(killed.file("empty.db"), "").unwrap();
    fs::copy(killed.file("copy.db"), killed.file("spoilt.db")).unwrap();
    let mut db = options(&killed.file("spoilt.db")).connect().await.unwrap();
    sqlx::raw_sql("update meta set data = json_set(data, '$.next_room', 1)").execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    for name in ["text.db", "empty.db", "spoilt.db"] {
        let message = restore(&killed.file(name), &killed.file("world.db")).await.unwrap_err().to_string();
        assert!(
            message.contains(name) && message.ends_with("nothing has been changed: restore another copy"),
            "{message}"
        );
        assert!(!message.contains("restore a backup"), "{message}");
    }
    killed.holds("world.db", &killed.stored).await;
}

/// D6: a damaged id is reported, and does not make start and `check` read for ever.
#[tokio::test]
async fn row_with_mismatched_id_is_reported() {
    for (id, says, message) in [(3, 1, "table rooms, row 3: its data has the id 1"), (0, 0, "below 1")] {
        let mut played = Played::begin().await;
        let spoil = format!(
            "pragma foreign_keys = off; pragma ignore_check_constraints = on; \
             update rooms set id = {id}, data = json_set(data, '$.id', {says}) where id = 3"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(spoil)).execute(&mut played.store.connection).await.unwrap();
        let error = played.store.load().await.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
