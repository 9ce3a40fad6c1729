//! Columns of rows: the database finds the rows of a branch, and a check compares the columns with the world.

use super::*;
use crate::store::load::{PLAYERS, mismatches};
use deepwell_core::world::{Character, Item, Place, World};

/// Columns of the containing part, by table.
const PARTS: [(&str, &str); 4] =
    [("rooms", "branch"), ("exits", "branch"), ("characters", "part"), ("items", "part")];

/// Returns the numbers of rows by containing part, as the database has them: rooms, exits, characters and items.
async fn rows_by_part(store: &mut Store) -> Vec<(String, Option<i64>, i64)> {
    let of = |(table, part): (&str, &str)| {
        format!("select '{table}', {part}, count(*) from {table} group by {part}")
    };
    let sql = PARTS.map(of).join(" union all ");
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut store.connection).await.unwrap()
}

/// A change of places, and the containing part of the lamp afterwards.
type Move<'a> = (&'a dyn Fn(&mut World), Option<i64>);

/// The rows of a part are found by their column, also after creatures, items and nested items have moved in and out.
#[tokio::test]
async fn rows_keep_their_containing_part() {
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
    let of_lamp = format!("select part from items where id = {lamp}");
    let inside = Some(i64::from(branch.0));
    let carried = Some(-i64::from(world.account_of(holder).unwrap().0));
    let moves: [Move; 7] = [
        (&|_| {}, inside),
        (&|world| world.move_character(rat, town), None),
        (&|world| world.move_character(rat, room), inside),
        (&|world| world.move_item(bag, Place::Holder(holder)), carried),
        (&|world| world.move_item(bag, Place::Room(room)), inside),
        (&|world| world.move_item(chest, Place::Holder(holder)), carried),
        (&|world| world.move_item(chest, Place::Inside(bag)), inside),
    ];
    for (n, (change, expected)) in moves.into_iter().enumerate() {
        change(&mut world);
        played.store.commit(&world.cut()).await.unwrap();
        let sql = sqlx::AssertSqlSafe(of_lamp.clone());
        let found: Option<i64> =
            sqlx::query_scalar(sql).fetch_one(&mut played.store.connection).await.unwrap();
        assert_eq!(found, expected, "move {n}");
        let lines = mismatches(&mut played.store.connection, &world).await.unwrap();
        assert_eq!(lines, Vec::<String>::new(), "move {n}");
    }
    let rows = rows_by_part(&mut played.store).await;
    assert!(rows.iter().filter(|(_, found, _)| *found == inside).count() == 4, "{rows:?}");
}

async fn plan_of(store: &mut Store, sql: &str) -> Vec<String> {
    let sql = format!("explain query plan {sql}");
    let steps = sqlx::query_as::<_, (i64, i64, i64, String)>(sqlx::AssertSqlSafe(sql));
    let steps = steps.fetch_all(&mut store.connection).await.unwrap();
    steps.into_iter().map(|(.., step)| step).collect()
}

/// The rows of a part, and those outside of parts, are read by an index.
#[tokio::test]
async fn rows_are_found_by_part_without_a_scan() {
    let mut played = Played::begin().await;
    for (table, part) in PARTS {
        for condition in ["= ?", "in (select value from json_each(?))", "is null"] {
            let plan =
                plan_of(&mut played.store, &format!("select data from {table} where {part} {condition}"))
                    .await;
            let is_by_index = |step: &String| {
                step.contains("USING INDEX") || step.contains("rooms_outside") || !step.contains(table)
            };
            assert!(plan.iter().all(is_by_index), "{table}, {condition}: {plan:?}");
        }
    }
}

/// A start reads the fields of absent characters from an index, without their rows.
#[tokio::test]
async fn fields_of_absent_characters_are_in_an_index() {
    let mut played = Played::begin().await;
    let plan = plan_of(&mut played.store, PLAYERS).await;
    let reads = |step: &String| step.contains("COVERING INDEX characters_absent");
    assert!(plan.iter().any(reads) && !plan.concat().contains("TEMP B-TREE"), "{plan:?}");
}

/// D7: a check names the rows whose columns are not those of their world.
#[tokio::test]
async fn check_reports_wrong_columns() {
    let mut played = Played::begin().await;
    let spoil = "update exits set branch = 7 where id = 1; update accounts set name = 'nobody'";
    sqlx::raw_sql(spoil).execute(&mut played.store.connection).await.unwrap();
    let lines = check(&played.store.path).await.unwrap();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("accounts 1: its columns name, skeleton are"), "{lines:?}");
    assert_eq!(lines[1], "exits 1: its columns branch are [7], but its row says [null]");
}
