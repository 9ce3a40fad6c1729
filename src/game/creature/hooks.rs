//! Hooks: scripts attached by builders to rooms (`on_enter` and triggers) and creatures (`on_tick`), run line by line.
//! Scripts may trigger other scripts up to a depth limit, and a script moves its character at most once. The number of
//! lines run per event is therefore bounded.

use crate::base::{CharacterId, Dice, ItemId, RoomId};
use crate::catalog::ItemClass;
use crate::catalog::script::{Condition, Deed, Expected, RoomName, Script};
use crate::game::character::{affects, spawn, stats};
use crate::game::creature::call::Asked;
use crate::game::creature::{call, mind};
use crate::game::effect::Class;
use crate::game::exit::doors;
use crate::game::item::money;
use crate::game::message::{naming, tell};
use crate::game::state::event::GameEvent;
use crate::game::turn::Turn;
use crate::game::{attack, movement};
use crate::text::coins::money_words;
use crate::text::{Markup, Style};
use crate::world::{Character, Place, Trigger, TriggerEvent};
use std::sync::Arc;

/// Context of a running script.
#[derive(Clone, Copy, Debug)]
struct ScriptScene<'w> {
    /// Room of the script.
    room: RoomId,
    /// Creature that owns the script.
    creature: Option<CharacterId>,
    /// Character that triggered the script, or that the creature picked.
    whom: Option<CharacterId>,
    /// Room of that character when the script began.
    whom_in: RoomId,
    /// Words said or typed after a command, or the item used or looked at.
    words: &'w str,
}

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
    let plays = |who: &CharacterId| turn.world.characters.get(*who).is_some_and(Character::is_player);
    let whom = whom.filter(plays);
    let meant: Vec<Trigger> = row.triggers.iter().filter(|trigger| is_meant(&trigger.on)).cloned().collect();
    for trigger in &meant {
        if run_lines(turn, &trigger.lines, room, whom, words) {
            turn.world.rooms.change(room, |row| row.triggers.retain(|other| other != trigger));
        }
    }
    !meant.is_empty()
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
    if turn.tending.depth >= turn.config.limits.trigger_depth {
        return false;
    }
    turn.tending.depth += 1;
    let whom_in = whom.and_then(|who| turn.world.characters.get(who)).map_or(room, |body| body.room);
    let spent = run_script(turn, &script, ScriptScene { room, creature: None, whom, whom_in, words });
    turn.tending.depth -= 1;
    spent
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
    let whom = turn.dice.roam.pick(&prey).copied();
    let room = turn.world.characters[mob].room;
    run_script(
        turn,
        &prototype.on_tick,
        ScriptScene { room, creature: Some(mob), whom, whom_in: room, words: "" },
    );
}

/// Runs the lines of a script. Returns `true` if the script is used up (`once`).
fn run_script(turn: &mut Turn, script: &Script, scene: ScriptScene<'_>) -> bool {
    let mut spent = false;
    for line in script.lines() {
        let gone = |who: CharacterId, from: RoomId| {
            turn.world.characters.get(who).is_none_or(|body| body.room != from || !body.awake)
        };
        // An earlier line may have moved the player or killed the creature.
        let about = scene.whom.filter(|_| scene.creature.is_none());
        if scene.creature.is_some_and(|mob| gone(mob, scene.room))
            || about.is_some_and(|who| gone(who, scene.whom_in))
        {
            break;
        }
        if turn.world.rooms.get(scene.room).is_none() {
            break;
        }
        let whom = scene.whom.filter(|who| !gone(*who, scene.whom_in));
        if line
            .condition
            .as_ref()
            .is_some_and(|(condition, expected)| !holds(turn, condition, *expected, scene.room, whom))
        {
            continue;
        }
        if line.percent < 100 && !turn.dice.roam.percent(line.percent) {
            continue;
        }
        spent |= line.deed == Deed::Once;
        if let Deed::Call { script, function } = &line.deed {
            // The answer contains only lines, which cannot call another script.
            let asked = Asked { room: scene.room, whom, words: scene.words };
            if let Some(said) = call::call_script(turn, script, function, asked) {
                run_script(turn, &said, ScriptScene { whom, ..scene });
            }
            continue;
        }
        run_deed(turn, &line.deed, ScriptScene { whom, ..scene });
    }
    spent
}

/// Returns `true` if a condition has the expected result.
fn holds(
    turn: &Turn,
    condition: &Condition,
    expected: Expected,
    room: RoomId,
    whom: Option<CharacterId>,
) -> bool {
    let is_so = match condition {
        Condition::Has(key) => whom.is_some_and(|who| match coin_worth(turn, key) {
            Some(worth) => money::afford(turn, who, worth).is_ok(),
            None => find_carried(turn, who, key).is_some(),
        }),
        Condition::Count(what, least) => {
            turn.world.rooms[room].counters.get(what).copied().unwrap_or_default() >= *least
        }
    };
    is_so == (expected == Expected::Yes)
}

/// Finds an empty item of the given kind that a character carries.
fn find_carried(turn: &Turn, who: CharacterId, key: &str) -> Option<ItemId> {
    let is_meant = |item: &ItemId| {
        let row = &turn.world.items[*item];
        row.prototype == key && turn.world.contents(*item).is_empty()
    };
    turn.world.carried(who).iter().copied().find(is_meant)
}

fn run_deed(turn: &mut Turn, deed: &Deed, scene: ScriptScene<'_>) {
    let ScriptScene { room, creature, whom, .. } = scene;
    match (deed, whom) {
        (Deed::Room(text), _) => tell::tell_room(turn, room, &[], Class::Notice, Markup::plain(text)),
        (Deed::Say(text), _) => {
            let speaker = creature.map_or_else(|| Markup::plain("A voice"), |mob| naming::name_of(turn, mob));
            let talker = speaker.text().to_owned();
            let words = speaker.and(" says, \"").with(Style::Speech, text).and("\"");
            let said = tell::spoken_message(turn, Class::Speech, "say", &talker, words);
            for who in turn.world.occupants(room).to_vec() {
                tell::send_spoken(turn, who, &said);
            }
        }
        (Deed::Spawn(key), _) => spawn_by_script(turn, key, room),
        (Deed::Item(key), _) => make_by_script(turn, key, room),
        (Deed::Tell(text), Some(who)) => tell::tell(turn, who, Class::Notice, text.as_str()),
        (Deed::Bruise(points), Some(who)) => {
            let points = i32::try_from(*points).unwrap_or(i32::MAX).min(stats::hp(turn, who) - 1);
            if points > 0 && !stats::is_incapacitated(turn, who) {
                attack::harm(turn, who, points, creature);
            }
        }
        (Deed::Harm(points), Some(who)) => harm_by_script(turn, who, *points, creature),
        (Deed::Heal(points), Some(who)) if !stats::is_incapacitated(turn, who) => {
            stats::heal(turn, who, i32::try_from(*points).unwrap_or(i32::MAX));
        }
        (Deed::Affect(key), Some(who)) if !stats::is_incapacitated(turn, who) => {
            affects::apply_affect(turn, who, key, None);
        }
        (Deed::Open(name) | Deed::Shut(name), _) => {
            if let Some(exit) = doors::door_named(turn, room, name) {
                doors::set_door_shut(turn, exit, matches!(deed, Deed::Shut(_)));
            }
        }
        (Deed::Give(key), Some(who)) => give_by_script(turn, key, who),
        (Deed::Take(key), Some(who)) => take_by_script(turn, key, who),
        (Deed::Move(to), Some(who)) => {
            if let Some(to) = room_called(turn, to) {
                move_by_script(turn, who, to);
            }
        }
        (Deed::Count(what), _) => {
            turn.world.rooms.change(room, |row| {
                let count = row.counters.entry(what.clone()).or_default();
                *count = count.saturating_add(1);
            });
        }
        (Deed::Reset(what), _) => {
            turn.world.rooms.change(room, |row| row.counters.remove(what));
        }
        _ => {}
    }
}

/// Gives an item to a character, or places it on the ground if the character cannot carry more.
fn give_by_script(turn: &mut Turn, key: &str, who: CharacterId) {
    if let Some(worth) = coin_worth(turn, key) {
        if money::has_room_for(turn, who, worth).is_err() {
            return make_by_script(turn, key, turn.world.characters[who].room);
        }
        money::mint(turn, who, worth, "script");
        let words = format!("You put {} into your purse.", money_words(worth));
        tell::tell(turn, who, Class::Notice, words.as_str());
        return;
    }
    let full = turn.world.carried(who).len() >= turn.config.limits.items_carried as usize;
    let room = turn.world.characters[who].room;
    if full {
        return make_by_script(turn, key, room);
    }
    spawn::spawn_item(turn, key, Place::Holder(who), "script");
}

/// Removes one carried item of the given kind, or a coin's value from the purse, if the character has it.
fn take_by_script(turn: &mut Turn, key: &str, who: CharacterId) {
    if let Some(worth) = coin_worth(turn, key) {
        if money::sink(turn, who, worth, "script").is_ok() {
            let words = format!("You take {} out of your purse and pay.", money_words(worth));
            tell::tell(turn, who, Class::Notice, words.as_str());
        }
    } else if let Some(item) = find_carried(turn, who, key) {
        turn.world.remove_from_stack(item, 1, "script");
    }
}

/// Returns the value of a coin in coppers, or `None` if the key names no coin.
fn coin_worth(turn: &Turn, key: &str) -> Option<i64> {
    let coin = turn.catalog.items.get(key).filter(|item| item.class == ItemClass::Coin);
    coin.map(|coin| i64::from(coin.value))
}

/// Returns the room that a script names by number or by `AREA/KEY`.
fn room_called(turn: &Turn, name: &RoomName) -> Option<RoomId> {
    match name {
        RoomName::Number(number) => Some(RoomId(*number)),
        RoomName::Key(key) => {
            let (area, key) = key.split_once('/')?;
            turn.world.room_of_zone(area, key)
        }
    }
}

/// Moves a character between hand-built rooms, unless it is incapacitated.
fn move_by_script(turn: &mut Turn, who: CharacterId, to: RoomId) {
    let is_built = |room: RoomId| turn.world.rooms.get(room).is_some_and(|row| row.branch.is_none());
    if is_built(to) && is_built(turn.world.characters[who].room) && !stats::is_incapacitated(turn, who) {
        movement::transport(turn, who, to, " is gone.", " is here of a sudden.");
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
    // The limit per room is not enough: creatures that a script spawns may walk away.
    let around =
        branch.and_then(|branch| turn.world.branch_index(branch)).map_or(0, |index| index.mobs.len());
    if there >= most.creatures_in_room as usize || around >= most.creatures_in_branch as usize {
        return;
    }
    spawn::spawn_mob(turn, key, room, branch);
    if let Some(branch) = branch {
        turn.emit_event(GameEvent::Visited { branch });
    }
}

/// Damages a character. In rooms without combat the character keeps at least one hit point.
fn harm_by_script(turn: &mut Turn, who: CharacterId, points: u32, by: Option<CharacterId>) {
    if stats::is_incapacitated(turn, who) {
        return;
    }
    let points = i32::try_from(points).unwrap_or(i32::MAX);
    let deadly = turn.world.rooms[turn.world.characters[who].room].is_deadly();
    let points = if deadly { points } else { points.min(stats::hp(turn, who) - 1) };
    if points > 0 {
        attack::harm(turn, who, points, by);
    }
}
