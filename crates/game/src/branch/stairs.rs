//! Stairs and the floors below. Each floor has one room with stairs down, placed by the generator. Characters take
//! stairs one at a time; a party follows its leader.

use crate::branch::{gate, grow, rooms};
use crate::character::{experience, stats};
use crate::effect::Class;
use crate::exit::clearing;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, RoomId};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::dungeon;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, ExitKind};

/// Returns the room behind the stairs, which is created on first use. Going down requires a clear room and no pending
/// training choices, and heals the character.
pub(crate) fn take_stairs(turn: &mut Turn, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
    if exit.is_gate() {
        return gate::enter_gate(turn, who, exit);
    }
    if !exit.is_stairs_down() {
        return exit.to.ok_or(Refusal::NoWay);
    }
    clearing::may_explore(turn, exit.room)?;
    if turn.world.characters[who].trainings > 0 {
        return Err(refuse!(
            "Before you go deeper, choose what you have learnt: train {}.",
            experience::choice_words(turn, who)
        ));
    }
    let to = match exit.to {
        Some(to) => to,
        None => open_floor(turn, exit)?,
    };
    heal_on_first_descent(turn, who, to);
    Ok(to)
}

/// Restores half of the hit points when a character first goes down to a floor. Later visits restore nothing.
fn heal_on_first_descent(turn: &mut Turn, who: CharacterId, to: RoomId) {
    let row = &turn.world.rooms[to];
    let (dungeon_level, known) = (turn.world.dungeon_level(to), row.challenge.visitors.contains_key(&who));
    if known {
        tell::tell(
            turn,
            who,
            Class::Notice,
            format!("You go down the stairs you know. Dungeon level {dungeon_level}."),
        );
        return;
    }
    if let Some(row) = turn.world.rooms.edit(to).filter(|_| turn.world.characters[who].is_player()) {
        row.challenge.visitors.insert(who, 1);
    }
    let (before, half) = (stats::hp(turn, who), stats::max_hp_of(turn, who) / 2);
    stats::heal(turn, who, half);
    let hp = stats::hp(turn, who);
    let rest = match hp - before {
        0 => "You sit down on the topmost step for a moment and breathe.".to_owned(),
        _ => format!(
            "You sit down on the topmost step for a moment and get your strength back: {hp} of {} hit points.",
            stats::max_hp_of(turn, who)
        ),
    };
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, &rest));
    let down = format!(
        "After this moment of peace you go down, deeper into the dark. Dungeon level {dungeon_level}."
    );
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Harm, &down));
}

/// Creates the next floor and the room behind unused stairs.
fn open_floor(turn: &mut Turn, exit: &Exit) -> Result<RoomId, Refusal> {
    let above = turn.world.floor_of(exit.room).ok_or(Refusal::NoWay)?;
    let branch = above.branch;
    grow::require_space_for_room(turn, branch)?;
    let kind = exit.level_type.to_value().unwrap_or_else(|| above.level_type.clone());
    let floor = grow::add_floor(turn, branch, above.dungeon_level.saturating_add(1), &kind, None)?;
    let plan = grow::plan_room(turn, branch, floor, dungeon::UnexploredExit::DOWN)?;
    let made = grow::build(turn, branch, floor, &plan, Direction::Down, Some(exit.id), exit.room);
    turn.world.exits.change(exit.id, |row| row.to = Some(made));
    let back = turn.world.exits.of(made).find(|exit| exit.back).map(|exit| exit.id);
    if let Some((back, (here, there))) = back.zip(exit.icons.to_value()) {
        turn.world.exits.change(back, |row| row.icons = Some((there, here)).into());
    }
    Ok(made)
}

/// Returns the line of the room text about its stairs.
pub(crate) fn stairs_line(turn: &Turn, room: RoomId) -> Option<String> {
    let dungeon_level = turn.world.dungeon_level(room);
    let own = turn.world.floor_of(room).map(|floor| floor.level_type.clone());
    let stairs = |exit: &&Exit| exit.kind == ExitKind::Stairs && !exit.is_gate();
    let lines: Vec<String> = turn
        .world
        .exits
        .of(room)
        .filter(stairs)
        .map(|exit| match exit.direction {
            _ if exit.icons.is_some() => portal_line(exit, dungeon_level, own.as_deref()),
            Some(Direction::Down) => {
                let kind = exit.level_type.as_ref().filter(|kind| Some(*kind) != own.as_ref());
                let kind = kind.map(|kind| format!(", the {kind}")).unwrap_or_default();
                format!(
                    "Stairs lead down from here to dungeon level {}{kind}.",
                    dungeon_level.saturating_add(1)
                )
            }
            _ if exit.level_type.is_some() => "Steps lead up from here, out of the dungeon.".to_owned(),
            _ => format!("Stairs lead back up to dungeon level {}.", dungeon_level.saturating_sub(1)),
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// Returns the fixture that replaces stairs: "a rope ladder".
fn icon_of(exit: &Exit) -> Option<String> {
    exit.icons.as_ref().map(|(icon, _)| grammar::with_article(icon, None))
}

/// Returns the line for an exit that replaces stairs.
fn portal_line(exit: &Exit, dungeon_level: u32, own: Option<&str>) -> String {
    let icon = icon_of(exit).unwrap_or_default();
    let icon = grammar::capitalise(&icon);
    match (exit.direction, &*exit.level_type) {
        (Some(Direction::Down), kind) => {
            let kind = kind.as_deref().filter(|kind| Some(*kind) != own);
            let kind = kind.map(|kind| format!(", the {kind}")).unwrap_or_default();
            format!("{icon} leads down from here to dungeon level {}{kind}.", dungeon_level.saturating_add(1))
        }
        (_, Some(_)) => format!("{icon} leads up from here, out of the dungeon."),
        (_, None) => {
            format!("{icon} leads back up to dungeon level {}.", dungeon_level.saturating_sub(1))
        }
    }
}

/// Describes stairs in the list of exits.
pub(crate) fn stairs_words(turn: &Turn, exit: &Exit, to: Option<RoomId>) -> String {
    let dungeon_level = turn.world.dungeon_level(exit.room);
    let place = to.map(|to| format!("{} on ", turn.world.rooms[to].sheet.name)).unwrap_or_default();
    let icon = icon_of(exit);
    let named = |stairs: &str| icon.clone().unwrap_or_else(|| stairs.to_owned());
    if exit.is_stairs_down() {
        let new = if to.is_none() { ", where none of you has been" } else { "" };
        let stairs = named("stairs");
        format!("{stairs} down to {place}dungeon level {}{new}", dungeon_level.saturating_add(1))
    } else if exit.level_type.is_some() {
        format!("{} up, out of the dungeon", named("steps"))
    } else {
        let stairs = named("stairs");
        format!("{stairs} up to {place}dungeon level {}, the way you came", dungeon_level.saturating_sub(1))
    }
}

/// Gives the lesson about stairs to a character in a room with stairs down.
pub(crate) fn notice_stairs(turn: &mut Turn, who: CharacterId, room: RoomId) {
    if rooms::stairs_down(turn, room).is_some() {
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::SawStairs });
    }
}
