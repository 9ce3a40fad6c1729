//! Running from a fight: along the way back first, else through any explored exit; with odds that are told
//! before and after. And weighing up a fight before it begins.

use crate::base::{CharacterId, Dice, ExitId};
use crate::catalog::Behaviour;
use crate::game::effect::Class;
use crate::game::fight::rules;
use crate::game::happening::Happening;
use crate::game::refusal::{FightRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{body, clearing, fight, movement, naming, prototypes, tell, ways};
use crate::text::{Markup, grammar};
use crate::world::{ExitKind, ExitState, Posture};
use std::collections::BTreeSet;

/// Tries to run from a fight. Who does not get away has used up the blow of the round.
pub(crate) fn flee(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    if turn.world.characters[who].target.is_none() {
        return Err(Refusal::NotFighting);
    }
    body::may_leave(turn, who)?;
    if body::is_stunned(turn, who) {
        return Err(FightRefusal::TooStunnedToRun.into());
    }
    fight::require_round(turn, who)?;
    let exit = way_to_flee(turn, who).ok_or(Refusal::NowhereToFlee)?;
    let percent = flight_percent(turn, who);
    let odds = format!("Your chance was {percent} in 100.");
    if !turn.dice.combat.percent(percent) {
        let enemy = hindering(turn, who)
            .next()
            .map_or_else(|| "somebody".to_owned(), |enemy| naming::the(turn, enemy));
        tell::tell(turn, who, Class::Combat, format!("You try to run, but {enemy} cuts you off. {odds}"));
        tell::tell_others(turn, who, Class::Combat, " tries to run, and does not get away.");
        turn.awake.edit(who).stance.spent = true;
        turn.happen(Happening::Acted { who });
        return Ok(());
    }
    let toward = movement::toward(&turn.world.exits[exit]);
    tell::tell(turn, who, Class::Combat, format!("You break away and run {toward}. {odds}"));
    tell::tell_others(turn, who, Class::Combat, " breaks away and runs.");
    fight::stop_fights_of(turn, who);
    movement::pass(turn, who, exit)
}

/// Runs from a fight by itself whoever wants to at so few hit points, and can. Whether it was tried: then it was what one
/// did in this round.
pub(crate) fn lose_nerve(turn: &mut Turn, who: CharacterId) -> bool {
    let most = i64::from(body::max_hp_of(turn, who));
    let wimpy = i64::from(turn.world.characters[who].wimpy);
    if i64::from(body::hp(turn, who)) * 100 >= most * wimpy || flee(turn, who).is_err() {
        return false;
    }
    // The round that is being played is the one that was used up.
    turn.awake.take(who, |body| body.stance.spent = false);
    true
}

/// The way one would run: back first, else the first that leads somewhere known. Creatures keep to their ways.
fn way_to_flee(turn: &Turn, who: CharacterId) -> Option<ExitId> {
    let body = &turn.world.characters[who];
    let known = turn.world.exits_of(body.room).filter(|exit| {
        exit.kind != ExitKind::Branch
            && !matches!(exit.state, ExitState::Unexplored | ExitState::Locked)
            && exit.to.is_some()
            && (body.is_player() || ways::way(turn, exit).is_some())
    });
    known.min_by_key(|exit| !exit.back).map(|exit| exit.id)
}

/// In how many of 100 tries somebody gets away from those who fight them.
fn flight_percent(turn: &Turn, who: CharacterId) -> u32 {
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

/// Who fights a body and could keep it from running.
fn hindering(turn: &Turn, who: CharacterId) -> impl Iterator<Item = CharacterId> {
    let here = turn.world.occupants(turn.world.characters[who].room).iter().copied();
    here.filter(move |other| {
        let other_body = &turn.world.characters[*other];
        *other != who
            && other_body.target == Some(who)
            && other_body.posture != Posture::Down
            && !body::is_stunned(turn, *other)
    })
}

/// Returns what a fight with a creature would be like, in words.
pub(crate) fn weigh_up(turn: &Turn, who: CharacterId, other: CharacterId) -> Markup {
    let alone = Prospect::of(turn, who, &BTreeSet::from([other]));
    let enemies = opponents(turn, who, other);
    let number = u32::try_from(enemies.len()).unwrap_or(u32::MAX);
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
        body::condition_of(turn, other),
        alone.words("it", "it"),
        verdict,
        blast_words(turn, who, other),
        chance_against(turn, enemies.len()),
    );
    naming::name_of(turn, other).and(&state)
}

/// Returns what the blast of a creature that bursts would do to a body; nothing for any other creature.
fn blast_words(turn: &Turn, who: CharacterId, other: CharacterId) -> String {
    let parts = prototypes::mob_prototype(turn, other).map_or(&[][..], |mob| mob.behaviours.as_slice());
    let blast = parts.iter().find_map(|part| match part {
        Behaviour::Explode { damage, rounds, .. } => Some((*damage, *rounds)),
        _ => None,
    });
    let Some((damage, rounds)) = blast else { return String::new() };
    let hp = u32::try_from(body::hp(turn, who)).unwrap_or(0);
    let rounds = grammar::counted(rounds, "round", None);
    let cost = if damage >= hp {
        "all the hit points you have left".to_owned()
    } else {
        format!("{} of your {}", grammar::number(damage), grammar::counted(hp, "hit point", None))
    };
    format!(
        " But it bursts {rounds} after its warning, and the blast would cost you {cost}: be gone by then."
    )
}

/// Who would fight somebody that strikes another: that one, whoever fights them already, and who guards the room with it.
fn opponents(turn: &Turn, who: CharacterId, other: CharacterId) -> BTreeSet<CharacterId> {
    let guards = clearing::guards(turn, turn.world.characters[other].room);
    let together = guards.iter().copied().filter(|_| guards.contains(&other));
    hindering(turn, who).chain([other]).chain(together).collect()
}

/// How many rounds a fight would take; none if that never comes.
struct Prospect {
    /// Until all of them lie on the ground.
    mine: Option<i64>,
    /// Until oneself does.
    theirs: Option<i64>,
}

impl Prospect {
    fn of(turn: &Turn, who: CharacterId, enemies: &BTreeSet<CharacterId>) -> Self {
        let fell = |enemy: &CharacterId| {
            rounds_to_fell(body::hp(turn, *enemy), rules::odds(turn, who, *enemy).expected())
        };
        let harm = enemies.iter().map(|enemy| rules::odds(turn, *enemy, who).expected()).sum();
        Self { mine: enemies.iter().map(fell).sum(), theirs: rounds_to_fell(body::hp(turn, who), harm) }
    }

    /// The two as a sentence, with the words for the enemies as object and as subject.
    fn words(&self, whom: &str, who: &str) -> String {
        fell_words(whom, who, self.mine, self.theirs)
    }
}

/// "You would fell it in about three rounds, and it would fell you in about 29.", or that one of them never would.
fn fell_words(whom: &str, who: &str, mine: Option<i64>, theirs: Option<i64>) -> String {
    let in_rounds = |rounds: i64| {
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        format!("in about {}", grammar::counted(rounds, "round", None))
    };
    let mine = match mine {
        Some(rounds) => format!("You would fell {whom} {}", in_rounds(rounds)),
        None => format!("You would never fell {whom}"),
    };
    match theirs {
        Some(rounds) => format!("{mine}, and {who} would fell you {}.", in_rounds(rounds)),
        None => format!("{mine}, and {who} would never fell you."),
    }
}

/// Rounds until so many hit points are gone, at so many hundredths of a point a round; none if that never comes.
fn rounds_to_fell(hp: i32, expected: i64) -> Option<i64> {
    (expected > 0).then(|| (i64::from(hp.max(1)) * 100 + expected - 1) / expected)
}

/// How a fight would go in which one side falls after `mine` rounds and the other after `its`.
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
    fn the_verdict_goes_from_easy_to_deadly() {
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
