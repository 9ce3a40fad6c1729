//! The command table, one family of commands per file.

#![expect(clippy::unnecessary_wraps, reason = "every command has the same signature")]

mod dispatch;
#[cfg(test)]
mod read_only_tests;
#[cfg(test)]
mod reading_tests;
pub(crate) mod spec;
mod web_line;
pub(crate) mod staff_page;
pub(crate) mod web_builder;
pub(crate) mod account;
pub(crate) mod build;
pub(crate) mod parse;
pub(crate) mod play;
pub(crate) mod staff;

pub(crate) use crate::command::build::from_web::{build_from_web, try_from_web};
pub use crate::command::build::room::setting_table::{RoomSetting, settings};
pub(crate) use crate::command::dispatch::command;
pub use crate::command::parse::alias::{
    asks_for_password, begins_text, may_be_alias, takes_words, without_secrets,
};
pub use crate::command::parse::typed::{can_be_typed, dead_words};

use crate::command::account::{data, friends, guest, highlight, own, password, profile, settings};
use crate::command::build::definition::{dialogue, make, script, vault};
use crate::command::build::room::{detail, dig, exits, rework, stock, tag, trigger};
use crate::command::build::{
    at_room, check, drafts, find, journal, preview, shop, trial, undo, variable, zone,
};
use crate::command::parse::alias;
use crate::command::play::{
    ability, archery, board, errand, expedition, fight, gear, guide, info, item, look, mail, party, place,
    puzzle, quest, replay, talk, trade, travel,
};
use crate::command::spec::CommandSpec;
use crate::command::staff::{audit, ban, branches, general, grant, moderation, people, report};
use deepwell_core::base::{Direction, Rights};
use deepwell_core::catalog::RankPermissions;
use deepwell_core::puzzle::Verb;
use deepwell_core::world::Role;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::LazyLock;

/// Command families, in the order in which abbreviations are tried: frequent commands first.
const FAMILIES: &[&[CommandSpec]] = &[
    travel::COMMANDS,
    look::COMMANDS,
    talk::COMMANDS,
    item::COMMANDS,
    gear::COMMANDS,
    fight::COMMANDS,
    own::COMMANDS,
    settings::COMMANDS,
    party::COMMANDS,
    expedition::COMMANDS,
    place::COMMANDS,
    puzzle::COMMANDS,
    quest::COMMANDS,
    errand::COMMANDS,
    info::COMMANDS,
    profile::COMMANDS,
    mail::COMMANDS,
    board::COMMANDS,
    friends::COMMANDS,
    guide::COMMANDS,
    guest::COMMANDS,
    trade::COMMANDS,
    replay::COMMANDS,
    alias::COMMANDS,
    highlight::COMMANDS,
    password::COMMANDS,
    data::COMMANDS,
    report::COMMANDS,
    dig::COMMANDS,
    exits::COMMANDS,
    rework::COMMANDS,
    detail::COMMANDS,
    dialogue::COMMANDS,
    script::COMMANDS,
    tag::COMMANDS,
    find::COMMANDS,
    at_room::COMMANDS,
    stock::COMMANDS,
    shop::COMMANDS,
    make::COMMANDS,
    trigger::COMMANDS,
    variable::COMMANDS,
    undo::COMMANDS,
    journal::COMMANDS,
    branches::COMMANDS,
    vault::COMMANDS,
    zone::COMMANDS,
    drafts::COMMANDS,
    check::COMMANDS,
    preview::COMMANDS,
    trial::COMMANDS,
    general::COMMANDS,
    grant::COMMANDS,
    moderation::COMMANDS,
    ban::COMMANDS,
    audit::COMMANDS,
    people::COMMANDS,
    // Rare commands come last, so that they never capture abbreviations of common ones.
    ability::COMMANDS,
    archery::COMMANDS,
];

/// Returns all commands.
fn table() -> impl Iterator<Item = &'static CommandSpec> {
    FAMILIES.iter().copied().flatten()
}

/// Returns all command words, which are reserved as character names.
pub fn names() -> impl Iterator<Item = &'static str> {
    let directions = Direction::ALL.into_iter().filter(|way| !way.is_diagonal()).map(Direction::name);
    table().flat_map(|spec| spec.aliases.iter().copied().chain([spec.name])).chain(directions)
}

/// Returns the commands permitted to a built-in rank, as shown by help: name, syntax, summary, example.
pub fn reference(role: Role) -> impl Iterator<Item = [&'static str; 4]> {
    reference_with(RankPermissions::builtin().of(role.name()))
}

/// Returns the commands permitted with the given rights, in the same form.
pub fn reference_with(rights: Rights) -> impl Iterator<Item = [&'static str; 4]> {
    allowed(rights).map(|spec| [spec.name, syntax_of(spec), spec.summary, spec.example])
}

/// Syntax of each command, by name.
static SYNTAXES: LazyLock<BTreeMap<&str, String>> =
    LazyLock::new(|| table().map(|spec| (spec.name, spec.typed())).collect());

/// Returns the syntax of a command.
fn syntax_of(spec: &CommandSpec) -> &'static str {
    SYNTAXES.get(spec.name).map_or("", String::as_str)
}

/// Returns the commands permitted with the given rights.
fn allowed(rights: Rights) -> impl Iterator<Item = &'static CommandSpec> {
    table().filter(move |spec| rights.allow(spec.right))
}

/// Commands by complete word. Each line is looked up several times, by the session and the game.
static WORDS: LazyLock<FxHashMap<&'static str, &'static CommandSpec>> = LazyLock::new(|| {
    table().flat_map(|spec| spec.aliases.iter().chain([&spec.name]).map(move |word| (*word, spec))).collect()
});

/// Commands by name, which may be abbreviated, with their positions in the table.
static NAMES: LazyLock<BTreeMap<&'static str, (usize, &'static CommandSpec)>> =
    LazyLock::new(|| table().enumerate().map(|(place, spec)| (spec.name, (place, spec))).collect());

/// Returns the command with this exact word.
fn exact(word: &str, rights: Rights) -> Option<&'static CommandSpec> {
    WORDS.get(word).copied().filter(|spec| rights.allow(spec.right))
}

/// Returns the first permitted command whose name begins with the word.
fn begun_by(word: &str, rights: Rights) -> Option<&'static CommandSpec> {
    let from = (Bound::Included(word), Bound::Unbounded);
    let begun = NAMES.range::<str, _>(from).take_while(|(name, _)| name.starts_with(word));
    let allowed = begun.map(|(_, found)| *found).filter(|(_, spec)| rights.allow(spec.right));
    allowed.min_by_key(|(place, _)| *place).map(|(_, spec)| spec)
}

/// Returns the permitted command for a word, exact or abbreviated.
fn find_command(word: &str, rights: Rights) -> Option<&'static CommandSpec> {
    exact(word, rights).or_else(|| begun_by(word, rights))
}

/// Returns `true` if a word is a command or a direction, regardless of rights.
fn is_command(word: &str) -> bool {
    exact(word, Rights::ALL).is_some() || Direction::parse(word).is_some()
}

/// Returns the words of commands that a room can have as a trigger `command` too, which runs if they find nothing to act
/// on.
pub fn free_verbs() -> impl Iterator<Item = &'static str> {
    let free = table().filter(|spec| spec.yields_to_room);
    free.flat_map(|spec| [spec.name].into_iter().chain(spec.aliases.iter().copied()))
}

/// Returns the puzzle action of a command word, regardless of rights: any player may open chests.
fn puzzle_verb(word: &str) -> Option<Verb> {
    table().find(|spec| spec.name == word)?.in_puzzle
}

/// Splits off the first word. Signs such as `'` and `:` are words of their own.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.chars().next() {
        Some('\'' | ':' | '<' | '>') => (&line[..1], line[1..].trim_start()),
        _ => match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn command_words_are_unique() {
        let mut seen = BTreeSet::new();
        for word in table().flat_map(|spec| spec.aliases.iter().copied().chain([spec.name])) {
            assert!(seen.insert(word), "{word} stands twice");
            assert!(Direction::parse(word).is_none(), "{word} is a direction");
        }
    }

    /// Each command has help with syntax and example.
    #[test]
    fn interface_4_every_command_has_help() {
        for spec in table() {
            assert!(syntax_of(spec).starts_with(spec.name) && !spec.summary.is_empty(), "{}", spec.name);
            assert!(
                spec.example.contains(spec.name) || spec.aliases.iter().any(|a| spec.example.contains(a))
            );
        }
    }

    /// Syntax is stated explicitly only where it cannot be derived from the argument type.
    #[test]
    fn derivable_syntax_is_not_stated() {
        for spec in table() {
            let follows = spec.run.slot.syntax().map(|slot| format!("{} {slot}", spec.name));
            assert_ne!(follows.as_deref().map(str::trim_end), Some(spec.syntax), "{}", spec.name);
            assert!(!spec.typed().is_empty(), "{}", spec.name);
        }
    }

    #[test]
    fn abbreviations_find_the_common_word() {
        let found = |word| find_command(word, Rights::NONE).map(|spec| spec.name);
        assert_eq!(found("l"), Some("look"));
        assert_eq!(found("sc"), Some("score"));
        assert_eq!(found("inv"), Some("inventory"));
        assert_eq!(found("k"), Some("kill"));
        assert_eq!(found("dig"), None, "builders' words are not the players'");
    }

    #[test]
    fn quotes_and_colons_need_no_space() {
        assert_eq!(split("'hello there"), ("'", "hello there"));
        assert_eq!(split(":waves"), (":", "waves"));
        assert_eq!(split("  get   clay lamp "), ("get", "clay lamp"));
    }
}
