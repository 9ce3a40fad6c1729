//! Using an ability. Its effects are named in its file: a blow, an affect, healing, drawing enemies, and reports about
//! nearby rooms.

use crate::attack;
use crate::attack::{duel, narrate};
use crate::character::{abilities, affects, stats};
use crate::combat::rounds::deeds;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::message::{naming, tell};
use crate::party::members;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use crate::turn::prototypes::points;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::Ability;
use deepwell_core::catalog::character::ability::{AbilitySense, Occasion, Reach};
use deepwell_core::text::{Markup, Style, grammar};

/// Uses an ability on the named target, or on its default target.
pub(crate) fn use_ability(
    turn: &mut Turn,
    who: CharacterId,
    key: &str,
    named: Option<CharacterId>,
) -> Result<(), Refusal> {
    let ability = abilities::known(turn, who, key)?.clone();
    let aims = require_use(turn, who, &ability, named)?;
    if let Some(left) = abilities::remaining_cooldown(turn, who, key) {
        return Err(refuse!("You cannot {key} again for {left}."));
    }
    if ability.spends_round {
        attack::require_round(turn, who)?;
    }
    abilities::start_cooldown(turn, who, &ability);
    if ability.reach == Reach::Opponent {
        deeds::begin(turn, who, aims[0]);
    }
    tell::act(turn, Class::Combat, &ability.told, who, aims.first().copied(), "");
    let room = turn.world.characters[who].room;
    for aim in aims {
        apply_to_target(turn, who, &ability, aim, room);
    }
    narrate::tell_tallies(turn);
    if let Some(affect) = &ability.own_affect {
        affects::apply_affect(turn, who, affect, None);
    }
    if let Some(sense) = ability.senses {
        let answer = match sense {
            AbilitySense::Rooms => rooms_around(turn, room, ability.steps),
            AbilitySense::Trail => trail(turn, who, ability.steps).into(),
        };
        tell::tell(turn, who, Class::Reply, answer);
    }
    if ability.spends_round {
        if turn.world.characters[who].target.is_some() {
            turn.awake.edit(who).stance.spent = true;
        }
        turn.emit_event(GameEvent::Acted { who });
    }
    Ok(())
}

/// Returns the targets of an ability, at least one, or a refusal where it cannot be used, whether or not it is ready.
pub(crate) fn require_use(
    turn: &Turn,
    who: CharacterId,
    ability: &Ability,
    named: Option<CharacterId>,
) -> Result<Vec<CharacterId>, Refusal> {
    let key = &ability.key;
    stats::may_act(turn, who)?;
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and cannot {key}."));
    }
    let fights = turn.world.characters[who].target.is_some();
    match ability.occasion {
        Occasion::Fight if !fights => Err(needs_fight(key)),
        Occasion::Peace if fights => Err(refuse!("You cannot {key} in the middle of a fight.")),
        _ => ability_targets(turn, who, ability, named),
    }
}

/// Returns the targets of an ability; never empty.
fn ability_targets(
    turn: &Turn,
    who: CharacterId,
    ability: &Ability,
    named: Option<CharacterId>,
) -> Result<Vec<CharacterId>, Refusal> {
    let room = turn.world.characters[who].room;
    match ability.reach {
        Reach::Own => Ok(vec![who]),
        Reach::Company => {
            let mut company = members::companions_of(turn, who, room);
            company.retain(|friend| *friend == who || duel::opponent(turn, *friend).is_none());
            Ok(company)
        }
        Reach::Opponent => {
            let target = named.or(turn.world.characters[who].target);
            let target = target.ok_or_else(|| needs_fight(&ability.key))?;
            deeds::may_strike(turn, who, target)?;
            Ok(vec![target])
        }
        Reach::Friend => {
            let friend = named.unwrap_or(who);
            let body = &turn.world.characters[friend];
            if friend != who && duel::opponent(turn, friend).is_some() {
                return Err(refuse!("{} is in a duel, and nobody helps there.", body.name));
            }
            if !body.is_player() && body.master.is_none() {
                return Err(refuse!(
                    "{} is not on your side.",
                    grammar::capitalise(&naming::the(turn, friend))
                ));
            }
            if stats::is_incapacitated(turn, friend) {
                return Err(refuse!(
                    "{} is down; rescue helps, and nothing else does.",
                    grammar::capitalise(&naming::the(turn, friend))
                ));
            }
            Ok(vec![friend])
        }
        Reach::Enemies => {
            let enemies = enemies_of(turn, who, room);
            if enemies.is_empty() {
                return Err(needs_fight(&ability.key));
            }
            Ok(enemies)
        }
    }
}

/// Returns the creatures in the room that fight the character or its party.
pub(crate) fn enemies_of(turn: &Turn, who: CharacterId, room: RoomId) -> Vec<CharacterId> {
    let ours = members::companions_of(turn, who, room);
    let fights_us = |other: &CharacterId| {
        let body = &turn.world.characters[*other];
        let on_ours = |target: CharacterId| {
            ours.contains(&target) || turn.world.characters[target].master.is_some_and(|m| ours.contains(&m))
        };
        !body.is_player() && body.master.is_none() && body.target.is_some_and(on_ours)
    };
    turn.world.occupants(room).iter().copied().filter(fights_us).collect()
}

/// Applies the effects of an ability to one target, which the blow may kill.
fn apply_to_target(turn: &mut Turn, who: CharacterId, ability: &Ability, aim: CharacterId, room: RoomId) {
    let is_here = |turn: &Turn| turn.world.characters.get(aim).is_some_and(|body| body.room == room);
    if ability.strike_percent > 0 && is_here(turn) {
        attack::strike(turn, who, aim, ability.strike_percent);
    }
    if !is_here(turn) {
        return;
    }
    if let Some(affect) = &ability.affect {
        affects::apply_affect(turn, aim, affect, ability.affect_rounds);
    }
    for affect in &ability.cures {
        affects::end_affect(turn, aim, affect);
    }
    if ability.heals > 0 {
        stats::heal(turn, aim, points(ability.heals));
    }
    if ability.draws {
        attack::aim(turn, aim, who);
    }
}

/// Lists the occupants of explored rooms nearby, one room a line.
fn rooms_around(turn: &Turn, room: RoomId, steps: u32) -> Markup {
    let mut message = Markup::new();
    for near in pathfinding::rooms_near(turn, room, steps) {
        let here = turn.world.occupants(near.room).iter();
        let names: Vec<String> = here
            .map(|who| format!("{}, {}", naming::shown_name(turn, *who), stats::condition_of(turn, *who)))
            .collect();
        if names.is_empty() {
            continue;
        }
        message.line(Style::Exit, &grammar::capitalise(near.away.name()));
        let steps = grammar::counted(near.steps, "room");
        message.push(Style::Plain, &format!(", {steps} away: {}.", names.join("; ")));
    }
    if message.is_empty() {
        message.push(Style::Plain, "Nobody moves in the rooms that you know around here.");
    }
    message
}

/// Describes the path to the nearest creature in explored rooms.
fn trail(turn: &Turn, who: CharacterId, steps: u32) -> String {
    let room = turn.world.characters[who].room;
    let wild = |other: &CharacterId| {
        let body = &turn.world.characters[*other];
        !body.is_player() && body.master.is_none()
    };
    let near = pathfinding::rooms_near(turn, room, steps);
    let found = near.iter().find_map(|near| {
        let creature = turn.world.occupants(near.room).iter().copied().find(wild)?;
        Some((near, naming::shown_name(turn, creature)))
    });
    match found {
        Some((near, creature)) => {
            let steps = grammar::counted(near.steps, "room");
            format!("The freshest marks are those of {creature}: {}, {steps} away.", near.away.name())
        }
        None => "All marks that you find here are old.".into(),
    }
}

/// Returns the refusal of an ability that needs an opponent.
fn needs_fight(key: &str) -> Refusal {
    refuse!("There is nobody here to {key} in a fight; nobody fights you.")
}
