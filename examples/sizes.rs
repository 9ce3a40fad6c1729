//! Prints the bytes per kind of row, on the disk and in memory, of a database or of a generated world. See
//! docs/develop/performance.md.
//!
//! ```text
//! cargo run --release --example sizes -- --database deepwell.db
//! cargo run --release --example sizes -- --rooms 20000
//! ```
//!
//! The database is copied first, so that it may be in use or have an older schema.

#![expect(clippy::print_stdout, reason = "its purpose is to print")]
#![expect(clippy::cast_precision_loss, reason = "figures for people have few digits")]

#[path = "load/explored.rs"]
mod explored;

use clap::Parser;
use deepwell::store::Store;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Measures rows on the disk and in memory
#[derive(Parser)]
struct Arguments {
    /// Database to measure
    #[arg(long, conflicts_with = "rooms")]
    database: Option<PathBuf>,
    /// Rooms of the generated world that is measured without a database
    #[arg(long, default_value_t = 20_000)]
    rooms: usize,
}

/// Bytes of a table on the disk.
#[derive(Default)]
struct OnDisk {
    rows: i64,
    /// Bytes of the JSON of all rows.
    json: i64,
    /// Bytes of the pages of the table.
    pages: i64,
    /// Bytes of the pages of its indices.
    indices: i64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("deepwell.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        if let Some(database) = &arguments.database {
            let mut db = options(database).read_only(true).connect().await?;
            sqlx::query("vacuum into ?").bind(path.to_str()).execute(&mut db).await?;
            db.close().await?;
        }
        let mut store = Store::open(&path).await?;
        if arguments.database.is_none() {
            store.commit(&explored::explored_world(arguments.rooms).cut()).await?;
        }
        let in_memory = in_memory(&mut store).await?;
        store.close().await?;
        println!(
            "{:<12} {:>9} {:>9} {:>9} {:>9} {:>9}   bytes a row",
            "table", "rows", "json", "pages", "indices", "memory"
        );
        for (table, on_disk) in on_disk(&path).await? {
            let of_row = |bytes: i64| bytes as f64 / on_disk.rows.max(1) as f64;
            let memory = in_memory.get(table.as_str()).copied().unwrap_or(0);
            println!(
                "{table:<12} {:>9} {:>9.0} {:>9.0} {:>9.0} {:>9.0}",
                on_disk.rows,
                of_row(on_disk.json),
                of_row(on_disk.pages),
                of_row(on_disk.indices),
                of_row(memory)
            );
        }
        Ok(())
    })
}

fn options(path: &Path) -> sqlx::sqlite::SqliteConnectOptions {
    sqlx::sqlite::SqliteConnectOptions::new().filename(path)
}

/// Returns the bytes of the rows of each table in memory, each in an allocation of its own, without indices.
async fn in_memory(store: &mut Store) -> anyhow::Result<BTreeMap<&'static str, i64>> {
    let stored = store.load().await?;
    let mut sizes = BTreeMap::new();
    macro_rules! measure {
        ($($table:ident)*) => {$(
            let mut copies = Vec::with_capacity(stored.$table.len());
            let measured = allocation_counter::measure(|| {
                copies.extend(stored.$table.values().map(|row| Box::new(row.clone())));
            });
            sizes.insert(stringify!($table), measured.bytes_current);
        )*};
    }
    measure! { accounts characters rooms exits items branches floors start_tasks parties reports bans audit journal }
    Ok(sizes)
}

/// Returns the sizes of the tables of a closed database, by name.
async fn on_disk(path: &Path) -> anyhow::Result<BTreeMap<String, OnDisk>> {
    let mut db: SqliteConnection = options(path).connect().await?;
    sqlx::raw_sql("vacuum").execute(&mut db).await?;
    let pages: Vec<(String, bool, i64)> = sqlx::query_as(
        "select tbl_name, type = 'table', sum(pgsize) from dbstat join sqlite_schema using (name) group by name",
    )
    .fetch_all(&mut db)
    .await?;
    let mut tables: BTreeMap<String, OnDisk> = BTreeMap::new();
    for (table, is_table, bytes) in pages {
        let sizes = tables.entry(table).or_default();
        *if is_table { &mut sizes.pages } else { &mut sizes.indices } += bytes;
    }
    for (table, sizes) in &mut tables {
        // Some tables have no JSON.
        let sql = format!("select count(*), coalesce(sum(length(data)), 0) from {table}");
        let counted = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_one(&mut db).await;
        (sizes.rows, sizes.json) = counted.unwrap_or((0, 0));
    }
    db.close().await?;
    tables.retain(|_, sizes| sizes.rows > 0);
    Ok(tables)
}
