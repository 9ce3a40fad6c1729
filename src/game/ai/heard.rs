//! Being heard: some creatures are told by their sound before they are seen. `listen` tells what can be heard
//! at any moment; moving tells it unasked.

use super::paths::Near;
use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, Direction, RoomId};
use crate::catalog::Behaviour;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::Posture;

/// A part that moves nothing by itself: who walks is heard, see [`Game::sounds_off`].
pub(super) const PART: Part = Part { name: "heard", ..PASSIVE };

/// What one hears where nothing stirs, in a branch.
const QUIET_BELOW: [&str; 6] = [
    "Water drips somewhere, slowly, and never twice in the same place.",
    "You hold your breath and hear only the dark.",
    "A draught moans through a crack and falls silent.",
    "Small stones settle somewhere behind the wall.",
    "Your own heart is the loudest thing here.",
    "Far away something knocks on rock, three times, and stops.",
];

/// What one hears where nothing stirs, anywhere else.
const QUIET_ABOVE: [&str; 3] = [
    "A shutter creaks, and somebody laughs behind it.",
    "Wind goes round the corners; a bucket knocks against the well.",
    "Somewhere a hammer rings twice and rests.",
];

impl Game {
    /// What a creature's walk sounds like, and how many rooms away it is heard.
    fn sound_of(&self, mob: CharacterId) -> Option<(u32, &str)> {
        self.mob_prototype(mob)?.behaviours.iter().find_map(|behaviour| match behaviour {
            Behaviour::Heard { rooms, sound } => Some((*rooms, sound.as_str())),
            _ => None,
        })
    }

    /// A creature has come into a room: players near it hear that.
    pub(super) fn sounds_off(&mut self, mob: CharacterId) {
        let Some((rooms, sound)) = self.sound_of(mob) else { return };
        let (sound, room) = (sound.to_owned(), self.world.characters[mob].room);
        for near in self.rooms_near(room, rooms) {
            let words = heard_words(&sound, near.towards, near.steps);
            for who in self.world.occupants(near.room).to_vec() {
                self.tell(who, Class::Notice, words.as_str());
            }
        }
    }

    /// What one hears when one listens: creatures that are heard from afar, fights and sleepers next door.
    pub(crate) fn listens(&mut self, who: CharacterId) -> Markup {
        let room = self.world.characters[who].room;
        let mut heard = Markup::new();
        for sleeper in self.world.occupants(room) {
            if self.world.characters[*sleeper].posture == Posture::Asleep {
                heard.line(
                    Style::Plain,
                    &format!("{} breathes slowly.", grammar::capitalise(&self.the(*sleeper))),
                );
            }
        }
        for near in self.rooms_near(room, self.catalog.rules.roaming.hear_rooms) {
            for line in self.sounds_from(&near) {
                heard.line(Style::Plain, &line);
            }
        }
        if heard.is_empty() {
            let quiet: &[&str] =
                if self.world.rooms[room].branch.is_some() { &QUIET_BELOW } else { &QUIET_ABOVE };
            heard.push(Style::Plain, self.dice.flavour.pick(quiet).copied().unwrap_or_default());
        }
        heard
    }

    /// What comes to the ear from a room nearby.
    fn sounds_from(&self, near: &Near) -> Vec<String> {
        let occupants = self.world.occupants(near.room);
        let walkers = occupants.iter().filter_map(|mob| self.sound_of(*mob));
        let walkers = walkers.filter(|(rooms, _)| near.steps <= *rooms);
        let mut lines: Vec<String> =
            walkers.map(|(_, sound)| heard_words(sound, near.away, near.steps)).collect();
        let next_door = near.steps == 1;
        if next_door && self.hears_fight_in(near.room) {
            lines.push(format!("Blows and cries come from the {}.", near.away));
        }
        if next_door && occupants.iter().any(|who| self.world.characters[*who].posture == Posture::Asleep) {
            lines.push(format!("Something breathes slowly to the {}.", near.away));
        }
        lines
    }

    fn hears_fight_in(&self, room: RoomId) -> bool {
        self.world.occupants(room).iter().any(|who| self.world.characters[*who].target.is_some())
    }
}

/// A sound with where it comes from: "From the north, two rooms away: Hooves strike stone."
fn heard_words(sound: &str, direction: Direction, steps: u32) -> String {
    match steps {
        1 => format!("From next door to the {direction}: {sound}"),
        _ => format!("From the {direction}, {} away: {sound}", grammar::counted(steps, "room", None)),
    }
}
