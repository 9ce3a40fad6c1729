//! Refusals about quests.

use thiserror::Error;

/// Reason why a quest cannot be started, shown or given up. Texts are names of quests.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum QuestRefusal {
    #[error("You know no quest \"{0}\". quests lists those that you have.")]
    NoSuch(String),
    #[error("You are not on the quest \"{0}\".")]
    NotActive(String),
    #[error("The quest {0} is not to be done again now.")]
    NotAgain(String),
    #[error("The quest {0} is not for you yet.")]
    NotYet(String),
    #[error("You have {0} quests, as many as you may. quest abandon NAME gives one up.")]
    TooMany(u32),
}
