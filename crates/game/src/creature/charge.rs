//! Behaviour `charge`: runs along a straight hall at a visible player, one round after an audible warning. Players who
//! have left the hall by then are missed. A charge that ends at a wall stuns the creature.

use crate::attack;
use crate::character::{activity, affects, stats};
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::{heard, mind};
use crate::effect::Class;
use crate::exit::{clearing, pathfinding};
use crate::message::{naming, tell};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Direction, RoomId};
use deepwell_core::catalog::Behaviour;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Mood;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "charge",
    on_tick: |turn, mob, _, _| activity::may_roam(turn, mob) && prepare_charge(turn, mob),
    ..PASSIVE
};

/// Minimum length of a hall, in rooms.
const HALL_ROOMS: u32 = 2;

const RAM: Template = Template::new("{actor} {comes|come} at {target} at a full run!");

const CRASH: Template = Template::new(
    "{actor} {crashes|crash} into the wall at a full run, and {actor.they} {reels|reel}, stunned.",
);

/// Sound of a crash for players nearby, and its range in rooms.
const CRASH_HEARD: &str = "Something heavy runs into a wall, and the floor shakes.";
const CRASH_ROOMS: u32 = 2;

const HALT: Template = Template::new("{actor} {comes|come} to a halt, snorting.");

/// Affect of a creature that hit a wall.
const STUNNED: &str = "stunned";

/// Looks in the four directions for a player to charge at and gives the warning.
fn prepare_charge(turn: &mut Turn, mob: CharacterId) -> bool {
    let room = turn.world.characters[mob].room;
    let hall = Direction::PLANE.into_iter().find_map(|direction| {
        let hall = pathfinding::straight(turn, room, direction, turn.catalog.rules.roaming.charge_rooms);
        let far = |at: &RoomId| mind::prey_in(turn, *at).next().is_some();
        hall.iter().skip(HALL_ROOMS as usize - 1).any(far).then_some((direction, hall))
    });
    let Some((direction, hall)) = hall else { return false };
    activity::set_mood(turn, mob, Mood::Charging(direction));
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

/// Charges from room to room until the creature meets an opponent, is held, or reaches the end of the hall.
pub(crate) fn charge(turn: &mut Turn, mob: CharacterId, direction: Direction) {
    if turn.world.characters[mob].target.is_some() || stats::is_stunned(turn, mob) {
        return activity::settle(turn, mob);
    }
    let most = turn.catalog.rules.roaming.charge_rooms;
    let from = turn.world.characters[mob].room;
    run_on(turn, mob, direction, most);
    // A guard that charges has left its post.
    if turn.world.rooms.get(from).is_some() {
        clearing::check_clear(turn, from);
    }
}

fn run_on(turn: &mut Turn, mob: CharacterId, direction: Direction, most: u32) {
    for run in 0..=most {
        let room = turn.world.characters[mob].room;
        if let Some(player) = mind::prey_of(turn, mob).first().copied() {
            activity::settle(turn, mob);
            return ram(turn, mob, player);
        }
        let way = pathfinding::way_towards(turn, room, direction).filter(|_| run < most);
        let Some((exit, _)) = way else { break };
        if !mind::go(turn, mob, exit) || turn.world.characters.get(mob).is_none() {
            break;
        }
    }
    if turn.world.characters.get(mob).is_some() {
        activity::settle(turn, mob);
        end_charge(turn, mob, direction);
    }
}

/// Ends a charge. A dead end stuns the creature; an open or unexplored exit ahead does not.
fn end_charge(turn: &mut Turn, mob: CharacterId, direction: Direction) {
    let room = turn.world.characters[mob].room;
    let wall = !turn.world.exits.of(room).any(|exit| exit.direction == Some(direction));
    if wall && !stats::is_held(turn, mob) {
        tell::act(turn, Class::Combat, &CRASH, mob, None, "");
        heard::send_sound_around(turn, room, CRASH_ROOMS, CRASH_HEARD);
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
    attack::strike(turn, mob, player, percent.unwrap_or(100));
    if turn.world.characters.get(mob).is_some() && mind::is_prey(turn, mob, player) {
        attack::engage(turn, mob, player);
    }
}
