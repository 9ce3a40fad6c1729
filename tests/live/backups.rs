//! Backups of a running server: taken under load, restored and played; failures that players do not notice: O4, O5.

use crate::client::Client;
use crate::kill::number;
use crate::server::Server;
use crate::web::request;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use std::{fs, thread};

/// Number of backups taken under load, unless `DEEPWELL_BACKUPS` is set.
const BACKUPS: u32 = 3;
/// Players who change the world.
const NAMES: [&str; 16] = [
    "Olad", "Bera", "Cato", "Duna", "Egon", "Fria", "Gust", "Hedvig", "Ivor", "Jorun", "Kettil", "Lovisa",
    "Magnus", "Nanna", "Oskar", "Petra",
];
/// Line of the log after a backup.
const MADE: &str = "made a backup";
/// Line of the log after a failure.
const NOT_MADE: &str = "no backup was made";

/// Settings of a server that makes backups in a folder, beside those given.
fn settings<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let common = [
        folder,
        "world.seed=11",
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
        "limits.connections_per_address=100",
        "auth.accounts_per_hour=100000",
    ];
    [common.as_slice(), more].concat()
}

/// Starts a server that makes backups in the folder `backups` beside its state folder.
fn start(more: &[&str]) -> (Server, PathBuf) {
    let mut server = Server::prepare_without_roamers(&settings("backup.folder=backups", more));
    let folder = server.folder().join("backups");
    fs::create_dir(&folder).unwrap();
    server.restart(&[]);
    (server, folder)
}

/// Returns the finished backups in a folder, oldest first.
fn backups_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "db"))
        .collect();
    files.sort();
    files
}

/// Changes the world until told to stop, and counts the changes.
fn change_until(mut client: Client, stop: &AtomicBool, done: &AtomicU64) {
    let mut is_brief = false;
    while !stop.load(Ordering::Relaxed) {
        is_brief = !is_brief;
        client.ask(if is_brief { "config brief on" } else { "config brief off" });
        done.fetch_add(1, Ordering::Relaxed);
    }
}

/// O5: backups taken while players change the world are sound; each can be restored, and a player who logs in finds the
/// character and the room. `DEEPWELL_BACKUPS=20` for more.
#[test]
fn o5_backups_taken_under_load_are_restored_and_played() {
    let count = number("DEEPWELL_BACKUPS", BACKUPS);
    let keep = format!("backup.keep_latest={count}");
    let (mut server, folder) = start(&["backup.every=1s", &keep, "backup.keep_daily=0"]);
    let clients: Vec<Client> = NAMES.iter().map(|name| server.create(name)).collect();
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let begun = Instant::now();
    thread::scope(|scope| {
        for client in clients {
            scope.spawn(|| change_until(client, &stop, &done));
        }
        for _ in 0..count {
            let from = server.log().len();
            server.wait_for_log(from, MADE);
        }
        stop.store(true, Ordering::Relaxed);
    });
    let (changes, took) = (done.into_inner(), begun.elapsed());
    server.stop();
    let files = backups_in(&folder);
    assert_eq!(files.len(), count as usize, "older ones are deleted: {}", server.log());
    for file in &files {
        let mut other = Server::prepare_without_roamers(&["world.seed=11"]);
        let restored = other.restore(&[file.to_str().unwrap()]);
        assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
        assert!(other.check().status.success());
        other.restart(&[]);
        assert!(other.login(NAMES[0]).look().contains("Exits"));
        other.stop();
    }
    let rate = u128::from(changes) * 1_000 / took.as_millis();
    let bytes = fs::metadata(&files[0]).unwrap().len();
    crate::figures::tell(&format!("{count} backups of {bytes} bytes under {rate} changes a second"));
    server.assert_sound();
}

/// Asserts that a failure is a metric and a warning, and that players notice nothing.
fn assert_told_and_playing(server: &Server, client: &mut Client, warning: &str, metric: &str) {
    let ops = server.port("ops");
    let health = request(ops, "GET /health");
    assert!(health.starts_with("HTTP/1.1 200") && health.contains(warning), "{health}");
    assert!(request(ops, "GET /ready").starts_with("HTTP/1.1 200"));
    let metrics = request(ops, "GET /metrics");
    let line = metrics.lines().find(|line| line.starts_with(metric)).unwrap_or_else(|| panic!("{metrics}"));
    assert!(!line.ends_with(" 0"), "{line}");
    assert!(server.control(&["status"])["problems"].to_string().contains(warning));
    server.try_control(&["status"]).expect("a warning is no failure");
    client.ask("config brief on");
    assert!(client.look().contains("Exits"));
}

/// O4, O5: a folder that vanishes, a database that cannot be copied soundly, and a failing hook each lead to a metric, a
/// warning and a line in the log; the next sound backup ends the warning.
#[test]
fn o4_o5_failed_backups_are_reported_and_play_continues() {
    let (mut server, folder) = start(&["backup.every=1s", "ops.listen=127.0.0.1:0", "backup.hook=hook"]);
    // The hook is found when it is first run.
    let hook = server.folder().join("hook");
    let failed = "backups_failed_total";
    server.wait_for_log(0, "the program that runs after a backup failed");
    server.create("Bera").send("quit");
    let mut olad = server.create("Olad");
    assert_told_and_playing(&server, &mut olad, "backup_hook_failed", "deepwell_backup_hooks_failed_total");
    fs::write(&hook, "#!/bin/sh\necho \"$BACKUP_OUTCOME $BACKUP_FILE\" >> told\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o700)).unwrap();

    let away = server.folder().join("away");
    let from = server.log().len();
    fs::rename(&folder, &away).unwrap();
    server.wait_for_log(from, "is not a folder; mount or create it");
    server.wait_for_log(from, "no backup has been made for longer than twice the interval");
    assert_told_and_playing(&server, &mut olad, "backup_failed", &format!("deepwell_{failed}"));
    assert_told_and_playing(&server, &mut olad, "backup_late", "deepwell_backup_late");
    fs::rename(&away, &folder).unwrap();
    let from = server.log().len();
    server.wait_for_log(from, MADE);
    assert!(!request(server.port("ops"), "GET /health").contains("backup_failed"));
    // A hook that has not ended delays the next backup, not this line of the log.
    server.wait_for_log(server.log().len(), MADE);
    let text = fs::read_to_string(server.folder().join("told")).unwrap();
    assert!(text.contains("made backups/deepwell-") && text.contains("failed backups/deepwell-"), "{text}");
    server.stop();

    // A byte of a stored row changes on the disk, while the server has the row in memory.
    let (sound, spoilt) = (b"\"name\":\"Bera\"", b"\"name\";\"Bera\"");
    server.restart(&[]);
    let mut olad = server.login("Olad");
    let from = server.log().len();
    replace_in(&server.database(), sound, spoilt);
    server.wait_for_log(from, "the database is inconsistent, and no copy was kept");
    assert_told_and_playing(&server, &mut olad, "backup_failed", &format!("deepwell_{failed}"));
    let from = server.log().len();
    replace_in(&server.database(), spoilt, sound);
    server.wait_for_log(from, MADE);
    server.assert_sound();
    server.stop();
    let left = fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, backups_in(&folder).len(), "a part of a failed backup was left");
}

/// Replaces bytes of a file, everywhere.
fn replace_in(path: &Path, from: &[u8], to: &[u8]) {
    use std::os::unix::fs::FileExt as _;
    let bytes = fs::read(path).unwrap();
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    let places: Vec<usize> =
        (0..bytes.len() - from.len()).filter(|at| &bytes[*at..*at + from.len()] == from).collect();
    assert!(!places.is_empty(), "not in {}", path.display());
    for at in places {
        file.write_all_at(to, at as u64).unwrap();
    }
}

/// Starts a server that mounts a small file system on a folder beside its state folder, in a private namespace. `None`, with
/// a message, if no file system can be mounted here.
fn start_with_small_disk(folder: &str, size: &str, settings: &[&str]) -> Option<Server> {
    let mount = format!("mount -t tmpfs -o size={size} none {folder}");
    let tried = Command::new("unshare").args(["-Urm", "sh", "-c", "mount -t tmpfs none /mnt"]).status();
    if !tried.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no file system can be mounted here");
        return None;
    }
    let mut server = Server::prepare_without_roamers(settings);
    for folder in ["backups", "batches"] {
        fs::create_dir(server.folder().join(folder)).unwrap();
    }
    let program = crate::server::program();
    let (program, wrapper) = (program.display(), server.folder().join("deepwell"));
    let text = format!(
        "#!/bin/sh\ncase \"$1\" in\nserve) exec unshare -Urm sh -c '{mount} && exec {program} \"$@\"' sh \"$@\" ;;\n\
         *) exec {program} \"$@\" ;;\nesac\n"
    );
    fs::write(&wrapper, text).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o700)).unwrap();
    server.restart(&[]);
    Some(server)
}

/// O4, O5: a full target is reported, and play continues.
#[test]
fn o4_o5_full_target_of_backups_is_reported_and_play_continues() {
    let settings = settings("backup.folder=backups", &["backup.every=1s", "ops.listen=127.0.0.1:0"]);
    let Some(server) = start_with_small_disk("backups", "64k", &settings) else { return };
    let mut olad = server.create("Olad");
    server.wait_for_log(0, NOT_MADE);
    server.wait_for_log(0, "free space on the disk");
    assert_told_and_playing(&server, &mut olad, "backup_failed", "deepwell_backups_failed_total");
    server.assert_sound();
}

/// O3, O4, O5: when the folder of batches is full, the log, a metric and the status say so, and play continues. When it has
/// space again, a backup closes the gap: with the batches after it, it gives the last state. The copy before the gap does
/// not.
#[test]
fn o4_o5_full_folder_of_batches_is_reported_and_the_next_backup_closes_the_gap() {
    let settings = settings("backup.folder=backups", &["backup.batches=batches", "ops.listen=127.0.0.1:0"]);
    let Some(mut server) = start_with_small_disk("batches", "256k", &settings) else { return };
    server.wait_for_log(0, MADE);
    let folder = server.folder().join("backups");
    let mut olad = server.create("Olad");
    // The handle keeps the file system, which only the server has mounted, beyond its end.
    let inside = format!("/proc/{}/root{}", server.process(), server.folder().join("batches").display());
    let disk = fs::File::open(inside).unwrap();
    let batches = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), disk.as_raw_fd()));

    let (from, filler) = (server.log().len(), batches.join("filler"));
    fs::write(&filler, vec![0; 1 << 20]).expect_err("the disk is smaller");
    olad.ask("down");
    server.wait_for_log(from, "batches cannot be logged; play goes on");
    assert_told_and_playing(&server, &mut olad, "batches_not_logged", "deepwell_backup_batches_lost_total");
    let before_gap = backups_in(&folder).pop().unwrap();
    assert!(!server.log()[from..].contains(MADE), "no backup is made while it is full");

    let from = server.log().len();
    fs::remove_file(filler).unwrap();
    server.wait_for_log(from, "batches are logged again");
    server.wait_for_log(from, "making a backup that later ones can be applied to");
    server.wait_for_log(from, MADE);
    assert!(!request(server.port("ops"), "GET /health").contains("batches_not_logged"));
    let after_gap = backups_in(&folder).pop().unwrap();
    server.create("Bera").ask("down");
    server.stop();
    let stored = server.stored();

    let other = Server::prepare_without_roamers(&["world.seed=11"]);
    let apply =
        |copy: &Path| other.restore(&[copy.to_str().unwrap(), "--batches", batches.to_str().unwrap()]);
    let error = String::from_utf8_lossy(&apply(&before_gap).stderr).into_owned();
    assert!(error.contains("batches are missing in"), "{error}");
    let restored = apply(&after_gap);
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    assert!(other.stored() == stored, "{}", String::from_utf8_lossy(&restored.stdout));
    server.assert_sound();
}

/// O5: a server killed in the middle of a backup leaves no file with the name of a backup, and the next backup removes
/// what it left.
#[test]
fn o5_backup_cut_by_sigkill_leaves_no_backup() {
    let (mut server, folder) = start(&[]);
    server.create("Olad");
    let mut cut = 0;
    for _ in 0..10 {
        let before = backups_in(&folder);
        let running = thread::scope(|scope| {
            let asked = scope.spawn(|| server.try_control(&["backup"]));
            while !asked.is_finished() && unfinished(&folder).is_none() {
                thread::yield_now();
            }
            unfinished(&folder).inspect(|_| server.signal("KILL"))
        });
        server.kill();
        let made: Vec<PathBuf> =
            backups_in(&folder).into_iter().filter(|file| !before.contains(file)).collect();
        cut += u32::from(running.is_some() && made.is_empty());
        for file in made {
            let sound = server.restore(&[file.to_str().unwrap(), "--dry-run"]);
            assert!(sound.status.success(), "{}", String::from_utf8_lossy(&sound.stderr));
        }
        server.restart(&[]);
        server.control(&["backup"]);
        assert_eq!(unfinished(&folder), None, "the next backup removes it");
    }
    assert!(cut > 0, "no backup was cut");
    let list = server.restore(&[]);
    let text = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(list.status.success() && text.contains("The server must be stopped before."), "{text}");
    assert_eq!(text.matches("sound, this release's schema").count(), backups_in(&folder).len(), "{text}");
}

/// Returns an unfinished backup.
fn unfinished(folder: &Path) -> Option<PathBuf> {
    let mut paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.find(|path| path.to_string_lossy().contains(".deepwell-part-"))
}

/// O4, O5: a backup and the logged batches after it give the world back as it was at the stop, through a restart. A folder
/// of batches that vanishes is reported while play continues, and a new backup is made when it is back.
#[test]
fn o4_o5_backup_and_logged_batches_give_the_last_state() {
    let settings = settings("backup.folder=backups", &["backup.batches=batches", "ops.listen=127.0.0.1:0"]);
    let mut server = Server::prepare_without_roamers(&settings);
    let [folder, batches, away] = ["backups", "batches", "away"].map(|name| server.folder().join(name));
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&batches).unwrap();
    server.restart(&[]);
    let mut olad = server.create("Olad");
    // A new log needs a backup that its batches follow.
    server.wait_for_log(0, MADE);
    let first = backups_in(&folder).remove(0);
    olad.ask("down");
    let from = server.log().len();
    fs::rename(&batches, &away).unwrap();
    server.stop();
    server.restart(&[]);
    let mut olad = server.login("Olad");
    olad.ask("config brief on");
    server.wait_for_log(from, "batches cannot be logged; play goes on");
    assert_told_and_playing(&server, &mut olad, "batches_not_logged", "deepwell_backup_batches_lost_total");
    fs::rename(&away, &batches).unwrap();
    let from = server.log().len();
    server.wait_for_log(from, "batches are logged again");
    server.wait_for_log(from, MADE);
    assert!(!request(server.port("ops"), "GET /health").contains("batches_not_logged"));
    let after_gap = backups_in(&folder).pop().unwrap();
    olad.ask("config brief off");
    server.stop();
    server.restart(&[]);
    server.create("Bera").ask("down");
    server.stop();
    let (stored, batches) = (server.stored(), batches.to_str().unwrap());

    let other = Server::prepare_without_roamers(&["world.seed=11"]);
    let restored = other.restore(&[first.to_str().unwrap(), "--batches", batches]);
    let error = String::from_utf8_lossy(&restored.stderr).into_owned();
    assert!(restored.status.code() == Some(3) && error.contains("batches are missing in"), "{error}");
    let planned = other.restore(&[after_gap.to_str().unwrap(), "--batches", batches, "--dry-run"]);
    let output = String::from_utf8_lossy(&planned.stdout).into_owned();
    assert!(planned.status.success() && output.contains("It would apply"), "{output}");
    let restored = other.restore(&[after_gap.to_str().unwrap(), "--batches", batches]);
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    assert!(other.stored() == stored, "{}", String::from_utf8_lossy(&restored.stdout));
    server.assert_sound();
}
