//! Control of the tutorial by players.

use crate::account::guide;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, run};
use crate::effect::Class;
use crate::message::tell;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::GuideState;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "guide",
    aliases: &["tutorial"],
    syntax: "guide [on | off | skip | again]",
    summary: "Leads you through the first five minutes, one step at a time; alone, it says the current step again.",
    example: "guide off: you go on without it. guide on takes it up where it was, guide skip at the next step, guide again at the first.",
    missing: "guide, or guide with on, off, skip or again",
    run: run!(guide),
    ..CommandSpec::GUEST
}];

/// Argument of `guide`.
#[derive(Clone, Copy)]
enum Steer {
    On,
    Off,
    Skip,
    Again,
}

impl Argument<'_> for Steer {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        match words.text().to_lowercase().as_str() {
            "" | "on" => Ok(Self::On),
            "skip" => Ok(Self::Skip),
            "again" => Ok(Self::Again),
            "off" => Ok(Self::Off),
            _ => Err(words.missing()),
        }
    }
}

fn guide(turn: &mut Turn, actor: Actor, steer: Steer) -> Result<(), Refusal> {
    let state = turn.world.characters[actor.who].guide.state;
    match steer {
        Steer::On => {
            if state != GuideState::On && state != GuideState::Done {
                guide::set_guide(turn, actor.who, GuideState::On);
                let message = guide_words(turn, |guide| &guide.begins);
                tell::tell(turn, actor.who, Class::Notice, message);
            }
            guide::catch_up(turn, actor.who);
            guide::say_step(turn, actor.who);
        }
        Steer::Skip => {
            guide::skip_step(turn, actor.who);
            guide::say_step(turn, actor.who);
        }
        Steer::Again => {
            guide::restart_guide(turn, actor.who);
            guide::say_step(turn, actor.who);
        }
        Steer::Off => {
            if state != GuideState::Done {
                guide::set_guide(turn, actor.who, GuideState::Off);
            }
            let message = guide_words(turn, |guide| &guide.stops);
            tell::tell(turn, actor.who, Class::Reply, message);
        }
    }
    Ok(())
}

fn guide_words(turn: &Turn, which: impl Fn(&deepwell_core::catalog::HelpGuide) -> &Markup) -> Markup {
    let mut message = Markup::styled(Style::Hint, "Guide: ");
    message.append(which(&turn.catalog.guide));
    message
}
