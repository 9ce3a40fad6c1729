//! Test harness: a client, a server and a minimal game around one session, single-threaded and without a clock.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::session::{
    ConnectionInfo, Delivery, MsspFigures, NameStatus, Ports, Request, Secret, Session, SessionAction,
    SessionConfig,
};
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{AccountId, CharacterId, GameTime, SessionId, Span};
use deepwell_core::text::Markup;
use deepwell_core::world::Settings;
use deepwell_game::effect::Local;
use deepwell_game::{Ask, Class, CloseReason, Effect, Input, Output, Packages, PromptFields};

/// Refusal of a wrong password and of an unknown name.
pub(in crate::session) const WRONG: &str = "That name and that password do not belong together.";

/// Refusal of a name that is a command.
const COMMAND: &str = "That word is a command, so nobody can be called it.";

/// Figures that the server sends to crawlers.
pub(in crate::session) const FIGURES: MsspFigures = MsspFigures {
    players: 3,
    rooms: 400,
    areas: 9,
    mobiles: 70,
    objects: 150,
    help_files: 60,
    skills: 9,
    quests: 3,
    started_at: 1_700_000_000,
};

/// Answers of a telnet client that accepts GMCP and EOR to the opening negotiation.
pub(in crate::session) const HANDSHAKE: &[u8] =
    b"\xff\xfc\x18\xff\xfc\x1f\xff\xfd\x19\xff\xfe\x2a\xff\xfd\xc9\xff\xfc\x06";

/// A session with its test environment.
pub(in crate::session) struct Table {
    pub(in crate::session) session: Session,
    pub(in crate::session) now: GameTime,
    /// Passwords by lower-case name.
    pub(in crate::session) accounts: BTreeMap<String, Secret>,
    /// Stored seat token of Olad.
    pub(in crate::session) seat_token: Option<Secret>,
    /// Set if the server postpones logins.
    pub(in crate::session) busy: bool,
    /// Numbers in the queue that the server tells the client before it answers a password request.
    pub(in crate::session) queued: Vec<u32>,
    /// Commands in the order in which the game received them.
    pub(in crate::session) commands: Vec<String>,
    /// Number of the next line of a text being written.
    pub(in crate::session) text_line: u32,
    pub(in crate::session) wants: Vec<Packages>,
    pub(in crate::session) asks: Vec<Ask>,
    pub(in crate::session) pre_login: Option<Settings>,
    /// Number of reports that the client is a screen reader.
    pub(in crate::session) screen_readers_noted: u32,
    pub(in crate::session) closed: Option<CloseReason>,
    /// `Debug` output of all other actions.
    pub(in crate::session) trace: String,
    /// All output.
    pub(in crate::session) sent: Vec<u8>,
}

impl Table {
    pub(in crate::session) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(in crate::session) fn with(limits: Limits) -> Self {
        Self::over(ConnectionInfo::default(), limits)
    }

    /// Creates a client with the given connection properties.
    pub(in crate::session) fn over(connection: ConnectionInfo, limits: Limits) -> Self {
        Self::of(
            connection,
            SessionConfig {
                limits,
                ports: Ports { telnet: Some(4000), tls: Some(4040), http: Some(4080) },
                ..SessionConfig::default()
            },
        )
    }

    /// Creates a client of a server with the given configuration.
    pub(in crate::session) fn of(connection: ConnectionInfo, config: SessionConfig) -> Self {
        let config = SessionConfig { name: "Deepwell".to_owned(), welcome: "Welcome.".into(), ..config };
        Self {
            session: Session::new(SessionId(1), Arc::new(config), connection, GameTime(0)),
            now: GameTime(0),
            accounts: BTreeMap::from([("olad".to_owned(), Secret("correct horse".to_owned()))]),
            seat_token: None,
            busy: false,
            queued: Vec::new(),
            commands: Vec::new(),
            text_line: 0,
            wants: Vec::new(),
            asks: Vec::new(),
            pre_login: None,
            screen_readers_noted: 0,
            closed: None,
            trace: String::new(),
            sent: Vec::new(),
        }
    }

    /// Creates a telnet client at the name prompt.
    pub(in crate::session) fn telnet() -> Self {
        let mut table = Self::new();
        table.receive(HANDSHAKE);
        table
    }

    /// Creates a raw client (netcat) at the name prompt.
    pub(in crate::session) fn raw() -> Self {
        let mut table = Self::new();
        table.wait(Span::secs(1));
        table
    }

    /// Creates a telnet client in the game.
    pub(in crate::session) fn playing() -> Self {
        let mut table = Self::telnet();
        table.type_line("connect Olad correct horse");
        assert!(table.session.is_playing());
        table
    }

    /// Types a line and returns the output, after all requests have been answered.
    pub(in crate::session) fn type_line(&mut self, line: &str) -> String {
        self.receive(format!("{line}\r\n").as_bytes())
    }

    /// Sends bytes, carries out all resulting actions, and returns the output.
    pub(in crate::session) fn receive(&mut self, bytes: &[u8]) -> String {
        self.take_in(bytes);
        self.flush()
    }

    /// Sends bytes without ending the batch.
    pub(in crate::session) fn take_in(&mut self, bytes: &[u8]) {
        let mut actions = Vec::new();
        self.session.receive(bytes, self.now, &mut actions);
        self.carry_out(actions);
    }

    /// Advances the time, ticking at each deadline of the session.
    pub(in crate::session) fn wait(&mut self, span: Span) -> String {
        let end = self.now + span;
        while let Some(deadline) = self.session.next_deadline().filter(|deadline| *deadline <= end) {
            assert!(deadline >= self.now, "a deadline that has passed does not come again");
            self.now = deadline;
            let mut actions = Vec::new();
            self.session.tick(self.now, &mut actions);
            assert!(self.session.next_deadline() > Some(deadline) || self.session.next_deadline().is_none());
            self.carry_out(actions);
        }
        self.now = end;
        self.flush()
    }

    /// Delivers an output of the game.
    pub(in crate::session) fn output(&mut self, output: Output) {
        self.effect(Effect::Output { session: SessionId(1), output });
    }

    /// Delivers a request for a connection report.
    pub(in crate::session) fn inspect(&mut self, asker: SessionId) {
        self.effect(Effect::Inspect { session: SessionId(1), asker, name: "Olad".to_owned() });
    }

    fn effect(&mut self, effect: Effect) {
        let mut actions = Vec::new();
        self.bring(Delivery::Effect(effect), &mut actions);
        self.carry_out(actions);
    }

    fn bring(&mut self, delivery: Delivery, next: &mut Vec<SessionAction>) {
        self.session.deliver(delivery, self.now, next);
    }

    /// Delivers text from the server.
    pub(in crate::session) fn show(&mut self, text: Markup) {
        self.bring(Delivery::Show(Arc::new(text)), &mut Vec::new());
    }

    /// Delivers text caused by other players.
    pub(in crate::session) fn hear(&mut self, text: &str) {
        self.output(Output::Text(Class::Speech, Arc::new(text.into())));
    }

    pub(in crate::session) fn flush(&mut self) -> String {
        let mut out = Vec::new();
        self.session.flush(&mut out);
        self.sent.extend_from_slice(&out);
        legible(&out)
    }

    fn carry_out(&mut self, actions: Vec<SessionAction>) {
        for action in actions {
            assert_eq!(self.closed, None, "nothing comes after the end: {action:?}");
            // Subscriptions may be reported in one step or several, so they are recorded separately.
            if !matches!(action, SessionAction::Ask(Request::Game(Input::Wants { .. }))) {
                writeln!(self.trace, "{action:?}").unwrap();
            }
            let mut next = Vec::new();
            match action {
                SessionAction::Ask(request) => self.answer(request, &mut next),
                SessionAction::Compress | SessionAction::Decompress => panic!("nothing was offered"),
                SessionAction::Close(why) => self.closed = Some(why),
            }
            self.carry_out(next);
        }
    }

    /// Tells the client its numbers in the queue, if the request waits for a password hash.
    fn tell_numbers(&mut self, request: &Request, next: &mut Vec<SessionAction>) {
        if matches!(
            request,
            Request::Authenticate { .. }
                | Request::Create { .. }
                | Request::Join { .. }
                | Request::Recover { .. }
        ) {
            for number in self.queued.clone() {
                self.bring(Delivery::Queued(number), next);
            }
        }
    }

    fn answer(&mut self, request: Request, next: &mut Vec<SessionAction>) {
        self.tell_numbers(&request, next);
        match request {
            Request::LookUp { name } => {
                let standing = match name.to_lowercase().as_str() {
                    known if self.accounts.contains_key(known) => NameStatus::Known,
                    "kill" => NameStatus::Unfit(COMMAND.to_owned()),
                    _ => NameStatus::Free,
                };
                self.bring(Delivery::NameLookedUp(standing), next);
            }
            Request::CheckName { name } => {
                let taken = self.accounts.contains_key(&name.to_lowercase());
                let flaw = taken.then(|| "That name is taken.".to_owned());
                self.bring(Delivery::NameChecked { name, flaw }, next);
            }
            Request::Players => self.bring(Delivery::Players(vec!["Bera".to_owned()]), next),
            Request::Authenticate { .. } if self.busy => {
                self.bring(Delivery::LoginPostponed("Not now.".into()), next);
            }
            Request::Authenticate { name, password, pre_login } => {
                if self.accounts.get(&name.to_lowercase()) == Some(&password) {
                    self.enter(&name, pre_login, next);
                } else {
                    self.bring(Delivery::LoginFailed(WRONG.into()), next);
                }
            }
            Request::Visit { pre_login } => self.enter("Guestab", pre_login, next),
            Request::Join { name, password } => self.join(&name, password, next),
            Request::Create { name, password, pre_login } => self.create(&name, password, pre_login, next),
            // For another client; the trace contains it.
            Request::Report { .. } => {}
            Request::ChangePassword { old, new } => self.change_password(&old, new, next),
            Request::MakeRecovery { .. } => {
                self.bring(Delivery::RecoveryMade(Secret("CODE1-CODE2".to_owned())), next);
                self.tell_session(Local::RecoveryKept, next);
            }
            Request::DeleteAccount { password, name } => self.delete_account(&password, &name, next),
            Request::MakeCode { .. } => {
                self.bring(Delivery::RecoveryMade(Secret("CODE1-CODE2".to_owned())), next);
                self.tell_session(Local::OneTimeCodeKept, next);
            }
            Request::Recover { name, code, password, pre_login } => {
                if code.0 == "CODE1-CODE2" {
                    self.accounts.insert(name.to_lowercase(), password);
                    self.enter(&name, pre_login, next);
                } else {
                    self.bring(Delivery::LoginFailed(WRONG.into()), next);
                }
            }
            Request::KeepSeat { token, .. } => {
                self.seat_token = Some(token);
                self.tell_session(Local::SeatKept, next);
            }
            Request::TakeSeat { name, token, next: after, pre_login, .. } => {
                if self.seat_token == Some(token) {
                    self.seat_token = Some(after);
                    self.enter(&name, pre_login, next);
                    self.tell_session(Local::SeatKept, next);
                } else {
                    self.bring(Delivery::LoginFailed(WRONG.into()), next);
                }
            }
            Request::Who => self.show(Markup::plain("Nobody is here.")),
            Request::Status => self.bring(Delivery::Status(FIGURES), next),
            Request::Game(Input::Command { line, .. }) => self.command(line, next),
            Request::Game(Input::Wants { packages, .. }) => self.wants.push(packages),
            Request::Game(Input::Asks { what, .. }) => self.asks.push(what),
            Request::Game(Input::UsesScreenReader { .. }) => self.screen_readers_noted += 1,
            Request::Game(other) => panic!("not from a session: {other:?}"),
        }
    }

    fn change_password(&mut self, old: &Secret, new: Secret, next: &mut Vec<SessionAction>) {
        if self.accounts.get("olad") == Some(old) {
            self.accounts.insert("olad".to_owned(), new);
            self.tell_session(Local::PasswordChanged, next);
        } else {
            self.bring(Delivery::PasswordRefused(WRONG.into()), next);
        }
    }

    fn delete_account(&mut self, password: &Secret, name: &Secret, next: &mut Vec<SessionAction>) {
        if self.accounts.get(&name.0) == Some(password) {
            self.accounts.remove(&name.0);
            let close = Effect::Close { session: SessionId(1), why: CloseReason::Quit };
            self.bring(Delivery::Effect(close), next);
        } else {
            self.bring(Delivery::PasswordRefused(WRONG.into()), next);
        }
    }

    fn tell_session(&mut self, local: Local, next: &mut Vec<SessionAction>) {
        let output = Output::Local(local);
        self.bring(Delivery::Effect(Effect::Output { session: SessionId(1), output }), next);
    }

    fn join(&mut self, name: &str, password: Secret, next: &mut Vec<SessionAction>) {
        let local = match self.accounts.entry(name.to_lowercase()) {
            Entry::Vacant(account) => {
                account.insert(password);
                Local::Joined
            }
            Entry::Occupied(_) => Local::NotJoined,
        };
        self.tell_session(local, next);
    }

    fn create(
        &mut self,
        name: &str,
        password: Secret,
        pre_login: Box<Settings>,
        next: &mut Vec<SessionAction>,
    ) {
        if let Entry::Vacant(account) = self.accounts.entry(name.to_lowercase()) {
            account.insert(password);
            self.enter(name, pre_login, next);
        } else {
            let reason = "That name is taken.".to_owned();
            self.bring(Delivery::Effect(Effect::Refused { session: SessionId(1), reason }), next);
        }
    }

    fn enter(&mut self, name: &str, pre_login: Box<Settings>, next: &mut Vec<SessionAction>) {
        self.pre_login = Some((*pre_login).clone());
        let entered = Effect::Entered {
            session: SessionId(1),
            account: AccountId(1),
            character: CharacterId(1),
            name: name.to_owned(),
            settings: pre_login,
        };
        self.bring(Delivery::Effect(entered), next);
        self.reply(Some("The Well"), next);
    }

    /// Plays the game: `nothing` prints nothing, `password` starts a password dialog, `quit` closes the session,
    /// `describe here` begins a text that a dot ends, and any other command is echoed.
    fn command(&mut self, line: String, next: &mut Vec<SessionAction>) {
        match line.as_str() {
            "describe here" | "." => {
                self.text_line = u32::from(line != ".");
                self.reply(None, next);
            }
            _ if self.text_line > 0 => {
                self.text_line += 1;
                self.reply(None, next);
            }
            "nothing" => self.reply(None, next),
            "password" => {
                self.tell_session(Local::ChangePassword, next);
                self.reply(None, next);
            }
            "quit" => {
                let close = Effect::Close { session: SessionId(1), why: CloseReason::Quit };
                self.bring(Delivery::Effect(close), next);
            }
            line => self.reply(Some(&format!("You {line}.")), next),
        }
        self.commands.push(line);
    }

    fn reply(&mut self, text: Option<&str>, next: &mut Vec<SessionAction>) {
        let text_line = self.text_line;
        let fields =
            PromptFields { hp: 27, max_hp: 30, fighting: false, text_line, ..PromptFields::default() };
        let text = text.map(|text| Output::Text(Class::Reply, Arc::new(text.into())));
        for output in text.into_iter().chain([Output::Prompt(fields)]) {
            self.bring(Delivery::Effect(Effect::Output { session: SessionId(1), output }), next);
        }
    }
}

/// Converts output to readable text: without CR, and with names for telnet commands.
pub(in crate::session) fn legible(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            b'\r' => {}
            0xff => {
                let command = rest.next().unwrap();
                let name = match command {
                    0xf1 => "NOP".to_owned(),
                    0xf9 => "GA".to_owned(),
                    0xef => "EOR".to_owned(),
                    0xfa => {
                        let payload: Vec<u8> = rest.by_ref().take_while(|byte| *byte != 0xf0).collect();
                        let body = payload.get(1..payload.len() - 1).unwrap();
                        format!("SB {} {}", payload[0], String::from_utf8_lossy(body))
                    }
                    0xfb..=0xfe => {
                        let verb = ["WILL", "WONT", "DO", "DONT"][usize::from(command - 0xfb)];
                        format!("{verb} {}", rest.next().unwrap())
                    }
                    other => panic!("unexpected command {other:x}"),
                };
                text.extend_from_slice(format!("<{name}>").as_bytes());
            }
            byte => text.push(byte),
        }
    }
    String::from_utf8(text).unwrap()
}
