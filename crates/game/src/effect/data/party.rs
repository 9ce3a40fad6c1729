//! Bodies of `Party`.

use deepwell_core::base::PartyId;
use serde::Serialize;
use std::collections::BTreeMap;

/// Body of `Party.Info`: the whole party, sent when a member joins or leaves or the leader changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PartyInfo {
    /// Party; `None` for a player without a party.
    pub id: Option<PartyId>,
    /// Name of the leader.
    pub leader: Option<String>,
    /// Loot rule: `round-robin`, `free`, `roll`.
    pub loot: Option<String>,
    /// All members, in order of joining.
    pub members: Vec<PartyMember>,
}

/// Member in `Party.Info`; alone the body of `Party.Update`, sent when one of its values changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartyMember {
    /// Name.
    pub name: String,
    /// Current hit points.
    pub hp: i32,
    /// Maximum hit points.
    pub maxhp: i32,
    /// Level.
    pub level: u32,
    /// Name of the room, and of the branch if it is in one.
    pub place: String,
    /// Room number.
    pub room: u32,
    /// `ready`, `fighting`, `resting`, `down`, `link-dead` or `asleep`.
    pub state: String,
    /// Set for the leader.
    pub leader: bool,
}

/// Body of `group`: the party in the form that scripts for Aardwolf read. Without a party, there are no members.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Group {
    /// Name.
    pub groupname: String,
    /// Name of the leader.
    pub leader: String,
    /// Number of members.
    pub count: usize,
    /// All members, in order of joining.
    pub members: Vec<GroupMember>,
}

/// Member in [`Group`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GroupMember {
    /// Name.
    pub name: String,
    /// Numbers by their names on Aardwolf: `hp`, `mhp`, `lvl`, `tnl` (experience missing for the next level), and `here` (1
    /// for who is in the same room). What the game has not, such as mana, is left out.
    pub info: BTreeMap<&'static str, i64>,
}
