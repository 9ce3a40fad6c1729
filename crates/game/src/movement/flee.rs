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
    if turn.world.characters[who].target.is_none() {
        return Err(not_fighting());
    }
    stats::may_leave(turn, who)?;
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and cannot run."));
    }
    attack::require_round(turn, who)?;
    let exit = flee_exit(turn, who).ok_or_else(|| refuse!("There is no way out that you know."))?;
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

/// Describes the likely course of a fight with a creature.
pub(crate) fn estimate_fight(turn: &Turn, who: CharacterId, other: CharacterId) -> Markup {
    let alone = Prospect::of(turn, who, &BTreeSet::from([other]));
    let enemies = opponents(turn, who, other);
    let number = enemies.len();
    let (company, verdict, against) = if number == 1 {
        (String::new(), verdict(alone.mine, alone.theirs), "it alone".to_owned())
    } else {
        let all = Prospect::of(turn, who, &enemies);
        let number = grammar::number(number);
        let them = if enemies.len() == 2 { "both".to_owned() } else { format!("all {number}") };
        let company = format!("But it has company. {} ", all.words(&them, "they"));
        (company, verdict(all.mine, all.theirs), format!("{number} enemies"))
    };
    let state = format!(
        " is {}. {} {company}{}{} Against {against}, you would get away in {} of 100 tries.",
        stats::condition_of(turn, other),
        alone.words("it", "it"),
        verdict,
        blast_words(turn, who, other),
        chance_against(turn, enemies.len()),
    );
    naming::name_of(turn, other).and(&state)
}

/// Returns `true` if a character would probably beat a creature and all that fight beside it, and last at least `margin`
/// times as many rounds. No fight with a creature that explodes can be won so.
pub(crate) fn would_win(turn: &Turn, who: CharacterId, other: CharacterId, margin: i64) -> bool {
    let enemies = opponents(turn, who, other);
    let Prospect { mine, theirs } = Prospect::of(turn, who, &enemies);
    let lasts = theirs.is_none_or(|theirs| mine.is_some_and(|mine| theirs >= mine * margin));
    mine.is_some() && lasts && enemies.iter().all(|enemy| blast_words(turn, who, *enemy).is_empty())
}

/// Describes the damage of an exploding creature's blast; empty for any other creature.
fn blast_words(turn: &Turn, who: CharacterId, other: CharacterId) -> String {
    let parts = prototypes::creature_prototype(turn, other)
        .map_or(&[][..], |creature| creature.behaviours.as_slice());
    let blast = parts.iter().find_map(|part| match part {
        Behaviour::Explode { damage, rounds, .. } => Some((*damage, *rounds)),
        _ => None,
    });
    let Some((damage, rounds)) = blast else { return String::new() };
    let hp = u32::try_from(stats::hp(turn, who)).unwrap_or(0);
    let rounds = grammar::counted(rounds, "round");
    let cost = if damage >= hp {
        "all the hit points you have left".to_owned()
    } else {
        format!("{} of your {}", grammar::number(damage), grammar::counted(hp, "hit point"))
    };
    format!(
        " But it bursts {rounds} after its warning, and the blast would cost you {cost}: be gone by then."
    )
}

/// Returns the enemies of a fight with a creature: the creature, current attackers, and those in its room that would join.
fn opponents(turn: &Turn, who: CharacterId, other: CharacterId) -> BTreeSet<CharacterId> {
    let here = turn.world.occupants(turn.world.characters[other].room).iter().copied();
    let together = here.filter(|creature| *creature != who && would_join(turn, *creature, other));
    hindering(turn, who).chain([other]).chain(together).collect()
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
            Behaviour::Attack { .. } => true,
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

impl Prospect {
    fn of(turn: &Turn, who: CharacterId, enemies: &BTreeSet<CharacterId>) -> Self {
        let fell = |enemy: &CharacterId| {
            rounds_to_fell(stats::hp(turn, *enemy), rules::odds(turn, who, *enemy).expected())
        };
        let harm = enemies.iter().map(|enemy| rules::odds(turn, *enemy, who).expected()).sum();
        Self { mine: enemies.iter().map(fell).sum(), theirs: rounds_to_fell(stats::hp(turn, who), harm) }
    }

    /// Formats both as a sentence, with the words for the enemies as object and as subject.
    fn words(&self, whom: &str, who: &str) -> String {
        fell_words(whom, who, self.mine, self.theirs)
    }
}

/// Formats "You would fell it in about three rounds, and it would fell you in about 29.", with "never" for `None`.
fn fell_words(whom: &str, who: &str, mine: Option<i64>, theirs: Option<i64>) -> String {
    let in_rounds = |rounds: i64| format!("in about {}", grammar::counted(rounds, "round"));
    let mine = match mine {
        Some(rounds) => format!("You would fell {whom} {}", in_rounds(rounds)),
        None => format!("You would never fell {whom}"),
    };
    match theirs {
        Some(rounds) => format!("{mine}, and {who} would fell you {}.", in_rounds(rounds)),
        None => format!("{mine}, and {who} would never fell you."),
    }
}

/// Returns the rounds until `hp` hit points are lost; `expected` is in hundredths of a point per round. `None` for
/// never.
fn rounds_to_fell(hp: i32, expected: i64) -> Option<i64> {
    (expected > 0).then(|| (i64::from(hp.max(1)) * 100 + expected - 1) / expected)
}

/// Describes a fight in which the enemy falls after `mine` rounds and the character after `its`.
const fn verdict(mine: Option<i64>, its: Option<i64>) -> &'static str {
    let (Some(mine), Some(its)) = (mine, its) else {
        return if mine.is_none() {
            "You could not so much as scratch it."
        } else {
            "It could not so much as scratch you."
        };
    };
    if its >= mine * 4 {
        "That would be an easy fight."
    } else if its >= mine * 2 {
        "You should win, at the price of some wounds."
    } else if its * 4 >= mine * 5 {
        "You would probably win, but not by much."
    } else if its * 5 >= mine * 4 {
        "It could go either way."
    } else if its * 2 >= mine {
        "You would probably fall first."
    } else {
        "It would be the end of you."
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
        let words: Vec<&str> = [(2, 8), (2, 4), (4, 5), (5, 5), (5, 4), (5, 3), (5, 1)]
            .map(|(mine, its)| verdict(Some(mine), Some(its)))
            .into_iter()
            .collect();
        assert_eq!(words[0], "That would be an easy fight.");
        assert_eq!(words[1], "You should win, at the price of some wounds.");
        assert_eq!(words[2], "You would probably win, but not by much.");
        assert_eq!(words[3], "It could go either way.");
        assert_eq!(words[4], "It could go either way.");
        assert_eq!(words[5], "You would probably fall first.");
        assert_eq!(words[6], "It would be the end of you.");
    }
}
