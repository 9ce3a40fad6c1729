//! Lights: lamps and torches that burn for a time, and the sight of characters in dark rooms.

use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RoomId, Span};
use deepwell_core::catalog::{ItemPrototype, RoomFlag};
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::Place;

const LIGHT: Template = Template::new("{actor} {lights|light} {object}.");

const FILL: Template = Template::new("{actor} {fills|fill} and {lights|light} {object}.");

const PUT_OUT: Template = Template::new("{actor} {puts|put} out {object}.");

/// Returns `true` if there is light in a room: it is not dark, or somebody in it carries a burning light, or one is on the
/// ground.
pub(crate) fn is_lit(turn: &Turn, room: RoomId) -> bool {
    !turn.world.rooms[room].has(RoomFlag::Dark)
        || has_light(turn, turn.world.ground(room))
        || turn.world.occupants(room).iter().any(|other| has_light(turn, turn.world.carried(*other)))
}

/// Refuses what needs light.
pub(crate) fn require_sight(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    if is_lit(turn, turn.world.characters[who].room) { Ok(()) } else { Err(too_dark()) }
}

fn has_light(turn: &Turn, items: &[ItemId]) -> bool {
    items.iter().any(|item| turn.world.items[*item].burns_until.is_some())
}

/// Returns the prototype of an item that can burn as a light.
pub(crate) fn light_kind(turn: &Turn, item: ItemId) -> Option<&ItemPrototype> {
    prototypes::kind_of(turn, item).filter(|kind| kind.burns_secs > 0)
}

/// Lights a lamp or torch that a character carries. An empty lamp is filled first, with fuel that the character carries.
pub(crate) fn light(turn: &mut Turn, who: CharacterId, item: ItemId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    let name = naming::the_item(turn, item);
    let Some(kind) = light_kind(turn, item) else { return Err(nothing_to_light(&name)) };
    let (burns_secs, fuel) = (kind.burns_secs, kind.fuel.clone());
    let row = &turn.world.items[item];
    if row.burns_until.is_some() {
        return Err(refuse!("{} burns already.", grammar::capitalise(&name)));
    }
    let left = row.fuel_secs.unwrap_or(burns_secs).min(burns_secs);
    let (left, template) = if left > 0 {
        (left, &LIGHT)
    } else {
        let held = |item: &ItemId| Some(&turn.world.items[*item].prototype) == fuel.as_ref();
        let flask = turn.world.carried(who).iter().copied().find(held);
        let flask = flask.ok_or_else(|| {
            refuse!(
                "{} is empty, and you carry no more of what it burns: {}.",
                grammar::capitalise(&name),
                fuel.as_ref().map_or_else(String::new, |key| naming::item_words(turn, key, 1))
            )
        })?;
        turn.world.remove_from_stack(flask, 1, "used");
        (burns_secs, &FILL)
    };
    let until = turn.now + Span::secs(left.into());
    turn.world.items.change(item, |row| (row.burns_until, row.fuel_secs) = (Some(until), None));
    turn.timers.schedule(until, Timer::BurnOut(item));
    tell::act(turn, Class::Notice, template, who, None, &name);
    Ok(())
}

/// Puts out a light that a character carries. What is left of its fuel stays.
pub(crate) fn put_out(turn: &mut Turn, who: CharacterId, item: ItemId) -> Result<(), Refusal> {
    let name = naming::the_item(turn, item);
    if !extinguish(turn, item) {
        return Err(refuse!("{} does not burn.", grammar::capitalise(&name)));
    }
    tell::act(turn, Class::Notice, &PUT_OUT, who, None, &name);
    Ok(())
}

/// Puts out all lights of a character that leaves the world.
pub(crate) fn put_out_all(turn: &mut Turn, who: CharacterId) {
    for item in turn.world.carried(who).to_vec() {
        for inside in turn.world.with_contents(item) {
            extinguish(turn, inside);
        }
    }
}

/// Stops an item from burning. Returns `false` if it does not burn.
fn extinguish(turn: &mut Turn, item: ItemId) -> bool {
    let Some(until) = turn.world.items[item].burns_until else { return false };
    let left = u32::try_from(Span(until.0 - turn.now.0).whole_secs()).unwrap_or(0);
    turn.world.items.change(item, |row| (row.burns_until, row.fuel_secs) = (None, Some(left)));
    true
}

/// Ends a light whose time is over. A lamp that can be filled is empty; anything else is gone.
pub(crate) fn burn_out(turn: &mut Turn, item: ItemId) {
    let is_over = |until| until <= turn.now;
    if turn.world.items.get(item).is_none_or(|row| !row.burns_until.is_some_and(is_over)) {
        return;
    }
    let (place, name) =
        (turn.world.root(item), grammar::capitalise(&naming::the_item(turn, item)).into_owned());
    let is_filled = light_kind(turn, item).is_some_and(|kind| kind.fuel.is_some());
    if is_filled {
        turn.world.items.change(item, |row| (row.burns_until, row.fuel_secs) = (None, Some(0)));
    } else {
        turn.world.remove_item(item, "burnt");
    }
    let message = if is_filled {
        format!("{name} goes out: its oil is used up.")
    } else {
        format!("{name} burns down, and goes out.")
    };
    match place {
        Some(Place::Holder(who)) => {
            let room = turn.world.characters[who].room;
            tell::tell_room(turn, room, &[], Class::Notice, message.as_str());
        }
        Some(Place::Room(room)) => tell::tell_room(turn, room, &[], Class::Notice, message.as_str()),
        _ => {}
    }
}

/// Describes the state of a light: "It burns, for about twenty minutes more."
pub(crate) fn state_words(turn: &Turn, item: ItemId, kind: &ItemPrototype) -> String {
    let row = &turn.world.items[item];
    let for_time = |secs: i64| format!("for about {}", Span::secs(secs));
    match (row.burns_until, row.fuel_secs) {
        (Some(until), _) => format!("It burns, {} more.", for_time(Span(until.0 - turn.now.0).whole_secs())),
        (None, Some(0)) => "It is a light, and empty.".to_owned(),
        (None, left) => format!("It is a light, {}.", for_time(left.unwrap_or(kind.burns_secs).into())),
    }
}

/// Returns the refusal to see in a dark room.
pub(crate) fn too_dark() -> Refusal {
    refuse!("It is too dark to see anything. A burning lamp or torch would help.")
}

/// Returns the refusal to light an item that does not burn.
pub(crate) fn nothing_to_light(name: &str) -> Refusal {
    refuse!("{} is nothing to light.", grammar::capitalise(name))
}
