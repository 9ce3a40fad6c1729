//! Shooting and fireworks into rooms straight ahead. The damage of a shot is in `attack::shot`; the reaction of
//! creatures is in `creatures::shoot`.

use crate::attack;
use crate::attack::shot;
use crate::character::{affects, stats};
use crate::creature::shoot::answer_shot;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::item::light::nothing_to_light;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Direction, ExitId, ItemId, RoomId, Slot};
use deepwell_core::catalog::ItemPrototype;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style};

const LIGHT: Template = Template::new("{actor} {sets|set} fire to {object}.");

/// Key of the affect on creatures that survive a burst.
const DAZZLED: &str = "dazzled";

/// Name of the projectile of a bow in the target's messages.
const ARROW: &str = "an arrow";

/// Shoots with the wielded bow at the first creature straight ahead.
pub(crate) fn shoot(turn: &mut Turn, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
    require_may_shoot(turn, who)?;
    let bow = stats::worn_at(turn, who, Slot::Hand).and_then(|item| prototypes::kind_of(turn, item));
    let range = bow.map_or(0, |bow| bow.range);
    if range == 0 {
        return Err(refuse!(
            "You have nothing in hand that shoots. The chandler in the town sells bows; wield one."
        ));
    }
    let (direction, line) = line_of(turn, who, exit, range)?;
    let target = line.into_iter().find_map(|room| shootable_in(turn, room).first().copied());
    let target = target.ok_or_else(|| refuse!("You see nobody to shoot at that way."))?;
    start_shot_delay(turn, who);
    shot::shoot(turn, who, target, direction, 100, ARROW);
    wake(turn, &[target], direction);
    turn.emit_event(GameEvent::Acted { who });
    Ok(())
}

/// Lights a firework. It flies straight ahead to the first room with creatures, or to the end of its range. Without an
/// exit to fly through, it goes up in the same room.
pub(crate) fn light(
    turn: &mut Turn,
    who: CharacterId,
    item: ItemId,
    exit: Option<ExitId>,
) -> Result<(), Refusal> {
    require_may_shoot(turn, who)?;
    let prototype = prototypes::kind_of(turn, item).filter(|prototype| prototype.burst > 0).cloned();
    let prototype = prototype.ok_or_else(|| nothing_to_light(&naming::stack_words(turn, item, 1)))?;
    let aim = match exit {
        Some(exit) => {
            let (direction, line) = line_of(turn, who, exit, prototype.range)?;
            let end = line.iter().find(|room| !shootable_in(turn, **room).is_empty()).or(line.last());
            Some((direction, *end.ok_or_else(no_sight)?))
        }
        None => None,
    };
    start_shot_delay(turn, who);
    let what = naming::stack_words(turn, item, 1);
    turn.world.remove_from_stack(item, 1, "used");
    tell::act(turn, Class::Notice, &LIGHT, who, None, &what);
    match aim {
        Some((direction, end)) => burst_at(turn, who, &prototype, direction, end),
        None => rise(turn, who, &prototype),
    }
    turn.emit_event(GameEvent::Acted { who });
    Ok(())
}

/// Sets a firework off in the player's own room, without effect.
fn rise(turn: &mut Turn, who: CharacterId, prototype: &ItemPrototype) {
    let room = turn.world.characters[who].room;
    let message =
        format!("The {} goes up, and comes apart into a hundred green and golden stars.", prototype.name);
    tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, &message));
}

/// Bursts a firework among the creatures of another room.
fn burst_at(turn: &mut Turn, who: CharacterId, prototype: &ItemPrototype, direction: Direction, end: RoomId) {
    let here = turn.world.characters[who].room;
    let message = format!(
        "The {} hisses away to the {direction}, and the dark there turns green and gold.",
        prototype.name
    );
    tell::tell_room(turn, here, &[], Class::Notice, Markup::plain(&message));
    let message = format!(
        "A {} comes hissing out of the {} and bursts into a hundred green and golden stars.",
        prototype.name,
        direction.opposite()
    );
    tell::tell_room(turn, end, &[], Class::Combat, Markup::styled(Style::Harm, &message));
    let game = shootable_in(turn, end);
    shot::burst(turn, who, end, &game, prototype.burst);
    for creature in &game {
        if turn.world.characters.get(*creature).is_some() {
            affects::apply_affect(turn, *creature, DAZZLED, None);
        }
    }
    wake(turn, &game, direction);
}

/// Refuses to shoot in a fight, in a peaceful room, while stunned or incapacitated, or twice in a round.
fn require_may_shoot(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and see three of everything."));
    }
    if turn.world.characters[who].target.is_some() {
        return Err(refuse!("It is too close for that: somebody fights you."));
    }
    // Creatures do not enter peaceful rooms and so could not answer the shot.
    if turn.world.rooms[turn.world.characters[who].room].sheet.kind.spec().peaceful {
        return Err(refuse!("Nothing is shot or lit in a room where people rest."));
    }
    stats::require_free_hands(turn, who)
}

/// Starts the delay of one round before the next shot.
fn start_shot_delay(turn: &mut Turn, who: CharacterId) {
    turn.awake.edit(who).hands_busy_until = Some(turn.now + turn.config.round);
    attack::end_waiting(turn, who);
    stats::get_up(turn, who);
}

/// Returns the direction of an exit and the rooms in range straight along it.
fn line_of(
    turn: &Turn,
    who: CharacterId,
    exit: ExitId,
    range: u32,
) -> Result<(Direction, Vec<RoomId>), Refusal> {
    let room = turn.world.characters[who].room;
    let direction = turn.world.exits[exit].direction.ok_or_else(no_sight)?;
    let line = pathfinding::straight(turn, room, direction, range);
    if line.is_empty() { Err(no_sight()) } else { Ok((direction, line)) }
}

/// Returns the creatures of a room that may be shot at: those with behaviours and without a master.
fn shootable_in(turn: &Turn, room: RoomId) -> Vec<CharacterId> {
    let is_game = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        let lives =
            prototypes::creature_prototype(turn, *id).is_some_and(|creature| !creature.behaviours.is_empty());
        body.prototype.is_some() && body.master.is_none() && lives
    };
    turn.world.occupants(room).iter().copied().filter(is_game).collect()
}

/// Makes the surviving targets come along the line of fire.
fn wake(turn: &mut Turn, shot_at: &[CharacterId], direction: Direction) {
    for creature in shot_at {
        if turn.world.characters.get(*creature).is_some() {
            answer_shot(turn, *creature, direction.opposite());
        }
    }
}

/// Returns the refusal to shoot in a direction without a view.
fn no_sight() -> Refusal {
    refuse!("You can shoot only along the ways that you know, and in the dungeon.")
}
