//! The history of a cluster: a world becomes that of the cluster by order only, never under a host that leads, and copies
//! of two histories never mix. NATS comes back empty; its password is in a file.

use crate::PATIENCE;
use crate::cluster::{claim, dig, marks};
use crate::nats::Nats;
use crate::server::Server;
use std::path::Path;
use std::process::Output;
use std::time::Instant;

/// Moves the database of a stopped host away.
fn move_away(host: &Server) {
    for file in ["deepwell.db", "deepwell.db-wal", "deepwell.db-shm"] {
        let _ = std::fs::remove_file(host.state().join(file));
    }
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns what a host tells an operator about the host two; empty if it knows nothing of it.
fn line_of_two(host: &Server) -> String {
    let hosts = host.run(&["control", "cluster", "status"]);
    hosts.lines().find(|line| line.starts_with("two: ")).unwrap_or_default().to_owned()
}

/// D1: `--new-history` is refused while another host leads, and ignored where the log leads on from the copy, so that no
/// acknowledged room is lost by it.
#[test]
fn d1_new_history_never_discards_the_log_of_a_host_that_leads() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &[]);
    let mut builder = claim(&gateway, &one);
    let (mut number, mut dug) = (0, vec![]);
    dug.push(dig(&mut builder, &mut number));
    two.stop();
    dug.push(dig(&mut builder, &mut number));
    // Its copy belongs to the history.
    two.start_host_with(&["--new-history"]);
    two.wait_for_role("standby");
    assert!(two.log().contains("--new-history is ignored"), "{}", two.log());
    two.stop();
    // A copy of another history.
    move_away(&two);
    two.start_host_with(&["--alone"]);
    two.stop();
    let refused = two.fail_to_start(&["--new-history"]);
    assert!(refused.contains("leads the world, and --new-history would discard"), "{refused}");
    dug.push(dig(&mut builder, &mut number));
    let refused = two.fail_to_start(&[]);
    assert!(refused.contains("has another world than the cluster"), "{refused}");
    move_away(&two);
    two.start_host();
    two.wait_for_role("standby");
    // An option left in the command of a service.
    one.stop();
    two.wait_for_role("leader");
    one.start_host_with(&["--new-history"]);
    one.wait_for_role("standby");
    dug.push(dig(&mut builder, &mut number));
    drop((builder, gateway));
    let found: Vec<String> = marks(&mut two).into_keys().collect();
    assert_eq!(found, dug);
    one.wait_for_role("leader");
    assert_eq!(marks(&mut one).into_keys().collect::<Vec<_>>(), dug);
}

/// D1: a standby of the old history, and a leader that was suspended, do not follow a new one, and no host says that
/// nothing is missing in a copy of another world.
#[test]
fn d1_copies_of_another_history_are_told_apart() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [mut one, two]) = Server::start_cluster(&nats, &[], &[]);
    let mut builder = claim(&gateway, &one);
    let mut number = 0;
    dig(&mut builder, &mut number);
    let copy = one.state().with_file_name("copy.db");
    one.control(&["backup", copy.to_str().unwrap()]);
    let lost = dig(&mut builder, &mut number);
    // A host tells the others about itself once a second: two has its role before the others know its history.
    let deadline = Instant::now() + PATIENCE;
    while !line_of_two(&one).starts_with("two: standby") {
        assert!(Instant::now() < deadline, "{}", two.log());
    }
    two.signal("STOP");
    one.stop();
    let report = String::from_utf8_lossy(&one.restore(&[copy.to_str().unwrap()]).stdout).into_owned();
    assert!(report.contains("no longer part of its cluster"), "{report}");
    let refused = one.fail_to_start(&[]);
    assert!(refused.contains("has another world than the cluster"), "{refused}");
    one.start_host_with(&["--new-history"]);
    one.wait_for_role("leader");
    let of_other = line_of_two(&one);
    assert!(of_other.contains("of another world than the cluster's"), "{of_other}");
    let before = two.log().len();
    two.signal("CONT");
    two.wait_for_log(before, "has another world than the cluster");
    drop((builder, gateway));
    let rooms = marks(&mut one);
    assert!(rooms.len() == 1 && !rooms.contains_key(&lost), "{rooms:?}");
}

/// O3: NATS comes back empty: the hosts say at once what to do, `check` tells which copy is the newest, and play continues
/// with that copy.
#[test]
fn o3_empty_nats_is_reported_at_once_and_filled_from_the_newest_copy() {
    let Some(mut nats) = Nats::start() else { return };
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &[]);
    let mut builder = claim(&gateway, &one);
    let (mut number, mut dug) = (0, vec![]);
    dug.push(dig(&mut builder, &mut number));
    two.stop();
    dug.push(dig(&mut builder, &mut number));
    let before = one.log().len();
    nats.lose_all();
    one.wait_for_log(before, "NATS has lost the log or the records of this cluster");
    let linked = gateway.log().len();
    one.kill();
    // What is sent to a host that is gone, but not missed yet, is lost.
    gateway.wait_for_log(linked, "no link to the host");
    let entry = |host: &Server| -> u64 {
        let report = printed(&host.check());
        let (entry, _) = report.split_once("(entry ").unwrap().1.split_once(" of the log").unwrap();
        entry.parse().unwrap()
    };
    assert!(entry(&one) > entry(&two), "{} {}", entry(&one), entry(&two));
    let refused = two.fail_to_start(&[]);
    assert!(refused.contains("NATS has lost the log or the records of this cluster"), "{refused}");
    one.start_host_with(&["--new-history"]);
    one.wait_for_role("leader");
    dug.push(dig(&mut builder, &mut number));
    drop((builder, gateway));
    assert_eq!(marks(&mut one).into_keys().collect::<Vec<_>>(), dug);
}

/// O2: the password of NATS is in a file, and nowhere else.
#[test]
fn o2_password_of_nats_is_read_from_a_file_and_never_shown() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [one, two]) = Server::start_cluster(&nats, &[], &["log.filter=async_nats=trace"]);
    for server in [&one, &two, &gateway] {
        let settings = server.run(&["config", "print"]);
        for text in [server.log(), settings] {
            assert!(!text.contains("p%40ss") && !text.contains("p@ss"), "{text}");
        }
        assert!(server.run(&["config", "print"]).contains("nats://world:***@127.0.0.1"));
    }
    drop((gateway, one, two));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    std::fs::write(&file, "p@ss,word\n").unwrap();
    let settings = [
        format!("cluster.nats={}", nats.url_with_user()),
        format!("cluster.nats_password_file={}", path(&file)),
    ];
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let (_gateway, [one, _two]) = Server::start_cluster(&nats, &[], &settings);
    assert!(one.log().contains("this host leads the world"));
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}
