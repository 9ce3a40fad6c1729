//! Login, takeover of a character, link-death and quitting.

use crate::access::{login_policy, sanctions};
use crate::account::{absent, friends, news, welcome_back};
use crate::attack::duel;
use crate::character::{abilities, stats};
use crate::combat::incapacitated;
use crate::effect::data::Packages;
use crate::effect::{Class, CloseReason, Effect, Output};
use crate::item::light;
use crate::message::{editor, public, tell};
use crate::post::mail;
use crate::room::explored;
use crate::state::event::GameEvent;
use crate::state::gmcp::GmcpState;
use crate::state::timers::Timer;
use crate::turn::{PlayerSession, Turn};
use crate::{attack, gmcp, party, quest};
use deepwell_core::base::{AccountId, CharacterId, RuleLimit, SessionId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Character, LockdownSwitch, Settings};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Logs an authenticated account in, with the named character or the one played last. A character that is in the world
/// is taken over immediately from any other session.
pub(crate) fn login(
    turn: &mut Turn,
    session: SessionId,
    account: AccountId,
    name: &str,
    pre_login: &Settings,
    goes_on: bool,
) {
    if turn.seats.contains_key(&session) {
        return;
    }
    let Some(owner) = turn.world.accounts.get(account) else {
        return refuse_entry(turn, session, "That account does not exist.");
    };
    let named = turn.world.character_by_name(name).filter(|id| is_of(turn, *id, account));
    let chosen = named
        .or(owner.last_character)
        .filter(|id| is_of(turn, *id, account))
        .or_else(|| turn.world.characters_of(account).next());
    let Some(character) = chosen else {
        return refuse_entry(turn, session, "That account has no character.");
    };
    if let Err(refusal) = login_policy::require_may_play(turn, account, character) {
        return refuse_entry(turn, session, refusal.markup().text());
    }
    if !goes_on && !turn.player_limits.charge_login(account, turn.now) {
        turn.outbox.count_limit(RuleLimit::LoginsPerMinute);
        let too_often =
            "You have come in so often within a minute that you have to wait a moment. Please try again.";
        return refuse_entry(turn, session, too_often);
    }
    apply_pre_login_settings(turn, account, pre_login);
    enter(turn, session, account, character, goes_on);
    if turn.read_only {
        tell::tell(turn, character, Class::System, tell::of_server(CANNOT_WRITE));
    }
}

/// Gives a session a character, waking it if it sleeps. With `goes_on` the takeover of the awake character is not
/// announced.
fn enter(turn: &mut Turn, session: SessionId, account: AccountId, character: CharacterId, goes_on: bool) {
    let body = &turn.world.characters[character];
    let (was_awake, seen_at) = (body.awake, body.seen_at);
    if let Some(old) = turn.seated.get(&character).copied() {
        turn.outbox.text(
            old,
            Class::System,
            &Markup::styled(
                Style::System,
                "You have connected from somewhere else, and this connection ends.",
            )
            .into(),
        );
        unseat(turn, old);
        tell::close(turn, old, CloseReason::TakenOver);
    }
    seat(turn, session, account, character);
    if was_awake {
        if !goes_on {
            tell::tell(turn, character, Class::Notice, "You take hold of your body again.");
            tell::tell_others(turn, character, Class::Movement, " blinks, awake again.");
        }
        turn.emit_event(GameEvent::SawRoom { who: character });
    } else {
        arrive_by_login(turn, character, " wakes and gets up.");
        friends::tell_friends(turn, character, " has come.");
        welcome_back::tell_summary(turn, character, seen_at);
    }
    incapacitated::remind(turn, character);
    editor::remind(turn, character);
    news::announce(turn, character, account);
    sanctions::send_notices(turn, account, character);
    quest::announce_changes(turn, character);
    mail::remind(turn, character);
}

fn is_of(turn: &Turn, character: CharacterId, account: AccountId) -> bool {
    turn.world.characters.get(character).is_some_and(|c| c.account == Some(account))
}

fn apply_pre_login_settings(turn: &mut Turn, account: AccountId, pre_login: &Settings) {
    let old = &turn.world.accounts[account].settings;
    let settings = Settings {
        colour: pre_login.colour.or(old.colour),
        screen_reader: pre_login.screen_reader.or(old.screen_reader),
        encoding: pre_login.encoding.or(old.encoding),
        ..old.clone()
    };
    if settings != *old && !turn.read_only {
        turn.world.accounts.change(account, |row| row.settings = settings);
    }
}

/// Switches the account to screen reader mode on the report of its client, unless that setting has a value already.
pub(crate) fn note_screen_reader(turn: &mut Turn, session: SessionId) {
    let Some(account) = turn.seats.get(&session).map(|seat| seat.account) else { return };
    if turn.read_only || turn.world.accounts[account].settings.screen_reader.is_some() {
        return;
    }
    if let Some(row) = turn.world.accounts.edit(account) {
        row.settings.screen_reader = Some(true);
        let settings = row.settings.clone();
        turn.outbox.push(Effect::Output { session, output: Output::Settings(Box::new(settings)) });
    }
}

pub(crate) fn seat(turn: &mut Turn, session: SessionId, account: AccountId, character: CharacterId) {
    let seat = PlayerSession {
        character,
        account,
        address: turn.caller,
        wants: Packages::new(),
        reply_to: None,
        shouted_at: None,
        since: turn.now,
        typed_at: turn.now,
        token: None,
        gmcp: GmcpState::default(),
        prompt: None,
        is_prompt_stale: false,
        rooms_shown: BTreeSet::new(),
    };
    turn.seats.insert(session, seat);
    turn.seated.insert(character, session);
    if !turn.read_only {
        end_waiting(turn, character);
    }
    if turn.world.accounts[account].last_character != Some(character) && !turn.read_only {
        turn.world.accounts.change(account, |owner| owner.last_character = Some(character));
    }
    note_address(turn, account);
    tell_entered(turn, session);
}

/// Records the address of a login, so that guesses from elsewhere do not lock the owner out.
pub(crate) fn note_address(turn: &mut Turn, account: AccountId) {
    let row = &turn.world.accounts[account];
    if let Some(address) = turn.caller
        && !turn.read_only
        && !row.guest
        && let Some(known) = row.known_addresses_after(address, turn.now)
    {
        turn.world.accounts.change(account, |owner| owner.known_addresses = known);
    }
}

/// Notifies a session of its account and character.
pub(crate) fn tell_entered(turn: &mut Turn, session: SessionId) {
    let Some(seat) = turn.seats.get(&session) else { return };
    let (account, character) = (seat.account, seat.character);
    turn.outbox.push(Effect::Entered {
        session,
        account,
        character,
        name: turn.world.characters[character].name.clone(),
        settings: Box::new(turn.world.accounts[account].settings.clone()),
    });
}

/// Ends the link-death of a character.
fn end_waiting(turn: &mut Turn, character: CharacterId) {
    turn.returning.remove(&character);
    if turn.world.characters[character].link_dead_until.is_some() {
        turn.world.characters.change(character, |body| body.link_dead_until = None);
    }
    turn.emit_event(GameEvent::MemberChanged { who: character });
}

pub(crate) fn arrive_by_login(turn: &mut Turn, character: CharacterId, how: &str) {
    turn.world.set_awake(character, true);
    public::show_login(turn, character);
    turn.emit_event(GameEvent::MemberChanged { who: character });
    let now = turn.now;
    turn.world.characters.change(character, |body| body.seen_at = now);
    let body = &turn.world.characters[character];
    let (room, branch) = (body.room, body.branch);
    tell::tell_others(turn, character, Class::Movement, how);
    if let Some(branch) = branch {
        turn.emit_event(GameEvent::Visited { branch });
    }
    turn.emit_event(GameEvent::Exposed { room });
    turn.emit_event(GameEvent::Stirred { room });
    turn.emit_event(GameEvent::SawRoom { who: character });
    turn.emit_event(GameEvent::Entered { who: character, from: room });
}

pub(crate) fn refuse_entry(turn: &mut Turn, session: SessionId, reason: &str) {
    turn.outbox.push(Effect::Refused { session, reason: reason.into() });
}

fn unseat(turn: &mut Turn, session: SessionId) -> Option<PlayerSession> {
    let seat = turn.seats.remove(&session)?;
    turn.seated.remove(&seat.character);
    if !seat.wants.is_empty() {
        gmcp::count_wants(turn);
    }
    Some(seat)
}

/// Handles a lost connection: the character stays in the world, can be attacked, and becomes link-dead with a deadline.
pub(crate) fn lose_link(turn: &mut Turn, session: SessionId) {
    let Some(seat) = unseat(turn, session) else { return };
    tell::tell_others(turn, seat.character, Class::Movement, " stares into the dark and does not move.");
    begin_link_death(turn, seat.character);
}

/// Closes the selected sessions with a message; their characters become link-dead. Returns the number of sessions.
pub(crate) fn close_sessions(
    turn: &mut Turn,
    why: CloseReason,
    message: &str,
    whom: impl Fn(SessionId, &PlayerSession) -> bool,
) -> usize {
    let seats = turn.seats.iter().filter(|(session, seat)| whom(**session, seat));
    let sessions: Vec<SessionId> = seats.map(|(session, _)| *session).collect();
    let message = Arc::new(Markup::styled(Style::System, message));
    for session in &sessions {
        turn.outbox.text(*session, Class::System, &message);
        lose_link(turn, *session);
        tell::close(turn, *session, why);
    }
    sessions.len()
}

/// Makes a character link-dead. An existing deadline is kept.
pub(crate) fn begin_link_death(turn: &mut Turn, character: CharacterId) {
    if duel::opponent(turn, character).is_some() {
        attack::stop_fights_of(turn, character);
    }
    let until = turn.world.characters[character].link_dead_until;
    let until = until.unwrap_or(turn.now + turn.config.limits.link_dead);
    if turn.world.characters[character].link_dead_until != Some(until) {
        turn.world.characters.change(character, |body| body.link_dead_until = Some(until));
    }
    turn.timers.schedule(until, Timer::LinkDead(character));
    turn.emit_event(GameEvent::MemberChanged { who: character });
}

/// Puts a character to sleep if its link-death has expired. The player's next login wakes it in the same place.
pub(crate) fn end_link_death(turn: &mut Turn, character: CharacterId) {
    let over = |until| until <= turn.now;
    let waits = |body: &Character| body.awake && body.link_dead_until.is_some_and(over);
    if !turn.seated.contains_key(&character) && turn.world.characters.get(character).is_some_and(waits) {
        fall_asleep(turn, character, " sinks down in a corner and falls asleep.");
    }
}

/// Handles the `quit` of a player.
pub(crate) fn quit(turn: &mut Turn, session: SessionId) {
    if let Some(seat) = unseat(turn, session) {
        fall_asleep(turn, seat.character, " finds a dry corner and falls asleep.");
        // After `quit` the browser, which others may use, must not resume the session.
        if let Some(token) = seat.token
            && let Some(row) = turn.world.accounts.edit(seat.account)
        {
            row.seat_tokens.retain(|kept| kept.hash != token);
        }
    }
    tell::close(turn, session, CloseReason::Quit);
}

/// Closes all sessions of some characters with a message, and puts the characters to sleep.
pub(crate) fn send_off(turn: &mut Turn, bodies: &[CharacterId], message: &str, how: &str) {
    let message = Arc::new(tell::of_server(message));
    let seats = turn.seats.iter().filter(|(_, seat)| bodies.contains(&seat.character));
    for session in seats.map(|(session, _)| *session).collect::<Vec<_>>() {
        turn.outbox.text(session, Class::System, &message);
        unseat(turn, session);
        tell::close(turn, session, CloseReason::Quit);
    }
    for who in bodies {
        if turn.world.characters.get(*who).is_some_and(|body| body.awake) {
            fall_asleep(turn, *who, how);
        }
    }
}

/// Takes a character out of the world and ends its fights.
fn fall_asleep(turn: &mut Turn, character: CharacterId, how: &str) {
    if stats::is_incapacitated(turn, character) {
        incapacitated::defeat(turn, character);
    }
    attack::stop_fights_of(turn, character);
    abilities::fold(turn, character);
    light::put_out_all(turn, character);
    turn.awake.forget(character);
    turn.seekers.remove(character);
    let room = turn.world.characters[character].room;
    tell::tell_others(turn, character, Class::Movement, how);
    friends::tell_friends(turn, character, " has left.");
    public::show_logout(turn, character);
    turn.world.set_awake(character, false);
    turn.emit_event(GameEvent::Relocated { who: character, from: room, to: None });
    explored::remember_room(turn, character, room);
    let now = turn.now;
    if let Some(body) = turn.world.characters.edit(character) {
        body.link_dead_until = None;
        body.seen_at = now;
    }
    party::note_logout(turn, character);
    if let Some(account) = turn.world.account_of(character) {
        absent::schedule_sleep(turn, account);
    }
}

/// Switches a session to another character of the same account.
pub(crate) fn switch_body(turn: &mut Turn, session: SessionId, to: CharacterId) {
    let Some(seat) = unseat(turn, session) else { return };
    fall_asleep(turn, seat.character, " finds a dry corner and falls asleep.");
    enter(turn, session, seat.account, to, false);
    if let Some(other) = turn.seats.get_mut(&session) {
        other.token = seat.token;
    }
    gmcp::subscribe(turn, session, &seat.wants);
}

/// Enters or leaves read-only mode, and notifies all players. The mode applies while storage cannot be written or staff
/// have locked the world. In it no timer fires and no row changes; lost connections wait.
pub(crate) fn update_read_only(turn: &mut Turn) {
    let locked = login_policy::is_locked(turn, LockdownSwitch::World);
    let read_only = turn.storage_fails || locked;
    let changed = read_only != std::mem::replace(&mut turn.read_only, read_only);
    turn.world.freeze(read_only);
    if !changed {
        return;
    }
    let seated: Vec<CharacterId> = turn.seated.keys().copied().collect();
    for character in seated.into_iter().filter(|_| !read_only) {
        end_waiting(turn, character);
    }
    tell::broadcast(
        turn,
        match (read_only, turn.storage_fails) {
            (true, true) => CANNOT_WRITE,
            (true, false) => LOCKED,
            (false, _) => CAN_WRITE,
        },
    );
}

const CANNOT_WRITE: &str = "The stone holds its breath: the server cannot write just now. You may look and talk; nothing else happens until it can.";
const LOCKED: &str = "Staff have locked the world for a while. You may look and talk; nothing else happens until they unlock it.";
const CAN_WRITE: &str = "The stone breathes again: the server can write, and everything goes on.";
