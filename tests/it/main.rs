//! What the outside of the game sees, played in process and in virtual time: no sockets, no sleeping, no wall clock.
//! Each test names in its doc comment the rules it proves. Unit tests stand beside the code they test.

/// Rooms, coordinates and exits of a growing branch: C1 to C5, E1 to E3, E10 to E22, E34 to E37, E41, E58.
mod branch;
/// Finds a room of a wished kind by walking, for tests that need one.
mod explorer;
/// Blocked rooms, fights, fleeing, death, roamers: E24 to E33, E55, E57, T9, T15, T16.
mod peril;
/// The harness: a game, players by name, virtual time.
mod table;
/// Plays `tests/data/transcripts`: typed lines and what one reads.
mod transcripts;
/// Start exits: who lands with whom, and when the way changes: E6 to E9, E12, E42 to E46, E51.
mod window;
