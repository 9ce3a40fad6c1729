//! Combat commands.

use crate::attack::duel;
use crate::character::{affects, rest};
use crate::combat::rounds::{deeds, ticks};
use crate::combat::{manoeuvres, rounds};
use crate::command::parse::{Actor, Argument, ArgumentForm, Being, Count, Words, resolve};
use crate::command::spec::{CommandSpec, Needs, run, show};
use crate::exit::clearing;
use crate::message::naming;
use crate::movement::flee;
use crate::refusal::{Refusal, refuse};
use crate::room::walk_plan;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::catalog::Answer;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::{Markup, Style};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "kill",
        aliases: &["attack", "k", "hit", "fight", "slay"],
        summary: "Attacks a creature here. The fight goes on by itself, a blow a round, until one falls or flees.",
        example: "kill rat: you strike at the rat, and it strikes back.",
        teaches: Some(Lesson::Fought),
        missing: "kill and the name of a creature here",
        run: run!(kill),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "flee",
        summary: "Tries to break out of a fight and run, along the way you came if there is one. Tells the odds.",
        example: "flee: you are in the room you came from; if it fails, you lose your blow.",
        teaches: Some(Lesson::Fled),
        run: run!(|turn, actor, ()| flee::flee(turn, actor.who)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "consider",
        aliases: &["con"],
        summary: "Weighs a creature up before you touch it: who would fight beside it, how that would go, and the odds of fleeing.",
        example: "consider orc: it fights alone, and you would win in about three rounds.",
        teaches: Some(Lesson::Considered),
        missing: "consider and the name of a creature here",
        run: show!(consider),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "rescue",
        summary: "Helps up a friend who is down, or draws one attacker away from a friend who stands.",
        example: "rescue Bera: she stands again, and nothing strikes her for a round.",
        missing: "rescue and the name of a friend here",
        run: run!(rescue),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "assist",
        summary: "Attacks whatever fights somebody who is here.",
        example: "assist bera: you strike at the orc that strikes at Bera.",
        missing: "assist and the name of somebody here",
        run: run!(assist),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "wimpy",
        needs: Needs::Storage,
        syntax: "wimpy [PERCENT]",
        summary: "Lets you flee by yourself once a fight has brought you below so many percent of your hit points; 0 never. Alone, it says at how many.",
        example: "wimpy 20: you try to flee each round below a fifth of your hit points.",
        run: run!(wimpy),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "stop",
        needs: Needs::Storage,
        summary: "Ends a walk with go, or lets go of an opponent that does not fight back. While you are down: gives up waiting for help.",
        example: "stop: you let go of the sleeping troll.",
        run: run!(stop),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "struggle",
        summary: "Tears at whatever holds you: each try takes a round off its hold. One try a round.",
        example: "struggle: the web gives way.",
        run: run!(|turn, actor, ()| ticks::struggle(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "affects",
        aliases: &["aff"],
        summary: "Tells what hangs on you for a while, what it does and how long it lasts.",
        example: "affects: Poisoned, for 20 seconds: you lose two hit points a round.",
        run: show!(affects),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "rest",
        aliases: &["sit"],
        syntax: "rest [on THING]",
        summary: "Sits down, on a bench or chair if you name one: wounds close three times as fast, until a fight or your next step.",
        example: "rest: you sit down to rest.",
        teaches: Some(Lesson::Rested),
        run: run!(|turn, actor, seat: SitOrder| rest::rest(turn, actor.who, seat.0)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "stand",
        summary: "Gets up from a rest.",
        example: "stand: you get up.",
        run: run!(|turn, actor, ()| rest::stand(turn, actor.who)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "guard",
        summary: "Waits for the blow behind a raised arm, in place of yours: each blow of this round takes half as much, and some things that a creature has announced come to nothing.",
        example: "guard: the flurry that was announced meets your arm.",
        run: run!(|turn, actor, ()| manoeuvres::answer(turn, actor.who, Answer::Guard)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "dodge",
        aliases: &["aside", "sidestep", "step"],
        summary: "Steps aside in place of your blow: what a creature has announced may miss you. It does not help against an ordinary blow.",
        example: "dodge: the heavy blow that was announced meets the floor.",
        run: run!(|turn, actor, ()| manoeuvres::answer(turn, actor.who, Answer::Dodge)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "interrupt",
        summary: "Strikes a quick blow of half the damage at what a creature has announced, which may come to nothing by it.",
        example: "interrupt: the orc that began to mend is disturbed.",
        run: run!(|turn, actor, ()| manoeuvres::answer(turn, actor.who, Answer::Interrupt)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "duel",
        summary: "Asks a player here for a duel, or accepts one, in a room with a ring. It ends when one of you has a tenth of the hit points left, flees or yields; nobody dies.",
        example: "duel bera: once Bera has typed duel and your name, you fight.",
        missing: "duel and the name of a player here",
        run: run!(|turn, actor, being: Being| duel::challenge(turn, actor.who, being.0)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "yield",
        summary: "Gives up in a duel.",
        example: "yield: Bera wins the duel.",
        run: run!(|turn, actor, ()| duel::give_up(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "wait",
        summary: "Lets a moment pass; who has waited a round strikes first. With config wait on, lets a round pass.",
        example: "wait: you stand still, ready for whatever comes.",
        run: run!(|turn, actor, ()| rounds::wait(turn, actor.who)),
        ..CommandSpec::GUEST
    },
];

/// Target of an attack: the named character, otherwise the current opponent or the guard of the exit.
#[derive(Clone, Copy)]
pub(crate) struct Opponent(pub(super) CharacterId);

impl Argument<'_> for Opponent {
    const SLOT: ArgumentForm = ArgumentForm::Maybe(&ArgumentForm::One("CREATURE"));

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        if !words.is_empty() {
            return Being::read(turn, actor, words).map(|being| Self(being.0));
        }
        let body = &turn.world.characters[actor.who];
        let only = body.target.or_else(|| clearing::guards(turn, body.room).first().copied());
        only.map(Self).ok_or_else(|| words.missing())
    }
}

fn stop(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    if walk_plan::cancel(turn, actor.who) {
        return actor.answer(turn, "You stop.");
    }
    deeds::stop(turn, actor.who)
}

fn kill(turn: &mut Turn, actor: Actor, Opponent(target): Opponent) -> Result<(), Refusal> {
    deeds::attack(turn, actor.who, target)
}

/// Target of `consider`: the named character, otherwise the current opponent.
#[derive(Clone, Copy)]
struct Weighed(CharacterId);

impl Argument<'_> for Weighed {
    const SLOT: ArgumentForm = Opponent::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        if !words.is_empty() {
            return Being::read(turn, actor, words).map(|being| Self(being.0));
        }
        turn.world.characters[actor.who].target.map(Self).ok_or_else(|| words.missing())
    }
}

fn consider(turn: &Turn, actor: Actor, Weighed(other): Weighed) -> Result<Markup, Refusal> {
    deeds::require_enemy(turn, actor.who, other)?;
    Ok(flee::estimate_fight(turn, actor.who, other))
}

fn affects(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let mut list = Markup::new();
    for line in affects::affects_in_words(turn, actor.who) {
        list.line(Style::Plain, &line);
    }
    if list.is_empty() {
        list.push(Style::Plain, "Nothing hangs on you, good or bad.");
    }
    Ok(list)
}

fn assist(turn: &mut Turn, actor: Actor, Being(friend): Being) -> Result<(), Refusal> {
    if friend == actor.who {
        return Err(deeds::not_oneself());
    }
    let row = &turn.world.characters[friend];
    let attacks = |id: &&CharacterId| {
        let body = &turn.world.characters[**id];
        !body.is_player() && body.target == Some(friend)
    };
    let enemy = row.target.or_else(|| turn.world.occupants(row.room).iter().find(attacks).copied());
    let enemy = enemy.filter(|_| row.is_player() || row.master.is_some());
    let enemy = enemy.ok_or_else(|| refuse!("Nobody fights {} here.", naming::the(turn, friend)))?;
    deeds::attack(turn, actor.who, enemy)
}

/// Maximum hit point percentage at which `wimpy` may make a character flee.
const NERVE_MAX: u32 = 90;

fn wimpy(turn: &mut Turn, actor: Actor, percent: Option<Count>) -> Result<(), Refusal> {
    if let Some(Count(percent)) = percent {
        if percent > NERVE_MAX {
            return Err(refuse!(
                "A number from 0 to {NERVE_MAX}: at how many percent of your hit points you run by yourself."
            ));
        }
        turn.world.characters.change(actor.who, |body| body.wimpy = percent);
    }
    let answer = match turn.world.characters[actor.who].wimpy {
        0 => "You stay in a fight until you flee yourself.".to_owned(),
        percent => format!("You flee by yourself below {percent} percent of your hit points."),
    };
    actor.answer(turn, answer)
}

fn rescue(turn: &mut Turn, actor: Actor, Being(friend): Being) -> Result<(), Refusal> {
    let body = &turn.world.characters[friend];
    if !body.is_player() && body.master.is_none() {
        return Err(refuse!("{} needs no help of yours.", naming::name_of(turn, friend).text()));
    }
    deeds::rescue(turn, actor.who, friend)
}

/// Furniture to sit on, if any is named.
#[derive(Clone, Copy)]
struct SitOrder(Option<ItemId>);

impl Argument<'_> for SitOrder {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let words = words.behind(&["on", "in", "at", "down"]).behind(&["on", "in", "at"]);
        if words.is_empty() {
            return Ok(Self(None));
        }
        let room = turn.world.characters[actor.who].room;
        resolve::item_here(turn, room, words.bare()).map(|item| Self(Some(item)))
    }
}
