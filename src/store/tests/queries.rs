//! Queries that docs/operate/queries.md advises: each runs on a played world of this schema, and finds something.

use super::upgrades::lay_out_newest;
use super::*;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/operate/queries.md");

#[tokio::test]
async fn queries_of_the_page_find_something_in_a_played_world() {
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out_newest(&folder);
    let mut db = options(&path).read_only(true).connect().await.unwrap();
    let queries: Vec<&str> =
        PAGE.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(queries.len() >= 10, "{}", queries.len());
    for query in queries {
        let found = sqlx::raw_sql(sqlx::AssertSqlSafe(query)).fetch_all(&mut db).await;
        assert!(
            !found.unwrap_or_else(|error| panic!("{query}: {error}")).is_empty(),
            "nothing found: {query}"
        );
    }
    db.close().await.unwrap();
}

#[tokio::test]
async fn page_lists_each_view() {
    let folder = tempfile::tempdir().unwrap();
    let mut db = options(&lay_out_newest(&folder)).read_only(true).connect().await.unwrap();
    let sql = "select name from sqlite_master where type = 'view'";
    let views: BTreeSet<String> =
        sqlx::query_scalar(sql).fetch_all(&mut db).await.unwrap().into_iter().collect();
    db.close().await.unwrap();
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.map(str::to_owned).collect::<BTreeSet<_>>(), views);
}
