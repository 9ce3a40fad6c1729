//! Words for fighting.

use super::Refusal;
use super::look::condition;
use super::spec::{Actor, CommandSpec, Touches};
use crate::game::{Class, Game};
use crate::text::grammar;
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "kill",
        aliases: &["attack", "k"],
        role: Role::Player,
        touches: Touches::World,
        syntax: "kill CREATURE",
        summary: "Attacks a creature here. The fight goes on by itself, a blow a round, until one falls or flees.",
        example: "kill rat: you strike at the rat, and it strikes back.",
        run: kill,
    },
    CommandSpec {
        name: "flee",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "flee",
        summary: "Breaks out of a fight and runs, along the way you came if there is one.",
        example: "flee: you are in the room you came from.",
        run: |game, actor, _| game.flee(actor.who),
    },
    CommandSpec {
        name: "consider",
        aliases: &["con"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "consider CREATURE",
        summary: "Weighs a creature up before you touch it.",
        example: "consider orc: tells how many blows it may take, and what it can do to you.",
        run: consider,
    },
];

fn kill(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let room = game.world.characters[actor.who].room;
    if words.is_empty() {
        return match game.guards(room).first().copied() {
            Some(only) => game.attack(actor.who, only),
            None => Err(Refusal::Missing("kill and the name of a creature here")),
        };
    }
    let target = game.being_here(actor.who, words)?;
    game.attack(actor.who, target)
}

fn consider(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("consider and the name of a creature here"));
    }
    let other = game.being_here(actor.who, words)?;
    let (you, it) = (&game.world.characters[actor.who], &game.world.characters[other]);
    if it.is_player() {
        return Err(Refusal::NotPlayers);
    }
    let blows = |power: i32, defence: i32, hp: i32| {
        let damage = (power - defence).max(1);
        grammar::counted((hp + damage - 1).unsigned_abs() / damage.unsigned_abs(), "blow", None)
    };
    let name = game.name_of(other);
    let words = format!(
        " is {}. It falls after about {} of yours, and you after about {} of its own.",
        condition(game.hp(other), it.max_hp),
        blows(you.attack, it.defence, game.hp(other)),
        blows(it.attack, you.defence, game.hp(actor.who)),
    );
    game.tell(actor.who, Class::Reply, name.and(&words));
    Ok(())
}
