//! Verification, the last step of the pipeline: only verified floors become plans.

use super::ground::Ground;
use super::plan::{FloorPlan, RoomRole};
use super::stage::StockedFloor;
use crate::base::{Direction, Point};
use std::collections::BTreeSet;

/// Reason why a floor is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FloorFlaw {
    /// Floors of the level type with this name grow; none is generated as a whole.
    #[error("floors of `{0}` grow; none is made whole")]
    Growing(String),
    /// The level type has no partitioner.
    #[error("there is no partitioner")]
    NoPartitioner,
    /// The section with this index has no room.
    #[error("section {0} has no room")]
    NoRoom(usize),
    /// The room at this position is not that of the section with this index.
    #[error("the room at {0} is not that of section {1}")]
    ForeignRoom(Point, usize),
    /// The room of the section with this index has no exit on this linked side.
    #[error("section {0} has no way {1}")]
    NoExit(usize, Direction),
    /// The corridor from a room to the link at this position and side is missing.
    #[error("the way from {0} to {1} is not dug")]
    NoCorridor(Point, Direction),
    /// The number of rooms is out of range.
    #[error("{count} rooms, expected {fewest} to {most}")]
    RoomCount {
        /// Number of rooms.
        count: u32,
        /// Minimum.
        fewest: u32,
        /// Maximum.
        most: u32,
    },
    /// A room is at the position of the start room.
    #[error("a room lies where the start room is")]
    OnStartRoom,
    /// The room at this position is too small.
    #[error("the room at {0} is too small")]
    TooSmall(Point),
    /// The room at this position has a surface without material.
    #[error("the room at {0} is made of nothing")]
    NoMaterial(Point),
    /// The exit on this side of the room at this position does not lead to a room with an exit back.
    #[error("the way {1} of the room at {0} leads nowhere")]
    DeadExit(Point, Direction),
    /// The room at this position cannot be reached from the arrival room.
    #[error("the room at {0} cannot be reached")]
    Unreachable(Point),
}

/// Turns a valid floor into a plan.
///
/// # Errors
/// The first flaw found.
pub fn verify(floor: StockedFloor) -> Result<FloorPlan, FloorFlaw> {
    let mut ground = floor.0;
    check_sections(&ground)?;
    check_rooms(&ground)?;
    check_ways(&ground)?;
    ground.note("verify", None);
    Ok(FloorPlan {
        level_type: ground.site.level_type.clone(),
        arrival: ground.arrival_at(),
        sections: ground.sections,
        rooms: ground.rooms,
        steps: ground.steps,
        redrawn: 0,
    })
}

/// Checks that each section has a room with an exit on each linked side.
fn check_sections(ground: &Ground) -> Result<(), FloorFlaw> {
    for (number, section) in ground.sections.iter().enumerate() {
        let room = ground.rooms.get(&section.centre).ok_or(FloorFlaw::NoRoom(number))?;
        if !matches!(room.role, RoomRole::Section(own) | RoomRole::Chamber(own) if own == number) {
            return Err(FloorFlaw::ForeignRoom(room.at, number));
        }
        if let Some(link) = section.links.iter().find(|link| !room.exits.contains(&link.side)) {
            return Err(FloorFlaw::NoExit(number, link.side));
        }
        let end =
            |at: Point, side: Direction| ground.rooms.get(&at).is_some_and(|room| room.exits.contains(&side));
        if let Some(link) = section.links.iter().find(|link| !end(link.at, link.side)) {
            return Err(FloorFlaw::NoCorridor(link.at, link.side));
        }
    }
    Ok(())
}

/// Checks the number, position, size and materials of rooms.
fn check_rooms(ground: &Ground) -> Result<(), FloorFlaw> {
    let (fewest, most) = ground.site.context.rooms;
    let count = u32::try_from(ground.rooms.len()).unwrap_or(u32::MAX);
    if count < fewest || count > most {
        return Err(FloorFlaw::RoomCount { count, fewest, most });
    }
    if ground.entry.is_some() && ground.rooms.contains_key(&Point::ORIGIN) {
        return Err(FloorFlaw::OnStartRoom);
    }
    let least = ground.site.room_min_size;
    for room in ground.rooms.values() {
        let small = room.space.width < least.0 || room.space.length < least.1;
        if small && room.role != RoomRole::Corridor {
            return Err(FloorFlaw::TooSmall(room.at));
        }
        if room.space.ground.is_empty() || room.space.walls.values().any(String::is_empty) {
            return Err(FloorFlaw::NoMaterial(room.at));
        }
    }
    Ok(())
}

/// Checks that each exit leads to a room and back, and that all rooms can be reached from the arrival room.
fn check_ways(ground: &Ground) -> Result<(), FloorFlaw> {
    let mut reached = BTreeSet::from([ground.arrival_at()]);
    let mut left = vec![ground.arrival_at()];
    while let Some(at) = left.pop() {
        let Some(room) = ground.rooms.get(&at) else { continue };
        for exit in &room.exits {
            let to = at.step(*exit);
            if !ground.rooms.get(&to).is_some_and(|next| next.exits.contains(&exit.opposite())) {
                return Err(FloorFlaw::DeadExit(at, *exit));
            }
            if reached.insert(to) {
                left.push(to);
            }
        }
    }
    let missed = ground.rooms.keys().find(|at| !reached.contains(at));
    missed.map_or(Ok(()), |at| Err(FloorFlaw::Unreachable(*at)))
}
