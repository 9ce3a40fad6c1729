//! Behaviour `attack`: attacks players on sight, or after they have shared its room for some rounds.

use crate::attack;
use crate::character::stats;
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, Span};
use deepwell_core::catalog::Behaviour;
use deepwell_core::text::act::Template;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "attack",
    on_tick: |turn, creature, behaviour, _| {
        let prey = mind::prey_of(turn, creature);
        let chosen = turn.dice.roam.pick(&prey).copied();
        chosen.is_some_and(|player| attack_or_wait(turn, creature, behaviour, player))
    },
    on_meet: |turn, creature, behaviour, player| attack_or_wait(turn, creature, behaviour, player),
    ..PASSIVE
};

const COME_AT: Template = Template::new("{actor} {comes|come} at {target}.");

/// Attacks the player, or looks again next round if the player arrived less than `after` rounds ago.
fn attack_or_wait(
    turn: &mut Turn,
    creature: CharacterId,
    behaviour: &Behaviour,
    player: CharacterId,
) -> bool {
    let Behaviour::Attack { after } = *behaviour else { return false };
    if !stats::can_strike(turn, creature) {
        return false;
    }
    let patience = Span(turn.config.round.0.saturating_mul(i64::from(after)));
    if turn.now.since(turn.world.characters[player].arrived_at) < patience {
        mind::schedule_act(turn, creature);
        return false;
    }
    tell::act(turn, Class::Combat, &COME_AT, creature, Some(player), "");
    attack::engage(turn, creature, player);
    true
}
