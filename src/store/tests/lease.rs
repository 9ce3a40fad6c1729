//! Write lease: one server at a time writes the database, and no other program.

use super::*;
use sqlx::SqliteConnection;

async fn beside(played: &Played) -> SqliteConnection {
    options(&played.folder.path().join("world.db")).connect().await.unwrap()
}

/// D1: without the lock file, the server that started last writes, and every write of the other fails.
#[tokio::test]
async fn d1_first_server_cannot_write_after_second_opens_database() {
    let mut first = Played::begin().await;
    let mut second = Store::open(&first.folder.path().join("world.db")).await.unwrap();
    let stored = second.load().await.unwrap();
    first.game.step(
        first.now,
        Input::Command { session: SessionId(1), line: "down".into() },
        &mut Vec::new(),
    );
    let changes = first.game.cut();
    for _ in 0..2 {
        assert!(matches!(first.store.commit(&changes).await, Err(StoreError::Taken)));
        assert!(matches!(first.store.probe().await, Err(StoreError::Taken)));
    }
    assert!(second.load().await.unwrap() == stored);
    second.commit(&changes).await.unwrap();
    assert!(second.load().await.unwrap() != stored);
}

/// D1: changes of another program are not overwritten from memory; after a reload the game continues.
#[tokio::test]
async fn d1_external_change_is_detected_and_not_overwritten() {
    let mut played = Played::begin().await;
    played.store.load().await.unwrap();
    played.type_line("down").await;
    let sql = "update accounts set data = json_set(data, '$.created_at', 77)";
    sqlx::raw_sql(sql).execute(&mut beside(&played).await).await.unwrap();
    played.game.step(
        played.now,
        Input::Command { session: SessionId(1), line: "up".into() },
        &mut Vec::new(),
    );
    let changes = played.game.cut();
    assert!(matches!(played.store.commit(&changes).await, Err(StoreError::Disturbed)));
    let stored = played.store.load().await.unwrap();
    assert!(stored.accounts.values().all(|row| row.created_at == GameTime(77)));
    played.store.commit(&changes).await.unwrap();
}

/// D1: readers, backups and checkpoints do not make a batch fail.
#[tokio::test]
async fn d1_readers_backups_and_checkpoints_do_not_fail_batches() {
    let mut played = Played::begin().await;
    let (database, copy) = (played.folder.path().join("world.db"), played.folder.path().join("copy.db"));
    backup(&database, &copy).await.unwrap();
    played.type_line("down").await;
    let mut reader = beside(&played).await;
    let count: i64 = sqlx::query_scalar("select count(*) from rooms").fetch_one(&mut reader).await.unwrap();
    assert!(count > 0);
    played.type_line("up").await;
    sqlx::raw_sql("pragma wal_checkpoint(passive)").execute(&mut reader).await.unwrap();
    played.type_line("down").await;
    assert_eq!(check(&database).await.unwrap(), Vec::<String>::new());
    played.type_line("up").await;
    drop(reader);
    played.type_line("down").await;
}

/// D2: a running server removes the rows of a deleted account from the log.
#[tokio::test]
async fn d2_log_is_emptied_after_account_deletion() {
    let mut played = Played::begin().await;
    let log = || fs::read(played.folder.path().join("world.db-wal")).unwrap();
    let has_hash = |bytes: &[u8]| bytes.windows(9).any(|part| part == b"$argon2id");
    assert!(has_hash(&log()));
    let account = *played.shadow.accounts.keys().next().unwrap();
    let session = SessionId(1);
    played.game.step(played.now, Input::DeleteAccount { session, account }, &mut Vec::new());
    let changes = played.game.cut();
    assert_eq!(changes.accounts.gone, [account]);
    let mut reader = beside(&played).await;
    sqlx::raw_sql("begin; select * from accounts").execute(&mut reader).await.unwrap();
    played.store.commit(&changes).await.unwrap();
    sqlx::raw_sql("rollback").execute(&mut reader).await.unwrap();
    played.now = GameTime(played.now.0 + 60_000);
    played.game.step(played.now, Input::Wake, &mut Vec::new());
    let (name, credential) = ("Bera".to_owned(), "hash".to_owned());
    let create = Input::Create { session: SessionId(2), name, credential, pre_login: Box::default() };
    played.game.step(played.now, create, &mut Vec::new());
    let changes = played.game.cut();
    played.store.commit(&changes).await.unwrap();
    let left = [log(), fs::read(played.folder.path().join("world.db")).unwrap()];
    assert!(!left.iter().any(|bytes| has_hash(bytes)), "the next batch empties it once nobody reads");
}
