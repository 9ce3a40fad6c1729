//! `Char.Skills`: abilities of a character, and those it may choose with a new level.

use super::package::PackageSpec;
use crate::character::abilities;
use crate::effect::data::{Data, Package, Skill};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Skills).at_prompt(&[skills]);

/// Lists learnt abilities first, then those on offer.
fn skills(turn: &Turn, who: CharacterId) -> Data {
    let learnt = abilities::learnt(turn, who).into_iter().map(|ability| Skill {
        name: ability.key.clone(),
        desc: ability.gist.clone(),
        learnt: true,
        ready: abilities::remaining_cooldown(turn, who, &ability.key).is_none(),
        command: ability.key.clone(),
    });
    let open = turn.world.characters[who].trainings > 0;
    let offered = abilities::offered(turn, who).into_iter().filter(|_| open).map(|ability| Skill {
        name: ability.key.clone(),
        desc: ability.gist.clone(),
        learnt: false,
        ready: false,
        command: format!("train {}", ability.key),
    });
    Data::Skills(learnt.chain(offered).collect())
}
