//! Arguments of build commands: names with aliases and kinds, and the two sides of an `=`.

use crate::building::built_rooms::MOST_ALIASES;
use crate::building::definitions;
use crate::command::parse::actor::Actor;
use crate::command::parse::argument::Argument;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::words::Words;
use crate::exit::pathfinding;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, Direction};
use deepwell_core::text::sanitise;

/// Name with aliases and kind: "Name;alias;alias:kind".
pub(crate) struct NameAndKind {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) kind: Option<String>,
}

pub(crate) fn named(turn: &Turn, typed: &str) -> Result<NameAndKind, Refusal> {
    let (names, kind) = match typed.rsplit_once(':') {
        Some((names, kind)) => (names, Some(kind.trim().to_lowercase())),
        None => (typed, None),
    };
    Ok(NameAndKind { kind, ..self::names(turn, names)? })
}

/// Parses a name with aliases but no kind; a colon belongs to the name.
pub(crate) fn names(turn: &Turn, names: &str) -> Result<NameAndKind, Refusal> {
    let most = turn.config.limits.name_chars as usize;
    let mut names =
        names.split(';').map(|name| sanitise::clean_line(name, most)).filter(|name| !name.is_empty());
    let name = names.next().ok_or(Refusal::Missing("a name"))?;
    Ok(NameAndKind { name, aliases: names.take(MOST_ALIASES).collect(), kind: None })
}

/// Text before the `=`, and the text after it, if any.
#[derive(Clone, Copy)]
pub(crate) struct EqualsSides<'a> {
    pub(crate) left: &'a str,
    pub(crate) right: Option<&'a str>,
}

impl<'a> Argument<'a> for EqualsSides<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (left, right) = words.sides();
        Ok(Self { left: left.text(), right: right.map(Words::text) })
    }
}

/// Two sides of an `=`, both required.
#[derive(Clone, Copy)]
pub(crate) struct Equation<'a> {
    pub(crate) left: &'a str,
    pub(crate) right: &'a str,
}

impl<'a> Argument<'a> for Equation<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (left, right) = words.sides();
        let right = right.ok_or_else(|| words.missing())?;
        Ok(Self { left: left.text(), right: right.text() })
    }
}

/// Target of `dig`: a room, or every step.
#[derive(Clone, Copy)]
pub(crate) enum Dig<'a> {
    Room(EqualsSides<'a>),
    Walk(Words<'a>),
}

impl<'a> Argument<'a> for Dig<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (first, rest) = words.keyword();
        // Both spellings are accepted: two hyphens in a row are hard to hear, but common.
        if matches!(first.as_str(), "-walk" | "--walk") {
            Ok(Self::Walk(rest))
        } else {
            EqualsSides::read(turn, actor, words).map(Self::Room)
        }
    }
}

/// Direction and name of a room to dig.
#[derive(Clone, Copy)]
pub(crate) struct Tunnel<'a> {
    pub(crate) direction: Direction,
    pub(crate) name: &'a str,
}

impl<'a> Argument<'a> for Tunnel<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let Equation { left, right } = Equation::read(turn, actor, words)?;
        let direction = pathfinding::direction_named(turn, left).ok_or_else(|| words.missing())?;
        Ok(Self { direction, name: right })
    }
}

/// Setting that a builder changes.
#[derive(Clone, Copy)]
pub(crate) enum SettingArgument<'a> {
    /// Script for players who enter; an empty text removes it.
    OnEnter(&'a str),
    /// Setting of this room or of one of its exits, or field of a definition.
    Of { what: &'a str, setting: &'a str, value: &'a str },
    /// Room, exit or definition whose settings are listed.
    Listed(&'a str),
    /// Field of a definition whose value is written line by line.
    Written { what: &'a str, field: &'a str },
}

impl<'a> Argument<'a> for SettingArgument<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (left, right) = words.sides();
        if matches!(left.text().to_lowercase().as_str(), "on_enter" | "here on_enter") {
            return Ok(Self::OnEnter(right.map_or("", Words::text)));
        }
        let is_bare = right.is_none() && !words.text().contains('=');
        let is_defined =
            |named: &DefinitionName| definitions::text_of(turn, named.kind, &named.key).is_some();
        if is_bare && DefinitionName::read(left.text()).as_ref().is_some_and(is_defined) {
            return Ok(Self::Listed(left.text()));
        }
        let Some((what, setting)) = left.last_word() else {
            let listed = is_bare && !left.is_empty();
            return if listed { Ok(Self::Listed(left.text())) } else { Err(words.missing()) };
        };
        if is_bare && DefinitionName::read(what.text()).is_some() {
            return Ok(Self::Written { what: what.text(), field: setting.text() });
        }
        if is_bare {
            return Ok(Self::Listed(left.text()));
        }
        let value = Equation::read(turn, actor, words)?.right;
        Ok(Self::Of { what: what.text(), setting: setting.text(), value })
    }
}

/// Action on the branches of the dungeon.
#[derive(Clone, Copy)]
pub(crate) enum Upkeep {
    List,
    Show(BranchId),
    Collapse(BranchId),
    Reset(BranchId),
}

impl Argument<'_> for Upkeep {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (verb, number) = words.first_word();
        let id = || {
            let id = number.text().parse().map(BranchId);
            id.map_err(|_| Refusal::Missing("branch, a verb, and the number of a branch"))
        };
        match verb.text() {
            "" | "list" => Ok(Self::List),
            "show" => id().map(Self::Show),
            "collapse" => id().map(Self::Collapse),
            "reset" => id().map(Self::Reset),
            _ => Err(words.missing()),
        }
    }
}
