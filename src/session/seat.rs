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

/// Tells the page of who plays that it may keep a token, or that the one which it came with has let it in.
pub(super) fn offer(session: &mut Session) {
    match std::mem::take(&mut session.entry) {
        Entry::Token => return session.screen.terminal().gmcp("Deepwell.Seat.Taken", "{}"),
        Entry::Visit => session.tell_guest(true),
        Entry::Form | Entry::None => {}
    }
    let kept = session.config.limits.seat_tokens > 0 && session.link.browser.is_some();
    if kept && session.link.transport == Transport::Web {
        session.screen.terminal().gmcp("Deepwell.Seat.Offer", "{}");
    }
}

/// The page of who plays keeps a token.
pub(super) fn keep(session: &mut Session, body: &str, actions: &mut Vec<Action>) {
    let Ok(Keep { token }) = serde_json::from_str(body) else { return };
    let token = Secret(token);
    if let Some(browser) = session.link.browser
        && session.is_playing()
        && is_token(&token)
        && session.requests.take(session.now)
    {
        actions.push(Action::Ask(Request::KeepSeat { browser, token }));
    }
}

/// The token is stored.
pub(super) fn tell_kept(session: &mut Session) {
    session.screen.terminal().gmcp("Deepwell.Seat.Kept", "{}");
}

/// A page shows a token.
pub(super) fn take(session: &mut Session, body: &str, actions: &mut Vec<Action>) {
    let Ok(Take { name, token, next }) = serde_json::from_str(body) else { return };
    let shown = Shown { name, token: Secret(token), next: Secret(next) };
    let Stage::Login(login) = &mut session.stage else { return };
    if login.waits() {
        return;
    }
    session.entry = Entry::Token;
    match session.link.browser {
        // A token that were its own successor would let in for ever.
        Some(browser) if is_token(&shown.token) && is_token(&shown.next) && shown.token != shown.next => {
            login.take_seat(browser, shown, &mut session.screen, actions);
        }
        _ => {
            session.entry_refused(
                "This browser keeps nothing that lets you in, so you are to type your password.",
            );
            session.screen.want_prompt();
        }
    }
}

/// Whether a text can be a token, so that nobody keeps one that could be guessed by mistake.
fn is_token(token: &Secret) -> bool {
    token.0.len() == TOKEN_CHARS && token.0.bytes().all(|byte| byte.is_ascii_hexdigit())
}
