//! Refusals about parties and companions.

use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a party command is refused. Texts are names of players, items or rooms, or words as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum PartyRefusal {
    #[error("You are in no party. Type party invite and a name to begin one.")]
    NoParty,
    #[error("That is for {leader}, who leads your party.")]
    NotLeader { leader: String },
    #[error("Nobody in your party is called \"{0}\".")]
    NoMember(String),
    #[error("You are in your own company already.")]
    OwnCompany,
    #[error("{0} goes with you already.")]
    InThisParty(String),
    #[error("{0} goes with others already.")]
    InAnotherParty(String),
    #[error("You have asked {0} already.")]
    AlreadyInvited(String),
    #[error("A party is {} at most, and whoever has been asked counts.", grammar::number(*.most))]
    TooManyInvited { most: u32 },
    #[error("Everybody goes alone here.")]
    NoParties,
    #[error("{0} has been asked by too many at once. Wait for an answer.")]
    InvitedByTooMany(String),
    #[error("Nobody has asked you into a party.")]
    NotInvited,
    #[error("Nobody called \"{0}\" has asked you.")]
    NotInvitedBy(String),
    #[error("{} have asked you. Say whom you mean: party accept NAME.", grammar::list(.leaders))]
    InvitedBySeveral { leaders: Vec<String> },
    #[error("You are in a party; leave it first.")]
    AlreadyInParty,
    #[error("That party is full by now.")]
    Full,
    #[error("Nobody sends oneself away; type party leave.")]
    KicksSelf,
    #[error("{0} has a part in what is rolled for; wait until it is settled.")]
    HasPartInRoll(String),
    #[error("You lead already.")]
    AlreadyLeader,
    #[error("You follow {0} already.")]
    AlreadyFollowing(String),
    #[error("{0} follows you; then nobody would go anywhere.")]
    FollowsYou(String),
    #[error("You follow nobody. Type follow and the name of a companion.")]
    FollowsNobody,
    #[error("Nothing waits for your answer.")]
    NothingToClaim,
    #[error("No \"{0}\" waits for your answer.")]
    NotRolledFor(String),
    #[error("Nothing is rolled for.")]
    NoRolls,
    #[error("Nobody leaves ropes behind here: once the way in is closed, it is closed.")]
    NoRopes,
    #[error("None of your party is below to have left a rope.")]
    NobodyBelow,
    #[error("You are in the same branch already.")]
    SameBranch,
    #[error("The rope of your party hangs at another place: {room}.")]
    RopeElsewhere { room: String },
    #[error("The rope has borne you once, and is frayed: it will not bear you into this branch again.")]
    RopeFrayed,
    #[error("Nobody has joined you.")]
    NoCompanions,
    #[error("None of your companions is called so.")]
    NoSuchCompanion,
    #[error("{0} is in a fight.")]
    CompanionFights(String),
}
