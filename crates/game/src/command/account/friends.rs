//! The command for the list of friends.

use crate::account::friends;
use crate::command::parse::{Actor, Argument, Words, resolve};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "friends",
    needs: Needs::Nothing,
    syntax: "friends [add NAME | remove NAME]",
    summary: "Lists your friends and which of them are here. You are told when they come and go. config seen off keeps others from being told of you.",
    example: "friends add bera: from then on you read when Bera comes and goes.",
    missing: "friends, friends add NAME, or friends remove NAME",
    run: run!(friends),
    ..CommandSpec::PLAYER
}];

/// Argument of `friends`.
#[derive(Clone, Copy)]
enum FriendOrder<'a> {
    List,
    Add(CharacterId),
    Remove(&'a str),
}

impl<'a> Argument<'a> for FriendOrder<'a> {
    fn read(turn: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, name) = words.keyword();
        match verb.as_str() {
            "" | "list" => Ok(Self::List),
            "add" => resolve::player_anywhere(turn, name.required()?.text()).map(Self::Add),
            "remove" => Ok(Self::Remove(name.required()?.text())),
            _ => Err(words.missing()),
        }
    }
}

fn friends(turn: &mut Turn, actor: Actor, order: FriendOrder<'_>) -> Result<(), Refusal> {
    let answer = match order {
        FriendOrder::List => {
            let list = friends::list(turn, actor.account, actor.who);
            return actor.answer(turn, list);
        }
        FriendOrder::Add(who) => {
            turn.require_writable()?;
            friends::add(turn, actor.account, who)?
        }
        FriendOrder::Remove(name) => {
            turn.require_writable()?;
            friends::remove(turn, actor.account, name)?
        }
    };
    actor.answer(turn, answer)
}
