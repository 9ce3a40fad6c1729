//! Account deletion: all rows of the account are removed in one step, and so in one batch. The ledger keeps its entries
//! about money and items, and the audit log its entries that name the account by id. The caller checks authority and
//! confirmation.

use super::login;
use crate::branch::collapse;
use crate::creature::companion;
use crate::item::money;
use crate::message::notices;
use crate::post::mail;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use crate::{expedition, party};
use deepwell_core::base::{AccountId, CharacterId};
use deepwell_core::world::{AccountData, Banned, Role};

/// Refuses to delete the account of the last owner.
pub(crate) fn require_another_owner(turn: &Turn, account: AccountId) -> Result<(), Refusal> {
    let owns = |id: AccountId| turn.world.accounts[id].role == Role::Owner;
    let others = turn.world.accounts.iter().any(|(id, _)| id != account && owns(id));
    if owns(account) && !others {
        Err(refuse!("You are the last owner. Type promote, a name and owner first."))
    } else {
        Ok(())
    }
}

/// Refuses to let players delete their account while it is banned or sanctioned, or if it is the last owner's.
pub(crate) fn require_no_open_sanctions(turn: &Turn, account: AccountId) -> Result<(), Refusal> {
    let row = &turn.world.accounts[account];
    let is_banned = turn.world.bans.iter().any(|(_, ban)| ban.banned == Banned::Account(account));
    if is_banned || row.sentences.values().any(|sentence| !sentence.is_over(turn.now)) {
        return Err(refuse!(
            "Staff have laid something on your account, and it stays until that is over. Staff can delete \
             it."
        ));
    }
    require_another_owner(turn, account)
}

/// Deletes an account and everything it owns. Connected players of the account are sent `message`; `why` is
/// the reason in the ledger.
pub(crate) fn remove_account(turn: &mut Turn, account: AccountId, message: &str, why: &str) {
    let person = turn.world.person(account);
    take_leave(turn, &person, message, why);
    turn.world.forget_person(&person);
    for who in person.bodies {
        remove_body(turn, who, why);
    }
    turn.world.remove_account(account);
}

/// Deletes a character and everything it owns. The account must have another one.
pub(crate) fn remove_character(turn: &mut Turn, who: CharacterId, message: &str, why: &str) {
    let Some(account) = turn.world.account_of(who) else { return };
    let person = AccountData { account, bodies: vec![who] };
    if !turn.seats.values().any(|seat| seat.account == account) {
        notices::keep(turn, account, None, message);
    }
    take_leave(turn, &person, message, why);
    turn.world.forget_character(account, who);
    if turn.world.accounts[account].last_character == Some(who) {
        turn.world.accounts.change(account, |row| row.last_character = None);
    }
    remove_body(turn, who, why);
}

/// Ends the party memberships, sessions, companionships and mail of characters that are about to be deleted.
fn take_leave(turn: &mut Turn, person: &AccountData, message: &str, why: &str) {
    for who in &person.bodies {
        party::forget(turn, *who);
        expedition::members::forget(turn, *who);
    }
    login::send_off(turn, &person.bodies, message, " is gone for good.");
    // Sending off the characters has moved the incapacitated ones out of their branches.
    companion::part_companions(turn);
    mail::empty_mailboxes(turn, person, why);
}

fn remove_body(turn: &mut Turn, who: CharacterId, why: &str) {
    companion::dismiss_all(turn, who);
    for item in turn.world.carried(who).to_vec() {
        turn.world.remove_item(item, why);
    }
    if let Some(body) = turn.world.characters.edit(who) {
        body.money.purse += std::mem::take(&mut body.money.bank);
    }
    let purse = turn.world.characters[who].money.purse;
    let paid = money::sink(turn, who, purse, why);
    debug_assert!(paid.is_ok(), "a purse holds what it holds");
    let branch = turn.world.characters[who].branch;
    turn.scrollback.forget(who);
    turn.awake.forget(who);
    turn.seekers.remove(who);
    turn.world.remove_character(who);
    if let Some(branch) = branch {
        collapse::collapse_if_deserted(turn, branch);
    }
}
