//! What the lattice and the cave have in common: a room is made for each open cell of a plane that somebody walks into;
//! its ways go to all neighbours it is joined to, both ways, without a budget.

use super::growth::{Arrival, Ground, Growth};
use super::plane::{Cells as _, Plane};
use super::survey::{Wants, key, survey};
use crate::base::{Direction, Point};

/// Makes the room of a cell: two-way passages to the joined neighbours that have rooms, exits to the others.
///
/// An exit that leads here from a room is always honoured, also where the layout was changed since it was made and
/// the cell would be solid now.
pub(super) fn place(plane: &impl Plane, wants: &Wants, ground: Ground<'_>, arrival: Arrival) -> Growth {
    let Ground { frontier, seed, .. } = ground;
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
