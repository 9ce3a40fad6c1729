//! Party commands: parties, following, loot rolls, the rope, companions.

use crate::command::parse::{
    Actor, Argument, MemberArgument, NameArgument, PlayerArgument, SpeechArgument, Words,
};
use crate::command::spec::{CommandSpec, Needs, run, show};
use crate::creature::companion;
use crate::party::{finder, follow, leader, roll};
use crate::refusal::Refusal;
use crate::turn::Turn;
use crate::{movement, party};
use deepwell_core::base::CharacterId;
use deepwell_core::world::{Claim, LootRule};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "party",
        aliases: &["p", "group"],
        needs: Needs::Nothing,
        syntax: "party [WORDS], or party invite NAME, accept [NAME], decline [NAME], leave, kick NAME, lead NAME, \
                 loot [round-robin, free or roll], list, say WORDS",
        summary: "Tells your party something; alone, it lists who is in it. See help parties for the rest.",
        example: "p wait for me: everybody in your party hears it. party invite bera: Bera may join you.",
        takes_words: true,
        missing: "party invite, kick or lead and a name, or party say and your words",
        run: run!(party),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "follow",
        summary: "Goes where somebody of your party goes; alone, it stops following.",
        example: "follow olad: when Olad leaves the room, you do too.",
        run: run!(follow),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "roll",
        needs: Needs::Storage,
        syntax: "roll [need, greed or pass] [THING]",
        summary: "Says whether you want a thing that your party throws dice for; alone, it lists what is open.",
        example: "roll need: if nobody else needs it, it is yours; else the dice decide.",
        missing: "roll and need, greed or pass",
        run: run!(roll),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "rope",
        summary: "Brings you back into the branch of your party from its start room, once in each branch.",
        example: "rope: you stand in the first room of the branch.",
        run: run!(|turn, actor, ()| movement::take_rope(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "company",
        aliases: &["lfg"],
        needs: Needs::Nothing,
        syntax: "company [WORDS | off]",
        summary: "Lists the climbers who look for company; with words, puts you on the list, until company off, until you join a party, or until you leave the game.",
        example: "company the well, slowly: others who type company read that you look for company, with your words.",
        takes_words: true,
        run: run!(company),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "companion",
        aliases: &["companions"],
        summary: "Tells who has joined you, and how they are.",
        example: "companion: a lost miner follows you, with twelve of sixteen hit points.",
        run: show!(|turn, actor, ()| Ok(companion::companion_list(turn, actor.who))),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "dismiss",
        syntax: "dismiss [NAME]",
        summary: "Sends a creature away that has joined you.",
        example: "dismiss miner: the lost miner goes its own way.",
        run: run!(|turn, actor, name: Option<NameArgument<'_>>| {
            companion::dismiss(turn, actor.who, NameArgument::or_nothing(name))
        }),
        ..CommandSpec::PLAYER
    },
];

/// Argument of `party`.
#[derive(Clone, Copy)]
enum PartyOrder<'a> {
    /// Lists the members.
    List,
    /// Any other text is said to the party.
    Say(&'a str),
    /// Shows the loot rule.
    Loot,
    Invite(CharacterId),
    /// Accepts an invitation, by the name of the inviting player if there are several.
    Accept(&'a str),
    Decline(&'a str),
    Leave,
    Kick(CharacterId),
    Lead(CharacterId),
    SetLoot(LootRule),
}

impl<'a> Argument<'a> for PartyOrder<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (order, rest) = words.keyword();
        let names = rest.text().split_whitespace().count();
        match (order.as_str(), names) {
            ("" | "list" | "who", 0) => return Ok(Self::List),
            ("loot", 0) => return Ok(Self::Loot),
            ("invite" | "kick" | "lead" | "say", 0) => return Err(words.missing()),
            ("say", _) => return Ok(Self::Say(rest.text())),
            ("invite" | "kick" | "lead" | "loot", 1) | ("accept" | "decline", 0 | 1) | ("leave", 0) => {}
            _ => return Ok(Self::Say(words.text())),
        }
        // All other orders change the party.
        turn.require_writable()?;
        match order.as_str() {
            "invite" => PlayerArgument::read(turn, actor, rest).map(|player| Self::Invite(player.0)),
            "kick" => MemberArgument::read(turn, actor, rest).map(|member| Self::Kick(member.0)),
            "lead" => MemberArgument::read(turn, actor, rest).map(|member| Self::Lead(member.0)),
            "accept" => Ok(Self::Accept(rest.text())),
            "decline" => Ok(Self::Decline(rest.text())),
            "leave" => Ok(Self::Leave),
            _ => loot_rule(rest).map(Self::SetLoot),
        }
    }
}

fn company(turn: &mut Turn, actor: Actor, SpeechArgument(wish): SpeechArgument<'_>) -> Result<(), Refusal> {
    let answer = match wish {
        "" => finder::list(turn, actor.who),
        "off" => {
            finder::end(turn, actor.who)?;
            "You are off the list of those who look for company.".into()
        }
        wish => {
            finder::seek(turn, actor.who, wish)?;
            "You are on the list of those who look for company.".into()
        }
    };
    actor.answer(turn, answer)
}

fn loot_rule(words: Words<'_>) -> Result<LootRule, Refusal> {
    match words.keyword().0.as_str() {
        "round-robin" | "turn" | "turns" => Ok(LootRule::RoundRobin),
        "free" => Ok(LootRule::Free),
        "roll" | "dice" => Ok(LootRule::Roll),
        _ => Err(Refusal::Missing("party loot and round-robin, free or roll")),
    }
}

fn party(turn: &mut Turn, actor: Actor, order: PartyOrder<'_>) -> Result<(), Refusal> {
    let who = actor.who;
    match order {
        PartyOrder::List => {
            let list = party::party_list(turn, who);
            actor.answer(turn, list)
        }
        PartyOrder::Say(speech) => party::party_say(turn, who, speech),
        PartyOrder::Loot => party::party_loot(turn, who, None),
        PartyOrder::Invite(whom) => party::invitation::invite(turn, who, whom),
        PartyOrder::Accept(name) => party::invitation::accept(turn, who, name),
        PartyOrder::Decline(name) => party::invitation::decline(turn, who, name),
        PartyOrder::Leave => party::leave_party(turn, who),
        PartyOrder::Kick(whom) => party::kick(turn, who, whom),
        PartyOrder::Lead(whom) => leader::pass_lead(turn, who, whom),
        PartyOrder::SetLoot(rule) => party::party_loot(turn, who, Some(rule)),
    }
}

fn follow(turn: &mut Turn, actor: Actor, whom: Option<MemberArgument>) -> Result<(), Refusal> {
    match whom {
        None => follow::stop_following(turn, actor.who),
        Some(MemberArgument(whom)) => follow::follow(turn, actor.who, whom),
    }
}

/// Claim to an item being rolled for.
#[derive(Clone, Copy)]
struct Wanting<'a> {
    claim: Claim,
    item: &'a str,
}

impl<'a> Argument<'a> for Wanting<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (word, item) = words.keyword();
        let claim = match word.as_str() {
            "need" => Claim::Need,
            "greed" => Claim::Greed,
            "pass" => Claim::Pass,
            _ => return Err(words.missing()),
        };
        Ok(Self { claim, item: item.bare() })
    }
}

fn roll(turn: &mut Turn, actor: Actor, wanting: Option<Wanting<'_>>) -> Result<(), Refusal> {
    if let Some(Wanting { claim, item }) = wanting {
        return roll::claim(turn, actor.who, claim, item);
    }
    let list = roll::open_rolls(turn, actor.who)?;
    actor.answer(turn, list)
}
