//! Branches that a start leaves in the database.

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
    played.types("quit").await;
    while played.game.world().branches[branch].window_open {
        played.now = GameTime(played.now.0 + 300_000);
        played.step(Input::Wake).await;
    }
    let all = played.store.load().await.unwrap();
    played.store.leave_asleep(true);
    let awake = played.store.load().await.unwrap();
    assert!(awake.asleep.branches.contains(&branch) && awake == all.awake_part());
    assert!(awake.rooms.len() < all.rooms.len() && awake.rooms.contains_key(&all.characters[&olad].room));

    let mut reader = BranchReader::new(played.folder.path().join("world.db"));
    let rows = reader.read(branch).await.unwrap();
    assert!(rows == all.rows_of(branch) && rows.rooms.len() > 2 && !rows.exits.is_empty());
    let spoilt = "update exits set data = json_set(data, '$.room', 1) where branch = ?";
    sqlx::query(spoilt).bind(branch.0).execute(&mut played.store.connection).await.unwrap();
    let error = reader.read(branch).await.unwrap_err().to_string();
    assert!(error.contains("exits") && error.contains("outside of branch"), "{error}");
    assert!(reader.read(BranchId(999)).await.is_err(), "there is no such branch");
}
