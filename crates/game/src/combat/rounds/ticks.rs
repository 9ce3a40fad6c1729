//! Effects of affects per round: damage, healing, expiry, and struggling against being held.

use crate::attack;
use crate::character::{affects, stats};
use crate::effect::Class;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, Span};
use deepwell_core::catalog::AffectPrototype;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Posture;

pub(crate) const STRUGGLE: Template = Template::new("{actor} {struggles|struggle} to come loose.");

/// Shortens the affects that hold a character by one round. Possible once per round.
pub(crate) fn struggle(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    if !stats::is_held(turn, who) {
        return Err(refuse!("Nothing holds you."));
    }
    let again = turn.awake.get(who).and_then(|body| body.stance.strained_until);
    if let Some(again) = again.filter(|again| *again > turn.now) {
        return Err(refuse!(
            "You have no strength left to struggle for another {}.",
            Span(again.0 - turn.now.0)
        ));
    }
    tell::act(turn, Class::Combat, &STRUGGLE, who, None, "");
    if turn.world.characters[who].target.is_some() {
        turn.awake.edit(who).stance.spent = true;
    }
    turn.awake.edit(who).stance.strained_until = Some(turn.now + turn.config.round);
    let holding: Vec<String> = {
        let holds = |key: &str| turn.catalog.affects.get(key).is_some_and(|affect| affect.holds);
        let affects = turn.world.characters[who].affects.iter();
        affects.map(|affect| affect.key.clone()).filter(|key| holds(key)).collect()
    };
    let round = turn.config.round;
    if let Some(body) = turn.world.characters.edit(who) {
        for affect in body.affects.iter_mut().filter(|affect| holding.contains(&affect.key)) {
            affect.until = affect.until - round;
        }
    }
    affects::expire_affects(turn, who);
    if stats::is_held(turn, who) {
        tell::tell(turn, who, Class::Reply, "It gives a little, but it still holds you.");
    } else {
        turn.awake.take(who, |body| body.stance.strained_until = None);
    }
    turn.emit_event(GameEvent::Acted { who });
    Ok(())
}

/// Runs the due affects of a character: expiry, damage and healing. While rounds are held, they are postponed.
pub(crate) fn run_due_affects(turn: &mut Turn, who: CharacterId, due: GameTime) {
    if !turn.affect_times.take_check(who, due) {
        return;
    }
    let Some(body) = turn.world.characters.get(who) else {
        turn.affect_times.end(who);
        return;
    };
    if body.affects.is_empty() {
        turn.affect_times.end(who);
        return;
    }
    let held_back = attack::is_held_back(turn, body.room);
    if held_back {
        let again = turn.now + turn.config.round;
        affects::schedule_affect_check(turn, who, again);
    }
    if turn.affect_times.take_tick(who, turn.now) {
        affects::schedule_tick(turn, who);
        if !held_back {
            apply_affect_tick(turn, who);
        }
    }
    if !held_back && turn.world.characters.get(who).is_some() {
        affects::expire_affects(turn, who);
    }
}

/// Applies one round of damage and healing from affects.
pub(crate) fn apply_affect_tick(turn: &mut Turn, who: CharacterId) {
    if stats::is_incapacitated(turn, who) {
        return;
    }
    // Affects cannot kill in a room without fighting: the last hit point is spared.
    let deadly = turn.world.rooms[turn.world.characters[who].room].is_deadly();
    let spare = if deadly { i32::MAX } else { stats::hp(turn, who) - 1 };
    let loss = per_round(turn, who).0.min(spare);
    let name = |turn: &Turn, wanted: fn(&AffectPrototype) -> bool| {
        stats::affects_on(turn, who)
            .find(|affect| wanted(affect))
            .map_or("hurt", |affect| &affect.name)
            .to_owned()
    };
    if loss > 0 {
        let points = grammar::counted(loss.unsigned_abs(), "point");
        let message = format!("You are {}: {points} lost.", name(turn, |affect| affect.hp_per_round < 0));
        tell::tell(turn, who, Class::Notice, Markup::styled(Style::Harm, &message));
        attack::harm(turn, who, loss, None);
    }
    // The loss may have defeated or killed the character.
    let stands = turn.world.characters.get(who).is_some_and(|body| body.posture != Posture::Down);
    let gain = if stands { per_round(turn, who).1 } else { 0 };
    if gain > 0 && stats::hp(turn, who) < stats::max_hp_of(turn, who) {
        stats::heal(turn, who, gain);
        let points = grammar::counted(gain.unsigned_abs(), "point");
        let message = format!("You are {}: {points} better.", name(turn, |affect| affect.hp_per_round > 0));
        tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, &message));
    }
}

/// Returns the hit points that a character loses and gains per round from affects.
pub(crate) fn per_round(turn: &Turn, who: CharacterId) -> (i32, i32) {
    stats::affects_on(turn, who).fold((0, 0), |(loss, gain), affect| {
        (loss + (-affect.hp_per_round).max(0), gain + affect.hp_per_round.max(0))
    })
}
