//! Commands for a player's quests.

use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::quest;
use crate::quest::view;
use crate::refusal::Refusal;
use crate::turn::Turn;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "quests",
    aliases: &["quest"],
    needs: Needs::Nothing,
    syntax: "quests [NAME | abandon NAME]",
    summary: "Lists what you have undertaken, each with what comes next; with a name, tells all of one. abandon gives one up.",
    example: "quest tails: what you are to do for the climber, and how far you are.",
    missing: "quests, or quests and a name, or quests abandon and a name",
    run: run!(quests),
    ..CommandSpec::PLAYER
}];

/// Argument of `quests`.
#[derive(Clone, Copy)]
enum Order<'a> {
    List,
    Show(&'a str),
    Abandon(&'a str),
}

impl<'a> Argument<'a> for Order<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        Ok(match verb.as_str() {
            "" => Self::List,
            "abandon" => Self::Abandon(rest.required()?.text()),
            _ => Self::Show(words.text()),
        })
    }
}

fn quests(turn: &mut Turn, actor: Actor, order: Order<'_>) -> Result<(), Refusal> {
    match order {
        Order::List => {
            let page = view::list(turn, actor.who);
            actor.answer(turn, page)
        }
        Order::Show(name) => {
            let page = view::sheet(turn, actor.who, name)?;
            actor.answer(turn, page)
        }
        Order::Abandon(name) => {
            turn.require_writable()?;
            let told = quest::abandon(turn, actor.who, name)?;
            actor.answer(turn, told)
        }
    }
}
