//! Two hosts and a gateway over NATS: a host is killed, stopped for longer than its lease, asked to make way; NATS
//! itself is killed. Players stay connected and keep their seats, and nothing acknowledged is lost.

use crate::client::Client;
use crate::nats::Nats;
use crate::server::{Server, program};
use deepwell::base::GameTime;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Digs a room and returns its name, once the answer is there.
pub(crate) fn dig(builder: &mut Client, number: &mut u32) -> String {
    *number += 1;
    let name = format!("Mark {number}.");
    let answer = builder.ask(&format!("dig {name} = path{number},back{number}"));
    assert!(answer.contains("Mark"), "{answer}");
    name
}

/// Stops a host and returns how often each room that a test has dug is stored.
pub(crate) fn marks(host: &mut Server) -> BTreeMap<String, usize> {
    host.stop();
    let mut counts = BTreeMap::new();
    for room in host.stored().rooms.values().filter(|room| room.sheet.name.starts_with("Mark ")) {
        *counts.entry(room.sheet.name.clone()).or_default() += 1;
    }
    counts
}

/// Creates a character and makes it the owner of the world.
pub(crate) fn claim(gateway: &Server, leader: &Server) -> Client {
    let token = leader.control(&["owner-token"]);
    let mut builder = gateway.create("Sondra");
    builder.ask(&format!("claim {}", token.as_str().unwrap()));
    builder.ask("goto lodge");
    builder
}

/// D1, O1: with each way to lose a leader, the other host leads, every client is in its seat again, and both copies have
/// every acknowledged deed once.
#[test]
fn d1_standby_takes_over_with_all_clients() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &["ops.listen=127.0.0.1:0"]);
    let mut anna = gateway.create("Annika");
    let mut builder = claim(&gateway, &one);
    let (mut number, mut dug) = (0, Vec::new());
    for how in ["KILL", "STOP", "promote", "TERM"] {
        dug.push(dig(&mut builder, &mut number));
        let (before, port) = (gateway.log().len(), two.ready_now().unwrap()["ops"].clone());
        match how {
            "KILL" => one.kill(),
            "promote" => {
                two.control(&["cluster", "promote"]);
            }
            "TERM" => one.stop(),
            signal => one.signal(signal),
        }
        gateway.wait_for_log(before, "linked to the host");
        two.wait_for_role("leader");
        assert_eq!(two.ready_now().unwrap()["ops"], port, "the port for operators changed");
        for (name, client) in [("Annika", &mut anna), ("Sondra", &mut builder)] {
            let answer = client.ask("score");
            assert!(answer.contains(name), "after {how}: {name} sits elsewhere: {answer}");
        }
        dug.push(dig(&mut builder, &mut number));
        match how {
            "KILL" | "TERM" => one.start_host(),
            "STOP" => {
                let before = one.log().len();
                one.signal("CONT");
                one.wait_for_log(before, "starts again as a standby");
            }
            _ => {}
        }
        one.wait_for_role("standby");
        std::mem::swap(&mut one, &mut two);
    }
    let expected: BTreeMap<String, usize> = dug.into_iter().map(|name| (name, 1)).collect();
    assert_eq!(marks(&mut two), expected, "the standby");
    assert_eq!(marks(&mut one), expected, "the leader");
    for host in [&one, &two] {
        host.assert_sound();
        assert!(host.check().status.success());
    }
    gateway.assert_sound();
}

/// D1: a host that has just taken the lead, and is suspended while it reads the world, starts again as a standby.
#[test]
fn d1_host_replaced_while_it_starts_is_a_standby_again() {
    let Some(nats) = Nats::start() else { return };
    let (_gateway, [mut one, two]) = Server::start_cluster(&nats, &[], &[]);
    let before = two.log().len();
    one.kill();
    two.wait_for_log(before, "this host leads the world");
    two.signal("STOP");
    one.start_host();
    one.wait_for_role("leader");
    let before = two.log().len();
    two.signal("CONT");
    two.wait_for_log(before, "starts again as a standby");
    two.wait_for_role("standby");
    two.assert_sound();
}

/// O3: without NATS the world is read-only and people can talk, if their gateway reaches the host in another way. When
/// NATS is back, everything goes on.
#[test]
fn o3_world_without_nats_is_read_only() {
    let Some(mut nats) = Nats::start() else { return };
    // Longer than NATS is away, so that the same host leads afterwards.
    let lease = ["cluster.lease_ms=30000"];
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &lease);
    let socket = format!("gateway.socket={}", one.state().join("link.sock").display());
    drop(gateway);
    let gateway = Server::start_gateway_beside(&nats, &[&socket]);
    let mut builder = claim(&gateway, &one);
    let (mut number, mut dug) = (0, vec![]);
    dug.push(dig(&mut builder, &mut number));
    let before = one.log().len();
    let linked = gateway.log().len();
    nats.kill();
    one.wait_for_log(before, "the world is read-only until storage can be written");
    gateway.wait_for_log(linked, "linked to the host");
    let answer = builder.ask("say can you hear me");
    assert!(answer.contains("can you hear me"), "{answer}");
    let answer = builder.ask("dig Lost. = lost,back");
    assert!(answer.contains("cannot write just now"), "{answer}");
    let health = one.try_control(&["status"]).unwrap_err();
    assert!(health.contains("read-only"), "{health}");
    nats.restart();
    one.wait_for_log(before, "storage can be written again");
    dug.push(dig(&mut builder, &mut number));
    two.wait_for_role("standby");
    let expected: BTreeMap<String, usize> = dug.into_iter().map(|name| (name, 1)).collect();
    drop(gateway);
    assert_eq!(marks(&mut one), expected);
    two.wait_for_role("leader");
    assert_eq!(marks(&mut two), expected);
}

/// A host with another world is refused, one that runs alone leaves the cluster, and a new history brings all together
/// again.
#[test]
fn host_that_ran_alone_joins_only_with_a_new_history() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &[]);
    let mut builder = claim(&gateway, &one);
    let mut number = 0;
    dig(&mut builder, &mut number);
    drop((builder, gateway));
    two.stop();
    one.stop();
    one.start_host_with(&["--alone"]);
    assert_eq!(one.control(&["status"])["cluster"]["role"], "alone");
    assert!(one.log().contains("this host runs alone"));
    one.stop();
    let refused = one.fail_to_start(&[]);
    assert!(refused.contains("has another world than the cluster"), "{refused}");
    one.start_host_with(&["--new-history"]);
    one.wait_for_role("leader");
    let refused = two.fail_to_start(&[]);
    assert!(refused.contains("has another world than the cluster"), "{refused}");
    for file in ["deepwell.db", "deepwell.db-wal", "deepwell.db-shm"] {
        let _ = std::fs::remove_file(two.state().join(file));
    }
    two.start_host();
    two.wait_for_role("standby");
    assert!(two.log().contains("started from a snapshot"));
    one.stop();
    two.wait_for_role("leader");
    assert_eq!(marks(&mut two).len(), 1);
}

/// D1, O1, O3: the services of `deploy/compose/cluster.yaml` lose a process, the network or the disk, and no room that a
/// player was shown. The script prints a line if it cannot run them here.
#[test]
fn d1_services_of_the_compose_file_survive_losses() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/run-cluster.py");
    let output = Command::new(script).arg(program()).output().unwrap();
    let [report, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    println!("{report}");
    assert!(output.status.success(), "{report}\n{errors}");
}

/// Returns the time of the last batch in a copy, as an argument of `restore --until`.
fn moment_of(copy: &Path) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let at: i64 = runtime.block_on(async {
        let mut db = SqliteConnectOptions::new().filename(copy).read_only(true).connect().await.unwrap();
        let at = sqlx::query_scalar("select time from lease").fetch_one(&mut db).await.unwrap();
        db.close().await.unwrap();
        at
    });
    let stamp = GameTime(at).stamp();
    format!("{}:{}:{}", &stamp[..13], &stamp[13..15], &stamp[15..])
}

/// Runs `deepwell restore`; returns its output, and its errors if it fails.
fn restore(host: &Server, arguments: &[&str]) -> Result<String, String> {
    let output = host.restore(arguments);
    let [out, errors] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if output.status.success() { Ok(out) } else { Err(errors) }
}

/// O5: a backup and the log of the cluster after it give the world back as it was at a moment, and a dry run tells that
/// before. A host with that world does not read the batches that were left out: it begins a new history, in which a copy
/// of the old one finds no batches.
#[test]
fn o5_backup_and_log_of_the_cluster_give_the_state_of_a_moment() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &[]);
    let mut builder = claim(&gateway, &one);
    let mut number = 0;
    let [first, second] = ["first.db", "second.db"].map(|name| one.state().with_file_name(name));
    let mut wanted = vec![dig(&mut builder, &mut number)];
    one.control(&["backup", first.to_str().unwrap()]);
    wanted.push(dig(&mut builder, &mut number));
    one.control(&["backup", second.to_str().unwrap()]);
    let moment = moment_of(&second);
    dig(&mut builder, &mut number);
    drop((builder, gateway));
    two.stop();
    one.stop();
    let (before, first, second) = (one.stored(), first.to_str().unwrap(), second.to_str().unwrap());

    let log = ["--from-cluster", "--until", &moment];
    let early = restore(&one, &[second, "--from-cluster", "--until", "2020-01-01 00:00:00"]).unwrap_err();
    assert!(early.contains("which is after the wanted moment"), "{early}");
    let report = restore(&one, &[&[first, "--dry-run"], log.as_slice()].concat()).unwrap();
    for sentence in
        ["sound, this release's schema", "It would move", "after the copy, of", "It would leave out"]
    {
        assert!(report.contains(sentence), "{sentence}: {report}");
    }
    assert!(one.stored() == before, "a dry run changes nothing");

    let report = restore(&one, &[&[first], log.as_slice()].concat()).unwrap();
    assert!(report.contains("start the one with this world with --new-history"), "{report}");
    let refused = one.fail_to_start(&[]);
    assert!(refused.contains("has another world than the cluster"), "{refused}");
    one.start_host_with(&["--new-history"]);
    one.wait_for_role("leader");
    let expected: BTreeMap<String, usize> = wanted.into_iter().map(|name| (name, 1)).collect();
    assert_eq!(marks(&mut one), expected);
    one.assert_sound();
    let later = restore(&one, &[&[first], log.as_slice()].concat()).unwrap_err();
    assert!(later.contains("that of another world than the copy"), "{later}");
    let alone = restore(&one, &["--set", "cluster.nats=", first, "--from-cluster"]).unwrap_err();
    assert!(alone.contains("cluster.nats is empty"), "{alone}");
}

/// O5: all entries of the log are applied without a moment, and the host then goes on in the cluster.
#[test]
fn o5_backup_and_the_whole_log_give_the_last_state() {
    let Some(nats) = Nats::start() else { return };
    let (gateway, [mut one, mut two]) = Server::start_cluster(&nats, &[], &[]);
    let mut builder = claim(&gateway, &one);
    let (mut number, copy) = (0, one.state().with_file_name("copy.db"));
    one.control(&["backup", copy.to_str().unwrap()]);
    let dug = [dig(&mut builder, &mut number), dig(&mut builder, &mut number)];
    drop((builder, gateway));
    two.stop();
    one.stop();
    let report = restore(&one, &[copy.to_str().unwrap(), "--from-cluster"]).unwrap();
    assert!(report.contains("restored to") && !report.contains("--new-history"), "{report}");
    one.start_host();
    one.wait_for_role("leader");
    let expected: BTreeMap<String, usize> = dug.into_iter().map(|name| (name, 1)).collect();
    assert_eq!(marks(&mut one), expected);
    one.assert_sound();
}
