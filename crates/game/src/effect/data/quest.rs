//! Bodies of `Char.Quests.List` and `Char.Guide.Step`.

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

/// Body of `Char.Guide.Step`; all values are empty while no guide leads the player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GuideStepInfo {
    /// Number of the step, from 1 on.
    pub step: usize,
    /// Number of steps.
    pub of: usize,
    /// Instruction.
    pub text: String,
    /// Commands that were suggested last.
    pub commands: Vec<String>,
}
