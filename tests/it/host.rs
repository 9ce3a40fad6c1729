//! Sessions connected to a game in one thread and in virtual time. Takes the place of the server between sockets and
//! disk, for tests that send and receive bytes. Passwords are compared as plain text, nothing is stored, and only the
//! sessions limit rates.

use crate::table::Table;
use deepwell::base::limits::Limits;
use deepwell::base::{AccountId, GameTime, SessionId, Span};
use deepwell::game::{CloseReason, Effect, GameConfig, Input};
use deepwell::session::{
    ConnectionInfo, Delivery, NameStatus, Request, Secret, Session, SessionAction, SessionConfig,
};
use deepwell::text::Markup;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Number of game steps between two checks of all invariants.
const STEPS_PER_CHECK: u64 = 50;

/// Reply of a telnet client that refuses every option and does not identify itself.
const REFUSALS: &[u8] = b"\xff\xfc\x18\xff\xfc\x1f\xff\xfe\x19\xff\xfe\x2a\xff\xfe\xc9\xff\xfc\x06";

/// A game and its connected clients.
pub(crate) struct Host {
    table: Table,
    config: Arc<SessionConfig>,
    clients: BTreeMap<SessionId, Client>,
    passwords: BTreeMap<AccountId, Secret>,
}

struct Client {
    session: Session,
    /// Bytes not yet read by the test.
    sent: Vec<u8>,
    /// Password of the account being created.
    chosen: Option<Secret>,
    closed: Option<CloseReason>,
}

impl Host {
    /// Creates a new world with this welcome text.
    pub(crate) fn new(config: GameConfig, welcome: &str) -> Self {
        let mut table = Table::new(config);
        table.checks_every(STEPS_PER_CHECK);
        let config = SessionConfig {
            limits: Limits::default(),
            name: "Deepwell".to_owned(),
            welcome: Markup::plain(welcome),
            ..SessionConfig::default()
        };
        Self { table, config: Arc::new(config), clients: BTreeMap::new(), passwords: BTreeMap::new() }
    }

    /// Connects a telnet client that does not identify itself; it is at the name prompt.
    pub(crate) fn connect(&mut self) -> SessionId {
        let id = SessionId(self.clients.len() as u64 + 1);
        let session = Session::new(id, Arc::clone(&self.config), ConnectionInfo::default(), self.table.now());
        self.clients.insert(id, Client { session, sent: Vec::new(), chosen: None, closed: None });
        self.receive(id, REFUSALS);
        id
    }

    /// Sends a line.
    pub(crate) fn types(&mut self, id: SessionId, line: &str) {
        self.receive(id, format!("{line}\r\n").as_bytes());
    }

    fn receive(&mut self, id: SessionId, bytes: &[u8]) {
        let mut actions = Vec::new();
        let now = self.table.now();
        self.client(id).session.receive(bytes, now, &mut actions);
        self.carry_out(id, actions);
        self.flush();
    }

    /// Advances time and runs each timer at its deadline.
    pub(crate) fn waits(&mut self, span: Span) {
        let until = self.table.now() + span;
        loop {
            let sessions = self.clients.values().filter_map(|client| client.session.next_deadline());
            let Some(due) =
                sessions.chain(self.table.game().next_deadline()).min().filter(|due| *due <= until)
            else {
                break;
            };
            self.table.advance_clock_to(due);
            if self.table.game().next_deadline().is_some_and(|due| due <= self.table.now()) {
                self.step(Input::Wake);
            }
            for id in self.clients.keys().copied().collect::<Vec<_>>() {
                let (mut actions, now) = (Vec::new(), self.table.now());
                self.client(id).session.tick(now, &mut actions);
                self.carry_out(id, actions);
            }
            self.flush();
        }
        self.table.advance_clock_to(until);
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> GameTime {
        self.table.now()
    }

    /// Returns the bytes sent to a client since the last call.
    pub(crate) fn reads(&mut self, id: SessionId) -> Vec<u8> {
        std::mem::take(&mut self.client(id).sent)
    }

    /// Returns the reason if a client was closed.
    pub(crate) fn closed(&self, id: SessionId) -> Option<CloseReason> {
        self.clients[&id].closed
    }

    fn client(&mut self, id: SessionId) -> &mut Client {
        self.clients.get_mut(&id).expect("a client that has connected")
    }

    fn flush(&mut self) {
        for client in self.clients.values_mut() {
            client.session.flush(&mut client.sent);
        }
    }

    /// Runs one step, delivers its effects to the sessions, and carries out the resulting actions.
    fn step(&mut self, input: Input) {
        let mut wanted = Vec::new();
        for effect in self.table.results_of(input) {
            let (Effect::Output { session, .. }
            | Effect::Entered { session, .. }
            | Effect::Refused { session, .. }
            | Effect::Close { session, .. }) = &effect
            else {
                continue;
            };
            let (id, now, mut actions) = (*session, self.table.now(), Vec::new());
            let client = self.client(id);
            if let Effect::Entered { account, .. } = &effect
                && let Some(password) = client.chosen.take()
            {
                let account = *account;
                self.passwords.insert(account, password);
            }
            self.client(id).session.deliver(Delivery::Effect(effect), now, &mut actions);
            wanted.push((id, actions));
        }
        for (id, actions) in wanted {
            self.carry_out(id, actions);
        }
    }

    fn carry_out(&mut self, id: SessionId, actions: Vec<SessionAction>) {
        let mut queue = VecDeque::from(actions);
        while let Some(action) = queue.pop_front() {
            let (now, mut next) = (self.table.now(), Vec::new());
            match action {
                SessionAction::Ask(Request::Game(input)) => self.step(input),
                SessionAction::Ask(request) => {
                    if let Some(delivery) = self.answer(id, request) {
                        self.client(id).session.deliver(delivery, now, &mut next);
                    }
                }
                SessionAction::Close(why) => {
                    self.client(id).closed = Some(why);
                    self.step(Input::Lost { session: id });
                }
                // Compression needs sockets.
                SessionAction::Compress | SessionAction::Decompress => {}
            }
            next.into_iter().rev().for_each(|action| queue.push_front(action));
        }
    }

    fn answer(&mut self, id: SessionId, request: Request) -> Option<Delivery> {
        match request {
            Request::LookUp { name } => {
                let known = self.table.world().accounts.named(&name).is_some();
                return Some(Delivery::NameLookedUp(if known {
                    NameStatus::Known
                } else {
                    NameStatus::Free
                }));
            }
            Request::Authenticate { name, password, pre_login } => {
                match self.table.world().accounts.named(&name) {
                    Some(account) if self.passwords.get(&account) == Some(&password) => {
                        self.step(Input::Login { session: id, account, name, pre_login, goes_on: false });
                    }
                    _ => return Some(Delivery::LoginFailed("That is not right.".into())),
                }
            }
            Request::Create { name, password, pre_login } => {
                self.client(id).chosen = Some(password);
                let credential = "$test$".to_owned();
                self.step(Input::Create { session: id, name, credential, pre_login });
            }
            Request::Who => return Some(Delivery::Show(Markup::plain("Nobody has been counted.").into())),
            // Other requests need sockets.
            _ => {}
        }
        None
    }
}

/// Decodes bytes received by telnet into text with `\n` line ends, and updates whether input is hidden. Panics on
/// escape codes and other controls, which a plain text client must not receive.
pub(crate) fn text_of(bytes: &[u8], hidden: &mut bool) -> String {
    let mut text = Vec::new();
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            b'\r' => {}
            0xff => match rest.next() {
                Some(0xfa) => assert!(rest.by_ref().any(|byte| byte == 0xf0), "a subnegotiation ends"),
                Some(verb @ 0xfb..=0xfe) => match (verb, rest.next()) {
                    (0xfb, Some(1)) => *hidden = true,
                    (0xfc, Some(1)) => *hidden = false,
                    _ => {}
                },
                _ => {}
            },
            byte => text.push(byte),
        }
    }
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    text
}
