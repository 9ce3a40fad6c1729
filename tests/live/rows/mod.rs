//! Rules of the five designs as a player meets them: over sockets, in the program and with the content that ship, by what
//! is shown and by the dump of a branch. The names of the tests say which.

/// Creatures, things and scripts: R.
mod creatures;
/// Somebody who delves by what is shown.
mod delver;
/// Blows, gear and potions: R and T.
mod duels;
/// What is behind the exits of the start rooms: E.
mod exits;
/// Whole floors, portals and stairs: P and T.
mod floors;
/// What creatures make of a tick: they seek, flee, wander, charge and weave; and who has waited: R and T.
mod minds;
/// Puzzles: H.
mod puzzles;
/// Experience, levels and the sheet: T.
mod sheet;
/// The well, its branches and their life: C and E.
mod well;
