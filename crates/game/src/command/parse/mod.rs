//! Parsing of a typed line: words, arguments, targets, aliases, abbreviations.

pub(crate) mod actor;
pub(crate) mod alias;
pub(crate) mod argument;
pub(crate) mod build_argument;
pub(crate) mod coins_argument;
pub(crate) mod definition_name;
pub(crate) mod meaning;
pub(crate) mod pick;
pub(crate) mod puzzle_argument;
pub(crate) mod resolve;
pub(crate) mod site;
pub(crate) mod suggestion;
pub(crate) mod typed;
pub(crate) mod words;

pub(crate) use actor::{Actor, is_quelled};
pub(crate) use argument::{
    Argument, ArgumentForm, Being, Carried, Container, Count, InReach, MemberArgument, NameArgument, Packed,
    PlayerArgument, SpeechArgument, TextArgument, WayOut,
};
pub(crate) use words::{Words, without_article};
