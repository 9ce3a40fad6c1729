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

use crate::protocol::telnet::TelnetEvent;
use deepwell_core::base::{GameTime, SessionId, Span};
use deepwell_game::{CloseReason, Input};

use crate::session::login::form::LoginMethod;
pub use action::{SessionAction, SessionConfig};
pub use client::connection_info::{BrowserKey, ConnectionInfo, Privacy, Transport};
use client::protocol_detection::ProtocolDetection;
use client::render::Screen;
use compression::CompressionState;
use gmcp::Subscriptions;
use login::Login;
use login::gmcp::CharLogin;
pub use mssp::{ExtraVariables, MsspFigures, MsspListing, MsspVariables, Ports, variables as mssp_variables};
pub use mudlet::MudletPackage;
use play::{LineMeaning, PlayState};
pub use request::{Delivery, NameStatus, Request};
pub use secret::Secret;
pub(crate) use secret::on_link;
use throttle::TokenBucket;
use vitals_limit::VitalsLimit;

/// Shortest time between two answers to telnet ARE-YOU-THERE.
const HERE_AGAIN: Span = Span::secs(1);

/// Stage of a session.
enum SessionStage {
    /// Negotiating client capabilities.
    Opening,
    /// Logging in.
    Login(Login),
    /// In the game.
    Playing(PlayState),
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
    stage: SessionStage,
    detection: ProtocolDetection,
    screen: Screen,
    compression: CompressionState,
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
    entry: LoginMethod,
    /// Set once the game has been told that the client is a screen reader.
    screen_reader_noted: bool,
    /// Set once the player has been told how to choose the client's character set.
    told_of_encoding: bool,
    /// Set when a whole line or a protocol answer has arrived since the last check.
    heard: bool,
    /// Buffer reused for every read.
    events: Vec<TelnetEvent>,
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
            stage: SessionStage::Opening,
            detection: ProtocolDetection::default(),
            screen: Screen::new(connection, &config.limits),
            compression: CompressionState::default(),
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
            entry: LoginMethod::default(),
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
    pub fn receive(&mut self, bytes: &[u8], now: GameTime, actions: &mut Vec<SessionAction>) {
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
        self.heard |= events.iter().any(|event| !matches!(event, TelnetEvent::ClientChanged));
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
        matches!(self.stage, SessionStage::Playing(_))
    }

    fn is_closed(&self) -> bool {
        matches!(self.stage, SessionStage::Closed)
    }

    /// Returns `true` if the next line can be taken, apart from the rate limit.
    fn is_ready(&self) -> bool {
        match &self.stage {
            SessionStage::Login(login) => !login.waits(),
            SessionStage::Playing(play) => !play.waits(),
            SessionStage::Opening | SessionStage::Closed => false,
        }
    }

    fn at(&mut self, now: GameTime) {
        self.now = self.now.max(now);
    }

    fn event(&mut self, event: TelnetEvent, actions: &mut Vec<SessionAction>) {
        if self.is_closed() {
            return;
        }
        match event {
            TelnetEvent::Line(line) => self.line(Secret(line), actions),
            TelnetEvent::LineTooLong => {
                let most = self.config.limits.line_bytes;
                self.screen.say(&format!("That line is too long. Only its first {most} bytes count."));
            }
            TelnetEvent::Ready if matches!(self.stage, SessionStage::Opening) => self.welcome(),
            TelnetEvent::ClientChanged | TelnetEvent::Ready => {}
            TelnetEvent::Gmcp { package, body } => {
                self.message(&package.to_ascii_lowercase(), &body, actions);
            }
            TelnetEvent::Interrupt => self.screen.want_prompt(),
            TelnetEvent::AreYouThere => self.here(),
            TelnetEvent::StatusAsked => {
                self.asked_by_option += 1;
                actions.push(SessionAction::Ask(Request::Status));
            }
            TelnetEvent::Abuse => self.close(CloseReason::Flood, actions),
            TelnetEvent::Compression(wanted) => self.compression.want(wanted, actions),
        }
    }

    fn line(&mut self, line: Secret, actions: &mut Vec<SessionAction>) {
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
        self.stage = SessionStage::Login(Login::new(self.config.limits.login_tries, tls_port));
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
    fn go_on(&mut self, actions: &mut Vec<SessionAction>) {
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
            actions.push(SessionAction::Ask(Request::Game(Input::UsesScreenReader { session: self.id })));
        }
    }

    fn take(&mut self, line: Secret, actions: &mut Vec<SessionAction>) {
        let Some(line) = self.page_line(line) else { return };
        let Some(line) = self.dialog_line(line, actions) else { return };
        if matches!(self.stage, SessionStage::Login(_)) {
            // The prompt that this line answers precedes the output of the line.
            self.prompt();
        }
        match &mut self.stage {
            SessionStage::Login(login) => match login.line(line, &mut self.screen) {
                Some(SessionAction::Close(why)) => self.close(why, actions),
                request => actions.extend(request),
            },
            SessionStage::Playing(play) => match play.line(&line, &self.config.limits) {
                LineMeaning::Command(line) => self.typed(&line, actions),
                LineMeaning::Text(line) => {
                    play.wrote();
                    actions
                        .push(SessionAction::Ask(Request::Game(Input::Command { session: self.id, line })));
                }
                LineMeaning::Nothing => self.screen.want_prompt(),
                LineMeaning::NothingToRepeat => self.screen.say("There is no such line to repeat."),
            },
            SessionStage::Opening | SessionStage::Closed => {}
        }
    }

    /// Shows the prompt, if one is due and known.
    fn prompt(&mut self) {
        if !self.screen.wants_prompt() {
            return;
        }
        let prompt = match &mut self.stage {
            SessionStage::Login(login) => login.prompt().map(Cow::Owned),
            SessionStage::Playing(_) if self.screen.is_paging() => self.screen.page_prompt().map(Cow::Owned),
            SessionStage::Playing(play) => {
                let screen_reader = self.screen.uses_screen_reader();
                // With a screen reader, only the player's own input brings the prompt back; output caused by others
                // does not.
                if screen_reader && !self.screen.is_prompt_asked() {
                    return self.screen.drop_prompt();
                }
                Some(play.prompt(self.screen.settings(), screen_reader))
            }
            SessionStage::Opening | SessionStage::Closed => None,
        };
        if let Some(prompt) = prompt {
            self.screen.prompt(&prompt);
        }
    }

    fn close(&mut self, why: CloseReason, actions: &mut Vec<SessionAction>) {
        self.stage = SessionStage::Closed;
        self.lines.clear();
        self.expanded.clear();
        self.screen.show_input();
        self.screen.fresh_line();
        self.screen.terminal().gmcp("Core.Goodbye", gmcp::goodbye(why));
        actions.push(SessionAction::Close(why));
    }
}
