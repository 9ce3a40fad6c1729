//! Commands that put creatures and items into hand-built rooms, once or with respawning.

use crate::access::draft_names;
use crate::building::zones::text;
use crate::command::build::room::exits::{building_site, hand_built};
use crate::command::parse::Actor;
use crate::command::parse::build_argument::EqualsSides;
use crate::command::spec::{CommandSpec, run};
use crate::creature::route;
use crate::refusal::{self, Refusal, refuse};
use crate::room::respawn;
use crate::turn::Turn;
use deepwell_core::base::{Right, RoomId, RuleLimit};
use deepwell_core::catalog::area::script::{RESPAWN_SECS, RESPAWN_USUAL_SECS};
use deepwell_core::catalog::area::spawn_bounds;
use deepwell_core::catalog::area::spawn_bounds::{CONDITIONS, InvalidSpawnCondition};
use deepwell_core::catalog::creature::route::{Appointment, PARTS_MAX};
use deepwell_core::catalog::{
    CatalogError, CreatureRoute, DefinitionKind, ItemClass, Position, SpawnBounds, SpawnCondition, draft_key,
};
use deepwell_core::data::Nearest;
use deepwell_core::text::grammar;
use deepwell_core::world::{SpawnRule, Spawned};

/// Command that spawns a creature or an item.
pub(crate) const SPAWN: &str = "spawn";

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: SPAWN,
    right: Some(Right::Creatures),
    syntax: "spawn CREATURE|ITEM [= NUMBER [every SECONDS] [zone MOST] [world MOST] [if [not] CONDITION] [patrol ROOM; ROOM] [schedule HOUR: DEED; HOUR: DEED]]",
    summary: "Puts a creature or an item of the content into this room. With a number so many of it are here from now on: what is missed comes again so many seconds later, 300 if none are given; 0 ends that. zone and world say how many of it there may be at most in the rooms of the zone, and in all rooms built by hand. It comes only if the condition holds: players are in the zone, it would be seen by one in the room, it is night in the town, or count WORD NUMBER, that the scripts of the room have counted so much. patrol names rooms that it walks to in turn; schedule says what it does from which hour of the town on: at ROOM, sleep, sleep at ROOM or patrol.",
    example: "spawn rat = 2 every 120: two rats, and whichever dies is followed by another.",
    missing: "spawn and the name or key of a creature or an item",
    run: run!(spawn),
    ..CommandSpec::BUILDER
}];

/// Resolves words to a creature, or else an item, by key or name.
fn meant(turn: &Turn, room: RoomId, name: &str) -> Result<Spawned, Refusal> {
    let typed = name.trim().trim_end_matches(" here").to_lowercase();
    let key = typed.replace(' ', "_");
    let (creatures, items) = (&turn.catalog.creatures, &turn.catalog.items);
    let creature = creatures.get_key_value(&key).or_else(|| {
        let mut shown = creatures.iter().filter(|(key, _)| draft_names::is_shown(turn, room, key));
        shown.find(|(_, creature)| creature.name.to_lowercase() == typed)
    });
    if let Some((key, _)) = creature {
        return Ok(Spawned::Creature(draft_names::key_at(turn, room, DefinitionKind::Creature, key)));
    }
    item(turn, room, name).map(Spawned::Item).map_err(|no| {
        if matches!(no, Refusal::CoinsAreMoney(_)) {
            return no;
        }
        let known = creatures.keys().chain(items.keys()).map(String::as_str);
        let nearest = CatalogError::unknown_name(&Position::default(), "prototype", &key, known).nearest;
        no_prototype(&typed, nearest)
    })
}

/// Resolves words to the key that an item has in a room. Coins and corpses are excluded.
pub(crate) fn item(turn: &Turn, room: RoomId, name: &str) -> Result<String, Refusal> {
    let typed = name.trim().trim_end_matches(" here").to_lowercase();
    let key = typed.replace(' ', "_");
    let items = &turn.catalog.items;
    let item = items.get_key_value(&key).or_else(|| {
        let mut shown = items.iter().filter(|(key, _)| draft_names::is_shown(turn, room, key));
        shown.find(|(_, item)| item.name.to_lowercase() == typed)
    });
    if let Some((key, kind)) = item
        && kind.class == ItemClass::Coin
    {
        return Err(Refusal::CoinsAreMoney(key.clone()));
    }
    let item = item.filter(|(_, item)| item.class.may_be_placed());
    let key_here = |(key, _): (&String, _)| draft_names::key_at(turn, room, DefinitionKind::Item, key);
    item.map(key_here).ok_or_else(|| {
        let known = items.keys().map(String::as_str);
        let nearest = CatalogError::unknown_name(&Position::default(), "item", &key, known).nearest;
        no_prototype(&typed, nearest)
    })
}

fn spawn(turn: &mut Turn, actor: Actor, EqualsSides { left, right }: EqualsSides<'_>) -> Result<(), Refusal> {
    if left.is_empty() {
        return Err(Refusal::Missing("spawn and the name or key of a creature or an item"));
    }
    let room = building_site(turn, actor.who)?;
    let what = meant(turn, room, left)?;
    let Some(wish) = right else {
        return if respawn::spawn_one(turn, room, &what) {
            Ok(())
        } else {
            let full = refuse!("There is no space here for one more.");
            Err(match what {
                Spawned::Item(_) => refusal::at_limit(RuleLimit::ItemsInRoom, full),
                Spawned::Creature(_) => full,
            })
        };
    };
    let rule = rule(turn, actor, what, wish)?;
    set_rule(turn, actor, room, &rule)
}

/// Performs the checks of [`spawn`] without spawning.
pub(crate) fn check_spawn(turn: &Turn, actor: Actor, typed: &str) -> Result<(), Refusal> {
    let room = building_site(turn, actor.who)?;
    let (left, right) = typed.split_once('=').map_or((typed, None), |(left, right)| (left, Some(right)));
    let what = meant(turn, room, left)?;
    right.map_or(Ok(()), |wish| rule(turn, actor, what, wish).map(drop))
}

/// Parses a spawn rule: "2", "2 every 120", or "2 every 120 zone 6 world 20 if not players patrol square; gate".
fn rule(turn: &Turn, actor: Actor, what: Spawned, wish: &str) -> Result<SpawnRule, Refusal> {
    let (wish, schedule) = split_part(wish, " schedule ");
    let (wish, patrol) = split_part(wish, " patrol ");
    let route = route(turn, actor, patrol, schedule)?;
    if !route.is_empty() && !matches!(what, Spawned::Creature(_)) {
        return Err(refuse!("Things do not walk: only a creature has a patrol or a schedule."));
    }
    let most = turn.catalog.rules.roaming.creatures_in_room;
    let (least_secs, most_secs) = RESPAWN_SECS.into_inner();
    let unclear = || {
        refuse!(
            "Say how many, at most {most}, and after how many seconds they come again, from {least_secs} to \
             {most_secs}: spawn rat = 2 every 120, or spawn rat = 2 every 120 zone 6 world 20 if night."
        )
    };
    let (numbers, condition) = match wish.split_once(" if ") {
        Some((numbers, condition)) => (numbers, Some(condition)),
        None => (wish, None),
    };
    let mut words = numbers.split_whitespace();
    let count = words.next().and_then(|count| count.parse().ok()).filter(|count| *count <= most);
    let mut rule = SpawnRule {
        what,
        count: count.ok_or_else(unclear)?,
        every_secs: RESPAWN_USUAL_SECS,
        bounds: SpawnBounds::default(),
        route,
    };
    while let Some(word) = words.next() {
        let number: u32 = words.next().and_then(|number| number.parse().ok()).ok_or_else(unclear)?;
        match word {
            "every" if RESPAWN_SECS.contains(&number) => rule.every_secs = number,
            "zone" if spawn_bounds::MOST.contains(&number) => rule.bounds.zone_most = Some(number),
            "world" if spawn_bounds::MOST.contains(&number) => rule.bounds.world_most = Some(number),
            _ => return Err(unclear()),
        }
    }
    if let Some(phrase) = condition {
        let condition = SpawnCondition::parse(phrase);
        rule.bounds.only_if = Some(condition.map_err(|InvalidSpawnCondition(phrase)| {
            refuse!("It cannot come if \"{phrase}\": there are {CONDITIONS}.")
        })?);
    }
    Ok(rule)
}

/// Splits a part of a route off a spawn rule. A variable of a condition may have the same name.
fn split_part<'w>(wish: &'w str, word: &str) -> (&'w str, &'w str) {
    let compares = |rest: &str| rest.starts_with(['=', '!', '<', '>']);
    match wish.rsplit_once(word).filter(|(_, rest)| !compares(rest)) {
        Some((before, part)) => (before, part),
        None => (wish, ""),
    }
}

/// Parses a patrol and a schedule, and names their rooms as files do.
fn route(turn: &Turn, actor: Actor, patrol: &str, schedule: &str) -> Result<CreatureRoute, Refusal> {
    let parts = |list: &'_ str| -> Vec<String> {
        list.split(';').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (patrol, schedule) = (parts(patrol), parts(schedule));
    if patrol.len().max(schedule.len()) > PARTS_MAX {
        return Err(refuse!("A patrol or a schedule has at most {PARTS_MAX} parts."));
    }
    let schedule = schedule.iter().map(|part| Appointment::parse(part));
    let schedule = schedule.collect::<Result<_, _>>().map_err(|reason| refuse!("{reason}."))?;
    let home = building_site(turn, actor.who)?;
    let zone = &turn.world.rooms[home].area;
    CreatureRoute { patrol, schedule }.with_rooms(|name| {
        let room = route::room_named(turn, home, name).or((name == "here").then_some(home));
        let room = room.map_or_else(|| hand_built(turn, actor.who, name), Ok)?;
        Ok(text::destination(zone, &turn.world.rooms[room]))
    })
}

fn set_rule(turn: &mut Turn, actor: Actor, room: RoomId, rule: &SpawnRule) -> Result<(), Refusal> {
    let (rules, limits) = (&turn.world.rooms[room].spawns, &turn.config.limits);
    let others: Vec<SpawnRule> = rules.iter().filter(|other| other.what != rule.what).cloned().collect();
    let kept = rule.count > 0;
    if kept {
        let too_many =
            |most| refuse!("At most {most} kinds of creatures and items come to one room by themselves.");
        refusal::require_below(limits, RuleLimit::SpawnsPerRoom, others.len(), too_many)?;
    }
    let message = if kept {
        let every = grammar::counted(rule.every_secs, "second");
        format!(
            "{}: {} here from now on; what is missed comes again after {every}.{}",
            draft_key::plain(rule.what.key()),
            rule.count,
            bounds_in_words(&rule.bounds) + &route_in_words(&rule.route)
        )
    } else {
        format!("{} comes here no more by itself.", draft_key::plain(rule.what.key()))
    };
    turn.world.rooms.change(room, |row| {
        row.spawns = others.into_iter().chain(kept.then(|| rule.clone())).collect();
    });
    actor.answer(turn, message)?;
    respawn::restock(turn, &[(room, rule.clone())]);
    Ok(())
}

/// Formats a route: " It walks to square and gate. 22: sleep."
fn route_in_words(route: &CreatureRoute) -> String {
    let walks = if route.patrol.is_empty() {
        String::new()
    } else {
        format!(" It walks to {}.", grammar::list(&route.patrol))
    };
    let parts = route.schedule.iter().map(|part| format!(" {part}."));
    parts.fold(walks, |sentence, part| sentence + &part)
}

/// Formats the limits of a spawn rule: " At most 6 in the zone; only if night."
fn bounds_in_words(bounds: &SpawnBounds) -> String {
    let zone = bounds.zone_most.map(|most| format!("at most {most} in the zone"));
    let world = bounds.world_most.map(|most| format!("at most {most} in the world"));
    let condition = bounds.only_if.as_ref().map(|condition| format!("only if {condition}"));
    let parts: Vec<String> = zone.into_iter().chain(world).chain(condition).collect();
    if parts.is_empty() { String::new() } else { format!(" {}.", grammar::capitalise(&parts.join("; "))) }
}

/// Returns the refusal of a word that names no creature and no item.
fn no_prototype(word: &str, Nearest(nearest): Nearest) -> Refusal {
    refuse!(
        "The content has no creature and no item \"{word}\"{}.",
        nearest.map_or_else(String::new, |near| format!("; the nearest is {near}"))
    )
}
