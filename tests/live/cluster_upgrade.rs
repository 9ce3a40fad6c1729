//! A cluster whose program changes: the steps of docs/operate/cluster.md for a new format of stored rows, and worlds of
//! earlier schemas.

use crate::client::Client;
use crate::cluster::{claim, dig, marks};
use crate::nats::Nats;
use crate::server::{Server, copy_program, program};
use flate2::read::GzDecoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Players of the worlds of earlier schemas.
const PLAYERS: [&str; 6] = ["Olad", "Bera", "Mika", "Jost", "Tove", "Runa"];

/// Returns a program that stores rows in another format: that of an earlier release which `DEEPWELL_EARLIER` names, or
/// the present program with a word of its SQL in capitals, which is part of the format.
fn earlier_program(folder: &Path) -> PathBuf {
    if let Some(named) = std::env::var_os("DEEPWELL_EARLIER") {
        return fs::canonicalize(named).unwrap();
    }
    let path = folder.join("earlier");
    copy_program(&program(), &path);
    let edit = ["-i", "s/where true on conflict/where TRUE on conflict/g"];
    let changed = Command::new("sed").env("LC_ALL", "C").args(edit).arg(&path).status();
    assert!(changed.unwrap().success());
    path
}

/// O6, D1: the standbys are stopped, the leader is restarted with the new program, and the standbys start from its
/// snapshot. A standby with the new program that was started too early waits for that.
#[test]
fn o6_cluster_is_upgraded_by_the_documented_steps() {
    let Some(nats) = Nats::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let earlier = earlier_program(folder.path());
    let (mut gateway, [mut one, mut two]) = Server::prepare_cluster(&nats, &[], &[]);
    for host in [&one, &two] {
        host.install(&earlier);
    }
    Server::run_cluster(&mut gateway, &mut one, &mut two);
    let mut builder = claim(&gateway, &one);
    let (mut number, mut dug) = (0, vec![]);
    dug.push(dig(&mut builder, &mut number));
    two.stop();
    // An entry that this copy lacks, in the earlier format.
    dug.push(dig(&mut builder, &mut number));
    two.install(&program());
    two.start_host();
    two.wait_for_log(0, "another program");
    one.install(&program());
    let (linked, restarted) = (gateway.log().len(), one.log().len());
    one.control(&["restart"]);
    gateway.wait_for_log(linked, "linked to the host");
    one.wait_for_log(restarted, "stored a snapshot");
    one.wait_for_role("leader");
    dug.push(dig(&mut builder, &mut number));
    two.wait_for_role("standby");
    let linked = gateway.log().len();
    one.kill();
    gateway.wait_for_log(linked, "linked to the host");
    dug.push(dig(&mut builder, &mut number));
    one.start_host();
    one.wait_for_role("standby");
    let expected: BTreeMap<String, usize> = dug.into_iter().map(|name| (name, 1)).collect();
    assert_eq!(marks(&mut one), expected);
    assert_eq!(marks(&mut two), expected);
    for host in [&one, &two] {
        host.assert_sound();
        assert!(host.check().status.success());
    }
}

/// O6: a world of an earlier schema becomes that of a cluster. Its first host upgrades it, and the other one leads it.
#[test]
fn o6_world_of_an_earlier_schema_becomes_that_of_a_cluster() {
    for schema in [1, 10] {
        let Some(nats) = Nats::start() else { return };
        let (mut gateway, [mut one, mut two]) = Server::prepare_cluster(&nats, &[], &[]);
        fs::create_dir_all(one.state()).unwrap();
        let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/worlds");
        let packed = fs::File::open(worlds.join(format!("schema-{schema}.db.gz"))).unwrap();
        let mut database = fs::File::create(one.state().join("deepwell.db")).unwrap();
        std::io::copy(&mut GzDecoder::new(packed), &mut database).unwrap();
        Server::run_cluster(&mut gateway, &mut one, &mut two);
        let mut owner = Client::connect(gateway.address());
        owner.enter("connect", "Olad", "open-secret");
        let linked = gateway.log().len();
        two.control(&["cluster", "promote"]);
        gateway.wait_for_log(linked, "linked to the host");
        let answer = owner.ask("score");
        assert!(answer.contains("Olad"), "schema {schema}: {answer}");
        two.wait_for_role("leader");
        one.wait_for_role("standby");
        drop(owner);
        one.stop();
        two.stop();
        for host in [&one, &two] {
            let stored = host.stored();
            let names: BTreeSet<_> = stored.characters.values().map(|body| body.name.as_str()).collect();
            assert!(names.is_superset(&PLAYERS.into()), "schema {schema}: {names:?}");
            host.assert_sound();
            assert!(host.check().status.success(), "schema {schema}");
        }
    }
}
