//! Commands to grant, revoke and list individual rights of a player.

use crate::access::permissions;
use crate::command::parse::{Actor, Argument, PlayerArgument, Words};
use crate::command::spec::{CommandSpec, FromWeb, Needs, run};
use crate::effect::Class;
use crate::message::{notices, tell};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right};
use deepwell_core::text::{grammar, nearest};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "grant",
        syntax: "grant NAME [RIGHT]",
        summary: "Gives somebody one right more than their rank has, or tells what they may. A change of their rank ends it.",
        example: "grant bera texts: she may describe rooms, whatever her rank.",
        missing: "grant, a name, and a right such as dig or texts",
        run: run!(grant),
        ..STAFF
    },
    CommandSpec {
        name: "revoke",
        syntax: "revoke NAME RIGHT",
        summary: "Takes one right from somebody, also one that their rank has. A change of their rank ends it.",
        example: "revoke bera publish: she builds on, and somebody else publishes.",
        missing: "revoke, a name, and a right such as dig or texts",
        run: run!(revoke),
        ..STAFF
    },
];

/// Defaults of the commands here.
const STAFF: CommandSpec = CommandSpec {
    right: Some(Right::Grant),
    needs: Needs::Storage,
    from_web: FromWeb::Staff,
    ..CommandSpec::PLAYER
};

/// Account and right; the right is `None` if only a name was typed.
struct Of {
    who: CharacterId,
    account: AccountId,
    name: String,
    right: Option<Right>,
}

impl Argument<'_> for Of {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (name, word) = words.required()?.first_word();
        let who = PlayerArgument::read(turn, actor, name)?.0;
        let body = &turn.world.characters[who];
        let (account, name) = (body.account.ok_or(Refusal::NotAllowed)?, body.name.clone());
        let (word, _) = word.keyword();
        let right = Right::named(&word);
        if right.is_none() && !word.is_empty() {
            let meant = nearest(&word, Right::ALL.map(Right::name));
            return Err(refuse!(
                "There is no right \"{word}\"{}. There are {}.",
                meant.map_or_else(String::new, |meant| format!("; did you mean {meant}?")),
                grammar::list(Right::ALL.map(Right::name))
            ));
        }
        Ok(Self { who, account, name, right })
    }
}

fn grant(turn: &mut Turn, actor: Actor, of: Of) -> Result<(), Refusal> {
    let Of { who, account, name, right } = of;
    let Some(right) = right else {
        let rights = permissions::of(turn, account).iter().map(Right::name);
        let rights = grammar::list_or("what every player may", rights);
        let rank = grammar::with_article(turn.world.accounts[account].role.name(), None);
        return actor.answer(turn, format!("{name} is {rank}, with these rights: {rights}."));
    };
    permissions::grant(turn, account, &name, right)?;
    inform(turn, who, &format!("You have a right more: {}.", right.name()));
    actor.answer(turn, format!("{name} has the right {} now.", right.name()))
}

fn revoke(turn: &mut Turn, actor: Actor, of: Of) -> Result<(), Refusal> {
    let Of { who, account, name, right } = of;
    let right = right.ok_or(Refusal::Missing("revoke, a name, and a right such as dig or texts"))?;
    permissions::revoke(turn, who, account, &name, right)?;
    inform(turn, who, &format!("You have a right less: {}.", right.name()));
    actor.answer(turn, format!("{name} has the right {} no longer.", right.name()))
}

fn inform(turn: &mut Turn, who: CharacterId, notice: &str) {
    notices::keep_if_away(turn, who, notice);
    tell::tell(turn, who, Class::System, notice);
}
