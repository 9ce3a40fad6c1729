//! Login without a password: the web client keeps a token for the next login, and each token is valid once. Only hashes
//! are stored here. The server hashes the token and the browser to which it is bound.

use crate::access::sanctions;
use crate::account::login;
use crate::effect::{Effect, Local, Output};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, SessionId};
use deepwell_core::world::{SeatToken, Settings};

/// Text for a rejected token, for any reason.
pub const SEAT_REFUSED: &str = "This browser may not let you in by itself any more: type your password.";

/// Hashes of the token that a web client presents and of its successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tokens {
    /// Hash of the token presented now.
    pub(crate) shown: String,
    /// Hash of the token for the next login.
    pub(crate) next: String,
}

/// Stores the login token of the web client of a connected player.
pub(crate) fn store_token(turn: &mut Turn, session: SessionId, account: AccountId, token: String) {
    let most = turn.config.limits.seat_tokens as usize;
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    if seat.account != account || most == 0 || turn.read_only {
        return;
    }
    let before = seat.token.replace(token.clone());
    let Some(row) = turn.world.accounts.edit(account) else { return };
    row.seat_tokens.retain(|kept| turn.now < kept.until && Some(&kept.hash) != before.as_ref());
    row.seat_tokens.push(SeatToken { hash: token, until: turn.now + turn.config.limits.seat_token_life });
    let over = row.seat_tokens.len().saturating_sub(most);
    row.seat_tokens.drain(..over);
    confirm_token_stored(turn, session);
}

/// Logs in with a token and replaces it with the next one. While the world is read-only the token is not replaced.
pub(crate) fn log_in_with_token(
    turn: &mut Turn,
    session: SessionId,
    account: AccountId,
    name: &str,
    tokens: Tokens,
    pre_login: &Settings,
) {
    let row = turn.world.accounts.get(account);
    if !row.is_some_and(|row| row.is_seat_token(&tokens.shown, turn.now)) {
        return login::refuse_entry(turn, session, SEAT_REFUSED);
    }
    login::login(turn, session, account, name, pre_login, false);
    if let Some(seat) = turn.seats.get_mut(&session) {
        seat.token = Some(tokens.shown);
        if sanctions::is_guest(turn, account) {
            turn.outbox.push(Effect::Output { session, output: Output::Local(Local::CameBackAsGuest) });
        }
        store_token(turn, session, account, tokens.next);
    }
}

/// Revokes all login and web builder tokens of an account.
pub(crate) fn revoke_tokens(turn: &mut Turn, account: AccountId) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.seat_tokens.clear();
        row.desk_tokens.clear();
    }
}

fn confirm_token_stored(turn: &mut Turn, session: SessionId) {
    turn.outbox.push(Effect::Output { session, output: Output::Local(Local::SeatKept) });
}
