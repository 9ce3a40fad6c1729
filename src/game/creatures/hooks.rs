//! Hooks: scripts that builders hang on rooms (`on_enter`) and creatures (`on_tick`), run line by line.
//! Nothing that a script does runs another script, so one moment runs as many lines as one script may have.

use crate::base::{CharacterId, Dice, RoomId};
use crate::catalog::script::{Deed, Script};
use crate::game::creatures::mind;
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::turn::Turn;
use crate::game::{affects, body, fight, naming, spawn, tell};
use crate::text::{Markup, Style};
use crate::world::Place;
use std::sync::Arc;

/// Where a script runs, and about whom.
#[derive(Clone, Copy, Debug)]
struct ScriptScene {
    /// The room.
    room: RoomId,
    /// The creature whose script it is.
    creature: Option<CharacterId>,
    /// Who has entered, or whom the creature has picked.
    whom: Option<CharacterId>,
}

/// A player has come into a room: its hook runs.
pub(crate) fn spring_hook(turn: &mut Turn, who: CharacterId, room: RoomId) {
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
    // Lines are checked before they are stored; what an older release stored may be unknown, and is passed over.
    let Ok(script) = Script::parse(lines.iter().map(String::as_str)) else { return };
    if run_script(turn, &script, ScriptScene { room, creature: None, whom: Some(who) }) {
        turn.world.rooms.change(room, |row| row.on_enter.clear());
    }
}

/// A creature's hook runs at a tick, about one of the players in its room.
pub(crate) fn act_by_script(turn: &mut Turn, mob: CharacterId) {
    let catalog = Arc::clone(&turn.catalog);
    let key = turn.world.characters[mob].mob.as_ref();
    let Some(prototype) = key.and_then(|key| catalog.mobs.get(key)) else { return };
    if prototype.on_tick.is_empty() {
        return;
    }
    let prey = mind::prey_of(turn, mob);
    let whom = turn.dice.roam.pick(&prey).copied();
    let room = turn.world.characters[mob].room;
    run_script(turn, &prototype.on_tick, ScriptScene { room, creature: Some(mob), whom });
}

/// Runs the lines of a script; whether it is spent.
fn run_script(turn: &mut Turn, script: &Script, scene: ScriptScene) -> bool {
    let mut spent = false;
    for line in script.lines() {
        let gone = |who: CharacterId| {
            turn.world.characters.get(who).is_none_or(|body| body.room != scene.room || !body.awake)
        };
        // Whoever it is about may have been carried out, and the creature may have died of its own deeds.
        if scene.creature.is_some_and(gone) || (scene.creature.is_none() && scene.whom.is_some_and(gone)) {
            break;
        }
        let whom = scene.whom.filter(|who| !gone(*who));
        if line.percent < 100 && !turn.dice.roam.percent(line.percent) {
            continue;
        }
        spent |= line.deed == Deed::Once;
        carry_out_deed(turn, &line.deed, ScriptScene { whom, ..scene });
    }
    spent
}

fn carry_out_deed(turn: &mut Turn, deed: &Deed, scene: ScriptScene) {
    let ScriptScene { room, creature, whom } = scene;
    match (deed, whom) {
        (Deed::Room(text), _) => tell::tell_room(turn, room, &[], Class::Notice, Markup::plain(text)),
        (Deed::Say(text), _) => {
            let speaker = creature.map_or_else(|| Markup::plain("A voice"), |mob| naming::name_of(turn, mob));
            let talker = speaker.text().to_owned();
            let words = speaker.and(" says, \"").with(Style::Speech, text).and("\"");
            let said = tell::said(turn, Class::Speech, "say", &talker, words);
            for who in turn.world.occupants(room).to_vec() {
                tell::tell_said(turn, who, &said);
            }
        }
        (Deed::Spawn(key), _) => spawn_by_script(turn, key, room),
        (Deed::Item(key), _) => make_by_script(turn, key, room),
        (Deed::Tell(text), Some(who)) => tell::tell(turn, who, Class::Notice, text.as_str()),
        (Deed::Bruise(points), Some(who)) => {
            let points = i32::try_from(*points).unwrap_or(i32::MAX).min(body::hp(turn, who) - 1);
            if points > 0 && !body::is_down(turn, who) {
                fight::harm(turn, who, points, creature);
            }
        }
        (Deed::Harm(points), Some(who)) => harm_by_script(turn, who, *points, creature),
        (Deed::Heal(points), Some(who)) if !body::is_down(turn, who) => {
            body::heal(turn, who, i32::try_from(*points).unwrap_or(i32::MAX));
        }
        (Deed::Affect(key), Some(who)) if !body::is_down(turn, who) => {
            affects::apply_affect(turn, who, key, None);
        }
        _ => {}
    }
}

fn make_by_script(turn: &mut Turn, key: &str, room: RoomId) {
    if turn.world.ground(room).len() < turn.config.limits.items_in_room as usize {
        spawn::spawn_item(turn, key, Place::Room(room), "script");
    }
}

fn spawn_by_script(turn: &mut Turn, key: &str, room: RoomId) {
    let creatures = |who: &&CharacterId| !turn.world.characters[**who].is_player();
    let there = turn.world.occupants(room).iter().filter(creatures).count();
    let (branch, most) = (turn.world.rooms[room].branch, turn.catalog.rules.roaming);
    // What a script makes may walk away and leave room for more.
    let around =
        branch.and_then(|branch| turn.world.branch_index(branch)).map_or(0, |index| index.mobs.len());
    if there >= most.creatures_in_room as usize || around >= most.creatures_in_branch as usize {
        return;
    }
    spawn::spawn_mob(turn, key, room, branch);
    if let Some(branch) = branch {
        turn.happen(Happening::Visited { branch });
    }
}

/// Harm by a script. Nobody dies where nobody fights: there the last point is left.
fn harm_by_script(turn: &mut Turn, who: CharacterId, points: u32, by: Option<CharacterId>) {
    if body::is_down(turn, who) {
        return;
    }
    let points = i32::try_from(points).unwrap_or(i32::MAX);
    let deadly = turn.world.rooms[turn.world.characters[who].room].kind.is_dungeon();
    let points = if deadly { points } else { points.min(body::hp(turn, who) - 1) };
    if points > 0 {
        fight::harm(turn, who, points, by);
    }
}
