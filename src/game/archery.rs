//! Shooting and fireworks: what somebody sends out of one room into those straight ahead of it. What a shot does is
//! `fight::shot`'s; what whoever it hits does about it, that of creatures.

use crate::base::{CharacterId, Direction, ExitId, ItemId, RoomId, Slot};
use crate::catalog::ItemPrototype;
use crate::game::creatures::shoot::answer_shot;
use crate::game::effect::Class;
use crate::game::fight::shot;
use crate::game::happening::Happening;
use crate::game::refusal::{Refusal, ShotRefusal};
use crate::game::turn::Turn;
use crate::game::{affects, body, fight, naming, prototypes, tell, ways};
use crate::text::act::Template;
use crate::text::{Markup, Style};

const LIGHT: Template = Template::new("{actor} {sets|set} fire to {object}.");

/// What hangs on creatures that a burst has not felled.
const DAZZLED: &str = "dazzled";

/// What a bow sends, as those read it at whom it flies.
const ARROW: &str = "an arrow";

/// Shoots with what is in hand at the first creature straight ahead.
pub(crate) fn shoot(turn: &mut Turn, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
    may_send(turn, who)?;
    let bow = body::worn_at(turn, who, Slot::Hand).and_then(|item| prototypes::kind_of(turn, item));
    let range = bow.map_or(0, |bow| bow.range);
    if range == 0 {
        return Err(ShotRefusal::NoBow.into());
    }
    let (direction, line) = line_of(turn, who, exit, range)?;
    let target = line.into_iter().find_map(|room| game_in(turn, room).first().copied());
    let target = target.ok_or(ShotRefusal::NobodyThere)?;
    ready_again(turn, who);
    shot::shoot(turn, who, target, direction, 100, ARROW);
    wake(turn, &[target], direction);
    turn.happen(Happening::Acted { who });
    Ok(())
}

/// Lights what bursts: it flies straight ahead to the first room in which creatures are, or as far as it can; without a
/// way to fly it goes up where it is.
pub(crate) fn light(
    turn: &mut Turn,
    who: CharacterId,
    item: ItemId,
    exit: Option<ExitId>,
) -> Result<(), Refusal> {
    may_send(turn, who)?;
    let thing = prototypes::kind_of(turn, item).filter(|thing| thing.burst > 0).cloned();
    let thing = thing.ok_or_else(|| ShotRefusal::NothingToLight(naming::thing_words(turn, item, 1)))?;
    let aim = match exit {
        Some(exit) => {
            let (direction, line) = line_of(turn, who, exit, thing.range)?;
            let end = line.iter().find(|room| !game_in(turn, **room).is_empty()).or(line.last());
            Some((direction, *end.ok_or(ShotRefusal::NoSight)?))
        }
        None => None,
    };
    ready_again(turn, who);
    let what = naming::thing_words(turn, item, 1);
    turn.world.lessen_item(item, 1, "used");
    tell::act(turn, Class::Notice, &LIGHT, who, None, &what);
    match aim {
        Some((direction, end)) => burst_at(turn, who, &thing, direction, end),
        None => rise(turn, who, &thing),
    }
    turn.happen(Happening::Acted { who });
    Ok(())
}

/// Over the heads of those who light it for its beauty.
fn rise(turn: &mut Turn, who: CharacterId, thing: &ItemPrototype) {
    let room = turn.world.characters[who].room;
    let words = format!("The {} goes up, and comes apart into a hundred green and golden stars.", thing.name);
    tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, &words));
}

/// In a room further on, among whoever is there.
fn burst_at(turn: &mut Turn, who: CharacterId, thing: &ItemPrototype, direction: Direction, end: RoomId) {
    let here = turn.world.characters[who].room;
    let words = format!(
        "The {} hisses away to the {direction}, and the dark there turns green and gold.",
        thing.name
    );
    tell::tell_room(turn, here, &[], Class::Notice, Markup::plain(&words));
    let words = format!(
        "A {} comes hissing out of the {} and bursts into a hundred green and golden stars.",
        thing.name,
        direction.opposite()
    );
    tell::tell_room(turn, end, &[], Class::Combat, Markup::styled(Style::Harm, &words));
    let game = game_in(turn, end);
    shot::burst(turn, who, end, &game, thing.burst);
    for mob in &game {
        if turn.world.characters.get(*mob).is_some() {
            affects::apply_affect(turn, *mob, DAZZLED, None);
        }
    }
    wake(turn, &game, direction);
}

/// Refuses to let anything fly in a fight, twice in a round, or out of hands that can do nothing.
fn may_send(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    body::may_act(turn, who)?;
    if body::is_stunned(turn, who) {
        return Err(ShotRefusal::Stunned.into());
    }
    if turn.world.characters[who].target.is_some() {
        return Err(ShotRefusal::TooClose.into());
    }
    // Nothing comes in there to answer it.
    if turn.world.rooms[turn.world.characters[who].room].kind.spec().peaceful {
        return Err(ShotRefusal::Peaceful.into());
    }
    let again = turn.awake.get(who).and_then(|body| body.shoots_again).filter(|again| *again > turn.now);
    match again {
        Some(again) => Err(ShotRefusal::NotReady(again.since(turn.now)).into()),
        None => Ok(()),
    }
}

/// Something has flown; the next takes a round.
fn ready_again(turn: &mut Turn, who: CharacterId) {
    turn.awake.edit(who).shoots_again = Some(turn.now + turn.config.round);
    fight::end_waiting(turn, who);
    body::get_up(turn, who);
}

/// The direction of an exit, and the rooms of the branch in sight that way.
fn line_of(
    turn: &Turn,
    who: CharacterId,
    exit: ExitId,
    range: u32,
) -> Result<(Direction, Vec<RoomId>), Refusal> {
    let room = turn.world.characters[who].room;
    let direction = turn.world.exits[exit].direction.ok_or(ShotRefusal::NoSight)?;
    let line = ways::straight(turn, room, direction, range);
    if line.is_empty() { Err(ShotRefusal::NoSight.into()) } else { Ok((direction, line)) }
}

/// The creatures of a room that one may shoot at: those that have a mind of their own, and go with nobody.
fn game_in(turn: &Turn, room: RoomId) -> Vec<CharacterId> {
    let is_game = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        let lives = prototypes::mob_prototype(turn, *id).is_some_and(|mob| !mob.behaviours.is_empty());
        body.mob.is_some() && body.master.is_none() && lives
    };
    turn.world.occupants(room).iter().copied().filter(is_game).collect()
}

/// Those that are left come along the line.
fn wake(turn: &mut Turn, shot_at: &[CharacterId], direction: Direction) {
    for mob in shot_at {
        if turn.world.characters.get(*mob).is_some() {
            answer_shot(turn, *mob, direction.opposite());
        }
    }
}
