//! Manoeuvres: a creature announces what it will do in the next round, and the fighters answer it.
//!
//! ```text
//!  turn of the creature    between the rounds                turn of the creature
//!  announced        -->    guard, dodge, interrupt    -->    carried out, or averted
//! ```
//! An answer takes the round of the fighter. Those who give none go on striking, which is an answer too.

use crate::attack;
use crate::character::{affects, stats};
use crate::combat::rounds::deeds;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, RoomId};
use deepwell_core::catalog::{Answer, Manoeuvre};
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Posture;
use std::sync::Arc;

/// Damage of an interrupting blow in percent.
const INTERRUPT_PERCENT: u32 = 50;
/// Level up to which a player is told the answers.
const NOVICE_LEVEL: u32 = 3;

const GUARD: Template = Template::new("{actor} {waits|wait} behind a raised arm.");
const DODGE: Template = Template::new("{actor} {steps|step} aside.");
const BREAK_IN: Template =
    Template::new("{actor} {breaks|break} in on {target}, and {stops|stop} what was coming.");
const LOSE: Template = Template::new("{actor} {loses|lose} the thread of what {actor.they} had begun.");

/// Carries out what a creature has announced, or lets it announce something, unless it follows somebody or sleeps. Returns
/// `true` if that took its turn.
pub(crate) fn take_turn(turn: &mut Turn, creature: CharacterId) -> bool {
    let body = &turn.world.characters[creature];
    if body.master.is_some() || body.posture == Posture::Asleep {
        return false;
    }
    match take_announced(turn, creature) {
        Some(manoeuvre) => {
            carry_out(turn, creature, &manoeuvre);
            true
        }
        None => announce(turn, creature),
    }
}

/// Ends what a stunned creature has announced.
pub(crate) fn lose(turn: &mut Turn, creature: CharacterId) {
    if take_announced(turn, creature).is_some() {
        tell::act(turn, Class::Combat, &LOSE, creature, None, "");
    }
}

/// Ends the answers of a round.
pub(crate) fn end_answers(turn: &mut Turn, room: RoomId) {
    for who in turn.world.occupants(room).to_vec() {
        turn.awake.take(who, |body| body.stance.answer = None);
    }
}

/// Takes the round of a fighter for an answer to what a creature has announced.
pub(crate) fn answer(turn: &mut Turn, who: CharacterId, answer: Answer) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    let word = answer.name();
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and cannot {word}."));
    }
    if opponent(turn, who).is_none() {
        return Err(refuse!("You {word} in a fight, and nobody fights you."));
    }
    let announcing = match answer {
        Answer::Interrupt => Some(announcing_to(turn, who)?),
        _ => None,
    };
    attack::require_round(turn, who)?;
    match (announcing, answer) {
        (Some(creature), _) => interrupt(turn, who, creature),
        (None, Answer::Guard) => tell::act(turn, Class::Combat, &GUARD, who, None, ""),
        (None, _) => tell::act(turn, Class::Combat, &DODGE, who, None, ""),
    }
    spend_round(turn, who, answer);
    Ok(())
}

/// Returns the opponent of a fighter, or else a creature that attacks it.
pub(crate) fn opponent(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    turn.world.characters[who].target.or_else(|| attack::opponent_of(turn, who))
}

/// Notes the answer of a fighter, who strikes no blow in this round.
pub(crate) fn spend_round(turn: &mut Turn, who: CharacterId, answer: Answer) {
    let fights = turn.world.characters[who].target.is_some();
    let stance = &mut turn.awake.edit(who).stance;
    (stance.answer, stance.spent) = (Some(answer), fights);
    turn.emit_event(GameEvent::Acted { who });
}

/// Returns the creature whose announcement a fighter may interrupt: its opponent, or else another one here.
fn announcing_to(turn: &Turn, who: CharacterId) -> Result<CharacterId, Refusal> {
    let body = &turn.world.characters[who];
    let others = turn.world.occupants(body.room).iter().copied();
    let announces = |creature: &CharacterId| announced_key(turn, *creature).is_some();
    let found = body.target.into_iter().chain(others).find(announces);
    found.ok_or_else(|| refuse!("Nothing here is about to do anything that you could interrupt."))
}

fn interrupt(turn: &mut Turn, who: CharacterId, creature: CharacterId) {
    deeds::begin(turn, who, creature);
    if !break_off(turn, who, creature) {
        let message =
            format!("{} does not let itself be stopped.", grammar::capitalise(&naming::the(turn, creature)));
        tell::tell(turn, who, Class::Combat, message);
    }
    attack::strike(turn, who, creature, INTERRUPT_PERCENT);
}

/// Ends what a creature has announced, if an interruption averts it. Returns `true` if it does.
pub(crate) fn break_off(turn: &mut Turn, who: CharacterId, creature: CharacterId) -> bool {
    let is_averted =
        announced(turn, creature).is_some_and(|manoeuvre| manoeuvre.answers.contains(&Answer::Interrupt));
    if is_averted {
        take_announced(turn, creature);
        tell::act(turn, Class::Combat, &BREAK_IN, who, Some(creature), "");
    }
    is_averted
}

fn announced_key(turn: &Turn, creature: CharacterId) -> Option<&String> {
    turn.awake.get(creature)?.stance.announced.as_ref()
}

fn announced(turn: &Turn, creature: CharacterId) -> Option<&Manoeuvre> {
    turn.catalog.manoeuvres.get(announced_key(turn, creature)?)
}

/// Takes what a creature has announced. A reload of the content may have removed it.
fn take_announced(turn: &mut Turn, creature: CharacterId) -> Option<Manoeuvre> {
    let key = turn.awake.take(creature, |body| body.stance.announced.take())??;
    turn.catalog.manoeuvres.get(&key).cloned()
}

fn answer_of(turn: &Turn, who: CharacterId) -> Answer {
    turn.awake.get(who).and_then(|body| body.stance.answer).unwrap_or(Answer::Strike)
}

/// Returns the first creature here that has announced something to a fighter, with the answers that avert it.
pub(crate) fn announced_to(turn: &Turn, who: CharacterId) -> Option<(CharacterId, &[Answer])> {
    let here = turn.world.occupants(turn.world.characters[who].room).iter().copied();
    here.filter_map(|creature| Some((creature, announced(turn, creature)?)))
        .find(|(creature, manoeuvre)| opponents(turn, *creature, manoeuvre).contains(&who))
        .map(|(creature, manoeuvre)| (creature, manoeuvre.answers.as_slice()))
}

/// Returns what a creature has announced, as a viewer reads it.
pub(crate) fn announcement_of(turn: &Turn, creature: CharacterId, viewer: CharacterId) -> Option<String> {
    let manoeuvre = announced(turn, creature)?;
    let aim = turn.world.characters[creature].target.filter(|_| !manoeuvre.sweeps);
    let sentence = tell::act_as_read(turn, &manoeuvre.announced, (creature, aim), "", Some(viewer));
    Some(sentence.text().to_owned())
}

/// Returns `true` if a player is told the answers to an announcement.
pub(crate) fn is_novice(turn: &Turn, who: CharacterId) -> bool {
    turn.world.characters[who].level <= NOVICE_LEVEL
}

/// Lets a creature announce one of its manoeuvres by chance. Returns `true` if it does.
fn announce(turn: &mut Turn, creature: CharacterId) -> bool {
    let catalog = Arc::clone(&turn.catalog);
    let Some(target) = turn.world.characters[creature].target else { return false };
    let Some(prototype) = prototypes::creature_prototype(turn, creature) else { return false };
    // A creature that cannot strike announces no blow.
    let strikes = stats::can_strike(turn, creature);
    let is_open = |key: &&String| {
        strikes || catalog.manoeuvres.get(*key).is_some_and(|manoeuvre| manoeuvre.strike_percent == 0)
    };
    let keys: Vec<String> = prototype.manoeuvres.iter().filter(is_open).cloned().collect();
    let Some(manoeuvre) = turn.dice.combat.pick(&keys).and_then(|key| catalog.manoeuvres.get(key)) else {
        return false;
    };
    if !turn.dice.combat.percent(manoeuvre.percent) {
        return false;
    }
    let aim = (!manoeuvre.sweeps).then_some(target);
    tell::act(turn, Class::Combat, &manoeuvre.announced, creature, aim, "");
    turn.awake.edit(creature).stance.announced = Some(manoeuvre.key.clone());
    for who in opponents(turn, creature, manoeuvre) {
        if is_novice(turn, who) {
            tell::tell(turn, who, Class::Combat, advice(manoeuvre));
        }
    }
    true
}

/// Returns the answers to a manoeuvre as an advice: "Answer: guard or dodge."
fn advice(manoeuvre: &Manoeuvre) -> Markup {
    let mut advice = Markup::plain("Answer: ");
    for (at, answer) in manoeuvre.answers.iter().enumerate() {
        if at > 0 {
            advice.push(Style::Plain, " or ");
        }
        match answer {
            Answer::Strike => advice.push(Style::Plain, "go on as you are"),
            _ => advice.push(Style::Command, answer.name()),
        }
    }
    advice.and(".")
}

/// Returns those whom a manoeuvre concerns: the opponent of the creature, or all who fight it.
fn opponents(turn: &Turn, creature: CharacterId, manoeuvre: &Manoeuvre) -> Vec<CharacterId> {
    let body = &turn.world.characters[creature];
    let is_meant = |who: &CharacterId| {
        let other = &turn.world.characters[*who];
        let fights_it = manoeuvre.sweeps && other.target == Some(creature);
        (body.target == Some(*who) || fights_it) && !stats::is_safe(turn, *who)
    };
    turn.world.occupants(body.room).iter().copied().filter(is_meant).collect()
}

fn carry_out(turn: &mut Turn, creature: CharacterId, manoeuvre: &Manoeuvre) {
    let room = turn.world.characters[creature].room;
    let opponents = opponents(turn, creature, manoeuvre);
    let hit: Vec<CharacterId> =
        opponents.iter().copied().filter(|who| !manoeuvre.answers.contains(&answer_of(turn, *who))).collect();
    let named = hit.first().or(opponents.first()).copied();
    let aim = named.filter(|_| !manoeuvre.sweeps);
    if named.is_none() {
        return;
    }
    let sentence = if hit.is_empty() { &manoeuvre.averted } else { &manoeuvre.told };
    tell::act(turn, Class::Combat, sentence, creature, aim, "");
    if hit.is_empty() {
        if let Some(affect) = &manoeuvre.exposed {
            affects::apply_affect(turn, creature, affect, None);
        }
        return;
    }
    if let Some(affect) = &manoeuvre.own_affect {
        affects::apply_affect(turn, creature, affect, None);
    }
    if manoeuvre.heals_percent > 0 {
        let most = i64::from(stats::max_hp_of(turn, creature));
        let points = most * i64::from(manoeuvre.heals_percent) / 100;
        stats::heal(turn, creature, i32::try_from(points).unwrap_or(i32::MAX));
    }
    // The blow at one may have ended the life, the branch or the fight of the others.
    let is_here =
        |turn: &Turn, id: CharacterId| turn.world.characters.get(id).is_some_and(|body| body.room == room);
    for who in hit {
        if manoeuvre.strike_percent > 0 && is_here(turn, creature) && is_here(turn, who) {
            attack::strike(turn, creature, who, manoeuvre.strike_percent);
        }
        let affect = manoeuvre.affect.as_ref().filter(|_| is_here(turn, who));
        if let Some(affect) = affect.filter(|_| !stats::is_incapacitated(turn, who)) {
            affects::apply_affect(turn, who, affect, manoeuvre.affect_rounds);
        }
    }
}
