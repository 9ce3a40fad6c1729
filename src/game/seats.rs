//! Who plays just now.

use super::turn::Turn;

/// Names of who plays, in alphabetical order.
pub(crate) fn players(turn: &Turn) -> Vec<String> {
    let mut names: Vec<String> =
        turn.seated.keys().map(|id| turn.world.characters[*id].name.clone()).collect();
    names.sort();
    names
}
