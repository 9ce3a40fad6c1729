//! Command for facts about accounts and characters, and for renaming them; the operator also deletes them.

use crate::account::deletion;
use crate::branch::asleep;
use crate::command::account::data;
use crate::command::parse::{Actor, Argument, Words, resolve};
use crate::command::spec::{CommandSpec, FromWeb, Needs, run};
use crate::command::staff::account_list::{AccountSearch, account_search};
use crate::refusal::{Refusal, refuse};
use crate::staff::moderation::Authority;
use crate::staff::people;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right};

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "account",
    right: Some(Right::Accounts),
    needs: Needs::Nothing,
    syntax: "account [show] NAME | list [new | staff | from ADDRESS] [since TIME] [PAGE] | rename NAME NEW | character NAME | character rename NAME NEW",
    summary: "Tells what is known of an account or of a character: rank, characters, sanctions, place and money. With list it tells which accounts there are: by the time they were last seen, the new ones, those of staff, or those connected from an address. With rename it gets another name; mails, notes, friends and reports follow.",
    example: "account rename bera gerda: the account is called Gerda, and its characters keep their names. account character rename bera gerda: the character is.",
    missing: "account and a name, account list and if you like new, staff, from and an address, or since and a time, or account rename, a name and the new name; account character does the same with a character",
    from_web: FromWeb::Staff,
    run: run!(|turn, actor, order: AccountOrder<'_>| order
        .carry_out(turn, &Authority::of_account(turn, actor.account, actor.session))),
    ..CommandSpec::PLAYER
}];

/// Account or character that an order is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccountOrCharacter {
    Account(AccountId),
    Character(CharacterId),
}

/// Order about an account or a character.
#[derive(Debug)]
pub(crate) enum AccountOrder<'a> {
    List(AccountSearch),
    Show(AccountOrCharacter),
    Rename(AccountOrCharacter, &'a str),
    /// For the operator only.
    Delete(AccountOrCharacter),
}

/// Finds the account or the character of a name.
type FindSubject = fn(&Turn, &str) -> Result<AccountOrCharacter, Refusal>;

/// Finds an account by its name or that of a character.
fn account(turn: &Turn, name: &str) -> Result<AccountOrCharacter, Refusal> {
    people::account_called(turn, name).map(AccountOrCharacter::Account)
}

/// Finds a character by its name.
fn character(turn: &Turn, name: &str) -> Result<AccountOrCharacter, Refusal> {
    resolve::player_named(turn, name).map(AccountOrCharacter::Character)
}

/// Parses an order: `[show] NAME`, `rename NAME NEW` or `delete NAME`.
fn order<'a>(turn: &Turn, words: Words<'a>, find: FindSubject) -> Result<AccountOrder<'a>, Refusal> {
    let (verb, rest) = words.keyword();
    let (name, new) = rest.first_word();
    Ok(match verb.as_str() {
        "show" if !name.is_empty() => AccountOrder::Show(find(turn, name.text())?),
        "rename" if !name.is_empty() => {
            let new = new.required()?.text();
            AccountOrder::Rename(find(turn, name.text())?, new)
        }
        "delete" if !name.is_empty() => AccountOrder::Delete(find(turn, name.text())?),
        _ => AccountOrder::Show(find(turn, words.required()?.text())?),
    })
}

/// Parses an order about an account, or behind `character` about a character.
pub(crate) fn account_order<'a>(turn: &Turn, words: Words<'a>) -> Result<AccountOrder<'a>, Refusal> {
    match words.keyword() {
        (word, rest) if word == "character" && !rest.is_empty() => character_order(turn, rest),
        (word, rest) if word == "list" => account_search(turn, rest).map(AccountOrder::List),
        _ => order(turn, words, account),
    }
}

/// Parses an order about a character.
pub(crate) fn character_order<'a>(turn: &Turn, words: Words<'a>) -> Result<AccountOrder<'a>, Refusal> {
    order(turn, words, character)
}

impl<'a> Argument<'a> for AccountOrder<'a> {
    fn read(turn: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        account_order(turn, words)
    }
}

impl AccountOrder<'_> {
    /// Carries the order out in the name of an authority. Only the operator deletes.
    pub(crate) fn carry_out(self, turn: &mut Turn, by: &Authority) -> Result<String, Refusal> {
        match self {
            Self::List(search) => Ok(search.found(turn, by)),
            Self::Show(AccountOrCharacter::Account(account)) => Ok(people::account_words(turn, account)),
            Self::Show(AccountOrCharacter::Character(who)) => Ok(people::character_words(turn, who)),
            Self::Rename(subject, name) => {
                turn.require_writable()?;
                match subject {
                    AccountOrCharacter::Account(account) => people::rename_account(turn, by, account, name),
                    AccountOrCharacter::Character(who) => people::rename_character(turn, by, who, name),
                }
            }
            Self::Delete(_) if by.rank.is_some() => {
                Err(refuse!("Only the operator of the server deletes accounts and characters of others."))
            }
            Self::Delete(subject) => {
                turn.require_writable()?;
                match subject {
                    AccountOrCharacter::Account(account) => delete_account(turn, account),
                    AccountOrCharacter::Character(who) => delete_character(turn, who),
                }
            }
        }
    }
}

/// Deletes an account in the name of the operator.
pub(crate) fn delete_account(turn: &mut Turn, account: AccountId) -> Result<String, Refusal> {
    asleep::require_awake_around(turn, account)?;
    deletion::require_another_owner(turn, account)?;
    let name = turn.world.accounts[account].name.clone();
    let message = "Staff have deleted your account with all that it had.";
    deletion::remove_account(turn, account, message, data::WHY);
    Ok(format!("{name} is deleted. The books say account {account}."))
}

fn delete_character(turn: &mut Turn, who: CharacterId) -> Result<String, Refusal> {
    let account = turn.world.account_of(who).ok_or(Refusal::NotAllowed)?;
    asleep::require_awake_around(turn, account)?;
    let name = turn.world.characters[who].name.clone();
    if turn.world.characters_of(account).count() == 1 {
        return Err(refuse!("{name} is the only character of the account."));
    }
    deletion::remove_character(turn, who, &format!("Staff have deleted your character {name}."), data::WHY);
    Ok(format!("The character {name} is deleted. Its account stays."))
}
