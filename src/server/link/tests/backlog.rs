//! The gateway's record: what is sent again after a loss of the link, and what the clients are told.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::{ADDRESS, ANN, BEN, command, entered, show, taken};
use crate::net::{ClientEvent, ClientOutbox, RequestPermit};
use crate::server::game_loop::pipeline::recovery::{ASK_AGAIN, not_answered};
use crate::server::game_loop::router::notice;
use crate::server::link::backlog::{Backlog, GONE, LinkLoss};
use crate::server::link::frame::{LinkEvent, LinkPlayer};
use crate::session::{Delivery, Request, Secret};
use deepwell_core::base::{AccountId, SessionId};
use deepwell_game::{CloseReason, Effect, Input, Package};

#[derive(Default)]
struct Scene {
    backlog: Backlog,
}

impl Scene {
    fn connect(&mut self, session: SessionId) -> Arc<ClientOutbox> {
        let outbox = Arc::new(ClientOutbox::new(100_000));
        let connected = ClientEvent::Connected { session, address: ADDRESS, outbox: Arc::clone(&outbox) };
        self.backlog.take(connected, true);
        outbox
    }

    /// Connects a client that plays, whose earlier events have been handled.
    fn play(&mut self, session: SessionId, name: &str) -> Arc<ClientOutbox> {
        let outbox = self.connect(session);
        let numbers: Vec<_> = self.send().into_iter().map(|(number, _)| number).collect();
        self.backlog.handled(&numbers);
        self.backlog.deliver(session, vec![entered(session, u32::try_from(session.0).unwrap(), name)]);
        taken(&outbox);
        outbox
    }

    fn ask(&mut self, session: SessionId, request: Request) {
        self.backlog.take(ClientEvent::Asked { session, request, place: None }, true);
    }

    /// Sends everything that is unsent, and returns it.
    fn send(&mut self) -> Vec<(u64, LinkEvent)> {
        let mut sent = Vec::new();
        while let Some((number, event)) = self.backlog.next_unsent() {
            sent.push((number, event.clone()));
        }
        sent
    }

    fn sent_events(&mut self) -> Vec<LinkEvent> {
        self.send().into_iter().map(|(_, event)| event).collect()
    }
}

fn asked(session: SessionId, line: &str) -> LinkEvent {
    LinkEvent::Asked { session, request: command(session, line) }
}

fn login() -> Request {
    let (name, password) = ("Ann".to_owned(), Secret("secret".to_owned()));
    Request::Authenticate { name, password, pre_login: Box::default() }
}

#[test]
fn events_are_sent_once_in_order() {
    let mut scene = Scene::default();
    scene.play(ANN, "Ann");
    scene.ask(ANN, command(ANN, "north"));
    scene.ask(ANN, command(ANN, "south"));
    assert_eq!(scene.sent_events(), [asked(ANN, "north"), asked(ANN, "south")]);
    assert_eq!(scene.sent_events(), []);
}

#[test]
fn n3_permit_is_held_until_the_request_is_handled() {
    let mut scene = Scene::default();
    scene.play(ANN, "Ann");
    let permits = Arc::new(Semaphore::new(1));
    let place = Arc::clone(&permits).try_acquire_owned().ok().map(RequestPermit::Permit);
    let event = ClientEvent::Asked { session: ANN, request: command(ANN, "north"), place };
    scene.backlog.take(event, true);
    let numbers: Vec<_> = scene.send().into_iter().map(|(number, _)| number).collect();
    assert_eq!(permits.available_permits(), 0);
    scene.backlog.handled(&numbers);
    assert_eq!(permits.available_permits(), 1);
}

#[test]
fn restart_sends_unhandled_events_again_in_order() {
    let mut scene = Scene::default();
    let outbox = scene.play(ANN, "Ann");
    for line in ["one", "two", "three"] {
        scene.ask(ANN, command(ANN, line));
    }
    let sent = scene.send();
    scene.ask(ANN, command(ANN, "four"));
    scene.backlog.handled(&[sent[0].0]);
    scene.backlog.lost(LinkLoss::Restart);
    scene.ask(ANN, command(ANN, "five"));
    scene.backlog.hello();
    let again = ["two", "three", "four", "five"].map(|line| asked(ANN, line));
    assert_eq!(scene.sent_events(), again);
    assert_eq!(taken(&outbox), [], "nothing is lost");
}

/// A command that the killed host may have carried out is not sent again.
#[test]
fn crash_answers_commands_in_doubt_and_sends_the_others() {
    let mut scene = Scene::default();
    let outbox = scene.play(ANN, "Ann");
    scene.ask(ANN, command(ANN, "give sword to ben"));
    scene.ask(ANN, Request::Who);
    scene.send();
    scene.ask(ANN, command(ANN, "look"));
    scene.backlog.lost(LinkLoss::Crash);
    let deliveries = [Delivery::Show(notice(GONE)), Delivery::NotAnswered(not_answered("give sword to ben"))];
    assert_eq!(taken(&outbox), deliveries);
    scene.backlog.hello();
    assert_eq!(
        scene.sent_events(),
        [LinkEvent::Asked { session: ANN, request: Request::Who }, asked(ANN, "look")]
    );
}

#[test]
fn hello_lists_players_with_their_packages() {
    let mut scene = Scene::default();
    scene.play(ANN, "Ann");
    scene.connect(BEN);
    scene.ask(ANN, Request::Game(Input::Wants { session: ANN, packages: [Package::Map].into() }));
    let [ann, ben] = &scene.backlog.hello()[..] else { panic!("two sessions") };
    assert_eq!(ann.player, Some(LinkPlayer { account: AccountId(1), name: "Ann".to_owned() }));
    assert_eq!((ann.session, ann.address, ann.wants.len()), (ANN, ADDRESS, 1));
    assert_eq!((ben.session, &ben.player), (BEN, &None));
    assert!(!scene.sent_events().iter().any(|event| matches!(event, LinkEvent::Connected { .. })));
}

/// A session that the game has closed cannot get its seat back by a restart.
#[test]
fn closed_session_is_not_attached_as_player() {
    for effect in [
        Effect::Close { session: ANN, why: CloseReason::Kicked },
        Effect::Refused { session: ANN, reason: "Banned.".to_owned() },
    ] {
        let mut scene = Scene::default();
        scene.play(ANN, "Ann");
        scene.backlog.deliver(ANN, vec![Delivery::Effect(effect)]);
        assert_eq!(scene.backlog.hello()[0].player, None);
    }
}

#[test]
fn login_that_the_host_has_begun_is_asked_again() {
    for loss in [LinkLoss::Restart, LinkLoss::Crash] {
        let mut scene = Scene::default();
        let outbox = scene.connect(ANN);
        scene.ask(ANN, login());
        let sent = scene.send();
        if loss == LinkLoss::Restart {
            scene.backlog.handled(&[sent[1].0]);
        }
        scene.backlog.lost(loss);
        assert_eq!(taken(&outbox).pop(), Some(Delivery::LoginPostponed(ASK_AGAIN.into())));
        scene.backlog.lost(loss);
        assert!(!taken(&outbox).contains(&Delivery::LoginPostponed(ASK_AGAIN.into())), "asked once");
        scene.backlog.hello();
        assert_eq!(scene.sent_events(), []);
    }
}

#[test]
fn login_that_no_host_has_seen_is_sent_later() {
    let mut scene = Scene::default();
    let outbox = scene.connect(ANN);
    scene.send();
    scene.ask(ANN, login());
    scene.backlog.lost(LinkLoss::Crash);
    assert_eq!(taken(&outbox), [Delivery::Show(notice(GONE))]);
    scene.backlog.hello();
    assert_eq!(scene.sent_events(), [LinkEvent::Asked { session: ANN, request: login() }]);
}

/// A command typed just before the client left is carried out, as in a single process.
#[test]
fn last_commands_of_a_client_that_left_survive_a_restart() {
    let mut scene = Scene::default();
    scene.play(ANN, "Ann");
    scene.ask(ANN, command(ANN, "drop sword"));
    scene.backlog.take(ClientEvent::Ended { session: ANN, receipt: None }, true);
    let sent = scene.send();
    scene.backlog.lost(LinkLoss::Restart);
    assert_eq!(scene.backlog.hello().len(), 1, "its command needs the seat");
    assert_eq!(scene.sent_events(), [asked(ANN, "drop sword"), LinkEvent::Ended { session: ANN }]);
    scene.backlog.handled(&[sent[0].0, sent[1].0]);
    assert_eq!(scene.backlog.figures(), [0, 0, 0]);
}

#[test]
fn o9_ended_session_leaves_no_trace() {
    for loss in [None, Some(LinkLoss::Restart), Some(LinkLoss::Crash)] {
        let mut scene = Scene::default();
        scene.play(ANN, "Ann");
        scene.backlog.take(ClientEvent::Ended { session: ANN, receipt: None }, true);
        let mut sent = scene.send();
        if let Some(loss) = loss {
            scene.backlog.lost(loss);
            scene.backlog.hello();
            sent = scene.send();
        }
        scene.backlog.handled(&sent.iter().map(|(number, _)| *number).collect::<Vec<_>>());
        assert_eq!(scene.backlog.figures(), [0, 0, 0], "{loss:?}");
        assert!(scene.backlog.is_finished(true));
    }
}

#[test]
fn output_reaches_its_session_only() {
    let mut scene = Scene::default();
    let (ann, ben) = (scene.play(ANN, "Ann"), scene.play(BEN, "Ben"));
    scene.backlog.deliver(BEN, vec![show("For Ben.")]);
    scene.backlog.deliver(SessionId(99), vec![show("For nobody.")]);
    assert_eq!((taken(&ann), taken(&ben)), (vec![], vec![show("For Ben.")]));
    scene.backlog.too_slow(ANN);
    assert!(ann.overflowed() && !ben.overflowed());
}

/// A8: clients who come and go while there is no host leave nothing behind; a player who leaves is reported.
#[test]
fn a8_clients_that_leave_without_a_host_are_forgotten() {
    let mut scene = Scene::default();
    scene.play(ANN, "Ann");
    scene.backlog.hello();
    let early = scene.connect(SessionId(7));
    scene.backlog.take(ClientEvent::Ended { session: SessionId(7), receipt: None }, true);
    assert_eq!(scene.backlog.figures(), [1, 1, 2], "a host that was greeted learns of the end");
    scene.backlog.unlink();
    drop(early);
    for number in 100..110 {
        let outbox = Arc::new(ClientOutbox::new(100_000));
        let session = SessionId(number);
        scene.backlog.take(ClientEvent::Connected { session, address: ADDRESS, outbox }, false);
        scene.backlog.take(ClientEvent::Asked { session, request: login(), place: None }, false);
        scene.backlog.take(ClientEvent::Ended { session, receipt: None }, false);
    }
    assert_eq!(scene.backlog.figures(), [1, 1, 0]);
    scene.backlog.take(ClientEvent::Ended { session: ANN, receipt: None }, false);
    assert_eq!(scene.backlog.figures()[0], 0);
    assert_eq!(scene.backlog.hello().len(), 1, "Ann is attached, and then leaves");
    assert_eq!(scene.sent_events(), [LinkEvent::Ended { session: ANN }]);
}
