//! Body of `Char.Quests.List`.

use serde::Serialize;

/// Active quest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QuestInfo {
    /// Name.
    pub name: String,
    /// Description.
    pub text: String,
    /// Steps that are done, that comes next, and that are optional.
    pub steps: Vec<QuestStepInfo>,
    /// Command that tells all of it.
    pub about: String,
    /// Command that gives the quest up.
    pub abandon: String,
}

/// Step of a quest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QuestStepInfo {
    /// Instruction.
    pub text: String,
    /// Progress.
    pub count: u32,
    /// Number at which the step is done.
    pub of: u32,
    /// Set if the quest can end without it.
    pub optional: bool,
}
