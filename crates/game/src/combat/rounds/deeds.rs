//! Combat commands: attack, change of target, rescue and stop.

use crate::attack;
use crate::attack::{TURN_ON, duel};
use crate::character::{rest, stats};
use crate::combat::incapacitated;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::movement::flee;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::Posture;

const STEP_BETWEEN: Template = Template::new("{actor} {steps|step} between {target} and {object}.");

/// Helps up an incapacitated ally, or draws one attacker of an ally to oneself. In a fight it uses up the attack of the
/// round.
pub(crate) fn rescue(turn: &mut Turn, who: CharacterId, friend: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    if who == friend {
        return Err(refuse!("Somebody else has to do that for you."));
    }
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and can help nobody."));
    }
    attack::require_round(turn, who)?;
    if stats::is_incapacitated(turn, friend) {
        incapacitated::help_up(turn, who, friend)?;
    } else {
        let enemy = attack::opponent_of(turn, friend);
        let enemy = enemy.filter(|enemy| !turn.world.characters[*enemy].is_player());
        let enemy = enemy.ok_or_else(|| refuse!("Nothing threatens {}.", naming::the(turn, friend)))?;
        let name = naming::the(turn, enemy);
        tell::act(turn, Class::Combat, &STEP_BETWEEN, who, Some(friend), &name);
        attack::aim(turn, enemy, who);
        if turn.world.characters[who].target.is_none() {
            attack::aim(turn, who, enemy);
        }
        attack::end_waiting(turn, who);
        stats::get_up(turn, who);
        attack::schedule_round(turn, turn.world.characters[who].room);
    }
    if turn.world.characters[who].target.is_some() {
        turn.awake.edit(who).stance.spent = true;
    }
    turn.emit_event(GameEvent::Acted { who });
    Ok(())
}

/// Refuses targets that may not be attacked.
pub(crate) fn may_strike(turn: &Turn, who: CharacterId, target: CharacterId) -> Result<(), Refusal> {
    if let Some(foe) = duel::opponent(turn, who) {
        let is_foe = foe == target;
        return if is_foe { Ok(()) } else { Err(refuse!("You are in a duel; yield or flee first.")) };
    }
    if !turn.world.rooms[turn.world.characters[who].room].is_deadly() {
        return Err(refuse!("Nobody fights here; that is for the dungeon."));
    }
    require_enemy(turn, who, target)
}

/// Refuses targets that are never enemies: the player, other players and companions.
pub(crate) fn require_enemy(turn: &Turn, who: CharacterId, target: CharacterId) -> Result<(), Refusal> {
    if who == target {
        return Err(not_oneself());
    }
    if turn.world.characters[target].is_player() {
        return Err(refuse!("Climbers do not fight each other, except in a ring, by consent: help duels."));
    }
    if turn.world.characters[target].master.is_some() {
        return Err(refuse!("That one is on your side."));
    }
    Ok(())
}

/// Starts a fight whose first action is not an attack, or changes the target.
pub(crate) fn begin(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    if turn.world.characters[who].target != Some(target) {
        attack::lock(turn, who, target);
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Fought });
    }
}

/// Starts a fight, or changes the target.
pub(crate) fn attack(turn: &mut Turn, who: CharacterId, target: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    may_strike(turn, who, target)?;
    let room = turn.world.characters[who].room;
    if turn.world.characters[who].target == Some(target) {
        if attack::is_held_back(turn, room) {
            turn.emit_event(GameEvent::Acted { who });
            return Ok(());
        }
        return Err(refuse!("You are fighting {} already.", naming::the(turn, target)));
    }
    let fresh = attack::is_beginning(turn, who, target);
    attack::engage(turn, who, target);
    if !fresh {
        tell::act(turn, Class::Combat, &TURN_ON, who, Some(target), "");
        turn.emit_event(GameEvent::Acted { who });
    }
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Fought });
    Ok(())
}

/// Ends a fight with a target that does not fight back. Incapacitated characters give up, resting ones stand up.
pub(crate) fn stop(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    if stats::is_incapacitated(turn, who) {
        incapacitated::defeat(turn, who);
        return Ok(());
    }
    if turn.world.characters[who].posture == Posture::Resting {
        return rest::stand(turn, who);
    }
    if duel::opponent(turn, who).is_some() {
        return duel::give_up(turn, who);
    }
    let target = turn.world.characters[who].target.ok_or_else(flee::not_fighting)?;
    if let Some(enemy) = attack::opponent_of(turn, who) {
        return Err(refuse!(
            "{} does not let you stop; flee instead.",
            grammar::capitalise(&naming::the(turn, enemy))
        ));
    }
    attack::stop_fighting(turn, who);
    let whom = naming::the(turn, target);
    tell::tell(turn, who, Class::Reply, format!("You let go of {whom}."));
    Ok(())
}

/// Returns the refusal to fight oneself.
pub(crate) fn not_oneself() -> Refusal {
    refuse!("That would hurt, and help nobody.")
}
