//! Hooks: scripts attached by builders to rooms (`on_enter` and triggers) and creatures (`on_tick`). Scripts may trigger
//! other scripts up to a depth limit, and a script moves its character at most once. The number of lines run per event is
//! therefore bounded.

use crate::base::{CharacterId, Dice, RoomId};
use crate::catalog::script::Script;
use crate::game::character::variables::Subjects;
use crate::game::creature::mind;
use crate::game::creature::script_run::{self, Scene};
use crate::game::turn::Turn;
use crate::world::{Character, Trigger, TriggerEvent};
use std::sync::Arc;

/// Runs the `on_enter` hook of a room that a player has entered.
pub(crate) fn run_on_enter(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let lines = match turn.world.rooms.get(room) {
        Some(row) if !row.on_enter.is_empty() => row.on_enter.clone(),
        _ => return,
    };
    let here = |turn: &Turn| {
        turn.world.characters.get(who).is_some_and(|body| body.is_player() && body.awake && body.room == room)
    };
    if !here(turn) {
        return;
    }
    if run_lines(turn, &lines, room, Some(who), "") {
        turn.world.rooms.change(room, |row| row.on_enter.clear());
    }
}

/// Runs the triggers of a room that match an event, for the given character if it is a player. Returns `true` if any
/// matched.
pub(crate) fn run_triggers(
    turn: &mut Turn,
    room: RoomId,
    whom: Option<CharacterId>,
    words: &str,
    is_meant: impl Fn(&TriggerEvent) -> bool,
) -> bool {
    let Some(row) = turn.world.rooms.get(room).filter(|row| !row.triggers.is_empty()) else { return false };
    let meant: Vec<Trigger> = row.triggers.iter().filter(|trigger| is_meant(&trigger.on)).cloned().collect();
    for trigger in &meant {
        run_trigger(turn, room, whom, words, trigger);
    }
    !meant.is_empty()
}

/// Runs the trigger of a room at an index, for the given character if it is a player.
pub(crate) fn run_trigger_at(turn: &mut Turn, room: RoomId, whom: Option<CharacterId>, place: usize) {
    let row = turn.world.rooms.get(room);
    if let Some(trigger) = row.and_then(|row| row.triggers.get(place)).cloned() {
        run_trigger(turn, room, whom, "", &trigger);
    }
}

/// Runs a trigger, and removes it if it is used up.
fn run_trigger(turn: &mut Turn, room: RoomId, whom: Option<CharacterId>, words: &str, trigger: &Trigger) {
    let plays = |who: &CharacterId| turn.world.characters.get(*who).is_some_and(Character::is_player);
    let whom = whom.filter(plays);
    if run_lines(turn, &trigger.lines, room, whom, words) {
        turn.world.rooms.change(room, |row| row.triggers.retain(|other| other != trigger));
    }
}

/// Returns `true` if a word is in a trigger's semicolon-separated list.
pub(crate) fn is_named(words: &str, word: &str) -> bool {
    words.split(';').any(|name| name.trim().eq_ignore_ascii_case(word.trim()))
}

/// Returns `true` if a word is a custom command of the room.
pub(crate) fn is_custom_command(turn: &Turn, room: RoomId, word: &str) -> bool {
    turn.world.rooms[room].triggers.iter().any(|trigger| is_obeyed(&trigger.on, word))
}

/// Runs a custom command of the room for a player, with the arguments typed.
pub(crate) fn obey(turn: &mut Turn, who: CharacterId, word: &str, words: &str) {
    let room = turn.world.characters[who].room;
    run_triggers(turn, room, Some(who), words, |on| is_obeyed(on, word));
}

fn is_obeyed(on: &TriggerEvent, word: &str) -> bool {
    matches!(on, TriggerEvent::Command(words) if is_named(words, word))
}

/// Returns `true` if the spoken text contains a phrase of the trigger. Ignores case and punctuation.
pub(crate) fn is_said(on: &TriggerEvent, said: &str) -> bool {
    let TriggerEvent::Say(words) = on else { return false };
    let plain = |text: &str| {
        let letters = text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
        format!(" {} ", letters.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    words.split(';').any(|words| plain(said).contains(&plain(words)))
}

/// Runs the `clear` triggers of a hand-built room if its last creature is gone.
pub(crate) fn notice_emptied(turn: &mut Turn, room: RoomId) {
    let mut occupants = turn.world.occupants(room).iter();
    if occupants.all(|who| turn.world.characters[*who].is_player()) {
        run_triggers(turn, room, None, "", |on| *on == TriggerEvent::Clear);
    }
}

/// Records that a character has left a room. The room's `leave` triggers run once the character has arrived elsewhere.
pub(crate) fn note_leaving(turn: &mut Turn, who: CharacterId, from: RoomId) {
    let leaves = |trigger: &Trigger| trigger.on == TriggerEvent::Leave;
    if turn.world.rooms.get(from).is_some_and(|row| row.triggers.iter().any(leaves)) {
        turn.tending.leaving.push((who, from));
    }
}

/// Runs the `leave` triggers recorded for a character that has arrived elsewhere.
pub(crate) fn run_leave_triggers(turn: &mut Turn, who: CharacterId) {
    let (left, others) =
        std::mem::take(&mut turn.tending.leaving).into_iter().partition(|(body, _)| *body == who);
    turn.tending.leaving = others;
    let left: Vec<(CharacterId, RoomId)> = left;
    for (_, from) in left {
        run_triggers(turn, from, Some(who), "", |on| *on == TriggerEvent::Leave);
    }
}

/// Runs a room's lines about a character, which may be in another room. Returns `true` if the lines are used up
/// (`once`). Lines are validated when stored; unparsable lines, and lines beyond the depth limit, are skipped.
fn run_lines(
    turn: &mut Turn,
    lines: &[String],
    room: RoomId,
    whom: Option<CharacterId>,
    words: &str,
) -> bool {
    let Ok(script) = Script::parse(lines.iter().map(String::as_str)) else { return false };
    let whom_in = whom.and_then(|who| turn.world.characters.get(who)).map_or(room, |body| body.room);
    let subjects = Subjects { room, creature: None, target: whom };
    script_run::run(turn, &script, Scene { subjects, target_in: whom_in, words })
}

/// Runs a creature's `on_tick` hook, about a random player in its room.
pub(crate) fn act_by_script(turn: &mut Turn, mob: CharacterId) {
    let catalog = Arc::clone(&turn.catalog);
    let key = turn.world.characters[mob].mob.as_ref();
    let Some(prototype) = key.and_then(|key| catalog.mobs.get(key)) else { return };
    if prototype.on_tick.is_empty() {
        return;
    }
    let prey = mind::prey_of(turn, mob);
    let target = turn.dice.roam.pick(&prey).copied();
    let room = turn.world.characters[mob].room;
    let subjects = Subjects { room, creature: Some(mob), target };
    script_run::run(turn, &prototype.on_tick, Scene { subjects, target_in: room, words: "" });
}
