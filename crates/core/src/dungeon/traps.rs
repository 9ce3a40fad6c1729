//! Signs and traps on the new exits of a room.

use crate::base::Dice;
use crate::catalog::Pattern;
use crate::dungeon::furnish::FurnishSite;
use crate::dungeon::{RoomPlan, describe};

/// Places signs beside some of the new exits. The sign takes effect when a player explores the exit: if the room is
/// created through another exit, the sign is removed without effect. The first room of a branch has no signs, so the
/// second room is never out of depth.
pub(super) fn set_omens(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    if site.is_first() {
        return;
    }
    let (theme, found) = (site.theme, &site.theme.out_of_depth);
    let mut dice = site.dice("omen");
    let mut here = Vec::new();
    for exit in &plan.new_exits {
        if dice.up_to(999) >= found.permille {
            continue;
        }
        let fill = |omen: &Pattern, dice: &mut _| describe::words(omen, &[*exit], plan.depth, theme, dice);
        let sentence = site.statements.fresh_or_stale(&found.omens, &here, &mut dice, fill);
        if let Some(omen) = sentence {
            here.extend(omen.marks);
            plan.omens.insert(*exit, omen.words);
        }
    }
}

/// Sets a trap on at most one of the new exits without a sign. Looking at the matching detail reveals it.
pub(super) fn set_trap(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    if site.is_first() {
        return;
    }
    let mut dice = site.dice("trap");
    for exit in &plan.new_exits {
        let drawn = dice.up_to(999) < site.theme.trap_permille && !plan.omens.contains_key(exit);
        if drawn && let Some(trap) = dice.pick(&site.catalog.traps) {
            plan.traps.insert(*exit, trap.key.clone());
            plan.sheet.details.insert(trap.nouns.join(","), trap.detail.clone());
            return;
        }
    }
}
