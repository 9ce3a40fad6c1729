//! Creation of accounts and characters, and the check of new names.

use crate::access::login_policy;
use crate::account::{guide, login, news, profile};
use crate::building::built_rooms;
use crate::effect::Class;
use crate::item::money;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use crate::turn::prototypes::points;
use deepwell_core::base::{AccountId, CharacterId, RuleLimit, SessionId};
use deepwell_core::text::{Markup, Style, grammar, names};
use deepwell_core::world::{Account, Character, Role, Settings};
use std::collections::{BTreeMap, BTreeSet};

/// Creates an account and its first character in one batch.
pub(crate) fn create(
    turn: &mut Turn,
    session: SessionId,
    name: &str,
    credential: String,
    pre_login: Box<Settings>,
) {
    if turn.seats.contains_key(&session) {
        return;
    }
    if let Err(refusal) = login_policy::require_may_create_account(turn) {
        return login::refuse_entry(turn, session, refusal.markup().text());
    }
    let name = match free_name(turn, name) {
        Ok(name) => name,
        Err(refusal) => return login::refuse_entry(turn, session, refusal.markup().text()),
    };
    let character = settle(turn, session, Newcomer { name, credential, pre_login, guest: false });
    welcome(turn, character);
    login::arrive_by_login(turn, character, " climbs out of a cart, new to this place.");
    guide::offer_guide(turn, character);
}

/// Data for a new account.
pub(crate) struct Newcomer {
    pub(crate) name: names::Name,
    pub(crate) credential: String,
    pub(crate) pre_login: Box<Settings>,
    pub(crate) guest: bool,
}

/// Creates the account and first character of a new player, and seats the session in it.
pub(crate) fn settle(turn: &mut Turn, session: SessionId, newcomer: Newcomer) -> CharacterId {
    let Newcomer { name, credential, pre_login, guest } = newcomer;
    let id = turn.world.new_account_id();
    turn.world.add_account(Account {
        id,
        name: name.shown.clone(),
        key: name.key.clone(),
        skeleton: name.skeleton.clone(),
        credential,
        recovery: None,
        recovery_until: None,
        seat_tokens: Vec::new(),
        desk_tokens: Vec::new(),
        known_addresses: Vec::new(),
        role: Role::Player,
        granted: BTreeSet::new(),
        withheld: BTreeSet::new(),
        settings: *pre_login,
        ignored: BTreeMap::new(),
        friends: BTreeMap::new(),
        sentences: BTreeMap::new(),
        notices: Vec::new(),
        news: news::edition(&turn.catalog),
        guest,
        last_character: None,
        created_at: turn.now,
    });
    let character = new_character(turn, id, name);
    login::seat(turn, session, id, character);
    character
}

/// Sends the welcome text to a new character.
pub(crate) fn welcome(turn: &mut Turn, character: CharacterId) {
    let message = Markup::plain("Welcome. Type ")
        .with(Style::Command, "help")
        .and(" if you are new; ")
        .with(Style::Command, "look")
        .and(" shows where you are.");
    tell::tell(turn, character, Class::System, message);
}

/// Checks that a name is valid, unused, and not confusable with a name in use.
pub(crate) fn free_name(turn: &Turn, name: &str) -> Result<names::Name, Refusal> {
    let name = fit_name(turn, name)?;
    let mut looks = names::look_alikes(&name.key);
    looks.insert(name.skeleton.clone());
    let is_taken = looks.iter().any(|skeleton| turn.world.is_skeleton_taken(skeleton));
    if is_taken { Err(name_taken()) } else { Ok(name) }
}

/// Checks a name as [`free_name`] does, for a player whose own names may be alike.
pub(crate) fn free_name_for(turn: &Turn, account: AccountId, name: &str) -> Result<names::Name, Refusal> {
    let name = fit_name(turn, name)?;
    let mut looks = names::look_alikes(&name.key);
    looks.insert(name.skeleton.clone());
    let is_taken = looks.iter().any(|skeleton| turn.world.is_skeleton_taken_by_others(skeleton, account));
    if is_taken { Err(name_taken()) } else { Ok(name) }
}

/// Checks that a name is valid.
fn fit_name(turn: &Turn, name: &str) -> Result<names::Name, Refusal> {
    let commands = turn.reserved.iter().copied().chain(turn.catalog.socials.words());
    names::check(name, commands, called(turn))
        .map_err(|error| refuse!("{}.", grammar::capitalise(&error.to_string())))
}

/// Returns the names reserved for creatures and items: names of creatures that are a single word, and the last word of
/// each item name (`lamp` for `clay lamp`). A word of a longer creature name, such as `mason` of `dead mason`, is
/// allowed.
fn called(turn: &Turn) -> impl Iterator<Item = &str> {
    let creatures = turn.catalog.creatures.values().map(|creature| creature.name.as_str());
    let things = turn.catalog.items.values().filter_map(|item| item.name.rsplit(' ').next());
    creatures.filter(|name| !name.contains(' ')).chain(things)
}

/// Creates a further character of an account, at the start place for new characters.
pub(crate) fn new_character(turn: &mut Turn, account: AccountId, name: names::Name) -> CharacterId {
    let id = turn.world.new_character_id();
    let home = built_rooms::town(turn);
    let beginner = turn.catalog.rules.beginner;
    turn.world.add_character(Character {
        account: Some(account),
        key: Some(name.key),
        skeleton: Some(name.skeleton),
        description: profile::USUAL_APPEARANCE.into(),
        hp: points(beginner.hp),
        max_hp: points(beginner.hp),
        attack: points(beginner.attack),
        defence: points(beginner.defence),
        guide: guide::guide_offer(turn),
        ..Character::new(id, name.shown, home, turn.now)
    });
    // Otherwise characters made to be thrown away would be a source of money.
    if turn.player_limits.charge_purse(account, turn.caller, turn.now) {
        money::mint(turn, id, i64::from(beginner.purse), "beginner");
    } else {
        turn.outbox.count_limit(RuleLimit::PursesPerDay);
    }
    id
}

/// Returns the refusal of a name that is in use or looks like one in use.
pub(crate) fn name_taken() -> Refusal {
    refuse!("That name is taken, or looks too much like one that is.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Table, seeded};
    use deepwell_core::text::names::NameError;

    /// T5: a command or the name of a creature is refused as a player name, each with its reason. A word of a longer
    /// creature name is allowed.
    #[test]
    fn t5_reserved_names_are_refused_with_reason() {
        let play = Table::new(seeded(1));
        let why = |name: &str| free_name(&play.game.turn, name).err();
        let refused = |error: NameError| Some(refuse!("{}.", grammar::capitalise(&error.to_string())));
        for name in ["Flee", "Inventory"] {
            assert_eq!(why(name), refused(NameError::Command), "{name}");
        }
        for name in ["Goblin", "Rat", "Lamp"] {
            assert_eq!(why(name), refused(NameError::Item), "{name}");
        }
        assert_eq!(["Mason", "Captain", "Walker", "Amber"].map(why), [const { None }; 4]);
    }
}
