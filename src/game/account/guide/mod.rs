//! Guidance for new players: the guided start, one step at a time, and a tip when a player first meets something. The
//! texts are content; this module decides when they are due. Lessons are noted during a step of the game and shown at
//! its end, so that no explanation separates a blow from its outcome. The guide does not affect the game.

mod notice;
mod to_type;

use crate::base::{CharacterId, SessionId, Span};
use crate::catalog::guide::{Lesson, Step};
use crate::game::character::spawn;
use crate::game::effect::Class;
use crate::game::exit::clearing;
use crate::game::item::stacks;
use crate::game::message::tell;
use crate::game::state::Lessons;
use crate::game::turn::Turn;
use crate::text::{Markup, Style};
use crate::world::{Guide, GuideState, Place};
use notice::notice;
use std::collections::BTreeSet;
use to_type::suggested_commands;

/// Returns the initial guide state of a new character.
pub(crate) fn guide_offer(turn: &Turn) -> Guide {
    let state = if turn.config.guidance { GuideState::Offered } else { GuideState::Off };
    Guide { state, ..Guide::default() }
}

/// Offers the guide to a new character.
pub(crate) fn offer_guide(turn: &mut Turn, who: CharacterId) {
    let offer = turn.catalog.guide.offer.clone();
    if turn.config.guidance && !offer.is_empty() {
        tell::tell(turn, who, Class::Notice, offer);
    }
}

/// Starts or ends the guide.
pub(crate) fn set_guide(turn: &mut Turn, who: CharacterId, state: GuideState) {
    turn.world.characters.change(who, |body| body.guide.state = state);
}

/// Skips the current step.
pub(crate) fn skip_step(turn: &mut Turn, who: CharacterId) {
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let done = &turn.world.characters[who].guide.done;
    let current = catalog.guide.steps.iter().find(|step| !done.contains(&step.key));
    let last = catalog.guide.steps.last().map(|step| &step.key);
    if let Some(step) = current
        && let Some(body) = turn.world.characters.edit(who)
    {
        body.guide.done.insert(step.key.clone());
        body.guide.state = if last == Some(&step.key) { GuideState::Done } else { GuideState::On };
    }
}

/// Restarts the guide at its first step.
pub(crate) fn restart_guide(turn: &mut Turn, who: CharacterId) {
    if let Some(body) = turn.world.characters.edit(who) {
        body.guide.state = GuideState::On;
        body.guide.done.clear();
    }
}

/// Notes a lesson that may end a step of the guide or trigger a tip. Cheap for experienced players.
pub(crate) fn learn(turn: &mut Turn, who: CharacterId, lesson: Lesson) {
    if is_newcomer(turn, who) {
        turn.awake.edit(who).lessons.note(lesson);
    }
}

/// Returns `true` if a character gets tips or follows the guide.
fn is_newcomer(turn: &Turn, who: CharacterId) -> bool {
    turn.config.guidance
        && turn
            .world
            .characters
            .get(who)
            .is_some_and(|body| body.is_player() && (body.guide.state.is_open() || has_tips(turn, who)))
}

fn has_tips(turn: &Turn, who: CharacterId) -> bool {
    let body = &turn.world.characters[who];
    let owner = body.account.and_then(|account| turn.world.accounts.get(account));
    body.level < turn.catalog.rules.tips.until_level && owner.is_some_and(|owner| !owner.settings.no_tips)
}

/// Shows guide steps and tips to new players who received output, at the end of a step of the game. Considers only
/// players who acted, moved, fight or have a noted lesson, so that a crowd that sees an arrival costs little.
pub(crate) fn finish_guidance(turn: &mut Turn, actor: Option<SessionId>) {
    if turn.read_only || !turn.config.guidance {
        return;
    }
    for session in turn.outbox.prompted() {
        let Some(who) = turn.seats.get(&session).map(|seat| seat.character) else { continue };
        if actor != Some(session) && !may_have_new_lesson(turn, who) {
            continue;
        }
        if !is_newcomer(turn, who) {
            turn.awake.take(who, |body| body.lessons = Lessons::default());
            continue;
        }
        let (mut moments, mut noted) = turn.awake.edit(who).lessons.take();
        noted.extend(moments.iter().copied());
        let mut present = BTreeSet::new();
        notice(turn, who, &mut present);
        moments.extend(present.iter().copied());
        if advance(turn, who, &moments) {
            turn.awake.edit(who).lessons.tell(turn.now);
        }
        moments.extend(noted.iter().copied());
        moments.retain(|lesson| is_still_helpful(turn, who, *lesson, &present));
        tip(turn, who, &noted, &moments);
    }
}

/// Returns `true` if a character may have a new lesson without having acted.
fn may_have_new_lesson(turn: &Turn, who: CharacterId) -> bool {
    let body = &turn.world.characters[who];
    body.arrived_at == turn.now
        || body.target.is_some()
        || turn.awake.get(who).is_some_and(|body| body.lessons.has_pending())
}

/// Returns `true` if the text for a lesson is still useful. A delayed one is shown only if its situation applies again.
/// A fighting player gets only texts about fighting.
fn is_still_helpful(turn: &Turn, who: CharacterId, lesson: Lesson, present: &BTreeSet<Lesson>) -> bool {
    let body = &turn.world.characters[who];
    let room = &turn.world.rooms[body.room];
    let is_so = match lesson {
        Lesson::Invited => true,
        Lesson::CameHome => room.branch.is_none(),
        Lesson::RoomCleared => room.clear && clearing::has_way_onward(turn, body.room),
        Lesson::RoomBlocked => present.contains(&lesson) && clearing::has_way_onward(turn, body.room),
        lesson => lesson.is_deed() || present.contains(&lesson),
    };
    is_so && (body.target.is_none() || lesson.fits_fight())
}

/// Completes the steps of the guide that these lessons end, and shows the next one. Returns `true` if a step was shown.
fn advance(turn: &mut Turn, who: CharacterId, moments: &BTreeSet<Lesson>) -> bool {
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let steps = &catalog.guide.steps;
    let row = &turn.world.characters[who].guide;
    if !row.state.is_open() {
        return false;
    }
    let is_met = |step: &Step| step.moments.iter().any(|lesson| moments.contains(lesson));
    if !steps.iter().any(|step| is_met(step) && !row.done.contains(&step.key)) {
        return false;
    }
    let open = |done: &BTreeSet<String>| steps.iter().position(|step| !done.contains(&step.key));
    let before = open(&row.done);
    let mut done = row.done.clone();
    let mut told = row.tips.clone();
    for (at, step) in steps.iter().enumerate() {
        if is_met(step) && !done.contains(&step.key) {
            let from = if step.passes { 0 } else { at };
            done.extend(steps[from..=at].iter().map(|step| step.key.clone()));
            // A lesson taught by the guide needs no tip.
            if row.state == GuideState::On {
                told.extend(step.moments.iter().map(|lesson| lesson.name().to_owned()));
            }
        }
    }
    let (state, after) = (row.state, open(&done));
    if let Some(body) = turn.world.characters.edit(who) {
        (body.guide.done, body.guide.tips) = (done, told);
        if after.is_none() {
            body.guide.state = GuideState::Done;
        }
    }
    if state != GuideState::On || before == after {
        return false;
    }
    say_step(turn, who);
    true
}

/// Shows the current step of the guide, or the text for its end.
pub(crate) fn say_step(turn: &mut Turn, who: CharacterId) {
    let guide = &turn.catalog.guide;
    let done = &turn.world.characters[who].guide.done;
    let current = guide.steps.iter().enumerate().find(|(_, step)| !done.contains(&step.key));
    let Some((at, step)) = current else {
        let mut words = Markup::styled(Style::Hint, "Guide: ");
        words.append(&guide.ends);
        return tell::tell(turn, who, Class::Notice, words);
    };
    let head = format!("Guide, step {} of {}: ", at + 1, guide.steps.len());
    let mut words = Markup::styled(Style::Hint, &head);
    words.append(&step.words);
    let lines = step.lines.iter().find_map(|lines| suggested_commands(turn, who, lines));
    for (at, line) in lines.unwrap_or_default().iter().enumerate() {
        // Each command is shown on its own line, as it must be typed.
        words.line(Style::Plain, if at == 0 { "Type: " } else { "Then type: " });
        words.push(Style::Command, line);
    }
    tell::tell(turn, who, Class::Notice, words);
}

/// Shows at most one due tip not shown before, if the last was long enough ago. Tips that have to wait are stored.
fn tip(turn: &mut Turn, who: CharacterId, noted: &BTreeSet<Lesson>, moments: &BTreeSet<Lesson>) {
    if !has_tips(turn, who) {
        return;
    }
    pass_over_known(turn, who, noted);
    let said = &turn.world.characters[who].guide.tips;
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let tips = &catalog.guide.tips;
    let due = |lesson: &&Lesson| tips.contains_key(lesson) && !said.contains(lesson.name());
    let fights = turn.world.characters[who].target.is_some();
    let gap = if fights { turn.config.round } else { Span::secs(catalog.rules.tips.gap_secs.into()) };
    let too_soon = turn.awake.get(who).is_some_and(|body| body.lessons.was_tipped_within(gap, turn.now));
    let now = moments.iter().find(due).copied().filter(|_| !too_soon);
    let waiting: BTreeSet<Lesson> = noted.iter().filter(due).copied().filter(|l| Some(*l) != now).collect();
    turn.awake.edit(who).lessons.put_off(waiting);
    let Some(lesson) = now else { return };
    turn.world.characters.change(who, |body| body.guide.tips.insert(lesson.name().to_owned()));
    turn.awake.edit(who).lessons.tell(turn.now);
    let mut words = Markup::styled(Style::Hint, "Tip: ");
    words.append(&tips[&lesson]);
    tell::tell(turn, who, Class::Notice, words);
}

/// Marks tips as shown if the player has already done what they explain.
fn pass_over_known(turn: &mut Turn, who: CharacterId, noted: &BTreeSet<Lesson>) {
    let said = &turn.world.characters[who].guide.tips;
    let known = noted.iter().filter_map(|lesson| lesson.obsoletes_tip_of()).map(Lesson::name);
    let known: Vec<String> = known.filter(|name| !said.contains(*name)).map(str::to_owned).collect();
    if !known.is_empty() {
        turn.world.characters.change(who, |body| body.guide.tips.extend(known.iter().cloned()));
    }
}

/// Spawns the supplies of a room for a new player: one of each kind that is neither in the room nor carried by the
/// player.
pub(crate) fn spawn_supplies(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    let is_player = turn.world.characters[who].is_player();
    if turn.read_only || !is_player || turn.world.rooms[room].supplies.is_empty() {
        return;
    }
    for key in turn.world.rooms[room].supplies.to_value() {
        let near = turn.world.ground(room).iter().chain(turn.world.carried(who));
        let has = near.clone().any(|id| turn.world.items[*id].prototype == key);
        if !has && let Some(item) = spawn::spawn_item(turn, &key, Place::Room(room), "supplies") {
            stacks::trim_ground(turn, room, item);
        }
    }
}
