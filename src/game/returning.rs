//! Coming back without a password: the page of whoever plays keeps a token for the next time, and each is used once. Here
//! are hashes only; the token, and the browser that it is bound to, are the server's to hash.

use crate::base::{AccountId, SessionId};
use crate::game::effect::{Effect, Local, Output};
use crate::game::turn::Turn;
use crate::game::{login, restraint};
use crate::world::{SeatToken, Settings};

/// What is told of a token that does not let in, whyever.
pub const SEAT_REFUSED: &str = "This browser may not let you in by itself any more: type your password.";

/// Two hashes of tokens that a page shows at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tokens {
    /// Of what it comes back with.
    pub(crate) shown: String,
    /// Of what it will come back with the next time.
    pub(crate) next: String,
}

/// The page of somebody who plays will come back with a token.
pub(crate) fn keep_seat(turn: &mut Turn, session: SessionId, account: AccountId, token: String) {
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
    tell_kept(turn, session);
}

/// Somebody at the door shows a token: they enter, and the next takes its place. While nothing can be written it stays.
pub(crate) fn take_seat(
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
        if restraint::is_guest(turn, account) {
            turn.outbox.push(Effect::Output { session, output: Output::Local(Local::CameBackAsGuest) });
        }
        keep_seat(turn, session, account, tokens.next);
    }
}

/// No browser comes back to an account without a password, and none builds with it.
pub(crate) fn forget_seats(turn: &mut Turn, account: AccountId) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.seat_tokens.clear();
        row.desk_tokens.clear();
    }
}

fn tell_kept(turn: &mut Turn, session: SessionId) {
    turn.outbox.push(Effect::Output { session, output: Output::Local(Local::SeatKept) });
}
