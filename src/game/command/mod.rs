//! The table of commands, the gates before them, and dispatch. One family a file.

#![expect(clippy::unnecessary_wraps, reason = "every command has the same signature")]

pub(crate) mod ability;
mod archery;
mod at_desk;
pub(crate) mod account;
pub(crate) mod actor;
pub(crate) mod alias;
pub(crate) mod argument;
pub(crate) mod audit;
pub(crate) mod ban;
pub(crate) mod build;
pub(crate) mod build_argument;
mod built;
pub(crate) mod chart;
mod check;
pub(crate) mod coins_argument;
pub(crate) mod detail;
pub(crate) mod make;
mod definition_sheet;
mod dig;
pub(crate) mod exit_settings;
pub(crate) mod fight;
mod find;
pub(crate) mod gear;
mod grant;
pub(crate) mod guest;
pub(crate) mod guide;
pub(crate) mod hook;
pub(crate) mod info;
pub(crate) mod item;
pub(crate) mod journal;
pub(crate) mod look;
pub(crate) mod meaning;
pub(crate) mod moderation;
pub(crate) mod operator;
pub(crate) mod own;
pub(crate) mod party;
pub(crate) mod password;
pub(crate) mod pick;
pub(crate) mod place;
pub(crate) mod presence;
mod preview;
pub(crate) mod puzzle;
pub(crate) mod puzzle_argument;
#[cfg(test)]
mod read_only_tests;
mod rehearse;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod resolve;
mod retype;
pub(crate) mod rework;
pub(crate) mod setting;
pub(crate) mod settings;
pub(crate) mod site;
pub(crate) mod sheet;
pub(crate) mod spec;
pub(crate) mod staff;
pub(crate) mod stock;
pub(crate) mod tag;
pub(crate) mod talk;
pub(crate) mod trade;
pub(crate) mod travel;
pub(crate) mod trigger;
pub(crate) mod typed;
pub(crate) mod upkeep;
mod walk;
pub(crate) mod words;
mod vault;
mod zone;

pub use crate::game::command::alias::asks_for_password;
pub use crate::game::command::alias::begins_text;
pub use crate::game::command::alias::may_be_alias;
pub use crate::game::command::alias::takes_words;
pub use crate::game::command::alias::without_secrets;
pub(crate) use crate::game::command::at_desk::{build_at_desk, try_at_desk};
pub use crate::game::command::typed::{can_be_typed, dead_words};

use crate::base::{Direction, Rights, SessionId, unicode};
use crate::catalog::Ranks;
use crate::game::command::actor::Actor;
use crate::game::command::meaning::Meaning;
use crate::game::command::spec::{CommandSpec, KnownTo, Needs, WhenAway, WhenFrozen};
use crate::game::command::words::Words;
use crate::game::creatures::hooks;
use crate::game::data::{Data, Package};
use crate::game::draft::Line;
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::puzzle::deeds;
use crate::game::refusal::{Refusal, WayRefusal};
use crate::game::turn::Turn;
use crate::game::{
    abilities, body, books, doors, draft, movement, puzzle_state, restraint, rights, rooms, tell, tending,
    ways,
};
use crate::puzzle::{Verb, find_device};
use crate::world::{Restraint, Role};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::LazyLock;

/// Families in the order in which abbreviations are tried: what is typed most comes first.
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
    place::COMMANDS,
    puzzle::COMMANDS,
    info::COMMANDS,
    presence::COMMANDS,
    guide::COMMANDS,
    guest::COMMANDS,
    trade::COMMANDS,
    replay::COMMANDS,
    alias::COMMANDS,
    password::COMMANDS,
    account::COMMANDS,
    report::COMMANDS,
    dig::COMMANDS,
    build::COMMANDS,
    rework::COMMANDS,
    detail::COMMANDS,
    tag::COMMANDS,
    find::COMMANDS,
    stock::COMMANDS,
    make::COMMANDS,
    trigger::COMMANDS,
    journal::COMMANDS,
    upkeep::COMMANDS,
    vault::COMMANDS,
    zone::COMMANDS,
    rehearse::COMMANDS,
    check::COMMANDS,
    preview::COMMANDS,
    staff::COMMANDS,
    grant::COMMANDS,
    moderation::COMMANDS,
    ban::COMMANDS,
    audit::COMMANDS,
    // Words that few know are short for nothing that everybody types.
    ability::COMMANDS,
    archery::COMMANDS,
];

/// All commands.
fn table() -> impl Iterator<Item = &'static CommandSpec> {
    FAMILIES.iter().copied().flatten()
}

/// All words that mean a command; no character may be called so.
pub fn names() -> impl Iterator<Item = &'static str> {
    let directions = Direction::ALL.into_iter().filter(|way| !way.is_diagonal()).map(Direction::name);
    table().flat_map(|spec| spec.aliases.iter().copied().chain([spec.name])).chain(directions)
}

/// The commands that a rank of the shipped content may use, as their help shows them: name, syntax, summary, example.
pub fn reference(role: Role) -> impl Iterator<Item = [&'static str; 4]> {
    reference_with(Ranks::builtin().of(role.name()))
}

/// The commands that some rights are enough for, in the same way.
pub fn reference_with(rights: Rights) -> impl Iterator<Item = [&'static str; 4]> {
    allowed(rights).map(|spec| [spec.name, syntax_of(spec), spec.summary, spec.example])
}

/// How each command is typed, by its name.
static SYNTAXES: LazyLock<BTreeMap<&str, String>> =
    LazyLock::new(|| table().map(|spec| (spec.name, spec.typed())).collect());

/// How a command is typed.
fn syntax_of(spec: &CommandSpec) -> &'static str {
    SYNTAXES.get(spec.name).map_or("", String::as_str)
}

/// The commands that some rights are enough for.
fn allowed(rights: Rights) -> impl Iterator<Item = &'static CommandSpec> {
    table().filter(move |spec| rights.allow(spec.right))
}

/// The commands of each word, in the order of the table, with their places in it.
struct Index(BTreeMap<&'static str, Vec<(usize, &'static CommandSpec)>>);

impl Index {
    fn of<I: IntoIterator<Item = &'static str>>(words: impl Fn(&'static CommandSpec) -> I) -> Self {
        let mut index: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (place, spec) in table().enumerate() {
            for word in words(spec) {
                index.entry(word).or_default().push((place, spec));
            }
        }
        Self(index)
    }
}

/// All words that mean a command as a whole.
static WORDS: LazyLock<Index> =
    LazyLock::new(|| Index::of(|spec| spec.aliases.iter().copied().chain([spec.name])));

/// The names of commands, which may be shortened.
static NAMES: LazyLock<Index> = LazyLock::new(|| Index::of(|spec| [spec.name]));

/// The command that a word means as a whole.
fn exact(word: &str, rights: Rights) -> Option<&'static CommandSpec> {
    let meant = WORDS.0.get(word)?;
    meant.iter().map(|(_, spec)| *spec).find(|spec| rights.allow(spec.right))
}

/// The first command that begins so.
fn begun_by(word: &str, rights: Rights) -> Option<&'static CommandSpec> {
    let from = (Bound::Included(word), Bound::Unbounded);
    let begun = NAMES.0.range::<str, _>(from).take_while(|(name, _)| name.starts_with(word));
    let allowed = begun.flat_map(|(_, specs)| specs).filter(|(_, spec)| rights.allow(spec.right));
    allowed.min_by_key(|(place, _)| *place).map(|(_, spec)| *spec)
}

/// The command a word means: exactly, or as the beginning of one that the rights are enough for.
fn find(word: &str, rights: Rights) -> Option<&'static CommandSpec> {
    exact(word, rights).or_else(|| begun_by(word, rights))
}

/// Carries out a typed line. Whatever happens, the client gets a prompt.
pub(crate) fn command(turn: &mut Turn, session: SessionId, line: &str) {
    let Some(seat) = turn.seats.get(&session) else { return };
    let actor = Actor { session, account: seat.account, who: seat.character };
    turn.outbox.prompt(session);
    if let Some(branch) = turn.world.characters[actor.who].branch.filter(|_| !turn.read_only) {
        rooms::note_activity(turn, branch);
    }
    // Sessions send clean lines. Here they are cleaned by whatever door they came: answers repeat what was typed.
    let clean = unicode::clean(line);
    let done = match draft::next_line(turn, actor.who) {
        0 => dispatch(turn, actor, clean.trim()),
        _ => write(turn, actor, &clean),
    };
    if let Err(refusal) = done {
        tell::tell(turn, actor.who, Class::Refusal, refusal.markup());
        tell_wrong_way(turn, actor, line);
    }
}

/// Takes a line of whoever writes a text. An ended text is the end of the command that it was begun with; what that
/// refuses is kept.
fn write(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let line = match Line::read(line) {
        Line::Command(command) => return dispatch(turn, actor, command),
        line => line,
    };
    restraint::require_free(turn, actor.account, Restraint::Freeze)?;
    spec::must_write(turn)?;
    match line {
        Line::End => {
            let command = draft::finish(turn, actor.who)?;
            dispatch(turn, actor, &command)?;
            draft::forget(turn, actor.who);
        }
        Line::Cancel => {
            draft::forget(turn, actor.who);
            actor.answer(turn, "What you wrote is thrown away.")?;
        }
        Line::Text(words) => draft::add(turn, actor.who, words)?,
        Line::Command(_) => {}
    }
    Ok(())
}

/// For mappers: whoever could not go that way might know now that there is no such way.
fn tell_wrong_way(turn: &mut Turn, actor: Actor, line: &str) {
    if !turn.wants(actor.session, Package::Room) {
        return;
    }
    let mut words = line.split_whitespace().map(str::to_lowercase);
    let word = words.next().filter(|word| !matches!(word.as_str(), "go" | "walk")).or_else(|| words.next());
    let Some(direction) = word.and_then(|word| ways::direction_named(turn, &word)) else { return };
    let room = turn.world.characters[actor.who].room;
    if ways::exit_named(turn, room, direction.name()).is_none() {
        turn.outbox.data(actor.session, Data::RoomWrongDir(direction.letter()));
    }
}

fn dispatch(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let (word, rest) = split(line);
    if word.is_empty() {
        return Ok(());
    }
    let word = word.to_lowercase();
    let rights = actor.rights(turn);
    let named = find(&word, rights);
    if named.map(|spec| spec.when_frozen) != Some(WhenFrozen::Done) {
        restraint::require_free(turn, actor.account, Restraint::Freeze)?;
    }
    // Whoever types is there again.
    if named.map(|spec| spec.when_away) != Some(WhenAway::Said)
        && crate::game::presence::come_back(turn, actor.who)
    {
        tell::tell(turn, actor.who, Class::Notice, "You are back.");
    }
    if let Some(done) = go_or_work(turn, actor, line, (&word, rest)) {
        return done;
    }
    let meaning = meaning::of(&turn.catalog, rights, &word, line)?;
    guest::require_open(turn, actor.account, &meaning)?;
    let spec = match meaning {
        Meaning::Command(spec) => spec,
        Meaning::Social(social) => return meaning::perform(turn, actor, &social, rest),
    };
    match spec.known_to {
        KnownTo::Everybody => {}
        KnownTo::Learners => _ = abilities::known(turn, actor.who, spec.name)?,
        KnownTo::Staff if rights::is_staff(turn, actor.account) => {}
        KnownTo::Staff => return Err(Refusal::Unknown(word, None)),
    }
    carry_out(turn, actor, spec, rest)?;
    if let Some(lesson) = spec.teaches {
        turn.happen(Happening::Learned { who: actor.who, lesson });
    }
    Ok(())
}

/// Does what a command does, and writes down what it was and what was built by it.
fn carry_out(turn: &mut Turn, actor: Actor, spec: &CommandSpec, rest: &str) -> Result<(), Refusal> {
    may(turn, actor, spec.needs)?;
    // While nothing can be written, `shutdown` must still work; all else that staff do waits.
    if spec.right.is_some() && !turn.read_only {
        books::audit(turn, Some(actor.account), format!("{} {rest}", spec.name).trim_end());
    }
    let call = |turn: &mut Turn| (spec.run.call)(turn, actor, Words::new(rest, spec.missing));
    if spec.builds && !turn.read_only {
        built::write_down(turn, actor, &format!("{} {rest}", spec.name), call)?;
    } else {
        call(turn)?;
    }
    if spec.right.is_some() && !turn.read_only {
        tending::begin(turn);
    }
    Ok(())
}

/// What a line means that is no command: a way out of the room, a command of its builders, or what is done in a puzzle. None if it is neither, or
/// its body is frozen.
fn go_or_work(
    turn: &mut Turn,
    actor: Actor,
    line: &str,
    (word, rest): (&str, &str),
) -> Option<Result<(), Refusal>> {
    if restraint::is_frozen(turn, actor.account) {
        return None;
    }
    let room = turn.world.characters[actor.who].room;
    let go = |turn: &mut Turn, exit| {
        spec::must_write(turn)?;
        movement::walk(turn, actor.who, exit)
    };
    if let Some(exit) = ways::exit_named(turn, room, line).map(|exit| exit.id) {
        return Some(go(turn, exit));
    }
    // "north, quickly" is a wish to go north, as in any game of this kind.
    if let Some(direction) = ways::direction_named(turn, word) {
        let no_way = match direction {
            // The first sentence is the one that mappers wait for.
            Direction::Down => WayRefusal::NoStairsDown.into(),
            _ => Refusal::NoWay,
        };
        let no_way = puzzle_state::closed_way(turn, room, direction).unwrap_or(no_way);
        return Some(match ways::exit_named(turn, room, direction.name()).map(|exit| exit.id) {
            Some(exit) => go(turn, exit),
            None => walk::step(turn, actor, direction).unwrap_or(Err(no_way)),
        });
    }
    if let Some(shut) = match word {
        "open" => Some(false),
        "close" | "shut" => Some(true),
        _ => None,
    } && let Some(door) = doors::door_named(turn, room, words::without_article(rest))
    {
        return Some(may(turn, actor, Needs::Hands).and_then(|()| doors::work(turn, actor.who, door, shut)));
    }
    if let Some(verb) = Verb::named(word)
        && let Some(done) = try_handling(turn, actor, verb, words::without_article(rest))
    {
        return Some(done);
    }
    if hooks::is_command_of(turn, room, word) && !is_command(word) {
        return Some(may(turn, actor, Needs::Hands).map(|()| hooks::obey(turn, actor.who, word, rest)));
    }
    let verb = puzzle_verb(word).filter(|_| turn.world.puzzle_at(room).is_some())?;
    Some(may(turn, actor, Needs::Hands).and_then(|()| {
        deeds::work(turn, actor.who, verb, words::without_article(rest)).unwrap_or(Err(Refusal::NoWay))
    }))
}

/// Does something to a thing of a puzzle whose uses are written; none where nothing here takes that.
fn try_handling(turn: &mut Turn, actor: Actor, verb: Verb, words: &str) -> Option<Result<(), Refusal>> {
    let (_, run, cell) = turn.world.puzzle_at(turn.world.characters[actor.who].room)?;
    let meant = find_device(&run.layout, cell, verb, words)?;
    Some(may(turn, actor, Needs::Hands).and_then(|()| deeds::handle(turn, actor.who, meant)))
}

/// Refuses what cannot be done now, whoever asks.
fn may(turn: &Turn, actor: Actor, needs: Needs) -> Result<(), Refusal> {
    if needs != Needs::Nothing {
        spec::must_write(turn)?;
    }
    if needs == Needs::Hands { body::may_act(turn, actor.who) } else { Ok(()) }
}

/// Whether a word is that of a command or a way, whoever may use it.
fn is_command(word: &str) -> bool {
    exact(word, Rights::ALL).is_some() || Direction::parse(word).is_some()
}

/// What a word does inside a puzzle, whatever the role: chests are opened by everybody.
fn puzzle_verb(word: &str) -> Option<Verb> {
    table().find(|spec| spec.name == word)?.in_puzzle
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
            assert!(syntax_of(spec).starts_with(spec.name) && !spec.summary.is_empty(), "{}", spec.name);
            assert!(
                spec.example.contains(spec.name) || spec.aliases.iter().any(|a| spec.example.contains(a))
            );
        }
    }

    /// A syntax is written out where it does not follow from what the command takes, and nowhere else.
    #[test]
    fn no_syntax_is_written_that_follows() {
        for spec in table() {
            let follows = spec.run.slot.syntax().map(|slot| format!("{} {slot}", spec.name));
            assert_ne!(follows.as_deref().map(str::trim_end), Some(spec.syntax), "{}", spec.name);
            assert!(!spec.typed().is_empty(), "{}", spec.name);
        }
    }

    #[test]
    fn abbreviations_find_the_common_word() {
        let found = |word| find(word, Rights::NONE).map(|spec| spec.name);
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
