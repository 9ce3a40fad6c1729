//! Connected players.

use crate::turn::Turn;

/// Returns the names of connected players in alphabetical order.
pub(crate) fn players(turn: &Turn) -> Vec<String> {
    let mut names: Vec<String> =
        turn.seated.keys().map(|id| turn.world.characters[*id].name.clone()).collect();
    names.sort();
    names
}
