//! Branches without players fall asleep: their rows leave memory and stay in storage. They wake when a player, staff or
//! their collapse needs them. Rows are read beside the game loop; an input that needs a sleeping part of the world waits
//! until it is awake, and so do the later inputs of its session.

use crate::effect::Effect;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, BranchId, CharacterId, ItemId, RoomId, Span};
use deepwell_core::world::{Mood, WorldPart};
use std::collections::BTreeSet;

/// Refuses if a part of the world is asleep. The input is repeated when the part is awake, so it must not have changed
/// anything yet.
pub(crate) fn require_awake(turn: &Turn, part: impl Into<WorldPart>) -> Result<(), Refusal> {
    let part = part.into();
    if !turn.world.is_part_asleep(part) {
        return Ok(());
    }
    Err(if turn.sleepers.is_unreadable(part) { Refusal::Unreadable(part) } else { Refusal::Asleep(part) })
}

/// Has the sleeping ones of these parts woken, for a tool that waits for their rows.
pub(crate) fn request(turn: &mut Turn, parts: Vec<WorldPart>) {
    for part in parts {
        if turn.world.is_part_asleep(part) {
            turn.sleepers.request(part);
        }
    }
}

/// Refuses if the branch of a room is asleep.
pub(crate) fn require_awake_at(turn: &Turn, room: RoomId) -> Result<(), Refusal> {
    match turn.world.rooms.get(room).and_then(|room| room.branch) {
        Some(branch) => require_awake(turn, branch),
        None => Ok(()),
    }
}

/// Refuses if the account is asleep, or a branch that one of its characters is in, or that ends with an expedition of which
/// the character is the last member.
pub(crate) fn require_awake_around(turn: &Turn, account: AccountId) -> Result<(), Refusal> {
    require_awake(turn, account)?;
    let entered = turn.world.characters_of(account).filter_map(|who| turn.world.characters[who].branch);
    let own = turn.world.characters_of(account).flat_map(|who| turn.world.expeditions.of(who));
    let ends = own.filter(|row| row.members.len() == 1 && row.weekly.is_none()).map(|row| row.branch);
    let branches: BTreeSet<BranchId> = entered.chain(ends).collect();
    branches.into_iter().try_for_each(|branch| require_awake(turn, branch))
}

/// Refuses if a character in one of these rooms, or at home there, is asleep. All of them are requested; the input waits
/// for the last.
pub(crate) fn require_awake_in(turn: &mut Turn, rooms: &BTreeSet<RoomId>) -> Result<(), Refusal> {
    let accounts: BTreeSet<AccountId> = turn.world.absent_at(rooms).map(|absent| absent.account).collect();
    let mut last = Ok(());
    for account in accounts {
        last = require_awake(turn, account);
        if let Err(Refusal::Unreadable(_)) = last {
            return last;
        }
        turn.sleepers.request(WorldPart::Account(account));
    }
    last
}

/// Lets a branch that players have left fall asleep after a while. That is no timer: it happens with a commit, and
/// nothing that players can notice depends on it.
pub(crate) fn schedule_sleep(turn: &mut Turn, branch: BranchId) {
    let after = turn.config.dungeon.sleep_after;
    if after > Span::ZERO && is_idle(turn, branch) {
        turn.sleepers.note_idle(WorldPart::Branch(branch), turn.now + after);
    }
}

/// Returns `true` if a branch is in memory and closed, and none of its members is awake.
fn is_idle(turn: &Turn, branch: BranchId) -> bool {
    turn.world.branches.active(branch).is_some_and(|row| !row.window_open)
        && !turn.world.asleep.has(branch)
        && !turn.world.branches.members(branch).iter().any(|who| turn.world.characters[*who].awake)
}

/// Puts a branch to sleep that has been idle for long enough. If work in it is due, it is tried again later.
pub(crate) fn put_to_sleep_if_idle(turn: &mut Turn, branch: BranchId) {
    if !is_idle(turn, branch) {
        return;
    }
    if has_work(turn, branch) {
        return schedule_sleep(turn, branch);
    }
    let creatures =
        turn.world.branches.index_of(branch).map(|index| index.creatures.clone()).unwrap_or_default();
    for creature in creatures {
        turn.awake.forget(creature);
    }
    // Summaries of its rooms would outlive them.
    turn.crowds.clear();
    turn.world.put_to_sleep(WorldPart::Branch(branch));
}

/// Returns `true` if something will happen in an idle branch, or something outside refers to it.
fn has_work(turn: &Turn, branch: BranchId) -> bool {
    let Some(index) = turn.world.branches.index_of(branch) else { return true };
    let is_busy = |creature: &CharacterId| {
        let body = &turn.world.characters[*creature];
        let is_led = body.master.and_then(|who| turn.world.characters.get(who)).is_some_and(|led| led.awake);
        let acts = matches!(body.mood, Mood::Fuse(_) | Mood::Charging(_) | Mood::Fleeing(_));
        is_led || acts || body.target.is_some() || !body.affects.is_empty()
    };
    let is_awaited =
        |item: ItemId| turn.world.items[item].is_timed() || turn.world.parties.rolled_for(item).is_some();
    let waits = |room: &RoomId| !turn.world.rooms[*room].waits.is_empty();
    turn.minds.is_tick_pending(branch)
        || index.rooms.values().any(waits)
        || !turn.world.may_sleep(WorldPart::Branch(branch))
        || index.creatures.iter().any(is_busy)
        || items_in(turn, branch).into_iter().any(is_awaited)
}

/// Returns the items in the rooms of a branch and carried by its creatures.
pub(crate) fn items_in(turn: &Turn, branch: BranchId) -> Vec<ItemId> {
    let Some(index) = turn.world.branches.index_of(branch) else { return Vec::new() };
    let lying = index.rooms.values().flat_map(|room| turn.world.ground(*room));
    let carried = index.creatures.iter().flat_map(|creature| turn.world.carried(*creature));
    lying.chain(carried).flat_map(|item| turn.world.with_contents(*item)).collect()
}

/// Requests the rows of the parts that are to wake. Branches that are to collapse wait until the rows of earlier
/// ones are deleted.
pub(crate) fn read_requested(turn: &mut Turn) {
    let collapses = turn.world.branches.next_to_clean_up().is_none();
    while let Some(part) = turn.sleepers.next_read(collapses) {
        turn.outbox.push(Effect::ReadPart { part });
    }
}
