//! Friends: players about whose logins and logouts another player is told. It is not mutual, and is stored with accounts.

use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, RuleLimit};
use deepwell_core::text::{Markup, Style};

/// Lists the friends of an account, each with the character that is played, or the time of the last visit. Players who do
/// not want to be seen are only named.
pub(crate) fn list(turn: &Turn, account: AccountId, viewer: CharacterId) -> Markup {
    let friends = &turn.world.accounts[account].friends;
    if friends.is_empty() {
        return Markup::plain("You have no friends on your list. Type ")
            .with(Style::Command, "friends add NAME")
            .and(" to be told when somebody comes and goes.");
    }
    let mut list = Markup::styled(Style::Heading, "Your friends");
    for (friend, name) in friends {
        list.line(Style::Player, name);
        let is_hidden = is_unseen(turn, *friend)
            || turn.world.characters_of(*friend).any(|who| turn.world.is_ignoring(who, viewer));
        if is_hidden {
            list.push(Style::Plain, ".");
            continue;
        }
        match turn.world.characters_of(*friend).find(|who| turn.seated.contains_key(who)) {
            Some(who) if turn.world.characters[who].name == *name => {
                list.push(Style::Plain, ": awake just now.");
            }
            Some(who) => {
                list.push(Style::Plain, ": awake just now, as ");
                list.push(Style::Player, &turn.world.characters[who].name);
                list.push(Style::Plain, ".");
            }
            None => {
                let seen = turn.world.characters_of(*friend).filter_map(|who| turn.world.seen_at(who)).max();
                let ago =
                    seen.map_or_else(String::new, |at| format!(": last seen {} ago", turn.now.since(at)));
                list.push(Style::Plain, &format!("{ago}."));
            }
        }
    }
    list
}

/// Adds the player of a character to the friends of an account.
pub(crate) fn add(turn: &mut Turn, account: AccountId, who: CharacterId) -> Result<String, Refusal> {
    let friend = turn.world.account_of(who).ok_or(Refusal::NotAllowed)?;
    let name = turn.world.name_of(who).unwrap_or_default().to_owned();
    let row = &turn.world.accounts[account];
    if friend == account {
        return Err(refuse!("You need no list for yourself."));
    }
    if row.friends.contains_key(&friend) {
        return Err(refuse!("{name} is on your list already."));
    }
    let too_many = |most| refuse!("Your list has room for {most} and no more.");
    refusal::require_below(&turn.config.limits, RuleLimit::Friends, row.friends.len(), too_many)?;
    turn.world.accounts.add_friend(account, friend, &name);
    Ok(format!("{name} is on your list: you are told when they come and go."))
}

/// Removes a friend by the name on the list.
pub(crate) fn remove(turn: &mut Turn, account: AccountId, name: &str) -> Result<String, Refusal> {
    let mut friends = turn.world.accounts[account].friends.iter();
    let found = friends.find(|(_, known)| known.to_lowercase() == name.to_lowercase());
    let found = found.map(|(friend, known)| (*friend, known.clone()));
    let (friend, known) = found.ok_or_else(|| refuse!("There is no \"{name}\" on your list."))?;
    turn.world.accounts.remove_friend(account, friend);
    Ok(format!("{known} is off your list."))
}

/// Returns `true` if the player does not want logins and logouts to be told to others.
fn is_unseen(turn: &Turn, account: AccountId) -> bool {
    turn.world.accounts.get(account).is_some_and(|row| row.settings.unseen)
}

/// Tells those who have a player as a friend, and are not in the same room, that the player has come or gone. Neither
/// side may ignore the other.
pub(crate) fn tell_friends(turn: &mut Turn, who: CharacterId, how: &str) {
    let Some(account) = turn.world.account_of(who).filter(|account| !is_unseen(turn, *account)) else {
        return;
    };
    let Some(watchers) = turn.world.accounts.friends_of(account) else { return };
    let here = turn.world.characters[who].room;
    let is_told = |other: &CharacterId| {
        turn.world.characters[*other].room != here
            && !turn.world.is_ignoring(who, *other)
            && !turn.world.is_ignoring(*other, who)
    };
    let bodies = watchers.iter().flat_map(|watcher| turn.world.characters_of(*watcher));
    let recipients: Vec<CharacterId> =
        bodies.filter(|who| turn.seated.contains_key(who)).filter(is_told).collect();
    let message = Markup::plain("Your friend ").with(Style::Player, &naming::shown_name(turn, who)).and(how);
    for other in recipients {
        tell::tell(turn, other, Class::Notice, message.clone());
    }
}
