//! Placement of vaults next to a floor that was generated as a whole: vaults take free positions and are joined to its
//! rooms.

use super::{FloorPlan, Plot, RoomRole, Sketch};
use crate::base::{Direction, Point};

impl FloorPlan {
    /// Returns the room sides at which a vault may begin: the position behind them is free. The arrival room, treasure
    /// rooms and corridors are excluded, so treasure rooms stay dead ends.
    pub fn free_sides(&self) -> Vec<(Point, Direction)> {
        let hosts = self.rooms.values().filter(|room| self.is_host(room));
        let sides = hosts.flat_map(|room| Direction::PLANE.map(|side| (room.at, side)));
        sides.filter(|(at, side)| self.is_vacant(at.step(*side))).collect()
    }

    /// Returns `true` if all positions of a vault are free.
    pub fn has_space_for(&self, plots: &[Plot]) -> bool {
        plots.iter().all(|plot| self.is_vacant(plot.at))
    }

    /// Adds a vault to the floor. Its first room is entered through the given side of a room of the floor. Its other
    /// ends become exits where they border a room that accepts vaults; the remaining ends are removed.
    pub fn annex(&mut self, from: Point, side: Direction, plots: &mut [Plot]) {
        let role = self.rooms.get(&from).map_or(RoomRole::Section(0), |room| room.role);
        for (number, plot) in plots.iter_mut().enumerate() {
            let at = plot.at;
            plot.ends.retain(|end| self.rooms.get(&at.step(*end)).is_some_and(|room| self.is_host(room)));
            let mut room = Sketch { role, ..Sketch::bare(at) };
            room.exits.extend(&plot.ways);
            let entrance = (number == 0).then_some(side.opposite());
            for end in plot.ends.iter().copied().chain(entrance) {
                room.exits.insert(end);
                if let Some(host) = self.rooms.get_mut(&at.step(end)) {
                    host.exits.insert(end.opposite());
                    host.space.walls.remove(&end.opposite());
                }
            }
            self.rooms.insert(at, room);
        }
    }

    /// Returns `true` if a vault may be joined to the room.
    fn is_host(&self, room: &Sketch) -> bool {
        matches!(room.role, RoomRole::Section(_)) && room.at != self.arrival
    }

    /// Returns `true` if the position is free and not next to the arrival room, whose neighbours are reserved for the
    /// exit back.
    fn is_vacant(&self, at: Point) -> bool {
        let out = Direction::PLANE.into_iter().any(|side| self.arrival.step(side) == at);
        !out && !self.rooms.contains_key(&at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::vault_placements;
    use Direction::{East, North, South, West};
    use std::collections::BTreeMap;

    /// Builds a row of rooms from west to east, walled on all other sides; the first is the arrival room.
    fn row_of_rooms(number: i32) -> FloorPlan {
        let room = |x: i32| {
            let mut room = Sketch::bare(Point::new(x, 0));
            let ways = [(West, x > 0), (East, x + 1 < number)];
            room.exits.extend(ways.into_iter().filter(|(_, leads)| *leads).map(|(side, _)| side));
            let walls = Direction::PLANE.into_iter().filter(|side| !room.exits.contains(side));
            room.space.walls = walls.map(|side| (side, "brick".to_owned())).collect();
            (room.at, room)
        };
        FloorPlan {
            level_type: "row".into(),
            arrival: Point::ORIGIN,
            sections: Vec::new(),
            rooms: (0..number).map(room).collect(),
            steps: Vec::new(),
            redrawn: 0,
        }
    }

    fn plot(key: &str, (x, y): (i32, i32), ways: &[Direction], ends: &[Direction]) -> Plot {
        Plot { key: key.into(), at: Point::new(x, y), ways: ways.to_vec(), ends: ends.to_vec(), made: false }
    }

    /// C3: a vault is entered through a former wall, its other end leads to the room behind it, and an end without a
    /// room behind it stays closed. No vault room is placed next to the arrival room.
    #[test]
    fn annexed_vault_connects_to_rooms_behind_its_ends() {
        let mut floor = row_of_rooms(4);
        assert!(!floor.free_sides().contains(&(Point::new(1, 0), West)));
        assert!(floor.free_sides().iter().all(|(at, _)| *at != floor.arrival));
        let arch = [plot("foot", (0, 0), &[East], &[South, North]), plot("other", (1, 0), &[West], &[South])];
        let from = Point::new(2, 0);
        let mut plots = vault_placements(&arch, false, from, North).remove(0);
        assert!(floor.has_space_for(&plots));
        floor.annex(from, North, &mut plots);
        let exits: BTreeMap<Point, Vec<Direction>> =
            floor.rooms.values().map(|room| (room.at, room.exits.iter().copied().collect())).collect();
        assert_eq!(exits[&Point::new(2, 1)], [East, South]);
        assert_eq!(exits[&Point::new(3, 1)], [South, West]);
        assert_eq!(exits[&Point::new(2, 0)], [North, East, West]);
        assert_eq!(exits[&Point::new(3, 0)], [North, West]);
        assert!(!floor.rooms[&Point::new(3, 0)].space.walls.contains_key(&North));
        assert!(!floor.has_space_for(&plots), "there is something now");
        let beside_the_arrival = vault_placements(&arch, false, Point::new(-1, 0), North).remove(0);
        assert!(!floor.has_space_for(&beside_the_arrival));
    }
}
