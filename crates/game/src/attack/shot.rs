//! Shots into another room: the odds of a melee attack, with messages in both rooms.

use crate::attack::{harm, rules};
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::turn::Turn;
use crate::turn::prototypes::points;
use deepwell_core::base::{CharacterId, Direction, RoomId};
use deepwell_core::text::{Markup, Style, grammar};

/// Shoots at a target in the given direction for a percentage of melee damage. The target may die.
pub(crate) fn shoot(
    turn: &mut Turn,
    who: CharacterId,
    target: CharacterId,
    direction: Direction,
    percent: u32,
    missile: &str,
) {
    let odds = rules::odds(turn, who, target);
    let harm_done = odds.draw(&mut turn.dice.combat).map(|harm| {
        let harm = i64::from(harm) * i64::from(percent) / 100;
        i32::try_from(harm).unwrap_or(i32::MAX).max(1)
    });
    let (here, there) = (turn.world.characters[who].room, turn.world.characters[target].room);
    let (whom, back) = (naming::the(turn, target), direction.opposite());
    let flies = grammar::capitalise(missile);
    let wounds = harm_done.map(|harm| grammar::counted(harm.unsigned_abs(), "point"));
    let own = match &wounds {
        Some(points) => format!("You hit {whom}, to the {direction}, for {points}."),
        None => format!("You miss {whom}, to the {direction}."),
    };
    tell::tell(turn, who, Class::Combat, own);
    let leaves = format!(" sends {missile} to the {direction}.");
    let by = naming::name_of(turn, who).and(&leaves);
    tell::tell_room(turn, here, &[who], Class::Combat, by);
    let yours = match &wounds {
        Some(points) => Markup::styled(
            Style::Harm,
            &format!("{flies} comes out of the {back} and hits you for {points}."),
        ),
        None => Markup::plain(&format!("{flies} comes out of the {back} and misses you.")),
    };
    tell::tell(turn, target, Class::Combat, yours);
    let seen = if wounds.is_some() { "hits" } else { "misses" };
    let message = format!("{flies} comes out of the {back} and {seen} {whom}.");
    tell::tell_room(turn, there, &[target], Class::Combat, Markup::plain(&message));
    if let Some(points) = harm_done {
        harm(turn, target, points, Some(who));
    }
}

/// Damages the listed creatures that are still in the room of an explosion.
pub(crate) fn burst(turn: &mut Turn, who: CharacterId, room: RoomId, struck: &[CharacterId], harm_each: u32) {
    for creature in struck {
        if turn.world.characters.get(*creature).is_some_and(|body| body.room == room) {
            harm(turn, *creature, points(harm_each), Some(who));
        }
    }
}
