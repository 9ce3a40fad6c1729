//! Commands that take back what was built, and do it again.

use crate::building::undo;
use crate::building::undo::{UndoActor, UndoMode};
use crate::command;
use crate::command::build::journal::{JournalSearchAuthor, author, nothing_meant, number};
use crate::command::parse::site::zone_meant;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, run};
use crate::command::staff::audit::{Moment, moment};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{JournalId, Right, Rights};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::JournalEntry;

/// Maximum number of entries that one command takes back.
const SINCE_MAX: usize = 20;

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
        run: run!(|turn, actor, meant: UndoEntries| do_again(turn, actor, &meant)),
        ..CommandSpec::BUILDER
    },
];

/// Entries of the journal that `undo` and `redo` mean.
enum UndoEntries {
    /// Those of the actor.
    Own,
    /// Those of another author, by name.
    Of(JournalSearchAuthor, String),
    /// Those that changed something of a zone.
    Zone(String),
    /// Those with these numbers, from the lowest to the highest.
    Numbers(JournalId, JournalId),
}

impl Argument<'_> for UndoEntries {
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

impl UndoEntries {
    /// Returns the entries that are not taken back, the newest first.
    fn entries(&self, turn: &Turn, actor: Actor) -> Result<Vec<JournalId>, Refusal> {
        let may_all = actor.rights(turn).has(Right::AllZones);
        let all = || turn.world.journal.iter().rev().map(|(_, entry)| entry);
        let entries: Vec<&JournalEntry> = match self {
            Self::Own => turn.world.journal.of(Some(actor.account)).rev().collect(),
            Self::Of(author, _) => {
                require_own(turn, actor, *author)?;
                turn.world.journal.of(author.account()).rev().collect()
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
    meant: UndoEntries,
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
            (UndoEntries::read(turn, actor, meant)?, since.map(|since| moment(turn, since)).transpose()?);
        if since.is_some() && matches!(meant, UndoEntries::Numbers(..)) {
            return Err(refuse!("A number of the journal is one entry; since goes with a name."));
        }
        Ok(Self { meant, since, skips })
    }
}

/// Refuses entries of others without the right to them.
fn require_own(turn: &Turn, actor: Actor, author: JournalSearchAuthor) -> Result<(), Refusal> {
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
    let is_range = matches!(&meant, UndoEntries::Numbers(from, to) if from != to);
    let most = if since.is_some() || is_range { SINCE_MAX } else { 1 };
    let (mut done, mut tried) = (0, 0);
    for id in &entries {
        if done == most || tried == SINCE_MAX {
            break;
        }
        tried += 1;
        match turn_over(turn, actor, *id, UndoMode::Back) {
            Ok(answer) if most == 1 => return Ok(answer),
            Ok(answer) => {
                done += 1;
                actor.answer(turn, answer)?;
            }
            Err(no) if skips => {
                let line = turn.world.journal.get(*id).map(|entry| entry.line.clone()).unwrap_or_default();
                let report =
                    Markup::plain(&format!("Left as it is, number {id}: ")).with(Style::Command, &line);
                actor.answer(turn, report)?;
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

fn do_again(turn: &mut Turn, actor: Actor, meant: &UndoEntries) -> Result<Markup, Refusal> {
    let author = match meant {
        UndoEntries::Numbers(from, to) if from == to => {
            return turn_over(turn, actor, *from, UndoMode::Again);
        }
        UndoEntries::Numbers(..) | UndoEntries::Zone(_) => {
            return Err(refuse!("redo takes one number, or a name."));
        }
        UndoEntries::Own => JournalSearchAuthor::Account(actor.account),
        UndoEntries::Of(author, _) => *author,
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
