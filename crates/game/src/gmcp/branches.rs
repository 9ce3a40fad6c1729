//! `Room.Branches`: the branches that can be entered from a start room.

use super::package::PackageSpec;
use crate::effect::data::{Data, OpenBranch, Package};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::world::Exit;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Branches).at_prompt(&[branches]);

/// Lists the open branches; empty outside start rooms.
fn branches(turn: &Turn, who: CharacterId) -> Data {
    let exits = turn.world.exits.of(turn.world.characters[who].room);
    Data::Branches(exits.filter_map(|exit| open_branch(turn, exit)).collect())
}

fn open_branch(turn: &Turn, exit: &Exit) -> Option<OpenBranch> {
    let window = exit.window.as_ref()?;
    turn.world.branches.get(window.branch)?;
    let members = turn.world.branches.members(window.branch);
    let players = members.iter().filter_map(|who| turn.world.name_of(*who)).map(str::to_owned).collect();
    Some(OpenBranch { exit: exit.name.clone(), players, until: window.guaranteed_until.0 / 1_000 })
}
