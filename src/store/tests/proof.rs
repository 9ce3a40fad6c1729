//! The check of copies that a running server makes, which reads rows without loading a world.

use super::*;
use crate::store::backup_beside_world;

/// Returns the error of a backup after a statement that spoils the database.
async fn refused_after(spoil: &'static str) -> String {
    let mut played = Played::begin().await;
    played.explore(20).await;
    sqlx::raw_sql(spoil).execute(&mut played.store.connection).await.unwrap();
    let copy = played.folder.path().join("copy.db");
    let error = backup_beside_world(&played.store.path, &copy).await.unwrap_err().to_string();
    let left = fs::read_dir(played.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("copy")).collect();
    assert!(left.is_empty(), "{left:?} was left behind");
    error
}

/// O5: a copy that is made beside the running world holds the same rows as the world.
#[tokio::test]
async fn o5_backup_beside_the_world_is_complete() {
    let mut played = Played::begin().await;
    played.explore(60).await;
    let copy = played.folder.path().join("copy.db");
    backup_beside_world(&played.store.path, &copy).await.unwrap();
    assert_eq!(check(&copy).await.unwrap(), Vec::<String>::new());
    let before = played.store.load().await.unwrap();
    let mut store = Store::open(&copy).await.unwrap();
    assert!(store.load().await.unwrap() == before);
    let again = backup_beside_world(&played.store.path, &copy).await;
    assert!(matches!(again, Err(StoreError::Exists(_))));
}

/// D8, O5: invalid rows, and amounts that differ from the totals of the ledger, are found without loading a world.
#[tokio::test]
async fn d8_o5_backup_with_invalid_rows_or_wrong_totals_is_refused() {
    for (spoil, reason) in [
        (
            "update rooms set data = json_remove(data, '$.name') where id = 2",
            "table rooms, row 2: missing field",
        ),
        ("update rooms set data = replace(data, '{', '(') where id = 3", "table rooms, row"),
        (
            "update meta set data = json_set(data, '$.money.made', json_extract(data, '$.money.made') + 7)",
            "money: the totals differ by 7 (D8)",
        ),
        (
            "update meta set data = json_set(data, '$.stock.spoon', json('{\"made\":2,\"gone\":0}'))",
            "items: the totals of spoon differ by 2 (D8)",
        ),
        (
            "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)",
            "its schema is",
        ),
    ] {
        let error = Box::pin(refused_after(spoil)).await;
        assert!(error.starts_with("the database is inconsistent") && error.contains(reason), "{error}");
    }
}

/// O5: a reference inside the JSON of a row to a row that does not exist is found without loading a world, in the words of
/// `deepwell check`.
#[tokio::test]
async fn o5_backup_with_a_dangling_reference_is_refused() {
    for (spoil, reason) in [
        (
            "update exits set data = json_set(data, '$.to', 999999) where id = (select max(id) from exits)",
            "the room it leads to does not exist",
        ),
        (
            "update exits set data = json_set(data, '$.room', 999999) where id = (select max(id) from exits)",
            "its room does not exist",
        ),
        (
            "update characters set data = json_set(data, '$.home', 999999) where id = 1",
            "characters 1: its home does not exist",
        ),
        (
            "update characters set data = json_set(data, '$.account', 99) where id = 1",
            "characters 1: its account does not exist",
        ),
        (
            "update items set data = json_set(data, '$.place', json('{\"holder\":18446744073709551615}')) \
             where id = (select min(id) from items)",
            "its place does not exist",
        ),
        (
            "update rooms set data = json_set(data, '$.branch', 77) where id = (select max(id) from rooms)",
            "its branch does not exist",
        ),
        (
            "update branches set data = json_set(data, '$.start_room', 999999)",
            "branches 1: its start room does not exist",
        ),
        (
            "update accounts set data = json_set(data, '$.friends', json('{\"44\":\"Nobody\"}'))",
            "accounts 1: a friend does not exist",
        ),
        (
            "insert into mails (id, data) values (1, \
             '{\"id\":1,\"to\":55,\"from\":null,\"number\":1,\"text\":\"a\",\"at\":1,\"until\":2}')",
            "mails 1: its receiver does not exist",
        ),
    ] {
        let mut played = Box::pin(Played::begin()).await;
        played.explore(20).await;
        sqlx::raw_sql(spoil).execute(&mut played.store.connection).await.unwrap();
        let copy = played.folder.path().join("copy.db");
        let error = Box::pin(backup_beside_world(&played.store.path, &copy)).await.unwrap_err().to_string();
        assert!(error.starts_with("the database is inconsistent") && error.contains(reason), "{error}");
        let found = Box::pin(check(&played.store.path)).await.unwrap();
        assert!(found.iter().any(|mistake| error.contains(mistake.as_str())), "{error}, but {found:?}");
    }
}
