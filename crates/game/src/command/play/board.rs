//! The command for boards.

use crate::command::parse::{Actor, Argument, Count, Words};
use crate::command::play::mail::entry_number;
use crate::command::spec::{CommandSpec, LineKind, Needs, run};
use crate::message::editor;
use crate::post::notes;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::Right;

/// Command that writes a note, as typed before the title.
const WRITE: &str = "board write";

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "board",
    needs: Needs::Nothing,
    syntax: "board [[read] NUMBER | write TITLE [= TEXT] | remove NUMBER | page NUMBER]",
    summary: "Lists the notes on the board of this room, the newest first, reads one, writes one, line by line without a text, or takes one of yours off.",
    example: "board write Rope wanted = Twenty fathoms, dry. Ask Bera: a note that everybody here can read.",
    missing: "board, board NUMBER, board write TITLE = TEXT, or board remove NUMBER",
    takes_words: true,
    before: LineKind::Text,
    run: run!(board),
    ..CommandSpec::PLAYER
}];

/// Argument of `board`.
#[derive(Clone, Copy)]
enum BoardOrder<'a> {
    List(usize),
    Read(u32),
    Write { title: &'a str, text: Option<&'a str> },
    Remove(u32),
}

impl<'a> Argument<'a> for BoardOrder<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        let number = |words| entry_number(turn, actor, words, notes::no_note);
        match verb.as_str() {
            "" | "list" => Ok(Self::List(1)),
            "page" => Count::read(turn, actor, rest).map(|page| Self::List(page.0 as usize)),
            "read" => number(rest).map(Self::Read),
            "remove" => number(rest).map(Self::Remove),
            "write" => {
                let (title, text) = rest.required()?.sides();
                Ok(Self::Write { title: title.required()?.text(), text: text.map(Words::text) })
            }
            _ => number(words).map(Self::Read),
        }
    }
}

fn board(turn: &mut Turn, actor: Actor, order: BoardOrder<'_>) -> Result<(), Refusal> {
    let who = actor.who;
    match order {
        BoardOrder::List(page) => {
            let list = notes::list(turn, who, page)?;
            actor.answer(turn, list)
        }
        BoardOrder::Read(number) => {
            let view = notes::read(turn, who, number)?;
            actor.answer(turn, view)
        }
        BoardOrder::Write { title, text: Some(text) } => notes::write(turn, who, title, text),
        BoardOrder::Write { title, text: None } => {
            turn.require_writable()?;
            notes::list(turn, who, 1)?;
            editor::begin(turn, who, format!("{WRITE} {title}"), editor::EditedText::of_note(who))
        }
        BoardOrder::Remove(number) => {
            let may_moderate = actor.rights(turn).has(Right::Moderate);
            let answer = notes::remove(turn, who, number, may_moderate)?;
            actor.answer(turn, answer)
        }
    }
}
