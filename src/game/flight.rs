//! Running from a fight: along the way back first, else through any explored exit; with odds that are told
//! before and after. And weighing up a fight before it begins.

use crate::base::{CharacterId, Dice, ExitId};
use crate::game::effect::Class;
use crate::game::fight::rules;
use crate::game::happening::Happening;
use crate::game::refusal::{FightRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{body, clearing, fight, movement, naming, tell, ways};
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

/// What a fight with a creature would be like, in words.
pub(crate) fn weigh_up(turn: &Turn, who: CharacterId, other: CharacterId) -> Markup {
    let alone = Prospect::of(turn, who, &BTreeSet::from([other]));
    let one = format!("You would fell it {}, and it you {}.", in_rounds(alone.mine), in_rounds(alone.theirs));
    let enemies = opponents(turn, who, other);
    let number = grammar::number(u32::try_from(enemies.len()).unwrap_or(u32::MAX));
    let (company, prospect, against) = if enemies.len() == 1 {
        (String::new(), alone, "it alone".to_owned())
    } else {
        let all = Prospect::of(turn, who, &enemies);
        let (mine, theirs) = (in_rounds(all.mine), in_rounds(all.theirs));
        let company =
            format!("But it has company: you would fell all {number} {mine}, and they you {theirs}. ");
        (company, all, format!("{number} enemies"))
    };
    let state = format!(
        " is {}. {one} {company}{} Against {against}, you would get away in {} of 100 tries.",
        body::condition_of(turn, other),
        verdict(prospect.mine, prospect.theirs),
        chance_against(turn, enemies.len()),
    );
    naming::name_of(turn, other).and(&state)
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
}

fn in_rounds(rounds: Option<i64>) -> String {
    rounds.map_or_else(
        || "never".to_owned(),
        |rounds| {
            let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
            format!("in about {}", grammar::counted(rounds, "round", None))
        },
    )
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
