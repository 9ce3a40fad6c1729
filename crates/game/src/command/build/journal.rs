//! Commands of the building journal: undo, redo and history.

use crate::building::journal::words;
use crate::building::undo;
use crate::building::undo::{UndoActor, UndoMode};
use crate::command;
use crate::command::build::room::exits::hand_built;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::site::zone_meant;
use crate::command::parse::{Actor, Argument, Words, resolve};
use crate::command::spec::{CommandSpec, run, show};
use crate::command::staff::audit::{Moment, moment};
use crate::exit::pathfinding;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, DefinitionId, JournalId, Right, Rights};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Built, JournalEntry};
use serde_json::Value;

/// Entries per page.
const PAGE: usize = 10;
/// Lines per entry in a list, and letters per line.
const LINES: usize = 4;
const LINE_CHARS: usize = 160;
/// Maximum number of entries that one command takes back.
const SINCE_MAX: usize = 20;
/// Maximum lines of a single entry shown in full.
const WHOLE_LINES: usize = 500;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "undo",
        right: Some(Right::Look),
        syntax: "undo [NUMBER | NUMBER-NUMBER | NAME | zone ZONE] [since TIME] [skip]",
        summary: "Takes back what you built last, or what has a number in the journal, or all from one number to another; or what you built last in a zone; an admin also what somebody else built. With since and a time, all of it since then, the newest first. What was changed since by others is never overwritten; with skip, it is left as it is, and what was built before is taken back.",
        example: "undo after destroy here: the room is back with its exits, its text and what lay in it. undo bera since 2h: all that Bera built in the last two hours.",
        missing: "undo, and if you like the number of an entry of the journal, two numbers with a hyphen between them, a name, or zone and its name, since and a time, and skip",
        builds: false,
        run: run!(take_back),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "redo",
        right: Some(Right::Look),
        syntax: "redo [NUMBER or NAME]",
        summary: "Does again what was taken back last, as long as you have not built anything since; with a number also later.",
        example: "redo after undo: it is as it was before undo.",
        missing: "redo, and if you like the number of an entry of the journal",
        builds: false,
        run: run!(|turn, actor, meant: Meant| do_again(turn, actor, &meant)),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "journal",
        right: Some(Right::Look),
        syntax: "journal [here | EXIT | ROOM | creature KEY | thing KEY | help KEY | theme KEY | me | NAME | NUMBER] [PAGE]",
        summary: "Tells who built what, the newest first, with what each field was and is: all of it, or of this room, an exit of it, another room, or by somebody. With a number it tells one entry whole. history here is the same.",
        example: "journal here: who changed this room, and how.",
        missing: "journal, and if you like here, an exit, a room, a name or a number",
        builds: false,
        run: show!(|turn, actor, asked: Asked<'_>| page(turn, actor, asked.0)),
        ..CommandSpec::BUILDER
    },
];

/// Argument of the journal commands.
struct Asked<'a>(Words<'a>);

impl<'a> Argument<'a> for Asked<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Ok(Self(words))
    }
}

/// Entries of the journal that `undo` and `redo` mean.
enum Meant {
    /// Those of the actor.
    Own,
    /// Those of another author, by name.
    Of(Author, String),
    /// Those that changed something of a zone.
    Zone(String),
    /// Those with these numbers, from the lowest to the highest.
    Numbers(JournalId, JournalId),
}

impl Argument<'_> for Meant {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (first, rest) = words.keyword();
        if words.is_empty() {
            return Ok(Self::Own);
        }
        if first == "zone" {
            return zone_meant(turn, actor.who, rest.text()).map(Self::Zone);
        }
        let (from, to) = words.text().split_once('-').unwrap_or((words.text(), words.text()));
        if let (Some(from), Some(to)) = (number(from.trim()), number(to.trim())) {
            return Ok(Self::Numbers(from.min(to), from.max(to)));
        }
        let author = author(turn, actor, words.text()).ok_or_else(|| nothing_meant(words))?;
        Ok(Self::Of(author, words.text().to_owned()))
    }
}

impl Meant {
    /// Returns the entries that are not taken back, the newest first.
    fn entries(&self, turn: &Turn, actor: Actor) -> Result<Vec<JournalId>, Refusal> {
        let may_all = actor.rights(turn).has(Right::AllZones);
        let all = || turn.world.journal.iter().rev().map(|(_, entry)| entry);
        let entries: Vec<&JournalEntry> = match self {
            Self::Own => turn.world.journal_of(Some(actor.account)).rev().collect(),
            Self::Of(author, _) => {
                require_own(turn, actor, *author)?;
                turn.world.journal_of(author.account()).rev().collect()
            }
            Self::Zone(zone) => all()
                .filter(|entry| may_all || entry.account == Some(actor.account))
                .filter(|entry| undo::concerns(turn, entry, zone))
                .collect(),
            // A single entry is refused with its reason.
            Self::Numbers(from, to) if from == to => return Ok(vec![*from]),
            Self::Numbers(from, to) => all().filter(|entry| (*from..=*to).contains(&entry.id)).collect(),
        };
        Ok(entries.into_iter().filter(|entry| entry.undone.is_none()).map(|entry| entry.id).collect())
    }

    /// Returns the refusal if there is nothing to take back.
    fn nothing(&self) -> Refusal {
        match self {
            Self::Own => refuse!("There is nothing of yours to take back."),
            Self::Of(_, name) => refuse!("There is nothing of {name} to take back."),
            Self::Zone(zone) => refuse!("There is nothing in the zone {zone} that you may take back."),
            Self::Numbers(from, to) => refuse!("There is nothing to take back from {from} to {to}."),
        }
    }
}

/// Entries to take back.
struct Undo {
    meant: Meant,
    /// Moment since which all of them are meant, not only the newest.
    since: Option<Moment>,
    /// Entries that cannot be taken back are left as they are.
    skips: bool,
}

impl Argument<'_> for Undo {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let is_skip = |word: Words<'_>| word.text().eq_ignore_ascii_case("skip");
        let (words, skips) = match words.last_word() {
            _ if is_skip(words) => (words.without(), true),
            Some((rest, last)) if is_skip(last) => (rest, true),
            _ => (words, false),
        };
        let (first, rest) = words.first_word();
        let (meant, since) = if first.text().eq_ignore_ascii_case("since") {
            (words.without(), Some(rest))
        } else {
            words.around("since").map_or((words, None), |(meant, since)| (meant, Some(since)))
        };
        let (meant, since) =
            (Meant::read(turn, actor, meant)?, since.map(|since| moment(turn, since)).transpose()?);
        if since.is_some() && matches!(meant, Meant::Numbers(..)) {
            return Err(refuse!("A number of the journal is one entry; since goes with a name."));
        }
        Ok(Self { meant, since, skips })
    }
}

/// Author of journal entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Author {
    /// An account.
    Account(AccountId),
    /// The operator of the server.
    Operator,
}

impl Author {
    /// Returns the author as stored in the journal.
    const fn account(self) -> Option<AccountId> {
        match self {
            Self::Account(account) => Some(account),
            Self::Operator => None,
        }
    }
}

fn number(word: &str) -> Option<JournalId> {
    word.parse().ok().map(JournalId)
}

fn nothing_meant(words: Words<'_>) -> Refusal {
    refuse!(
        "There is no number, no room, no exit here and nobody called \"{}\"; journal alone tells all of it.",
        words.text()
    )
}

/// Finds an author by name: a player, an author in the journal, or the operator.
fn author(turn: &Turn, actor: Actor, name: &str) -> Option<Author> {
    if name.eq_ignore_ascii_case("me") {
        return Some(Author::Account(actor.account));
    }
    if matches!(name.to_lowercase().as_str(), "operator" | "the operator") {
        return Some(Author::Operator);
    }
    let player = turn.world.character_by_name(name).or_else(|| resolve::player_named(turn, name).ok());
    let player = player.and_then(|who| turn.world.account_of(who));
    let written = || {
        let mut entries = turn.world.journal.iter().map(|(_, entry)| entry);
        entries.find(|entry| entry.name.eq_ignore_ascii_case(name)).and_then(|entry| entry.account)
    };
    player.or_else(written).map(Author::Account)
}

/// Refuses entries of others without the right to them.
fn require_own(turn: &Turn, actor: Actor, author: Author) -> Result<(), Refusal> {
    if author.account() == Some(actor.account) || actor.rights(turn).has(Right::AllZones) {
        return Ok(());
    }
    Err(refuse!("Only an admin takes back what others built."))
}

fn take_back(turn: &mut Turn, actor: Actor, Undo { meant, since, skips }: Undo) -> Result<Markup, Refusal> {
    let is_recent = |turn: &Turn, id: JournalId| {
        since.as_ref().is_none_or(|since| {
            turn.world.journal.get(id).is_some_and(|entry| since.compare(entry.at).is_ge())
        })
    };
    let entries = meant.entries(turn, actor)?.into_iter().filter(|id| is_recent(turn, *id));
    let entries: Vec<JournalId> = entries.collect();
    let is_range = matches!(&meant, Meant::Numbers(from, to) if from != to);
    let most = if since.is_some() || is_range { SINCE_MAX } else { 1 };
    let (mut done, mut tried) = (0, 0);
    for id in &entries {
        if done == most || tried == SINCE_MAX {
            break;
        }
        tried += 1;
        match turn_over(turn, actor, *id, UndoMode::Back) {
            Ok(told) if most == 1 => return Ok(told),
            Ok(told) => {
                done += 1;
                actor.answer(turn, told)?;
            }
            Err(no) if skips => {
                let line = turn.world.journal.get(*id).map(|entry| entry.line.clone()).unwrap_or_default();
                let told =
                    Markup::plain(&format!("Left as it is, number {id}: ")).with(Style::Command, &line);
                actor.answer(turn, told)?;
                actor.answer(turn, no.markup())?;
            }
            Err(no) => return Err(if entries.len() > 1 { with_skip(&no) } else { no }),
        }
    }
    match done {
        0 if tried > 0 => Err(refuse!("None of it can be taken back.")),
        0 if since.is_some() => Err(refuse!("There is nothing since then to take back.")),
        0 => Err(meant.nothing()),
        _ if tried < entries.len() => Ok(Markup::plain("There may be more. Type it again to go on.")),
        _ => Ok(Markup::plain("That was all of it.")),
    }
}

/// Adds to a refusal how to take back what was built before.
fn with_skip(no: &Refusal) -> Refusal {
    refuse!(
        "{} With skip behind it, undo leaves it and takes back what you built before.",
        no.markup().text()
    )
}

fn do_again(turn: &mut Turn, actor: Actor, meant: &Meant) -> Result<Markup, Refusal> {
    let author = match meant {
        Meant::Numbers(from, to) if from == to => return turn_over(turn, actor, *from, UndoMode::Again),
        Meant::Numbers(..) | Meant::Zone(_) => return Err(refuse!("redo takes one number, or a name.")),
        Meant::Own => Author::Account(actor.account),
        Meant::Of(author, _) => *author,
    };
    require_own(turn, actor, author)?;
    let id = undo::last_undone(turn, author.account())
        .ok_or_else(|| refuse!("There is nothing that you have taken back since you built last."))?;
    turn_over(turn, actor, id, UndoMode::Again)
}

fn turn_over(turn: &mut Turn, actor: Actor, id: JournalId, way: UndoMode) -> Result<Markup, Refusal> {
    // Undoing a command requires the right to run it.
    let line = turn.world.journal.get(id).map(|entry| entry.line.clone()).unwrap_or_default();
    let word = line.split(' ').next().unwrap_or_default();
    if let Some(right) = command::exact(word, Rights::ALL).and_then(|spec| spec.right) {
        actor.require(turn, right)?;
    }
    undo::undo_or_redo(turn, UndoActor { account: actor.account, who: actor.who }, id, way)
}

/// Filter of journal entries.
enum Search {
    All,
    Of(Built),
    By(Author),
}

impl Search {
    fn finds(&self, entry: &JournalEntry) -> bool {
        match self {
            Self::All => true,
            Self::By(author) => entry.account == author.account(),
            // A room includes its settings and the creatures and items spawned in it.
            Self::Of(Built::Room(room)) => {
                let called_up = entry.touches.made.iter().any(|made| made.room == *room);
                called_up || entry.touches(Built::Room(*room)) || entry.touches(Built::Tasks(*room))
            }
            Self::Of(built) => entry.touches(*built),
        }
    }
}

/// Returns the journal: all entries, those about an object or by an author, or one entry in full.
pub(crate) fn page(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Markup, Refusal> {
    if let Some(id) = number(words.text()) {
        let entry = turn.world.journal.get(id).ok_or_else(|| undo::no_entry(id))?;
        let mut page = Markup::styled(Style::Heading, &words::heading(entry));
        for line in lines_of(turn, entry, WHOLE_LINES) {
            page.line(Style::Plain, &line);
        }
        return Ok(page);
    }
    let (what, page) = words.split_page_number();
    let search = search(turn, actor, what)?;
    page_of(turn, &search, what.text(), page)
}

fn search(turn: &Turn, actor: Actor, what: Words<'_>) -> Result<Search, Refusal> {
    if what.is_empty() || what.text().eq_ignore_ascii_case("all") {
        return Ok(Search::All);
    }
    if let Some(named) = DefinitionName::read(what.text())
        && let Some(id) = definition(turn, &named)
    {
        return Ok(Search::Of(Built::Definition(id)));
    }
    let room = turn.workplace(actor.who);
    if what.text().eq_ignore_ascii_case("here") {
        return Ok(Search::Of(Built::Room(room)));
    }
    // A deleted room can only be given by its number.
    let gone = what.text().strip_prefix('#').and_then(|id| id.parse().ok()).map(deepwell_core::base::RoomId);
    if let Some(room) = gone {
        return Ok(Search::Of(Built::Room(room)));
    }
    if let Some(exit) = pathfinding::exit_named(turn, room, what.bare()) {
        return Ok(Search::Of(Built::Exit(exit.id)));
    }
    if let Some(author) = author(turn, actor, what.text()) {
        return Ok(Search::By(author));
    }
    if let Ok(creature) = resolve::being_here(turn, actor.who, what.bare()) {
        return Ok(Search::Of(Built::Creature(creature)));
    }
    match hand_built(turn, actor.who, what.text()) {
        Ok(room) => Ok(Search::Of(Built::Room(room))),
        Err(_) => Err(nothing_meant(what)),
    }
}

/// Returns the id of the definition with this key, or of the last one that had it.
fn definition(turn: &Turn, named: &DefinitionName) -> Option<DefinitionId> {
    if let Some(row) = turn.world.definition(named.kind, &named.key) {
        return Some(row.id);
    }
    let says =
        |image: &Value, field: &str, word: &str| image.get(field).and_then(Value::as_str) == Some(word);
    let pieces = turn.world.journal.iter().rev().flat_map(|(_, entry)| &entry.touches.pieces);
    pieces
        .filter_map(|piece| match piece.of {
            Built::Definition(id) => Some((id, piece.before.iter().chain(&piece.after))),
            _ => None,
        })
        .find(|(_, images)| {
            let mut images = images.clone();
            images.any(|image| says(image, "kind", named.kind.name()) && says(image, "key", &named.key))
        })
        .map(|(id, _)| id)
}

/// Returns the lines describing an entry.
fn lines_of(turn: &Turn, entry: &JournalEntry, most: usize) -> Vec<String> {
    let mut lines = words::lines(turn, &entry.touches, words::Tense::Then, most);
    for made in &entry.touches.made {
        lines.push(format!("{} was called up in room {}.", grammar::capitalise(made.what.key()), made.room));
    }
    if !entry.touches.bin.is_empty() {
        let count = entry.touches.bin.len();
        lines.push(format!("In the bin: {}.", grammar::counted(count, "thing")));
    }
    if entry.too_large {
        lines.push("What it changed was more than the journal keeps.".into());
    }
    lines
}

fn page_of(turn: &Turn, search: &Search, what: &str, page: usize) -> Result<Markup, Refusal> {
    let entries = turn.world.journal.iter().rev().map(|(_, entry)| entry);
    let found = entries.filter(|entry| search.finds(entry)).skip((page - 1).saturating_mul(PAGE));
    let mut found: Vec<&JournalEntry> = found.take(PAGE + 1).collect();
    if found.is_empty() {
        return Err(refuse!("Nothing is written down about that."));
    }
    let is_more = found.len() > PAGE;
    found.truncate(PAGE);
    let mut list = Markup::styled(Style::Heading, "What was built, the newest first");
    for entry in found {
        list.line(Style::Plain, &words::heading(entry));
        for line in words::cut_keeping_difference(&lines_of(turn, entry, LINES), LINE_CHARS) {
            list.line(Style::Plain, &line);
        }
    }
    if is_more {
        let more = format!("journal {} {}", if what.is_empty() { "all" } else { what }, page + 1);
        list.line(Style::Plain, "There is more. Type ");
        list.push(Style::Command, &more);
        list.push(Style::Plain, " for what came before.");
    }
    Ok(list)
}
