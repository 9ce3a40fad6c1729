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
    on_tick: |turn, creature, _, _| {
        let may = activity::may_roam(turn, creature) && stats::can_strike(turn, creature);
        may && prepare_charge(turn, creature)
    },
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
fn prepare_charge(turn: &mut Turn, creature: CharacterId) -> bool {
    let room = turn.world.characters[creature].room;
    let hall = Direction::PLANE.into_iter().find_map(|direction| {
        let hall = pathfinding::straight(turn, room, direction, turn.catalog.rules.roaming.charge_rooms);
        let far = |at: &RoomId| mind::prey_in(turn, *at).next().is_some();
        hall.iter().skip(HALL_ROOMS as usize - 1).any(far).then_some((direction, hall))
    });
    let Some((direction, hall)) = hall else { return false };
    activity::set_mood(turn, creature, Mood::Charging(direction));
    let warning = format!(" lowers its head towards the {direction} and scrapes the ground.");
    tell::tell_room(turn, room, &[], Class::Combat, naming::name_of(turn, creature).and(&warning));
    let (name, back) = (naming::the(turn, creature), direction.opposite());
    let warning =
        format!("Along the hall to the {back}, {name} lowers its head. It is about to charge this way!");
    for ahead in hall {
        tell::tell_room(turn, ahead, &[], Class::Combat, Markup::styled(Style::Harm, &warning));
    }
    mind::schedule_act(turn, creature);
    true
}

/// Charges from room to room until the creature meets an opponent, is held, or reaches the end of the hall.
pub(crate) fn charge(turn: &mut Turn, creature: CharacterId, direction: Direction) {
    if turn.world.characters[creature].target.is_some() || stats::is_stunned(turn, creature) {
        return activity::settle(turn, creature);
    }
    let most = turn.catalog.rules.roaming.charge_rooms;
    let from = turn.world.characters[creature].room;
    run_on(turn, creature, direction, most);
    // A guard that charges has left its post.
    if turn.world.rooms.get(from).is_some() {
        clearing::check_clear(turn, from);
    }
}

fn run_on(turn: &mut Turn, creature: CharacterId, direction: Direction, most: u32) {
    for run in 0..=most {
        let room = turn.world.characters[creature].room;
        if let Some(player) = mind::prey_of(turn, creature).first().copied() {
            activity::settle(turn, creature);
            return ram(turn, creature, player);
        }
        let way = pathfinding::way_towards(turn, room, direction).filter(|_| run < most);
        let Some((exit, _)) = way else { break };
        if !mind::go(turn, creature, exit) || turn.world.characters.get(creature).is_none() {
            break;
        }
    }
    if turn.world.characters.get(creature).is_some() {
        activity::settle(turn, creature);
        end_charge(turn, creature, direction);
    }
}

/// Ends a charge. A dead end stuns the creature; an open or unexplored exit ahead does not.
fn end_charge(turn: &mut Turn, creature: CharacterId, direction: Direction) {
    let room = turn.world.characters[creature].room;
    let wall = !turn.world.exits.of(room).any(|exit| exit.direction == Some(direction));
    if wall && !stats::is_held(turn, creature) {
        tell::act(turn, Class::Combat, &CRASH, creature, None, "");
        heard::send_sound_around(turn, room, CRASH_ROOMS, CRASH_HEARD);
        affects::apply_affect(turn, creature, STUNNED, Some(1));
    } else {
        tell::act(turn, Class::Combat, &HALT, creature, None, "");
    }
}

fn ram(turn: &mut Turn, creature: CharacterId, player: CharacterId) {
    let percent = prototypes::creature_prototype(turn, creature).and_then(|prototype| {
        prototype.behaviours.iter().find_map(|behaviour| match behaviour {
            Behaviour::Charge { damage_percent } => Some(*damage_percent),
            _ => None,
        })
    });
    tell::act(turn, Class::Combat, &RAM, creature, Some(player), "");
    attack::strike(turn, creature, player, percent.unwrap_or(100));
    if turn.world.characters.get(creature).is_some() && mind::is_prey(turn, creature, player) {
        attack::engage(turn, creature, player);
    }
}
