//! Actions of script lines.

use crate::character::variables::Subjects;
use crate::character::{affects, experience, spawn, stats, variables};
use crate::creature::companion;
use crate::creature::script::conditions::{carried, coin_worth};
use crate::creature::script::scene::{ScriptScene, filled};
use crate::creature::script::{call, costs};
use crate::effect::Class;
use crate::exit::{clearing, doors};
use crate::item::{money, stacks};
use crate::message::{naming, notices, tell};
use crate::refusal::Refusal;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use crate::{attack, movement};
use deepwell_core::base::{CharacterId, Dice, ItemId, RoomId, RuleLimit};
use deepwell_core::catalog::script::{ScriptDeed, ScriptRoomName};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Place;

/// Work of a creature or an item that a script creates: its rows, their transaction, and later those of its removal.
const MADE_WORK: usize = 200;

/// Rolls the chance of a line.
pub(in crate::creature) fn is_lucky(turn: &mut Turn, percent: u32) -> bool {
    turn.dice.roam.percent(percent)
}

/// Runs the action of a line. Actions on a target do nothing without one.
pub(in crate::creature) fn run(turn: &mut Turn, deed: &ScriptDeed, scene: ScriptScene<'_>) {
    let Subjects { room, creature, target, .. } = scene.subjects;
    if let (Some(who), Some(notice)) = (target, notice_of(deed)) {
        notices::keep_if_away(turn, who, notice);
    }
    match deed {
        ScriptDeed::Tell(_)
        | ScriptDeed::Others(_)
        | ScriptDeed::Room(_)
        | ScriptDeed::Say(_)
        | ScriptDeed::Emote(_) => {
            speak(turn, deed, scene);
        }
        ScriptDeed::Spawn(key) => spawn_by_script(turn, key, room),
        ScriptDeed::Despawn(key) => despawn_by_script(turn, key, room),
        ScriptDeed::Item(key) => make_by_script(turn, key, 1, room),
        ScriptDeed::Open(name) | ScriptDeed::Shut(name) => {
            if let Some(exit) = doors::door_named(turn, room, name) {
                doors::set_door_shut(turn, exit, matches!(deed, ScriptDeed::Shut(_)));
            }
        }
        ScriptDeed::Count(what) => {
            turn.world.rooms.change(room, |row| {
                let count = row.counters.entry(what.clone()).or_default();
                *count = count.saturating_add(1);
            });
        }
        ScriptDeed::Reset(what) => _ = turn.world.rooms.change(room, |row| row.counters.remove(what)),
        ScriptDeed::Set(..) | ScriptDeed::Add(..) | ScriptDeed::Clear(_) => {
            change_variable(turn, deed, scene);
        }
        // The run itself carries these out.
        ScriptDeed::Wait(_)
        | ScriptDeed::Stop
        | ScriptDeed::Call(..)
        | ScriptDeed::Once
        | ScriptDeed::Alone => {}
        deed => {
            if let Some(who) = target {
                act_on(turn, deed, who, creature);
            }
        }
    }
}

/// Sends the text of a line to those who hear it.
fn speak(turn: &mut Turn, deed: &ScriptDeed, scene: ScriptScene<'_>) {
    let Subjects { room, creature, item, target } = scene.subjects;
    let speaker = |without: &str| match (creature, item) {
        (Some(creature), _) => naming::name_of(turn, creature),
        (None, Some(item)) => Markup::plain(&grammar::capitalise(&naming::the_item(turn, item))),
        (None, None) => Markup::plain(without),
    };
    let text = deed.text().map(|text| filled(turn, text, scene).into_owned()).unwrap_or_default();
    match deed {
        ScriptDeed::Tell(_) => {
            if let Some(who) = target {
                tell::tell(turn, who, Class::Notice, text);
            }
        }
        ScriptDeed::Others(_) => {
            let except: Vec<CharacterId> = target.into_iter().collect();
            tell::tell_room(turn, room, &except, Class::Notice, Markup::plain(&text));
        }
        ScriptDeed::Emote(_) => {
            let name = speaker("Something");
            tell::tell_room(turn, room, &[], Class::Notice, name.and(" ").and(text.as_str()));
        }
        ScriptDeed::Say(_) => {
            let speaker = speaker("A voice");
            let talker = speaker.text().to_owned();
            let line = speaker.and(" says, \"").with(Style::Speech, &text).and("\"");
            let message = tell::spoken_message(turn, Class::Speech, "say", &talker, line);
            for who in turn.world.occupants(room).to_vec() {
                tell::send_spoken(turn, who, &message);
            }
        }
        _ => tell::tell_room(turn, room, &[], Class::Notice, Markup::plain(&text)),
    }
}

/// Returns the notice to a player who is not connected, for an action that changes what the player has or where it is.
const fn notice_of(deed: &ScriptDeed) -> Option<&'static str> {
    match deed {
        ScriptDeed::Give(..) => Some("Something was given to you."),
        ScriptDeed::Take(..) => Some("Something was taken from you."),
        ScriptDeed::Move(_) => Some("You were taken to another place."),
        ScriptDeed::Harm(_) | ScriptDeed::Bruise(_) => Some("Something hurt you."),
        _ => None,
    }
}

/// Changes a variable. Builders are told why one cannot be changed.
fn change_variable(turn: &mut Turn, deed: &ScriptDeed, scene: ScriptScene<'_>) {
    let subjects = scene.subjects;
    let done = match deed {
        ScriptDeed::Set(name, text) => {
            let value = filled(turn, text, scene).into_owned();
            variables::set(turn, subjects, name, &value)
        }
        ScriptDeed::Add(name, amount) => variables::add(turn, subjects, name, *amount),
        ScriptDeed::Clear(name) => variables::clear(turn, subjects, name),
        _ => Ok(()),
    };
    if let Err(problem) = done {
        call::report_lines(turn, subjects, &problem.to_string());
    }
}

/// Runs an action on a character.
fn act_on(turn: &mut Turn, deed: &ScriptDeed, who: CharacterId, creature: Option<CharacterId>) {
    match deed {
        ScriptDeed::Harm(points) => harm_by_script(turn, who, *points, creature),
        ScriptDeed::Experience(points) => experience::gain_experience(turn, who, i64::from(*points), ""),
        ScriptDeed::Bruise(_) | ScriptDeed::Heal(_) | ScriptDeed::Affect(_)
            if stats::is_incapacitated(turn, who) => {}
        ScriptDeed::Bruise(points) => {
            let points = i32::try_from(*points).unwrap_or(i32::MAX).min(stats::hp(turn, who) - 1);
            if points > 0 {
                attack::harm(turn, who, points, creature);
            }
        }
        ScriptDeed::Heal(points) => stats::heal(turn, who, i32::try_from(*points).unwrap_or(i32::MAX)),
        ScriptDeed::Affect(key) => affects::apply_affect(turn, who, key, None),
        ScriptDeed::Join => {
            let is_free = |creature: &CharacterId| {
                turn.world.characters.get(*creature).is_some_and(|body| body.master.is_none())
            };
            if let Some(creature) = creature.filter(is_free) {
                companion::join_companion(turn, creature, who);
            }
        }
        ScriptDeed::Part(key) => companion::dismiss_kind(turn, who, key),
        ScriptDeed::Give(count, key) => {
            let kept = give(turn, key, *count, who);
            if kept > 0 {
                let message = naming::item_words(turn, key, kept as usize);
                tell::tell(turn, who, Class::Notice, format!("You receive {message}."));
            }
        }
        ScriptDeed::Take(count, key) => take(turn, key, *count, who),
        ScriptDeed::Move(to) => {
            if let Some(to) = room_called(turn, to) {
                move_by_script(turn, who, to);
            }
        }
        ScriptDeed::Start(_) | ScriptDeed::Advance(..) | ScriptDeed::Finish(_) => {
            turn.emit_event(GameEvent::QuestLine { who, deed });
        }
        _ => {}
    }
}

/// Gives items or coins to a character. What the character cannot carry, or its purse cannot hold, is placed on the ground, and
/// this is told. Returns the number of items that the character carries now; that of coins in a purse is told here.
pub(crate) fn give(turn: &mut Turn, key: &str, count: u32, who: CharacterId) -> u32 {
    let worth = coin_worth(turn, key);
    if worth.is_some_and(|worth| give_money(turn, who, worth * i64::from(count)).is_ok()) {
        return 0;
    }
    let room = turn.world.characters[who].room;
    let place = if worth.is_some() { Place::Room(room) } else { Place::Holder(who) };
    let (mut kept, mut left) = (0, 0);
    for _ in 0..count {
        if costs::is_used_up(turn) {
            break;
        }
        turn.world.note_work(MADE_WORK);
        let Some(item) = spawn::spawn_item(turn, key, place, "script") else { break };
        let stack = stacks::stack_up(turn, item);
        let fits =
            stack != item || turn.world.carried(who).len() <= turn.config.limits.items_carried as usize;
        if worth.is_none() && fits {
            kept += 1;
        } else {
            let on_ground = stacks::move_and_stack(turn, stack, 1, Place::Room(room));
            stacks::trim_ground(turn, room, on_ground);
            left += 1;
        }
    }
    if left > 0 {
        let left = naming::item_words(turn, key, left);
        let message = format!("You can carry no more, and leave {left} on the ground.");
        tell::tell(turn, who, Class::Notice, message);
    }
    kept
}

/// Adds money to a purse.
///
/// # Errors
/// If the purse cannot hold it; nothing is added then.
pub(crate) fn give_money(turn: &mut Turn, who: CharacterId, copper: i64) -> Result<(), Refusal> {
    money::has_room_for(turn, who, copper)?;
    money::mint(turn, who, copper, "script");
    let message = format!("You put {} into your purse.", money_words(copper));
    tell::tell(turn, who, Class::Notice, message);
    Ok(())
}

/// Removes carried items of a kind, or the value of coins from the purse, if the character has them all.
pub(crate) fn take(turn: &mut Turn, key: &str, count: u32, who: CharacterId) {
    if let Some(worth) = coin_worth(turn, key) {
        let worth = worth * i64::from(count);
        if money::sink(turn, who, worth, "script").is_ok() {
            let message = format!("You take {} out of your purse and pay.", money_words(worth));
            tell::tell(turn, who, Class::Notice, message.as_str());
        }
        return;
    }
    let items: Vec<ItemId> = carried(turn, who, key).collect();
    let all: u32 = items.iter().map(|item| turn.world.items[*item].count).sum();
    let mut left = if all >= count { count } else { 0 };
    for item in items {
        let taken = turn.world.items[item].count.min(left);
        if taken > 0 {
            turn.world.remove_from_stack(item, taken, "script");
            left -= taken;
        }
    }
}

/// Returns the room that a script names by number or by `AREA/KEY`.
fn room_called(turn: &Turn, name: &ScriptRoomName) -> Option<RoomId> {
    match name {
        ScriptRoomName::Number(number) => Some(RoomId(*number)),
        ScriptRoomName::Key(key) => {
            let (area, key) = key.split_once('/')?;
            turn.world.rooms.of_key(area, key)
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

/// Creates items on the ground, as long as the room has space.
fn make_by_script(turn: &mut Turn, key: &str, count: u32, room: RoomId) {
    for _ in 0..count {
        if costs::is_used_up(turn) || turn.is_at_limit(RuleLimit::ItemsInRoom, turn.world.ground(room).len())
        {
            return;
        }
        turn.world.note_work(MADE_WORK);
        if let Some(item) = spawn::spawn_item(turn, key, Place::Room(room), "script") {
            stacks::stack_up(turn, item);
        }
    }
}

/// Removes a creature of a kind from a room, unless it is somebody's companion.
fn despawn_by_script(turn: &mut Turn, key: &str, room: RoomId) {
    let is_meant = |who: &CharacterId| {
        let body = &turn.world.characters[*who];
        body.prototype.as_deref() == Some(key) && body.master.is_none()
    };
    if let Some(creature) = turn.world.occupants(room).iter().copied().find(is_meant) {
        attack::remove_creature(turn, creature);
        clearing::check_clear(turn, room);
    }
}

fn spawn_by_script(turn: &mut Turn, key: &str, room: RoomId) {
    let creatures = |who: &&CharacterId| !turn.world.characters[**who].is_player();
    let there = turn.world.occupants(room).iter().filter(creatures).count();
    let (branch, most) = (turn.world.rooms[room].branch, turn.catalog.rules.roaming);
    // The limit per room is not enough: creatures that a script spawns may walk away.
    let around = branch
        .and_then(|branch| turn.world.branches.index_of(branch))
        .map_or(0, |index| index.creatures.len());
    if there >= most.creatures_in_room as usize || around >= most.creatures_in_branch as usize {
        return;
    }
    turn.world.note_work(MADE_WORK);
    spawn::spawn_creature(turn, key, room, branch);
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
