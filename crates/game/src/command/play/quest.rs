//! Commands for a player's quests.

use crate::command::parse::{Actor, Argument, NameArgument, Words, resolve};
use crate::command::spec::{CommandSpec, Needs, run, show};
use crate::quest;
use crate::quest::{achievements, trial, view};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Right};
use std::sync::Arc;

pub(crate) const COMMANDS: &[CommandSpec] = &[QUESTS, ACHIEVEMENTS];

const ACHIEVEMENTS: CommandSpec = CommandSpec {
    name: "achievements",
    aliases: &["achievement"],
    syntax: "achievements [all]",
    summary: "Lists the achievements that you have earned, the last first, and those that you are nearest to; with all, every one that is open.",
    example: "achievements: A hundred fewer: Kill a hundred creatures. 12 of 100.",
    run: show!(|turn, actor, word: Option<NameArgument<'_>>| {
        let lists_all = NameArgument::or_nothing(word).eq_ignore_ascii_case("all");
        Ok(achievements::list(turn, actor.who, lists_all))
    }),
    ..CommandSpec::PLAYER
};

const QUESTS: CommandSpec = CommandSpec {
    name: "quests",
    aliases: &["quest"],
    needs: Needs::Nothing,
    syntax: "quests [NAME | abandon NAME]",
    summary: "Lists what you have undertaken, each with what comes next; with a name, tells all of one. abandon gives one up. Builders also type quest KEY reset and quest KEY step NUMBER, to try a quest anew or from a step on, without its rewards and lines, and quest KEY of PLAYER, which tells how far somebody is.",
    example: "quest tails: what you are to do for the climber, and how far you are.",
    missing: "quests, or quests and a name, or quests abandon and a name",
    run: run!(quests),
    ..CommandSpec::PLAYER
};

/// Argument of `quests`.
enum QuestsOrder<'a> {
    List,
    Show(&'a str),
    Abandon(&'a str),
    /// Key of a quest of the content, and the request of a builder.
    Trial(String, QuestTrial),
}

/// Request of a builder about a quest.
#[derive(Clone, Copy)]
enum QuestTrial {
    Reset,
    /// Place of the step among those of the quest.
    Step(usize),
    Of(CharacterId),
}

/// Parses `KEY reset`, `KEY step NUMBER` and `KEY of PLAYER`; `None` for other words, and for players without the right.
fn trial<'a>(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Option<QuestsOrder<'a>>, Refusal> {
    let (key, rest) = words.keyword();
    let Some(quest) = turn.catalog.quests.get(&key).filter(|_| actor.rights(turn).has(Right::Prototypes))
    else {
        return Ok(None);
    };
    let (verb, rest) = rest.keyword();
    let asked = match (verb.as_str(), rest.text()) {
        ("reset", "") => QuestTrial::Reset,
        ("step", step) if !step.is_empty() => {
            let numbered = step.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let place = numbered.or_else(|| quest.steps.iter().position(|known| known.key == step));
            let place = place.filter(|place| *place < quest.steps.len());
            QuestTrial::Step(place.ok_or_else(|| {
                refuse!("The quest {key} has {} steps, and \"{step}\" is none.", quest.steps.len())
            })?)
        }
        ("of", name) if !name.is_empty() => QuestTrial::Of(resolve::player_named(turn, name)?),
        _ => return Ok(None),
    };
    Ok(Some(QuestsOrder::Trial(key, asked)))
}

impl<'a> Argument<'a> for QuestsOrder<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        if let Some(trial) = trial(turn, actor, words)? {
            return Ok(trial);
        }
        let (verb, rest) = words.keyword();
        Ok(match verb.as_str() {
            "" => Self::List,
            "abandon" => Self::Abandon(rest.required()?.text()),
            _ => Self::Show(words.text()),
        })
    }
}

fn quests(turn: &mut Turn, actor: Actor, order: QuestsOrder<'_>) -> Result<(), Refusal> {
    match order {
        QuestsOrder::List => {
            let page = view::list(turn, actor.who);
            actor.answer(turn, page)
        }
        QuestsOrder::Show(name) => {
            let page = view::sheet(turn, actor.who, name)?;
            actor.answer(turn, page)
        }
        QuestsOrder::Abandon(name) => {
            turn.require_writable()?;
            let answer = quest::abandon(turn, actor.who, name)?;
            actor.answer(turn, answer)
        }
        QuestsOrder::Trial(key, asked) => try_out(turn, actor, &key, asked),
    }
}

/// Changes or tells the state of a quest for a builder.
fn try_out(turn: &mut Turn, actor: Actor, key: &str, asked: QuestTrial) -> Result<(), Refusal> {
    let catalog = Arc::clone(&turn.catalog);
    let Some(quest) = catalog.quests.get(key) else { return Err(refuse!("There is no quest {key}.")) };
    match asked {
        QuestTrial::Reset => {
            turn.require_writable()?;
            let message = if trial::reset(turn, actor.who, key) {
                format!("All that you have done in the quest {key} is forgotten.")
            } else {
                format!("You have done nothing in the quest {key} yet.")
            };
            actor.answer(turn, message)
        }
        QuestTrial::Step(place) => {
            turn.require_writable()?;
            trial::go_to_step(turn, actor.who, quest, place);
            let page = trial::state(turn, actor.who, quest);
            actor.answer(turn, page)
        }
        QuestTrial::Of(who) => {
            let page = trial::state(turn, who, quest);
            actor.answer(turn, page)
        }
    }
}
