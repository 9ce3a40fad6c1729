//! Design rules as a player meets them: over sockets, with the shipped program and content, checked by the output and
//! by branch dumps. The test names contain the rule ids.

/// Creatures, items and scripts: R.
mod creatures;
/// Bot that explores by reading its client's output.
mod delver;
/// Combat, equipment and potions: R and T.
mod duels;
/// Dungeons behind the exits of the start rooms: E.
mod exits;
/// Level files, portals and stairs: P and T.
mod floors;
/// Creature behaviour per tick: seeking, fleeing, wandering, charging, weaving; and attacking first after waiting: R
/// and T.
mod minds;
/// Puzzles: H.
mod puzzles;
/// Experience, levels and the sheet: T.
mod sheet;
/// Branches below the well, from creation to expiry: C and E.
mod well;
