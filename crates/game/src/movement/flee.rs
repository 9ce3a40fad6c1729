//! Fleeing from a fight, through the exit back if possible, else through any explored exit. The odds are shown before
//! and after. Also estimates a fight before it begins.

use crate::attack::rules;
use crate::character::stats;
use crate::effect::Class;
use crate::exit::{hidden, pathfinding};
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use crate::{attack, movement};
use deepwell_core::base::{CharacterId, Dice, ExitId};
use deepwell_core::catalog::Behaviour;
use deepwell_core::text::{Markup, grammar};
use deepwell_core::world::{ExitKind, ExitState, Mood, Posture};
use std::collections::BTreeSet;

/// Tries to flee from a fight. A failed attempt uses up the attack of the round.
pub(crate) fn flee(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let exit = require_flight(turn, who)?;
    let percent = flee_percent(turn, who);
    let odds = format!("Your chance was {percent} in 100.");
    if !turn.dice.combat.percent(percent) {
        let enemy = hindering(turn, who)
            .next()
            .map_or_else(|| "somebody".to_owned(), |enemy| naming::the(turn, enemy));
        tell::tell(turn, who, Class::Combat, format!("You try to run, but {enemy} cuts you off. {odds}"));
        tell::tell_others(turn, who, Class::Combat, " tries to run, and does not get away.");
        turn.awake.edit(who).stance.spent = true;
        turn.emit_event(GameEvent::Acted { who });
        return Ok(());
    }
    let toward = movement::toward(&turn.world.exits[exit]);
    tell::tell(turn, who, Class::Combat, format!("You break away and run {toward}. {odds}"));
    tell::tell_others(turn, who, Class::Combat, " breaks away and runs.");
    attack::stop_fights_of(turn, who);
    movement::pass(turn, who, exit)
}

/// Returns the exit through which a fighter may try to flee now.
pub(crate) fn require_flight(turn: &Turn, who: CharacterId) -> Result<ExitId, Refusal> {
    if turn.world.characters[who].target.is_none() {
        return Err(not_fighting());
    }
    stats::may_leave(turn, who)?;
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and cannot run."));
    }
    attack::require_round(turn, who)?;
    flee_exit(turn, who).ok_or_else(|| refuse!("There is no way out that you know."))
}

/// Flees automatically below the character's `wimpy` percentage of hit points. Returns `true` if it was tried, which
/// uses up the round.
pub(crate) fn flee_if_wimpy(turn: &mut Turn, who: CharacterId) -> bool {
    let most = i64::from(stats::max_hp_of(turn, who));
    let wimpy = i64::from(turn.world.characters[who].wimpy);
    if i64::from(stats::hp(turn, who)) * 100 >= most * wimpy || flee(turn, who).is_err() {
        return false;
    }
    // The used-up round is the present one, so the next is not skipped.
    turn.awake.take(who, |body| body.stance.spent = false);
    true
}

/// Returns the exit to flee through: the exit back, else the first explored one. Creatures use only exits that they can
/// walk through.
fn flee_exit(turn: &Turn, who: CharacterId) -> Option<ExitId> {
    let body = &turn.world.characters[who];
    let known = hidden::exits_seen(turn, who).filter(|exit| {
        exit.kind != ExitKind::Branch
            && !matches!(exit.state, ExitState::Unexplored | ExitState::Locked)
            && exit.to.is_some()
            && (body.is_player() || pathfinding::way(turn, exit).is_some())
    });
    known.min_by_key(|exit| !exit.back).map(|exit| exit.id)
}

/// Returns the chance, in percent, of fleeing from the present enemies.
fn flee_percent(turn: &Turn, who: CharacterId) -> u32 {
    chance_against(turn, hindering(turn, who).count())
}

fn chance_against(turn: &Turn, enemies: usize) -> u32 {
    let flight = turn.catalog.rules.flight;
    let further = u32::try_from(enemies.saturating_sub(1)).unwrap_or(u32::MAX);
    match enemies {
        0 => 100,
        _ => flight
            .base_percent
            .saturating_sub(flight.enemy_percent.saturating_mul(further))
            .max(flight.least_percent)
            .min(100),
    }
}

/// Returns the opponents of a character that can keep it from fleeing.
fn hindering(turn: &Turn, who: CharacterId) -> impl Iterator<Item = CharacterId> {
    let here = turn.world.occupants(turn.world.characters[who].room).iter().copied();
    here.filter(move |other| {
        let other_body = &turn.world.characters[*other];
        *other != who
            && other_body.target == Some(who)
            && other_body.posture != Posture::Down
            && !stats::is_stunned(turn, *other)
    })
}

/// Describes the likely course of a fight with a creature in at most 25 words: how many fight beside it, the outcome, the
/// rounds that each side lasts, and the odds of fleeing. The blast of a creature that explodes takes the place of the outcome.
pub(crate) fn estimate_fight(turn: &Turn, who: CharacterId, other: CharacterId) -> Markup {
    let sides = Sides::of(turn, who, other);
    let company = match sides.enemies.len() - 1 {
        0 => "alone".to_owned(),
        others => format!("beside {}", grammar::counted(others, "other")),
    };
    let outcome = blast_words(turn, who, other).unwrap_or_else(|| sides.outcome(turn));
    let state = format!(
        " fights {company}. {outcome} Escape: {} percent.",
        chance_against(turn, sides.enemies.len())
    );
    naming::name_of(turn, other).and(&state)
}

/// Returns `true` if a character would probably beat a creature and all that fight beside it, and last at least `margin`
/// times as many rounds. No fight with a creature that explodes can be won so.
pub(crate) fn would_win(turn: &Turn, who: CharacterId, other: CharacterId, margin: i64) -> bool {
    let sides = Sides::of(turn, who, other);
    let Prospect { mine, theirs } = sides.prospect(turn);
    let lasts = theirs.is_none_or(|theirs| mine.is_some_and(|mine| theirs >= mine * margin));
    mine.is_some() && lasts && sides.enemies.iter().all(|enemy| blast_words(turn, who, *enemy).is_none())
}

/// Describes the damage of an exploding creature's blast; `None` for any other creature.
fn blast_words(turn: &Turn, who: CharacterId, other: CharacterId) -> Option<String> {
    let parts = &prototypes::creature_prototype(turn, other)?.behaviours;
    let (damage, rounds) = parts.iter().find_map(|part| match part {
        Behaviour::Explode { damage, rounds, .. } => Some((*damage, *rounds)),
        _ => None,
    })?;
    let hp = u32::try_from(stats::hp(turn, who)).unwrap_or(0);
    let cost =
        if damage >= hp { "all your hit points".to_owned() } else { grammar::counted(damage, "hit point") };
    Some(format!("It bursts {} after warning, for {cost}.", grammar::counted(rounds, "round")))
}

/// Characters that would take part in a fight.
struct Sides {
    /// The player.
    who: CharacterId,
    /// Companions of the player who can fight, and others who fight the same enemies already.
    allies: Vec<CharacterId>,
    /// The creature, those that fight the player's side already, and those that would join.
    enemies: BTreeSet<CharacterId>,
}

impl Sides {
    fn of(turn: &Turn, who: CharacterId, other: CharacterId) -> Self {
        let room = turn.world.characters[other].room;
        let here = || turn.world.occupants(room).iter().copied();
        let bodies = &turn.world.characters;
        let is_ours = |id: CharacterId| bodies[id].is_player() || bodies[id].master.is_some();
        let can_fight = |id: CharacterId| match bodies[id].posture {
            Posture::Down | Posture::Asleep => false,
            _ => !stats::is_stunned(turn, id),
        };
        let is_ally = |id: &CharacterId| {
            *id != who
                && is_ours(*id)
                && can_fight(*id)
                && (bodies[*id].master == Some(who) || bodies[*id].target.is_some())
        };
        let allies: Vec<CharacterId> = here().filter(is_ally).collect();
        let fights = |id: &CharacterId| {
            let target = bodies[*id].target;
            !is_ours(*id) && target.is_some_and(|target| target == who || allies.contains(&target))
        };
        let is_deadly = turn.world.rooms[room].is_deadly();
        let joins = |id: &CharacterId| fights(id) || is_deadly && would_join(turn, *id, other);
        let enemies = here().filter(joins).chain([other]).collect();
        Self { who, allies, enemies }
    }

    fn prospect(&self, turn: &Turn) -> Prospect {
        let blows = |enemy: CharacterId| {
            let strikers = self.allies.iter().copied().chain([self.who]);
            strikers.map(|striker| rules::expected_damage(turn, striker, enemy)).sum()
        };
        let fell = |enemy: &CharacterId| rounds_to_fell(stats::hp(turn, *enemy), blows(*enemy));
        let harm = self.enemies.iter().map(|enemy| rules::expected_damage(turn, *enemy, self.who)).sum();
        Prospect {
            mine: self.enemies.iter().map(fell).sum(),
            theirs: rounds_to_fell(stats::hp(turn, self.who), harm),
        }
    }

    /// Formats the outcome: "An easy fight together: about three rounds to win, 29 to fall."
    fn outcome(&self, turn: &Turn) -> String {
        let Prospect { mine, theirs } = self.prospect(turn);
        let together = if self.allies.is_empty() { "" } else { " together" };
        let rounds = |rounds: i64| grammar::counted(rounds, "round");
        let lengths = match (mine, theirs) {
            (Some(mine), Some(theirs)) => {
                format!("about {} to win, {} to fall", rounds(mine), grammar::number(theirs))
            }
            (Some(mine), None) => format!("about {} to win", rounds(mine)),
            (None, Some(theirs)) => format!("about {} to fall", rounds(theirs)),
            (None, None) => "neither side can win".to_owned(),
        };
        format!("{}{together}: {lengths}.", verdict(mine, theirs))
    }
}

/// Returns `true` if a creature that is free to fight attacks players anyway, or joins the fight of its pack. Others watch,
/// also guards.
fn would_join(turn: &Turn, creature: CharacterId, other: CharacterId) -> bool {
    let body = &turn.world.characters[creature];
    let is_free = !body.is_player()
        && body.master.is_none()
        && body.target.is_none()
        && body.posture != Posture::Asleep
        && matches!(body.mood, Mood::Idle | Mood::Roaming)
        && !stats::is_stunned(turn, creature);
    let parts =
        prototypes::creature_prototype(turn, creature).map_or(&[][..], |kind| kind.behaviours.as_slice());
    let is_pack = || stats::kin_here(turn, other).contains(&creature);
    is_free
        && parts.iter().any(|part| match part {
            Behaviour::Attack { .. } => stats::can_strike(turn, creature),
            Behaviour::Pack { .. } => is_pack(),
            _ => false,
        })
}

/// Expected length of a fight in rounds; `None` for no end.
struct Prospect {
    /// Rounds until all enemies are defeated.
    mine: Option<i64>,
    /// Rounds until the character is defeated.
    theirs: Option<i64>,
}

/// Returns the rounds until `hp` hit points are lost; `expected` is in hundredths of a point per round. `None` for
/// never.
fn rounds_to_fell(hp: i32, expected: i64) -> Option<i64> {
    (expected > 0).then(|| (i64::from(hp.max(1)) * 100 + expected - 1) / expected)
}

/// Describes a fight in which the enemies fall after `mine` rounds and the character after `its`, in three words.
const fn verdict(mine: Option<i64>, its: Option<i64>) -> &'static str {
    let (mine, its) = match (mine, its) {
        (Some(mine), Some(its)) => (mine, its),
        (Some(_), None) => return "A harmless fight",
        (None, _) => return "A hopeless fight",
    };
    if its >= mine * 4 {
        "An easy fight"
    } else if its >= mine * 2 {
        "You should win"
    } else if its * 4 >= mine * 5 {
        "You might win"
    } else if its * 5 >= mine * 4 {
        "An even fight"
    } else if its * 2 >= mine {
        "You might fall"
    } else {
        "A deadly fight"
    }
}

/// Returns the refusal for a character that has no opponent.
pub(crate) fn not_fighting() -> Refusal {
    refuse!("You are not fighting anybody.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_rounded_up() {
        assert_eq!(rounds_to_fell(8, 400), Some(2));
        assert_eq!(rounds_to_fell(9, 400), Some(3));
        assert_eq!(rounds_to_fell(9, 0), None);
    }

    #[test]
    fn verdict_ranges_from_easy_to_deadly() {
        let verdicts: Vec<&str> = [(2, 8), (2, 4), (4, 5), (5, 5), (5, 4), (5, 3), (5, 1)]
            .map(|(mine, its)| verdict(Some(mine), Some(its)))
            .into_iter()
            .collect();
        let expected = [
            "An easy fight", "You should win", "You might win", "An even fight", "An even fight",
            "You might fall", "A deadly fight",
        ];
        assert_eq!(verdicts, expected);
        assert_eq!(verdict(Some(3), None), "A harmless fight");
        assert_eq!(verdict(None, Some(3)), "A hopeless fight");
    }
}
