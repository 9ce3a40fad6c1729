//! Who plays just now.

use super::turn::Turn;
use crate::text::{Markup, Style};

/// Names of who plays, in alphabetical order.
pub(crate) fn players(turn: &Turn) -> Vec<String> {
    let mut names: Vec<String> =
        turn.seated.keys().map(|id| turn.world.characters[*id].name.clone()).collect();
    names.sort();
    names
}

/// The list of who plays, for players, the name prompt and the operator.
pub(crate) fn who(turn: &Turn) -> Markup {
    let names = players(turn);
    let mut list = Markup::styled(
        Style::Heading,
        &match names.len() {
            0 => "Nobody is in the well.".to_owned(),
            1 => "One climber is in the well:".to_owned(),
            n => format!("{n} climbers are in the well:"),
        },
    );
    for name in names {
        list.line(Style::Player, &name);
    }
    list
}
