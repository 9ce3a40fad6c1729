//! Commands for shooting arrows and lighting fireworks.

use crate::combat::archery;
use crate::command::parse::{Actor, Argument, ArgumentForm, Carried, WayOut, Words};
use crate::command::spec::{CommandSpec, run};
use crate::item::light;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, ItemId};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "shoot",
        aliases: &["fire"],
        summary: "Shoots with the bow in your hand at the first creature in the rooms straight ahead. What lives comes.",
        example: "shoot north: an arrow flies north and hits the orc there.",
        missing: "shoot and a direction",
        run: run!(|turn, actor, aim: ShootExit| archery::shoot(turn, actor.who, aim.0)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "light",
        syntax: "light THING [EXIT]",
        summary: "Lights a lamp or a torch; or a firework, which flies that way and bursts among the creatures there, or goes up where you are.",
        example: "light rocket north: it hisses away to the north and bursts over whoever is there.",
        missing: "light and the name of a lamp, a torch or a firework",
        yields_to_room: true,
        run: run!(|turn, actor, lit: Lit| {
            if light::light_kind(turn, lit.item).is_some() {
                return light::light(turn, actor.who, lit.item);
            }
            archery::light(turn, actor.who, lit.item, lit.exit)
        }),
        ..CommandSpec::GUEST
    },
];

/// Exit to shoot through.
#[derive(Clone, Copy)]
struct ShootExit(ExitId);

impl Argument<'_> for ShootExit {
    const SLOT: ArgumentForm = WayOut::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let way = WayOut::read(turn, actor, words.required()?);
        way.map(|way| Self(way.0)).map_err(|_| {
            refuse!(
                "An arrow needs a way to fly: shoot north, for one. For whoever stands before you, type kill \
                 and a creature's name."
            )
        })
    }
}

/// Carried item to light, and the exit to send it through, if any.
#[derive(Clone, Copy)]
struct Lit {
    item: ItemId,
    exit: Option<ExitId>,
}

impl Argument<'_> for Lit {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let whole = Carried::read(turn, actor, words).map(|Carried(item)| Self { item, exit: None });
        let Some((thing, way)) = words.last_word().filter(|_| whole.is_err()) else { return whole };
        let Ok(Carried(item)) = Carried::read(turn, actor, thing) else { return whole };
        Ok(Self { item, exit: Some(WayOut::read(turn, actor, way)?.0) })
    }
}
