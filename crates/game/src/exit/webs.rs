//! Webs: a spinner leaves a web in a room that it has left empty. A web hides the room and the rooms beyond. The first
//! character to enter tears it and may be stuck for some rounds.

use crate::character::affects;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::message::tell;
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::Behaviour;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::Exit;
use std::collections::{BTreeSet, VecDeque};

/// Description of a room with a web.
pub(crate) const WEB: &str = "A silver web fills the room.";

const TEAR: Template = Template::new("{actor} {tears|tear} through a silver web, and it falls to shreds.");

const STICK: Template = Template::new(
    "{actor} {tears|tear} into a silver web. It falls to shreds, but {actor.they} {is|are} stuck in them.",
);

/// Affect that holds a character who has torn a web.
const WEBBED: &str = "webbed";

fn is_spinner(turn: &Turn, who: CharacterId) -> bool {
    prototypes::creature_prototype(turn, who)
        .is_some_and(|creature| creature.behaviours.contains(&Behaviour::Webs))
}

/// Returns `true` if a web hides the room behind an exit.
pub(crate) fn is_webbed(turn: &Turn, exit: &Exit) -> bool {
    exit.to.is_some_and(|to| turn.world.rooms[to].web)
}

/// Spins a web in a room that a spinner has just left, if no occupants remain.
pub(crate) fn spin_web(turn: &mut Turn, who: CharacterId, from: RoomId) {
    let Some(room) = turn.world.rooms.get(from) else { return };
    let fit = room.is_deadly() && !room.sheet.kind.spec().peaceful && !room.web;
    let moved = turn.world.characters.get(who).is_some_and(|body| body.room != from);
    if !fit || !moved || !turn.world.occupants(from).is_empty() || !is_spinner(turn, who) {
        return;
    }
    turn.world.rooms.change(from, |room| room.web = true);
}

/// Tears the web of a room that a character has entered. The character is stuck for some rounds, unless it is a
/// spinner.
pub(crate) fn tear_web(turn: &mut Turn, who: CharacterId, room: RoomId) {
    if !turn.world.rooms.get(room).is_some_and(|room| room.web) {
        return;
    }
    turn.world.rooms.change(room, |room| room.web = false);
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::SawWeb });
    let rounds = if is_spinner(turn, who) { 0 } else { turn.catalog.rules.roaming.web_sticks };
    if rounds == 0 {
        return tell::act(turn, Class::Notice, &TEAR, who, None, "");
    }
    tell::act(turn, Class::Notice, &STICK, who, None, "");
    affects::apply_affect(turn, who, WEBBED, Some(rounds));
    let rounds = grammar::counted(rounds, "round");
    tell::tell(
        turn,
        who,
        Class::Notice,
        format!("The threads hold you for {rounds}; struggle may free you sooner."),
    );
}

/// Returns the rooms that would be visible from `here` if webs did not hide them.
pub(crate) fn hidden_by_webs(turn: &Turn, here: RoomId, rooms: &BTreeSet<RoomId>) -> BTreeSet<RoomId> {
    if !rooms.iter().any(|room| turn.world.rooms[*room].web) {
        return BTreeSet::new();
    }
    let seen = seen_from(turn, here, rooms, |room| turn.world.rooms[room].web);
    let there = seen_from(turn, here, rooms, |_| false);
    there.difference(&seen).copied().collect()
}

/// Returns the rooms visible from a room along exits; the view ends at rooms for which `stops` is true.
fn seen_from(
    turn: &Turn,
    here: RoomId,
    rooms: &BTreeSet<RoomId>,
    stops: impl Fn(RoomId) -> bool,
) -> BTreeSet<RoomId> {
    let (mut seen, mut queue) = (BTreeSet::from([here]), VecDeque::from([here]));
    while let Some(room) = queue.pop_front() {
        if room != here && stops(room) {
            continue;
        }
        for next in pathfinding::rooms_near(turn, room, 1).into_iter().map(|near| near.room) {
            if rooms.contains(&next) && seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    seen
}
