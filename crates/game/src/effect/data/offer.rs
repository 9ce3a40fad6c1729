//! Bodies of `Room.Wares`, `Party.Invitations`, `Char.Skills` and `Char.Actions`.

use serde::Serialize;

/// Kind of item for sale, in `Room.Wares.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WareOffer {
    /// Name with its article.
    pub name: String,
    /// Price of one, in coppers.
    pub price: i64,
    /// The same price in words.
    pub cost: String,
    /// Quantity in stock; `None` for unlimited stock.
    pub count: Option<u32>,
    /// Command that buys one.
    pub command: String,
}

/// Open invitation, in `Party.Invitations`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartyInvitation {
    /// Name of the leader of the inviting party.
    pub from: String,
    /// Command that accepts the invitation.
    pub accept: String,
    /// Command that declines the invitation.
    pub decline: String,
}

/// Ability that has been learnt or may be chosen, in `Char.Skills.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skill {
    /// Name, which is also its command.
    pub name: String,
    /// One sentence on its effect.
    pub desc: String,
    /// Set for a learnt ability; clear for one that may be chosen now.
    pub learnt: bool,
    /// Set if it can be used now.
    pub ready: bool,
    /// Command that uses or learns it.
    pub command: String,
}

/// Body of `Char.Skills.List`: the abilities, also in the form in which IRE's games list a group of skills.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SkillList {
    /// Name of the only group: `abilities`.
    pub group: &'static str,
    /// Names of the learnt abilities.
    pub list: Vec<String>,
    /// A sentence on the effect of each of these.
    pub descs: Vec<String>,
    /// Learnt abilities, then those on offer.
    pub skills: Vec<Skill>,
}

/// Name of the group of all abilities.
pub(crate) const SKILLS: &str = "abilities";

/// Group in `Char.Skills.Groups`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SkillGroup {
    /// Name.
    pub name: &'static str,
    /// Number of learnt abilities in words.
    pub rank: String,
}

/// Body of `Char.Skills.Info`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SkillInfo {
    /// Group.
    pub group: &'static str,
    /// Name of the ability.
    pub skill: String,
    /// One sentence on its effect.
    pub info: String,
}

/// Kind of an action, in the order of urgency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Answers what a creature has announced.
    Answer,
    /// Helps an incapacitated player up.
    Rescue,
    /// Strikes a creature.
    Strike,
    /// Attacks the opponent of a companion.
    Assist,
    /// Uses an ability.
    Ability,
    /// Uses a potion.
    Potion,
    /// Ends a fight by running, a hold by struggling, or a wait for rescue by letting go.
    Flee,
    /// Accepts an invitation, or answers the offer of a guide.
    Accept,
    /// Does something in a puzzle.
    Puzzle,
    /// Speaks to a creature or a townsperson.
    Talk,
    /// Uses what the room offers to everybody, such as a bank or a board.
    Place,
    /// Chooses what a new level has taught.
    Train,
    /// Rests.
    Rest,
    /// Stands up.
    Stand,
    /// Returns home.
    Home,
}

/// Action that is open to a character now, in `Char.Actions.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActionOffer {
    /// Kind.
    pub kind: ActionKind,
    /// Words for a button.
    pub label: String,
    /// Command that does it.
    pub command: String,
    /// Set if the command is not refused now.
    pub ready: bool,
    /// Seconds until it is ready, if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secs: Option<i64>,
    /// One sentence on what it does or answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Set if the player's own words follow the command.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
}

impl ActionOffer {
    /// Creates an action that is ready.
    pub(crate) fn new(kind: ActionKind, label: impl Into<String>, command: impl Into<String>) -> Self {
        let (label, command) = (label.into(), command.into());
        Self { kind, label, command, ready: true, secs: None, about: None, asks: false }
    }
}
