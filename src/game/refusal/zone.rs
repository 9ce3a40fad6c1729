//! Refusals to builders of zones.

use thiserror::Error;

/// Reason why a zone cannot be created, changed, written or read. Texts are keys of zones and names of players.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum ZoneRefusal {
    #[error("There is no zone {key}.{}", meant.as_ref().map_or(String::new(), |meant| format!(" Did you mean {meant}?")))]
    NoZone { key: String, meant: Option<String> },
    #[error("A zone is called by small letters, figures and _, forty at most.")]
    BadKey,
    #[error("{0} is taken already. zone list tells all there are.")]
    Taken(String),
    #[error("There are as many zones as there may be.")]
    TooMany,
    #[error("At most {0} zones come in at once.")]
    TooManyAtOnce(u32),
    #[error("You do not build in the zone {zone}: ask {owner}, who says who may.")]
    NotAuthor { zone: String, owner: String },
    #[error("Only the owner of the zone {0} says that.")]
    NotOwner(String),
    #[error("The zone {0} has no owner: all builders build in it. Staff can give it one.")]
    NobodysZone(String),
    #[error("Whoever owns a zone builds in it: zone give NAME makes somebody else its owner.")]
    OwnerStays,
    #[error("This room is part of the dungeon, which has no zones.")]
    NotBuilt,
    #[error("There is no draft of {0}. zone draft NAME makes one.")]
    NoDraft(String),
    #[error("{0} is a draft itself.")]
    DraftOfDraft(String),
    #[error("No draft of it can be made: {0}")]
    NotCopied(String),
    #[error("Nobody has asked you to try {0}.")]
    NotInvited(String),
    #[error("You are asked to try nothing just now.")]
    NothingToTry,
    #[error("First come home from the dungeon.")]
    FirstHome,
    #[error("You are trying nothing: this is the world as everybody sees it.")]
    NotInDraft,
    #[error("One side of that is in a draft, which nobody walks into. Publish the draft first.")]
    Border,
    #[error("The file of {0} is written, but the world has not kept that. Export it again.")]
    Unrecorded(String),
}
