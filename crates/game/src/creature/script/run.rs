//! Runs scripts line by line. Runs are bounded by the depth of scripts that trigger each other, and by the budgets of
//! `state/scripts/budget.rs`, which all scripts share. `wait` suspends a run: the rest of its lines is stored in the row of
//! the room, so that it survives a restart.

use crate::character::variables::Subjects;
use crate::creature::script::event::ScriptContext;
use crate::creature::script::scene::{ScriptScene, is_gone};
use crate::creature::script::{call, conditions, costs, deeds};
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId, RuleLimit, Span};
use deepwell_core::catalog::script::{Guard, Script, ScriptDeed, ScriptLine};
use deepwell_core::world::{ConditionChain, Room, ScriptWait};

/// Runs a script. Returns `true` if it is used up (`once`). A script beyond the depth limit is skipped.
pub(in crate::creature) fn run(turn: &mut Turn, script: &Script, scene: ScriptScene<'_>) -> bool {
    run_lines(turn, script.lines(), scene, ConditionChain::default())
}

/// Runs a script about subjects who are in its room.
pub(crate) fn run_about(turn: &mut Turn, script: &Script, subjects: Subjects) {
    run_without_pay(turn, script, subjects, "");
}

/// Runs a script about subjects who are in its room, without what it pays, if a quest is given whose step it is.
pub(crate) fn run_without_pay(turn: &mut Turn, script: &Script, subjects: Subjects, quest: &str) {
    let scene = ScriptScene { subjects, target_in: subjects.room, words: "", withheld_by: quest };
    run(turn, script, scene);
}

fn run_lines(turn: &mut Turn, lines: &[ScriptLine], scene: ScriptScene<'_>, chain: ConditionChain) -> bool {
    let most = turn.config.limits.trigger_depth;
    if turn.scripts.depth >= most {
        let message = format!("scripts set each other off more than {most} deep; this one is skipped");
        call::report_lines(turn, scene.subjects, &message);
        turn.outbox.count_limit(RuleLimit::TriggerDepth);
        return false;
    }
    turn.scripts.depth += 1;
    let is_spent = costs::charged(turn, scene.subjects.room, |turn| {
        let is_spent = run_each(turn, lines, scene, chain);
        // Counts as a part of the run, because it may set off another script.
        if let Some(who) = scene.subjects.target {
            turn.emit_event(GameEvent::Scripted { who });
        }
        is_spent
    });
    turn.scripts.depth -= 1;
    is_spent
}

fn run_each(
    turn: &mut Turn,
    lines: &[ScriptLine],
    scene: ScriptScene<'_>,
    mut chain: ConditionChain,
) -> bool {
    let Subjects { room, creature, .. } = scene.subjects;
    let mut is_spent = false;
    for (at, line) in lines.iter().enumerate() {
        // An earlier line may have moved the player, killed the creature or removed the room.
        let about = scene.subjects.target.filter(|_| creature.is_none());
        let is_over = creature.is_some_and(|creature| is_gone(turn, creature, room))
            || about.is_some_and(|who| is_gone(turn, who, scene.target_in));
        if is_over || turn.world.rooms.get(room).is_none() {
            break;
        }
        if !costs::may_run_line(turn, scene.subjects) {
            break;
        }
        let now = scene.now(turn);
        if !runs(turn, line, now.subjects, &mut chain) {
            continue;
        }
        match &line.deed {
            ScriptDeed::Stop => break,
            ScriptDeed::Once => is_spent = true,
            ScriptDeed::Alone if is_suspended(turn, lines, now.subjects) => break,
            ScriptDeed::Alone => {}
            ScriptDeed::Wait(secs) => {
                suspend(turn, &lines[at + 1..], now, chain, *secs);
                break;
            }
            ScriptDeed::Call(script, function) => {
                // The answer contains only lines, which cannot call another script.
                let asked = ScriptContext { subjects: now.subjects, words: scene.words };
                if let Some(answer) = call::call_script(turn, script, function, asked) {
                    run_each(turn, answer.lines(), now, ConditionChain::default());
                }
            }
            deed if is_withheld(turn, deed, now) => {}
            deed => deeds::run(turn, deed, now),
        }
    }
    is_spent
}

/// Returns `true` for a payment in the lines of a step that has paid before. An item that the quest asks for is given again
/// to a player who does not carry it, since the quest could not be completed without it.
fn is_withheld(turn: &Turn, deed: &ScriptDeed, scene: ScriptScene<'_>) -> bool {
    let Some(quest) = turn.catalog.quests.get(scene.withheld_by).filter(|_| deed.pays()) else {
        return false;
    };
    let (ScriptDeed::Give(_, item) | ScriptDeed::Item(item)) = deed else { return true };
    let carries = |who: CharacterId| conditions::count_carried(turn, who, item) > 0;
    !quest.asks_for(item) || scene.subjects.target.is_none_or(carries)
}

/// Returns `true` if a line runs, and updates the chain of conditions.
fn runs(turn: &mut Turn, line: &ScriptLine, subjects: Subjects, chain: &mut ConditionChain) -> bool {
    let runs = match &line.guard {
        Guard::Always => {
            *chain = ConditionChain::default();
            true
        }
        Guard::If(condition) => {
            let holds = conditions::holds(turn, condition, subjects);
            *chain = ConditionChain { is_taken: holds, is_active: holds };
            holds
        }
        Guard::ElseIf(condition) => {
            let holds = !chain.is_taken && conditions::holds(turn, condition, subjects);
            *chain = ConditionChain { is_taken: chain.is_taken || holds, is_active: holds };
            holds
        }
        Guard::Else => {
            *chain = ConditionChain { is_taken: true, is_active: !chain.is_taken };
            chain.is_active
        }
        Guard::Then => chain.is_active,
    };
    runs && (line.percent >= 100 || deeds::is_lucky(turn, line.percent))
}

/// Returns `true` if an earlier run of a script of the same owner waits in the room: its remaining lines are the last
/// lines of the script.
fn is_suspended(turn: &Turn, lines: &[ScriptLine], subjects: Subjects) -> bool {
    let is_of_script = |wait: &ScriptWait| {
        let rest = lines.len().checked_sub(wait.lines.len()).and_then(|at| lines.get(at..));
        (wait.creature, wait.item) == (subjects.creature, subjects.item)
            && rest.is_some_and(|rest| rest.iter().map(ToString::to_string).eq(wait.lines.iter().cloned()))
    };
    turn.world.rooms.get(subjects.room).is_some_and(|row| row.waits.iter().any(is_of_script))
}

/// Stores the rest of a run until its time has come.
fn suspend(turn: &mut Turn, rest: &[ScriptLine], scene: ScriptScene<'_>, chain: ConditionChain, secs: u32) {
    let Subjects { room, creature, item, target } = scene.subjects;
    if rest.is_empty() {
        return;
    }
    let most = turn.config.limits.waits_per_room;
    if turn.is_at_limit(RuleLimit::WaitsPerRoom, turn.world.rooms[room].waits.len()) {
        let reason =
            format!("{most} scripts wait in the room, as many as may; the rest of this one is skipped");
        return call::report_lines(turn, scene.subjects, &reason);
    }
    let at = turn.now + Span::secs(secs.into());
    let wait = ScriptWait {
        at,
        creature,
        item,
        target,
        target_in: scene.target_in,
        words: scene.words.to_owned(),
        lines: rest.iter().map(ToString::to_string).collect(),
        chain,
        withheld_by: scene.withheld_by.to_owned(),
    };
    turn.world.rooms.change(room, |row| row.waits.push(wait));
    turn.timers.schedule(at, Timer::Waits(room));
}

/// Continues the scripts of a room that are due, unless the room has used up its budget for the second.
pub(crate) fn resume_waits(turn: &mut Turn, room: RoomId) {
    let now = turn.now;
    let is_due = |wait: &ScriptWait| wait.at <= now;
    if turn.world.rooms.get(room).is_none_or(|row| !row.waits.iter().any(is_due)) {
        return;
    }
    if let Some(at) = turn.scripts.available_at(room, &turn.config.limits).filter(|at| *at > now) {
        return turn.timers.schedule(at, Timer::Waits(room));
    }
    let split = |row: &mut Room| {
        let (due, later): (Vec<ScriptWait>, Vec<ScriptWait>) =
            row.waits.to_value().into_iter().partition(is_due);
        row.waits = later.into();
        due
    };
    let due: Vec<ScriptWait> = turn.world.rooms.change(room, split).unwrap_or_default();
    for wait in due {
        let Ok(script) = Script::parse_rest(wait.lines.iter().map(String::as_str)) else { continue };
        let item = wait.item.filter(|item| turn.world.items.get(*item).is_some());
        let subjects = Subjects { room, creature: wait.creature, item, target: wait.target };
        let scene = ScriptScene {
            subjects,
            target_in: wait.target_in,
            words: &wait.words,
            withheld_by: &wait.withheld_by,
        };
        // The rest of a room's script runs without the player who has left.
        run_lines(turn, script.lines(), scene.now(turn), wait.chain);
    }
}

/// Schedules the suspended scripts of rooms that have come into memory.
pub(crate) fn schedule_waits(turn: &mut Turn, rooms: impl IntoIterator<Item = RoomId>) {
    for room in rooms {
        let waits = turn.world.rooms.get(room).into_iter().flat_map(|row| row.waits.iter());
        for at in waits.map(|wait| wait.at).collect::<Vec<_>>() {
            turn.timers.schedule(at, Timer::Waits(room));
        }
    }
}
