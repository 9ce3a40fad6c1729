//! Behaviour `flee`: keeps away from players outside combat and leaves a fight when badly hurt. After fleeing, the
//! creature avoids players for some ticks.

use crate::character::{activity, stats};
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::exit::pathfinding::PlayerDistances;
use crate::exit::{clearing, pathfinding};
use crate::movement::flee;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, ExitId};
use deepwell_core::catalog::Behaviour;
use deepwell_core::world::Mood;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "flee",
    on_tick: |turn, creature, behaviour, scent| {
        let Behaviour::Flee { percent, .. } = *behaviour else { return false };
        activity::may_roam(turn, creature) && keep_away(turn, creature, percent, scent)
    },
    on_round: |turn, creature, behaviour| {
        let Behaviour::Flee { below, .. } = *behaviour else { return false };
        flee_if_badly_hurt(turn, creature, below)
    },
    ..PASSIVE
};

/// Takes one step away from the nearest player, or in a random direction. Does nothing if no player is near.
fn keep_away(turn: &mut Turn, creature: CharacterId, percent: u32, scent: &PlayerDistances) -> bool {
    if scent.steps(turn.world.characters[creature].room).is_none() {
        return false;
    }
    if !turn.dice.roam.percent(percent) {
        return mind::go_anywhere(turn, creature);
    }
    step_farther(turn, creature, scent).is_some_and(|exit| mind::go(turn, creature, exit))
}

/// Returns the exit that leads farthest from players, or `None` if no exit leads farther away.
fn step_farther(turn: &mut Turn, creature: CharacterId, scent: &PlayerDistances) -> Option<ExitId> {
    let room = turn.world.characters[creature].room;
    let here = scent.steps(room)?;
    let far = |to| scent.steps(to).unwrap_or(u32::MAX);
    let ways: Vec<_> = pathfinding::ways(turn, room).filter(|(_, to)| far(*to) > here).collect();
    let farthest = ways.iter().map(|(_, to)| far(*to)).max()?;
    let ways: Vec<ExitId> =
        ways.into_iter().filter(|(_, to)| far(*to) == farthest).map(|(exit, _)| exit).collect();
    turn.dice.roam.pick(&ways).copied()
}

/// Flees from a fight if hit points are below the given percentage.
fn flee_if_badly_hurt(turn: &mut Turn, creature: CharacterId, below: u32) -> bool {
    let (hp, most) = (i64::from(stats::hp(turn, creature)), i64::from(stats::max_hp_of(turn, creature)));
    if hp * 100 >= most * i64::from(below) || stats::is_held(turn, creature) {
        return false;
    }
    let from = turn.world.characters[creature].room;
    if flee::flee(turn, creature).is_err() {
        return false;
    }
    if turn.world.characters.get(creature).is_some_and(|body| body.room != from && body.target.is_none()) {
        activity::set_mood(turn, creature, Mood::Fleeing(turn.catalog.rules.roaming.flee_ticks));
        turn.emit_event(match turn.world.characters[creature].branch {
            Some(branch) => GameEvent::Visited { branch },
            None => GameEvent::Stirred { room: from },
        });
        // A guard that flees has left its post.
        if turn.world.rooms.get(from).is_some() {
            clearing::check_clear(turn, from);
        }
    }
    true
}

/// Handles a tick of a fleeing creature.
pub(crate) fn run_on(turn: &mut Turn, creature: CharacterId, left: u32, scent: &PlayerDistances) {
    match left.checked_sub(1) {
        Some(left) => activity::set_mood(turn, creature, Mood::Fleeing(left)),
        None => return activity::settle(turn, creature),
    }
    if let Some(exit) = step_farther(turn, creature, scent) {
        mind::go(turn, creature, exit);
    }
}
