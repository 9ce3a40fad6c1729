//! Tests of limits, displacement and release of places.

use super::*;
use std::time::Duration;

fn admission(all: u32, before_login: u32, per_address: u32) -> Arc<Admission> {
    let limits = Limits {
        connections: all,
        connections_before_login: before_login,
        connections_per_address: per_address,
        ..Limits::default()
    };
    Admission::new(&limits, Patience::PLAYERS)
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn n1_each_limit_refuses_and_names_itself() {
    let far = address("192.0.2.1");
    let full = admission(1, 9, 9);
    let _one = full.admit(far).unwrap();
    assert_eq!(full.admit(far).unwrap_err(), AdmissionRefusal::Full);
    let gate = admission(9, 1, 9);
    let _one = gate.admit(far).unwrap();
    assert_eq!(gate.admit(far).unwrap_err(), AdmissionRefusal::TooManyBeforeLogin);
    let each = admission(9, 9, 1);
    let _one = each.admit(far).unwrap();
    assert_eq!(each.admit(far).unwrap_err(), AdmissionRefusal::TooManyFromAddress);
    assert!(each.admit(address("192.0.2.2")).is_ok());
}

#[test]
fn n1_logged_in_client_counts_only_towards_total() {
    let admission = admission(2, 1, 1);
    let mut first = admission.admit(address("192.0.2.1")).unwrap();
    first.logged_in();
    let _second = admission.admit(address("192.0.2.1")).unwrap();
    assert_eq!(admission.admit(address("192.0.2.2")).unwrap_err(), AdmissionRefusal::Full);
}

#[tokio::test(start_paused = true)]
async fn n2_silent_connections_of_largest_network_are_displaced_first() {
    let admission = admission(100, 8, 10);
    let mut crowd: Vec<_> =
        (1..7).map(|n| admission.admit(address(&format!("192.0.2.{n}"))).unwrap()).collect();
    let mut slow = admission.admit(address("198.51.100.1")).unwrap();
    let mut local = admission.admit(address("127.0.0.1")).unwrap();
    let honest = address("203.0.113.5");
    let another = address("192.0.2.77");
    assert_eq!(
        admission.admit(another).unwrap_err(),
        AdmissionRefusal::TooManyBeforeLogin,
        "they have just come"
    );
    tokio::time::advance(Patience::PLAYERS.silent).await;
    assert!(crowd[0].speak());
    let mut admitted: Vec<_> = (0..3).map(|_| admission.admit(honest).unwrap()).collect();
    let gone: Vec<bool> = crowd.iter().map(|pass| pass.displaced().is_cancelled()).collect();
    assert_eq!(gone, [false, true, true, true, false, false], "those that came first and said nothing");
    assert!(!slow.displaced().is_cancelled() && !local.displaced().is_cancelled());
    for pass in crowd.iter_mut().chain(&mut admitted).chain([&mut slow, &mut local]) {
        assert_eq!(pass.speak(), !pass.displaced().is_cancelled(), "who has given way comes too late");
    }
    assert_eq!(
        admission.admit(honest).unwrap_err(),
        AdmissionRefusal::TooManyBeforeLogin,
        "all have said something"
    );
    drop((crowd, admitted, slow, local));
    let counts = admission.lock();
    assert_eq!((counts.connections, counts.before_login.len()), (0, 0));
    assert!(counts.by_source.is_empty());
}

/// Input protects a place for as long as typing takes, if no other connection can be displaced.
#[tokio::test(start_paused = true)]
async fn n2_connection_with_oldest_input_is_displaced_when_all_have_spoken() {
    let admission = admission(100, 2, 2);
    let mut first = admission.admit(address("192.0.2.1")).unwrap();
    let mut second = admission.admit(address("198.51.100.1")).unwrap();
    assert!(second.speak() && first.speak());
    tokio::time::advance(Patience::PLAYERS.typing.saturating_sub(Duration::from_secs(1))).await;
    let honest = address("203.0.113.5");
    assert_eq!(admission.admit(honest).unwrap_err(), AdmissionRefusal::TooManyBeforeLogin);
    assert!(second.speak());
    tokio::time::advance(Duration::from_secs(1)).await;
    let mut third = admission.admit(honest).unwrap();
    assert!(
        first.displaced().is_cancelled() && first.may_be_displaced() && !second.displaced().is_cancelled()
    );
    assert!(third.speak());
    third.logged_in();
    assert!(!third.may_be_displaced(), "who plays gives way to nobody");
}

/// Many networks of one provider, or of many, fill every place and send a word a minute.
#[tokio::test(start_paused = true)]
async fn n2_many_small_networks_do_not_keep_others_out() {
    let of_one_v6 = |n: u16| IpAddr::from([0x2001, 0xdb8, n, 0, 0, 0, 0, 1]);
    let of_one_v4 = |n: u16| IpAddr::from([203, 7, u8::try_from(n).unwrap(), 1]);
    let of_many = |n: u16| IpAddr::from([30, u8::try_from(n).unwrap(), 1, 1]);
    for (kind, from) in
        [("/40", of_one_v6 as fn(u16) -> IpAddr), ("/16", of_one_v4 as _), ("many", of_many as _)]
    {
        let admission = admission(400, 200, 64);
        let mut crowd: Vec<_> =
            (0..50).flat_map(|n| [n; 4]).map(|n| admission.admit(from(n)).expect("a place")).collect();
        let (mut admitted, mut newcomers) = (0, Vec::new());
        for second in 0..120_usize {
            tokio::time::advance(Duration::from_secs(1)).await;
            for (n, pass) in crowd.iter_mut().enumerate() {
                let network = u16::try_from(n / 4).unwrap();
                if pass.displaced().is_cancelled() {
                    // They come back at once.
                    if let Ok(again) = admission.admit(from(network)) {
                        *pass = again;
                    }
                }
                if n % 60 == second % 60 {
                    let _ = pass.speak();
                }
            }
            if second >= 60
                && let Ok(mut honest) = admission.admit([198, u8::try_from(second).unwrap(), 100, 1].into())
            {
                assert!(honest.speak());
                newcomers.push((second, honest));
            }
            newcomers.retain(|(since, honest)| {
                let has_typed = second - since >= 9;
                admitted += usize::from(has_typed && !honest.displaced().is_cancelled());
                !has_typed && !honest.displaced().is_cancelled()
            });
        }
        assert!(admitted >= 50, "{kind}: {admitted} of 51 could log in");
    }
}

/// A large provider cannot push out the few clients of another.
#[tokio::test(start_paused = true)]
async fn n2_provider_with_many_networks_displaces_no_client_of_a_small_one() {
    let admission = admission(2_000, 100, 64);
    let school: Vec<_> = (0..10).map(|_| admission.admit(address("198.51.100.1")).unwrap()).collect();
    let many: Vec<_> = (0..90).map(|n| admission.admit([203, 7, n, 1].into()).unwrap()).collect();
    tokio::time::advance(Patience::PLAYERS.stay).await;
    let more: Vec<_> = (100..=255).map(|n| admission.admit([203, 7, n, 1].into())).collect();
    assert!(school.iter().all(|pass| !pass.displaced().is_cancelled()));
    assert!(many.iter().all(|pass| pass.displaced().is_cancelled()), "they take turns among themselves");
    assert_eq!(more.iter().filter(|pass| pass.is_ok()).count(), 90);
}

#[tokio::test(start_paused = true)]
async fn n2_large_network_is_displaced_by_small_one_immediately() {
    let admission = admission(100, 8, 3);
    let crowd: Vec<_> =
        (0..8).map(|n| admission.admit(address(&format!("192.0.2.{}", 1 + n / 2))).unwrap()).collect();
    let far = |n: u8| admission.admit(IpAddr::from([203, 0, 113, n]));
    let admitted: Vec<_> = (1..=4).map(|n| far(n).unwrap()).collect();
    assert_eq!(far(5).unwrap_err(), AdmissionRefusal::TooManyBeforeLogin, "both have as many");
    let gone: Vec<bool> = crowd.iter().map(|pass| pass.displaced().is_cancelled()).collect();
    assert_eq!(gone, [true, true, true, true, false, false, false, false]);
    assert!(admitted.iter().all(|pass| !pass.displaced().is_cancelled()));
    let _local = admission.admit_proxy().expect("who stands for many people is one caller");
    assert!(crowd[4].displaced().is_cancelled());
}

/// Occasional input does not keep the places of a crowd.
#[tokio::test(start_paused = true)]
async fn n2_large_network_is_displaced_despite_input() {
    let admission = admission(100, 20, 64);
    let mut crowd: Vec<_> = (0..16).map(|n| admission.admit([192, 0, 2, n].into()).unwrap()).collect();
    let mut pair = [(); 2].map(|()| admission.admit(address("198.51.100.1")).unwrap());
    let mut slow = admission.admit(address("198.51.101.1")).unwrap();
    let mut local = admission.admit(address("127.0.0.1")).unwrap();
    for pass in crowd.iter_mut().chain(&mut pair).chain([&mut slow, &mut local]) {
        assert!(pass.speak());
    }
    let honest: Vec<_> = (1..=4).map(|n| admission.admit([203, 0, n, 5].into()).unwrap()).collect();
    let gone = crowd.iter().filter(|pass| pass.displaced().is_cancelled()).count();
    assert_eq!(gone, 4, "the crowd alone gives way");
    assert_eq!(
        admission.admit([192, 0, 2, 99].into()).unwrap_err(),
        AdmissionRefusal::TooManyBeforeLogin,
        "one of the crowd takes nobody's place"
    );
    assert!(honest.iter().chain(&pair).chain([&slow, &local]).all(|pass| !pass.displaced().is_cancelled()));
}

#[tokio::test(start_paused = true)]
async fn n2_household_with_input_keeps_its_places() {
    let admission = admission(100, 4, 64);
    let mut family = [(); 4].map(|()| admission.admit(address("192.0.2.1")).unwrap());
    assert!(family.iter_mut().all(Pass::speak));
    assert_eq!(admission.admit(address("203.0.113.5")).unwrap_err(), AdmissionRefusal::TooManyBeforeLogin);
}

/// Input alone does not keep a place for ever, even if each client is from a different network.
#[tokio::test(start_paused = true)]
async fn n2_input_does_not_protect_place_for_ever() {
    let admission = admission(100, 3, 64);
    let mut crowd: Vec<_> = (1..=3).map(|n| admission.admit([192, 0, n, 1].into()).unwrap()).collect();
    let mut spoken = Duration::ZERO;
    while spoken < Patience::PLAYERS.stay {
        assert_eq!(
            admission.admit(address("203.0.113.5")).unwrap_err(),
            AdmissionRefusal::TooManyBeforeLogin
        );
        let pause = Patience::PLAYERS.word / 2;
        tokio::time::advance(pause).await;
        spoken += pause;
        assert!(crowd.iter_mut().all(Pass::speak));
    }
    let _honest = admission.admit(address("203.0.113.5")).unwrap();
    assert!(crowd[0].displaced().is_cancelled(), "who came first");
}

#[tokio::test(start_paused = true)]
async fn n2_network_limit_applies_and_is_fair_among_addresses() {
    let limits = Limits { connections_per_network: 6, ..Limits::default() };
    let admission = Admission::new(&limits, Patience::PLAYERS);
    let mut many = [(); 5].map(|()| admission.admit(address("192.0.2.1")).unwrap());
    let mut one = admission.admit(address("192.0.2.2")).unwrap();
    assert!(one.speak() && many.iter_mut().all(Pass::speak));
    assert_eq!(admission.admit(address("192.0.2.1")).unwrap_err(), AdmissionRefusal::TooManyFromNetwork);
    let _neighbour = admission.admit(address("192.0.2.3")).unwrap();
    assert!(many[0].displaced().is_cancelled() && !one.displaced().is_cancelled());
    assert!(admission.admit(address("198.51.100.1")).is_ok(), "the gate itself has places");
}

#[tokio::test(start_paused = true)]
async fn n2_refused_client_displaces_no_connection() {
    let admission = admission(100, 3, 2);
    let crowd = [(); 2].map(|()| admission.admit(address("192.0.2.1")).unwrap());
    let other = admission.admit(address("198.51.100.1")).unwrap();
    tokio::time::advance(Patience::PLAYERS.silent).await;
    assert_eq!(admission.admit(address("192.0.2.1")).unwrap_err(), AdmissionRefusal::TooManyFromAddress);
    assert!(!other.displaced().is_cancelled() && crowd.iter().all(|pass| !pass.displaced().is_cancelled()));
}

#[tokio::test(start_paused = true)]
async fn n2_displaced_connection_is_not_counted() {
    let admission = admission(9, 1, 1);
    let mut first = admission.admit(address("192.0.2.2")).unwrap();
    tokio::time::advance(Patience::PLAYERS.silent).await;
    let _other = admission.admit(address("192.0.2.1")).unwrap();
    assert!(!first.speak());
    drop(first);
    let counts = admission.lock();
    assert_eq!((counts.connections, counts.by_source.len()), (1, 1));
}

#[test]
fn loopback_clients_are_not_counted_by_address() {
    let admission = admission(9, 9, 1);
    let _passes = ["127.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1"]
        .map(|local| admission.admit(address(local)).unwrap());
}

#[test]
fn n1_ipv6_prefix_counts_as_one_client() {
    let admission = admission(9, 9, 1);
    let _one = admission.admit(address("2001:db8:1:2::1")).unwrap();
    assert_eq!(
        admission.admit(address("2001:db8:1:2:ffff::9")).unwrap_err(),
        AdmissionRefusal::TooManyFromAddress
    );
    assert!(admission.admit(address("2001:db8:1:3::1")).is_ok());
}

/// Silent connections to a proxy port, of real or pretended proxies, keep no client out.
#[test]
fn n2_oldest_connection_without_header_is_displaced() {
    let limits = Limits { connections: 1, connections_without_header: 2, ..Limits::default() };
    let admission = Admission::new(&limits, Patience::PLAYERS);
    let waiting = [(); 3].map(|()| admission.wait_for_header());
    let gone = waiting.each_ref().map(|unnamed| unnamed.displaced().is_cancelled());
    assert_eq!(gone, [true, false, false]);
    assert!(admission.admit(address("192.0.2.1")).is_ok());
    drop(waiting);
    assert!(admission.lock().unnamed.is_empty());
}

#[test]
fn n5_compressed_connections_have_their_own_limit() {
    let limits = Limits { compressed_connections: 1, ..Limits::default() };
    let admission = Admission::new(&limits, Patience::PLAYERS);
    let [mut one, mut two] = [(); 2].map(|()| admission.admit(address("192.0.2.1")).unwrap());
    assert!(one.compress() && one.compress(), "asked twice, it has one place");
    assert!(!two.compress());
    one.decompress();
    assert!(two.compress());
    drop(two);
    assert!(one.compress());
}

#[test]
fn o9_all_places_are_released_after_disconnect() {
    let admission = admission(9, 9, 9);
    let passes: Vec<_> = (0..5).map(|n| admission.admit(IpAddr::from([10, 0, 0, n])).unwrap()).collect();
    drop(passes);
    let mut local = admission.admit_proxy().unwrap();
    assert!(local.compress());
    drop(local);
    let counts = admission.lock();
    assert_eq!((counts.connections, counts.before_login.len()), (0, 0));
    assert_eq!((counts.compressed, counts.by_source.len()), (0, 0));
}
