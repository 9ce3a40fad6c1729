//! Words for fighting.

use crate::catalog::guide::Lesson;
use crate::game::command::resolve;
use crate::game::command::spec::{Actor, CommandSpec, Needs};
use crate::game::effect::Class;
use crate::game::refusal::Refusal;
use crate::game::rounds::{deeds, ticks};
use crate::game::turn::Turn;
use crate::game::{affects, body, clearing, flight, naming, rounds, tell};
use crate::text::{Markup, Style};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "kill",
        aliases: &["attack", "k"],
        syntax: "kill CREATURE",
        summary: "Attacks a creature here. The fight goes on by itself, a blow a round, until one falls or flees.",
        example: "kill rat: you strike at the rat, and it strikes back.",
        teaches: Some(Lesson::Fought),
        run: kill,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "flee",
        syntax: "flee",
        summary: "Tries to break out of a fight and run, along the way you came if there is one. Tells the odds.",
        example: "flee: you are in the room you came from; if it fails, you lose your blow.",
        teaches: Some(Lesson::Fled),
        run: |turn, actor, _| flight::flee(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "consider",
        aliases: &["con"],
        needs: Needs::Nothing,
        syntax: "consider CREATURE",
        summary: "Weighs a creature up before you touch it: how the fight would go, and the odds of fleeing.",
        example: "consider orc: tells in how many rounds each of you would fall.",
        teaches: Some(Lesson::Considered),
        run: consider,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "rescue",
        syntax: "rescue NAME",
        summary: "Helps up a friend who is down, or draws one attacker away from a friend who stands.",
        example: "rescue Bera: she stands again, and nothing strikes her for a round.",
        run: rescue,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "stop",
        needs: Needs::Storage,
        syntax: "stop",
        summary: "Lets go of an opponent that does not fight back. While you are down: gives up waiting for help.",
        example: "stop: you let go of the sleeping troll.",
        run: |turn, actor, _| deeds::stop(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "struggle",
        syntax: "struggle",
        summary: "Tears at whatever holds you: each try takes a round off its hold. One try a round.",
        example: "struggle: the web gives way.",
        run: |turn, actor, _| ticks::struggle(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "affects",
        aliases: &["aff"],
        needs: Needs::Nothing,
        syntax: "affects",
        summary: "Tells what hangs on you for a while, what it does and how long it lasts.",
        example: "affects: Poisoned, for 20 seconds: you lose two hit points a round.",
        run: affects,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "rest",
        aliases: &["sit"],
        syntax: "rest",
        summary: "Sits down: wounds close three times as fast, until a fight or your next step.",
        example: "rest: you sit down to rest.",
        teaches: Some(Lesson::Rested),
        run: |turn, actor, _| body::rest(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "stand",
        syntax: "stand",
        summary: "Gets up from a rest.",
        example: "stand: you get up.",
        run: |turn, actor, _| body::stand(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "wait",
        syntax: "wait",
        summary: "Lets a moment pass; who has waited a round strikes first. With config wait on, lets a round pass.",
        example: "wait: you stand still, ready for whatever comes.",
        run: |turn, actor, _| rounds::wait(turn, actor.who),
        ..CommandSpec::PLAYER
    },
];

fn kill(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let body = &turn.world.characters[actor.who];
    if words.is_empty() {
        let only = body.target.or_else(|| clearing::guards(turn, body.room).first().copied());
        return match only {
            Some(only) => deeds::attack(turn, actor.who, only),
            None => Err(Refusal::Missing("kill and the name of a creature here")),
        };
    }
    let target = resolve::being_here(turn, actor.who, words)?;
    deeds::attack(turn, actor.who, target)
}

fn consider(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let target = turn.world.characters[actor.who].target;
    let other = match (words.is_empty(), target) {
        (true, None) => return Err(Refusal::Missing("consider and the name of a creature here")),
        (true, Some(target)) => target,
        (false, _) => resolve::being_here(turn, actor.who, words)?,
    };
    if other == actor.who {
        return Err(Refusal::Yourself);
    }
    if turn.world.characters[other].is_player() {
        return Err(Refusal::NotPlayers);
    }
    let words = flight::weigh_up(turn, actor.who, other);
    tell::tell(turn, actor.who, Class::Reply, words);
    Ok(())
}

fn affects(turn: &mut Turn, actor: Actor, _: &str) -> Result<(), Refusal> {
    let mut list = Markup::new();
    for line in affects::affects_in_words(turn, actor.who) {
        list.line(Style::Plain, &line);
    }
    if list.is_empty() {
        list.push(Style::Plain, "Nothing hangs on you, good or bad.");
    }
    tell::tell(turn, actor.who, Class::Reply, list);
    Ok(())
}

fn rescue(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("rescue and the name of a friend here"));
    }
    let friend = resolve::being_here(turn, actor.who, words)?;
    let body = &turn.world.characters[friend];
    if !body.is_player() && body.master.is_none() {
        return Err(Refusal::Because(format!(
            "{} needs no help of yours.",
            naming::name_of(turn, friend).text()
        )));
    }
    deeds::rescue(turn, actor.who, friend)
}
