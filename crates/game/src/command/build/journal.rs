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
use deepwell_core::catalog::DefinitionKind;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Built, JournalEntry, Spawned};
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
    syntax: "journal [here | EXIT | ROOM | creature KEY | item KEY | help KEY | theme KEY | me | NAME | NUMBER] [PAGE]",
    summary: "Tells who built what, the newest first, with what each field was and is: all of it, or of this room, an exit of it, another room, or by somebody. With a number it tells one entry whole. history here is the same.",
    example: "journal here: who changed this room, and how.",
    missing: "journal, and if you like here, an exit, a room, a name or a number",
    builds: false,
    run: show!(|turn, actor, asked: JournalArgument<'_>| page(turn, actor, asked.0)),
    ..CommandSpec::BUILDER
}];

/// Argument of the journal commands.
struct JournalArgument<'a>(Words<'a>);

impl<'a> Argument<'a> for JournalArgument<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Ok(Self(words))
    }
}

/// Author of journal entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JournalSearchAuthor {
    /// An account.
    Account(AccountId),
    /// The operator of the server.
    Operator,
}

impl JournalSearchAuthor {
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
pub(super) fn author(turn: &Turn, actor: Actor, name: &str) -> Option<JournalSearchAuthor> {
    if name.eq_ignore_ascii_case("me") {
        return Some(JournalSearchAuthor::Account(actor.account));
    }
    if matches!(name.to_lowercase().as_str(), "operator" | "the operator") {
        return Some(JournalSearchAuthor::Operator);
    }
    let player = turn.world.character_by_name(name).or_else(|| resolve::player_named(turn, name).ok());
    let player = player.and_then(|who| turn.world.account_of(who));
    let written = || {
        let mut entries = turn.world.journal.iter().map(|(_, entry)| entry);
        entries.find(|entry| entry.name.eq_ignore_ascii_case(name)).and_then(|entry| entry.account)
    };
    player.or_else(written).map(JournalSearchAuthor::Account)
}

/// Filter of journal entries.
enum JournalFilter {
    All,
    Of(Built),
    By(JournalSearchAuthor),
}

impl JournalFilter {
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

fn search(turn: &Turn, actor: Actor, what: Words<'_>) -> Result<JournalFilter, Refusal> {
    if what.is_empty() || what.text().eq_ignore_ascii_case("all") {
        return Ok(JournalFilter::All);
    }
    if let Some(named) = DefinitionName::meant(turn, actor.who, what.text())
        && let Some(id) = definition(turn, &named)
    {
        return Ok(JournalFilter::Of(Built::Definition(id)));
    }
    let room = turn.workplace(actor.who);
    if what.text().eq_ignore_ascii_case("here") {
        return Ok(JournalFilter::Of(Built::Room(room)));
    }
    // A deleted room can only be given by its number.
    let gone = what.text().strip_prefix('#').and_then(|id| id.parse().ok()).map(deepwell_core::base::RoomId);
    if let Some(room) = gone {
        return Ok(JournalFilter::Of(Built::Room(room)));
    }
    if let Some(exit) = pathfinding::exit_named(turn, room, what.bare()) {
        return Ok(JournalFilter::Of(Built::Exit(exit.id)));
    }
    if let Some(author) = author(turn, actor, what.text()) {
        return Ok(JournalFilter::By(author));
    }
    if let Ok(creature) = resolve::being_here(turn, actor.who, what.bare()) {
        return Ok(JournalFilter::Of(Built::Creature(creature)));
    }
    match hand_built(turn, actor.who, what.text()) {
        Ok(room) => Ok(JournalFilter::Of(Built::Room(room))),
        Err(_) => Err(nothing_meant(what)),
    }
}

/// Returns the id of the definition with this key, or of the last one that had it.
fn definition(turn: &Turn, named: &DefinitionName) -> Option<DefinitionId> {
    if let Some(row) = turn.world.definitions.find(named.kind, &named.key) {
        return Some(row.id);
    }
    let pieces = turn.world.journal.iter().rev().flat_map(|(_, entry)| &entry.touches.pieces);
    pieces
        .filter_map(|piece| match piece.of {
            Built::Definition(id) => Some((id, piece.before.iter().chain(&piece.after))),
            _ => None,
        })
        .find(|(_, images)| {
            let mut images = images.clone();
            images.any(|image| {
                let kind = image.get("kind").and_then(|kind| serde_json::from_value(kind.clone()).ok());
                kind == Some(named.kind)
                    && image.get("key").and_then(Value::as_str) == Some(named.key.as_str())
            })
        })
        .map(|(id, _)| id)
}

/// Returns the lines describing an entry.
fn lines_of(turn: &Turn, entry: &JournalEntry, most: usize) -> Vec<String> {
    let mut lines = words::lines(turn, &entry.touches, words::Tense::Then, most);
    for made in &entry.touches.made {
        let kind = match made.what {
            Spawned::Creature(_) => DefinitionKind::Creature,
            Spawned::Item(_) => DefinitionKind::Item,
        };
        let what = words::definition_name(kind, made.what.key(), None);
        let room = words::name(turn, &entry.touches, Built::Room(made.room));
        lines.push(format!("The {what} was called up in {room}."));
    }
    if !entry.touches.bin.is_empty() {
        let count = entry.touches.bin.len();
        lines.push(format!("In the bin: {}.", grammar::counted(count, "item")));
    }
    if let Some(former) = &entry.former {
        let zones = grammar::list(former.files.keys());
        let which = if entry.undone.is_some() { "as it left them" } else { "as they were before" };
        lines.push(format!("The journal keeps the zones {which}: {zones}."));
    }
    if entry.too_large {
        lines.push("What it changed was more than the journal keeps.".into());
    }
    lines
}

fn page_of(turn: &Turn, search: &JournalFilter, what: &str, page: usize) -> Result<Markup, Refusal> {
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
