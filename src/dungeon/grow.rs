//! The rule by which a floor grows one room at a time (E13-E21, E36, E37) and the guard that keeps it endless
//! (E58). Not what is in the room: only its place and its exits.

use crate::base::{Dice, Direction, Point};
use crate::dungeon::Frontier;

pub use crate::catalog::GrowSettings;

/// Where a new room lies and how it is joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The room's place.
    pub at: Point,
    /// Whole part of the distance from the start (E29).
    pub depth: u32,
    /// Exits nobody has walked yet, clockwise from north. The way back (E13) is not among them.
    pub new_exits: Vec<Direction>,
    /// Older exits, as room and direction, that pointed at this place. From here on they lead into this room,
    /// one-way: the room has no exit back along them (E18, E21).
    pub joined: Vec<(Point, Direction)>,
}

/// Makes the room that lies behind an unexplored exit, and brings the frontier up to date.
///
/// The place behind the exit must be free. `from` is the start's place for the first room of a branch.
///
/// Draws, in this order (C3, E23):
/// 1. the number of new exits, uniform from 0 (or 1, when no other exit is open) to what the room, the budget
///    and the free neighbours allow;
/// 2. for each of them one of the directions left, these being listed clockwise from north;
/// 3. only when no open exit would lead into the unbounded free region: which of the directions that do is
///    forced. It takes the place of the exit drawn last if the budget is spent.
pub fn grow(
    settings: &GrowSettings,
    frontier: &mut Frontier,
    from: Point,
    direction: Direction,
    dice: &mut impl Dice,
) -> Growth {
    let at = from.step(direction);
    // E36: the walked exit leaves the list before the budget is counted, and so do those that join here.
    let in_pocket = frontier.take(from, direction);
    let joined = frontier.place(at);

    let mut free: Vec<Direction> =
        Direction::PLANE.into_iter().filter(|d| frontier.is_free(at.step(*d))).collect();
    let open = frontier.open_count();
    let most = settings
        .max_new_exits_per_room
        .min(settings.max_unexplored_exits.saturating_sub(open))
        .min(u32::try_from(free.len()).unwrap_or(u32::MAX));
    let least = u32::from(open == 0).min(most);
    let mut new_exits = Vec::new();
    for _ in 0..dice.between(least, most) {
        let highest = u32::try_from(free.len()).unwrap_or(u32::MAX).saturating_sub(1);
        new_exits.push(free.remove(dice.up_to(highest) as usize));
    }
    if !settings.finishable && !frontier.leads_out(at, &new_exits) {
        force_way_out(frontier, at, &free, most, &mut new_exits, dice);
    }
    new_exits.sort_unstable();
    for exit in &new_exits {
        frontier.open(at, *exit, in_pocket);
    }
    Growth { at, depth: at.depth(), new_exits, joined }
}

/// Gives the room an exit into the unbounded free region. There is one: the room itself stood in it.
fn force_way_out(
    frontier: &Frontier,
    at: Point,
    free: &[Direction],
    most: u32,
    new_exits: &mut Vec<Direction>,
    dice: &mut impl Dice,
) {
    let outward: Vec<Direction> =
        free.iter().copied().filter(|d| frontier.reaches_outside(at.step(*d))).collect();
    if let Some(forced) = dice.pick(&outward) {
        if new_exits.len() >= most as usize {
            new_exits.pop();
        }
        new_exits.push(*forced);
    }
}
