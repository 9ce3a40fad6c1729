//! Accounts and characters of players, for staff: facts about them, and renaming.

use crate::access::sanctions::{end_of, reason_of};
use crate::access::{permissions, sanctions};
use crate::account::{login, signup};
use crate::branch::asleep;
use crate::effect::Class;
use crate::gmcp;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::staff::moderation::Authority;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId};
use deepwell_core::text::{coins, grammar};
use deepwell_core::world::{Banned, SanctionSentence};

/// Finds an account by its name, or by the name of one of its characters.
pub(crate) fn account_called(turn: &Turn, name: &str) -> Result<AccountId, Refusal> {
    let by_character = || turn.world.account_of(turn.world.character_by_name(name)?);
    let account = turn.world.accounts.named(name).or_else(by_character);
    let account = account.ok_or_else(|| refuse!("There is no account called {name}."))?;
    asleep::require_awake(turn, account)?;
    Ok(account)
}

/// Describes an account, one fact per line.
pub(crate) fn account_words(turn: &Turn, account: AccountId) -> String {
    let row = &turn.world.accounts[account];
    let rank = if row.guest { "a guest".into() } else { grammar::with_article(row.role.name(), None) };
    let mut lines =
        vec![format!("Account {}, number {account}: {rank}, made {}.", row.name, row.created_at.utc())];
    for who in turn.world.characters_of(account) {
        let body = &turn.world.characters[who];
        let seen = seen_words(turn, who);
        lines.push(format!(
            "Character {}, level {}, {}: {seen}.",
            body.name,
            body.level,
            place_words(turn, who)
        ));
    }
    for (rights, heading) in [(&row.granted, "Rights of its own"), (&row.withheld, "Rights taken from it")] {
        if !rights.is_empty() {
            let names: Vec<&str> = rights.iter().map(|right| right.name()).collect();
            lines.push(format!("{heading}: {}.", names.join(", ")));
        }
    }
    let sentence_words = |what: &str, sentence: &SanctionSentence| {
        let (end, reason) = (end_of(sentence, turn.now), reason_of(sentence));
        format!("It is {what} {end}, by {}.{reason}", sentence.by)
    };
    let lasting = row.sentences.iter().filter(|(_, sentence)| !sentence.is_over(turn.now));
    lines.extend(lasting.map(|(sanction, sentence)| sentence_words(sanction.name(), sentence)));
    let bans = turn.world.bans.iter().filter(|(_, ban)| ban.banned == Banned::Account(account));
    lines.extend(bans.map(|(_, ban)| sentence_words("banned", &ban.sentence)));
    let about = |whom: &Option<(AccountId, String)>| whom.as_ref().is_some_and(|(whom, _)| *whom == account);
    let reports = turn.world.reports.iter().filter(|(_, report)| about(&report.about)).count();
    lines.push(format!("Open reports about it: {reports}."));
    lines.join("\n")
}

/// Describes a character, one fact per line.
pub(crate) fn character_words(turn: &Turn, who: CharacterId) -> String {
    let body = &turn.world.characters[who];
    let owner = body.account.and_then(|account| turn.world.accounts.get(account));
    let owner = owner.map_or_else(|| "nobody".to_owned(), |row| format!("account {}", row.name));
    let (items, (mails, unread)) = (turn.world.carried(who).len(), turn.world.mails.count(who));
    [
        format!("Character {}, number {who}, of {owner}: {}.", body.name, seen_words(turn, who)),
        format!("Level {}, {} experience, {} of {} hit points.", body.level, body.xp, body.hp, body.max_hp),
        format!("It is in {}.", place_words(turn, who)),
        format!(
            "It carries {items} things and {}, and has {} at the bank.",
            coins::money_words(body.money.purse),
            coins::money_words(body.money.bank)
        ),
        format!("Mail: {mails}, of which {unread} unread."),
    ]
    .join("\n")
}

fn place_words(turn: &Turn, who: CharacterId) -> String {
    let body = &turn.world.characters[who];
    let name =
        turn.world.rooms.get(body.room).map(|room| format!("{}, ", room.sheet.name)).unwrap_or_default();
    let branch = body.branch.map(|branch| format!(" of branch {branch}")).unwrap_or_default();
    format!("{name}room {}{branch}", body.room)
}

fn seen_words(turn: &Turn, who: CharacterId) -> String {
    let body = &turn.world.characters[who];
    if turn.seated.contains_key(&who) {
        "connected".into()
    } else if body.awake {
        "in the world without a connection".into()
    } else {
        format!("last seen {}", body.seen_at.utc())
    }
}

/// Renames an account; its characters keep their names.
pub(crate) fn rename_account(
    turn: &mut Turn,
    by: &Authority,
    account: AccountId,
    name: &str,
) -> Result<String, Refusal> {
    require_renamable(turn, by, account)?;
    let name = signup::free_name_for(turn, account, name)?;
    if turn.world.accounts.named(&name.key).is_some() {
        return Err(signup::name_taken());
    }
    let old = turn.world.accounts[account].name.clone();
    turn.world.rename_account(account, &name);
    let new = &name.shown;
    let message = format!("Staff have renamed your account: it is called {new} now. Log in with that name.");
    sanctions::notify_account(turn, account, &message);
    Ok(format!("The account {old} is called {new} now. Its characters keep their names."))
}

/// Renames a character; its account keeps its name.
pub(crate) fn rename_character(
    turn: &mut Turn,
    by: &Authority,
    who: CharacterId,
    name: &str,
) -> Result<String, Refusal> {
    let account = turn.world.account_of(who).ok_or(Refusal::NotAllowed)?;
    require_renamable(turn, by, account)?;
    let name = signup::free_name_for(turn, account, name)?;
    if turn.world.character_by_name(&name.key).is_some() {
        return Err(signup::name_taken());
    }
    let (old, new) = (turn.world.characters[who].name.clone(), name.shown.clone());
    if turn.world.characters[who].awake {
        tell::tell_others(turn, who, Class::Movement, &format!(" is called {new} from now on."));
    }
    turn.world.rename_character(who, &name);
    let message = format!("Staff have renamed your character {old}: it is called {new} now.");
    sanctions::notify_account(turn, account, &message);
    if let Some(session) = turn.seated.get(&who).copied() {
        login::tell_entered(turn, session);
        let wants = turn.seats[&session].wants.clone();
        gmcp::subscribe(turn, session, &wants);
    }
    turn.emit_event(GameEvent::MemberChanged { who });
    Ok(format!("The character {old} is called {new} now. Its account keeps its name."))
}

/// Refuses to rename guests, and players of the authority's rank or above.
fn require_renamable(turn: &Turn, by: &Authority, account: AccountId) -> Result<(), Refusal> {
    by.require_above(turn, account)?;
    if sanctions::is_guest(turn, account) {
        return Err(permissions::guest_has_none("name to change"));
    }
    Ok(())
}
