//! Companions: creatures that follow a player and fight for the player. They take no share of loot or experience, are
//! not scaled for a larger party, and leave when their master leaves the branch.

use crate::access::sanctions;
use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::party::members;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use crate::{attack, movement};
use deepwell_core::base::{CharacterId, RoomId, RuleLimit};
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Mood, Place, Posture};

const JOINS: Template = Template::new("{actor} {joins|join} {target}.");

const TURNS_BACK: Template = Template::new("{actor} {nods|nod} and {goes|go} {actor.their} own way.");

const HELPS: Template = Template::new("{actor} {steps|step} in against {target}.");

/// Makes a creature a player's companion. Returns `false` if the player already has the maximum number of companions.
pub(crate) fn join_companion(turn: &mut Turn, creature: CharacterId, master: CharacterId) -> bool {
    let has = companions(turn, master).len();
    if turn.is_at_limit(RuleLimit::Companions, has) {
        return false;
    }
    attack::stop_fights_of(turn, creature);
    let home = turn.world.characters[master].home;
    let prototype =
        turn.world.characters[creature].prototype.as_ref().and_then(|key| turn.catalog.creatures.get(key));
    let most = prototype.map(|prototype| prototypes::points(prototype.hp));
    if let Some(body) = turn.world.characters.edit(creature) {
        body.master = Some(master);
        // A companion guards no room any more and so blocks none.
        body.home = home;
        (body.mood, body.posture) = (Mood::Idle, Posture::Standing);
        body.max_hp = most.unwrap_or(body.max_hp);
        body.hp = body.hp.min(body.max_hp);
        let room = body.room;
        turn.world.touched.note(Place::Room(room));
    }
    tell::act(turn, Class::Notice, &JOINS, creature, Some(master), "");
    true
}

/// Returns the companions of a player in the player's branch or room.
fn companions(turn: &Turn, master: CharacterId) -> Vec<CharacterId> {
    let body = &turn.world.characters[master];
    let of_branch = body.branch.and_then(|branch| turn.world.branches.index_of(branch));
    let creatures = of_branch.into_iter().flat_map(|index| index.creatures.iter().copied());
    let here = turn.world.occupants(body.room).iter().copied();
    let mut found: Vec<CharacterId> =
        creatures.chain(here).filter(|id| turn.world.characters[*id].master == Some(master)).collect();
    found.sort();
    found.dedup();
    found
}

/// Returns `true` if a creature in the player's branch or room is a companion of the player.
pub(crate) fn has_companions(turn: &Turn, master: CharacterId) -> bool {
    !companions(turn, master).is_empty()
}

/// Returns `true` if a captive whom the player has freed is in the player's branch or room.
pub(crate) fn leads_captive(turn: &Turn, master: CharacterId) -> bool {
    companions(turn, master).iter().any(|one| turn.world.characters[*one].held_by.is_some())
}

/// Lists a player's companions with location and hit points, one line each.
pub(crate) fn companion_list(turn: &Turn, master: CharacterId) -> Markup {
    let mut list = Markup::new();
    for companion in companions(turn, master) {
        let body = &turn.world.characters[companion];
        let name = grammar::capitalise(&naming::creature_with_article(turn, companion)).into_owned();
        if list.is_empty() {
            list.push(Style::Creature, &name);
        } else {
            list.line(Style::Creature, &name);
        }
        let (hp, most) = (stats::hp(turn, companion), stats::max_hp_of(turn, companion));
        let place = match body.room == turn.world.characters[master].room {
            true if body.target.is_some() => "fights beside you".to_owned(),
            true => "follows you".to_owned(),
            false => format!("is left behind at {}", members::place_words(turn, companion)),
        };
        list.push(Style::Plain, &format!(" {place}: {hp} of {most} hit points."));
    }
    if list.is_empty() { Markup::plain("Nobody has joined you.") } else { list }
}

/// Dismisses the named companion, or the first one.
pub(crate) fn dismiss(turn: &mut Turn, master: CharacterId, name: &str) -> Result<(), Refusal> {
    let typed = name.to_lowercase();
    let meant = |id: &CharacterId| turn.world.characters[*id].name.to_lowercase().contains(&typed);
    let all = companions(turn, master);
    let none = if all.is_empty() {
        refuse!("Nobody has joined you.")
    } else {
        refuse!("None of your companions is called so.")
    };
    let one = all.into_iter().find(meant).ok_or(none)?;
    if turn.world.characters[one].target.is_some() {
        return Err(refuse!("{} is in a fight.", naming::name_of(turn, one).text()));
    }
    if turn.world.characters[one].room != turn.world.characters[master].room {
        let message = format!("You give {} up for lost.", naming::the(turn, one));
        tell::tell(turn, master, Class::Reply, message);
    }
    send_away(turn, one);
    Ok(())
}

/// Dismisses all companions of a player.
pub(crate) fn dismiss_all(turn: &mut Turn, master: CharacterId) {
    for companion in companions(turn, master) {
        send_away(turn, companion);
    }
}

/// Dismisses the companions of a kind that are in a player's room.
pub(crate) fn dismiss_kind(turn: &mut Turn, master: CharacterId, key: &str) {
    for companion in companions_here(turn, master, key) {
        send_away(turn, companion);
    }
}

/// Returns the companions of a kind that are in a player's room.
pub(crate) fn companions_here(turn: &Turn, master: CharacterId, key: &str) -> Vec<CharacterId> {
    let is_meant = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.master == Some(master) && body.prototype.as_deref() == Some(key)
    };
    turn.world.occupants(turn.world.characters[master].room).iter().copied().filter(is_meant).collect()
}

fn send_away(turn: &mut Turn, companion: CharacterId) {
    tell::act(turn, Class::Movement, &TURNS_BACK, companion, None, "");
    attack::stop_fights_of(turn, companion);
    turn.world.remove_character(companion);
}

/// Lets idle companions in the room join a new fight of their master, and members of the party who have set so.
pub(crate) fn join_companions(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    for (master, enemy) in [(who, target), (target, who)] {
        if !turn.world.characters[master].is_player() || turn.world.characters[enemy].is_player() {
            continue;
        }
        let room = turn.world.characters[master].room;
        let idle = |id: &CharacterId| {
            let body = &turn.world.characters[*id];
            let joins = body.master == Some(master) || assists(turn, *id, master);
            joins && body.target.is_none() && body.posture == Posture::Standing
        };
        let friends: Vec<CharacterId> = turn.world.occupants(room).iter().copied().filter(idle).collect();
        for friend in friends {
            tell::act(turn, Class::Combat, &HELPS, friend, Some(enemy), "");
            attack::engage(turn, friend, enemy);
        }
    }
}

/// Returns `true` for a connected member of a player's party who joins its fights, and is not frozen.
fn assists(turn: &Turn, who: CharacterId, fighter: CharacterId) -> bool {
    let party = turn.world.parties.of(who).filter(|party| turn.world.parties.of(fighter) == Some(*party));
    let is_set = turn.world.account_of(who).is_some_and(|account| {
        turn.world.accounts[account].settings.assists && !sanctions::is_frozen(turn, account)
    });
    is_set && party.is_some() && who != fighter && turn.seated.contains_key(&who)
}

/// Repeats [`GameEvent::Engaged`] for players who fight, before a round, so that idle companions join.
pub(crate) fn rally(turn: &mut Turn, room: RoomId) {
    let fights = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.target.filter(|_| body.is_player()).map(|target| (*id, target))
    };
    let fights: Vec<_> = turn.world.occupants(room).iter().filter_map(fights).collect();
    for (master, target) in fights {
        turn.emit_event(GameEvent::Engaged { who: master, target });
    }
}

/// Dismisses, at the end of a step, the companions from branches that their masters have left.
pub(crate) fn part_companions(turn: &mut Turn) {
    for (master, left) in turn.parting.take() {
        turn.emit_event(GameEvent::LeftBranch { who: master, branch: left });
        for companion in movement::companions_from(turn, master, left) {
            send_away(turn, companion);
        }
    }
}
