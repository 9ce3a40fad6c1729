//! Counting of deeds for the goals of quests.

use crate::character::quests::progress;
use crate::character::variables::Subjects;
use crate::creature::companion;
use crate::creature::script::{conditions, deeds};
use crate::quest::QuestDeed;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, RoomId};
use deepwell_core::catalog::quest::{ANY, Quest, QuestGoal, QuestStep};
use deepwell_core::world::{ExitKind, Room};

/// Returns the progress of a step after a deed.
pub(super) fn after(
    turn: &mut Turn,
    who: CharacterId,
    quest: &Quest,
    step: &QuestStep,
    before: u32,
    deed: QuestDeed<'_>,
) -> u32 {
    match (&step.goal, deed) {
        (_, QuestDeed::Step { quest: meant, step: named }) if meant == quest.key && named == step.key => {
            step.count
        }
        (Some(goal), _) if is_in_place(turn, who, quest, step, deed) => {
            // A kill of another player counts only in shared quests.
            let is_own = !matches!(deed, QuestDeed::Killed { credited: false, .. }) || quest.shared;
            if is_own { goal_after(turn, who, (goal, step.count), before, deed) } else { before }
        }
        _ => before,
    }
}

/// Returns `true` if a deed is in the place to which a quest or step is bound, or they are bound to none.
pub(super) fn is_in_place(
    turn: &Turn,
    who: CharacterId,
    quest: &Quest,
    step: &QuestStep,
    deed: QuestDeed<'_>,
) -> bool {
    let bound = progress(turn, who, &quest.key).and_then(|row| row.exit);
    let is_bound = (bound.is_some() || step.dungeon) && step.goal.as_ref().is_some_and(QuestGoal::is_below);
    let exit = match deed {
        _ if !is_bound => return true,
        QuestDeed::Rescued { exit, .. } => exit,
        _ => exit_around(turn, turn.world.characters[who].room),
    };
    // A puzzle behind a hand-built exit is in a branch, too, and not in the dungeon.
    let is_dungeon = |exit| turn.world.exits.get(exit).is_some_and(|row| row.kind == ExitKind::Branch);
    exit.is_some_and(|exit| bound.map_or_else(|| is_dungeon(exit), |bound| exit == bound))
}

/// Returns the start exit of the branch that a room belongs to.
fn exit_around(turn: &Turn, room: RoomId) -> Option<ExitId> {
    let branch = turn.world.rooms[room].branch?;
    turn.world.branches.get(branch).map(|row| row.start_exit)
}

/// Returns the progress towards a goal, which is met at a count, after a deed. Items that are carried count only as long as
/// they are.
pub(crate) fn goal_after(
    turn: &mut Turn,
    who: CharacterId,
    (goal, count): (&QuestGoal, u32),
    before: u32,
    deed: QuestDeed<'_>,
) -> u32 {
    // Rows are read by the goals that a deed concerns only: many goals are counted at each deed.
    let game = &*turn;
    let room = || &game.world.rooms[game.world.characters[who].room];
    let is_at = |depth: u32| room().branch.is_some() && room().total_depth() >= depth;
    let more = match (goal, deed) {
        (QuestGoal::Kill(kinds), QuestDeed::Killed { creature, .. }) => u32::from(names(kinds, creature)),
        (QuestGoal::Reach(name), QuestDeed::Entered | QuestDeed::Changed) => {
            u32::from(is_called(room(), name))
        }
        (QuestGoal::Escort(kinds, name), QuestDeed::Entered | QuestDeed::Changed) => {
            let is_led = |creature: &String| !companion::companions_here(turn, who, creature).is_empty();
            u32::from(is_called(room(), name) && kinds.iter().any(is_led))
        }
        (QuestGoal::Depth(depth), QuestDeed::Entered | QuestDeed::Changed) => u32::from(is_at(*depth)),
        (QuestGoal::Carry(items, depth), QuestDeed::Entered | QuestDeed::Changed) => {
            let is_carried = |key: &String| conditions::count_carried(turn, who, key) > 0;
            u32::from(is_at(*depth) && items.iter().any(is_carried))
        }
        (QuestGoal::Bring(items, name), QuestDeed::Entered | QuestDeed::Changed)
            if is_called(room(), name) =>
        {
            return items.iter().fold(before, |brought, key| {
                let more = conditions::count_carried(turn, who, key).min(count.saturating_sub(brought));
                deeds::take(turn, key, more, who);
                brought.saturating_add(more)
            });
        }
        (QuestGoal::See(kinds), QuestDeed::Entered) => {
            u32::from(is_first_visit(room(), who) && names(kinds, room().sheet.kind.name()))
        }
        (QuestGoal::Clear(difficulty), QuestDeed::Cleared) => u32::from(is_at(*difficulty)),
        (QuestGoal::Coffer, QuestDeed::OpenedCoffer) => 1,
        (QuestGoal::Finish, QuestDeed::Entered) => {
            u32::from(is_first_visit(room(), who) && is_walked(turn, room()))
        }
        (QuestGoal::Moment(moment), QuestDeed::Moment(lesson)) => u32::from(*moment == lesson),
        (QuestGoal::Fetch(kinds), _) => {
            let carried = |key: &String| conditions::count_carried(turn, who, key);
            return kinds.iter().map(carried).fold(0, u32::saturating_add);
        }
        (QuestGoal::Give(items, takers), QuestDeed::Gave { item, to, count })
            if names(items, item) && names(takers, to) =>
        {
            count
        }
        (QuestGoal::Talk(kinds), QuestDeed::Talked(found))
        | (QuestGoal::Use(kinds), QuestDeed::Used(found))
        | (QuestGoal::Rescue(kinds), QuestDeed::Rescued { creature: found, .. })
        | (QuestGoal::Solve(kinds), QuestDeed::Solved(found)) => u32::from(names(kinds, found)),
        (QuestGoal::If(condition), _) => {
            let subjects = Subjects::of_room(turn.world.characters[who].room, Some(who));
            if conditions::holds(turn, condition, subjects) { count } else { 0 }
        }
        _ => 0,
    };
    before.saturating_add(more)
}

/// Returns `true` for a room of a branch that a player has not left before.
fn is_first_visit(room: &Room, who: CharacterId) -> bool {
    room.branch.is_some() && !room.memories.contains_key(&who)
}

/// Returns `true` if the branch of a room can end, and its floor has no unexplored exit.
fn is_walked(turn: &Turn, room: &Room) -> bool {
    let Some(branch) = room.branch else { return false };
    let frontier = turn.world.branches.index_of(branch).and_then(|index| index.frontiers.get(&room.floor));
    turn.world.branches[branch].growth.finishable
        && frontier.is_some_and(|frontier| frontier.open_count() == 0)
}

/// Returns `true` if a goal names a kind, or any.
pub(super) fn names(kinds: &[String], key: &str) -> bool {
    kinds.iter().any(|kind| kind == key || kind == ANY)
}

/// Returns `true` for the hand-built room that `ZONE/KEY` names.
fn is_called(room: &Room, name: &str) -> bool {
    room.branch.is_none()
        && name.split_once('/').is_some_and(|(zone, key)| room.area == zone && room.zone_key() == key)
}
