//! Combat: start, rounds and end of fights. Hit and damage rules are in `rules`, the text of a fight in `narrate`.
//! Fleeing is in `flight`, incapacitation in `down`, affects in `affects`, and the conditions for a cleared room in
//! `clearing`.
//!
//! ```text
//!   no fight --attack, engage--> first blow --> round --> round --> no fight
//!                                          |   one per `game.round`, or, for a single player in wait mode,
//!                                                |   one per command that takes an action
//!                                                +-- each fighter once, in order of arrival
//! ```

pub(crate) mod duel;
pub(crate) mod narrate;
pub(crate) mod rules;
pub(crate) mod shot;
#[cfg(test)]
mod tests;
pub(crate) mod corpse;
pub(crate) mod loot;

use crate::character::{affects, stats};
use crate::effect::Class;
use crate::exit::clearing;
use crate::message::{naming, rumours, tell};
use crate::party::{members, share};
use crate::refusal::{Refusal, refuse};
use crate::state::FightStance;
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, GameTime, RoomId, Span, Tally};
use deepwell_core::catalog::Answer;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Posture;

/// Share of the usual damage that a guarding fighter takes, in percent.
const GUARDED_PERCENT: u32 = 50;

pub(crate) const TURN_ON: Template = Template::new("{actor} {turns|turn} on {target}.");

const READY: Template = Template::new("{actor} {was|were} waiting for that and {strikes|strike} first.");

/// Returns `true` if combat between these characters would start a new fight. A fighter who leaves and re-enters combat
/// gets no extra blow.
pub(crate) fn is_beginning(turn: &Turn, who: CharacterId, target: CharacterId) -> bool {
    let body = &turn.world.characters[who];
    let free = |id: CharacterId| turn.world.characters[id].target.is_none();
    free(who) && free(target) && !turn.rounds.is_round_scheduled(body.room)
}

/// Makes two characters fight each other. A new fight starts with an immediate blow by the character from
/// `first_to_strike`. Either character may be dead afterwards.
pub(crate) fn engage(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    let room = turn.world.characters[who].room;
    if turn.world.characters[target].room != room
        || stats::is_incapacitated(turn, who)
        || stats::is_incapacitated(turn, target)
    {
        return;
    }
    let first = is_beginning(turn, who, target).then(|| first_to_strike(turn, who, target));
    lock(turn, who, target);
    if let Some(first) = first {
        let second = if first == who { target } else { who };
        if first == target {
            tell::act(turn, Class::Combat, &READY, first, None, "");
        }
        if !stats::is_stunned(turn, first) && !stats::is_safe(turn, second) {
            blow(turn, first, second);
        }
        narrate::tell_tallies(turn);
    }
}

/// Makes two characters in the same room fight each other, without a blow.
pub(crate) fn lock(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    aim(turn, who, target);
    if turn.world.characters[target].target.is_none() {
        aim(turn, target, who);
    }
    for fighter in [who, target] {
        end_waiting(turn, fighter);
        stats::get_up(turn, fighter);
        affects::end_hush(turn, fighter);
    }
    schedule_round(turn, turn.world.characters[who].room);
    turn.emit_event(GameEvent::Engaged { who, target });
}

/// Returns the character that strikes first. The ready stance takes precedence over having stood in the room for a
/// round, which takes precedence over a recent arrival. The attacker wins ties.
fn first_to_strike(turn: &Turn, who: CharacterId, target: CharacterId) -> CharacterId {
    if readiness(turn, target) > readiness(turn, who) { target } else { who }
}

fn readiness(turn: &Turn, who: CharacterId) -> u32 {
    let body = &turn.world.characters[who];
    let a_round_ago = turn.now - turn.config.round;
    if body.posture == Posture::Asleep || stats::is_stunned(turn, who) || !stats::can_strike(turn, who) {
        0
    } else if ready_since(turn, who).is_some_and(|since| since <= a_round_ago) {
        3
    } else if body.arrived_at <= a_round_ago {
        2
    } else {
        1
    }
}

/// Schedules the next round of a room. Starting and ending fights cannot speed up rounds.
pub(crate) fn schedule_round(turn: &mut Turn, room: RoomId) {
    let next = turn.now + turn.config.round;
    if turn.rounds.begin(room, next) {
        turn.timers.schedule(next, Timer::Round(room));
    }
}

/// Schedules the next round of a character whose stored row says that it fights.
pub(crate) fn resume_fight(turn: &mut Turn, who: CharacterId) {
    let body = &turn.world.characters[who];
    if body.target.is_some() {
        schedule_round(turn, body.room);
    }
}

pub(crate) fn aim(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    let (hp, now) = (stats::hp(turn, who), turn.now);
    if let Some(body) = turn.world.characters.edit(who) {
        body.hp = hp;
        body.hp_at = now;
        body.target = Some(target);
    }
    turn.emit_event(GameEvent::VitalsChanged { who });
}

/// Makes one attack.
pub(crate) fn blow(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    strike(turn, who, target, 100);
}

/// Makes one attack at the given percentage of its normal damage, of which a guarding fighter takes a share.
pub(crate) fn strike(turn: &mut Turn, who: CharacterId, target: CharacterId, percent: u32) {
    if !stats::can_strike(turn, who) {
        return;
    }
    let guards = turn.awake.get(target).is_some_and(|body| body.stance.answer == Some(Answer::Guard));
    let percent = if guards { percent * GUARDED_PERCENT / 100 } else { percent };
    let odds = rules::odds(turn, who, target);
    let harm = odds.draw(&mut turn.dice.combat);
    let harm = harm.map(|harm| {
        let harm = i64::from(harm) * i64::from(percent) / 100;
        i32::try_from(harm).unwrap_or(i32::MAX).max(1)
    });
    narrate::tell_blow(turn, who, target, harm);
    if let Some(points) = harm {
        self::harm(turn, target, points, Some(who));
    }
}

/// Damages a character and wakes it. At zero hit points a creature dies and a player is incapacitated; `by` gets the
/// credit.
pub(crate) fn harm(turn: &mut Turn, victim: CharacterId, points: i32, by: Option<CharacterId>) {
    let body = &turn.world.characters[victim];
    let player = body.is_player();
    if points <= 0 || body.posture == Posture::Down || (!player && body.hp < 1) {
        return;
    }
    stats::get_up(turn, victim);
    let (before, most) = (stats::hp(turn, victim), stats::max_hp_of(turn, victim));
    let spared = duel::opponent(turn, victim).map(|_| duel::beaten_hp(most));
    let left = before.saturating_sub(points).max(spared.map_or(i32::MIN, |spared| spared.min(before)));
    stats::set_hp(turn, victim, left);
    if !player && let Some(by) = by {
        let points = u32::try_from(points.min(before)).unwrap_or_default();
        turn.wounds.add(victim, members::credited(turn, by), points);
    }
    if left <= 0 {
        narrate::tell_tallies(turn);
        if player {
            turn.emit_event(GameEvent::Fell { who: victim, by });
        } else {
            creature_dies(turn, victim, by);
        }
        return;
    }
    if let Some(spared) = spared {
        if left <= spared {
            narrate::tell_tallies(turn);
            duel::lose(turn, victim);
        }
    } else if player {
        if before * 2 >= most && left * 2 < most {
            turn.emit_event(GameEvent::Learned { who: victim, lesson: Lesson::Hurt });
        }
        warn_near_death(turn, victim, before, left, most);
    } else {
        if stats::worsens(before, left, most) {
            narrate::tell_condition(turn, victim);
        }
        turn.emit_event(GameEvent::Hurt { who: victim, before });
    }
}

/// Warns a player whose hit points have just fallen below the near-death percentage.
fn warn_near_death(turn: &mut Turn, victim: CharacterId, before: i32, left: i32, most: i32) {
    let share = i64::from(turn.catalog.rules.healing.near_death_percent);
    let is_near = |hp: i32| i64::from(hp) * 100 < i64::from(most) * share;
    if !is_near(before) && is_near(left) {
        // Send pending combat lines before their consequences.
        narrate::tell_tallies(turn);
        let message = format!("You are near death: {left} of {most} hit points.");
        tell::tell(turn, victim, Class::Notice, Markup::styled(Style::Harm, &message));
    }
}

/// Removes a creature, with a message to its room. Its items fall to the ground.
pub(crate) fn remove_creature(turn: &mut Turn, creature: CharacterId) {
    let room = turn.world.characters[creature].room;
    let message = format!("{} is gone.", grammar::capitalise(&naming::the(turn, creature)));
    stop_fights_of(turn, creature);
    turn.world.remove_character(creature);
    forget(turn, creature);
    tell::tell_room(turn, room, &[], Class::Notice, message.as_str());
}

fn creature_dies(turn: &mut Turn, victim: CharacterId, slayer: Option<CharacterId>) {
    let room = turn.world.characters[victim].room;
    // A death by damage over time is credited to the victim's opponent.
    let slayer = slayer.filter(|id| *id != victim).or_else(|| opponent_of(turn, victim));
    let line = prototypes::unrenamed_prototype(turn, victim).map(|creature| creature.death.clone());
    let name = naming::name_of(turn, victim);
    if let Some(line) = line {
        narrate::tell_flavour(turn, room, &line);
    }
    let winners = slayer.map(|slayer| share::winners_of(turn, victim, slayer)).unwrap_or_default();
    tell::tell_room(turn, room, &winners, Class::Combat, name.and(" is dead."));
    let boss = prototypes::creature_prototype(turn, victim).filter(|creature| creature.boss);
    if let Some(key) = boss.map(|boss| boss.key.clone()) {
        rumours::note_boss(turn, winners, room, key);
    }
    stop_fights_of(turn, victim);
    if let Some(slayer) = slayer {
        share::share_experience(turn, victim, slayer);
        loot::drop_loot(turn, victim, slayer);
        turn.emit_event(GameEvent::Learned { who: slayer, lesson: Lesson::Won });
    }
    turn.emit_event(GameEvent::Dying { who: victim, slayer });
    turn.world.remove_character(victim);
    turn.wounds.forget(victim);
    turn.wounds.trim(|id| turn.world.characters.get(id).is_some());
    turn.outbox.count(Tally::CreaturesKilled);
    forget(turn, victim);
    turn.emit_event(GameEvent::Died { room, slayer });
    clearing::check_clear(turn, room);
}

/// Returns an error if the character has already used its action of the next round.
pub(crate) fn require_round(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    let next = turn.rounds.next(turn.world.characters[who].room);
    match next.filter(|_| turn.awake.get(who).is_some_and(|body| body.stance.spent)) {
        Some(next) => Err(refuse!(
            "You have to find your feet first; the next round comes in {}.",
            Span(next.0 - turn.now.0)
        )),
        None => Ok(()),
    }
}

/// Clears the combat stance of a character that has moved or been removed.
pub(crate) fn forget(turn: &mut Turn, who: CharacterId) {
    turn.awake.take(who, |body| body.stance = FightStance::default());
}

/// Ends the ready stance of a character.
pub(crate) fn end_waiting(turn: &mut Turn, who: CharacterId) {
    turn.awake.take(who, |body| body.stance.ready_since = None);
}

fn ready_since(turn: &Turn, who: CharacterId) -> Option<GameTime> {
    turn.awake.get(who)?.stance.ready_since
}

/// Returns the first character in the room that is fighting the given one.
pub(crate) fn opponent_of(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let here = turn.world.occupants(turn.world.characters[who].room).iter().copied();
    here.filter(|other| *other != who).find(|other| turn.world.characters[*other].target == Some(who))
}

/// Returns the next target of a character without one: the first character fighting it or, for a creature, the first
/// opponent fighting in the room.
pub(crate) fn next_opponent(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let body = &turn.world.characters[who];
    let wild = !body.is_player() && body.master.is_none();
    let here = || turn.world.occupants(body.room).iter().copied().filter(|other| *other != who);
    let stands = |other: &CharacterId| {
        let other = &turn.world.characters[*other];
        (other.is_player() || other.master.is_some()) == wild && other.posture != Posture::Down
    };
    let open = |other: &CharacterId| stands(other) && !stats::is_safe(turn, *other);
    here()
        .filter(open)
        .find(|other| turn.world.characters[*other].target == Some(who))
        .or_else(|| here().filter(open).find(|other| wild && turn.world.characters[*other].target.is_some()))
}

/// Switches a fighter to another target.
pub(crate) fn turn_to(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    aim(turn, who, target);
    if turn.world.characters[target].target.is_none() {
        aim(turn, target, who);
    }
    tell::act(turn, Class::Combat, &TURN_ON, who, Some(target), "");
}

/// Ends all fights of a character, including those of opponents that have no other target.
pub(crate) fn stop_fights_of(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    let winner = duel::opponent(turn, who);
    stop_fighting(turn, who);
    let turned: Vec<CharacterId> = turn
        .world
        .occupants(room)
        .iter()
        .copied()
        .filter(|other| turn.world.characters[*other].target == Some(who))
        .collect();
    // All opponents stop before any picks a new target, so that no target is about to stop as well.
    for other in &turned {
        stop_fighting(turn, *other);
    }
    for other in turned {
        if turn.world.characters[other].target.is_none()
            && let Some(next) = next_opponent(turn, other)
        {
            if turn.world.characters[other].is_player() {
                aim(turn, other, next);
            } else {
                turn_to(turn, other, next);
            }
        }
    }
    if let Some(winner) = winner {
        duel::tell_winner(turn, winner);
    }
}

pub(crate) fn stop_fighting(turn: &mut Turn, who: CharacterId) {
    let now = turn.now;
    turn.awake.take(who, |body| (body.stance.announced, body.stance.answer) = (None, None));
    if turn.world.characters[who].target.is_some()
        && let Some(body) = turn.world.characters.edit(who)
    {
        body.target = None;
        body.hp_at = now;
        turn.emit_event(GameEvent::VitalsChanged { who });
    }
}

/// Returns `true` if the rounds of a room wait for the commands of its only player.
pub(crate) fn waits_for_player(turn: &Turn, room: RoomId) -> bool {
    let mut players =
        turn.world.occupants(room).iter().filter(|who| turn.world.characters[**who].is_player());
    let (Some(player), None) = (players.next(), players.next()) else { return false };
    let seat = turn.seated.get(player).and_then(|session| turn.seats.get(session));
    seat.is_some_and(|seat| turn.world.accounts[seat.account].settings.wait)
}

/// Discards the time that a pending round has waited for a player who is about to leave.
pub(crate) fn discard_paused_time(turn: &mut Turn, room: RoomId) {
    let Some(due) = turn.rounds.release(room) else { return };
    let late = Span(turn.now.0 - due.0);
    for who in turn.world.occupants(room).to_vec() {
        affects::postpone_affects(turn, who, late);
    }
}

/// Returns `true` if a fight in the room is paused until its player acts.
pub(crate) fn is_held_back(turn: &Turn, room: RoomId) -> bool {
    turn.rounds.is_round_scheduled(room) && waits_for_player(turn, room) && has_fight(turn, room)
}

/// Returns `true` if any character in the room is fighting.
pub(crate) fn has_fight(turn: &Turn, room: RoomId) -> bool {
    turn.world.occupants(room).iter().any(|who| turn.world.characters[*who].target.is_some())
}
