//! Common parts of the lattice and the cave. Each open cell of a plane becomes a room when a player enters it, with
//! two-way passages to all joined neighbours and no budget.

use super::growth::{Arrival, GrownFloor, Growth};
use super::plane::{Cells as _, Plane};
use super::survey::{Wants, key, survey};
use crate::base::grid::Rect;
use crate::base::{Direction, Point};
use std::collections::BTreeSet;

/// Radius, in cells, of the search for a detour around a room.
const AROUND: i32 = 3;

/// Places the room of a cell: two-way passages to joined neighbours that have rooms, unexplored exits to the others.
///
/// An existing exit to the cell always leads to a room, even if the layout has since changed and the cell would now be
/// solid.
pub(super) fn place(plane: &impl Plane, wants: &Wants, ground: GrownFloor<'_>, arrival: Arrival) -> Growth {
    let GrownFloor { frontier, seed, .. } = ground;
    let first = frontier.is_first_floor();
    let key = key(plane, seed);
    let survey = match frontier.survey.take().filter(|survey| survey.key == key) {
        Some(survey) => survey,
        None => survey(plane, wants, seed, first),
    };
    let cells = plane.cells(survey.seed);
    let at = match arrival {
        Arrival::Landing => Point::ORIGIN,
        Arrival::By(from, direction) => {
            frontier.take(from, direction);
            from.step(direction)
        }
    };
    let beside = Direction::PLANE.into_iter().zip(cells.beside(at));
    let ways = beside.filter(|(side, open)| *open && cells.is_joined(at, *side)).map(|(side, _)| side);
    let (new_exits, met) = frontier.settle(at, ways);
    let stairs = survey.has_stairs(wants, first, at);
    frontier.survey = Some(survey);
    if stairs {
        frontier.note_stairs();
    }
    Growth { at, depth: at.depth(), new_exits, joined: Vec::new(), met, stairs: Some(stairs) }
}

/// Returns `true` if a room can be bypassed: its neighbours stay connected without it and without the rooms that
/// already have a mechanism. If every mechanism is in such a room, all other rooms can be reached without operating
/// any.
pub(super) fn may_bar(plane: &impl Plane, ground: &GrownFloor<'_>, room: Point) -> bool {
    let frontier = &*ground.frontier;
    let cells = plane.cells(frontier.survey.as_ref().and_then(|survey| survey.seed));
    let (min, max) =
        (Point::new(room.x - AROUND, room.y - AROUND), Point::new(room.x + AROUND, room.y + AROUND));
    let area = Rect { min, max };
    let places = (min.y..=max.y).flat_map(|y| (min.x..=max.x).map(move |x| Point::new(x, y)));
    let is_passable = |place: &Point| {
        let start = frontier.is_first_floor() && *place == Point::ORIGIN;
        *place != room && !start && !frontier.has_mechanism(*place)
    };
    let open = places.zip(cells.open_cells(area)).filter(|(_, open)| *open).map(|(place, _)| place);
    let mut left: BTreeSet<Point> = open.filter(is_passable).collect();
    let beside = |place: Point| {
        let joined = Direction::PLANE.into_iter().filter(|side| cells.is_joined(place, *side));
        joined.map(|side| place.step(side)).collect::<Vec<Point>>()
    };
    let around: Vec<Point> = beside(room).into_iter().filter(|place| left.contains(place)).collect();
    let mut next: Vec<Point> = around.first().copied().into_iter().collect();
    while let Some(place) = next.pop() {
        if left.remove(&place) {
            next.extend(beside(place));
        }
    }
    around.iter().all(|place| !left.contains(place))
}
