//! Verification, the last step of the pipeline: only verified floors become plans.

use super::ground::Ground;
use super::plan::{FloorPlan, Role};
use super::stage::StockedFloor;
use crate::base::{Direction, Point};
use std::collections::BTreeSet;

/// Reason why a floor is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Flaw {
    /// Description of the flaw.
    pub reason: String,
}

impl Flaw {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Turns a valid floor into a plan.
///
/// # Errors
/// The first flaw found.
pub fn verify(floor: StockedFloor) -> Result<FloorPlan, Flaw> {
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
fn check_sections(ground: &Ground) -> Result<(), Flaw> {
    for (number, section) in ground.sections.iter().enumerate() {
        let Some(room) = ground.rooms.get(&section.centre) else {
            return Err(Flaw::new(format!("section {number} has no room")));
        };
        if !matches!(room.role, Role::Section(own) | Role::Chamber(own) if own == number) {
            return Err(Flaw::new(format!("the room at {} is not that of section {number}", room.at)));
        }
        if let Some(link) = section.links.iter().find(|link| !room.exits.contains(&link.side)) {
            return Err(Flaw::new(format!("section {number} has no way {}", link.side)));
        }
        let end =
            |at: Point, side: Direction| ground.rooms.get(&at).is_some_and(|room| room.exits.contains(&side));
        if let Some(link) = section.links.iter().find(|link| !end(link.at, link.side)) {
            return Err(Flaw::new(format!("the way from {} to {} is not dug", link.at, link.side)));
        }
    }
    Ok(())
}

/// Checks the number, position, size and materials of rooms.
fn check_rooms(ground: &Ground) -> Result<(), Flaw> {
    let (fewest, most) = ground.site.context.rooms;
    let count = u32::try_from(ground.rooms.len()).unwrap_or(u32::MAX);
    if count < fewest || count > most {
        return Err(Flaw::new(format!("{count} rooms, expected {fewest} to {most}")));
    }
    if ground.entry.is_some() && ground.rooms.contains_key(&Point::ORIGIN) {
        return Err(Flaw::new("a room lies where the start room is"));
    }
    let least = ground.site.room_min_size;
    for room in ground.rooms.values() {
        let small = room.space.width < least.0 || room.space.length < least.1;
        if small && room.role != Role::Corridor {
            return Err(Flaw::new(format!("the room at {} is too small", room.at)));
        }
        if room.space.ground.is_empty() || room.space.walls.values().any(String::is_empty) {
            return Err(Flaw::new(format!("the room at {} is made of nothing", room.at)));
        }
    }
    Ok(())
}

/// Checks that each exit leads to a room and back, and that all rooms can be reached from the arrival room.
fn check_ways(ground: &Ground) -> Result<(), Flaw> {
    let mut reached = BTreeSet::from([ground.arrival_at()]);
    let mut left = vec![ground.arrival_at()];
    while let Some(at) = left.pop() {
        let Some(room) = ground.rooms.get(&at) else { continue };
        for exit in &room.exits {
            let to = at.step(*exit);
            if !ground.rooms.get(&to).is_some_and(|next| next.exits.contains(&exit.opposite())) {
                return Err(Flaw::new(format!("the way {exit} of the room at {at} leads nowhere")));
            }
            if reached.insert(to) {
                left.push(to);
            }
        }
    }
    match ground.rooms.keys().find(|at| !reached.contains(at)) {
        Some(at) => Err(Flaw::new(format!("the room at {at} cannot be reached"))),
        None => Ok(()),
    }
}
