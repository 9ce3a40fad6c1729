//! Backup, restore and upgrade interrupted by a power failure: the result is the complete old or new state. Once the
//! program has exited successfully, it is the new state.

use super::disk::Disk;
use super::record::{Event, Tap, events};
use super::{moments, number};
use crate::syscalls::{PROGRAM, Scene, assert_upgraded, load, older_world, plain, wait_until_ready};
use deepwell::base::Seed;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Number of disk images per test, unless `DEEPWELL_IMAGES` is set.
const IMAGES: u32 = 20;

/// Records a run of the program on a folder, and passes to `look` each simulated state after a power failure, with
/// `true` if it is that of the very end.
fn for_each_power_failure(
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
        .stderr(Stdio::piped())
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
        // System calls that change names are few: after each, every combination of unsynced name changes is tried.
        if matches!(
            event,
            Event::Renamed { .. } | Event::Linked { .. } | Event::Removed { .. } | Event::Opened { .. }
        ) {
            for namings in disk.unsynced_name_combinations() {
                look(&mut |left| disk.write_image_with_names(&namings, &mut dice, left));
            }
        }
    }
}

/// Checks that the program exits successfully.
fn succeed(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Promise 1, O5: the world is the old one or the backup, and the old one is kept.
#[test]
fn o5_restore_cut_by_power_failure_leaves_complete_world() {
    let scene = Scene::begin();
    let folder = scene.lay_out();
    let copy = folder.path().join("copy.db");
    for_each_power_failure(folder.path(), &["restore", &copy.to_string_lossy()], succeed, |left, is_end| {
        let found = plain(&load(&left.join("deepwell.db")));
        if found == plain(&scene.copied) {
            let aside = plain(&load(&left.join("deepwell.db.before-restore-1")));
            assert!(aside == plain(&scene.stored), "the old world is lost");
        } else {
            assert!(found == plain(&scene.stored) && !is_end, "another world, or the old one at the end");
        }
    });
}

/// O5: the backup is complete or absent.
#[test]
fn o5_backup_cut_by_power_failure_is_complete_or_absent() {
    let scene = Scene::begin();
    let folder = scene.lay_out();
    let copy = folder.path().join("new.db");
    for_each_power_failure(folder.path(), &["backup", &copy.to_string_lossy()], succeed, |left, is_end| {
        let copy = left.join("new.db");
        assert!(copy.exists() || !is_end, "the backup is gone");
        if copy.exists() {
            assert!(plain(&load(&copy)) == plain(&scene.stored));
        }
        assert!(plain(&load(&left.join("deepwell.db"))) == plain(&scene.stored));
    });
}

/// O6: the next start completes the upgrade.
#[test]
fn o6_upgrade_cut_by_power_failure_completes_at_next_start() {
    let whole = load(&older_world().path().join("deepwell.db"));
    let folder = older_world();
    let kill_when_ready = |mut child: Child| {
        wait_until_ready(&mut child).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    };
    for_each_power_failure(folder.path(), &["serve"], kill_when_ready, |left, _| {
        assert_upgraded(left, &whole);
    });
}
