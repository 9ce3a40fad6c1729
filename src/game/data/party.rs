//! Bodies of `Party`.

use crate::base::PartyId;
use serde::Serialize;

/// The body of `Party.Info`: the whole party, sent when somebody joins or leaves it or its leader changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PartyInfo {
    /// The party; none for whoever is in none.
    pub id: Option<PartyId>,
    /// Who leads.
    pub leader: Option<String>,
    /// Who gets what is found: `round-robin`, `free`, `roll`.
    pub loot: Option<String>,
    /// Everybody, in the order of joining.
    pub members: Vec<PartyMember>,
}

/// One member, as in `Party.Info`; by itself the body of `Party.Update`, sent when anything of it changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartyMember {
    /// The name.
    pub name: String,
    /// Hit points left.
    pub hp: i32,
    /// Hit points at most.
    pub maxhp: i32,
    /// Level.
    pub level: u32,
    /// The room's name, with the branch if it is in one.
    pub place: String,
    /// The room's number.
    pub room: u32,
    /// `ready`, `fighting`, `resting`, `down`, `link-dead` or `asleep`.
    pub state: String,
    /// Whether this is the leader.
    pub leader: bool,
}
