//! Seat tokens: a web client returns without a password. The client stores a token and the browser a cookie that
//! scripts cannot read; both are needed. The client generates the tokens itself and sends each only once, together with
//! the next. It therefore has a working token even if the connection is lost in between.
//!
//! ```text
//! server -> client   Deepwell.Seat.Offer                           the client may store a token
//! client -> server   Deepwell.Seat.Keep {"token"}                  token for the next login
//! server -> client   Deepwell.Seat.Kept                            the token is stored
//! client -> server   Deepwell.Seat.Take {"name","token","next"}    log in with a token
//! server -> client   Deepwell.Seat.Taken                           logged in; Kept follows once the next one is stored
//! server -> client   Deepwell.Seat.Refused {"message","forget"}    the password is needed; for good, or this time
//! ```

use serde::Deserialize;

use crate::session::login::SeatCredentials;
use crate::session::login::form::LoginMethod;
use crate::session::{Request, Secret, Session, SessionAction, SessionStage, Transport};

/// Length of a token in hexadecimal digits: 256 bits.
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

/// Tells a web client in the game that it may store a token, or that its token was accepted.
pub(in crate::session) fn offer(session: &mut Session) {
    match std::mem::take(&mut session.entry) {
        LoginMethod::Token => return session.screen.terminal().gmcp("Deepwell.Seat.Taken", "{}"),
        LoginMethod::Visit => session.tell_guest(true),
        LoginMethod::Form | LoginMethod::None => {}
    }
    let kept = session.config.limits.seat_tokens > 0 && session.connection.browser.is_some();
    if kept && session.connection.transport == Transport::Web {
        session.screen.terminal().gmcp("Deepwell.Seat.Offer", "{}");
    }
}

/// Stores the token of a web client in the game.
pub(in crate::session) fn keep(session: &mut Session, body: &str, actions: &mut Vec<SessionAction>) {
    let Ok(Keep { token }) = serde_json::from_str(body) else { return };
    let token = Secret(token);
    if let Some(browser) = session.connection.browser
        && session.is_playing()
        && is_token(&token)
        && session.requests.take(session.now)
    {
        actions.push(SessionAction::Ask(Request::KeepSeat { browser, token }));
    }
}

/// Tells the web client that its token is stored.
pub(in crate::session) fn tell_kept(session: &mut Session) {
    session.screen.terminal().gmcp("Deepwell.Seat.Kept", "{}");
}

/// Handles a login with a token.
pub(in crate::session) fn take(session: &mut Session, body: &str, actions: &mut Vec<SessionAction>) {
    let Ok(Take { name, token, next }) = serde_json::from_str(body) else { return };
    let shown = SeatCredentials { name, token: Secret(token), next: Secret(next) };
    let SessionStage::Login(login) = &mut session.stage else { return };
    if login.waits() {
        return;
    }
    session.entry = LoginMethod::Token;
    match session.connection.browser {
        // A token that is its own successor would be valid for ever.
        Some(browser) if is_token(&shown.token) && is_token(&shown.next) && shown.token != shown.next => {
            actions.push(SessionAction::Ask(login.take_seat(browser, shown, &mut session.screen)));
        }
        _ => {
            session.entry_refused(
                "This browser keeps nothing that lets you in, so you are to type your password.",
            );
            session.screen.want_prompt();
        }
    }
}

/// Returns `true` if the text has the form of a token. Refuses tokens that could be guessed because of a client error.
fn is_token(token: &Secret) -> bool {
    token.0.len() == TOKEN_CHARS && token.0.bytes().all(|byte| byte.is_ascii_hexdigit())
}
