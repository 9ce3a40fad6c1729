//! Branches without players fall asleep: their rows leave memory and stay in storage. They wake when a player, staff or
//! their collapse needs them. Rows are read beside the game loop; an input that needs a sleeping branch waits until it
//! is awake, and so do the later inputs of its session.

use crate::base::{AccountId, BranchId, CharacterId, ItemId, RoomId, Span};
use crate::game::effect::Effect;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::world::Mood;
use std::collections::BTreeSet;

/// Refuses if a branch is asleep, and has it woken. The input is repeated when the branch is awake, so it must not have
/// changed anything yet.
pub(crate) fn require_awake(turn: &mut Turn, branch: BranchId) -> Result<(), Refusal> {
    if !turn.world.is_asleep(branch) {
        return Ok(());
    }
    if turn.sleepers.is_unreadable(branch) {
        return Err(Refusal::BranchUnreadable(branch));
    }
    turn.sleepers.request(branch);
    Err(Refusal::BranchAsleep(branch))
}

/// Has the sleeping ones of these branches woken, for a tool that waits for their rows.
pub(crate) fn request(turn: &mut Turn, branches: Vec<BranchId>) {
    for branch in branches {
        if turn.world.is_asleep(branch) {
            turn.sleepers.request(branch);
        }
    }
}

/// Refuses if the branch of a room is asleep.
pub(crate) fn require_awake_at(turn: &mut Turn, room: RoomId) -> Result<(), Refusal> {
    match turn.world.rooms.get(room).and_then(|room| room.branch) {
        Some(branch) => require_awake(turn, branch),
        None => Ok(()),
    }
}

/// Refuses if a branch that a character of the account is in is asleep.
pub(crate) fn require_awake_around(turn: &mut Turn, account: AccountId) -> Result<(), Refusal> {
    let branches: BTreeSet<BranchId> =
        turn.world.characters_of(account).filter_map(|who| turn.world.characters[who].branch).collect();
    branches.into_iter().try_for_each(|branch| require_awake(turn, branch))
}

/// Lets a branch that players have left fall asleep after a while. That is no timer: it happens with a commit, and
/// nothing that players can notice depends on it.
pub(crate) fn schedule_sleep(turn: &mut Turn, branch: BranchId) {
    let after = turn.config.dungeon.sleep_after;
    if after > Span::ZERO && is_idle(turn, branch) {
        turn.sleepers.note_idle(branch, turn.now + after);
    }
}

/// Returns `true` if a branch is in memory and closed, and none of its members is awake.
fn is_idle(turn: &Turn, branch: BranchId) -> bool {
    turn.world.active_branch(branch).is_some_and(|row| !row.window_open)
        && !turn.world.is_asleep(branch)
        && !turn.world.members(branch).iter().any(|who| turn.world.characters[*who].awake)
}

/// Puts a branch to sleep that has been idle for long enough. If work in it is due, it is tried again later.
pub(crate) fn put_idle_to_sleep(turn: &mut Turn) {
    let now = turn.now;
    let next = turn.sleepers.take_idle(now).filter(|branch| is_idle(turn, *branch));
    let Some(branch) = next else { return };
    if has_work(turn, branch) {
        return schedule_sleep(turn, branch);
    }
    let mobs = turn.world.branch_index(branch).map(|index| index.mobs.clone()).unwrap_or_default();
    for mob in mobs {
        turn.awake.forget(mob);
    }
    // Summaries of its rooms would outlive them.
    turn.crowds.clear();
    turn.world.put_to_sleep(branch);
}

/// Returns `true` if something will happen in an idle branch, or something outside refers to it.
fn has_work(turn: &Turn, branch: BranchId) -> bool {
    let Some(index) = turn.world.branch_index(branch) else { return true };
    let is_busy = |mob: &CharacterId| {
        let body = &turn.world.characters[*mob];
        let is_led = body.master.is_some_and(|master| turn.world.characters[master].awake);
        let acts = matches!(body.mood, Mood::Fuse(_) | Mood::Charging(_) | Mood::Fleeing(_));
        is_led || acts || body.target.is_some() || !body.affects.is_empty()
    };
    let is_awaited =
        |item: ItemId| turn.world.items[item].gone_at.is_some() || turn.world.rolled_for(item).is_some();
    turn.minds.is_stirring(branch)
        || !turn.world.may_sleep(branch)
        || index.mobs.iter().any(is_busy)
        || items_in(turn, branch).into_iter().any(is_awaited)
}

/// Returns the items in the rooms of a branch and carried by its creatures.
pub(crate) fn items_in(turn: &Turn, branch: BranchId) -> Vec<ItemId> {
    let Some(index) = turn.world.branch_index(branch) else { return Vec::new() };
    let lying = index.rooms.values().flat_map(|room| turn.world.ground(*room));
    let carried = index.mobs.iter().flat_map(|mob| turn.world.carried(*mob));
    lying.chain(carried).flat_map(|item| turn.world.with_contents(*item)).collect()
}

/// Requests the rows of the branches that are to wake. Branches that are to collapse wait until the rows of earlier
/// ones are deleted.
pub(crate) fn read_requested(turn: &mut Turn) {
    let collapses = turn.world.rubble().is_none();
    while let Some(branch) = turn.sleepers.next_read(collapses) {
        turn.outbox.push(Effect::ReadBranch { branch });
    }
}
