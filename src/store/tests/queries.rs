//! Queries that docs/operate/queries.md advises: each runs on a played world of this schema and finds something, and runs on
//! an upgraded one.

use super::upgrades::lay_out;
use super::*;
use crate::store::schema::known_schema;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/operate/queries.md");

fn queries() -> impl Iterator<Item = &'static str> {
    PAGE.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next())
}

#[tokio::test]
async fn queries_of_the_page_run_and_find_something_in_a_played_world() {
    assert!(queries().count() >= 10);
    for schema in [1, known_schema()] {
        let folder = tempfile::tempdir().unwrap();
        let path = lay_out(&folder, schema);
        Store::open(&path).await.unwrap().close().await.unwrap();
        let mut db = options(&path).read_only(true).connect().await.unwrap();
        for query in queries() {
            let found = sqlx::raw_sql(query).fetch_all(&mut db).await;
            let found = found.unwrap_or_else(|error| panic!("schema {schema}: {query}: {error}"));
            assert!(schema < known_schema() || !found.is_empty(), "nothing found: {query}");
        }
        db.close().await.unwrap();
    }
}

#[tokio::test]
async fn page_lists_each_view() {
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(&folder, known_schema());
    let mut db = options(&path).read_only(true).connect().await.unwrap();
    let sql = "select name from sqlite_master where type = 'view'";
    let views: BTreeSet<String> =
        sqlx::query_scalar(sql).fetch_all(&mut db).await.unwrap().into_iter().collect();
    db.close().await.unwrap();
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.map(str::to_owned).collect::<BTreeSet<_>>(), views);
}
