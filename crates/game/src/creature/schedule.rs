//! Daily schedule of a creature: where it is from which hour on, and when it sleeps.

use crate::character::stats;
use crate::creature::route::{self, Progress};
use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Span};
use deepwell_core::catalog::creature::route::Errand;
use deepwell_core::text::act::Template;
use deepwell_core::world::Posture;

const SLEEP: Template = Template::new("{actor} {lies|lie} down and {falls|fall} asleep.");

/// Keeps an appointment: walks to its room, and sleeps there if it says so. Returns the time until the next step.
pub(super) fn keep(turn: &mut Turn, creature: CharacterId, errand: &Errand) -> Span {
    let sleeps = matches!(errand, Errand::Sleep(_));
    let goal = errand.room().map(|room| route::goal(turn, creature, room));
    let here = turn.world.characters[creature].room;
    let is_there = goal.is_none_or(|goal| goal == Some(here));
    if !sleeps || !is_there {
        stats::wake(turn, creature);
    }
    if let Some(Some(goal)) = goal
        && route::walk_to(turn, creature, goal) == Progress::Walked
    {
        return route::walk_span(turn);
    }
    if sleeps && is_there && turn.world.characters[creature].posture != Posture::Asleep {
        turn.world.characters.change(creature, |body| body.posture = Posture::Asleep);
        tell::act(turn, Class::Notice, &SLEEP, creature, None, "");
    }
    route::pause_span(turn)
}
