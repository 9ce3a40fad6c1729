//! Map of an area: the positions of its rooms, given in the file or derived from the exits.

use crate::base::{Coordinates, Direction, FreePlaces};
use crate::catalog::area::{Area, AreaRoom};
use std::collections::{BTreeMap, BTreeSet};

impl Area {
    /// Returns the position of each room on the area's map. Rooms without a given position are placed by the exits that
    /// lead there, the first room at the origin if no room has one. No two derived positions are equal.
    pub fn layout(&self) -> Vec<(&str, Coordinates)> {
        let Some(first) = self.rooms.first() else { return Vec::new() };
        let given = self.rooms.iter().filter_map(|room| Some((room.key.as_str(), room.at?)));
        let mut placed: Vec<(&str, Coordinates)> = given.collect();
        if placed.is_empty() {
            placed.push((first.key.as_str(), Coordinates::default()));
        }
        let mut rooms: BTreeMap<&str, Vec<&AreaRoom>> = BTreeMap::new();
        for room in &self.rooms {
            rooms.entry(&room.key).or_default().push(room);
        }
        let mut taken: BTreeSet<Coordinates> = placed.iter().map(|(_, place)| *place).collect();
        let mut known: BTreeSet<&str> = placed.iter().map(|(key, _)| *key).collect();
        let mut free = FreePlaces::default();
        let mut next = 0;
        while let Some((key, place)) = placed.get(next).copied() {
            next += 1;
            for exit in rooms.get(key).into_iter().flatten().flat_map(|room| &room.exits) {
                let Some((_, to)) = exit.to.as_ref().filter(|(_, to)| rooms.contains_key(to.as_str())) else {
                    continue;
                };
                if known.insert(to) {
                    let direction = Direction::parse_any(&exit.name);
                    let place = free.beyond(place, direction, |place| taken.contains(&place));
                    taken.insert(place);
                    placed.push((to, place));
                }
            }
        }
        for room in &self.rooms {
            if known.insert(&room.key) {
                let place = free.nearest(Coordinates::default(), |place| taken.contains(&place));
                taken.insert(place);
                placed.push((&room.key, place));
            }
        }
        placed
    }
}
