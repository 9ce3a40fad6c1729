//! Coming back to a seat without a password: the page keeps a token, the browser a cookie that no page reads, and only
//! both together let in. The page makes its tokens itself and shows each once, together with the next: so it has the next
//! one before anybody knows it, and a link that breaks in between leaves it with one that works.
//!
//! ```text
//! to the page     Deepwell.Seat.Offer                           it may keep one
//! from the page   Deepwell.Seat.Keep {"token"}                  it will come back with this one
//! to the page     Deepwell.Seat.Kept                            that is stored
//! from the page   Deepwell.Seat.Take {"name","token","next"}    it comes back
//! to the page     Deepwell.Seat.Taken                           it is in; Kept follows once the next one is stored
//! to the page     Deepwell.Seat.Refused {"message","forget"}    it has to ask for the password; for good, or this time
//! ```

use serde::Deserialize;

use super::door::Entry;
use super::login::Shown;
use super::{Action, Request, Secret, Session, Stage, Transport};

/// Letters of a token, all of them hexadecimal digits: 256 bits.
const TOKEN_CHARS: usize = 64;

#[derive(Deserialize)]
struct Keep {
    token: String,
}

#[derive(Deserialize)]
struct Take {
    name: String,
    token: String,
    next: String,
}

impl Session {
    /// Tells the page of who plays that it may keep a token, or that the one which it came with has let it in.
    pub(super) fn offer_seat(&mut self) {
        match std::mem::take(&mut self.entry) {
            Entry::Token => return self.screen.terminal().gmcp("Deepwell.Seat.Taken", "{}"),
            Entry::Visit => return self.tell_guest(true),
            Entry::Form | Entry::None => {}
        }
        let kept = self.config.limits.seat_tokens > 0 && self.link.browser.is_some();
        if kept && self.link.transport == Transport::Web {
            self.screen.terminal().gmcp("Deepwell.Seat.Offer", "{}");
        }
    }

    /// The page of who plays keeps a token.
    pub(super) fn keep_seat(&mut self, body: &str, actions: &mut Vec<Action>) {
        let Ok(Keep { token }) = serde_json::from_str(body) else { return };
        let token = Secret(token);
        if let Some(browser) = self.link.browser
            && self.is_playing()
            && is_token(&token)
            && self.requests.take(self.now)
        {
            actions.push(Action::Ask(Request::KeepSeat { browser, token }));
        }
    }

    /// The token is stored.
    pub(super) fn seat_kept(&mut self) {
        self.screen.terminal().gmcp("Deepwell.Seat.Kept", "{}");
    }

    /// A page shows a token.
    pub(super) fn take_seat(&mut self, body: &str, actions: &mut Vec<Action>) {
        let Ok(Take { name, token, next }) = serde_json::from_str(body) else { return };
        let shown = Shown { name, token: Secret(token), next: Secret(next) };
        let Stage::Login(login) = &mut self.stage else { return };
        if login.waits() {
            return;
        }
        self.entry = Entry::Token;
        match self.link.browser {
            Some(browser) if is_token(&shown.token) && is_token(&shown.next) => {
                login.take_seat(browser, shown, &mut self.screen, actions);
            }
            _ => {
                self.entry_refused("This browser keeps no cookies, so you are to type your password.");
                self.screen.want_prompt();
            }
        }
    }
}

/// Whether a text can be a token, so that nobody keeps one that could be guessed by mistake.
fn is_token(token: &Secret) -> bool {
    token.0.len() == TOKEN_CHARS && token.0.bytes().all(|byte| byte.is_ascii_hexdigit())
}
