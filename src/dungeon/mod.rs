//! Branches of the dungeon as values: a function of seed, theme and the moves that opened the rooms.
