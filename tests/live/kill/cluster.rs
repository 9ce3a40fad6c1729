//! The same load on a cluster: after each loss of a leader, a standby, the gateway or NATS, the other host leads, and
//! its copy of the world is compared with what was acknowledged.

use super::{
    CAST, DEEDS, Deeds, Moment, SETTINGS, Scene, TOLD, Worker, assert_all_kept, compare, number, work_until,
};
use crate::nats::Nats;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng, Seed};
use std::path::PathBuf;

/// Number of losses, unless `DEEPWELL_CLUSTER_KILLS` is set.
const LOSSES: u32 = 3;

/// Component that is lost.
#[derive(Clone, Copy, Debug)]
enum Loss {
    Leader,
    /// The leader stands still for longer than its lease.
    LeaderStopped,
    LeaderAsked,
    Standby,
    Gateway,
    Nats,
    NatsStopped,
    LeaderAndNats,
}

const ALL: [Loss; 8] = [
    Loss::Leader,
    Loss::LeaderStopped,
    Loss::Nats,
    Loss::Standby,
    Loss::LeaderAsked,
    Loss::NatsStopped,
    Loss::Gateway,
    Loss::LeaderAndNats,
];

/// D1 to D3, D7: `DEEPWELL_CLUSTER_KILLS=200 cargo test --test live kill::cluster -- --nocapture` for more.
#[test]
fn d1_acknowledged_changes_survive_losses_in_a_cluster() {
    let Some(mut nats) = Nats::start() else { return };
    let losses = number("DEEPWELL_CLUSTER_KILLS", LOSSES);
    let seed = number("DEEPWELL_SEED", 1);
    // The world begins on one server, which then becomes a host.
    let mut one = Server::start_with_content(super::content::files(), &SETTINGS);
    let mut workers: Vec<_> =
        CAST.iter().filter(|(_, is_local)| !is_local).flat_map(|(begin, _)| begin(&one)).collect();
    one.stop();
    assert_eq!(compare(&mut workers, &one.stored()), [""; 0], "before the first loss");
    let (mut two, mut gateway) = one.join_cluster(&nats, super::content::files());
    let (seeds, deeds) = (Seed(seed.into()).named("losses"), Deeds::default());
    for (round, loss) in (1..=losses).zip(ALL.into_iter().cycle()) {
        let seed_of_round = seeds.numbered(round.into());
        Server::run_cluster(&mut gateway, &mut one, &mut two);
        let control = one.state().join("control.sock");
        work_until_lost(control, &gateway, &mut workers, &deeds, seed_of_round, || {
            lose(loss, &mut nats, &mut one, &mut two);
            gateway.signal("KILL");
        });
        gateway.kill();
        recover(loss, &mut nats, &mut one, &mut two);
        // The host that is compared is the one that has led last.
        two.wait_for_role("leader");
        two.stop();
        let after = format!("loss {round}, {loss:?} (DEEPWELL_SEED={seed})");
        assert_all_kept(&mut workers, two.stored(), &after);
        std::mem::swap(&mut one, &mut two);
        if round % TOLD == 0 {
            eprintln!("{round} of {losses} losses, {deeds}");
        }
    }
    for host in [&one, &two] {
        host.assert_sound();
        assert!(host.check().status.success());
    }
    crate::figures::tell(&format!("{losses} losses in a cluster, {deeds}"));
}

fn lose(loss: Loss, nats: &mut Nats, leader: &mut Server, standby: &mut Server) {
    match loss {
        Loss::Leader => leader.kill(),
        Loss::LeaderStopped => leader.signal("STOP"),
        Loss::LeaderAsked => drop(standby.control(&["cluster", "promote"])),
        Loss::Standby => standby.kill(),
        Loss::Gateway => {}
        Loss::Nats => nats.kill(),
        Loss::NatsStopped => nats.signal("STOP"),
        Loss::LeaderAndNats => {
            nats.kill();
            leader.kill();
        }
    }
}

/// Ends the loss, and lets the other host lead.
fn recover(loss: Loss, nats: &mut Nats, leader: &mut Server, standby: &mut Server) {
    match loss {
        Loss::Leader => {}
        Loss::LeaderStopped => {
            standby.wait_for_role("leader");
            let before = leader.log().len();
            leader.signal("CONT");
            leader.wait_for_log(before, "starts again as a standby");
            leader.wait_for_role("standby");
            leader.stop();
        }
        Loss::LeaderAsked => {
            standby.wait_for_role("leader");
            leader.wait_for_role("standby");
            leader.stop();
        }
        Loss::Standby => {
            standby.start_host();
            standby.wait_for_role("standby");
            leader.stop();
        }
        Loss::Gateway => leader.stop(),
        Loss::Nats | Loss::NatsStopped => {
            if matches!(loss, Loss::Nats) {
                nats.restart();
            } else {
                nats.signal("CONT");
            }
            leader.kill();
        }
        Loss::LeaderAndNats => nats.restart(),
    }
}

/// Runs all workers concurrently until a random moment, at which `lose` ends their connections.
fn work_until_lost(
    control: PathBuf,
    gateway: &Server,
    workers: &mut [Box<dyn Worker>],
    deeds: &Deeds,
    seed: Seed,
    lose: impl FnOnce(),
) {
    let mut dice: Rng = seed.rng();
    let moment = Moment::draw(&mut dice, false);
    deeds.set_gone(false);
    let least = deeds.counts().all() + dice.between(DEEDS.0, DEEDS.1);
    let scene = Scene { address: gateway.address(), http: gateway.http(), control, deeds };
    work_until(&scene, workers, seed, || {
        moment.wait(deeds, least);
        lose();
    });
}
