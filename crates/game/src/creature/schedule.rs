//! Daily schedule of a creature: where it is from which hour on, and when it sleeps.

use crate::character::stats;
use crate::creature::route::{self, Progress};
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::{CharacterId, RoomId, Span};
use deepwell_core::catalog::creature::route::Errand;
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
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

/// Tells which creatures a schedule has in a hand-built room from an hour on, and which of those that are there it has
/// elsewhere.
pub(crate) fn lines_at(turn: &Turn, room: RoomId, hour: u32) -> Vec<String> {
    let mut lines = Vec::new();
    if turn.world.rooms[room].branch.is_some() {
        return lines;
    }
    let clock = time_of_day::hour_words(hour);
    for (creature, body) in turn.world.characters.iter().filter(|(_, body)| body.prototype.is_some()) {
        let Some(errand) = route::route_of(turn, creature).and_then(|route| route.errand(hour)) else {
            continue;
        };
        let goal = errand.room().and_then(|name| route::goal(turn, creature, name)).unwrap_or(body.room);
        let does = match errand {
            Errand::At(_) => "is",
            Errand::Sleep(_) => "sleeps",
            Errand::Patrol => continue,
        };
        let name = grammar::capitalise(&naming::the(turn, creature)).into_owned();
        if goal == room {
            lines.push(format!("At {clock}, {name} {does} here.", name = naming::the(turn, creature)));
        } else if body.room == room {
            let place = &turn.world.rooms[goal].sheet.name;
            lines.push(format!("{name} {does} in another room at {clock}: {place}."));
        }
    }
    lines
}
