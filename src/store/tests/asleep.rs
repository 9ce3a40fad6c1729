//! Branches and accounts that a start leaves in the database.

use super::*;

/// D6, D9: a start leaves a branch without players in the database, and reads the same of the others as before. A reader
/// finds all of its rows, and refuses rows that do not belong together.
#[tokio::test]
async fn d9_branch_is_left_in_the_database_and_read_later() {
    let mut played = Played::begin().await;
    played.explore(60).await;
    let world = played.game.world();
    let olad = world.character_by_name("Olad").unwrap();
    let branch = world.characters[olad].branch.expect("Olad is in a branch");
    // A fight has to end first.
    while played.game.world().characters.get(olad).is_some_and(|body| body.awake) {
        played.now = GameTime(played.now.0 + 5_000);
        played.type_line("flee").await;
        played.type_line("quit").await;
    }
    while played.game.world().branches[branch].window_open {
        played.now = GameTime(played.now.0 + 300_000);
        played.step(Input::Wake).await;
    }
    let all = played.store.load().await.unwrap();
    played.store.leave_asleep(true, false);
    let awake = played.store.load().await.unwrap();
    assert!(awake.asleep.branches.contains(&branch), "{branch} of {:?}", all.branches.keys());
    assert!(awake == all.awake_part(true, false));
    assert!(awake.rooms.len() < all.rooms.len() && awake.rooms.contains_key(&all.characters[&olad].room));

    let mut reader = PartReader::new(played.folder.path().join("world.db"));
    let rows = reader.read(WorldPart::Branch(branch)).await.unwrap();
    assert!(rows == all.rows_of(branch) && !rows.rooms.is_empty() && !rows.exits.is_empty());
    let spoilt = "update exits set data = json_set(data, '$.room', 1) where branch = ?";
    sqlx::query(spoilt).bind(branch.0).execute(&mut played.store.connection).await.unwrap();
    let error = reader.read(WorldPart::Branch(branch)).await.unwrap_err().to_string();
    assert!(error.contains("exits") && error.contains("outside of branch"), "{error}");
    assert!(reader.read(WorldPart::Branch(BranchId(999))).await.is_err(), "there is no such branch");
}

/// D6, D9: a start reads a few fields of the characters of accounts that are not in use. A reader finds their rows, and
/// refuses those that do not belong together.
#[tokio::test]
async fn d9_absent_account_is_left_in_the_database_and_read_later() {
    let mut played = Played::begin().await;
    let world = played.game.world();
    let olad = world.character_by_name("Olad").unwrap();
    let account = WorldPart::Account(world.account_of(olad).unwrap());
    played.store.leave_asleep(false, true);
    let awake = played.store.load().await.unwrap();
    assert!(awake.asleep.absent.is_empty() && awake.characters.contains_key(&olad), "Olad is awake");
    played.type_line("quit").await;
    let awake = played.store.load().await.unwrap();
    played.store.leave_asleep(false, false);
    let all = played.store.load().await.unwrap();
    assert!(awake == all.awake_part(false, true) && awake.asleep.absent.contains_key(&olad));
    assert!(!awake.characters.contains_key(&olad) && all.characters.contains_key(&olad));

    let mut reader = PartReader::new(played.folder.path().join("world.db"));
    let rows = reader.read(account).await.unwrap();
    assert!(rows == all.rows_of(account) && rows.characters.len() == 1);
    let spoilt = "update characters set data = json_set(data, '$.account', 999) where part < 0";
    sqlx::query(spoilt).execute(&mut played.store.connection).await.unwrap();
    let error = reader.read(account).await.unwrap_err().to_string();
    assert!(error.contains("no absent character of account"), "{error}");
    assert!(
        reader.read(WorldPart::Account(deepwell_core::base::AccountId(999))).await.is_err(),
        "there is no such account"
    );
    let spoilt = "update characters set absent = '{}' where part < 0";
    sqlx::query(spoilt).execute(&mut played.store.connection).await.unwrap();
    played.store.leave_asleep(false, true);
    assert!(matches!(played.store.load().await, Err(StoreError::BadRow { table: "characters", .. })));
    let outcome = check(&played.folder.path().join("world.db")).await;
    assert!(outcome.is_err() || !outcome.unwrap().is_empty(), "a check compares the column with the row");
}
