//! Bodies of `Room.Wares`, `Party.Invitations` and `Char.Skills`.

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
