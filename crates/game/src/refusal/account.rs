//! Refusals about accounts: names, characters, settings, aliases, reports and staff-only commands.

use crate::effect::prompt;
use crate::effect::prompt::UnknownToken;
use deepwell_core::base::Right;
use deepwell_core::text::grammar;
use deepwell_core::text::names::NameError;
use deepwell_core::world::Lock;
use thiserror::Error;

/// Reason why an account command is refused. Texts are names, or words as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum AccountRefusal {
    #[error("{}.", grammar::capitalise(&.0.to_string()))]
    UnfitName(NameError),
    #[error("That name is taken, or looks too much like one that is.")]
    NameTaken,
    #[error("\"{0}\" is no address and no range.")]
    NoAddress(String),
    #[error("{name} is {} already; demote gives a lower rank, promote any.", grammar::with_article(.role, None))]
    NotLower { name: String, role: &'static str },
    #[error("At most {most} letters may stand behind your name.")]
    TitleTooLong { most: u32 },
    #[error("You have earned no title {0}. Type titles for those that you have.")]
    NoTitle(usize),
    #[error("{0} wants no fame, and shows no records.")]
    NoFame(String),
    #[error(
        "There are no records behind an exit called \"{0}\". Type top, top depth, top week, or top and the name of an exit into the dungeon."
    )]
    NoRecordsBehind(String),
    #[error("At most {most} letters may tell how you stand.")]
    PoseTooLong { most: u32 },
    #[error("At most {most} letters may tell how you look.")]
    AppearanceTooLong { most: u32 },
    #[error("You need no list for yourself.")]
    OwnFriend,
    #[error("{0} is on your list already.")]
    FriendAlready(String),
    #[error("There is no \"{0}\" on your list.")]
    NoFriend(String),
    #[error("Your list has room for {most} and no more.")]
    TooManyFriends { most: u32 },
    #[error("Your account has as many characters as it may have.")]
    TooManyCharacters,
    #[error("You have no character called \"{0}\".")]
    NoCharacter(String),
    #[error("That is who you are.")]
    SameCharacter,
    #[error("Your sheet has no line for \"{0}\". Type score for all of it.")]
    NoSheetLine(String),
    #[error("There is no setting \"{0}\". Type config for the list.")]
    NoSetting(String),
    #[error("{setting} takes {values}.")]
    UnfitValue { setting: &'static str, values: &'static str },
    #[error("Type prompt custom and a text with tokens: {}.", prompt::tokens())]
    NoPromptText,
    #[error("A prompt may have {most} letters.")]
    PromptTooLong { most: u32 },
    #[error("{0}")]
    UnknownToken(UnknownToken),
    #[error("An alias is one word of at most {most} plain letters and digits.")]
    AliasNotPlain { most: usize },
    #[error("An alias needs a letter.")]
    AliasWithoutLetter,
    #[error("{0} must keep its own meaning. Choose another word.")]
    AliasReserved(String),
    #[error("An alias may stand for {most} letters.")]
    AliasTooLong { most: u32 },
    #[error("You have as many aliases as you may have. Type unalias and the name of one.")]
    TooManyAliases,
    #[error("You have no alias \"{0}\". Type alias for the list.")]
    NoAlias(String),
    #[error("That is for those who have a character. Type join to become one, and keep what you have.")]
    Guest,
    #[error(
        "As a guest you see one branch of the well, and you have seen yours. Type join to have a character, who may go where the others lead."
    )]
    GuestBranch,
    #[error("That is a guest, who has no {0}.")]
    IsGuest(&'static str),
    #[error("That takes the right {0}, which you do not have.")]
    NoRight(&'static str),
    #[error(
        "There is no right \"{word}\"{}. There are {}.",
        meant.as_ref().map_or_else(String::new, |meant| format!("; did you mean {meant}?")),
        grammar::list(Right::ALL.map(Right::name))
    )]
    NoSuchRight { word: String, meant: Option<String> },
    #[error("{name} has the right {right} already.")]
    HasRight { name: String, right: &'static str },
    #[error("{name} does not have the right {right}.")]
    LacksRight { name: String, right: &'static str },
    #[error("Who has which right is the owner's alone to say.")]
    OwnersAlone,
    #[error("The owner has all rights, always.")]
    OwnerHasAll,
    #[error("You are no guest: you have a character already.")]
    NoGuest,
    #[error("{0}")]
    LoginRefusal(String),
    #[error("There is no help on \"{0}\", and nothing that comes near. Type help for the topics.")]
    NoHelp(String),
    #[error("There are too many reports waiting already. Please come back when some have been read.")]
    TooManyReports,
    #[error("You cannot report yourself.")]
    ReportsSelf,
    #[error("There is no report {0}.")]
    NoReport(String),
    #[error("{0}")]
    Restrained(String),
    #[error("You may do that to people below your own rank only.")]
    NotBelow,
    #[error("{name} is not {what}.")]
    NotRestrained { name: String, what: &'static str },
    #[error("\"{0}\" is no time. Type something like 30m, 2h or 7d.")]
    NoTime(String),
    #[error("You read along with nobody.")]
    ReadsAlongWithNobody,
    #[error("You can ban {most} and no more. Type unban and one that is no longer needed.")]
    TooManyBans { most: u32 },
    #[error("{0} is not banned.")]
    NotBanned(String),
    #[error("Somebody above you made that ban.")]
    BannedFromAbove,
    #[error("That would ban half the world. Give a range at least {bits} bits long, such as 203.0.113.0/24.")]
    RangeTooWide { bits: u8 },
    #[error("Your own address is in there.")]
    OwnAddress,
    #[error("{what}: locked already.", what = grammar::capitalise(.0.name()))]
    LockedAlready(Lock),
    #[error("{what}: not locked.", what = grammar::capitalise(.0.name()))]
    NotLocked(Lock),
    #[error("You can lock logins, accounts, or the world.")]
    NoLock,
    #[error("{0} is the only character of the account.")]
    LastCharacter(String),
    #[error("Only the operator of the server deletes accounts and characters of others.")]
    DeletedByOperator,
    #[error("There is no account called {0}.")]
    NoAccount(String),
    #[error("You are the last owner. Type promote, a name and owner first.")]
    LastOwner,
    #[error(
        "Staff have laid something on your account, and it stays until that is over. Staff can delete it."
    )]
    HeldByStaff,
    #[error("That is not the token.")]
    WrongToken,
    #[error("You may only ask how you yourself are connected: netinfo.")]
    OwnConnectionOnly,
    #[error("{0} is not connected.")]
    NotConnected(String),
}
