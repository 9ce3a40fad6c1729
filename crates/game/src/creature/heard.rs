//! Audibility of creatures: some are heard before they are seen. `listen` reports current sounds; movement sends sounds
//! unprompted.

use crate::branch::start_room;
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::exit::pathfinding::Near;
use crate::message::{naming, tell};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, Direction, RoomId};
use deepwell_core::catalog::Behaviour;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Posture;

/// Behaviour without callbacks; the sound is sent when the creature walks.
pub(super) const KIND: BehaviourKind = BehaviourKind { name: "heard", ..PASSIVE };

/// Lines for `listen` in a silent room of a branch.
const QUIET_BELOW: &[&str] = &[
    "Water drips somewhere, slowly, and never twice in the same place.",
    "You hold your breath and hear only the dark.",
    "A draught moans through a crack and falls silent.",
    "Small stones settle somewhere behind the wall.",
    "Your own heart is the loudest thing here.",
    "Far away something knocks on rock, three times, and stops.",
];

/// Lines for `listen` in any other silent room.
const QUIET_ABOVE: &[&str] = &[
    "A shutter creaks, and somebody laughs behind it.",
    "Wind goes round the corners; a bucket knocks against the well.",
    "Somewhere a hammer rings twice and rests.",
];

/// Returns the range in rooms and text of a creature's walking sound.
fn sound_of(turn: &Turn, creature: CharacterId) -> Option<(u32, &str)> {
    prototypes::creature_prototype(turn, creature)?.behaviours.iter().find_map(|behaviour| match behaviour {
        Behaviour::Heard { rooms, sound } => Some((*rooms, sound.as_str())),
        _ => None,
    })
}

/// Sends the walking sound of a creature that has entered a room to players nearby.
pub(crate) fn send_walking_sound(turn: &mut Turn, creature: CharacterId) {
    let Some((rooms, sound)) = sound_of(turn, creature) else { return };
    let (sound, room) = (sound.to_owned(), turn.world.characters[creature].room);
    send_sound_around(turn, room, rooms, &sound);
}

/// Sends a sound to all rooms within the given range.
pub(super) fn send_sound_around(turn: &mut Turn, room: RoomId, rooms: u32, sound: &str) {
    for near in pathfinding::rooms_near(turn, room, rooms) {
        let message = heard_words(sound, near.towards, near.steps);
        for who in turn.world.occupants(near.room).to_vec() {
            tell::tell(turn, who, Class::Notice, message.as_str());
        }
    }
}

/// Reports the sounds around a character: audible creatures nearby, and fights and sleepers in adjacent rooms.
pub(crate) fn listen(turn: &mut Turn, who: CharacterId) -> Markup {
    let room = turn.world.characters[who].room;
    let mut heard = Markup::new();
    for sleeper in turn.world.occupants(room) {
        if turn.world.characters[*sleeper].posture == Posture::Asleep {
            heard.line(
                Style::Plain,
                &format!("{} breathes slowly.", grammar::capitalise(&naming::the(turn, *sleeper))),
            );
        }
    }
    for near in pathfinding::rooms_near(turn, room, turn.catalog.rules.roaming.hear_rooms) {
        for line in noises_from(turn, &near) {
            heard.line(Style::Plain, &line);
        }
    }
    for line in start_room::sounds(turn, room) {
        heard.line(Style::Plain, &line);
    }
    if heard.is_empty() {
        let quiet: &[&str] = if turn.world.rooms[room].branch.is_some() { QUIET_BELOW } else { QUIET_ABOVE };
        heard.push(Style::Plain, turn.dice.flavour.pick(quiet).copied().unwrap_or_default());
    }
    heard
}

/// Returns the lines for the sounds from a room nearby.
fn noises_from(turn: &Turn, near: &Near) -> Vec<String> {
    let occupants = turn.world.occupants(near.room);
    let walkers = occupants.iter().filter_map(|creature| sound_of(turn, *creature));
    let walkers = walkers.filter(|(rooms, _)| near.steps <= *rooms);
    let mut lines: Vec<String> =
        walkers.map(|(_, sound)| heard_words(sound, near.away, near.steps)).collect();
    let next_door = near.steps == 1;
    if next_door && is_fight_audible(turn, near.room) {
        lines.push(format!("Blows and cries come from the {}.", near.away));
    }
    if next_door && occupants.iter().any(|who| turn.world.characters[*who].posture == Posture::Asleep) {
        lines.push(format!("Something breathes slowly to the {}.", near.away));
    }
    lines
}

fn is_fight_audible(turn: &Turn, room: RoomId) -> bool {
    turn.world.occupants(room).iter().any(|who| turn.world.characters[*who].target.is_some())
}

/// Formats a sound with its origin: "From the north, 2 rooms away: Hooves strike stone."
fn heard_words(sound: &str, direction: Direction, steps: u32) -> String {
    match steps {
        1 => format!("From next door to the {direction}: {sound}"),
        _ => format!("From the {direction}, {} away: {sound}", grammar::counted(steps, "room")),
    }
}
