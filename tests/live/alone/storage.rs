//! Storage failures: another program locks the database or reads it for a long time, or the disk fails.

use crate::PATIENCE;
use crate::server::Server;
use crate::syscalls::strace_works;
use crate::timing::{try_again, within};
use crate::web::request;
use deepwell::base::RoomId;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use tokio::runtime::Runtime;

/// One second for a failing batch, plus a margin for a busy machine.
const STALL_MOST: Duration = Duration::from_secs(4);

/// D1: when a second server opens the world, the first one exits with an error at its next change; the world stays
/// intact.
#[test]
fn d1_first_server_exits_with_error_when_second_opens_world() {
    let mut server = Server::start_alone(&[]);
    let mut olad = server.create("Olad");
    let from = server.log().len();
    let mut second = server.start_beside();
    olad.send("north");
    server.wait_for_log(from, "another server has opened this database");
    second.kill().unwrap();
    second.wait().unwrap();
    server.kill();
    server.assert_sound();
}

/// O3: players can look and talk while the database is locked, during repeated write attempts.
#[test]
fn o3_locked_database_does_not_freeze_play() {
    let server = Server::start_alone(&["world.seed=11"]);
    let mut olad = server.create("Olad");
    try_again(|| {
        let from = server.log().len();
        let mut other = Other::open(&server);
        other.run("begin immediate");
        let begun = Instant::now();
        olad.send("config brief on");
        olad.expect("Server:");
        let stalled = begun.elapsed();
        let mut slowest = Duration::ZERO;
        while begun.elapsed() < Duration::from_secs(10) {
            let asked = Instant::now();
            assert!(olad.ask("look").contains("Exits"));
            slowest = slowest.max(asked.elapsed());
        }
        other.run("rollback");
        other.close();
        server.wait_for_log(from, "storage can be written again");
        assert!(olad.ask("config brief on").contains("brief: on"));
        within(STALL_MOST, stalled, "the first that cannot be written")?;
        within(Duration::from_millis(700), slowest, "a look while storage is tried")
    });
}

/// Another program's connection to the database.
struct Other {
    runtime: Runtime,
    connection: SqliteConnection,
}

impl Other {
    fn open(server: &Server) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let database = SqliteConnectOptions::new().filename(server.database());
        let connection = runtime.block_on(database.connect()).unwrap();
        Self { runtime, connection }
    }

    fn run(&mut self, sql: &'static str) {
        self.runtime.block_on(sqlx::raw_sql(sql).execute(&mut self.connection)).unwrap();
    }

    fn close(self) {
        self.runtime.block_on(self.connection.close()).unwrap();
    }
}

/// Makes syncs of a running server fail until dropped.
struct FailingSyncs(Child);

impl FailingSyncs {
    /// Fails all syncs, or those selected by a strace expression, counted per thread.
    fn begin(server: &Server, which: &str) -> Self {
        Self::with(server, &format!("error=EIO{which}"))
    }

    /// Injects a fault given as a strace expression.
    fn with(server: &Server, fault: &str) -> Self {
        let inject = format!("inject=fsync,fdatasync:{fault}");
        let process = server.process().to_string();
        let strace = Command::new("strace")
            .args([
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=fsync,fdatasync",
                "-e",
                &inject,
                "-p",
                &process,
            ])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while !is_traced(&process) {
            assert!(begun.elapsed() < PATIENCE, "strace does not come to trace the server");
            thread::yield_now();
        }
        Self(strace)
    }
}

impl Drop for FailingSyncs {
    fn drop(&mut self) {
        // SIGKILL would leave stopped threads behind.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// Returns `true` if every thread of the process is traced.
fn is_traced(process: &str) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    threads
        .map(|thread| fs::read_to_string(thread.unwrap().path().join("status")).unwrap_or_default())
        .all(|status| status.lines().any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0")))
}

/// Starts a server with Olad's character stored; also returns the room stored for him.
fn with_olad() -> (Server, RoomId) {
    let mut server = Server::start_alone(&["world.seed=11"]);
    server.create("Olad");
    server.kill();
    let room = room_of_olad(&server);
    server.restart(&[]);
    (server, room)
}

fn room_of_olad(server: &Server) -> RoomId {
    server.stored().characters.values().find(|body| body.name == "Olad").unwrap().room
}

/// Promise 1, D5: changes reported as not having happened are not stored, even if the server is killed immediately and
/// the log contained them.
#[test]
fn d5_changes_of_a_failed_sync_do_not_reappear() {
    if !strace_works() {
        return;
    }
    (0..3).for_each(|_| try_again(fail_sync_and_kill));
}

/// Makes the sync of a batch with a player's steps fail, and kills the server immediately.
fn fail_sync_and_kill() -> Result<(), String> {
    let (mut server, room) = with_olad();
    let mut olad = server.login("Olad");
    olad.ask("config brief off");
    let failing = FailingSyncs::begin(&server, ":when=1");
    olad.send("down\r\nlook\r\nsay hello");
    let heard = olad.expect_any(&["has not happened", "holds its breath"]);
    if heard.ends_with("holds its breath") {
        return Err(
            "the sync that failed was another's: that of the time, which is written in between".to_owned()
        );
    }
    for message in ["Not answered: down", "Not answered: look", "Not answered: say hello", "holds its breath"]
    {
        olad.expect(message);
    }
    server.kill();
    drop(failing);
    assert_eq!(room_of_olad(&server), room, "it has happened after all");
    Ok(())
}

/// O8: while each sync takes a tenth of a second longer, so does the part of a commit that is measured as that of the disk.
#[test]
fn o8_time_of_the_disk_contains_the_sync() {
    if !strace_works() {
        return;
    }
    let server = Server::start_alone(&["world.seed=11", "ops.listen=127.0.0.1:0"]);
    let mut olad = server.create("Olad");
    let slow = FailingSyncs::with(&server, "delay_enter=100000");
    let before = CommitTimes::read(&server);
    for line in ["down", "up", "down", "up"] {
        olad.ask(line);
    }
    let after = CommitTimes::read(&server);
    drop(slow);
    let [commits, whole, disk] = [0, 1, 2].map(|at| after.0[at] - before.0[at]);
    assert!(commits >= 4.0 && disk >= commits * 0.09, "{disk} s on the disk in {commits} commits");
    assert!(disk <= whole, "{disk} s on the disk of {whole} s");
}

/// Number of commits, and their seconds in all and on the disk.
struct CommitTimes([f64; 3]);

impl CommitTimes {
    fn read(server: &Server) -> Self {
        let metrics = request(server.port("ops"), "GET /metrics");
        let value = |name: &str| {
            let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("no {name} in {metrics}")).parse().unwrap()
        };
        Self(
            ["commit_seconds_count", "commit_seconds_sum", "commit_disk_seconds_sum"]
                .map(|name| value(&format!("deepwell_{name}"))),
        )
    }
}

/// Promise 1, D5: if the failed batch cannot be overwritten, the players are told that the outcome is unknown.
#[test]
fn d5_persistent_sync_failure_reports_unknown_outcome() {
    if !strace_works() {
        return;
    }
    let (server, _) = with_olad();
    let mut olad = server.login("Olad");
    let from = server.log().len();
    let failing = FailingSyncs::begin(&server, "");
    olad.send("down");
    let heard = olad.expect("holds its breath");
    assert!(
        heard.contains("may turn out to have happened") && !heard.contains("has not happened"),
        "{heard}"
    );
    assert!(olad.ask("look").contains("Exits"));
    drop(failing);
    server.wait_for_log(from, "storage can be written again");
    olad.expect("breathes again");
    assert!(!olad.ask("down").contains("cannot write"));
}

/// D3, O4: while a sync hangs, all players can look and talk, also the one whose step is waiting and who is informed.
/// Their view is marked. Health checks report it; afterwards all continue.
#[test]
fn o4_hanging_sync_blocks_no_reader() {
    if !strace_works() {
        return;
    }
    let server = Server::start_alone(&["world.seed=11", "ops.listen=127.0.0.1:0"]);
    let (mut olad, mut bera, mut cato) =
        (server.create("Olad"), server.create("Bera"), server.create("Cato"));
    bera.ask("down");
    cato.ask("down");
    olad.ask("north");
    let from = server.log().len();
    let hanging = FailingSyncs::with(&server, "delay_enter=8000000:when=1");
    olad.send("south");
    olad.expect("The disk does not answer.");
    bera.expect("holds its breath");
    let begun = Instant::now();
    for player in [&mut bera, &mut olad] {
        let seen = player.ask("look");
        let (mark, room) = (seen.find("Server: Unconfirmed"), seen.find("Exits"));
        assert!(mark.is_some() && mark < room, "a look is answered, with a mark: {seen}");
    }
    bera.ask("say hello");
    cato.expect("Bera says: hello");
    let refused = bera.ask("up");
    assert!(refused.contains("cannot write just now"), "{refused}");
    let answered = begun.elapsed();
    assert!(request(server.port("ops"), "GET /health").starts_with("HTTP/1.1 503"));
    assert!(request(server.port("ops"), "GET /ready").contains("the disk is not responding"));
    assert!(request(server.port("ops"), "GET /live").starts_with("HTTP/1.1 200"));
    server.wait_for_log(from, "the disk is responding again");
    olad.expect("Well Square");
    bera.expect("breathes again");
    drop(hanging);
    assert!(bera.ask("up").contains("Well Square"));
    assert!(request(server.port("ops"), "GET /health").starts_with("HTTP/1.1 200"));
    assert!(answered < Duration::from_secs(5), "{answered:?}: the hang was waited for");
}

/// Size of the write-ahead log, from `control status`.
fn log_bytes(server: &Server) -> u64 {
    server.control(&["status"])["wal_bytes"].as_u64().unwrap()
}

/// D12: a long-running reader cannot make the write-ahead log grow without limit, and the operator is warned; once the
/// reader is gone, the log shrinks within a minute.
#[test]
fn d12_write_ahead_log_is_bounded_under_a_long_reader() {
    const MIB: u64 = 1 << 20;
    let server = Server::start_alone(&["world.seed=11", "server.wal_mib=16"]);
    let mut olad = server.create("Olad");
    let (mut reader, mut writer) = (Other::open(&server), Other::open(&server));
    reader.run("begin; select count(*) from rooms");
    let five = "insert into ledger (at, what, amount, why) \
                with recursive n (i) as (select 1 union all select i + 1 from n where i < 5) \
                select 1, 'coins', 0, hex(randomblob(524288)) from n";
    writer.run(five);
    // The next batch detects the other program's rows, and the world is reloaded with them.
    olad.send("config brief on");
    olad.expect("The world stumbles");
    olad.ask("config brief on");
    server.wait_for_log(0, "the write-ahead log keeps growing");
    assert!(!log_says_read_only(&server), "at less than the bound play goes on");
    writer.run(five);
    writer.run(five);
    writer.run(five);
    olad.send("config brief off");
    olad.expect("holds its breath");
    server.wait_for_log(0, "or raise server.wal_mib");
    let full = log_bytes(&server);
    assert!((16 * MIB..32 * MIB).contains(&full), "{full} bytes");
    for _ in 0..20 {
        assert!(olad.ask("look").contains("Exits"));
        olad.ask("config brief off");
    }
    assert_eq!(log_bytes(&server), full, "it grows all the same");

    reader.run("rollback");
    let freed = Instant::now();
    server.wait_for_log(0, "storage can be written again");
    while log_bytes(&server) >= 8 * MIB {
        assert!(freed.elapsed() < Duration::from_mins(1), "{} bytes", log_bytes(&server));
        thread::yield_now();
    }
    assert!(olad.ask("config brief off").contains("brief: off"));
}

fn log_says_read_only(server: &Server) -> bool {
    server.log().contains("read-only")
}
