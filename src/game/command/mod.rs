//! The table of commands, the gates before them, and dispatch. One family a file.

#![expect(clippy::unnecessary_wraps, reason = "every command has the same signature")]

mod alias;
mod build;
mod exit_settings;
mod fight;
mod guide;
mod gear;
mod hook;
mod info;
mod item;
mod look;
mod own;
mod party;
mod pick;
mod password;
mod place;
mod puzzle;
pub mod refusal;
mod replay;
mod report;
mod resolve;
mod settings;
mod sheet;
mod spec;
mod staff;
mod talk;
mod trade;
mod travel;

pub use alias::{asks_for_password, may_be_alias, takes_words, without_secrets};
pub use refusal::Refusal;
use spec::{Actor, CommandSpec, Touches};

use crate::base::{Direction, SessionId, unicode};
use crate::game::{Class, Data, Game};
use crate::puzzle::Verb;
use crate::world::Role;

/// Families in the order in which abbreviations are tried: what is typed most comes first.
const FAMILIES: [&[CommandSpec]; 20] = [
    travel::COMMANDS,
    look::COMMANDS,
    talk::COMMANDS,
    item::COMMANDS,
    gear::COMMANDS,
    fight::COMMANDS,
    own::COMMANDS,
    settings::COMMANDS,
    party::COMMANDS,
    place::COMMANDS,
    puzzle::COMMANDS,
    info::COMMANDS,
    guide::COMMANDS,
    trade::COMMANDS,
    replay::COMMANDS,
    alias::COMMANDS,
    password::COMMANDS,
    report::COMMANDS,
    build::COMMANDS,
    staff::COMMANDS,
];

/// What changes the world and can be done by one who is down: it takes words, not hands.
const WHILE_DOWN: [&str; 9] = ["stop", "party", "roll", "channel", "ignore", "claim", "bug", "typo", "idea"];

/// All commands.
fn table() -> impl Iterator<Item = &'static CommandSpec> {
    FAMILIES.into_iter().flatten()
}

/// All words that mean a command; no character may be called so.
pub fn names() -> impl Iterator<Item = &'static str> {
    let directions = Direction::ALL.into_iter().map(Direction::name);
    table().flat_map(|spec| spec.aliases.iter().copied().chain([spec.name])).chain(directions)
}

/// The commands that a role may use, as their help shows them: name, syntax, summary, example.
pub fn reference(role: Role) -> impl Iterator<Item = [&'static str; 4]> {
    table()
        .filter(move |spec| spec.role <= role)
        .map(|spec| [spec.name, spec.syntax, spec.summary, spec.example])
}

/// The command a word means: exactly, or as the beginning of one that the role may use.
fn find(word: &str, role: Role) -> Option<&'static CommandSpec> {
    let exact = |spec: &&CommandSpec| spec.name == word || spec.aliases.contains(&word);
    let allowed = || table().filter(move |spec| spec.role <= role);
    allowed().find(exact).or_else(|| allowed().find(|spec| spec.name.starts_with(word)))
}

/// The nearest word that the role may use, if any is near.
fn nearest(word: &str, role: Role) -> Option<&'static str> {
    let most = if word.chars().count() <= 4 { 1 } else { 2 };
    let words = table().filter(|spec| spec.role <= role).map(|spec| spec.name);
    let words = words.chain(Direction::ALL.into_iter().map(Direction::name));
    words
        .map(|name| (strsim::osa_distance(word, name), name))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, name)| name)
}

impl Game {
    /// Carries out a typed line. Whatever happens, the client gets a prompt.
    pub(super) fn command(&mut self, session: SessionId, line: &str) {
        let Some(seat) = self.seats.get(&session) else { return };
        let actor = Actor { session, account: seat.account, who: seat.character };
        self.outbox.prompt(session);
        if let Some(branch) = self.world.characters[actor.who].branch.filter(|_| !self.read_only) {
            self.note_activity(branch);
        }
        // Sessions send clean lines. Here they are cleaned by whatever door they came: answers repeat what was typed.
        if let Err(refusal) = self.dispatch(actor, unicode::clean(line).trim()) {
            self.tell(actor.who, Class::Refusal, refusal.markup());
            self.tell_wrong_way(actor, line);
        }
    }

    /// For mappers: whoever could not go that way might know now that there is no such way.
    fn tell_wrong_way(&mut self, actor: Actor, line: &str) {
        if !self.seats.get(&actor.session).is_some_and(|seat| seat.wants.room) {
            return;
        }
        let mut words = line.split_whitespace().map(str::to_lowercase);
        let word =
            words.next().filter(|word| !matches!(word.as_str(), "go" | "walk")).or_else(|| words.next());
        let Some(direction) = word.and_then(|word| Direction::parse(&word)) else { return };
        let room = self.world.characters[actor.who].room;
        if self.exit_named(room, direction.name()).is_none() {
            self.outbox.data(actor.session, Data::RoomWrongDir(direction.letter()));
        }
    }

    fn dispatch(&mut self, actor: Actor, line: &str) -> Result<(), Refusal> {
        let line = line.strip_prefix('@').unwrap_or(line);
        let (word, rest) = split(line);
        if word.is_empty() {
            return Ok(());
        }
        let word = word.to_lowercase();
        let role = self.world.accounts[actor.account].role;
        let room = self.world.characters[actor.who].room;
        if let Some(exit) = self.exit_named(room, line).map(|exit| exit.id) {
            self.must_write()?;
            return self.walk(actor.who, exit);
        }
        // "north, quickly" is a wish to go north, as in any game of this kind.
        if let Some(direction) = Direction::parse(&word) {
            let no_way = match direction {
                // T2; the first sentence is the one that mappers wait for.
                Direction::Down => {
                    Refusal::Because("You can't go that way. There are no stairs here.".into())
                }
                _ => Refusal::NoWay,
            };
            let no_way = self.closed_way(room, direction).unwrap_or(no_way);
            let exit = self.exit_named(room, direction.name()).ok_or(no_way)?.id;
            self.must_write()?;
            return self.walk(actor.who, exit);
        }
        // Chests of puzzles are opened by everybody; else `open` is a builder's word.
        if word == "open" && self.world.puzzle_at(room).is_some() {
            self.must_write()?;
            self.may_act(actor.who)?;
            return self.works(actor.who, Verb::Open, rest).unwrap_or(Err(Refusal::NoWay));
        }
        let spec = find(&word, role).ok_or_else(|| Refusal::Unknown(word.clone(), nearest(&word, role)))?;
        if spec.touches == Touches::World {
            self.must_write()?;
        }
        if spec.touches == Touches::World && spec.role == Role::Player && !WHILE_DOWN.contains(&spec.name) {
            self.may_act(actor.who)?;
        }
        // While nothing can be written, `shutdown` must still work; all else that staff do waits.
        if spec.role > Role::Player && !self.read_only {
            let (now, action) = (self.now, format!("{} {rest}", spec.name));
            self.world.audit(now, actor.account, action.trim_end().to_owned());
        }
        (spec.run)(self, actor, rest)?;
        self.learns_by_typing(actor.who, spec.name);
        Ok(())
    }

    const fn must_write(&self) -> Result<(), Refusal> {
        if self.read_only { Err(Refusal::ReadOnly) } else { Ok(()) }
    }
}

/// The first word and the rest. `'` and `:` are words of their own.
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
    fn every_word_means_one_command() {
        let mut seen = BTreeSet::new();
        for word in table().flat_map(|spec| spec.aliases.iter().copied().chain([spec.name])) {
            assert!(seen.insert(word), "{word} stands twice");
            assert!(Direction::parse(word).is_none(), "{word} is a direction");
        }
    }

    /// Interface 4: each command has help with syntax and example.
    #[test]
    fn every_command_has_help() {
        for spec in table() {
            assert!(spec.syntax.starts_with(spec.name) && !spec.summary.is_empty(), "{}", spec.name);
            assert!(
                spec.example.contains(spec.name) || spec.aliases.iter().any(|a| spec.example.contains(a))
            );
        }
    }

    #[test]
    fn abbreviations_and_near_misses_find_the_common_word() {
        let found = |word| find(word, Role::Player).map(|spec| spec.name);
        assert_eq!(found("l"), Some("look"));
        assert_eq!(found("sc"), Some("score"));
        assert_eq!(found("inv"), Some("inventory"));
        assert_eq!(found("k"), Some("kill"));
        assert_eq!(found("dig"), None, "builders' words are not the players'");
        assert_eq!(nearest("loook", Role::Player), Some("look"));
        assert_eq!(nearest("nroth", Role::Player), Some("north"));
        assert_eq!(nearest("xyzzy", Role::Player), None);
    }

    #[test]
    fn quotes_and_colons_need_no_space() {
        assert_eq!(split("'hello there"), ("'", "hello there"));
        assert_eq!(split(":waves"), (":", "waves"));
        assert_eq!(split("  get   clay lamp "), ("get", "clay lamp"));
    }
}
