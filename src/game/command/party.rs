//! Words for those who go together: parties, following, dice, the rope, companions.

use crate::game::command::spec::{Actor, CommandSpec, Needs};
use crate::game::command::{resolve, spec};
use crate::game::effect::Class;
use crate::game::party::{follow, members, roll};
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::game::{companion, movement, party, tell};
use crate::world::{Claim, LootRule};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "party",
        aliases: &["p", "group"],
        needs: Needs::Nothing,
        syntax: "party [WORDS], or party invite NAME, accept [NAME], decline [NAME], leave, kick NAME, lead NAME, \
                 loot [round-robin, free or roll], list, say WORDS",
        summary: "Tells your party something; alone, it lists who is in it. See help parties for the rest.",
        example: "p wait for me: everybody in your party hears it. party invite bera: Bera may join you.",
        takes_words: true,
        run: party,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "follow",
        syntax: "follow [NAME]",
        summary: "Goes where somebody of your party goes; alone, it stops following.",
        example: "follow olad: when Olad leaves the room, you do too.",
        run: follow,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "roll",
        needs: Needs::Storage,
        syntax: "roll [need, greed or pass] [THING]",
        summary: "Says whether you want a thing that your party throws dice for; alone, it lists what is open.",
        example: "roll need: if nobody else needs it, it is yours; else the dice decide.",
        run: roll,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "rope",
        syntax: "rope",
        summary: "Brings you back into the branch of your party from its start room, once in each branch.",
        example: "rope: you stand in the first room of the branch.",
        run: |turn, actor, _| movement::take_rope(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "companion",
        aliases: &["companions"],
        needs: Needs::Nothing,
        syntax: "companion",
        summary: "Tells who has joined you, and how they are.",
        example: "companion: a lost miner follows you, with twelve of sixteen hit points.",
        run: companion,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "dismiss",
        syntax: "dismiss [NAME]",
        summary: "Sends a creature away that has joined you.",
        example: "dismiss miner: the lost miner goes its own way.",
        run: |turn, actor, words| companion::dismiss(turn, actor.who, words),
        ..CommandSpec::PLAYER
    },
];

fn party(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let parts: Vec<&str> = words.split_whitespace().collect();
    let who = actor.who;
    let word = parts.first().map(|word| word.to_lowercase()).unwrap_or_default();
    match (word.as_str(), &parts[parts.len().min(1)..]) {
        ("" | "list" | "who", []) => {
            let list = party::party_list(turn, who);
            tell::tell(turn, who, Class::Reply, list);
            return Ok(());
        }
        ("loot", []) => return party::party_loot(turn, who, None),
        ("invite" | "kick" | "lead" | "say", []) => {
            return Err(Refusal::Missing(
                "party invite, kick or lead and a name, or party say and your words",
            ));
        }
        ("say", _) => return party::party_say(turn, who, words[3..].trim_start()),
        _ => {}
    }
    let run: fn(&mut Turn, Actor, &str) -> Result<(), Refusal> = match (word.as_str(), parts.len()) {
        ("invite", 2) => |turn, actor, name| {
            let whom = resolve::player_named(turn, name)?;
            party::invite(turn, actor.who, whom)
        },
        ("accept", 1 | 2) => |turn, actor, name| party::accept(turn, actor.who, name),
        ("decline", 1 | 2) => |turn, actor, name| party::decline(turn, actor.who, name),
        ("leave", 1) => |turn, actor, _| party::leave_party(turn, actor.who),
        ("kick", 2) => |turn, actor, name| {
            let whom = members::member_named(turn, actor.who, name)?;
            party::kick(turn, actor.who, whom)
        },
        ("lead", 2) => |turn, actor, name| {
            let whom = members::member_named(turn, actor.who, name)?;
            party::pass_lead(turn, actor.who, whom)
        },
        ("loot", 2) => set_loot,
        // Whatever is no order is said.
        _ => return party::party_say(turn, who, words),
    };
    spec::must_write(turn)?;
    run(turn, actor, parts.get(1).copied().unwrap_or_default())
}

fn set_loot(turn: &mut Turn, actor: Actor, word: &str) -> Result<(), Refusal> {
    let rule = match word.to_lowercase().as_str() {
        "round-robin" | "turn" | "turns" => LootRule::RoundRobin,
        "free" => LootRule::Free,
        "roll" | "dice" => LootRule::Roll,
        _ => return Err(Refusal::Missing("party loot and round-robin, free or roll")),
    };
    party::party_loot(turn, actor.who, Some(rule))
}

fn follow(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return follow::stop_following(turn, actor.who);
    }
    let whom = members::member_named(turn, actor.who, words)?;
    follow::follow(turn, actor.who, whom)
}

fn roll(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let (word, thing) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let claim = match word.to_lowercase().as_str() {
        "" => {
            let list = roll::open_rolls(turn, actor.who)?;
            tell::tell(turn, actor.who, Class::Reply, list);
            return Ok(());
        }
        "need" => Claim::Need,
        "greed" => Claim::Greed,
        "pass" => Claim::Pass,
        _ => return Err(Refusal::Missing("roll and need, greed or pass")),
    };
    roll::claim(turn, actor.who, claim, thing.trim())
}

fn companion(turn: &mut Turn, actor: Actor, _: &str) -> Result<(), Refusal> {
    let list = companion::companion_list(turn, actor.who);
    tell::tell(turn, actor.who, Class::Reply, list);
    Ok(())
}
