//! Expeditions: branches that belong to their members. Players found one in a room with the flag `expeditions`, for
//! coppers. Its branch expires and falls asleep as any other does; what differs are settings of the branch.
//!
//! ```text
//! (founded) -> entered by its members, evening after evening -> ended by its leader, or expired without a visit
//! ```

pub(crate) mod aim;
pub(crate) mod camp;
pub(crate) mod entry;
pub(crate) mod founding;
pub(crate) mod members;
pub(crate) mod pocket;
pub(crate) mod view;
pub(crate) mod weekly;
pub(crate) mod weekly_reward;

use crate::message::naming;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId};
use deepwell_core::text::grammar;
use deepwell_core::world::Expedition;

/// Returns the expedition of a member that a name means; the only one if no name is given. `line` is what the player types,
/// with `*` for the name.
pub(crate) fn own<'t>(
    turn: &'t Turn,
    who: CharacterId,
    name: &str,
    line: &str,
) -> Result<&'t Expedition, Refusal> {
    named(&turn.world.expeditions.of(who).collect::<Vec<_>>(), name, line, belongs_to_none)
}

fn belongs_to_none() -> Refusal {
    refuse!("You belong to no expedition. Type help expeditions to read how one begins.")
}

/// Returns the expeditions that a character leads.
fn led(turn: &Turn, who: CharacterId) -> Vec<&Expedition> {
    turn.world.expeditions.of(who).filter(|row| row.leader == who && row.weekly.is_none()).collect()
}

/// Returns the expedition that a character leads, found as by [`own`].
pub(crate) fn led_by(turn: &Turn, who: CharacterId, name: &str, line: &str) -> Result<BranchId, Refusal> {
    named(&led(turn, who), name, line, leads_none).map(|row| row.branch)
}

fn leads_none() -> Refusal {
    refuse!("You lead no expedition.")
}

/// Returns the expeditions that a name means from any of its words on; all without a name, and only one with its whole name.
fn meant<'t>(all: &[&'t Expedition], name: &str) -> Vec<&'t Expedition> {
    let typed = name.trim().to_lowercase();
    if let Some(exact) = all.iter().find(|row| row.name.to_lowercase() == typed) {
        return vec![exact];
    }
    let is_meant = |row: &&Expedition| typed.is_empty() || naming::means(&typed, &row.name);
    all.iter().copied().filter(is_meant).collect()
}

/// Picks the expedition that a name means.
fn named<'t>(
    all: &[&'t Expedition],
    name: &str,
    line: &str,
    none: impl FnOnce() -> Refusal,
) -> Result<&'t Expedition, Refusal> {
    match (meant(all, name).as_slice(), all.is_empty()) {
        ([one], _) => Ok(one),
        (_, true) => Err(none()),
        ([], false) => {
            Err(refuse!("None of these expeditions is called \"{}\": {}.", name.trim(), names(all)))
        }
        (several, false) => {
            let lines: Vec<String> = several.iter().map(|row| line.replace('*', &row.name)).collect();
            Err(refuse!("You may mean several. Type {}.", lines.join(", or ")))
        }
    }
}

fn names(all: &[&Expedition]) -> String {
    grammar::list(all.iter().map(|row| row.name.as_str()))
}
