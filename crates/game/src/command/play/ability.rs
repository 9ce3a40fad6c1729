//! Commands available only to characters that have learnt them. Each ability is described by its file in
//! `content/abilities` and performed by `exertion`.

use crate::character::abilities;
use crate::combat::use_ability;
use crate::command::parse::{Actor, Being};
use crate::command::play::fight::Opponent;
use crate::command::spec::{CommandSpec, KnownTo, run, show};
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::text::{Markup, Style, grammar};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "abilities",
        aliases: &["skills"],
        summary: "Lists the abilities that you have learnt and those that you can choose now, with their numbers.",
        example: "abilities: bash, ready: a blow that stuns, and how long it rests.",
        run: show!(abilities),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "bash",
        summary: "Strikes a short blow that stuns: whoever it meets does not strike back in this round.",
        example: "bash orc: half a blow, and the orc strikes none.",
        missing: "bash and the name of a creature here",
        run: run!(|turn, actor, target| use_on(turn, actor, "bash", target)),
        ..LEARNT
    },
    CommandSpec {
        name: "bind",
        summary: "Binds a creature with a loop of cord: for some rounds it does not run, charge or go for help.",
        example: "bind goblin: the goblin stays.",
        missing: "bind and the name of a creature here",
        run: run!(|turn, actor, target| use_on(turn, actor, "bind", target)),
        ..LEARNT
    },
    CommandSpec {
        name: "brace",
        summary: "Sets your feet in a fight: blows do you less harm for some rounds.",
        example: "brace: two more defence for four rounds.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "brace", None)),
        ..LEARNT
    },
    CommandSpec {
        name: "feint",
        summary: "Draws a creature's guard to the wrong side: blows do it more harm for some rounds.",
        example: "feint troll: everybody's blows at the troll bite deeper.",
        missing: "feint and the name of a creature here",
        for_guests: true,
        run: run!(|turn, actor, target| use_on(turn, actor, "feint", target)),
        ..LEARNT
    },
    CommandSpec {
        name: "mend",
        summary: "Closes wounds, yours or those of a friend here, and stops bleeding. Not in a fight.",
        example: "mend Bera: Bera has eight hit points more.",
        run: run!(|turn, actor, friend: Option<Being>| {
            use_ability::use_ability(turn, actor.who, "mend", friend.map(|being| being.0))
        }),
        ..LEARNT
    },
    CommandSpec {
        name: "rally",
        summary: "Shouts so that you and your companions here strike harder for some rounds.",
        example: "rally: one more attack for everybody on your side.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "rally", None)),
        ..LEARNT
    },
    CommandSpec {
        name: "scout",
        summary: "Tells who is in the explored rooms around you, and how they are.",
        example: "scout: east, two rooms away: a clay rat, scratched.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "scout", None)),
        ..LEARNT
    },
    CommandSpec {
        name: "sneak",
        summary: "Lets you walk softly: what has not seen you yet does not begin a fight, until you do.",
        example: "sneak: you walk past the sleeping and the waking alike.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "sneak", None)),
        ..LEARNT
    },
    CommandSpec {
        name: "sweep",
        summary: "Strikes half a blow at every creature that fights you or your companions.",
        example: "sweep: three rats, three blows.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "sweep", None)),
        ..LEARNT
    },
    CommandSpec {
        name: "taunt",
        summary: "Makes every creature that fights your side here turn on you, and sets your feet.",
        example: "taunt: the orc lets go of Bera and turns on you.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "taunt", None)),
        ..LEARNT
    },
    CommandSpec {
        name: "throw",
        summary: "Throws a stone at a creature. It costs you no blow.",
        example: "throw goblin: a stone, and then your blow.",
        missing: "throw and the name of a creature here",
        run: run!(|turn, actor, target| use_on(turn, actor, "throw", target)),
        ..LEARNT
    },
    CommandSpec {
        name: "track",
        summary: "Tells which way the nearest creature on explored ground is, and how far.",
        example: "track: a clay rat, north, three rooms away.",
        run: run!(|turn, actor, ()| use_ability::use_ability(turn, actor.who, "track", None)),
        ..LEARNT
    },
];

/// Defaults of the commands of abilities.
const LEARNT: CommandSpec = CommandSpec { known_to: KnownTo::Learners, ..CommandSpec::PLAYER };

/// Uses an ability that needs an opponent.
fn use_on(turn: &mut Turn, actor: Actor, ability: &str, Opponent(target): Opponent) -> Result<(), Refusal> {
    use_ability::use_ability(turn, actor.who, ability, Some(target))
}

fn abilities(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
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
    Ok(list)
}
