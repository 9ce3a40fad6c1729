//! State of a player's quests, for conditions and commands.

use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::quest::{Quest, Repeat};
use deepwell_core::catalog::script::condition::QuestState;
use deepwell_core::world::{QuestProgress, QuestStatus};

/// Returns the progress of a player in a quest.
pub(crate) fn progress<'t>(turn: &'t Turn, who: CharacterId, key: &str) -> Option<&'t QuestProgress> {
    turn.world.characters.get(who)?.quests.get(key)
}

/// Returns `true` if a quest has a time limit that is over.
pub(crate) fn is_overdue(turn: &Turn, quest: &Quest, progress: &QuestProgress) -> bool {
    let age = turn.now.0.saturating_sub(progress.at.0);
    let limit = quest.limit_secs.map(|secs| i64::from(secs) * 1_000);
    progress.status == QuestStatus::Active && limit.is_some_and(|limit| age >= limit)
}

/// Returns `true` if a player is on a quest.
pub(crate) fn is_active(turn: &Turn, who: CharacterId, key: &str) -> bool {
    progress(turn, who, key).is_some_and(|row| row.status == QuestStatus::Active)
}

/// Returns `true` if a player is not on a quest and may start it once more.
pub(crate) fn is_open(turn: &Turn, who: CharacterId, quest: &Quest) -> bool {
    let Some(row) = progress(turn, who, &quest.key) else { return true };
    let branch = turn.world.characters[who].branch;
    match (row.status, quest.repeat) {
        (QuestStatus::Active, _) => is_overdue(turn, quest, row),
        (QuestStatus::Failed, _) | (QuestStatus::Done, Repeat::Always) => true,
        (QuestStatus::Done, Repeat::Once) => false,
        (QuestStatus::Done, Repeat::Daily) => row.at.day() != turn.now.day(),
        (QuestStatus::Done, Repeat::Weekly) => row.at.week() != turn.now.week(),
        (QuestStatus::Done, Repeat::Branch) => branch.is_some() && branch != row.branch,
    }
}

/// Returns `true` if a quest of a player is in a state. An unknown quest is in none.
pub(crate) fn is_in(turn: &Turn, who: CharacterId, key: &str, state: &QuestState) -> bool {
    let Some(quest) = turn.catalog.quests.get(key) else { return false };
    let row = progress(turn, who, key);
    match state {
        QuestState::Open => is_open(turn, who, quest),
        QuestState::Active => is_active(turn, who, key),
        QuestState::Done => row.is_some_and(|row| row.times > 0),
        QuestState::Step(step) => {
            let count = row.and_then(|row| row.counts.get(step)).copied();
            quest.step(step).zip(count).is_some_and(|(step, count)| count >= step.count)
        }
    }
}
