//! Storage tests: a load returns what was committed, and invalid data is refused with a message.

use super::*;
use deepwell_core::base::{BranchId, Dice, GameTime, RoomId, Seed, SessionId};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::{Changes, Snapshot, WorldPart};
use deepwell_game::{Game, GameConfig, Input};
use std::sync::Arc;
use tempfile::TempDir;

mod asleep;
mod batches;
mod columns;
mod lease;
mod proof;
mod queries;
mod restore;
mod upgrades;

/// A game whose batches go both to the store and to an in-memory snapshot.
struct Played {
    folder: TempDir,
    store: Store,
    game: Game,
    shadow: Snapshot,
    now: GameTime,
}

impl Played {
    async fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("world.db")).await.unwrap();
        let game =
            Game::load(Arc::new(Catalog::builtin()), GameConfig::default(), Snapshot::default()).unwrap();
        let mut played = Self { folder, store, game, shadow: Snapshot::default(), now: GameTime(1_000) };
        let (name, credential) = ("Olad".to_owned(), "$argon2id$...".to_owned());
        let (session, pre_login) = (SessionId(1), Box::default());
        played.step(Input::Create { session, name, credential, pre_login }).await;
        played
    }

    async fn step(&mut self, input: Input) -> Changes {
        self.game.step(self.now, input, &mut Vec::new());
        let changes = self.game.cut();
        self.store.commit(&changes).await.unwrap();
        self.shadow.apply(&changes);
        changes
    }

    /// Returns the rows with columns that differ from the world.
    async fn mismatches(&mut self) -> Vec<String> {
        load::mismatches(&mut self.store.connection, self.game.world()).await.unwrap()
    }

    async fn type_line(&mut self, line: &str) -> Changes {
        self.step(Input::Command { session: SessionId(1), line: line.into() }).await
    }

    /// Walks at random through the dungeon, and fights.
    async fn explore(&mut self, steps: u32) {
        let lines = ["north", "east", "south", "west", "kill", "kill", "pull lever", "get all", "drop all"];
        let mut dice = Seed(7).rng();
        for line in ["recall", "down", "north"] {
            self.type_line(line).await;
        }
        for _ in 0..steps {
            self.now = GameTime(self.now.0 + 5_000);
            let line = *dice.pick(&lines).unwrap();
            self.type_line(line).await;
        }
    }
}

/// The part of a snapshot that a load returns: the ledger is written but never loaded.
fn without_ledger(stored: &Snapshot) -> Snapshot {
    Snapshot { ledger: Vec::new(), ..stored.clone() }
}

/// D2, D6: `load(save(world)) == world` for a world that was really played, including branch expiry.
#[tokio::test]
async fn loading_returns_committed_world() {
    let mut played = Played::begin().await;
    played.explore(400).await;
    let loaded = played.store.load().await.unwrap();
    assert!(loaded.rooms.len() > 8 && loaded.exits.len() > 20, "{} rooms", loaded.rooms.len());
    assert!(loaded == without_ledger(&played.shadow), "load(save(world)) differs");
    assert_eq!(played.mismatches().await, Vec::<String>::new());
    for line in ["flee", "recall", "down", "south", "recall"] {
        played.type_line(line).await;
    }
    played.now = GameTime(played.now.0 + 700_000_000);
    let changes = played.step(Input::Wake).await;
    assert!(!changes.rooms.gone.is_empty(), "the branch has collapsed");
    let loaded = played.store.load().await.unwrap();
    assert!(loaded == without_ledger(&played.shadow), "after the collapse");
    assert_eq!(played.mismatches().await, Vec::<String>::new());
}

/// D6, O5: close, open and backup lose nothing; a backup never replaces a file, and can be restored.
#[tokio::test]
async fn backup_is_complete_and_can_be_restored() {
    let mut played = Played::begin().await;
    played.explore(20).await;
    let (database, copy) = (played.folder.path().join("world.db"), played.folder.path().join("copy.db"));
    let before = played.store.load().await.unwrap();
    backup(&database, &copy).await.unwrap();
    assert!(matches!(backup(&database, &copy).await, Err(StoreError::Exists(_))));
    assert_eq!(check(&copy).await.unwrap(), Vec::<String>::new());
    played.type_line("recall").await;
    assert!(played.store.load().await.unwrap() != before, "play goes on after the copy");
    played.store.close().await.unwrap();
    let aside = restore(&copy, &database).await.unwrap().unwrap();
    assert!(aside.exists());
    let mut store = Store::open(&database).await.unwrap();
    assert!(store.load().await.unwrap() == before, "the copy is not what it was taken of");
}

/// D2, promise 1: a log truncated at any point yields a whole number of batches, oldest first.
#[tokio::test]
async fn truncated_log_yields_whole_batches() {
    let mut played = Played::begin().await;
    let mut prefixes = vec![Snapshot::default(), played.shadow.clone()];
    for line in ["down", "east", "say one", "west", "up", "north", "south"] {
        played.type_line(line).await;
        prefixes.push(played.shadow.clone());
    }
    for prefix in &mut prefixes {
        *prefix = without_ledger(prefix);
    }
    let database = fs::read(&played.store.path).unwrap();
    let log = fs::read(beside(&played.store.path, "-wal")).unwrap();
    let mut found = std::collections::BTreeSet::new();
    for part in 0..=24 {
        let torn = played.folder.path().join(format!("torn-{part}.db"));
        fs::write(&torn, &database).unwrap();
        fs::write(beside(&torn, "-wal"), &log[..log.len() * part / 24]).unwrap();
        let mut store = Store::open(&torn).await.unwrap();
        let loaded = store.load().await.unwrap();
        let prefix = prefixes.iter().position(|prefix| *prefix == loaded);
        found.insert(prefix.unwrap_or_else(|| panic!("cut at {part}/24: half a batch")));
    }
    let whole = prefixes.iter().position(|prefix| Some(prefix) == prefixes.last()).unwrap();
    assert!(found.len() > 2 && found.contains(&whole), "{found:?}");
}

/// D7: the database refuses a duplicate name and a second room at a place; no part of the batch is stored.
#[tokio::test]
async fn constraint_violation_rolls_back_whole_batch() {
    let mut played = Played::begin().await;
    let before = played.store.load().await.unwrap();
    let mut twin = before.characters.values().find(|body| body.is_player()).unwrap().clone();
    twin.id.0 += 100;
    let mut changes = Changes::default();
    changes.meta.clone_from(&before.meta);
    changes.meta.as_mut().unwrap().next_room += 7;
    changes.characters.put.push(twin);
    let error = played.store.commit(&changes).await.unwrap_err();
    assert!(!error.can_retry() && error.to_string().contains("UNIQUE"), "{error}");
    let mut changes = Changes::default();
    for id in [8_001, 8_002].map(RoomId) {
        changes
            .rooms
            .put
            .push(deepwell_core::world::Room { id, ..before.rooms.values().next().unwrap().clone() });
        changes.rooms.parts.insert(id, WorldPart::Branch(BranchId(1)));
    }
    let error = played.store.commit(&changes).await.unwrap_err().to_string();
    assert!(error.contains("UNIQUE") && error.contains("rooms.floor"), "{error}");
    assert!(played.store.load().await.unwrap() == before, "something of the batch stayed");
    played.type_line("say still here").await;
}

/// D5, O3: on a full disk the batch fails as a whole with a retryable error, and succeeds once there is space.
#[tokio::test]
async fn full_disk_error_is_retryable_and_loses_nothing() {
    let mut played = Played::begin().await;
    let before = played.store.load().await.unwrap();
    let pages: i64 =
        sqlx::query_scalar("pragma page_count").fetch_one(&mut played.store.connection).await.unwrap();
    let limit = format!("pragma max_page_count = {pages}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(limit)).execute(&mut played.store.connection).await.unwrap();
    let mut changes = Changes::default();
    for n in 0..2_000 {
        let mut room = before.rooms.values().next().unwrap().clone();
        room.id = RoomId(1_000 + n);
        changes.rooms.put.push(room);
    }
    let error = played.store.commit(&changes).await.unwrap_err();
    assert!(error.can_retry(), "{error}");
    assert!(played.store.load().await.unwrap() == before, "something of the batch stayed");
    sqlx::raw_sql("pragma max_page_count = 1000000").execute(&mut played.store.connection).await.unwrap();
    played.store.probe().await.unwrap();
    played.store.commit(&changes).await.unwrap();
    assert_eq!(played.store.load().await.unwrap().rooms.len(), before.rooms.len() + 2_000);
}

/// O3: a row that fits into the log does not prove that storage is writable.
#[tokio::test]
async fn probe_requires_disk_space_and_removes_its_file() {
    let mut played = Played::begin().await;
    let probe = beside(&played.store.path, ".probe");
    played.store.probe().await.unwrap();
    assert!(!probe.exists());
    fs::create_dir(&probe).unwrap();
    assert!(played.store.probe().await.unwrap_err().can_retry());
}

/// O2, O6: foreign, empty and newer files are refused with a suggested fix and stay unchanged, byte for byte.
#[tokio::test]
async fn foreign_files_are_refused_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let refused = async |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = Store::open(&path).await.unwrap_err().to_string();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        error
    };
    assert!(refused("empty.db", b"").await.contains("the file is empty; restore a backup"));
    assert!(refused("text.db", &[b'x'; 8_192]).await.contains("not a database of this server"));
    let path = folder.path().join("newer.db");
    let mut store = Store::open(&path).await.unwrap();
    let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
                 values (9999, 'later', true, x'00', 0)";
    sqlx::raw_sql(newer).execute(&mut store.connection).await.unwrap();
    store.close().await.unwrap();
    assert!(matches!(Store::open(&path).await, Err(StoreError::Newer { found: 9999, .. })));
    assert!(matches!(check(&path).await, Err(StoreError::Newer { found: 9999, .. })));
}

/// O2: after a first start killed at any moment, the next start finds either no database or a complete one.
#[tokio::test]
async fn first_start_can_be_killed_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    for tick in 0..40 {
        let path = folder.path().join(format!("{tick}.db"));
        let left = folder.path().join(format!("{tick}-killed.db"));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async { drop(Store::open(&path).await.unwrap()) });
            });
            std::thread::park_timeout(Duration::from_micros(300 * tick));
            // A copy of the files at this moment is what a kill would leave.
            for suffix in ["", "-wal", ".new", ".new-wal"] {
                let _ = fs::copy(beside(&path, suffix), beside(&left, suffix));
            }
        });
        Store::open(&left).await.unwrap();
    }
}

/// O2: each cause has its own suggested fix; only damage asks for a backup.
#[tokio::test]
async fn each_storage_error_suggests_its_own_fix() {
    let message_of = |error: StoreError| {
        let message = error.to_string();
        assert!(!message.contains("backup") && error.can_retry(), "{message}");
        message
    };
    let mut played = Played::begin().await;
    let path = played.store.path.clone();
    let mut other = options(&path).busy_timeout(Duration::ZERO).connect().await.unwrap();
    sqlx::raw_sql("begin immediate").execute(&mut other).await.unwrap();
    sqlx::raw_sql("pragma busy_timeout = 0").execute(&mut played.store.connection).await.unwrap();
    assert!(message_of(played.store.write_nothing().await.unwrap_err()).ends_with("wait for it, or stop it"));
    sqlx::raw_sql("rollback; pragma query_only = on").execute(&mut other).await.unwrap();
    let refused = sqlx::raw_sql("delete from audit").execute(&mut other).await.unwrap_err();
    assert!(message_of(refused.into()).contains("the server's user needs read and write access to the file"));
    let folder = played.folder.path().join("a-folder.db");
    fs::create_dir(&folder).unwrap();
    assert!(message_of(Store::open(&folder).await.unwrap_err()).contains("the server's user needs"));
    let full = |error| StoreError::File { path: path.clone(), source: error };
    assert!(full(io::ErrorKind::StorageFull.into()).to_string().ends_with("free space on the disk"));
    assert!(full(io::ErrorKind::PermissionDenied.into()).to_string().contains("the server's user needs"));
    assert!(full(io::ErrorKind::TimedOut.into()).to_string().contains("the system log"));
}

/// D12: while a reader is active, the log grows to its limit and no further; afterwards it is truncated.
#[tokio::test]
async fn log_stays_within_limit_while_reader_is_active() {
    const MIB: u64 = 1 << 20;
    let mut played = Played::begin().await;
    played.store.bound_log(16 * MIB);
    let room = played.shadow.rooms.values().next().unwrap().clone();
    let many = |from: u32| {
        let mut changes = Changes::default();
        for n in from..from + 3_000 {
            changes.rooms.put.push(deepwell_core::world::Room { id: RoomId(100_000 + n), ..room.clone() });
        }
        changes
    };
    let mut reader = options(&played.store.path).connect().await.unwrap();
    sqlx::raw_sql("begin; select count(*) from rooms").execute(&mut reader).await.unwrap();
    let mut n = 0;
    let refused = loop {
        match played.store.commit(&many(n)).await {
            Ok(()) if n < 300_000 => n += 3_000,
            Ok(()) => panic!("{} bytes, and no end", played.store.log_bytes()),
            Err(error) => break error,
        }
    };
    assert!(refused.can_retry() && refused.to_string().contains("raise server.wal_mib"), "{refused}");
    let full = played.store.log_bytes();
    assert!((16 * MIB..24 * MIB).contains(&full), "{full} bytes");
    assert!(played.store.commit(&many(n)).await.is_err() && played.store.probe().await.is_err());
    assert_eq!(played.store.log_bytes(), full, "it grows all the same");
    sqlx::raw_sql("rollback").execute(&mut reader).await.unwrap();
    played.store.probe().await.unwrap();
    played.store.commit(&many(n)).await.unwrap();
    assert!(played.store.log_bytes() < 8 * MIB, "{} bytes", played.store.log_bytes());
    assert_eq!(
        played.store.load().await.unwrap().rooms.len(),
        played.shadow.rooms.len() + n as usize + 3_000
    );
}

/// O2: damage is reported as damage, with a suggested fix.
#[tokio::test]
async fn damaged_database_error_suggests_a_backup() {
    let mut played = Played::begin().await;
    played.explore(20).await;
    let path = played.store.path.clone();
    played.store.close().await.unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[4_096..].fill(b'x');
    fs::write(&path, bytes).unwrap();
    let error = check(&path).await.unwrap_err().to_string();
    assert!(error.starts_with("the database is damaged: ") && error.ends_with("restore a backup"), "{error}");
}

/// D6: the error for an invalid row names its table and id.
#[tokio::test]
async fn invalid_row_error_names_table_and_id() {
    let mut played = Played::begin().await;
    let spoil = "update rooms set data = json_remove(data, '$.name') where id = 2";
    sqlx::raw_sql(spoil).execute(&mut played.store.connection).await.unwrap();
    let error = played.store.load().await.unwrap_err().to_string();
    assert!(error.starts_with("table rooms, row 2: missing field `name`"), "{error}");
}

/// Deletes a branch of 10,000 rooms in one batch.
#[tokio::test]
async fn large_branch_is_deleted_in_one_batch() {
    let mut played = Played::begin().await;
    let before = played.store.load().await.unwrap();
    let (room, exit) = (before.rooms.values().next().unwrap(), before.exits.values().next().unwrap());
    let mut made = Changes::default();
    for n in 0..10_000 {
        let mut room = room.clone();
        room.id = RoomId(100_000 + n);
        let mut exit = exit.clone();
        exit.id.0 = 100_000 + u64::from(n);
        exit.room = room.id;
        exit.to = Some(RoomId(100_000 + (n + 1) % 10_000));
        made.rooms.put.push(room);
        made.exits.put.push(exit);
    }
    played.store.commit(&made).await.unwrap();
    let mut gone = Changes::default();
    gone.rooms.gone = made.rooms.put.iter().map(|room| room.id).collect();
    gone.exits.gone = made.exits.put.iter().map(|exit| exit.id).collect();
    played.store.commit(&gone).await.unwrap();
    assert!(played.store.load().await.unwrap() == before, "something of the batch stayed");
}
