//! What a layout may have in it, and what it may ask for.

use crate::base::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// What a layout may have in it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Feature {
        /// A room that ends it.
        Finish = "finish",
        /// Rooms that lead somewhere else at once.
        Portal = "portal",
        /// Ways without a way back.
        OneWay = "one-way",
        /// Enemies and power-ups against a might that all inside share.
        Might = "might",
        /// Doors with keys.
        Keys = "keys",
        /// Levers, chests and things to find.
        Levers = "levers",
        /// Creatures that carry something.
        Guards = "guards",
        /// Plates that must be stood on, and weights.
        Plates = "plates",
        /// Things with uses that an author has written.
        Devices = "devices",
        /// Questions that want an answer in words.
        Words = "words",
        /// Several areas of rooms, one after the other.
        ManyRooms = "many rooms",
    }
}

listed! {
    /// What has to be done.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Goal {
        /// Beat every enemy.
        KillAll = "kill_all",
        /// Turn on every switch in [`Board::solved`](super::Board::solved).
        Solve = "solve",
        /// Come to the finish.
        #[default]
        ReachFinish = "reach_finish",
    }
}
