//! The program is killed at each of its system calls that touch a file, one run per call. The next start must find a
//! complete world, either the old or the new one. strace does the killing; some machines lack it.

use crate::server::Server;
use deepwell::base::GameTime;
use deepwell::store::{Store, check};
use deepwell::world::{Meta, Snapshot};
use flate2::read::GzDecoder;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Path of the program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_deepwell");
/// Arguments for a server that can run next to others: no fixed ports.
const SERVE: [&str; 7] =
    ["--set", "telnet.listen=127.0.0.1:0", "--set", "http.listen=off", "--set", "ops.listen=off", "serve"];
/// System calls that change a file or a file name.
const CALLS: [&str; 14] = [
    "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "unlink",
    "unlinkat", "ftruncate", "copy_file_range", "sendfile",
];
/// Number of calls of each kind that are tried, unless `DEEPWELL_SYSCALLS` says otherwise.
const EACH: u32 = 8;

pub(crate) fn each() -> u32 {
    std::env::var("DEEPWELL_SYSCALLS")
        .map_or(EACH, |each| each.parse().expect("DEEPWELL_SYSCALLS is a number"))
}

pub(crate) fn strace_works() -> bool {
    let tried =
        Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: strace cannot be run here");
    }
    works
}

/// Starts the program on a state folder; strace kills it at its nth call of a kind.
fn killed_at(call: &str, nth: u32, state: &Path, arguments: &[&str]) -> Child {
    let inject = format!("inject={call}:signal=KILL:when={nth}");
    Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject, PROGRAM])
        .args(["--set", &format!("server.state_dir={}", state.display())])
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns `true` if the program was killed, `false` if it finished first.
fn kill_at(call: &str, nth: u32, state: &Path, arguments: &[&str]) -> bool {
    !killed_at(call, nth, state, arguments).wait_with_output().unwrap().status.success()
}

/// Waits until a server is ready.
///
/// # Errors
/// Its error output, if it has ended.
pub(crate) fn wait_until_ready(server: &mut Child) -> Result<(), String> {
    let mut text = String::new();
    for line in BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok) {
        if line.contains(" ready telnet=") {
            return Ok(());
        }
        text.push_str(&line);
        text.push('\n');
    }
    server.wait().unwrap();
    Err(text)
}

/// Tries the calls of every kind in turn, up to [`each`] per kind. `run` returns `true` if the program was killed
/// there, `false` if it finished first. Panics if there are fewer than `least` kills.
fn kill_at_each_call(least: u32, mut run: impl FnMut(&str, u32) -> bool) {
    let mut kills = 0;
    for call in CALLS {
        kills += u32::try_from((1..=each()).take_while(|nth| run(call, *nth)).count()).unwrap();
    }
    assert!(kills >= least, "{kills} kills");
    crate::figures::tell(&format!("{kills} kills"));
}

/// State folder of a killed server, and its stored world.
pub(crate) struct Scene {
    folder: TempDir,
    pub(crate) stored: Snapshot,
    pub(crate) copied: Snapshot,
}

impl Scene {
    /// Creates a world whose write-ahead log is not checkpointed, and a backup from before. The log lacks some changes
    /// made since the backup: replayed over the backup, it would give neither world.
    pub(crate) fn begin() -> Self {
        let mut server = Server::start(&["world.seed=11"]);
        let folder = TempDir::new().unwrap();
        let mut olad = server.create("Olad");
        server.control(&["backup", &folder.path().join("copy.db").to_string_lossy()]);
        olad.ask("down");
        olad.ask("east");
        server.control(&["ban", "203.0.113.7"]);
        server.stop();
        server.restart(&[]);
        server.login("Olad").ask("west");
        server.kill();
        for suffix in ["", "-wal"] {
            let name = format!("deepwell.db{suffix}");
            fs::copy(server.state().join(&name), folder.path().join(name)).unwrap();
        }
        let (stored, copied) = (server.stored(), load(&folder.path().join("copy.db")));
        assert!(plain(&stored) != plain(&copied));
        Self { folder, stored, copied }
    }

    /// Copies the files into a new folder.
    pub(crate) fn lay_out(&self) -> TempDir {
        let folder = TempDir::new().unwrap();
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        folder
    }
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn load(path: &Path) -> Snapshot {
    let mut store = Store::open(path).await.unwrap();
    let stored = store.load().await.unwrap();
    store.close().await.unwrap();
    assert_eq!(check(path).await.unwrap(), Vec::<String>::new());
    stored
}

/// Returns the snapshot without the fields that each start changes.
pub(crate) fn plain(stored: &Snapshot) -> Snapshot {
    let meta = stored.meta.clone().map(|meta| Meta { starts: 0, time: GameTime(0), ..meta });
    Snapshot { meta, ..stored.clone() }
}

/// Promise 1, O5: a restore killed at any call leaves the old world or the backup in place, and the other is kept.
#[test]
fn o5_restore_killed_at_any_call_leaves_complete_world() {
    if !strace_works() {
        return;
    }
    let scene = Scene::begin();
    kill_at_each_call(20, |call, nth| {
        let folder = scene.lay_out();
        let copy = folder.path().join("copy.db");
        if !kill_at(call, nth, folder.path(), &["restore", &copy.to_string_lossy()]) {
            return false;
        }
        let found = plain(&load(&folder.path().join("deepwell.db")));
        let aside = folder.path().join("deepwell.db.before-restore-1");
        if found == plain(&scene.copied) {
            assert!(plain(&load(&aside)) == plain(&scene.stored), "{call} {nth}: the old world is lost");
        } else {
            assert!(found == plain(&scene.stored), "{call} {nth}: another world");
        }
        true
    });
}

/// O5: a backup killed at any call leaves no incomplete file under its name, and the next backup succeeds.
#[test]
fn o5_backup_killed_at_any_call_does_not_block_next_backup() {
    if !strace_works() {
        return;
    }
    let scene = Scene::begin();
    kill_at_each_call(15, |call, nth| {
        let folder = scene.lay_out();
        let to = folder.path().join("new.db");
        let arguments = ["backup", &to.to_string_lossy()];
        if !kill_at(call, nth, folder.path(), &arguments) {
            return false;
        }
        if to.exists() {
            assert!(plain(&load(&to)) == plain(&scene.stored), "{call} {nth}");
            fs::remove_file(&to).unwrap();
        }
        assert!(!kill_at("reboot", 1, folder.path(), &arguments), "{call} {nth}: the next one fails");
        assert!(plain(&load(&to)) == plain(&scene.stored), "{call} {nth}");
        true
    });
}

/// Creates a folder with a played world of the first schema.
pub(crate) fn older_world() -> TempDir {
    let mut bytes = Vec::new();
    GzDecoder::new(&include_bytes!("../data/worlds/schema-1.db.gz")[..]).read_to_end(&mut bytes).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("deepwell.db"), &bytes).unwrap();
    folder
}

/// Requires that a folder has all of an older world. Accounts may have notices of what has expired since.
pub(crate) fn assert_upgraded(folder: &Path, whole: &Snapshot) {
    let mut found = load(&folder.join("deepwell.db"));
    found.accounts.values_mut().for_each(|row| row.notices.clear());
    assert!(found.accounts == whole.accounts, "accounts");
    assert!(whole.characters.keys().all(|who| found.characters.contains_key(who)), "characters");
    assert!(found.items == whole.items, "things");
}

/// O6: an upgrade of an older world can be killed at any call of the start without loss.
#[test]
fn o6_upgrade_killed_at_any_call_completes_at_next_start() {
    if !strace_works() {
        return;
    }
    let whole = load(&older_world().path().join("deepwell.db"));
    kill_at_each_call(25, |call, nth| {
        let folder = older_world();
        let mut server = killed_at(call, nth, folder.path(), &SERVE);
        if wait_until_ready(&mut server).is_ok() {
            end(folder.path(), server);
            return false;
        }
        assert_upgraded(folder.path(), &whole);
        true
    });
}

/// O2: if the disk fails or is full at any call of a start, the error suggests the right fix, and never restoring a
/// backup over an intact world.
#[test]
fn o2_start_on_failing_disk_suggests_right_fix() {
    if !strace_works() {
        return;
    }
    let scene = Scene::begin();
    let mut troubles = 0;
    for (call, error, cure) in [
        ("pread64", "EIO", "check the disk and the system log"),
        ("pwrite64", "EIO", "check the disk and the system log"),
        ("pwrite64", "ENOSPC", "free space on the disk"),
        ("fsync,fdatasync", "EIO", "check the disk and the system log"),
        ("ftruncate", "ENOSPC", "free space on the disk"),
    ] {
        // After a failure in some reads of the log, SQLite reports a malformed file.
        let of_the_log = if call == "pread64" { [60, 61, 62, 63].as_slice() } else { &[] };
        for nth in (1..=each()).chain(of_the_log.iter().copied()) {
            let folder = scene.lay_out();
            let Some(message) = start_with_failing_call(folder.path(), call, error, nth) else { continue };
            assert!(!message.contains("backup"), "{call} {error} {nth}: {message}");
            assert!(message.contains(cure), "{call} {error} {nth}: {message}");
            troubles += 1;
        }
    }
    assert!(troubles >= 20, "{troubles} troubles");
    crate::figures::tell(&format!("{troubles} troubles"));
}

/// Returns the error output of a start whose nth call of a kind fails; `None` if the start succeeds.
fn start_with_failing_call(state: &Path, call: &str, error: &str, nth: u32) -> Option<String> {
    let mut server = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")])
        .args(["-e", &format!("inject={call}:error={error}:when={nth}"), PROGRAM])
        .args(["--set", &format!("server.state_dir={}", state.display())])
        .args(SERVE)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let Err(message) = wait_until_ready(&mut server) else {
        end(state, server);
        return None;
    };
    // Loading the executable makes the same system calls.
    (!message.contains("shared libraries")).then_some(message)
}

/// Kills a server that became ready before the selected call: strace would leave it running.
fn end(state: &Path, mut strace: Child) {
    let ready = fs::read_to_string(state.join("ready.json")).unwrap();
    let ready: serde_json::Value = serde_json::from_str(&ready).unwrap();
    // strace may have killed the server since.
    Command::new("kill").args(["-9", &ready["pid"].to_string()]).stderr(Stdio::null()).status().unwrap();
    strace.wait().unwrap();
}
