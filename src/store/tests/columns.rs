//! Columns of rows: the database finds the rows of a branch, and a check compares the columns with the world.

use super::*;
use crate::store::load::mismatches;
use crate::world::{Character, Item, Place, World};

/// Returns the numbers of rows by containing branch, as the database has them: rooms, exits, characters and items.
async fn rows_by_branch(store: &mut Store) -> Vec<(String, Option<i64>, i64)> {
    let of = |table: &str| format!("select '{table}', branch, count(*) from {table} group by branch");
    let sql = ["rooms", "exits", "characters", "items"].map(of).join(" union all ");
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut store.connection).await.unwrap()
}

/// A change of places, and the containing branch of the lamp afterwards.
type Move<'a> = (&'a dyn Fn(&mut World), Option<i64>);

/// The rows of a branch are found by their column, also after creatures, items and nested items have moved in and out.
#[tokio::test]
async fn rows_keep_their_containing_branch() {
    let mut played = Played::begin().await;
    played.explore(60).await;
    let mut world = played.game.world().clone();
    let (branch, room) = world.rooms.iter().find_map(|(id, room)| Some((room.branch?, id))).unwrap();
    let (town, now) = (world.meta().town.unwrap(), GameTime(1));
    let holder = world.awake_players().next().unwrap();
    let rat = world.new_character_id();
    world.add_character(Character { awake: true, ..Character::new(rat, "clay rat".into(), room, now) });
    world.set_membership(rat, Some(branch));
    let [bag, chest, lamp] = [0; 3].map(|_| world.new_item_id());
    for (id, place) in [(bag, Place::Holder(rat)), (chest, Place::Inside(bag)), (lamp, Place::Inside(chest))]
    {
        world.add_item(Item::new(id, "clay_lamp", place, now), "test");
    }
    played.store.commit(&world.cut()).await.unwrap();
    let of_lamp = format!("select branch from items where id = {lamp}");
    let inside = Some(i64::from(branch.0));
    let moves: [Move; 7] = [
        (&|_| {}, inside),
        (&|world| world.move_character(rat, town), None),
        (&|world| world.move_character(rat, room), inside),
        (&|world| world.move_item(bag, Place::Holder(holder)), None),
        (&|world| world.move_item(bag, Place::Room(room)), inside),
        (&|world| world.move_item(chest, Place::Holder(holder)), None),
        (&|world| world.move_item(chest, Place::Inside(bag)), inside),
    ];
    for (n, (change, expected)) in moves.into_iter().enumerate() {
        change(&mut world);
        played.store.commit(&world.cut()).await.unwrap();
        let sql = sqlx::AssertSqlSafe(of_lamp.clone());
        let found: Option<i64> =
            sqlx::query_scalar(sql).fetch_one(&mut played.store.connection).await.unwrap();
        assert_eq!(found, expected, "move {n}");
        let wrong = mismatches(&mut played.store.connection, &world).await.unwrap();
        assert_eq!(wrong, Vec::<String>::new(), "move {n}");
    }
    let rows = rows_by_branch(&mut played.store).await;
    assert!(rows.iter().filter(|(_, found, _)| *found == inside).count() == 4, "{rows:?}");
}

/// The rows of a branch, and those outside of branches, are read by an index.
#[tokio::test]
async fn rows_are_found_by_branch_without_a_scan() {
    let mut played = Played::begin().await;
    for table in ["rooms", "exits", "characters", "items"] {
        for condition in ["branch = ?", "branch is null"] {
            let sql = format!("explain query plan select data from {table} where {condition}");
            let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
                .fetch_all(&mut played.store.connection)
                .await
                .unwrap();
            let is_by_index = |step: &str| step.contains("USING INDEX") || step.contains("rooms_outside");
            assert!(plan.iter().all(|(.., step)| is_by_index(step)), "{table}, {condition}: {plan:?}");
        }
    }
}

/// D7: a check names the rows whose columns are not those of their world.
#[tokio::test]
async fn check_reports_wrong_columns() {
    let mut played = Played::begin().await;
    let spoil = "update exits set branch = 7 where id = 1; update accounts set name = 'nobody'";
    sqlx::raw_sql(spoil).execute(&mut played.store.connection).await.unwrap();
    let wrong = check(&played.store.path).await.unwrap();
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(wrong[0].starts_with("accounts 1: its columns name, skeleton are"), "{wrong:?}");
    assert_eq!(wrong[1], "exits 1: its columns branch are [7], but its row says [null]");
}
