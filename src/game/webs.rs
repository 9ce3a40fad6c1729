//! Webs: a spinner leaves one in a room that it has left empty. A web hides the room and what lies beyond it;
//! the first being to enter tears it, once, and may stick in it for a while.

use crate::base::{CharacterId, RoomId};
use crate::catalog::Behaviour;
use crate::catalog::guide::Lesson;
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::turn::Turn;
use crate::game::{affects, prototypes, tell, ways};
use crate::text::act::Template;
use crate::text::grammar;
use crate::world::Exit;
use std::collections::{BTreeSet, VecDeque};

/// What one sees of a room with a web.
pub(crate) const WEB: &str = "A silver web fills the room.";

const TEAR: Template = Template::new("{actor} {tears|tear} through a silver web, and it falls to shreds.");

const STICK: Template = Template::new(
    "{actor} {tears|tear} into a silver web. It falls to shreds, but {actor.they} {is|are} stuck in them.",
);

/// The affect that holds who has torn a web.
const WEBBED: &str = "webbed";

fn is_spinner(turn: &Turn, who: CharacterId) -> bool {
    prototypes::mob_prototype(turn, who).is_some_and(|mob| mob.behaviours.contains(&Behaviour::Webs))
}

/// Whether what lies behind an exit cannot be seen for a web.
pub(crate) fn is_webbed(turn: &Turn, exit: &Exit) -> bool {
    exit.to.is_some_and(|to| turn.world.rooms[to].web)
}

/// A body has left a room: if it is a spinner, and no living being is left there, a web fills it.
pub(crate) fn spin_web(turn: &mut Turn, who: CharacterId, from: RoomId) {
    let Some(room) = turn.world.rooms.get(from) else { return };
    let fit = room.kind.is_dungeon() && !room.kind.spec().peaceful && !room.web;
    let moved = turn.world.characters.get(who).is_some_and(|body| body.room != from);
    if !fit || !moved || !turn.world.occupants(from).is_empty() || !is_spinner(turn, who) {
        return;
    }
    turn.world.rooms.change(from, |room| room.web = true);
}

/// A body has entered a room: a web in it is torn, and the room is as before. Who tears it sticks for some
/// rounds, but for those who spin.
pub(crate) fn tear_web(turn: &mut Turn, who: CharacterId, room: RoomId) {
    if !turn.world.rooms.get(room).is_some_and(|room| room.web) {
        return;
    }
    turn.world.rooms.change(room, |room| room.web = false);
    turn.happen(Happening::Learned { who, lesson: Lesson::SawWeb });
    let rounds = if is_spinner(turn, who) { 0 } else { turn.catalog.rules.roaming.web_sticks };
    if rounds == 0 {
        return tell::act(turn, Class::Notice, &TEAR, who, None, "");
    }
    tell::act(turn, Class::Notice, &STICK, who, None, "");
    affects::apply_affect(turn, who, WEBBED, Some(rounds));
    let rounds = grammar::counted(rounds, "round", None);
    tell::tell(
        turn,
        who,
        Class::Notice,
        format!("The threads hold you for {rounds}; struggle may free you sooner."),
    );
}

/// Of some rooms, those that a web hides from a room: whoever stands there could see them but for the web.
pub(crate) fn hidden_by_webs(turn: &Turn, here: RoomId, rooms: &BTreeSet<RoomId>) -> BTreeSet<RoomId> {
    if !rooms.iter().any(|room| turn.world.rooms[*room].web) {
        return BTreeSet::new();
    }
    let seen = seen_from(turn, here, rooms, |room| turn.world.rooms[room].web);
    let there = seen_from(turn, here, rooms, |_| false);
    there.difference(&seen).copied().collect()
}

/// The rooms that a look from a room reaches through passages, stopping behind some of them.
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
        for next in ways::rooms_near(turn, room, 1).into_iter().map(|near| near.room) {
            if rooms.contains(&next) && seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    seen
}
