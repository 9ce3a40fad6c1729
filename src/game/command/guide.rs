//! The guided start, as players steer it.

use crate::game::command::spec::{Actor, CommandSpec};
use crate::game::effect::Class;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::game::{guide, tell};
use crate::text::{Markup, Style};
use crate::world::GuideState;

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "guide",
    aliases: &["tutorial"],
    syntax: "guide [on | off | skip | again]",
    summary: "Leads you through the first five minutes, one step at a time; alone, it says the current step again.",
    example: "guide off: you go on without it. guide on takes it up where it was, guide skip at the next step, guide again at the first.",
    run: guide,
    ..CommandSpec::PLAYER
}];

fn guide(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let state = turn.world.characters[actor.who].guide.state;
    match words.trim().to_lowercase().as_str() {
        "" | "on" => {
            if state != GuideState::On && state != GuideState::Done {
                guide::set_guide(turn, actor.who, GuideState::On);
                let words = guide_words(turn, |guide| &guide.begins);
                tell::tell(turn, actor.who, Class::Notice, words);
            }
            guide::say_step(turn, actor.who);
        }
        "skip" => {
            guide::skip_step(turn, actor.who);
            guide::say_step(turn, actor.who);
        }
        "again" => {
            guide::restart_guide(turn, actor.who);
            guide::say_step(turn, actor.who);
        }
        "off" => {
            if state != GuideState::Done {
                guide::set_guide(turn, actor.who, GuideState::Off);
            }
            let words = guide_words(turn, |guide| &guide.stops);
            tell::tell(turn, actor.who, Class::Reply, words);
        }
        _ => return Err(Refusal::Missing("guide, or guide with on, off, skip or again")),
    }
    Ok(())
}

fn guide_words(turn: &Turn, which: impl Fn(&crate::catalog::Guide) -> &Markup) -> Markup {
    let mut words = Markup::styled(Style::Hint, "Guide: ");
    words.append(which(&turn.catalog.guide));
    words
}
