//! Storage that hangs: another program holds the database for itself.

use crate::server::Server;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::time::{Duration, Instant};

/// A second for a batch that cannot be written, and what a busy machine needs besides.
const STALL_MOST: Duration = Duration::from_secs(4);

/// O3: looking and talking go on while nothing can be written, however long the trials whether it can take.
#[test]
fn o3_storage_that_hangs_does_not_freeze_play() {
    let server = Server::start_alone(&["world.seed=11"]);
    let mut olad = server.create("Olad");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = SqliteConnectOptions::new().filename(server.database());
    let mut other = runtime.block_on(database.connect()).unwrap();
    runtime.block_on(sqlx::raw_sql("begin immediate").execute(&mut other)).unwrap();

    let begun = Instant::now();
    olad.send("config brief on");
    olad.expect("Server:");
    assert!(begun.elapsed() < STALL_MOST, "the first that cannot be written: {:?}", begun.elapsed());
    let mut slowest = Duration::ZERO;
    while begun.elapsed() < Duration::from_secs(10) {
        let asked = Instant::now();
        assert!(olad.ask("look").contains("Exits"));
        slowest = slowest.max(asked.elapsed());
    }
    assert!(slowest < Duration::from_millis(700), "a look while storage is tried: {slowest:?}");

    runtime.block_on(sqlx::raw_sql("rollback").execute(&mut other)).unwrap();
    runtime.block_on(other.close()).unwrap();
    server.wait_for_log(0, "storage can be written again");
    assert!(olad.ask("config brief on").contains("brief: on"));
}
