//! Timers of a session: welcomes clients that do not negotiate, sends keep-alives, and closes idle sessions. The caller
//! passes the time; nothing here waits.

use deepwell_core::base::{GameTime, Span};
use deepwell_game::CloseReason;

use super::{Session, SessionAction, SessionStage};

/// Time that the welcome waits for the client's capabilities.
const HANDSHAKE: Span = Span::secs(1);

/// Time without output after which a telnet client is sent a keep-alive.
const KEEP_ALIVE: Span = Span::secs(60);

impl Session {
    /// Returns the latest time for the next [`Session::tick`]; `None` once the session is closed.
    pub fn next_deadline(&self) -> Option<GameTime> {
        let limits = &self.config.limits;
        let login = self.opened_at + limits.login_time;
        let stage = match self.stage {
            SessionStage::Opening => login.min(self.opened_at + HANDSHAKE),
            SessionStage::Login(_) => login,
            SessionStage::Playing(_) => self.input_at + limits.idle,
            SessionStage::Closed => return None,
        };
        let keep_alive = self.keeps_alive().then(|| self.output_at + KEEP_ALIVE);
        let waiting = !self.lines.is_empty() || !self.expanded.is_empty();
        let next_line = (waiting && self.is_ready()).then(|| self.allowance.next());
        let gauges = self.vitals_limit.next_deadline();
        [keep_alive, next_line, self.subscriptions.next_deadline(), gauges]
            .into_iter()
            .flatten()
            .chain([stage])
            .min()
    }

    /// Handles all timers that have expired.
    pub fn tick(&mut self, now: GameTime, actions: &mut Vec<SessionAction>) {
        self.at(now);
        let limits = &self.config.limits;
        let late = self.now >= self.opened_at + limits.login_time;
        match self.stage {
            SessionStage::Closed => return,
            SessionStage::Opening | SessionStage::Login(_) if late => {
                self.screen.show_input();
                self.screen.say("You have been at the door for too long. Come again.");
                return self.close(CloseReason::LoginFailed, actions);
            }
            SessionStage::Playing(_) if self.now >= self.input_at + limits.idle => {
                self.screen.say(&format!("Nothing was heard from you for {}. Goodbye.", limits.idle));
                return self.close(CloseReason::Idle, actions);
            }
            SessionStage::Opening if self.now >= self.opened_at + HANDSHAKE => self.welcome(),
            SessionStage::Opening | SessionStage::Login(_) | SessionStage::Playing(_) => {}
        }
        if self.keeps_alive() && self.now >= self.output_at + KEEP_ALIVE {
            self.output_at = self.now;
            self.screen.terminal().keep_alive();
        }
        for data in self.vitals_limit.due(self.now) {
            self.send_data(&data);
        }
        self.go_on(actions);
    }

    /// Returns `true` if keep-alives are sent: only telnet has a command for them, and the player can turn them off.
    fn keeps_alive(&self) -> bool {
        self.screen.capabilities().telnet && !self.screen.settings().no_keep_alive
    }
}
