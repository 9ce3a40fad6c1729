//! Refusals to builders of zones.

use deepwell_core::catalog::variable::DeclarationMistake;
use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a zone cannot be created, changed, written or read. Texts are keys of zones and names of players.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum ZoneRefusal {
    #[error("There is no zone {key}.{}", meant.as_ref().map_or(String::new(), |meant| format!(" Did you mean {meant}?")))]
    NoZone { key: String, meant: Option<String> },
    #[error("A zone is called by small letters, figures and _, forty at most.")]
    BadKey,
    #[error("A prefix is made of small letters, figures and _.")]
    BadPrefix,
    #[error("The prefix {prefix} is too long: {key} would have {} letters, and a key has forty at most.", key.len())]
    LongPrefix { prefix: String, key: String },
    #[error("{0} is taken already. zone list tells all there are.")]
    Taken(String),
    #[error("There are as many zones as there may be.")]
    TooMany,
    #[error("A variable is called by small letters, figures and _, forty at most.")]
    BadVariable,
    #[error("A variable is declared as TYPE [DEFAULT] [of WHAT] [reset WHEN]: {0}.")]
    Declaration(DeclarationMistake),
    #[error("The zone {zone} has no variable {name}.{}", meant.as_ref().map_or(String::new(), |meant| format!(" Did you mean {meant}?")))]
    NoVariable { zone: String, name: String, meant: Option<String> },
    #[error("A zone has at most {0} variables.")]
    TooManyVariables(u32),
    #[error("The default is too long: a variable holds at most {0} bytes.")]
    LongDefault(u32),
    #[error("{0} is used here: {1}. Change that first.")]
    VariableInUse(String, String),
    #[error("{}.", grammar::capitalise(&.0.to_string()))]
    Variable(VariableProblem),
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

/// Reason why a variable cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum VariableProblem {
    #[error("no zone declares the variable {0}")]
    Undeclared(String),
    #[error("the variable {name} cannot be {value}: it has to be {fit}")]
    Unfit { name: String, value: String, fit: &'static str },
    #[error("the variable {0} is no number")]
    NoNumber(String),
    #[error("there is nothing here that the variable {0} can be of")]
    NoOwner(String),
    #[error("{0} variables of one object are set, as many as may be")]
    TooMany(u32),
}
