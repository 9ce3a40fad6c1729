//! Aims of expeditions: progress, and the reward, which comes once, by mail, to each member.

use crate::effect::Class;
use crate::expedition::weekly_reward;
use crate::message::{notices, rumours, tell};
use crate::post::mail;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, RoomId};
use deepwell_core::catalog::rules::ExpeditionRules;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Aim, RoomKind};

/// Returns the number that completes an aim.
pub(crate) const fn target(rules: &ExpeditionRules, aim: Aim) -> u32 {
    match aim {
        Aim::Map => rules.map_rooms,
        Aim::Reach => rules.reach_depth,
        Aim::Clear => rules.clear_difficulty,
        Aim::Recover => rules.recover_difficulty,
        Aim::Rescue => rules.rescue_captives,
    }
}

/// Describes an aim: "map sixty rooms".
pub(crate) fn words(aim: Aim, target: u32) -> String {
    match aim {
        Aim::Map => format!("map {}", grammar::counted(target, "room")),
        Aim::Reach => format!("reach a room at depth {target}"),
        Aim::Clear => format!("clear a room of difficulty {target} or more"),
        Aim::Recover => format!("recover the hoard of a room of difficulty {target} or more"),
        Aim::Rescue => format!("bring home {}", grammar::counted(target, "captive")),
    }
}

/// Counts the rooms of a branch and the depth of a room that a player has entered.
pub(crate) fn note_arrival(turn: &mut Turn, room: RoomId) {
    let row = &turn.world.rooms[room];
    let Some(branch) = row.branch else { return };
    match turn.world.expeditions.get(branch).filter(|row| !row.is_accomplished).map(|row| row.aim) {
        Some(Aim::Map) => note_progress(turn, branch, turn.world.branches[branch].rooms_made),
        Some(Aim::Reach) => note_progress(turn, branch, row.total_depth()),
        Some(Aim::Clear | Aim::Recover | Aim::Rescue) | None => {}
    }
}

/// Counts a room that has become clear.
pub(crate) fn note_cleared(turn: &mut Turn, room: RoomId) {
    let Some(row) = turn.world.rooms.get(room) else { return };
    let (Some(branch), difficulty, is_hoard) =
        (row.branch, row.difficulty, row.sheet.kind == RoomKind::Treasure)
    else {
        return;
    };
    match turn.world.expeditions.get(branch).map(|row| row.aim) {
        Some(Aim::Clear) => note_progress(turn, branch, difficulty),
        Some(Aim::Recover) if is_hoard => note_progress(turn, branch, difficulty),
        _ => {}
    }
}

/// Counts captives that a member has brought home.
pub(crate) fn note_rescued(turn: &mut Turn, branch: BranchId, captives: u32) {
    let Some(row) = turn.world.expeditions.get(branch).filter(|row| row.aim == Aim::Rescue) else { return };
    let progress = row.progress.saturating_add(captives);
    note_progress(turn, branch, progress);
}

/// Records progress, and gives the reward when the target is reached. A smaller number than before is no progress.
fn note_progress(turn: &mut Turn, branch: BranchId, progress: u32) {
    let Some(row) = turn.world.expeditions.get(branch) else { return };
    if row.is_accomplished || progress <= row.progress {
        return;
    }
    let is_done = progress >= row.target;
    turn.world.expeditions.change(branch, |row| (row.progress, row.is_accomplished) = (progress, is_done));
    if is_done && turn.world.expeditions.weekly(branch).is_some() {
        weekly_reward::reward(turn, branch);
    } else if is_done {
        reward(turn, branch);
    }
}

/// Shares the reward among the members.
fn reward(turn: &mut Turn, branch: BranchId) {
    let row = turn.world.expeditions[branch].clone();
    let members: Vec<CharacterId> = row.members.clone();
    let all = i64::from(turn.catalog.rules.expedition.reward);
    let share = all / i64::try_from(members.len().max(1)).unwrap_or(1);
    let done = words(row.aim, row.target);
    for member in &members {
        let text =
            format!("{} has done what it went for: to {done}. Your share lies in this letter.", row.name);
        mail::send_reward(turn, *member, &text, share);
        let notice = Markup::styled(
            Style::Boon,
            &format!("Your expedition {} has done what it went for: to {done}.", row.name),
        )
        .and(&format!(" Your share of the reward, {}, comes by mail.", money_words(share)));
        if notices::is_away(turn, *member) {
            notices::keep_if_away(turn, *member, notice.text());
        } else {
            tell::tell(turn, *member, Class::Notice, notice);
        }
    }
    rumours::note_expedition(turn, branch, row.leader, &row.name);
}
