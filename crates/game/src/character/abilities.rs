//! Abilities of a character: the offer on a new level, learnt abilities and cooldowns. The effects of using an ability
//! are elsewhere.

use crate::effect::Class;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, GameTime, Span};
use deepwell_core::catalog::Ability;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::grammar;
use deepwell_core::world::Craft;
use std::collections::BTreeSet;

/// Number of abilities in an offer.
const OFFERED: usize = 3;

/// Number of offered abilities chosen by the player's deeds; the rest are picked at random from all others.
const BY_DEEDS: usize = 2;

/// Fixed-point scale of [`nearness`]: the weight of one counted event.
const WEIGHT: u64 = 1_000;

/// Counts an event if it counts towards any ability. The count stays in memory until [`fold`] adds it to the character
/// row, because a `look` that wrote a row would wait for the disk. A crash loses the counts since the row was last
/// written; players never see these counts.
pub(crate) fn count(turn: &mut Turn, who: CharacterId, lesson: Lesson) {
    let counts = turn.catalog.abilities.values().any(|ability| ability.counts.contains(&lesson));
    if !counts || turn.read_only || !is_player(turn, who) {
        return;
    }
    let times = turn.awake.edit(who).deeds.entry(lesson).or_default();
    *times = times.saturating_add(1);
}

/// Adds the counts in memory to the character row, which marks the row for writing.
pub(crate) fn fold(turn: &mut Turn, who: CharacterId) {
    let counted = turn.awake.take(who, |body| std::mem::take(&mut body.deeds)).unwrap_or_default();
    if counted.is_empty() {
        return;
    }
    if let Some(body) = turn.world.characters.edit(who) {
        for (lesson, more) in counted {
            let times = body.craft.deeds.entry(lesson.name().to_owned()).or_default();
            *times = times.saturating_add(more);
        }
    }
}

/// Folds the counts of characters whose rows are already due to be written.
pub(crate) fn fold_into_touched(turn: &mut Turn) {
    let touched: Vec<CharacterId> = turn.world.characters.touched().collect();
    for who in touched {
        fold(turn, who);
    }
}

/// Folds the counts of all characters, before the server stops.
pub(crate) fn fold_all(turn: &mut Turn) {
    let waiting: Vec<CharacterId> = turn.awake.with_deeds().collect();
    for who in waiting {
        fold(turn, who);
    }
}

fn is_player(turn: &Turn, who: CharacterId) -> bool {
    turn.world.characters.get(who).is_some_and(deepwell_core::world::Character::is_player)
}

/// Returns the score of an ability against the player's deeds; higher is a better match.
fn match_score(craft: &Craft, ability: &Ability) -> u64 {
    let times = ability.counts.iter().map(|lesson| craft.deeds.get(lesson.name()).copied().unwrap_or(0));
    times.map(u64::from).sum::<u64>() * WEIGHT / u64::from(ability.per)
}

/// Generates the next offer: the abilities nearest to the player's deeds, and one at random.
pub(crate) fn offer(turn: &mut Turn, who: CharacterId) {
    if !is_player(turn, who) {
        return;
    }
    fold(turn, who);
    let body = &turn.world.characters[who];
    let number = body.craft.offers;
    let mut dice = turn.world.meta().seed.named("abilities").numbered(who.0).numbered(number).rng();
    let mut left: Vec<(u64, u32, String)> = Vec::new();
    for ability in turn.catalog.abilities.values() {
        if !body.craft.abilities.contains_key(&ability.key) {
            left.push((match_score(&body.craft, ability), dice.up_to(u32::MAX - 1), ability.key.clone()));
        }
    }
    left.sort_by(|one, other| other.cmp(one));
    let mut others = left.split_off(left.len().min(BY_DEEDS));
    others.sort_by_key(|(_, drawn, _)| *drawn);
    others.truncate(OFFERED - BY_DEEDS);
    let offer = left.into_iter().chain(others).map(|(_, _, key)| key).collect();
    turn.world.characters.change(who, |body| {
        body.craft.offer = offer;
        body.craft.offers = number.saturating_add(1);
    });
}

/// Generates, after a start, offers for characters that have a choice pending and no valid offer.
pub(crate) fn resume_offers(turn: &mut Turn) {
    let waiting: Vec<CharacterId> = turn.world.characters.iter().map(|(id, _)| id).collect();
    for who in waiting {
        resume_offer(turn, who);
    }
}

/// Generates an offer for a character that has a choice pending and no valid offer.
pub(crate) fn resume_offer(turn: &mut Turn, who: CharacterId) {
    if turn.world.characters[who].trainings > 0 && offered(turn, who).is_empty() {
        offer(turn, who);
    }
}

/// Returns the abilities the character may choose from now, in list order.
pub(crate) fn offered(turn: &Turn, who: CharacterId) -> Vec<&Ability> {
    let craft = &turn.world.characters[who].craft;
    let open = craft.offer.iter().filter(|key| !craft.abilities.contains_key(*key));
    in_order(open.filter_map(|key| turn.catalog.abilities.get(key)).collect())
}

/// Returns the learnt abilities, in list order.
pub(crate) fn learnt(turn: &Turn, who: CharacterId) -> Vec<&Ability> {
    let keys = turn.world.characters[who].craft.abilities.keys();
    in_order(keys.filter_map(|key| turn.catalog.abilities.get(key)).collect())
}

fn in_order(mut abilities: Vec<&Ability>) -> Vec<&Ability> {
    abilities.sort_by_key(|ability| (ability.order, &ability.key));
    abilities
}

/// Returns the ability if the character has learnt it. The refusal says how the ability is learnt.
pub(crate) fn known<'a>(turn: &'a Turn, who: CharacterId, key: &str) -> Result<&'a Ability, Refusal> {
    let ability = turn.catalog.abilities.get(key);
    let ability = ability.ok_or_else(|| refuse!("Nobody remembers how to {key}."))?;
    if turn.world.characters[who].craft.abilities.contains_key(key) {
        return Ok(ability);
    }
    Err(refuse!(
        "You have not learnt to {key}. It may be among what a new level offers, sooner to those who have {}.",
        ability.earned_by
    ))
}

/// Returns the remaining cooldown of an ability; `None` if it is ready.
pub(crate) fn remaining_cooldown(turn: &Turn, who: CharacterId, key: &str) -> Option<Span> {
    let body = &turn.world.characters[who];
    let now = turn.rounds.held_since(body.room).unwrap_or(turn.now).min(turn.now);
    let ready = body.craft.abilities.get(key).copied().filter(|ready| *ready > now)?;
    Some(ready.since(now))
}

/// Starts the cooldown of an ability after use.
pub(crate) fn start_cooldown(turn: &mut Turn, who: CharacterId, ability: &Ability) {
    let rest = turn.config.round.0.saturating_mul(i64::from(ability.rest_rounds));
    let now = turn.rounds.held_since(turn.world.characters[who].room).unwrap_or(turn.now).min(turn.now);
    turn.world.characters.change(who, |body| {
        body.craft.abilities.insert(ability.key.clone(), now + Span(rest));
    });
    turn.timers.schedule(now + Span(rest), Timer::Ready(who));
}

/// Tells a player which abilities have become ready at a moment. Cooldowns that were extended since have timers of their own.
pub(crate) fn tell_ready(turn: &mut Turn, who: CharacterId, due: GameTime) {
    let Some(body) = turn.world.characters.get(who).filter(|body| body.awake) else { return };
    let is_ready = |(key, ready): &(&String, &GameTime)| {
        **ready == due
            && remaining_cooldown(turn, who, key).is_none()
            && turn.catalog.abilities.contains_key(*key)
    };
    let ready: Vec<String> =
        body.craft.abilities.iter().filter(is_ready).map(|(key, _)| key.clone()).collect();
    if !ready.is_empty() {
        let message = format!("You can {} again.", grammar::list(&ready));
        tell::tell(turn, who, Class::Notice, message);
    }
}

/// Extends running cooldowns by the time for which the character's rounds were suspended. A negative `late`, after an early
/// round, shortens them, and what is ready by that is told at once.
pub(crate) fn extend_cooldowns(turn: &mut Turn, who: CharacterId, late: Span) {
    let began = GameTime(turn.now.0.saturating_sub(late.0)).min(turn.now);
    if turn.world.characters[who].craft.abilities.values().any(|ready| *ready > began)
        && let Some(body) = turn.world.characters.edit(who)
    {
        let mut moved = BTreeSet::new();
        for ready in body.craft.abilities.values_mut().filter(|ready| **ready > began) {
            *ready = GameTime(ready.0.saturating_add(late.0));
            moved.insert(*ready);
        }
        for at in moved {
            if at <= turn.now {
                tell_ready(turn, who, at);
            } else {
                turn.timers.schedule(at, Timer::Ready(who));
            }
        }
    }
}

/// Returns the effects of an ability in numbers: "A blow of 50 percent of your usual harm. Stunned for one round."
pub(crate) fn figures(turn: &Turn, ability: &Ability) -> String {
    let mut parts: Vec<String> = Vec::new();
    if ability.strike_percent > 0 {
        parts.push(format!("A blow of {} percent of your usual harm.", ability.strike_percent));
    }
    let affects = [(&ability.affect, ability.affect_rounds), (&ability.own_affect, None)];
    for (key, rounds) in affects {
        let Some(affect) = key.as_ref().and_then(|key| turn.catalog.affects.get(key)) else { continue };
        let rounds = grammar::counted(rounds.unwrap_or(affect.rounds), "round");
        let numbers: Vec<String> = [("attack", affect.attack), ("defence", affect.defence)]
            .into_iter()
            .filter(|(_, value)| *value != 0)
            .map(|(what, value)| format!("{value:+} {what}"))
            .collect();
        let numbers = if numbers.is_empty() { String::new() } else { format!(", {}", numbers.join(", ")) };
        parts.push(format!("{}{numbers} for {rounds}.", grammar::capitalise(&affect.name)));
    }
    if ability.heals > 0 {
        parts.push(format!("{} hit points back.", ability.heals));
    }
    if ability.senses.is_some() {
        parts.push(format!("As far as {}.", grammar::counted(ability.steps, "room")));
    }
    if !ability.spends_round {
        parts.push("It costs you no blow.".into());
    }
    let rest = Span(turn.config.round.0.saturating_mul(i64::from(ability.rest_rounds)));
    let rounds = grammar::counted(ability.rest_rounds, "round");
    parts.push(format!("It rests for {rounds}, {rest}."));
    parts.join(" ")
}

/// Returns "ready", or "at rest for 12 seconds".
pub(crate) fn readiness(turn: &Turn, who: CharacterId, key: &str) -> String {
    remaining_cooldown(turn, who, key).map_or_else(|| "ready".into(), |left| format!("at rest for {left}"))
}
