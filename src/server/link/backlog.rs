//! Record of a gateway: its sessions, and the events that the host has not handled. It decides what happens to these
//! events when the link is lost. It has no sockets.
//!
//! The number of events is bounded, because each connection has a limited number of requests in flight and holds the
//! permit of each until the host has handled it.

use std::collections::BTreeMap;
use std::mem;
use std::net::IpAddr;
use std::sync::Arc;

use super::frame::{Attached, LinkEvent, LinkPlayer};
use crate::net::{ClientEvent, ClientOutbox, RequestPermit};
use crate::server::game_loop::pipeline::recovery::{ASK_AGAIN, not_answered};
use crate::server::game_loop::router::notice;
use crate::session::{Delivery, Request};
use deepwell_core::base::SessionId;
use deepwell_core::text::Markup;
use deepwell_game::{CloseReason, Effect, Input, Packages};

/// Notice to all clients when the host restarts.
pub(super) const RESTARTING: &str = "The world restarts. Stay connected; what you type meanwhile is kept.";
/// Notice to all clients when the host is lost.
pub(super) const GONE: &str = "The world has stopped. Stay connected; it is being started again.";
/// Notice to all clients when the host has not answered for some time, though the link is open.
pub(super) const SILENT: &str = "The world does not answer. Stay connected; what you type meanwhile is kept.";
/// Notice to all clients when it answers again.
pub(super) const AWAKE: &str = "The world answers again.";
/// Notice to a client that connects while there is no host.
const NOT_THERE: &str = "The world is being started. What you type is kept until then.";

/// Way in which a link was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LinkLoss {
    /// The host has said which events it has handled.
    Restart,
    /// The host may have handled any of the events sent.
    Crash,
}

/// Sessions and events of a gateway.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    seats: BTreeMap<SessionId, LinkSession>,
    entries: BTreeMap<u64, PendingEvent>,
    /// Number of the next event.
    next: u64,
    /// Number of the first event that has not been sent on the present link.
    unsent: u64,
    /// Set from the hello to a host until its link is lost.
    has_greeted: bool,
}

#[derive(Debug)]
struct PendingEvent {
    event: LinkEvent,
    /// Permit of the connection, released when the event has been handled.
    _place: Option<RequestPermit>,
}

/// Record of a session.
#[derive(Debug)]
struct LinkSession {
    address: IpAddr,
    outbox: Arc<ClientOutbox>,
    player: Option<LinkPlayer>,
    wants: Packages,
    /// Set while a login has been requested and not been answered.
    is_logging_in: bool,
    /// Set when the client has disconnected.
    has_ended: bool,
}

/// Treatment of a request whose host may or may not have handled it.
enum Doubt<'a> {
    /// It changes nothing, or the same again: it is sent again.
    Repeat,
    /// It is a command, which must not run twice: the player is told that it is not answered.
    Command(&'a str),
    /// It is a login: the player is asked again.
    Login,
    /// The session is told by [`Delivery::Reattached`], or nothing waits for the answer.
    Drop,
}

fn doubt(request: &Request) -> Doubt<'_> {
    match request {
        Request::LookUp { .. }
        | Request::CheckName { .. }
        | Request::Who
        | Request::Players
        | Request::Status
        | Request::KeepSeat { .. }
        | Request::Game(Input::Wants { .. } | Input::Asks { .. } | Input::UsesScreenReader { .. }) => {
            Doubt::Repeat
        }
        Request::Game(Input::Command { line, .. }) => Doubt::Command(line),
        request if is_login(request) => Doubt::Login,
        _ => Doubt::Drop,
    }
}

/// Returns `true` for a request that the game answers by letting the client in.
const fn is_login(request: &Request) -> bool {
    matches!(
        request,
        Request::Authenticate { .. }
            | Request::Visit { .. }
            | Request::Create { .. }
            | Request::Recover { .. }
            | Request::TakeSeat { .. }
    )
}

impl Backlog {
    /// Records an event of a client. `is_linked` tells whether there is a host.
    pub(super) fn take(&mut self, event: ClientEvent, is_linked: bool) {
        let (event, place) = match event {
            ClientEvent::Connected { session, address, outbox } => {
                if !is_linked {
                    outbox.deliver(Delivery::Show(notice(NOT_THERE)));
                }
                self.seats.insert(session, LinkSession::new(address, outbox));
                (LinkEvent::Connected { session, address }, None)
            }
            ClientEvent::Asked { session, request, place } => {
                if let Some(seat) = self.seats.get_mut(&session) {
                    seat.is_logging_in |= is_login(&request);
                    if let Request::Game(Input::Wants { packages, .. }) = &request {
                        seat.wants.clone_from(packages);
                    }
                }
                (LinkEvent::Asked { session, request }, place)
            }
            ClientEvent::Ended { session, .. } => {
                let Some(seat) = self.seats.get_mut(&session) else { return };
                seat.has_ended = true;
                if !self.has_greeted && seat.player.is_none() {
                    return self.forget(session);
                }
                (LinkEvent::Ended { session }, None)
            }
            // Only a host has these.
            ClientEvent::Resumed { .. } | ClientEvent::Verified(_) => return,
        };
        self.entries.insert(self.next, PendingEvent { event, _place: place });
        self.next += 1;
    }

    /// Removes a session that no host knows, with its events, so that clients who come and go while there is no host
    /// leave nothing behind.
    fn forget(&mut self, session: SessionId) {
        self.seats.remove(&session);
        self.entries.retain(|_, entry| entry.event.session() != session);
    }

    /// Returns the next event to send, with its number.
    pub(super) fn next_unsent(&mut self) -> Option<(u64, &LinkEvent)> {
        let (&number, entry) = self.entries.range(self.unsent..).next()?;
        self.unsent = number + 1;
        Some((number, &entry.event))
    }

    /// Returns `true` if an event waits to be sent.
    pub(super) fn has_unsent(&self) -> bool {
        self.entries.range(self.unsent..).next().is_some()
    }

    /// Removes events that the host has handled.
    pub(super) fn handled(&mut self, numbers: &[u64]) {
        for number in numbers {
            if let Some(PendingEvent { event: LinkEvent::Ended { session }, .. }) =
                self.entries.remove(number)
            {
                self.seats.remove(&session);
            }
        }
    }

    /// Passes output on to a session. Output for an unknown session is dropped.
    pub(super) fn deliver(&mut self, session: SessionId, deliveries: Vec<Delivery>) {
        let Some(seat) = self.seats.get_mut(&session) else { return };
        for delivery in &deliveries {
            seat.follow(delivery);
        }
        seat.outbox.put(deliveries);
        seat.outbox.wake();
    }

    /// Ends a session whose output has overflowed in the host.
    pub(super) fn too_slow(&self, session: SessionId) {
        if let Some(seat) = self.seats.get(&session) {
            seat.outbox.overflow();
        }
    }

    /// Returns the sessions to attach to the next host, and marks all events as unsent. They need no event for their
    /// connection.
    pub(super) fn hello(&mut self) -> Vec<Attached> {
        self.entries.retain(|_, entry| !matches!(entry.event, LinkEvent::Connected { .. }));
        self.unsent = 0;
        self.has_greeted = true;
        let attached = self.seats.iter().map(|(&session, seat)| Attached {
            session,
            address: seat.address,
            player: seat.player.clone(),
            wants: seat.wants.clone(),
        });
        attached.collect()
    }

    /// Handles the end of a connection to a host, linked or not.
    pub(super) fn unlink(&mut self) {
        self.has_greeted = false;
        let is_gone = |seat: &LinkSession| seat.has_ended && seat.player.is_none();
        let gone: Vec<SessionId> =
            self.seats.iter().filter(|(_, seat)| is_gone(seat)).map(|(&session, _)| session).collect();
        for session in gone {
            self.forget(session);
        }
    }

    /// Handles the loss of the link: removes the events that must not be sent again, and tells the clients. After a
    /// restart the players have been told already.
    pub(super) fn lost(&mut self, loss: LinkLoss) {
        let sent = self.unsent;
        if loss == LinkLoss::Crash {
            self.show(&notice(GONE), true);
            let doubtful: Vec<u64> = self.entries.range(..sent).map(|(&number, _)| number).collect();
            for number in doubtful {
                self.settle_doubt(number);
            }
        }
        self.unsent = 0;
        let waiting: Vec<SessionId> = self
            .entries
            .values()
            .filter_map(|entry| match &entry.event {
                LinkEvent::Asked { session, request } if is_login(request) => Some(*session),
                _ => None,
            })
            .collect();
        for (session, seat) in &mut self.seats {
            if !waiting.contains(session) && mem::take(&mut seat.is_logging_in) {
                seat.outbox.deliver(Delivery::LoginPostponed(ASK_AGAIN.into()));
            }
        }
    }

    /// Removes an event that may have been handled, unless it can be sent again.
    fn settle_doubt(&mut self, number: u64) {
        let Some(entry) = self.entries.remove(&number) else { return };
        match &entry.event {
            LinkEvent::Connected { .. } => {}
            LinkEvent::Ended { session } => _ = self.seats.remove(session),
            LinkEvent::Asked { session, request } => match doubt(request) {
                Doubt::Repeat => _ = self.entries.insert(number, entry),
                Doubt::Command(line) => {
                    if let Some(seat) = self.seats.get(session).filter(|seat| seat.player.is_some()) {
                        seat.outbox.deliver(Delivery::NotAnswered(not_answered(line)));
                    }
                }
                // The session is asked again with the others that wait for a login.
                Doubt::Login | Doubt::Drop => {}
            },
        }
    }

    /// Shows a text to all players, or with `to_all_clients` to all clients.
    pub(super) fn show(&self, text: &Arc<Markup>, to_all_clients: bool) {
        for seat in self.seats.values() {
            if to_all_clients || seat.player.is_some() {
                seat.outbox.deliver(Delivery::Show(Arc::clone(text)));
            }
        }
    }

    /// Closes all sessions.
    pub(super) fn close_all(&self, why: CloseReason) {
        for (&session, seat) in &self.seats {
            seat.outbox.deliver(Delivery::Effect(Effect::Close { session, why }));
        }
    }

    /// Returns `true` if every session has ended and no event waits to be sent. Without a host, only the sessions
    /// count.
    pub(super) fn is_finished(&self, is_linked: bool) -> bool {
        !(is_linked && self.has_unsent()) && self.seats.values().all(|seat| seat.has_ended)
    }

    /// Returns the numbers of open sessions, of logged-in ones, and of events that are not handled.
    pub(super) fn figures(&self) -> [u64; 3] {
        let playing = self.seats.values().filter(|seat| seat.player.is_some()).count();
        let open = self.seats.values().filter(|seat| !seat.has_ended).count();
        [open as u64, playing as u64, self.entries.len() as u64]
    }
}

impl LinkSession {
    const fn new(address: IpAddr, outbox: Arc<ClientOutbox>) -> Self {
        Self { address, outbox, player: None, wants: Packages::new(), is_logging_in: false, has_ended: false }
    }

    /// Records what a delivery reveals about the session.
    fn follow(&mut self, delivery: &Delivery) {
        match delivery {
            Delivery::Effect(Effect::Entered { account, name, .. }) => {
                self.player = Some(LinkPlayer { account: *account, name: name.clone() });
                self.is_logging_in = false;
            }
            Delivery::Effect(Effect::Refused { .. } | Effect::Close { .. }) => {
                self.player = None;
                self.is_logging_in = false;
            }
            Delivery::LoginFailed(_) | Delivery::LoginPostponed(_) => self.is_logging_in = false,
            _ => {}
        }
    }
}
