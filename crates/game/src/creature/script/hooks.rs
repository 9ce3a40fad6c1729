//! Hooks: scripts that builders attach to rooms (triggers), creatures (triggers and `on_tick`) and items
//! (triggers). Scripts may trigger other scripts up to limits of depth and of lines.

use crate::attack;
use crate::character::stats;
use crate::character::variables::Subjects;
use crate::creature::mind;
use crate::creature::script::scene::ScriptScene;
use crate::creature::script::{costs, run};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, ItemId, RoomId};
use deepwell_core::catalog::script::{Condition, FIRST_VISIT, Script, Test};
use deepwell_core::catalog::{CreatureEvent, ItemEvent};
use deepwell_core::text::sanitise;
use deepwell_core::world::{Character, OwnTrigger, Trigger, TriggerEvent};
use std::sync::Arc;

/// Work of comparing an event with one trigger of a creature.
const MATCH_WORK: usize = 5;
/// Bytes of stored lines whose parsing counts as one unit of work.
const PARSED_BYTES_PER_WORK: usize = 16;

/// Runs the triggers for entering of a room that a player has entered. The others do not run if the first one moves the
/// player away.
pub(crate) fn run_enter_triggers(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let here = |turn: &Turn| {
        turn.world.characters.get(who).is_some_and(|body| body.is_player() && body.awake && body.room == room)
    };
    let first = turn.world.rooms.get(room).and_then(|row| row.triggers.first()).filter(|it| it.is_first());
    if let Some(first) = first.cloned()
        && here(turn)
    {
        run_trigger(turn, room, Some(who), "", &first);
    }
    if here(turn) {
        let is_meant = |trigger: &Trigger| trigger.on == TriggerEvent::Enter && !trigger.is_first();
        run_triggers_that(turn, room, Some(who), "", is_meant);
    }
}

/// Runs the triggers of a room that match an event, for the given character if it is a player. Returns `true` if any
/// matched.
pub(crate) fn run_triggers(
    turn: &mut Turn,
    room: RoomId,
    whom: Option<CharacterId>,
    input: &str,
    is_meant: impl Fn(&TriggerEvent) -> bool,
) -> bool {
    run_triggers_that(turn, room, whom, input, |trigger| is_meant(&trigger.on))
}

fn run_triggers_that(
    turn: &mut Turn,
    room: RoomId,
    whom: Option<CharacterId>,
    input: &str,
    is_meant: impl Fn(&Trigger) -> bool,
) -> bool {
    let Some(row) = turn.world.rooms.get(room).filter(|row| !row.triggers.is_empty()) else { return false };
    let meant: Vec<Trigger> = row.triggers.iter().filter(|trigger| is_meant(trigger)).cloned().collect();
    if meant.is_empty() {
        return false;
    }
    costs::charged(turn, room, |turn| {
        for trigger in &meant {
            run_trigger(turn, room, whom, input, trigger);
        }
    });
    true
}

/// Runs the trigger of a room at an index, for the given character if it is a player.
pub(crate) fn run_trigger_at(turn: &mut Turn, room: RoomId, whom: Option<CharacterId>, place: usize) {
    let row = turn.world.rooms.get(room);
    if let Some(trigger) = row.and_then(|row| row.triggers.get(place)).cloned() {
        run_trigger(turn, room, whom, "", &trigger);
    }
}

/// Runs a trigger, and removes it if it is used up.
fn run_trigger(turn: &mut Turn, room: RoomId, whom: Option<CharacterId>, input: &str, trigger: &Trigger) {
    let whom = player(turn, whom);
    if run_lines(turn, &trigger.lines, room, whom, input) {
        turn.world.rooms.change(room, |row| row.triggers.retain(|other| other != trigger));
    }
}

/// Returns the character if it is a player's.
fn player(turn: &Turn, whom: Option<CharacterId>) -> Option<CharacterId> {
    whom.filter(|who| turn.world.characters.get(*who).is_some_and(Character::is_player))
}

/// Runs the triggers of a creature that match an event, for the given character if it is a player. Returns `true` if any
/// matched.
pub(crate) fn run_creature_triggers(
    turn: &mut Turn,
    creature: CharacterId,
    whom: Option<CharacterId>,
    input: &str,
    is_meant: impl Fn(&CreatureEvent) -> bool,
) -> bool {
    let catalog = Arc::clone(&turn.catalog);
    let Some(body) = turn.world.characters.get(creature) else { return false };
    let room = body.room;
    let prototype = body.prototype.as_ref().and_then(|key| catalog.creatures.get(key));
    let triggers = prototype.map(|prototype| prototype.triggers.as_slice()).unwrap_or_default();
    let own: Vec<OwnTrigger> = body.triggers.iter().filter(|own| own.is_for(&is_meant)).cloned().collect();
    let meant: Vec<&Script> =
        triggers.iter().filter(|trigger| is_meant(&trigger.on)).map(|trigger| &trigger.script).collect();
    turn.world.note_work((triggers.len() + body.triggers.len()) * MATCH_WORK);
    if own.is_empty() && meant.is_empty() {
        return false;
    }
    let target = player(turn, whom);
    let target_in = target.map_or(room, |who| turn.world.characters[who].room);
    let subjects = Subjects { room, creature: Some(creature), item: None, target };
    let scene = ScriptScene { subjects, target_in, words: input, withheld_by: "" };
    costs::charged(turn, room, |turn| {
        for script in meant {
            run::run(turn, script, scene);
        }
        for trigger in &own {
            if run_own(turn, trigger, scene) {
                turn.world.characters.change(creature, |body| body.triggers.retain(|other| other != trigger));
            }
        }
    });
    true
}

/// Runs the trigger of a single creature or item. Returns `true` if it is used up.
fn run_own(turn: &mut Turn, trigger: &OwnTrigger, scene: ScriptScene<'_>) -> bool {
    may_parse(turn, &trigger.lines, scene.subjects)
        && trigger.script().is_some_and(|script| run::run(turn, &script, scene))
}

/// Returns `true` if the budgets of scripts allow to parse stored lines, and charges for it.
fn may_parse(turn: &mut Turn, lines: &[String], subjects: Subjects) -> bool {
    let bytes: usize = lines.iter().map(String::len).sum();
    turn.world.note_work(bytes / PARSED_BYTES_PER_WORK);
    costs::may_go_on(turn, subjects)
}

/// Runs the triggers of all creatures in a room that match an event, for the given character if it is a player.
pub(crate) fn run_triggers_of_creatures(
    turn: &mut Turn,
    room: RoomId,
    whom: Option<CharacterId>,
    input: &str,
    is_meant: impl Fn(&CreatureEvent) -> bool,
) {
    let has_any = |creature: &&CharacterId| {
        let prototype = prototypes::creature_prototype(turn, **creature);
        prototype.is_some_and(|prototype| !prototype.triggers.is_empty())
            || !turn.world.characters[**creature].triggers.is_empty()
    };
    let creatures: Vec<CharacterId> = turn.world.occupants(room).iter().filter(has_any).copied().collect();
    if creatures.is_empty() {
        return;
    }
    costs::charged(turn, room, |turn| {
        for creature in creatures {
            if !costs::may_go_on(turn, Subjects::of_room(room, player(turn, whom))) {
                break;
            }
            run_creature_triggers(turn, creature, whom, input, &is_meant);
        }
    });
}

/// Returns `true` if a creature has a trigger for an event.
pub(crate) fn has_trigger(
    turn: &Turn,
    creature: CharacterId,
    is_meant: impl Fn(&CreatureEvent) -> bool,
) -> bool {
    let Some(body) = turn.world.characters.get(creature) else { return false };
    let prototype = body.prototype.as_ref().and_then(|key| turn.catalog.creatures.get(key));
    prototype.is_some_and(|prototype| prototype.triggers.iter().any(|trigger| is_meant(&trigger.on)))
        || body.triggers.iter().any(|trigger| trigger.is_for(&is_meant))
}

/// Runs the `hurt` triggers of a creature whose hit points have fallen from `before` to below a share.
pub(crate) fn notice_wound(turn: &mut Turn, creature: CharacterId, before: i32) {
    let (left, most) = (i64::from(stats::hp(turn, creature)), i64::from(stats::max_hp_of(turn, creature)));
    let slayer = attack::opponent_of(turn, creature);
    let is_below = |hp: i64, percent: u32| hp * 100 < most * i64::from(percent);
    run_creature_triggers(turn, creature, slayer, "", |on| match on {
        CreatureEvent::Hurt(percent) => is_below(left, *percent) && !is_below(before.into(), *percent),
        _ => false,
    });
}

/// Runs the triggers of an item for an event, for a player. Returns `true` if it has any.
pub(crate) fn run_item_triggers(turn: &mut Turn, who: CharacterId, item: ItemId, event: ItemEvent) -> bool {
    let catalog = Arc::clone(&turn.catalog);
    let Some(target) = player(turn, Some(who)) else { return false };
    let Some(row) = turn.world.items.get(item) else { return false };
    let triggers = catalog.items.get(&row.prototype).map(|kind| kind.triggers.as_slice()).unwrap_or_default();
    let is_meant = |on: &ItemEvent| *on == event;
    let own: Vec<OwnTrigger> = row.triggers.iter().filter(|own| own.is_for(is_meant)).cloned().collect();
    let meant: Vec<&Script> =
        triggers.iter().filter(|trigger| trigger.on == event).map(|trigger| &trigger.script).collect();
    if own.is_empty() && meant.is_empty() {
        return false;
    }
    let room = turn.world.characters[who].room;
    let scene = |turn: &Turn| {
        let item = turn.world.items.get(item).map(|row| row.id);
        let subjects = Subjects { room, creature: None, item, target: Some(target) };
        ScriptScene { subjects, target_in: room, words: "", withheld_by: "" }
    };
    costs::charged(turn, room, |turn| {
        for script in meant {
            run::run(turn, script, scene(turn));
        }
        for trigger in &own {
            if run_own(turn, trigger, scene(turn)) {
                turn.world.items.change(item, |row| row.triggers.retain(|other| other != trigger));
            }
        }
    });
    true
}

/// Returns `true` if a word is in a trigger's semicolon-separated list.
pub(crate) fn is_named(names: &str, word: &str) -> bool {
    names.split(';').any(|name| name.trim().eq_ignore_ascii_case(word.trim()))
}

/// Returns `true` if a word is a custom command of the room.
pub(crate) fn is_custom_command(turn: &Turn, room: RoomId, word: &str) -> bool {
    turn.world.rooms[room].triggers.iter().any(|trigger| is_obeyed(&trigger.on, word))
}

/// Runs a custom command of the room for a player, with the arguments typed.
pub(crate) fn obey(turn: &mut Turn, who: CharacterId, word: &str, argument: &str) {
    let room = turn.world.characters[who].room;
    run_triggers(turn, room, Some(who), argument, |on| is_obeyed(on, word));
}

fn is_obeyed(on: &TriggerEvent, word: &str) -> bool {
    matches!(on, TriggerEvent::Command(names) if is_named(names, word))
}

/// Spoken text, in which phrases are found regardless of case and punctuation.
#[derive(Debug)]
pub(crate) struct Heard(String);

impl Heard {
    /// Prepares a text once for all phrases that it is compared with.
    pub(crate) fn of(text: &str) -> Self {
        Self(format!(" {} ", sanitise::plain_words(text)))
    }

    /// Returns `true` if the text contains one of the phrases, which are separated by `;`.
    pub(crate) fn has_phrase(&self, phrases: &str) -> bool {
        phrases.split(';').any(|phrase| self.0.contains(&Self::of(phrase).0))
    }
}

/// Returns `true` if the spoken text contains a phrase of the trigger.
pub(crate) fn is_said(on: &TriggerEvent, heard: &Heard) -> bool {
    matches!(on, TriggerEvent::Say(phrases) if heard.has_phrase(phrases))
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
    let is_heeded = turn.world.rooms.get(from).is_some_and(|row| row.triggers.iter().any(leaves))
        || turn
            .world
            .occupants(from)
            .iter()
            .any(|creature| has_trigger(turn, *creature, |on| *on == CreatureEvent::Leave));
    if is_heeded {
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
        run_triggers_of_creatures(turn, from, Some(who), "", |on| *on == CreatureEvent::Leave);
    }
}

/// Runs a room's lines about a character, which may be in another room. Returns `true` if the lines are used up
/// (`once`). Lines are validated when stored; unparsable lines, and lines beyond the depth limit, are skipped.
fn run_lines(
    turn: &mut Turn,
    lines: &[String],
    room: RoomId,
    whom: Option<CharacterId>,
    input: &str,
) -> bool {
    let whom_in = whom.and_then(|who| turn.world.characters.get(who)).map_or(room, |body| body.room);
    let subjects = Subjects::of_room(room, whom);
    costs::charged(turn, room, |turn| {
        if !may_parse(turn, lines, subjects) {
            return false;
        }
        let Ok(script) = Script::parse(lines.iter().map(String::as_str)) else { return false };
        run::run(turn, &script, ScriptScene { subjects, target_in: whom_in, words: input, withheld_by: "" })
    })
}

/// Runs a creature's `on_tick` hook and its triggers for a tick, about a random player in its room.
pub(crate) fn act_by_script(turn: &mut Turn, creature: CharacterId) {
    if !mind::ticks(turn, creature) {
        return;
    }
    let catalog = Arc::clone(&turn.catalog);
    let room = turn.world.characters[creature].room;
    let players: Vec<CharacterId> = mind::prey_in(turn, room).collect();
    let target = turn.dice.roam.pick(&players).copied();
    let key = turn.world.characters[creature].prototype.as_ref();
    if let Some(prototype) = key.and_then(|key| catalog.creatures.get(key)) {
        let subjects = Subjects { room, creature: Some(creature), item: None, target };
        run::run(
            turn,
            &prototype.on_tick,
            ScriptScene { subjects, target_in: room, words: "", withheld_by: "" },
        );
    }
    run_creature_triggers(turn, creature, target, "", |on| *on == CreatureEvent::Tick);
}

/// Remembers that a player has been in a room, if a script there asks for a first visit.
pub(crate) fn remember_visit(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let is_known = |body: &Character| body.visited.contains(&room);
    if turn.world.characters.get(who).is_none_or(is_known) || !asks_for_visit(turn, room) {
        return;
    }
    let most = turn.config.limits.visited_rooms as usize;
    turn.world.characters.change(who, |body| {
        body.visited.insert(room);
        while body.visited.len() > most {
            // The lowest numbers are those of the oldest rooms.
            body.visited.pop_first();
        }
    });
}

/// Returns `true` if a script of a room, or a script or dialogue of a creature in it, asks for a first visit.
fn asks_for_visit(turn: &Turn, room: RoomId) -> bool {
    let Some(row) = turn.world.rooms.get(room).filter(|row| row.branch.is_none()) else { return false };
    let in_lines = |lines: &[String]| lines.iter().any(|line| line.contains(FIRST_VISIT));
    let asks = |condition: &Condition| condition.tests().any(|test| *test == Test::FirstVisit);
    let by_creature = |who: &CharacterId| {
        let body = &turn.world.characters[*who];
        let Some(prototype) = prototypes::creature_prototype(turn, *who) else { return false };
        let dialogue = prototype.dialogue.as_ref().and_then(|key| turn.catalog.dialogues.get(key));
        prototype.scripts().flat_map(Script::conditions).any(asks)
            || dialogue.is_some_and(|dialogue| dialogue.all_conditions().any(asks))
            || body.triggers.iter().any(|trigger| in_lines(&trigger.lines))
    };
    row.triggers.iter().any(|trigger| in_lines(&trigger.lines))
        || turn.world.occupants(room).iter().any(by_creature)
}
