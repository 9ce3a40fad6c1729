//! Commands about commands: aliases, also those of keys (macros), several commands on one line, and history. The session
//! (`session::alias`) expands lines; the game stores the aliases of an account.

use crate::access::permissions;
use crate::command;
use crate::command::account::settings;
use crate::command::build::journal;
use crate::command::parse::actor::Actor;
use crate::command::parse::argument::{Argument, ArgumentForm, Count, TextArgument};
use crate::command::parse::words::Words;
use crate::command::spec::{CommandSpec, LineKind, Needs, run};
use crate::effect::{Effect, Local, Output};
use crate::exit::pathfinding;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Right, Rights, RuleLimit, amount, unicode};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Settings;
use deepwell_core::world::account::MACRO_KEYS;

/// Maximum length of an alias, in letters.
const NAME_CHARS: usize = 20;

/// Login commands that may be followed by a password.
const SECRET_AT_LOGIN: &[&str] = &["connect", "create"];

/// Default number of lines shown by `history`.
const USUAL: u32 = 20;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "alias",
        aliases: &["aliases"],
        syntax: "alias [NAME [= COMMANDS]]",
        summary: "Lists words of your own, or makes one stand for commands. See help aliases.",
        example: "alias gd = get $1;drop $1: from then on gd lamp gets the lamp and drops it.",
        takes_words: true,
        run: run!(alias),
        ..TYPING
    },
    CommandSpec {
        name: "unalias",
        syntax: "unalias NAME",
        summary: "Forgets a word of your own.",
        example: "unalias gd: gd stands for nothing any more.",
        missing: "unalias and the name of an alias",
        run: run!(unalias),
        ..TYPING
    },
    CommandSpec {
        name: "macro",
        aliases: &["macros"],
        syntax: "macro [KEY [= COMMANDS]]",
        summary: "Lists your keys that stand for commands, or makes one stand for some, for the page and other programs. See help macros.",
        example: "macro f1 = bash;guard: from then on the key F1, or typing f1, bashes and guards.",
        takes_words: true,
        run: run!(macro_key),
        ..TYPING
    },
    CommandSpec {
        name: "unmacro",
        syntax: "unmacro KEY",
        summary: "Takes the commands from a key.",
        example: "unmacro f1: f1 stands for nothing any more.",
        missing: "unmacro and the name of a key",
        run: run!(unmacro),
        ..TYPING
    },
    CommandSpec {
        name: "history",
        summary: "Lists what you typed last. An exclamation mark types the last line again, !3 the third.",
        example: "history 5: the last five lines, with their numbers.",
        for_guests: true,
        run: run!(history),
        ..TYPING
    },
    CommandSpec {
        name: "repeat",
        syntax: "repeat NUMBER COMMAND",
        summary: "Does a command several times, one after the other.",
        example: "repeat 3 north: you go north three times, if you can.",
        missing: "repeat, a number from 1 on, and a command that does not begin with repeat",
        for_guests: true,
        run: run!(repeat),
        ..TYPING
    },
];

/// Defaults of the commands here.
const TYPING: CommandSpec = CommandSpec { needs: Needs::Nothing, is_protected: true, ..CommandSpec::PLAYER };

/// Returns the command at the start of a line, by name or abbreviation, regardless of rights.
fn command_of(line: &str) -> Option<&'static CommandSpec> {
    let word = unicode::lowercase(first_word(line).trim_start_matches('@'));
    command::find_command(&word, Rights::ALL).filter(|_| !word.is_empty())
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Returns `true` if a line begins with a command that takes the rest of the line as text.
pub fn takes_words(line: &str) -> bool {
    let (word, _) = command::split(line.strip_prefix('@').unwrap_or(line));
    command::find_command(&unicode::lowercase(word), Rights::ALL).is_some_and(|spec| spec.takes_words)
}

/// Returns `true` if the word may be used as an alias.
pub fn may_be_alias(word: &str) -> bool {
    !command::table().any(|spec| spec.is_protected && spec.name == word)
}

/// Returns `true` if the command makes the server ask for a password next.
pub fn asks_for_password(line: &str) -> bool {
    command_of(line).is_some_and(|spec| spec.before == LineKind::Password)
}

/// Returns `true` if the command may be followed by a text written line by line.
pub fn begins_text(line: &str) -> bool {
    command_of(line).is_some_and(|spec| spec.before == LineKind::Text)
}

/// Strips a possible password: returns the line, or only its first word.
pub fn without_secrets(line: &str) -> &str {
    let word = first_word(line);
    let at_login = unicode::lowercase(word.trim_start_matches('@'));
    if !asks_for_password(line) && !SECRET_AT_LOGIN.contains(&&*at_login) {
        return line;
    }
    let end = line.len() - line.trim_start().len() + word.len();
    &line[..end]
}

/// An alias and its expansion; an empty expansion asks for the current one.
struct AliasArgument<'a> {
    name: String,
    text: &'a str,
}

impl<'a> Argument<'a> for AliasArgument<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (name, text) = words.name_and_value();
        Ok(Self { name: name.text().to_lowercase(), text: text.text() })
    }
}

fn alias(turn: &mut Turn, actor: Actor, meaning: Option<AliasArgument<'_>>) -> Result<(), Refusal> {
    let settings = &turn.world.accounts[actor.account].settings;
    match meaning.filter(|meaning| !meaning.name.is_empty()) {
        None => {
            let list = listing(settings);
            actor.answer(turn, list)
        }
        Some(meaning) => set_or_tell(turn, actor, meaning),
    }
}

/// Handles `macro`. A macro is an alias with the name of a key.
fn macro_key(turn: &mut Turn, actor: Actor, meaning: Option<AliasArgument<'_>>) -> Result<(), Refusal> {
    let settings = &turn.world.accounts[actor.account].settings;
    match meaning.filter(|meaning| !meaning.name.is_empty()) {
        None => {
            let list = list_of("Your macros", settings.macros()).unwrap_or_else(|| {
                "No key of yours stands for anything. Type help macros to read how that works.".into()
            });
            actor.answer(turn, list)
        }
        Some(meaning) => {
            require_key(&meaning.name)?;
            set_or_tell(turn, actor, meaning)
        }
    }
}

fn require_key(name: &str) -> Result<(), Refusal> {
    if MACRO_KEYS.contains(&name) {
        return Ok(());
    }
    Err(refuse!("The keys are {}.", grammar::list(MACRO_KEYS)))
}

/// Sets the text of an alias, if one is typed, and shows it.
fn set_or_tell(turn: &mut Turn, actor: Actor, meaning: AliasArgument<'_>) -> Result<(), Refusal> {
    let AliasArgument { name, text } = meaning;
    if !text.is_empty() {
        let mut settings = turn.world.accounts[actor.account].settings.clone();
        check_alias(turn, &settings, &name, text)?;
        settings.aliases.insert(name.clone(), text.into());
        settings::change_settings(turn, actor, settings)?;
    }
    let settings = &turn.world.accounts[actor.account].settings;
    let text = settings.aliases.get(&name).ok_or_else(|| no_alias(&name))?;
    let answer = Markup::styled(Style::Command, &name).and(" stands for: ").with(Style::Command, text);
    actor.answer(turn, answer)
}

/// Returns an error if an account may not have this alias.
fn check_alias(turn: &Turn, settings: &Settings, name: &str, text: &str) -> Result<(), Refusal> {
    let limits = &turn.config.limits;
    if name.len() > NAME_CHARS || !name.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
        return Err(refuse!("An alias is one word of at most {NAME_CHARS} plain letters and digits."));
    }
    if name.bytes().all(|letter| letter.is_ascii_digit()) {
        return Err(refuse!("An alias needs a letter."));
    }
    if !may_be_alias(name) || pathfinding::direction_named(turn, name).is_some() {
        return Err(refuse!("{name} must keep its own meaning. Choose another word."));
    }
    let too_long = |most| refuse!("An alias may stand for {most} letters.");
    refusal::require_at_most(limits, RuleLimit::AliasChars, text.chars().count(), too_long)?;
    if settings.aliases.contains_key(name) {
        return Ok(());
    }
    let has = settings.aliases.len();
    refusal::require_below(limits, RuleLimit::Aliases, has, |_| {
        refuse!("You have as many aliases as you may have. Type unalias and the name of one.")
    })
}

fn listing(settings: &Settings) -> Markup {
    let aliases = settings.aliases.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    list_of("Your aliases", aliases).unwrap_or_else(|| {
        "No word of yours stands for anything. Type help aliases to read how that works.".into()
    })
}

/// Returns a list of names with their texts; `None` if it would be empty.
fn list_of<'a, 'b>(title: &str, entries: impl Iterator<Item = (&'a str, &'b str)>) -> Option<Markup> {
    let mut entries = entries.peekable();
    entries.peek()?;
    let mut list = Markup::styled(Style::Heading, title);
    for (name, text) in entries {
        list.line(Style::Command, name);
        list.push(Style::Plain, ": ");
        list.push(Style::Command, text);
    }
    Some(list)
}

fn no_alias(name: &str) -> Refusal {
    refuse!("You have no alias \"{name}\". Type alias for the list.")
}

fn unalias(turn: &mut Turn, actor: Actor, TextArgument(name): TextArgument<'_>) -> Result<(), Refusal> {
    let name = name.to_lowercase();
    let mut settings = turn.world.accounts[actor.account].settings.clone();
    settings.aliases.remove(&name).ok_or_else(|| no_alias(&name))?;
    settings::change_settings(turn, actor, settings)?;
    actor.answer(turn, format!("{name} stands for nothing any more."))
}

fn unmacro(turn: &mut Turn, actor: Actor, TextArgument(key): TextArgument<'_>) -> Result<(), Refusal> {
    require_key(&key.to_lowercase())?;
    unalias(turn, actor, TextArgument(key))
}

/// Argument of `repeat`, which the session handles; lines that reach the game cannot be repeated.
enum Unrepeatable {}

impl Argument<'_> for Unrepeatable {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        Err(words.missing())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "every command takes what was read by value")]
fn repeat(_: &mut Turn, _: Actor, never: Unrepeatable) -> Result<(), Refusal> {
    match never {}
}

/// History to show: typed lines, or, for builders, the building journal.
#[derive(Clone, Copy)]
enum HistoryKind<'a> {
    Typed(Option<Count>),
    Journal(Words<'a>),
}

impl<'a> Argument<'a> for HistoryKind<'a> {
    const SLOT: ArgumentForm = ArgumentForm::Maybe(&ArgumentForm::One("NUMBER"));

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let is_builder = permissions::has(turn, actor.account, Right::Dig);
        if is_builder && !words.is_empty() && !amount::is_meant(words.text()) {
            return Ok(Self::Journal(words));
        }
        Option::read(turn, actor, words).map(Self::Typed)
    }
}

fn history(turn: &mut Turn, actor: Actor, kind: HistoryKind<'_>) -> Result<(), Refusal> {
    match kind {
        HistoryKind::Typed(count) => {
            let most = count.map_or(USUAL, |count| count.0);
            let output = Output::Local(Local::History(most));
            turn.outbox.push(Effect::Output { session: actor.session, output });
            Ok(())
        }
        HistoryKind::Journal(words) => {
            let page = journal::page(turn, actor, words)?;
            actor.answer(turn, page)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Possible passwords are not passed on to the game.
    #[test]
    fn t6_passwords_are_stripped_from_lines() {
        for (line, kept) in [
            ("password old new", "password"),
            ("passw old new", "passw"),
            ("  PASSWORD old", "  PASSWORD"),
            ("@password old", "@password"),
            ("connect Olad secret", "connect"),
            ("create Olad secret", "create"),
            ("recovery secret", "recovery"),
            ("party hello there", "party hello there"),
            ("p hello there", "p hello there"),
            ("say password is swordfish", "say password is swordfish"),
            ("", ""),
        ] {
            assert_eq!(without_secrets(line), kept);
        }
    }
}
