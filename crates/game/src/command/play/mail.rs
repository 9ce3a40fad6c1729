//! The command for mail.

use crate::command::parse::coins_argument::Holding;
use crate::command::parse::{Actor, Argument, Count, Words, resolve};
use crate::command::spec::{CommandSpec, LineKind, Needs, run};
use crate::message::editor;
use crate::post::mail::{self, Parcel};
use crate::post::view;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;

/// Command that sends a text, as typed before the name.
const TO: &str = "mail to";

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "mail",
    needs: Needs::Nothing,
    syntax: "mail [[read] NUMBER | to NAME = TEXT | write NAME | send NAME THING or COINS [= TEXT] | take NUMBER | delete NUMBER | return NUMBER | page NUMBER]",
    summary: "Lists your mail, the newest first, reads one, or sends a text, things or money to a climber, here or away. write lets you write the text line by line; take takes what is with a mail, and return sends all of it back.",
    example: "mail send bera 5 silver = For the rope: Bera has a mail with five silver in it.",
    missing: "mail to NAME = TEXT, mail send NAME THING = TEXT, mail take NUMBER, mail delete NUMBER or mail return NUMBER",
    takes_words: true,
    before: LineKind::Text,
    run: run!(mail),
    ..CommandSpec::PLAYER
}];

/// Argument of `mail`.
enum MailOrder<'a> {
    List(usize),
    Read(u32),
    Send { to: CharacterId, parcel: Parcel, text: &'a str },
    Write(CharacterId),
    Take(u32),
    Delete(u32),
    Return(u32),
}

impl<'a> Argument<'a> for MailOrder<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        let number = || entry_number(turn, actor, rest, mail::no_mail);
        match verb.as_str() {
            "" | "list" => Ok(Self::List(1)),
            "page" => Count::read(turn, actor, rest).map(|page| Self::List(page.0 as usize)),
            "read" => number().map(Self::Read),
            "take" | "get" => number().map(Self::Take),
            "delete" => number().map(Self::Delete),
            "return" => number().map(Self::Return),
            "write" => receiver(turn, rest).map(Self::Write),
            "to" => {
                let (name, text) = rest.sides();
                let text = text.ok_or(words.missing())?.text();
                Ok(Self::Send { to: receiver(turn, name)?, parcel: Parcel::Nothing, text })
            }
            "send" => {
                let (what, text) = rest.sides();
                let (name, items) = what.first_word();
                let to = receiver(turn, name)?;
                let parcel = match Holding::read(turn, actor, items.required()?)? {
                    Holding::Coins(sum) => Parcel::Coins(sum),
                    Holding::Items(items) => Parcel::Items(items),
                };
                Ok(Self::Send { to, parcel, text: text.map_or("", Words::text) })
            }
            _ => entry_number(turn, actor, words, mail::no_mail).map(Self::Read),
        }
    }
}

/// Parses the number of a mail or a note; `none` is the refusal for other words.
pub(crate) fn entry_number(
    turn: &Turn,
    actor: Actor,
    words: Words<'_>,
    none: fn(&str) -> Refusal,
) -> Result<u32, Refusal> {
    let number = Count::read(turn, actor, words);
    number.map(|number| number.0).map_err(|no| match no {
        Refusal::Amount(_) => none(words.text()),
        no => no,
    })
}

/// Finds the receiver, who may be away.
fn receiver(turn: &Turn, name: Words<'_>) -> Result<CharacterId, Refusal> {
    resolve::player_anywhere(turn, name.required()?.text())
}

fn mail(turn: &mut Turn, actor: Actor, order: MailOrder<'_>) -> Result<(), Refusal> {
    let who = actor.who;
    match order {
        MailOrder::List(page) => {
            let list = view::list(turn, who, page);
            actor.answer(turn, list)
        }
        MailOrder::Read(number) => {
            let view = mail::read(turn, who, number)?;
            actor.answer(turn, view)
        }
        MailOrder::Send { to, parcel, text } => mail::send(turn, who, to, text, &parcel),
        MailOrder::Write(to) => {
            turn.require_writable()?;
            let name = turn.world.name_of(to).unwrap_or_default();
            editor::begin(turn, who, format!("{TO} {name}"), editor::EditedText::of_mail(who))
        }
        MailOrder::Take(number) => mail::take(turn, who, number),
        MailOrder::Delete(number) => {
            let answer = mail::delete(turn, who, number)?;
            actor.answer(turn, answer)
        }
        MailOrder::Return(number) => {
            let answer = mail::give_back(turn, who, number)?;
            actor.answer(turn, answer)
        }
    }
}
