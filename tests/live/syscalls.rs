//! The program is killed at each of its calls that touch a file, one run a call: whatever is left behind, the next start
//! finds a whole world, the old one or the new one. The kills are strace's, which some machines do not have.

use crate::server::Server;
use deepwell::base::GameTime;
use deepwell::store::{Store, check};
use deepwell::world::{Meta, Snapshot};
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_deepwell");
/// A server beside which others run: no port of its own is fixed.
const SERVE: [&str; 7] =
    ["--set", "telnet.listen=127.0.0.1:0", "--set", "http.listen=off", "--set", "ops.listen=off", "serve"];
/// What changes a file or a name.
const CALLS: [&str; 14] = [
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "ftruncate",
    "copy_file_range",
    "sendfile",
];
/// Calls of one kind that are tried in turn, if `DEEPWELL_SYSCALLS` does not say more.
const EACH: u32 = 12;

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

/// The program in a state folder, to be killed at its nth call of a kind.
fn killed_at(call: &str, nth: u32, state: &Path, arguments: &[&str]) -> Child {
    let inject = format!("inject={call}:signal=KILL:when={nth}");
    Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject, PROGRAM])
        .args(["--set", &format!("server.state_dir={}", state.display())])
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Whether it was killed, and did not come to its end before.
fn kill_at(call: &str, nth: u32, state: &Path, arguments: &[&str]) -> bool {
    !killed_at(call, nth, state, arguments).wait().unwrap().success()
}

/// Tries every call of every kind in turn, up to a number of each: `run` tells whether the program was killed there, and
/// did not come to its end before. There must be at least so many kills.
fn kill_at_each_call(least: u32, mut run: impl FnMut(&str, u32) -> bool) {
    let mut kills = 0;
    for call in CALLS {
        kills += u32::try_from((1..=each()).take_while(|nth| run(call, *nth)).count()).unwrap();
    }
    assert!(kills >= least, "{kills} kills");
    crate::figures::tell(&format!("{kills} kills"));
}

/// A killed server's folder, and what was stored.
pub(crate) struct Scene {
    folder: TempDir,
    pub(crate) stored: Snapshot,
    pub(crate) copied: Snapshot,
}

impl Scene {
    /// A world with a log that has not been written back, and a copy of it from before. The log does not hold all that came
    /// after the copy: played over it, it would leave neither world.
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

    /// The same files in a folder of their own.
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

/// What a start alone does not change.
pub(crate) fn plain(stored: &Snapshot) -> Snapshot {
    let meta = stored.meta.clone().map(|meta| Meta { starts: 0, time: GameTime(0), ..meta });
    Snapshot { meta, ..stored.clone() }
}

/// Promise 1, O5: a restore that is killed at any call leaves the old world or the copy, and the other is not lost.
#[test]
fn a_restore_killed_at_any_call_leaves_a_whole_world() {
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

/// O5: a backup that is killed at any call leaves no file under its name but a whole one, and does not hinder the next.
#[test]
fn a_backup_killed_at_any_call_is_no_obstacle_to_the_next() {
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

/// A folder with a played world of the first schema.
pub(crate) fn older_world() -> TempDir {
    let mut bytes = Vec::new();
    GzDecoder::new(&include_bytes!("../data/worlds/schema-1.db.gz")[..]).read_to_end(&mut bytes).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("deepwell.db"), &bytes).unwrap();
    folder
}

/// O6: a start that is killed at any call while it upgrades an older world: nobody and nothing is lost.
#[test]
fn an_upgrade_killed_at_any_call_goes_on_at_the_next_start() {
    if !strace_works() {
        return;
    }
    let whole = load(&older_world().path().join("deepwell.db"));
    kill_at_each_call(25, |call, nth| {
        let folder = older_world();
        let mut server = killed_at(call, nth, folder.path(), &SERVE);
        let ready = folder.path().join("ready.json");
        while server.try_wait().unwrap().is_none() {
            if ready.exists() {
                end(&ready, server);
                return false;
            }
            std::thread::yield_now();
        }
        let found = load(&folder.path().join("deepwell.db"));
        assert!(found.accounts == whole.accounts, "{call} {nth}: accounts");
        assert!(found.characters.keys().eq(whole.characters.keys()), "{call} {nth}: characters");
        assert!(found.items == whole.items, "{call} {nth}: things");
        true
    });
}

/// O2: a start whose disk fails or is full at any call says so, and nobody is sent to restore a backup of a world that is
/// sound.
#[test]
fn a_start_on_a_disk_in_trouble_names_the_right_cure() {
    if !strace_works() {
        return;
    }
    let scene = Scene::begin();
    let mut troubles = 0;
    for (call, error, cure) in [
        ("pread64", "EIO", "at the disk and the system's log"),
        ("pwrite64", "EIO", "at the disk and the system's log"),
        ("pwrite64", "ENOSPC", "room on the disk"),
        ("fsync,fdatasync", "EIO", "at the disk and the system's log"),
        ("ftruncate", "ENOSPC", "room on the disk"),
    ] {
        // Some reads of the log make SQLite say that the file is malformed.
        let of_the_log = if call == "pread64" { [60, 61, 62, 63].as_slice() } else { &[] };
        for nth in (1..=each()).chain(of_the_log.iter().copied()) {
            let folder = scene.lay_out();
            let Some(said) = start_in_trouble(folder.path(), call, error, nth) else { continue };
            assert!(!said.contains("backup"), "{call} {error} {nth}: {said}");
            assert!(said.contains(cure), "{call} {error} {nth}: {said}");
            troubles += 1;
        }
    }
    assert!(troubles >= 20, "{troubles} troubles");
    crate::figures::tell(&format!("{troubles} troubles"));
}

/// What a server says that does not start because its nth call of a kind fails.
fn start_in_trouble(state: &Path, call: &str, error: &str, nth: u32) -> Option<String> {
    let said = state.join("said");
    let mut server = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")])
        .args(["-e", &format!("inject={call}:error={error}:when={nth}"), PROGRAM])
        .args(["--set", &format!("server.state_dir={}", state.display())])
        .args(SERVE)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&said).unwrap())
        .spawn()
        .unwrap();
    let ready = state.join("ready.json");
    while server.try_wait().unwrap().is_none() {
        if ready.exists() {
            end(&ready, server);
            return None;
        }
        std::thread::yield_now();
    }
    let said = fs::read_to_string(&said).unwrap();
    // The program itself is read by the same calls.
    (!said.contains("shared libraries")).then_some(said)
}

/// Ends a server that was ready before the call came at which it was to be killed: strace would leave it behind.
fn end(ready: &Path, mut strace: Child) {
    let ready: serde_json::Value = serde_json::from_str(&fs::read_to_string(ready).unwrap()).unwrap();
    // The call may have come since: then nobody is there to be ended.
    Command::new("kill").args(["-9", &ready["pid"].to_string()]).stderr(Stdio::null()).status().unwrap();
    strace.wait().unwrap();
}
