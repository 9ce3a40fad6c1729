//! `Room.Puzzle`: the contents of the rooms of the puzzle that a character is in.

use super::package::PackageSpec;
use crate::effect::data::{Data, Package};
use crate::room::puzzle::views;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Board).at_prompt(&[board]);

/// Lists the puzzle rooms with contents; empty outside puzzles.
fn board(turn: &Turn, who: CharacterId) -> Data {
    Data::Board(views::board(turn, turn.world.characters[who].room))
}
