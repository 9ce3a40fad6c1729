//! Words for those who go together: parties, following, dice, the rope, companions.

use super::Refusal;
use super::spec::{Actor, CommandSpec, Touches};
use crate::game::{Class, Game};
use crate::world::{Claim, LootRule, Role};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "party",
        aliases: &["p", "group"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "party [WORDS], or party invite NAME, accept [NAME], decline [NAME], leave, kick NAME, lead NAME, \
                 loot [round-robin, free or roll], list, say WORDS",
        summary: "Tells your party something; alone, it lists who is in it. See help parties for the rest.",
        example: "p wait for me: everybody in your party hears it. party invite bera: Bera may join you.",
        run: party,
    },
    CommandSpec {
        name: "follow",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "follow [NAME]",
        summary: "Goes where somebody of your party goes; alone, it stops following.",
        example: "follow olad: when Olad leaves the room, you do too.",
        run: follow,
    },
    CommandSpec {
        name: "roll",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "roll [need, greed or pass] [THING]",
        summary: "Says whether you want a thing that your party throws dice for; alone, it lists what is open.",
        example: "roll need: if nobody else needs it, it is yours; else the dice decide.",
        run: roll,
    },
    CommandSpec {
        name: "rope",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "rope",
        summary: "Brings you back into the branch of your party from its start room, once in each branch.",
        example: "rope: you stand in the first room of the branch.",
        run: |game, actor, _| game.take_rope(actor.who),
    },
    CommandSpec {
        name: "companion",
        aliases: &["companions"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "companion",
        summary: "Tells who has joined you, and how they are.",
        example: "companion: a lost miner follows you, with twelve of sixteen hit points.",
        run: companion,
    },
    CommandSpec {
        name: "dismiss",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "dismiss [NAME]",
        summary: "Sends a creature away that has joined you.",
        example: "dismiss miner: the lost miner goes its own way.",
        run: |game, actor, words| game.dismiss(actor.who, words),
    },
];

fn party(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let parts: Vec<&str> = words.split_whitespace().collect();
    let who = actor.who;
    let word = parts.first().map(|word| word.to_lowercase()).unwrap_or_default();
    match (word.as_str(), &parts[parts.len().min(1)..]) {
        ("" | "list" | "who", []) => {
            let list = game.party_list(who);
            game.tell(who, Class::Reply, list);
            return Ok(());
        }
        ("loot", []) => return game.party_loot(who, None),
        ("invite" | "kick" | "lead" | "say", []) => {
            return Err(Refusal::Missing(
                "party invite, kick or lead and a name, or party say and your words",
            ));
        }
        ("say", _) => return game.party_say(who, words[3..].trim_start()),
        _ => {}
    }
    let run: fn(&mut Game, Actor, &str) -> Result<(), Refusal> = match (word.as_str(), parts.len()) {
        ("invite", 2) => |game, actor, name| {
            let whom = game.player_named(name)?;
            game.invite(actor.who, whom)
        },
        ("accept", 1 | 2) => |game, actor, name| game.accept(actor.who, name),
        ("decline", 1 | 2) => |game, actor, name| game.decline(actor.who, name),
        ("leave", 1) => |game, actor, _| game.leave_party(actor.who),
        ("kick", 2) => |game, actor, name| {
            let whom = game.member_named(actor.who, name)?;
            game.kick(actor.who, whom)
        },
        ("lead", 2) => |game, actor, name| {
            let whom = game.member_named(actor.who, name)?;
            game.pass_lead(actor.who, whom)
        },
        ("loot", 2) => set_loot,
        // Whatever is no order is said.
        _ => return game.party_say(who, words),
    };
    game.must_write()?;
    run(game, actor, parts.get(1).copied().unwrap_or_default())
}

fn set_loot(game: &mut Game, actor: Actor, word: &str) -> Result<(), Refusal> {
    let rule = match word.to_lowercase().as_str() {
        "round-robin" | "turn" | "turns" => LootRule::RoundRobin,
        "free" => LootRule::Free,
        "roll" | "dice" => LootRule::Roll,
        _ => return Err(Refusal::Missing("party loot and round-robin, free or roll")),
    };
    game.party_loot(actor.who, Some(rule))
}

fn follow(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return game.stop_following(actor.who);
    }
    let whom = game.member_named(actor.who, words)?;
    game.follow(actor.who, whom)
}

fn roll(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let (word, thing) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let claim = match word.to_lowercase().as_str() {
        "" => {
            let list = game.open_rolls(actor.who)?;
            game.tell(actor.who, Class::Reply, list);
            return Ok(());
        }
        "need" => Claim::Need,
        "greed" => Claim::Greed,
        "pass" => Claim::Pass,
        _ => return Err(Refusal::Missing("roll and need, greed or pass")),
    };
    game.claim(actor.who, claim, thing.trim())
}

fn companion(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let list = game.companion_list(actor.who);
    game.tell(actor.who, Class::Reply, list);
    Ok(())
}
