//! One client, without sockets: bytes, answers and time in, bytes and actions out.
//!
//! The protocol's endpoint turns bytes to lines; all lines wait in one queue until the client may go on (pacing, or an
//! answer that is awaited); then `login` or `play` takes them. Whatever is said goes through `render`, which knows
//! where the cursor stands; [`Session::flush`] ends a batch with the prompt, where one is due. Rooms and rules
//! never come in here, and no password goes on to the game.

mod secret;
mod request;
mod action;
mod compression;
mod deadlines;
mod char_login;
mod door;
mod seat;
mod link;
mod throttle;
mod client;
mod render;
mod protocol_detection;
mod alias;
mod history;
mod password;
mod pager;
mod pre_login;
mod login;
mod prompt;
mod play;
mod gmcp;
mod vitals_limit;
mod mudlet;
mod mssp;
mod report;
mod delivery;

#[cfg(test)]
mod harness;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::{GameTime, SessionId, Span};
use crate::game::{Closed, Input};
use crate::protocol::telnet::Event;

pub use action::{Action, SessionConfig};
use char_login::CharLogin;
use compression::Compression;
use door::Entry;
use gmcp::Subscriptions;
pub use link::{BrowserKey, Link, Privacy, Transport};
use login::Login;
pub use mssp::{Extra, Figures, Listing, Ports};
pub use mudlet::MudletPackage;
use play::{Meaning, Play};
use protocol_detection::ProtocolDetection;
use render::Screen;
pub use request::{Delivery, Request, Standing};
pub use secret::Secret;
use throttle::Allowance;
use vitals_limit::VitalsLimit;

/// Shortest time between two answers to "are you there?".
const HERE_AGAIN: Span = Span::secs(1);

/// How far a client has come.
enum Stage {
    /// The client tells what it can do.
    Opening,
    /// It says who it is.
    Login(Login),
    /// It plays.
    Playing(Play),
    /// It is let go.
    Closed,
}

/// One client.
pub struct Session {
    id: SessionId,
    config: Arc<SessionConfig>,
    link: Link,
    now: GameTime,
    opened_at: GameTime,
    /// When the client typed something last.
    input_at: GameTime,
    /// When something was sent last.
    output_at: GameTime,
    /// When "are you there?" was answered last.
    here_at: Option<GameTime>,
    stage: Stage,
    detection: ProtocolDetection,
    screen: Screen,
    compression: Compression,
    /// Lines that wait. Secrets, because any may be a password.
    lines: VecDeque<Secret>,
    /// Commands that a line was taken apart into and that wait; they come before the next line.
    expanded: VecDeque<String>,
    allowance: Allowance,
    /// For GMCP messages; those over it are not heard.
    messages: Allowance,
    /// For those that ask for data, which may be much.
    requests: Allowance,
    /// For subnegotiations of every option, likewise.
    payloads: Allowance,
    subscriptions: Subscriptions,
    vitals_limit: VitalsLimit,
    /// GMCP messages that meant nothing here.
    ignored: u32,
    /// Answers about the server that are awaited and were asked for by MSSP, not in words.
    asked_by_option: u32,
    /// Bytes from the client and, before compression, to it.
    bytes_in: u64,
    bytes_out: u64,
    char_login: CharLogin,
    /// How the page has tried to let its player in.
    entry: Entry,
    /// Whether the game knows that the client reads aloud what it gets.
    screen_reader_noted: bool,
    /// Set once the player has been told how to choose the letters of the client.
    told_of_encoding: bool,
    /// Whether a whole line or an answer of the protocol has come.
    heard: bool,
    /// Reused for every read.
    events: Vec<Event>,
}

impl Session {
    /// A fresh connection; the opening negotiation is queued.
    pub fn new(id: SessionId, config: Arc<SessionConfig>, link: Link, now: GameTime) -> Self {
        let mut session = Self {
            id,
            link,
            now,
            opened_at: now,
            input_at: now,
            output_at: now,
            here_at: None,
            stage: Stage::Opening,
            detection: ProtocolDetection::default(),
            screen: Screen::new(link, &config.limits),
            compression: Compression::default(),
            lines: VecDeque::new(),
            expanded: VecDeque::new(),
            allowance: Allowance::new(&config.limits, now),
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
        // There is nothing to find out about a web client.
        if link.transport == Transport::Web {
            session.welcome();
        }
        session
    }

    /// Bytes from the client. All lines in them are kept, whatever [`Session::wants_input`] says.
    pub fn receive(&mut self, bytes: &[u8], now: GameTime, actions: &mut Vec<Action>) {
        self.at(now);
        if self.is_closed() {
            return;
        }
        if self.link.transport == Transport::Telnet && self.detection.is_tls(bytes) {
            return self.close(Closed::LoginFailed, actions);
        }
        let mut events = std::mem::take(&mut self.events);
        self.bytes_in += bytes.len() as u64;
        self.screen.terminal().limit_payloads(self.payloads.available(self.now));
        self.screen.terminal().receive(bytes, &mut events);
        self.payloads.spend(self.screen.terminal().payloads_heard());
        // That a client seems to be another tells only that some byte has come.
        self.heard |= events.iter().any(|event| !matches!(event, Event::ClientChanged));
        for event in events.drain(..) {
            self.event(event, actions);
        }
        self.events = events;
        self.go_on(actions);
    }

    /// Ends a batch of output: adds the prompt where one is due, and moves all bytes to `out`.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        self.prompt();
        let before = out.len();
        if self.screen.send(out) {
            self.bytes_out += (out.len() - before) as u64;
            self.output_at = self.now;
        }
    }

    /// Whether it would read more now: false while its queue of lines is full, and once it is closed.
    pub fn wants_input(&self) -> bool {
        let queued = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        queued < self.config.limits.commands_queued && !self.is_closed()
    }

    /// Whether the client has said something since this was last asked: a whole line, or an answer of the protocol. Bytes
    /// that mean nothing yet are no word.
    pub const fn take_heard(&mut self) -> bool {
        std::mem::replace(&mut self.heard, false)
    }

    /// GMCP messages that were ignored, because nothing here answers to their package or they were malformed.
    pub const fn ignored_messages(&self) -> u32 {
        self.ignored
    }

    /// Whether it has entered the game and has not been closed.
    pub fn is_playing(&self) -> bool {
        matches!(self.stage, Stage::Playing(_))
    }

    fn is_closed(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    /// Whether the next line can be taken, if the pace allows it.
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
            Event::Abuse => self.close(Closed::Flood, actions),
            Event::Compression(wanted) => self.compression_wanted(wanted, actions),
        }
    }

    fn line(&mut self, line: Secret, actions: &mut Vec<Action>) {
        self.input_at = self.now;
        self.screen.line_came();
        if self.link.transport == Transport::Telnet
            && let Some(answer) = self.detection.http_answer(&line.0, self.config.ports.http)
        {
            self.screen.terminal().write(&answer);
            return self.close(Closed::LoginFailed, actions);
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
        let tls_port = self.config.ports.tls.filter(|_| !self.link.privacy.is_fit_for_secrets());
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
        self.screen.say(pre_login::offer(self.screen.uses_screen_reader()));
        self.screen.want_prompt();
    }

    /// Takes as many lines as the pace and the dialog allow, and tells the game what changed.
    fn go_on(&mut self, actions: &mut Vec<Action>) {
        self.ask_for_compression(actions);
        char_login::offer(self);
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
        self.tell_wants(actions);
        if self.is_playing() && !self.screen_reader_noted && self.screen.uses_screen_reader_unasked() {
            self.screen_reader_noted = true;
            actions.push(Action::Ask(Request::Game(Input::UsesScreenReader { session: self.id })));
        }
    }

    fn take(&mut self, line: Secret, actions: &mut Vec<Action>) {
        let Some(line) = self.page_line(line) else { return };
        let Some(line) = self.dialog_line(line, actions) else { return };
        if matches!(self.stage, Stage::Login(_)) {
            // The prompt that this line answers comes before what the line brings about.
            self.prompt();
        }
        match &mut self.stage {
            Stage::Login(login) => {
                if let Some(why) = login.line(line, &mut self.screen, actions) {
                    self.close(why, actions);
                }
            }
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
            Stage::Login(login) => login.prompt(),
            Stage::Playing(_) if self.screen.is_paging() => self.screen.page_prompt(),
            Stage::Playing(play) => {
                let screen_reader = self.screen.uses_screen_reader();
                // To a screen reader the prompt answers what was typed; what others do does not bring it back.
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

    fn close(&mut self, why: Closed, actions: &mut Vec<Action>) {
        self.stage = Stage::Closed;
        self.lines.clear();
        self.expanded.clear();
        self.screen.show_input();
        self.screen.fresh_line();
        self.screen.terminal().gmcp("Core.Goodbye", gmcp::goodbye(why));
        actions.push(Action::Close(why));
    }
}
