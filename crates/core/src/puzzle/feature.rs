//! Features and goals of boards.

use crate::base::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// Feature of a board.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Feature {
        /// A finish.
        Finish = "finish",
        /// Rooms that move players elsewhere immediately.
        Portal = "portal",
        /// One-way passages.
        OneWay = "one-way",
        /// Enemies and power-ups, with a might shared by all players inside.
        Might = "might",
        /// Doors with keys.
        Keys = "keys",
        /// Levers, chests and hidden items.
        Levers = "levers",
        /// Creatures that carry something.
        Guards = "guards",
        /// Pressure plates, and weights.
        Plates = "plates",
        /// Devices with uses defined by an author.
        Devices = "devices",
        /// Questions that need an answer in words.
        Words = "words",
        /// Several areas in sequence.
        ManyRooms = "many rooms",
    }
}

listed! {
    /// Goal of a puzzle.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Goal {
        /// Beat every enemy.
        KillAll = "kill_all",
        /// Turn on every switch in [`Board::solved`](super::Board::solved).
        Solve = "solve",
        /// Reach the finish.
        #[default]
        ReachFinish = "reach_finish",
    }
}
