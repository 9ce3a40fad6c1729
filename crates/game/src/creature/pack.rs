//! Behaviour `pack`: creatures of the same kind in a room join each other's fights. Their bonus to damage is part of
//! the combat rules.

use crate::attack;
use crate::character::stats;
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::act::Template;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "pack",
    on_round: |turn, creature, _| rally_kin(turn, creature),
    on_hurt: |turn, creature, _| rally_kin(turn, creature),
    ..PASSIVE
};

const JOIN: Template = Template::new("{actor} {joins|join} the fight against {target}.");

/// Makes creatures of the same kind in the room join its fight. This does not take its turn.
fn rally_kin(turn: &mut Turn, creature: CharacterId) -> bool {
    let Some(foe) = turn.world.characters[creature].target else { return false };
    let room = turn.world.characters[creature].room;
    for kin in stats::kin_here(turn, creature) {
        let there = |who| turn.world.characters.get(who).is_some_and(|body| body.room == room);
        if mind::is_at_leisure(turn, kin) && !stats::is_stunned(turn, kin) && there(kin) && there(foe) {
            tell::act(turn, Class::Combat, &JOIN, kin, Some(foe), "");
            attack::engage(turn, kin, foe);
        }
    }
    false
}
