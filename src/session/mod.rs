//! One client session, without sockets: bytes, deliveries and time in, bytes and actions out.
//!
//! The protocol layer splits bytes into lines. All lines wait in one queue until the client may continue: the rate
//! limit and pending answers can delay it. Then `login` or `play` takes them. All output goes through `render`, which
//! tracks the cursor; [`Session::flush`] ends a batch with the prompt, if one is due. Sessions know no rooms and no
//! game rules, and pass no passwords to the game.

mod secret;
mod request;
mod action;
mod compression;
mod deadlines;
mod throttle;
mod client;
mod alias;
mod history;
mod login;
mod play;
mod gmcp;
mod vitals_limit;
mod mudlet;
mod mssp;
mod report;
mod delivery;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::protocol::telnet::Event;
use deepwell_core::base::{GameTime, SessionId, Span};
use deepwell_game::{CloseReason, Input};

use crate::session::login::form::Entry;
pub use action::{Action, SessionConfig};
pub use client::connection_info::{BrowserKey, ConnectionInfo, Privacy, Transport};
use client::protocol_detection::ProtocolDetection;
use client::render::Screen;
use compression::Compression;
use gmcp::Subscriptions;
use login::Login;
use login::gmcp::CharLogin;
pub use mssp::{Extra, Figures, Listing, Ports, Variables, variables as mssp_variables};
pub use mudlet::MudletPackage;
use play::{Meaning, Play};
pub use request::{Delivery, Request, Standing};
pub use secret::Secret;
pub(crate) use secret::on_link;
use throttle::TokenBucket;
use vitals_limit::VitalsLimit;

/// Shortest time between two answers to telnet ARE-YOU-THERE.
const HERE_AGAIN: Span = Span::secs(1);

/// Stage of a session.
enum Stage {
    /// Negotiating client capabilities.
    Opening,
    /// Logging in.
    Login(Login),
    /// In the game.
    Playing(Play),
    /// Being closed.
    Closed,
}

/// State of one client session.
pub struct Session {
    id: SessionId,
    config: Arc<SessionConfig>,
    connection: ConnectionInfo,
    now: GameTime,
    opened_at: GameTime,
    /// Time of the client's last activity: a line, a login or a keep-alive by GMCP.
    input_at: GameTime,
    /// Time of the last output.
    output_at: GameTime,
    /// Time of the last answer to ARE-YOU-THERE.
    here_at: Option<GameTime>,
    stage: Stage,
    detection: ProtocolDetection,
    screen: Screen,
    compression: Compression,
    /// Queued lines. Secrets, because each may be a password.
    lines: VecDeque<Secret>,
    /// Queued commands of an expanded line; they precede the next line.
    expanded: VecDeque<String>,
    allowance: TokenBucket,
    /// Rate limit of GMCP messages; excess messages are ignored.
    messages: TokenBucket,
    /// Rate limit of messages that request data, because answers can be large.
    requests: TokenBucket,
    /// Rate limit of subnegotiations of all options; excess ones are ignored.
    payloads: TokenBucket,
    subscriptions: Subscriptions,
    vitals_limit: VitalsLimit,
    /// Number of GMCP messages that were ignored.
    ignored: u32,
    /// Pending status answers that were requested by the MSSP option instead of as text.
    asked_by_option: u32,
    /// Bytes from the client and, before compression, to the client.
    bytes_in: u64,
    bytes_out: u64,
    char_login: CharLogin,
    /// Login method of the web client.
    entry: Entry,
    /// Set once the game has been told that the client is a screen reader.
    screen_reader_noted: bool,
    /// Set once the player has been told how to choose the client's character set.
    told_of_encoding: bool,
    /// Set when a whole line or a protocol answer has arrived since the last check.
    heard: bool,
    /// Buffer reused for every read.
    events: Vec<Event>,
}

impl Session {
    /// Creates a session and queues the opening negotiation.
    pub fn new(id: SessionId, config: Arc<SessionConfig>, connection: ConnectionInfo, now: GameTime) -> Self {
        let mut session = Self {
            id,
            connection,
            now,
            opened_at: now,
            input_at: now,
            output_at: now,
            here_at: None,
            stage: Stage::Opening,
            detection: ProtocolDetection::default(),
            screen: Screen::new(connection, &config.limits),
            compression: Compression::default(),
            lines: VecDeque::new(),
            expanded: VecDeque::new(),
            allowance: TokenBucket::new(&config.limits, now),
            messages: gmcp::messages(now),
            requests: gmcp::requests(now),
            payloads: gmcp::messages(now),
            subscriptions: Subscriptions::default(),
            vitals_limit: VitalsLimit::default(),
            ignored: 0,
            asked_by_option: 0,
            bytes_in: 0,
            bytes_out: 0,
            char_login: CharLogin::default(),
            entry: Entry::default(),
            screen_reader_noted: false,
            told_of_encoding: false,
            heard: false,
            events: Vec::new(),
            config,
        };
        // A web client needs no negotiation.
        if connection.transport == Transport::Web {
            session.welcome();
        }
        session
    }

    /// Takes bytes from the client. All lines in them are queued, even if [`Session::wants_input`] is `false`.
    pub fn receive(&mut self, bytes: &[u8], now: GameTime, actions: &mut Vec<Action>) {
        self.at(now);
        if self.is_closed() {
            return;
        }
        if self.connection.transport == Transport::Telnet && self.detection.is_tls(bytes) {
            return self.close(CloseReason::LoginFailed, actions);
        }
        let mut events = std::mem::take(&mut self.events);
        self.bytes_in += bytes.len() as u64;
        self.screen.terminal().limit_payloads(self.payloads.available(self.now));
        self.screen.terminal().receive(bytes, &mut events);
        self.payloads.spend(self.screen.terminal().payloads_heard());
        // `ClientChanged` alone only means that some byte has arrived.
        self.heard |= events.iter().any(|event| !matches!(event, Event::ClientChanged));
        for event in events.drain(..) {
            self.event(event, actions);
        }
        self.events = events;
        self.go_on(actions);
    }

    /// Ends a batch of output: adds the prompt if one is due, and moves all bytes to `out`.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        self.prompt();
        let before = out.len();
        if self.screen.send(out) {
            self.bytes_out += (out.len() - before) as u64;
            self.output_at = self.now;
        }
    }

    /// Returns `true` if the session accepts input: its line queue is not full, and it is not closed.
    pub fn wants_input(&self) -> bool {
        let queued = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        queued < self.config.limits.commands_queued && !self.is_closed()
    }

    /// Returns `true` if a whole line or a protocol answer has arrived since the last call. Incomplete input does not
    /// count.
    pub const fn take_heard(&mut self) -> bool {
        std::mem::replace(&mut self.heard, false)
    }

    /// Returns the number of ignored GMCP messages: malformed ones, and those of unknown packages.
    pub const fn ignored_messages(&self) -> u32 {
        self.ignored
    }

    /// Returns `true` if the client has entered the game and the session is not closed.
    pub fn is_playing(&self) -> bool {
        matches!(self.stage, Stage::Playing(_))
    }

    fn is_closed(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    /// Returns `true` if the next line can be taken, apart from the rate limit.
    fn is_ready(&self) -> bool {
        match &self.stage {
            Stage::Login(login) => !login.waits(),
            Stage::Playing(play) => !play.waits(),
            Stage::Opening | Stage::Closed => false,
        }
    }

    fn at(&mut self, now: GameTime) {
        self.now = self.now.max(now);
    }

    fn event(&mut self, event: Event, actions: &mut Vec<Action>) {
        if self.is_closed() {
            return;
        }
        match event {
            Event::Line(line) => self.line(Secret(line), actions),
            Event::LineTooLong => {
                let most = self.config.limits.line_bytes;
                self.screen.say(&format!("That line is too long. Only its first {most} bytes count."));
            }
            Event::Ready if matches!(self.stage, Stage::Opening) => self.welcome(),
            Event::ClientChanged | Event::Ready => {}
            Event::Gmcp { package, body } => self.message(&package.to_ascii_lowercase(), &body, actions),
            Event::Interrupt => self.screen.want_prompt(),
            Event::AreYouThere => self.here(),
            Event::StatusAsked => {
                self.asked_by_option += 1;
                actions.push(Action::Ask(Request::Status));
            }
            Event::Abuse => self.close(CloseReason::Flood, actions),
            Event::Compression(wanted) => self.compression.want(wanted, actions),
        }
    }

    fn line(&mut self, line: Secret, actions: &mut Vec<Action>) {
        self.input_at = self.now;
        self.screen.record_line_end();
        if self.connection.transport == Transport::Telnet
            && let Some(answer) = self.detection.http_answer(&line.0, self.config.ports.http)
        {
            self.screen.terminal().write(&answer);
            return self.close(CloseReason::LoginFailed, actions);
        }
        if !line.is_legible() && !std::mem::replace(&mut self.told_of_encoding, true) {
            let command = if self.is_playing() { "config encoding" } else { "encoding" };
            self.screen.say(&format!(
                "Your program sends letters that are not UTF-8. Type {command} latin1, or {command} cp1251 for Cyrillic, so \
                 that others can read them."
            ));
        }
        self.lines.push_back(line);
    }

    fn here(&mut self) {
        if self.here_at.is_none_or(|at| self.now >= at + HERE_AGAIN) {
            self.here_at = Some(self.now);
            self.screen.raw("\r\n[Yes, still here.]\r\n");
            self.screen.want_prompt();
        }
    }

    fn welcome(&mut self) {
        let tls_port = self.config.ports.tls.filter(|_| !self.connection.privacy.is_fit_for_secrets());
        self.stage = Stage::Login(Login::new(self.config.limits.login_tries, tls_port));
        if !self.config.welcome.is_empty() {
            self.screen.text(&self.config.welcome);
        }
        if let Some(port) = tls_port
            && self.screen.capabilities().can_encrypt()
        {
            self.screen
                .say(&format!("Your client can encrypt what you type: connect to port {port} by TLS."));
        }
        self.screen.say(login::settings::offer(self.screen.uses_screen_reader()));
        self.screen.want_prompt();
    }

    /// Takes as many lines as the rate limit and the dialog allow, and tells the game what has changed.
    fn go_on(&mut self, actions: &mut Vec<Action>) {
        self.compression.request(&self.stage, actions);
        login::gmcp::offer(self);
        while !(self.lines.is_empty() && self.expanded.is_empty())
            && self.is_ready()
            && self.allowance.take(self.now)
        {
            if let Some(command) = self.expanded.pop_front() {
                self.command(command, actions);
            } else if let Some(line) = self.lines.pop_front() {
                self.take(line, actions);
            }
        }
        self.report_subscriptions(actions);
        if self.is_playing() && !self.screen_reader_noted && self.screen.uses_screen_reader_unasked() {
            self.screen_reader_noted = true;
            actions.push(Action::Ask(Request::Game(Input::UsesScreenReader { session: self.id })));
        }
    }

    fn take(&mut self, line: Secret, actions: &mut Vec<Action>) {
        let Some(line) = self.page_line(line) else { return };
        let Some(line) = self.dialog_line(line, actions) else { return };
        if matches!(self.stage, Stage::Login(_)) {
            // The prompt that this line answers precedes the output of the line.
            self.prompt();
        }
        match &mut self.stage {
            Stage::Login(login) => match login.line(line, &mut self.screen) {
                Some(Action::Close(why)) => self.close(why, actions),
                request => actions.extend(request),
            },
            Stage::Playing(play) => match play.line(&line, &self.config.limits) {
                Meaning::Command(line) => self.typed(&line, actions),
                Meaning::Text(line) => {
                    play.wrote();
                    actions.push(Action::Ask(Request::Game(Input::Command { session: self.id, line })));
                }
                Meaning::Nothing => self.screen.want_prompt(),
                Meaning::NothingToRepeat => self.screen.say("There is no such line to repeat."),
            },
            Stage::Opening | Stage::Closed => {}
        }
    }

    /// Shows the prompt, if one is due and known.
    fn prompt(&mut self) {
        if !self.screen.wants_prompt() {
            return;
        }
        let prompt = match &mut self.stage {
            Stage::Login(login) => login.prompt().map(Cow::Owned),
            Stage::Playing(_) if self.screen.is_paging() => self.screen.page_prompt().map(Cow::Owned),
            Stage::Playing(play) => {
                let screen_reader = self.screen.uses_screen_reader();
                // With a screen reader, only the player's own input brings the prompt back; output caused by others
                // does not.
                if screen_reader && !self.screen.is_prompt_asked() {
                    return self.screen.drop_prompt();
                }
                Some(play.prompt(self.screen.settings(), screen_reader))
            }
            Stage::Opening | Stage::Closed => None,
        };
        if let Some(prompt) = prompt {
            self.screen.prompt(&prompt);
        }
    }

    fn close(&mut self, why: CloseReason, actions: &mut Vec<Action>) {
        self.stage = Stage::Closed;
        self.lines.clear();
        self.expanded.clear();
        self.screen.show_input();
        self.screen.fresh_line();
        self.screen.terminal().gmcp("Core.Goodbye", gmcp::goodbye(why));
        actions.push(Action::Close(why));
    }
}
