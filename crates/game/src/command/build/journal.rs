//! Command that shows the building journal.

use crate::building::journal::words;
use crate::building::undo;
use crate::command::build::room::exits::hand_built;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::{Actor, Argument, Words, resolve};
use crate::command::spec::{CommandSpec, show};
use crate::exit::pathfinding;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, DefinitionId, JournalId, Right};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Built, JournalEntry};
use serde_json::Value;

/// Entries per page.
const PAGE: usize = 10;
/// Lines per entry in a list, and letters per line.
const LINES: usize = 4;
const LINE_CHARS: usize = 160;
/// Maximum lines of a single entry shown in full.
const WHOLE_LINES: usize = 500;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "journal",
    right: Some(Right::Look),
    syntax: "journal [here | EXIT | ROOM | creature KEY | thing KEY | help KEY | theme KEY | me | NAME | NUMBER] [PAGE]",
    summary: "Tells who built what, the newest first, with what each field was and is: all of it, or of this room, an exit of it, another room, or by somebody. With a number it tells one entry whole. history here is the same.",
    example: "journal here: who changed this room, and how.",
    missing: "journal, and if you like here, an exit, a room, a name or a number",
    builds: false,
    run: show!(|turn, actor, asked: Asked<'_>| page(turn, actor, asked.0)),
    ..CommandSpec::BUILDER
}];

/// Argument of the journal commands.
struct Asked<'a>(Words<'a>);

impl<'a> Argument<'a> for Asked<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Ok(Self(words))
    }
}

/// Author of journal entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    /// An account.
    Account(AccountId),
    /// The operator of the server.
    Operator,
}

impl Author {
    /// Returns the author as stored in the journal.
    pub(super) const fn account(self) -> Option<AccountId> {
        match self {
            Self::Account(account) => Some(account),
            Self::Operator => None,
        }
    }
}

pub(super) fn number(word: &str) -> Option<JournalId> {
    word.parse().ok().map(JournalId)
}

pub(super) fn nothing_meant(words: Words<'_>) -> Refusal {
    refuse!(
        "There is no number, no room, no exit here and nobody called \"{}\"; journal alone tells all of it.",
        words.text()
    )
}

/// Finds an author by name: a player, an author in the journal, or the operator.
pub(super) fn author(turn: &Turn, actor: Actor, name: &str) -> Option<Author> {
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
    if let Some(row) = turn.world.definitions.find(named.kind, &named.key) {
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
