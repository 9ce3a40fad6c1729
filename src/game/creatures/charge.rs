//! Charging: along a straight hall at a player in sight, a round after a warning that can be seen and heard. Who has
//! left the hall by then is missed, and a charge that ends at a wall stuns whoever made it.

use crate::base::{CharacterId, Direction, RoomId};
use crate::catalog::Behaviour;
use crate::game::creatures::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::game::creatures::{heard, mind};
use crate::game::effect::Class;
use crate::game::turn::Turn;
use crate::game::{affects, body, clearing, fight, mood, naming, prototypes, tell, ways};
use crate::text::act::Template;
use crate::text::{Markup, Style};
use crate::world::Mood;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "charge",
    on_tick: |turn, mob, _, _| mood::may_roam(turn, mob) && make_ready(turn, mob),
    ..PASSIVE
};

/// A hall is at least so many rooms ahead.
const HALL_ROOMS: u32 = 2;

const RAM: Template = Template::new("{actor} {comes|come} at {target} at a full run!");

const CRASH: Template = Template::new(
    "{actor} {crashes|crash} into the wall at a full run, and {actor.they} {reels|reel}, stunned.",
);

/// What a crash sounds like to whoever has stepped aside, and how many rooms away.
const CRASH_HEARD: &str = "Something heavy runs into a wall, and the floor shakes.";
const CRASH_ROOMS: u32 = 2;

const HALT: Template = Template::new("{actor} {comes|come} to a halt, snorting.");

/// The affect of one that ran into a wall.
const STUNNED: &str = "stunned";

/// Looks along the four directions for somebody to charge at.
fn make_ready(turn: &mut Turn, mob: CharacterId) -> bool {
    let room = turn.world.characters[mob].room;
    let hall = Direction::PLANE.into_iter().find_map(|direction| {
        let hall = ways::straight(turn, room, direction, turn.catalog.rules.roaming.charge_rooms);
        let far = |at: &RoomId| mind::prey_in(turn, *at).next().is_some();
        hall.iter().skip(HALL_ROOMS as usize - 1).any(far).then_some((direction, hall))
    });
    let Some((direction, hall)) = hall else { return false };
    mood::set_mood(turn, mob, Mood::Charging(direction));
    let words = format!(" lowers its head towards the {direction} and scrapes the ground.");
    tell::tell_room(turn, room, &[], Class::Combat, naming::name_of(turn, mob).and(&words));
    let (name, back) = (naming::the(turn, mob), direction.opposite());
    let words =
        format!("Along the hall to the {back}, {name} lowers its head. It is about to charge this way!");
    for ahead in hall {
        tell::tell_room(turn, ahead, &[], Class::Combat, Markup::styled(Style::Harm, &words));
    }
    mind::schedule_act(turn, mob);
    true
}

/// The charge: from room to room until it meets somebody, something holds it, or the hall ends.
pub(crate) fn charge(turn: &mut Turn, mob: CharacterId, direction: Direction) {
    if turn.world.characters[mob].target.is_some() || body::is_stunned(turn, mob) {
        return mood::settle(turn, mob);
    }
    let most = turn.catalog.rules.roaming.charge_rooms;
    let from = turn.world.characters[mob].room;
    run_on(turn, mob, direction, most);
    // A guard that runs out has given up its post.
    if turn.world.rooms.get(from).is_some() {
        clearing::check_clear(turn, from);
    }
}

fn run_on(turn: &mut Turn, mob: CharacterId, direction: Direction, most: u32) {
    for run in 0..=most {
        let room = turn.world.characters[mob].room;
        if let Some(player) = mind::prey_of(turn, mob).first().copied() {
            mood::settle(turn, mob);
            return ram(turn, mob, player);
        }
        let way = ways::way_towards(turn, room, direction).filter(|_| run < most);
        let Some((exit, _)) = way else { break };
        if !mind::go(turn, mob, exit) || turn.world.characters.get(mob).is_none() {
            break;
        }
    }
    if turn.world.characters.get(mob).is_some() {
        mood::settle(turn, mob);
        end_charge(turn, mob, direction);
    }
}

/// A dead end stuns; an open or unexplored way on does not.
fn end_charge(turn: &mut Turn, mob: CharacterId, direction: Direction) {
    let room = turn.world.characters[mob].room;
    let wall = !turn.world.exits_of(room).any(|exit| exit.direction == Some(direction));
    if wall && !body::is_held(turn, mob) {
        tell::act(turn, Class::Combat, &CRASH, mob, None, "");
        heard::resound(turn, room, CRASH_ROOMS, CRASH_HEARD);
        affects::apply_affect(turn, mob, STUNNED, Some(1));
    } else {
        tell::act(turn, Class::Combat, &HALT, mob, None, "");
    }
}

fn ram(turn: &mut Turn, mob: CharacterId, player: CharacterId) {
    let percent = prototypes::mob_prototype(turn, mob).and_then(|prototype| {
        prototype.behaviours.iter().find_map(|behaviour| match behaviour {
            Behaviour::Charge { damage_percent } => Some(*damage_percent),
            _ => None,
        })
    });
    tell::act(turn, Class::Combat, &RAM, mob, Some(player), "");
    fight::strike(turn, mob, player, percent.unwrap_or(100));
    if turn.world.characters.get(mob).is_some() && mind::is_prey(turn, mob, player) {
        fight::engage(turn, mob, player);
    }
}
