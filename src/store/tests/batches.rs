//! The log of batches: a copy and the batches after it give the state at any moment, and a log that is incomplete says
//! so.

use super::*;
use crate::store::batches::{BatchPlace, NotReplayed, leads_on, prune, prune_to};
use crate::store::restore::RestoreResult;
use crate::store::{backup_beside_world, restore_to};

const END: GameTime = GameTime(i64::MAX);

/// A world that is played while its batches are logged.
struct Logged {
    played: Played,
    /// State after each batch since the first copy, with its time.
    states: Vec<(GameTime, Snapshot)>,
}

impl Logged {
    async fn begin() -> Self {
        let mut played = Played::begin().await;
        fs::create_dir(played.folder.path().join("log")).unwrap();
        played.store.log_batches(&played.folder.path().join("log")).await.unwrap();
        Self { played, states: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.played.folder.path().join(name)
    }

    async fn play(&mut self, lines: &[&str]) {
        for line in lines {
            self.played.now = GameTime(self.played.now.0 + 5_000);
            self.played.type_line(line).await;
            self.states.push((self.played.now, without_ledger(&self.played.shadow)));
        }
        self.played.store.flush_batches().await;
    }

    async fn copy(&self, name: &str) -> PathBuf {
        let copy = self.path(name);
        backup_beside_world(&self.played.store.path, &copy).await.unwrap();
        copy
    }

    /// Opens the database again, as after a kill.
    async fn reopen(&mut self) {
        self.played.store.flush_batches().await;
        let path = self.played.store.path.clone();
        self.played.store = Store::open(&path).await.unwrap();
        let log = self.path("log");
        self.played.store.log_batches(&log).await.unwrap();
    }

    async fn restore(&self, copy: &Path, until: GameTime) -> Result<(RestoreResult, Snapshot), NotReplayed> {
        let target = self.path("target.db");
        for suffix in ["", "-wal", "-shm"] {
            remove(&beside(&target, suffix)).unwrap();
        }
        let replayed = restore_to(copy, &target, &self.path("log"), until).await?;
        let mut store = Store::open(&target).await.unwrap();
        let world = store.load().await.unwrap();
        store.close().await.unwrap();
        Ok((replayed, world))
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.path("log")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

const WALK: [&str; 8] = ["recall", "down", "east", "say one", "west", "drop all", "get all", "up"];

/// O5: a copy and the batches after it give the state at each batch, across restarts.
#[tokio::test]
async fn o5_restore_to_a_moment_equals_the_state_at_that_batch() {
    let mut logged = Box::pin(Logged::begin()).await;
    logged.play(&WALK[..2]).await;
    let copy = logged.copy("copy.db").await;
    logged.states.clear();
    logged.play(&WALK[2..]).await;
    logged.reopen().await;
    logged.play(&WALK).await;
    assert_eq!(logged.files().len(), 2);
    for (n, (at, state)) in logged.states.iter().enumerate() {
        let (replayed, world) = logged.restore(&copy, *at).await.unwrap();
        assert!(world == *state, "after {} batches, at {at:?}", n + 1);
        assert_eq!((replayed.applied, replayed.until), (n as u64 + 1, Some(*at)));
    }
    let (replayed, world) = logged.restore(&copy, END).await.unwrap();
    assert!(world == logged.states.last().unwrap().1 && replayed.torn.is_empty());
    let newest = logged.copy("newest.db").await;
    assert_eq!(logged.restore(&newest, END).await.unwrap().0.applied, 0);
    let error = logged.restore(&newest, GameTime(2_000)).await.unwrap_err();
    assert!(matches!(error, NotReplayed::TooNew(_)), "{error}");
}

/// O5: an incomplete last batch is left out and reported; damage within a file is an error.
#[tokio::test]
async fn o5_torn_tail_of_the_log_is_left_out_and_damage_is_an_error() {
    let mut logged = Box::pin(Logged::begin()).await;
    logged.play(&WALK[..1]).await;
    let copy = logged.copy("copy.db").await;
    logged.play(&WALK).await;
    let file = logged.files().pop().unwrap();
    let bytes = fs::read(&file).unwrap();
    let before_last = &logged.states[logged.states.len() - 2].1;
    for torn in [bytes[..bytes.len() - 1].to_vec(), [&bytes[..bytes.len() - 1], b"\0"].concat()] {
        fs::write(&file, torn).unwrap();
        let (replayed, world) = logged.restore(&copy, END).await.unwrap();
        assert!(world == *before_last);
        assert!(replayed.torn.len() == 1 && replayed.torn[0].1 > 12, "{:?}", replayed.torn);
    }
    fs::write(&file, [&bytes[..], &[0; 4_096]].concat()).unwrap();
    assert!(logged.restore(&copy, END).await.unwrap().1 == logged.states.last().unwrap().1, "never written");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    fs::write(&file, damaged).unwrap();
    let error = logged.restore(&copy, END).await.unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
}

/// O5: a missing file is an error that names both ends; a copy after the gap can be restored.
#[tokio::test]
async fn o5_gap_in_the_log_is_an_error_that_names_both_ends() {
    let mut logged = Box::pin(Logged::begin()).await;
    logged.play(&WALK[..1]).await;
    let copy = logged.copy("copy.db").await;
    for _ in 0..2 {
        logged.reopen().await;
        logged.play(&WALK[..3]).await;
    }
    let newer = logged.copy("newer.db").await;
    logged.play(&WALK[3..5]).await;
    let files = logged.files();
    assert_eq!(files.len(), 3);
    fs::remove_file(&files[1]).unwrap();
    let error = logged.restore(&copy, END).await.unwrap_err().to_string();
    assert!(
        error.contains("batch 1 in the copy is followed by batch 5 of 1970-01-01 00:00:26 UTC"),
        "{error}"
    );
    let (replayed, world) = logged.restore(&newer, END).await.unwrap();
    assert!(replayed.applied == 2 && world == logged.states.last().unwrap().1);
}

/// O5: after a restore, the abandoned batches are not applied, except for a moment before it.
#[tokio::test]
async fn o5_restore_follows_the_world_that_was_played_on() {
    let mut logged = Box::pin(Logged::begin()).await;
    logged.play(&WALK[..1]).await;
    let copy = logged.copy("copy.db").await;
    let shadow = logged.played.shadow.clone();
    logged.play(&WALK[1..4]).await;
    let (abandoned_at, abandoned) = logged.states.last().unwrap().clone();

    let path = logged.played.store.path.clone();
    logged.played.store.flush_batches().await;
    restore(&copy, &path).await.unwrap();
    logged.played.store = Store::open(&path).await.unwrap();
    let log = logged.path("log");
    logged.played.store.log_batches(&log).await.unwrap();
    logged.played.shadow = shadow;
    logged.played.game = Game::load(
        Arc::new(Catalog::builtin()),
        GameConfig::default(),
        logged.played.store.load().await.unwrap(),
    )
    .unwrap();
    logged.played.now = GameTime(logged.played.now.0 + 60_000);
    logged.played.step(Input::Wake).await;
    let again = Input::Create {
        session: SessionId(1),
        name: "Bera".into(),
        credential: "$argon2id$...".into(),
        pre_login: Box::default(),
    };
    logged.played.step(again).await;
    logged.play(&WALK[..2]).await;

    let (_, world) = logged.restore(&copy, END).await.unwrap();
    assert!(world == logged.states.last().unwrap().1);
    let (_, world) = logged.restore(&copy, abandoned_at).await.unwrap();
    assert!(world == abandoned);
}

/// O4, D1: a folder that is gone loses batches of the log and none of the world; the log then needs a new copy.
#[tokio::test]
async fn o4_vanished_folder_stops_the_log_and_not_the_world() {
    let mut logged = Box::pin(Logged::begin()).await;
    let log = logged.played.store.batch_log().unwrap();
    logged.play(&WALK[..2]).await;
    assert!(log.take_gap() && !log.take_gap(), "a new log needs a first copy");
    let copy = logged.copy("copy.db").await;
    fs::rename(logged.path("log"), logged.path("away")).unwrap();
    logged.reopen().await;
    let log = logged.played.store.batch_log().unwrap();
    logged.play(&WALK[2..5]).await;
    assert!(log.is_failing() && log.dropped() > 0);
    assert!(logged.played.store.load().await.unwrap() == logged.states.last().unwrap().1);
    fs::rename(logged.path("away"), logged.path("log")).unwrap();
    log.take_gap();
    logged.play(&WALK[5..]).await;
    assert!(!log.is_failing() && log.take_gap());
    let error = logged.restore(&copy, END).await.unwrap_err();
    assert!(matches!(error, NotReplayed::Gap { .. }), "{error}");
    let copy = logged.copy("after.db").await;
    logged.play(&WALK[..2]).await;
    assert!(logged.restore(&copy, END).await.unwrap().1 == logged.states.last().unwrap().1);
}

/// O5: a copy that was made while batches were not logged is refused, also if the numbers would fit.
#[tokio::test]
async fn o5_batches_do_not_follow_a_world_that_was_changed_without_the_log() {
    let mut logged = Box::pin(Logged::begin()).await;
    logged.play(&WALK[..2]).await;
    let copy = logged.copy("copy.db").await;
    let path = logged.played.store.path.clone();
    logged.played.store = Store::open(&path).await.unwrap();
    logged.played.store.forget_batches().await.unwrap();
    logged.play(&WALK[2..4]).await;
    let unlogged = logged.copy("unlogged.db").await;
    logged.reopen().await;
    logged.play(&WALK[4..]).await;
    let error = logged.restore(&copy, END).await.unwrap_err();
    assert!(matches!(error, NotReplayed::Gap { .. }), "{error}");
    let error = logged.restore(&unlogged, END).await.unwrap_err();
    assert!(matches!(error, NotReplayed::NotNumbered), "{error}");
}

/// O5: files before the oldest backup are deleted, and none that it needs.
#[tokio::test]
async fn o5_log_is_pruned_with_the_oldest_backup() {
    let mut logged = Box::pin(Logged::begin()).await;
    for _ in 0..2 {
        logged.play(&WALK[..2]).await;
        logged.reopen().await;
    }
    logged.play(&WALK[..2]).await;
    let oldest = logged.copy("oldest.db").await;
    logged.reopen().await;
    logged.play(&WALK).await;
    let log = logged.path("log");
    fs::write(log.join("notes.txt"), "mine").unwrap();
    assert_eq!(prune(&log, BatchPlace { sequence: 3, writer: 0 }).unwrap(), 0, "of another world");
    let place = place_of(&oldest).await.unwrap();
    assert_eq!(prune(&log, place).unwrap(), 2);
    assert_eq!(logged.files().len(), 3);
    assert!(logged.restore(&oldest, END).await.unwrap().1 == logged.states.last().unwrap().1);
}

/// O8: the number of logged batches and the size of the files are counted, also through a restart and after a deletion.
#[tokio::test]
async fn o8_logged_batches_and_bytes_are_counted() {
    let mut logged = Box::pin(Logged::begin()).await;
    logged.play(&WALK).await;
    logged.reopen().await;
    logged.play(&WALK[..2]).await;
    let folder = logged.path("log");
    let log = logged.played.store.batch_log().unwrap();
    let size = |logged: &Logged| -> u64 {
        logged.files().iter().map(|path| fs::metadata(path).unwrap().len()).sum()
    };
    assert_eq!((log.logged(), log.bytes()), (2, size(&logged)));
    fs::remove_file(logged.files().remove(0)).unwrap();
    log.measure(&folder).unwrap();
    assert_eq!(log.bytes(), size(&logged));
}

/// O5: after any history of play, starts, lost ends of the log and folders that were gone, a start knows that batches after
/// the newest copy are missing, however often the server was started since they were lost.
#[tokio::test]
async fn o5_gap_is_known_after_any_number_of_starts() {
    let mut found = [0; 2];
    for seed in 0..8 {
        let mut dice = Seed(seed).rng();
        let mut logged = Box::pin(Logged::begin()).await;
        logged.play(&WALK[..1]).await;
        let mut newest = logged.copy("copy-0.db").await;
        for step in 1..=7 {
            match dice.up_to(5) {
                0 => newest = logged.copy(&format!("copy-{step}.db")).await,
                1 => lose_end_of_log(&mut logged).await,
                2 => lose_folder_for_a_while(&mut logged).await,
                3 => logged.reopen().await,
                _ => logged.play(&WALK[..2]).await,
            }
        }
        logged.reopen().await;
        logged.played.store.flush_batches().await;
        let place = place_of(&newest).await.unwrap();
        let is_whole = leads_on(&logged.path("log"), place).unwrap();
        let has_gap = logged.played.store.batch_log().unwrap().has_gap() || !is_whole;
        let restored = logged
            .restore(&newest, END)
            .await
            .is_ok_and(|(_, world)| world == logged.states.last().unwrap().1);
        assert!(restored || has_gap, "seed {seed}: a gap is not known");
        found[usize::from(has_gap)] += 1;
    }
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}

/// The last batches were not synced when the server was killed.
async fn lose_end_of_log(logged: &mut Logged) {
    logged.play(&WALK[..2]).await;
    if let Some(file) = logged.files().pop() {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() * 2 / 3]).unwrap();
    }
    logged.reopen().await;
}

/// The folder was not mounted while a server played.
async fn lose_folder_for_a_while(logged: &mut Logged) {
    logged.reopen().await;
    fs::rename(logged.path("log"), logged.path("away")).unwrap();
    logged.play(&WALK[..2]).await;
    fs::rename(logged.path("away"), logged.path("log")).unwrap();
    logged.reopen().await;
}

/// O5: a log that is too large loses its oldest files, never the one that is written to.
#[tokio::test]
async fn o5_log_is_limited_to_a_size() {
    let mut logged = Box::pin(Logged::begin()).await;
    let old = logged.copy("old.db").await;
    for _ in 0..3 {
        logged.play(&WALK).await;
        logged.reopen().await;
    }
    logged.play(&WALK).await;
    let newest = logged.copy("newest.db").await;
    logged.play(&WALK[..2]).await;
    let (folder, files) = (logged.path("log"), logged.files());
    let size: u64 = files.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    assert_eq!(prune_to(&folder, size).unwrap(), 0);
    assert_eq!(prune_to(&folder, size - 1).unwrap(), 1);
    assert_eq!(logged.files(), files[1..]);
    assert!(!leads_on(&folder, place_of(&old).await.unwrap()).unwrap());
    assert_eq!(prune_to(&folder, 0).unwrap(), 2);
    assert_eq!(logged.files(), files[3..]);
    assert!(leads_on(&folder, place_of(&newest).await.unwrap()).unwrap());
    assert!(logged.restore(&newest, END).await.unwrap().1 == logged.states.last().unwrap().1);
}
