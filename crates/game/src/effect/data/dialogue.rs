//! Body of `Char.Dialogue`.

use serde::Serialize;

/// Node of a conversation; without a name, there is none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct DialogueNode {
    /// Name of the creature or townsperson.
    pub name: String,
    /// Text that has been said.
    pub text: String,
    /// Answers on offer; none at the end of a conversation.
    pub choices: Vec<DialogueChoice>,
}

/// Answer on offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DialogueChoice {
    /// Number, from 1.
    pub number: u32,
    /// Text.
    pub text: String,
    /// Command that gives the answer.
    pub command: String,
}
