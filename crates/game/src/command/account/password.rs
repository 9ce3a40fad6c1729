//! Commands for passwords, recovery codes and logging out. Secrets never reach the game: the session asks for them and
//! the authenticator verifies them.

use crate::access::{audit_log, login_policy, permissions, sanctions};
use crate::account::{login, resume};
use crate::command::account::own;
use crate::command::parse::{Actor, Argument, PlayerArgument, Words, resolve};
use crate::command::spec::{CommandSpec, LineKind, Needs, WhenFrozen, run};
use crate::effect::{Class, CloseReason, Declined, Effect, Local, Output};
use crate::input::Input;
use crate::input::envelope::LoginProof;
use crate::message::tell;
use crate::refusal::Refusal;
use crate::staff::moderation::Authority;
use crate::turn::{PlayerSession, Turn};
use deepwell_core::base::{AccountId, Right, SessionId, Span};
use deepwell_core::world::Settings;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "password",
        summary: "Changes your password. You are asked for the one you have, and twice for another; nothing of it is shown.",
        example: "password: your password now:",
        takes_words: true,
        is_protected: true,
        before: LineKind::Password,
        run: run!(|turn, actor, ()| {
            asks_session(turn, actor, Local::ChangePassword);
            Ok(())
        }),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "recovery",
        summary: "Gives you a code that lets you in once if you forget your password. You are asked for your password first.",
        example: "recovery: your password now:",
        takes_words: true,
        is_protected: true,
        before: LineKind::Password,
        run: run!(|turn, actor, ()| {
            asks_session(turn, actor, Local::MakeRecovery);
            Ok(())
        }),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "logout",
        aliases: &["log"],
        syntax: "logout [everywhere]",
        summary: "Leaves the game, as quit does. logout everywhere ends all connections of your account, and every browser asks for your password again.",
        example: "log out everywhere: after you have played on somebody else's computer.",
        missing: "log out, or log out everywhere",
        is_protected: true,
        when_frozen: WhenFrozen::Done,
        run: run!(log_out),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "recover",
        right: Some(Right::Recover),
        needs: Needs::Storage,
        summary: "Gives you a code for somebody who lost their password: it lets them in once, within an hour, to choose another.",
        example: "recover bera: a code for Bera, who types recover bera when asked for a name.",
        missing: "recover and a name",
        run: run!(|turn, actor, PlayerArgument(who)| {
            let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
            recover(turn, actor, account)
        }),
        ..CommandSpec::PLAYER
    },
];

/// Argument of `logout`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Here,
    Everywhere,
}

impl Argument<'_> for From {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (word, rest) = words.keyword();
        let (word, rest) = if word == "out" { rest.keyword() } else { (word, rest) };
        match (word.as_str(), rest.is_empty()) {
            ("" | "here", true) => Ok(Self::Here),
            ("everywhere", true) => Ok(Self::Everywhere),
            _ => Err(words.missing()),
        }
    }
}

fn log_out(turn: &mut Turn, actor: Actor, from: From) -> Result<(), Refusal> {
    if from == From::Everywhere {
        turn.require_writable()?;
        resume::revoke_tokens(turn, actor.account);
        let message = "Your account is logged out everywhere, and this connection ends.";
        let Actor { account, session, .. } = actor;
        let others = |other, seat: &PlayerSession| seat.account == account && other != session;
        login::close_sessions(turn, CloseReason::LoggedOut, message, others);
        tell::tell(
            turn,
            actor.who,
            Class::System,
            "No other connection of your account is left, and no browser lets you in without your password.",
        );
    }
    own::quit(turn, actor, ())
}

pub(crate) fn asks_session(turn: &mut Turn, actor: Actor, what: Local) {
    turn.outbox.push(Effect::Output { session: actor.session, output: Output::Local(what) });
}

/// Stores a new password hash. Other connections of the account are closed.
pub(crate) fn new_password(turn: &mut Turn, session: SessionId, account: AccountId, credential: String) {
    if !may_store_secret(turn, session, account) {
        return;
    }
    keep_credential(turn, account, credential, Some(session));
    leave_to_session(turn, session, Local::PasswordChanged);
}

/// Stores the hash of a recovery code, replacing any earlier one.
pub(crate) fn new_recovery(turn: &mut Turn, session: SessionId, account: AccountId, credential: String) {
    if !may_store_secret(turn, session, account) {
        return;
    }
    turn.world.accounts.change(account, |row| {
        (row.recovery, row.recovery_until) = (Some(credential), None);
    });
    leave_to_session(turn, session, Local::RecoveryKept);
}

/// Validity of a one-time code issued by staff.
const CODE_TIME: Span = Span::mins(60);

/// Requests a one-time code for an account that ranks below the staff member.
fn recover(turn: &mut Turn, actor: Actor, account: AccountId) -> Result<(), Refusal> {
    require_recoverable(turn, &Authority::of(turn, actor.session), account)?;
    turn.outbox.push(Effect::MakeCode { session: actor.session, account });
    Ok(())
}

/// Refuses accounts that do not rank below the staff member, and guests.
fn require_recoverable(turn: &Turn, staff: &Authority, account: AccountId) -> Result<(), Refusal> {
    staff.require_above(turn, account)?;
    if sanctions::is_guest(turn, account) {
        return Err(permissions::guest_has_none("password"));
    }
    Ok(())
}

/// Stores the hash of a one-time code that a member of staff has requested on the staff page.
pub(crate) fn new_page_code(
    turn: &mut Turn,
    (asker, staff): (SessionId, AccountId),
    name: &str,
    credential: String,
) -> Result<(), Refusal> {
    turn.require_writable()?;
    let account = turn.world.character_by_name(name).and_then(|who| turn.world.account_of(who));
    let account = account.ok_or_else(|| resolve::no_such_player(name))?;
    require_recoverable(turn, &Authority::of_account(turn, staff, asker), account)?;
    let action = format!("recover {}", turn.world.accounts[account].name);
    audit_log::audit(turn, Some(staff), &action);
    keep_one_time_code(turn, account, credential);
    Ok(())
}

/// Stores the hash of a one-time code requested by staff, and reports whose account it opens. The code expires.
pub(crate) fn new_one_time_code(turn: &mut Turn, session: SessionId, account: AccountId, credential: String) {
    if !turn.seats.contains_key(&session) || turn.world.accounts.get(account).is_none() {
        return;
    }
    let is_above = Authority::of(turn, session).require_above(turn, account).is_ok();
    if turn.read_only || !is_above {
        return leave_to_session(turn, session, Local::PasswordNotKept);
    }
    keep_one_time_code(turn, account, credential);
    leave_to_session(turn, session, Local::OneTimeCodeKept);
}

/// Stores the hash of a one-time code requested by the operator, who may also request one for the owner.
/// `by` is the name of the operator.
pub(crate) fn new_operator_code(
    turn: &mut Turn,
    asker: SessionId,
    account: AccountId,
    (credential, by): (String, Option<&str>),
) {
    let answer = if let Err(refusal) = login_policy::require_writable(turn) {
        Err(refusal.into())
    } else if turn.world.accounts.get(account).is_none() || sanctions::is_guest(turn, account) {
        Err(Declined::NoAccount)
    } else {
        let action = format!("recover {}", turn.world.accounts[account].name);
        audit_log::audit_operator(turn, by, &action);
        keep_one_time_code(turn, account, credential);
        Ok(Vec::new())
    };
    turn.outbox.push(Effect::Answered { asker, answer });
}

fn keep_one_time_code(turn: &mut Turn, account: AccountId, credential: String) {
    let until = turn.now + CODE_TIME;
    if let Some(row) = turn.world.accounts.edit(account) {
        (row.recovery, row.recovery_until) = (Some(credential), Some(until));
    }
    sanctions::notify_account(
        turn,
        account,
        "Staff have made a code with which your password can be changed, once.",
    );
}

/// Completes a recovery at the login prompt: stores the new password, invalidates the code, and logs the session in.
pub(crate) fn recovered(
    turn: &mut Turn,
    session: SessionId,
    account: AccountId,
    name: &str,
    credential: String,
    pre_login: &Settings,
) {
    let welcome = login_policy::require_not_banned(turn, Some(account));
    if let Err(refusal) = welcome.and_then(|()| login_policy::require_writable(turn)) {
        return login::refuse_entry(turn, session, refusal.markup().text());
    }
    // If two sessions use the code concurrently, only the first succeeds.
    let row = turn.world.accounts.get(account);
    if row.and_then(|row| row.recovery_at(turn.now)).is_none() {
        return login::refuse_entry(turn, session, "That name and that code do not belong together.");
    }
    keep_credential(turn, account, credential, None);
    login::login(turn, session, account, name, pre_login, false);
}

/// Returns `true` if a hash is still the current one of the account's password or recovery code.
pub(crate) fn is_proof(turn: &Turn, proof: &LoginProof) -> bool {
    turn.world
        .accounts
        .get(proof.account)
        .is_some_and(|row| row.credential == proof.hash || row.recovery_at(turn.now) == Some(&proof.hash))
}

/// Rejects an input based on a secret that has been changed since it was verified.
pub(crate) fn refuse_proof(turn: &mut Turn, input: &Input) {
    if let Input::OpenWebBuilder { asker, .. } = input {
        let answer = Err(Declined::OutdatedPassword);
        return turn.outbox.push(Effect::Answered { asker: *asker, answer });
    }
    let Some(session) = input.session() else { return };
    if turn.seats.contains_key(&session) {
        leave_to_session(turn, session, Local::PasswordOutdated);
    } else {
        login::refuse_entry(turn, session, &Declined::OutdatedPassword.to_string());
    }
}

/// Returns `true` if the session still plays the account and its secrets can be stored. Notifies the session if the
/// server is read-only.
pub(crate) fn may_store_secret(turn: &mut Turn, session: SessionId, account: AccountId) -> bool {
    if turn.seats.get(&session).is_none_or(|seat| seat.account != account) {
        return false;
    }
    if turn.read_only {
        leave_to_session(turn, session, Local::PasswordNotKept);
    }
    !turn.read_only
}

/// Lets the session continue its dialogue.
pub(crate) fn leave_to_session(turn: &mut Turn, session: SessionId, what: Local) {
    turn.outbox.push(Effect::Output { session, output: Output::Local(what) });
    turn.outbox.prompt(session);
}

/// Stores a password's hash that was made again with the current cost.
pub(crate) fn store_rehashed(turn: &mut Turn, account: AccountId, credential: String) {
    turn.world.accounts.change(account, |row| row.credential = credential);
}

/// Stores a new credential and closes all other connections of the account.
fn keep_credential(turn: &mut Turn, account: AccountId, credential: String, but: Option<SessionId>) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.credential = credential;
        // A code issued for the old password would bypass the new one.
        (row.recovery, row.recovery_until) = (None, None);
        row.seat_tokens.clear();
        row.desk_tokens.clear();
    }
    let message = "The password of your account has been changed elsewhere, and this connection ends.";
    let others = |session, seat: &PlayerSession| seat.account == account && Some(session) != but;
    login::close_sessions(turn, CloseReason::NewPassword, message, others);
}
