//! Commands available only to characters that have learnt them. Each ability is described by its file in
//! `content/abilities` and performed by `exertion`.

use crate::game::character::abilities;
use crate::game::combat::use_ability;
use crate::game::command::parse::{Actor, Being};
use crate::game::command::play::fight::Opponent;
use crate::game::command::spec::{CommandSpec, KnownTo, Needs, run};
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::text::{Markup, Style, grammar};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "abilities",
        aliases: &["skills"],
        needs: Needs::Nothing,
        summary: "Lists the abilities that you have learnt and those that you can choose now, with their numbers.",
        example: "abilities: bash, ready: a blow that stuns, and how long it rests.",
        run: run!(abilities),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "bash",
        known_to: KnownTo::Learners,
        summary: "Strikes a short blow that stuns: whoever it meets does not strike back in this round.",
        example: "bash orc: half a blow, and the orc strikes none.",
        missing: "bash and the name of a creature here",
        run: run!(|turn, actor, Opponent(target)| use_ability::use_ability(
            turn,
            actor.who,
            "bash",
            Some(target)
        )),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "bind",
        known_to: KnownTo::Learners,
        summary: "Binds a creature with a loop of cord: for some rounds it does not run, charge or go for help.",
        example: "bind goblin: the goblin stays.",
        missing: "bind and the name of a creature here",
        run: run!(|turn, actor, Opponent(target)| use_ability::use_ability(
            turn,
            actor.who,
            "bind",
            Some(target)
        )),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "brace",
        known_to: KnownTo::Learners,
        summary: "Sets your feet in a fight: blows do you less harm for some rounds.",
        example: "brace: two more defence for four rounds.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "brace", None)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "feint",
        known_to: KnownTo::Learners,
        summary: "Draws a creature's guard to the wrong side: blows do it more harm for some rounds.",
        example: "feint troll: everybody's blows at the troll bite deeper.",
        missing: "feint and the name of a creature here",
        run: run!(|turn, actor, Opponent(target)| use_ability::use_ability(
            turn,
            actor.who,
            "feint",
            Some(target)
        )),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "mend",
        known_to: KnownTo::Learners,
        summary: "Closes wounds, yours or those of a friend here, and stops bleeding. Not in a fight.",
        example: "mend Bera: Bera has eight hit points more.",
        run: run!(|turn, actor, friend: Option<Being>| {
            use_ability::use_ability(turn, actor.who, "mend", friend.map(|being| being.0))
        }),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "rally",
        known_to: KnownTo::Learners,
        summary: "Shouts so that you and your companions here strike harder for some rounds.",
        example: "rally: one more attack for everybody on your side.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "rally", None)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "scout",
        known_to: KnownTo::Learners,
        summary: "Tells who is in the explored rooms around you, and how they are.",
        example: "scout: east, two rooms away: a clay rat, scratched.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "scout", None)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "sneak",
        known_to: KnownTo::Learners,
        summary: "Lets you walk softly: what has not seen you yet does not begin a fight, until you do.",
        example: "sneak: you walk past the sleeping and the waking alike.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "sneak", None)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "sweep",
        known_to: KnownTo::Learners,
        summary: "Strikes half a blow at every creature that fights you or your companions.",
        example: "sweep: three rats, three blows.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "sweep", None)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "taunt",
        known_to: KnownTo::Learners,
        summary: "Makes every creature that fights your side here turn on you, and sets your feet.",
        example: "taunt: the orc lets go of Bera and turns on you.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "taunt", None)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "throw",
        known_to: KnownTo::Learners,
        summary: "Throws a stone at a creature. It costs you no blow.",
        example: "throw goblin: a stone, and then your blow.",
        missing: "throw and the name of a creature here",
        run: run!(|turn, actor, Opponent(target)| use_ability::use_ability(
            turn,
            actor.who,
            "throw",
            Some(target)
        )),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "track",
        known_to: KnownTo::Learners,
        summary: "Tells which way the nearest creature on explored ground is, and how far.",
        example: "track: a clay rat, north, three rooms away.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "track", None)),
        ..CommandSpec::PLAYER
    },
];

fn abilities(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let mut list = Markup::styled(Style::Heading, "Your abilities");
    for ability in abilities::learnt(turn, actor.who) {
        let ready = abilities::readiness(turn, actor.who, &ability.key);
        list.line(Style::Command, &grammar::capitalise(&ability.key));
        list.push(
            Style::Plain,
            &format!(", {ready}: {}. {}", ability.gist, abilities::figures(turn, ability)),
        );
    }
    for ability in abilities::offered(turn, actor.who) {
        list.line(Style::Command, &format!("train {}", ability.key));
        list.push(Style::Plain, &format!(": {}. {}", ability.gist, abilities::figures(turn, ability)));
    }
    if list.text().lines().count() == 1 {
        list.line(Style::Plain, "You have learnt none yet. A new level offers some: help abilities.");
    }
    actor.answer(turn, list)
}
