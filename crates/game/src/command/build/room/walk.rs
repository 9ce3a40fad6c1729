//! Walk-to-build: a step in a direction without an exit creates a room there, with the texts of a chosen room and exits
//! in both directions, and enters it. The mode is not stored and ends when the builder quits.

use crate::access::audit_log;
use crate::building::built_rooms;
use crate::character::stats;
use crate::command::build::built;
use crate::command::build::room::exits::{add_exit, add_room, building_site, exit_kind, hand_built};
use crate::command::parse::build_argument::NameAndKind;
use crate::command::parse::{Actor, Words};
use crate::movement;
use crate::refusal::{Refusal, refuse};
use crate::room::respawn;
use crate::state::awake::Digging;
use crate::turn::Turn;
use deepwell_core::base::{Direction, ExitId, Right, RoomId};
use deepwell_core::catalog::RoomSheet;
use deepwell_core::world::{ExitKind, RoomKind};

/// Turns the mode on or off, or shows it.
pub(crate) fn switch(turn: &mut Turn, actor: Actor, words: Words<'_>) -> Result<(), Refusal> {
    if turn.web_builder.is_some() {
        return Err(refuse!("Steps dig in the game; on this page nobody takes one."));
    }
    let digs = turn.awake.get(actor.who).and_then(|body| body.digs);
    let (word, _) = words.keyword();
    let now = match (word.as_str(), digs) {
        ("off", None) => return actor.answer(turn, "Your steps dig nothing."),
        ("off", Some(_)) => {
            turn.awake.take(actor.who, |body| body.digs = None);
            return actor.answer(turn, "Your steps dig no longer.");
        }
        ("", Some(digs)) => digs,
        ("" | "on", _) => Digging { like: None },
        _ => Digging { like: Some(hand_built(turn, actor.who, words.text())?) },
    };
    turn.awake.edit(actor.who).digs = Some(now);
    let like = match now.like.and_then(|room| turn.world.rooms.get(room)) {
        Some(room) => format!("a room like {}, room {}", room.sheet.name, room.id),
        None => "a bare room".to_owned(),
    };
    let here = match building_site(turn, actor.who) {
        Ok(_) => String::new(),
        Err(refusal) => format!(" Not here: {}", refusal.markup().text()),
    };
    let answer = format!(
        "Your steps dig: where no exit leads in a direction, there is {like} then, with the way back. Type dig -walk \
         off to end it.{here}"
    );
    actor.answer(turn, answer)
}

/// Handles a step without an exit. `None` if the mode is off, or the builder may not build here.
pub(crate) fn step(turn: &mut Turn, actor: Actor, direction: Direction) -> Option<Result<(), Refusal>> {
    let digs = turn.awake.get(actor.who)?.digs?;
    if !actor.rights(turn).has(Right::Dig) {
        return None;
    }
    let here = building_site(turn, actor.who).ok()?;
    Some(dig_on(turn, actor, here, direction, digs))
}

fn dig_on(
    turn: &mut Turn,
    actor: Actor,
    here: RoomId,
    direction: Direction,
    digs: Digging,
) -> Result<(), Refusal> {
    turn.require_writable()?;
    stats::require_peace(turn, actor.who)?;
    stats::may_leave(turn, actor.who)?;
    let line = format!("dig -walk {direction}");
    audit_log::audit(turn, Some(actor.account), &line);
    let exit = built::write_down(turn, actor, &line, |turn| dig_way(turn, actor, here, direction, digs))?;
    respawn::begin(turn);
    movement::walk(turn, actor.who, exit)
}

/// Creates exits in both directions. They lead to the adjacent room of the same zone, if it exists and has no exit back
/// yet, otherwise to a new room.
fn dig_way(
    turn: &mut Turn,
    actor: Actor,
    here: RoomId,
    direction: Direction,
    digs: Digging,
) -> Result<ExitId, Refusal> {
    let called =
        |direction: Direction| NameAndKind { name: direction.name().into(), aliases: Vec::new(), kind: None };
    let (out, back) = (called(direction), called(direction.opposite()));
    exit_kind(turn, Some(here), turn.world.rooms[here].sheet.kind, &out, true)?;
    let beside = adjacent_room_of_zone(turn, here, direction);
    let beside = beside.filter(|room| exit_kind(turn, Some(*room), RoomKind::Room, &back, true).is_ok());
    let there = match beside {
        Some(room) => room,
        None => add_room_like(turn, here, direction, digs)?,
    };
    let exit = add_exit(turn, here, ExitKind::Exit, &out, Some(there));
    add_exit(turn, there, ExitKind::Exit, &back, Some(here));
    let name = &turn.world.rooms[there].sheet.name;
    let message = match beside {
        Some(_) => format!("You open the way {direction} to {name}, room {there}, and the way back."),
        None => format!("You dig {name}, room {there}: {direction} leads there, and {} back.", back.name),
    };
    actor.answer(turn, message)?;
    Ok(exit)
}

/// Returns the room of the same zone at the adjacent place.
fn adjacent_room_of_zone(turn: &Turn, here: RoomId, direction: Direction) -> Option<RoomId> {
    let row = &turn.world.rooms[here];
    let place = row.coordinates()?.step(direction);
    let room = turn.world.rooms.built_at(place).filter(|room| *room != here)?;
    (turn.world.rooms[room].area == row.area).then_some(room)
}

/// Creates a room with the texts and the kind of another.
fn add_room_like(
    turn: &mut Turn,
    here: RoomId,
    direction: Direction,
    Digging { like }: Digging,
) -> Result<RoomId, Refusal> {
    let like = match like {
        Some(room) => Some(turn.world.rooms.get(room).cloned().ok_or_else(|| {
            refuse!(
                "The room that yours were to be like is gone: type dig -walk and another one, or dig -walk \
                 off."
            )
        })?),
        None => None,
    };
    built_rooms::require_space(turn, 1)?;
    let name = like.as_ref().map_or(built_rooms::UNNAMED, |room| &room.sheet.name).to_owned();
    let kind = like.as_ref().map_or(RoomKind::Room, |room| room.sheet.kind);
    let room = NameAndKind { name, aliases: Vec::new(), kind: None };
    let made = add_room(turn, here, kind, &room, Some(direction));
    if let Some(like) = like {
        turn.world.rooms.change(made, |row| {
            let RoomSheet { name, aliases, .. } = row.sheet.clone();
            row.sheet = RoomSheet { name, aliases, board: None, ..like.sheet };
            (row.stock, row.shop, row.supplies) = (like.stock, like.shop, like.supplies);
        });
    }
    Ok(made)
}
