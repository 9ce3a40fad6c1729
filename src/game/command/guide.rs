//! The guided start, as players steer it.

use super::Refusal;
use super::spec::{Actor, CommandSpec, Touches};
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{GuideState, Role};

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "guide",
    aliases: &["tutorial"],
    role: Role::Player,
    touches: Touches::World,
    syntax: "guide [on | off | skip | again]",
    summary: "Leads you through the first five minutes, one step at a time; alone, it says the current step again.",
    example: "guide off: you go on without it. guide on takes it up where it was, guide skip at the next step, guide again at the first.",
    run: guide,
}];

fn guide(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let state = game.world.characters[actor.who].guide.state;
    match words.trim().to_lowercase().as_str() {
        "" | "on" => {
            if state != GuideState::On && state != GuideState::Done {
                game.set_guide(actor.who, GuideState::On);
                let words = game.guide_words(|guide| &guide.begins);
                game.tell(actor.who, Class::Notice, words);
            }
            game.say_step(actor.who);
        }
        "skip" => {
            game.skip_step(actor.who);
            game.say_step(actor.who);
        }
        "again" => {
            game.restart_guide(actor.who);
            game.say_step(actor.who);
        }
        "off" => {
            if state != GuideState::Done {
                game.set_guide(actor.who, GuideState::Off);
            }
            let words = game.guide_words(|guide| &guide.stops);
            game.tell(actor.who, Class::Reply, words);
        }
        _ => return Err(Refusal::Missing("guide, or guide with on, off, skip or again")),
    }
    Ok(())
}

impl Game {
    fn guide_words(&self, which: impl Fn(&crate::catalog::Guide) -> &Markup) -> Markup {
        let mut words = Markup::styled(Style::Hint, "Guide: ");
        words.append(which(&self.catalog.guide));
        words
    }
}
