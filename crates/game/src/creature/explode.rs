//! Behaviour `explode`: stays in its room, warns once when a player is present, then explodes and damages every
//! occupant.

use crate::attack;
use crate::character::{activity, stats};
use crate::creature::behaviour_kind::BehaviourKind;
use crate::creature::mind;
use crate::effect::Class;
use crate::exit::clearing;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::Behaviour;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Mood;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "explode",
    on_tick: |turn, creature, behaviour, _| {
        !mind::prey_of(turn, creature).is_empty() && light_fuse(turn, creature, behaviour)
    },
    on_meet: |turn, creature, behaviour, _| light_fuse(turn, creature, behaviour),
    on_round: |turn, creature, behaviour| light_fuse(turn, creature, behaviour),
    on_hurt: |turn, creature, behaviour| light_fuse(turn, creature, behaviour),
};

/// Warns the room and starts the countdown, which only the creature's death can stop.
fn light_fuse(turn: &mut Turn, creature: CharacterId, behaviour: &Behaviour) -> bool {
    let Behaviour::Explode { rounds, warning, .. } = behaviour else { return false };
    let body = &turn.world.characters[creature];
    if matches!(body.mood, Mood::Fuse(_)) || !turn.world.rooms[body.room].is_deadly() {
        return false;
    }
    let room = body.room;
    activity::set_mood(turn, creature, Mood::Fuse(*rounds));
    tell::tell_room(turn, room, &[], Class::Combat, Markup::styled(Style::Harm, warning));
    mind::schedule_act(turn, creature);
    true
}

/// Counts down one round, on the creature's own timer.
pub(crate) fn burn_fuse_by_timer(turn: &mut Turn, creature: CharacterId, left: u32) {
    let room = turn.world.characters[creature].room;
    if attack::is_held_back(turn, room) {
        // Rounds in this room wait for the players' commands; `burn_fuse_in_round` counts down instead.
        return mind::schedule_act(turn, creature);
    }
    burn_a_round(turn, creature, left);
}

/// Counts down one round in a fight whose rounds wait for the players' commands.
pub(crate) fn burn_fuse_in_round(turn: &mut Turn, creature: CharacterId) {
    let body = &turn.world.characters[creature];
    if let Mood::Fuse(left) = body.mood
        && attack::waits_for_player(turn, body.room)
    {
        burn_a_round(turn, creature, left);
    }
}

fn burn_a_round(turn: &mut Turn, creature: CharacterId, left: u32) {
    if left > 1 {
        activity::set_mood(turn, creature, Mood::Fuse(left - 1));
        return mind::schedule_act(turn, creature);
    }
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let key = turn.world.characters[creature].prototype.as_ref();
    let parts = key.and_then(|key| catalog.creatures.get(key)).map(|prototype| &prototype.behaviours);
    for behaviour in parts.into_iter().flatten() {
        if let Behaviour::Explode { damage, blast, .. } = behaviour {
            return burst(turn, creature, *damage, blast);
        }
    }
    // A content reload has removed the behaviour since the countdown began.
    activity::settle(turn, creature);
}

/// Damages every occupant of the room and removes the creature without a corpse.
fn burst(turn: &mut Turn, creature: CharacterId, damage: u32, blast: &str) {
    let room = turn.world.characters[creature].room;
    tell::tell_room(turn, room, &[], Class::Combat, Markup::styled(Style::Harm, blast));
    attack::stop_fights_of(turn, creature);
    turn.world.remove_character(creature);
    attack::forget(turn, creature);
    let points = i32::try_from(damage).unwrap_or(i32::MAX);
    for victim in turn.world.occupants(room).to_vec() {
        let there = turn.world.characters.get(victim).is_some_and(|body| body.room == room);
        if !there || stats::is_incapacitated(turn, victim) {
            continue;
        }
        let message = format!("The blast hurts you for {}.", grammar::counted(damage, "point"));
        tell::tell(turn, victim, Class::Combat, Markup::styled(Style::Harm, &message));
        attack::harm(turn, victim, points, None);
    }
    // The blast may have removed the last guard of the room.
    if turn.world.rooms.get(room).is_some() {
        clearing::check_clear(turn, room);
    }
}
