//! Guests: players who look around the town before creating a character. A guest has an account without a password and
//! a character, and keeps both by joining. Only the guest's own connection can use the account, and both end together.
//! The commands open to guests are listed with the commands.

use super::{guide, login};
use crate::access::{login_policy, sanctions};
use crate::account::signup::Newcomer;
use crate::account::{deletion, signup};
use crate::effect::{Class, Effect, Local, Output};
use crate::gmcp;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::address::{self, IpAddr, IpNet};
use deepwell_core::base::{AccountId, CharacterId, RuleLimit, SessionId};
use deepwell_core::text::{Markup, Style, names};
use deepwell_core::world::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// Ledger reason for items removed with a guest.
pub(crate) const WHY: &str = "guest left";

/// Digits of a guest's number: letters that are easy to tell apart.
const LETTERS: [u8; 10] = *b"abefghkops";

/// Creates a guest and lets it enter the world.
pub(crate) fn visit(turn: &mut Turn, session: SessionId, pre_login: Box<Settings>) {
    if turn.seats.contains_key(&session) {
        return;
    }
    if let Err(refusal) = login_policy::require_may_create_account(turn) {
        return login::refuse_entry(turn, session, refusal.markup().text());
    }
    let guests = turn.world.accounts.iter().filter(|(_, row)| row.guest).count();
    if turn.is_at_limit(RuleLimit::Guests, guests) && !make_room(turn) {
        return login::refuse_entry(turn, session, FULL);
    }
    let Some(name) = guest_name(turn) else { return login::refuse_entry(turn, session, FULL) };
    let newcomer = Newcomer { name, credential: String::new(), pre_login, guest: true };
    let character = signup::settle(turn, session, newcomer);
    tell::tell(turn, character, Class::System, greeting());
    login::arrive_by_login(turn, character, " comes by to look around.");
}

/// Removes the guest who came first of the network with the most guests. Returns `false` if the newcomer's would then have
/// as many.
fn make_room(turn: &mut Turn) -> bool {
    let site = |address: Option<IpAddr>| address.map(address::site);
    let mut guests: BTreeMap<Option<IpNet>, BTreeSet<AccountId>> = BTreeMap::new();
    for seat in turn.seats.values().filter(|seat| sanctions::is_guest(turn, seat.account)) {
        guests.entry(site(seat.address)).or_default().insert(seat.account);
    }
    let own = guests.get(&site(turn.caller)).map_or(0, BTreeSet::len);
    let most = guests.into_values().max_by_key(BTreeSet::len).unwrap_or_default();
    let Some(first) = most.first().filter(|_| most.len() > own + 1) else { return false };
    deletion::remove_account(turn, *first, GIVES_WAY, WHY);
    true
}

const GIVES_WAY: &str = "Others want to look around, and there are many guests from your network. Come again, or make \
    a character.";

const FULL: &str = "There are as many guests as there may be. Make a character, or come again later.";

fn greeting() -> Markup {
    Markup::plain("You are here as a guest, in the town. Type ")
        .with(Style::Command, "look cobbles")
        .and(" to see something closely, ")
        .with(Style::Command, "north")
        .and(" to walk, ")
        .with(Style::Command, "talk")
        .and(" where somebody stands about. You may go down the well, into one branch of it. Type ")
        .with(Style::Command, "join")
        .and(" to have a character, with all that you carry by then.")
}

fn guest_name(turn: &Turn) -> Option<names::Name> {
    let count = turn.world.meta().next_account;
    (count..count + 100)
        .find_map(|number| signup::free_name(turn, &format!("Guest{}", number_in_letters(number))).ok())
}

/// Writes a number with [`LETTERS`] as digits.
fn number_in_letters(mut number: u32) -> String {
    let base = 10;
    let mut letters = String::new();
    loop {
        letters.insert(0, char::from(LETTERS[(number % base) as usize]));
        number /= base;
        if number == 0 {
            return letters;
        }
    }
}

/// Refuses an account that is not a guest's.
pub(crate) fn require_guest(turn: &Turn, account: AccountId) -> Result<(), Refusal> {
    if turn.world.accounts[account].guest {
        Ok(())
    } else {
        Err(refuse!("You are no guest: you have a character already."))
    }
}

/// Turns a guest into a character with the given name and password.
pub(crate) fn join(turn: &mut Turn, session: SessionId, name: &str, credential: String) {
    let Some((account, who)) = turn.seats.get(&session).map(|seat| (seat.account, seat.character)) else {
        return;
    };
    match may_join(turn, account, name) {
        Ok(name) => {
            let tell_room = name.shown.clone();
            tell::tell_others(
                turn,
                who,
                Class::Movement,
                &format!(" will stay, and is called {tell_room} from now on."),
            );
            turn.world.rename_account(account, &name);
            turn.world.rename_character(who, &name);
            if let Some(row) = turn.world.accounts.edit(account) {
                (row.credential, row.guest) = (credential, false);
            }
            login::tell_entered(turn, session);
            let wants = turn.seats[&session].wants.clone();
            gmcp::subscribe(turn, session, &wants);
            leave_to_session(turn, session, Local::Joined);
            signup::welcome(turn, who);
            guide::offer_guide(turn, who);
        }
        Err(refusal) => {
            tell::refuse(turn, who, &refusal);
            leave_to_session(turn, session, Local::NotJoined);
        }
    }
}

fn may_join(turn: &Turn, account: AccountId, name: &str) -> Result<names::Name, Refusal> {
    require_guest(turn, account)?;
    turn.require_writable()?;
    login_policy::require_may_create_account(turn)?;
    signup::free_name(turn, name)
}

fn leave_to_session(turn: &mut Turn, session: SessionId, what: Local) {
    turn.outbox.push(Effect::Output { session, output: Output::Local(what) });
    turn.outbox.prompt(session);
}

/// Handles a lost connection. A character becomes link-dead; a guest is removed unless its web client can resume.
pub(crate) fn lose_link(turn: &mut Turn, session: SessionId) {
    let account = turn.seats.get(&session).filter(|seat| seat.token.is_none()).map(|seat| seat.account);
    match account.filter(|account| sanctions::is_guest(turn, *account) && !turn.read_only) {
        Some(guest) => deletion::remove_account(turn, guest, "Farewell.", WHY),
        None => login::lose_link(turn, session),
    }
}

/// Ends link-death: the character goes to sleep, and a guest left over from a server stop is removed.
pub(crate) fn end_link_death(turn: &mut Turn, who: CharacterId) {
    login::end_link_death(turn, who);
    if let Some(account) = turn.world.characters.get(who).and_then(|body| body.account) {
        remove_absent_guest(turn, account, who);
    }
}

/// Removes a guest without a session. If nothing can be written, the removal waits until it can.
pub(crate) fn remove_absent_guest(turn: &mut Turn, account: AccountId, who: CharacterId) {
    if sanctions::is_guest(turn, account) && !turn.seated.contains_key(&who) && !turn.read_only {
        deletion::remove_account(turn, account, "Farewell.", WHY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guest_names_are_unique() {
        assert_eq!([0, 9, 10, 123].map(number_in_letters), ["a", "s", "ba", "bef"]);
    }
}
