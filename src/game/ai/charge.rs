//! Charging: along a straight hall at a player in sight, a round after a warning that can be seen and heard. Who has
//! left the hall by then is missed, and a charge that ends at a wall stuns whoever made it.

use super::{PASSIVE, Part};
use crate::base::{CharacterId, Direction, RoomId};
use crate::catalog::Behaviour;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::{Markup, Style};
use crate::world::Mood;

pub(super) const PART: Part =
    Part { name: "charge", stirs: |game, mob, _, _| game.may_roam(mob) && game.makes_ready(mob), ..PASSIVE };

/// A hall is at least so many rooms ahead.
const HALL_ROOMS: u32 = 2;

const RAM: Template = Template::new("{actor} {comes|come} at {target} at a full run!");
const CRASH: Template = Template::new(
    "{actor} {crashes|crash} into the wall at a full run, and {actor.they} {reels|reel}, stunned.",
);
const HALT: Template = Template::new("{actor} {comes|come} to a halt, snorting.");

/// The affect of one that ran into a wall.
const STUNNED: &str = "stunned";

impl Game {
    /// Looks along the four directions for somebody to charge at.
    fn makes_ready(&mut self, mob: CharacterId) -> bool {
        let room = self.world.characters[mob].room;
        let hall = Direction::PLANE.into_iter().find_map(|direction| {
            let hall = self.hall(room, direction);
            let far = |at: &RoomId| self.has_prey(*at);
            hall.iter().skip(HALL_ROOMS as usize - 1).any(far).then_some((direction, hall))
        });
        let Some((direction, hall)) = hall else { return false };
        self.set_mood(mob, Mood::Charging(direction));
        let words = format!(" lowers its head towards the {direction} and scrapes the ground.");
        self.tell_room(room, &[], Class::Combat, self.name_of(mob).and(&words));
        let (name, back) = (self.the(mob), direction.opposite());
        let words =
            format!("Along the hall to the {back}, {name} lowers its head. It is about to charge this way!");
        for ahead in hall {
            self.tell_room(ahead, &[], Class::Combat, Markup::styled(Style::Harm, &words));
        }
        self.schedule_act(mob);
        true
    }

    /// The rooms in sight straight ahead; a web ends the view.
    fn hall(&self, from: RoomId, direction: Direction) -> Vec<RoomId> {
        let mut hall = Vec::new();
        let mut at = from;
        while hall.len() < self.catalog.rules.roaming.charge_rooms as usize {
            let Some((_, next)) = self.way_towards(at, direction) else { break };
            if self.world.rooms[next].web {
                break;
            }
            hall.push(next);
            at = next;
        }
        hall
    }

    fn has_prey(&self, room: RoomId) -> bool {
        self.world.occupants(room).iter().any(|who| {
            let body = &self.world.characters[*who];
            body.is_player() && !self.is_down(*who) && body.safe_until.is_none_or(|until| until <= self.now)
        })
    }

    /// The charge: from room to room until it meets somebody, something holds it, or the hall ends.
    pub(super) fn charges(&mut self, mob: CharacterId, direction: Direction) {
        if self.world.characters[mob].target.is_some() || self.is_stunned(mob) {
            return self.settles(mob);
        }
        let most = self.catalog.rules.roaming.charge_rooms;
        for run in 0..=most {
            let room = self.world.characters[mob].room;
            if let Some(player) = self.prey_of(mob).first().copied() {
                self.settles(mob);
                return self.rams(mob, player);
            }
            let way = self.way_towards(room, direction).filter(|_| run < most);
            let Some((exit, _)) = way else { break };
            if !self.goes(mob, exit) || self.world.characters.get(mob).is_none() {
                break;
            }
        }
        if self.world.characters.get(mob).is_some() {
            self.settles(mob);
            self.ends_charge(mob, direction);
        }
    }

    /// A dead end stuns; an open or unexplored way on does not.
    fn ends_charge(&mut self, mob: CharacterId, direction: Direction) {
        let room = self.world.characters[mob].room;
        let wall = !self.world.exits_of(room).any(|exit| exit.direction == Some(direction));
        if wall && !self.is_held(mob) {
            self.act(Class::Combat, &CRASH, mob, None, "");
            self.apply_affect(mob, STUNNED, Some(1));
        } else {
            self.act(Class::Combat, &HALT, mob, None, "");
        }
    }

    fn rams(&mut self, mob: CharacterId, player: CharacterId) {
        let percent = self.mob_prototype(mob).and_then(|prototype| {
            prototype.behaviours.iter().find_map(|behaviour| match behaviour {
                Behaviour::Charge { damage_percent } => Some(*damage_percent),
                _ => None,
            })
        });
        self.act(Class::Combat, &RAM, mob, Some(player), "");
        self.strike(mob, player, percent.unwrap_or(100));
        if self.world.characters.get(mob).is_some() && self.is_prey(mob, player) {
            self.engage(mob, player);
        }
    }
}
