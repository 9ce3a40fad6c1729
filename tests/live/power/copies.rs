//! A backup, a restore and an upgrade while the power fails: what is left is the old or the new, and it is whole. What the
//! program has told by its end stays so.

use super::disk::Disk;
use super::record::{Event, Tap, events};
use super::{moments, number};
use crate::syscalls::{PROGRAM, Scene, load, older_world, plain};
use deepwell::base::Seed;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Disks that are laid out of each, if `DEEPWELL_IMAGES` does not say.
const IMAGES: u32 = 40;

/// Lets the program do something in a folder, and lays out what a loss of power may leave at any moment of it. `look` is
/// told whether that is the very end.
fn lose_power_at_any_moment(
    state: &Path,
    arguments: &[&str],
    end: impl Fn(Child),
    mut look: impl FnMut(&Path, bool),
) {
    let tools = TempDir::new().unwrap();
    let Some(tap) = Tap::build(tools.path()) else { return };
    let disk = Disk::of(state, "");
    let child = Command::new(PROGRAM)
        .args(["--set", &format!("server.state_dir={}", state.display())])
        .args(["--set", "telnet.listen=127.0.0.1:0", "--set", "http.listen=off", "--set", "ops.listen=off"])
        .args(arguments)
        .env_clear()
        .envs(tap.environment(state))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    end(child);
    let record = tap.take();
    let mut disk: Disk<'_> = disk;
    let events = events(&record);
    let mut dice = Seed(number("DEEPWELL_SEED", 1).into()).named("copies").rng();
    let moments = moments(&events, number("DEEPWELL_IMAGES", IMAGES), &mut dice);
    for (n, event) in events.iter().enumerate() {
        disk.take(event);
        let is_end = n + 1 == events.len();
        let mut look = |lay_out: &mut dyn FnMut(&Path)| {
            let left = TempDir::new().unwrap();
            lay_out(left.path());
            look(left.path(), is_end);
        };
        for _ in moments.iter().filter(|moment| moment.0 == n) {
            look(&mut |left| disk.lay_out(&mut dice, left));
        }
        // A name changes with one call, and there are few of them: each is looked behind, with every choice of those in flight.
        if matches!(
            event,
            Event::Renamed { .. } | Event::Linked { .. } | Event::Removed { .. } | Event::Opened { .. }
        ) {
            for namings in disk.namings_left() {
                look(&mut |left| disk.lay_out_named(&namings, &mut dice, left));
            }
        }
    }
}

/// What is told by an end without an error.
fn succeed(mut child: Child) {
    assert!(child.wait().unwrap().success());
}

/// Promise 1, O5.
#[test]
fn a_restore_without_power_leaves_a_whole_world() {
    let scene = Scene::begin();
    let folder = scene.lay_out();
    let copy = folder.path().join("copy.db");
    lose_power_at_any_moment(
        folder.path(),
        &["restore", &copy.to_string_lossy()],
        succeed,
        |left, is_end| {
            let found = plain(&load(&left.join("deepwell.db")));
            if found == plain(&scene.copied) {
                let aside = plain(&load(&left.join("deepwell.db.before-restore-1")));
                assert!(aside == plain(&scene.stored), "the old world is lost");
            } else {
                assert!(found == plain(&scene.stored) && !is_end, "another world, or the old one at the end");
            }
        },
    );
}

/// O5.
#[test]
fn a_backup_without_power_is_whole_or_not_there() {
    let scene = Scene::begin();
    let folder = scene.lay_out();
    let copy = folder.path().join("new.db");
    lose_power_at_any_moment(folder.path(), &["backup", &copy.to_string_lossy()], succeed, |left, is_end| {
        let copy = left.join("new.db");
        assert!(copy.exists() || !is_end, "the backup is gone");
        if copy.exists() {
            assert!(plain(&load(&copy)) == plain(&scene.stored));
        }
        assert!(plain(&load(&left.join("deepwell.db"))) == plain(&scene.stored));
    });
}

/// O6.
#[test]
fn an_upgrade_without_power_goes_on_at_the_next_start() {
    let whole = load(&older_world().path().join("deepwell.db"));
    let folder = older_world();
    let ready = folder.path().join("ready.json");
    let kill_when_ready = |mut child: Child| {
        while !ready.exists() {
            assert!(child.try_wait().unwrap().is_none(), "it did not start");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    };
    lose_power_at_any_moment(folder.path(), &["serve"], kill_when_ready, |left, _| {
        let found = load(&left.join("deepwell.db"));
        assert!(found.accounts == whole.accounts, "accounts");
        assert!(found.characters.keys().eq(whole.characters.keys()), "characters");
        assert!(found.items == whole.items, "things");
    });
}
