//! Commands of the board of errands.

use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::errand;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::amount;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "errands",
    aliases: &["errand"],
    needs: Needs::Nothing,
    syntax: "errands [take NUMBER | drop [NAME]]",
    summary: "Lists the errands that you have taken and, in the Climbers' Lodge, those on the board: each for an exit into the dungeon, and new ones each day and week. take takes one, drop gives one up.",
    example: "errand take 2: you take the second errand from the board, and quests lists it too.",
    missing: "errands, errand take and a number, or errand drop",
    run: run!(errands),
    ..CommandSpec::PLAYER
}];

/// Argument of `errands`.
#[derive(Clone, Copy)]
enum ErrandOrder<'a> {
    List,
    Take(usize),
    Drop(&'a str),
}

impl<'a> Argument<'a> for ErrandOrder<'a> {
    fn read(turn: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (order, rest) = words.keyword();
        match order.as_str() {
            "" | "list" => Ok(Self::List),
            "take" => {
                turn.require_writable()?;
                Ok(Self::Take(amount::parse(rest.required()?.text())? as usize))
            }
            "drop" => {
                turn.require_writable()?;
                Ok(Self::Drop(rest.text()))
            }
            _ => Err(words.missing()),
        }
    }
}

fn errands(turn: &mut Turn, actor: Actor, order: ErrandOrder<'_>) -> Result<(), Refusal> {
    match order {
        ErrandOrder::List => {
            let page = errand::board(turn, actor.who);
            actor.answer(turn, page)
        }
        ErrandOrder::Take(number) => errand::take(turn, actor.who, number),
        ErrandOrder::Drop(name) => {
            let answer = errand::drop(turn, actor.who, name)?;
            actor.answer(turn, answer)
        }
    }
}
