//! Creature behaviour. A prototype combines small behaviours in data; each has its own file here and a row in the table
//! below. Creatures follow the same rules as players: they walk through exits, engage and flee.
//!
//! ```text
//!            a tick of the branch          a player is here           a round of its fight        it is hurt
//!  part  ->  on_tick                       on_meet                    on_round                    on_hurt
//! ```
//! For each event, the behaviours of a prototype are called in table order until one has acted. Ticks reach only
//! creatures near players, or near rooms that a player left recently. Their cost depends on the number of those rooms,
//! not on the size of the branch. A branch without recent players has no timer.

pub(crate) mod alarm;
pub(crate) mod attack;
pub(crate) mod behaviour_kind;
pub(crate) mod charge;
pub(crate) mod companion;
pub(crate) mod explode;
pub(crate) mod flee;
pub(crate) mod guard;
pub(crate) mod heard;
pub(crate) mod mind;
pub(crate) mod pack;
mod patrol;
pub(crate) mod route;
pub(crate) mod schedule;
pub(crate) mod script;
pub(crate) mod seek;
pub(crate) mod shoot;
pub(crate) mod sleep;
pub(crate) mod wander;
pub(crate) mod webs;

use crate::branch::asleep;
use crate::character::{activity, stats};
use crate::creature::behaviour_kind::BehaviourKind;
use crate::exit::pathfinding;
use crate::exit::pathfinding::PlayerDistances;
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes, time_of_day};
use deepwell_core::base::{BranchId, CharacterId, Dice, GameTime, RoomId};
use deepwell_core::catalog::creature::route::Errand;
use deepwell_core::catalog::{Behaviour, Rules};
use deepwell_core::world::{Character, Mood, Posture};
use std::collections::BTreeSet;
use std::sync::Arc;

/// All behaviours, by their name in content files, most urgent first.
const KINDS: &[BehaviourKind] = &[
    sleep::KIND,
    explode::KIND,
    pack::KIND,
    attack::KIND,
    charge::KIND,
    shoot::KIND,
    flee::KIND,
    alarm::KIND,
    guard::KIND,
    seek::KIND,
    wander::KIND,
    webs::KIND,
    heard::KIND,
];

/// Starts the tick timer of a branch that a player is in.
pub(crate) fn wake_branch(turn: &mut Turn, branch: BranchId) {
    if turn.minds.is_tick_pending(branch) {
        return;
    }
    turn.minds.note_branch_tick(branch);
    let tick = Rules::secs(turn.catalog.rules.roaming.tick_secs);
    turn.timers.schedule(turn.now + tick, Timer::TickBranch(branch));
}

/// Starts the tick timer of a hand-built room that a player is in, or has recently left: if there are fights, or a
/// creature there has a script for its ticks.
pub(crate) fn wake_room(turn: &mut Turn, room: RoomId) {
    let Some(row) = turn.world.rooms.get(room).filter(|row| row.branch.is_none()) else { return };
    let may_act = || row.is_deadly() || turn.world.occupants(room).iter().any(|who| mind::ticks(turn, *who));
    if is_lived_in(turn, room) && may_act() && turn.minds.note_room_tick(room) {
        let tick = Rules::secs(turn.catalog.rules.roaming.tick_secs);
        turn.timers.schedule(turn.now + tick, Timer::TickRoom(room));
    }
}

fn is_lived_in(turn: &Turn, room: RoomId) -> bool {
    let plays = |who: &CharacterId| {
        let body = &turn.world.characters[*who];
        body.is_player() && body.awake
    };
    turn.world.occupants(room).iter().any(plays) || turn.minds.is_lingering(room, turn.now)
}

/// Handles a tick of a hand-built room. Where there are fights, the creatures of the rooms around act as in a branch;
/// elsewhere, those in the room run their scripts.
pub(crate) fn tick_room(turn: &mut Turn, room: RoomId) {
    turn.minds.end_room_tick(room, turn.now);
    let Some(row) = turn.world.rooms.get(room).filter(|_| is_lived_in(turn, room)) else { return };
    if row.is_deadly() {
        let around = BTreeSet::from([room]);
        let near = pathfinding::surroundings(turn, around, turn.catalog.rules.roaming.near_rooms);
        let lively: Vec<CharacterId> =
            occupants_of(turn, &near).filter(|who| mind::is_lively(turn, *who)).collect();
        let roaming = &turn.catalog.rules.roaming;
        let (tick, most) = (Rules::secs(roaming.tick_secs), roaming.creatures_in_branch as usize);
        let is_first = |creature: &CharacterId| turn.minds.note_act(*creature, turn.now, tick);
        let acting: Vec<CharacterId> = lively.into_iter().filter(is_first).take(most).collect();
        if !acting.is_empty() {
            let scent = pathfinding::player_distances(turn, occupants_of(turn, &near));
            for creature in acting {
                think(turn, creature, &scent);
            }
        }
    } else {
        for creature in turn.world.occupants(room).to_vec() {
            if mind::is_at_leisure(turn, creature) {
                script::hooks::act_by_script(turn, creature);
            }
        }
    }
    wake_room(turn, room);
}

fn occupants_of(turn: &Turn, rooms: &BTreeSet<RoomId>) -> impl Iterator<Item = CharacterId> {
    rooms.iter().flat_map(|room| turn.world.occupants(*room)).copied()
}

/// Keeps the surroundings of a room that a player has left active for a while.
pub(crate) fn linger(turn: &mut Turn, room: RoomId) {
    let Some(row) = turn.world.rooms.get(room) else { return };
    let until = turn.now + Rules::secs(turn.catalog.rules.roaming.linger_secs);
    if let Some(branch) = row.branch {
        turn.minds.linger(branch, room, until);
        wake_branch(turn, branch);
    } else if row.is_deadly() {
        turn.minds.linger_in_room(room, until);
        wake_room(turn, room);
    }
}

/// Handles a tick of a branch: creatures near players, or near recently left rooms, act. Schedules the next tick while
/// such rooms exist.
pub(crate) fn tick_branch(turn: &mut Turn, branch: BranchId) {
    turn.minds.end_branch_tick(branch);
    let mut lived_in = turn.minds.lingering(branch, turn.now);
    let Some(index) = turn.world.branches.active(branch).and_then(|_| turn.world.branches.index_of(branch))
    else {
        return;
    };
    let awake = index.members.iter().map(|member| &turn.world.characters[*member]).filter(|body| body.awake);
    lived_in.extend(awake.map(|body| body.room));
    if lived_in.is_empty() {
        return asleep::schedule_sleep(turn, branch);
    }
    let near = pathfinding::surroundings(turn, lived_in, turn.catalog.rules.roaming.near_rooms);
    let beings: BTreeSet<CharacterId> = occupants_of(turn, &near).collect();
    let lively: Vec<CharacterId> = beings.into_iter().filter(|who| mind::is_lively(turn, *who)).collect();
    if !lively.is_empty() {
        let members = turn.world.branches.index_of(branch).map(|index| &index.members);
        let scent = pathfinding::player_distances(turn, members.into_iter().flatten().copied());
        for creature in lively {
            think(turn, creature, &scent);
        }
    }
    turn.emit_event(GameEvent::Visited { branch });
}

/// Handles a tick of one creature.
fn think(turn: &mut Turn, creature: CharacterId, scent: &PlayerDistances) {
    if !mind::is_at_leisure(turn, creature) {
        return;
    }
    script::hooks::act_by_script(turn, creature);
    if !mind::is_at_leisure(turn, creature)
        || stats::is_stunned(turn, creature)
        || stats::is_held(turn, creature)
    {
        return;
    }
    if let Mood::Fleeing(left) = turn.world.characters[creature].mood {
        flee::run_on(turn, creature, left, scent);
        return;
    }
    activity::settle(turn, creature);
    call_behaviours(turn, creature, |turn, part, behaviour| (part.on_tick)(turn, creature, behaviour, scent));
}

/// Calls a creature's behaviours in order until one has acted.
fn call_behaviours(
    turn: &mut Turn,
    creature: CharacterId,
    mut ask: impl FnMut(&mut Turn, &BehaviourKind, &Behaviour) -> bool,
) -> bool {
    let catalog = Arc::clone(&turn.catalog);
    let key = turn.world.characters.get(creature).and_then(|body| body.prototype.as_ref());
    let Some(prototype) = key.and_then(|key| catalog.creatures.get(key)) else { return false };
    for part in KINDS {
        let Some(behaviour) = prototype.behaviours.iter().find(|b| b.name() == part.name) else {
            continue;
        };
        if ask(turn, part, behaviour) || turn.world.characters.get(creature).is_none() {
            return true;
        }
    }
    false
}

/// Handles an arrival: creatures in the room notice a player, and an arriving creature notices players.
pub(crate) fn meet(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let Some(body) = turn.world.characters.get(who).filter(|body| body.awake && body.room == room) else {
        return;
    };
    let is_player = body.is_player();
    if !is_player {
        heard::send_walking_sound(turn, who);
    }
    if !turn.world.rooms[room].is_deadly() {
        return;
    }
    for other in turn.world.occupants(room).to_vec() {
        let other_plays = turn.world.characters.get(other).is_some_and(Character::is_player);
        match (is_player, other_plays) {
            (true, false) => drop(notice_player(turn, other, who)),
            (false, true) if notice_player(turn, who, other) => return,
            _ => {}
        }
    }
}

/// Lets a creature notice a player in its room. Returns `true` if it acted.
fn notice_player(turn: &mut Turn, creature: CharacterId, player: CharacterId) -> bool {
    let fleeing = |turn: &Turn| matches!(turn.world.characters[creature].mood, Mood::Fleeing(_));
    if !mind::is_at_leisure(turn, creature) || fleeing(turn) {
        return false;
    }
    if stats::is_stunned(turn, creature) || stats::is_safe(turn, player) {
        // Both states end soon; check again then.
        mind::look_again(turn, creature);
        return false;
    }
    if stats::is_hushed(turn, player) || !mind::is_prey(turn, creature, player) {
        return false;
    }
    call_behaviours(turn, creature, |turn, part, behaviour| (part.on_meet)(turn, creature, behaviour, player))
}

/// Makes creatures in a room look around next round, after a player there became a valid target without entering.
pub(crate) fn look_around_next_round(turn: &mut Turn, room: RoomId) {
    for creature in turn.world.occupants(room).to_vec() {
        if mind::is_at_leisure(turn, creature) {
            mind::look_again(turn, creature);
        }
    }
}

/// Takes a creature's turn in a round, before its attack. Returns `true` if it used the turn otherwise.
pub(crate) fn take_creature_turn(turn: &mut Turn, creature: CharacterId) -> bool {
    let Some(body) = turn.world.characters.get(creature).filter(|body| body.prototype.is_some()) else {
        return false;
    };
    if body.master.is_some() || body.posture == Posture::Asleep {
        return false;
    }
    if matches!(body.mood, Mood::Fuse(_)) {
        explode::burn_fuse_in_round(turn, creature);
        return true;
    }
    call_behaviours(turn, creature, |turn, part, behaviour| (part.on_round)(turn, creature, behaviour))
}

/// Lets a creature that survived damage react.
pub(crate) fn react_to_hurt(turn: &mut Turn, creature: CharacterId) {
    if prototypes::creature_prototype(turn, creature).is_none() {
        return;
    }
    stats::wake(turn, creature);
    if turn.world.characters[creature].master.is_some() {
        return;
    }
    call_behaviours(turn, creature, |turn, part, behaviour| (part.on_hurt)(turn, creature, behaviour));
}

/// Continues a countdown, a charge, or watching players, when the creature's timer fires.
pub(crate) fn act_alone(turn: &mut Turn, creature: CharacterId, due: GameTime) {
    if !turn.minds.take(creature, due) {
        return;
    }
    if turn.world.characters.get(creature).is_some_and(|body| turn.world.is_in_expired_branch(body.room)) {
        return;
    }
    match turn.world.characters.get(creature).map(|body| body.mood) {
        Some(Mood::Fuse(left)) => explode::burn_fuse_by_timer(turn, creature, left),
        Some(Mood::Charging(direction)) => charge::charge(turn, creature, direction),
        Some(_) => {
            for player in mind::prey_of_living(turn, creature) {
                if notice_player(turn, creature, player) {
                    return;
                }
            }
        }
        None => {}
    }
}

/// Continues the patrol or the schedule of a creature, when its timer fires.
pub(crate) fn follow_route(turn: &mut Turn, creature: CharacterId) {
    turn.routes.settle(creature);
    let Some(route) = route::route_of(turn, creature).cloned() else {
        turn.routes.forget(creature);
        return;
    };
    let span = match route.errand(time_of_day::hour(turn.now)) {
        _ if is_busy(turn, creature) => route::pause_span(turn),
        None => return,
        Some(Errand::Patrol) => patrol::walk(turn, creature, &route.patrol),
        Some(errand) => schedule::keep(turn, creature, errand),
    };
    route::schedule_next(turn, creature, span);
}

/// Returns `true` if a creature fights, follows a player, or talks with one.
fn is_busy(turn: &Turn, creature: CharacterId) -> bool {
    let body = &turn.world.characters[creature];
    body.target.is_some()
        || body.master.is_some()
        || turn.world.occupants(body.room).iter().any(|who| turn.talks.is_with(*who, creature))
}

/// Resumes unfinished creature actions after a restart.
pub(crate) fn resume_minds(turn: &mut Turn) {
    let creatures = turn.world.characters.iter().filter(|(_, body)| !body.is_player());
    let creatures: Vec<CharacterId> = creatures.map(|(id, _)| id).collect();
    for creature in creatures {
        resume_mind(turn, creature);
        if route::is_due_to_begin(turn, creature) {
            route::begin(turn, creature);
        }
    }
    let players: Vec<CharacterId> = turn.world.awake_players().collect();
    for player in players {
        let room = turn.world.characters[player].room;
        meet(turn, player, room);
        wake_room(turn, room);
    }
}

/// Schedules the action that a creature was about to do.
pub(crate) fn resume_mind(turn: &mut Turn, creature: CharacterId) {
    if matches!(turn.world.characters[creature].mood, Mood::Fuse(_) | Mood::Charging(_)) {
        mind::schedule_act(turn, creature);
    }
}

/// Handles the noise of a combat round: sleeping creatures may wake and then notice players.
pub(crate) fn make_noise(turn: &mut Turn, room: RoomId) {
    for creature in turn.world.occupants(room).to_vec() {
        let percent = prototypes::creature_prototype(turn, creature).and_then(|prototype| {
            prototype.behaviours.iter().find_map(|behaviour| match behaviour {
                Behaviour::Sleep { wakes_percent } => Some(*wakes_percent),
                _ => None,
            })
        });
        let asleep = turn.world.characters.get(creature).is_some_and(|body| body.posture == Posture::Asleep);
        if asleep && percent.is_some_and(|percent| turn.dice.roam.percent(percent)) {
            stats::wake(turn, creature);
            for player in mind::prey_of(turn, creature) {
                if notice_player(turn, creature, player) {
                    break;
                }
            }
        }
    }
}
