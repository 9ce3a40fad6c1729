//! `Char.Guide`: the current step of the guide.

use super::package::PackageSpec;
use crate::effect::data::{Data, GuideStepInfo, Package};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::world::GuideState;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Guide).at_prompt(&[step]);

fn step(turn: &Turn, who: CharacterId) -> Data {
    let (row, steps) = (&turn.world.characters[who].guide, &turn.catalog.guide.steps);
    let is_led = row.state == GuideState::On;
    let current = steps.iter().enumerate().find(|(_, step)| is_led && !row.done.contains(&step.key));
    let info = current.map(|(at, step)| GuideStepInfo {
        step: at + 1,
        of: steps.len(),
        text: step.words.text().to_owned(),
        commands: turn.awake.get(who).map(|body| body.lessons.suggested().to_vec()).unwrap_or_default(),
    });
    Data::Guide(info.unwrap_or_default())
}
