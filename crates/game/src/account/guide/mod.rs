//! Guidance for new players: the guided start, one step at a time, and a tip when a player first meets something. The
//! texts are content; this module decides when they are due. Lessons are noted during a step of the game and shown at
//! its end, so that no explanation separates a blow from its outcome. The guide does not affect the game.

mod notice;
mod to_type;

use crate::character::spawn;
use crate::effect::Class;
use crate::exit::clearing;
use crate::item::stacks;
use crate::message::tell;
use crate::state::Lessons;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId, Span};
use deepwell_core::catalog::help::guide::{Blank, CommandPiece, GuideStep, Lesson, SuggestedCommand};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{GuideProgress, GuideState, Place};
use notice::notice;
use std::collections::BTreeSet;
use to_type::{suggested_commands, urgent_commands};

/// Returns the initial guide state of a new character.
pub(crate) fn guide_offer(turn: &Turn) -> GuideProgress {
    let state = if turn.config.guidance { GuideState::Offered } else { GuideState::Off };
    GuideProgress { state, ..GuideProgress::default() }
}

/// Offers the guide to a new character.
pub(crate) fn offer_guide(turn: &mut Turn, who: CharacterId) {
    let offer = turn.catalog.guide.offer.clone();
    if turn.config.guidance && !offer.is_empty() {
        tell::tell(turn, who, Class::Notice, offer);
    }
}

/// Returns the command that the answer of a new player to the offer of the guide means. Without an offer, "yes" is a nod.
pub(crate) fn answer_to_offer(turn: &Turn, who: CharacterId, line: &str) -> Option<&'static str> {
    let is_asked = turn.world.characters[who].is_offered_guide();
    let answers = [("yes", "guide on"), ("no", "guide off")];
    let answer = answers.into_iter().find(|(answer, _)| line.eq_ignore_ascii_case(answer));
    answer.filter(|_| is_asked).map(|(_, command)| command)
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
    if lesson == Lesson::GotItem {
        restock(turn, who);
    }
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
        } else if actor == Some(session) && moments.contains(&Lesson::Walked) {
            say_way_onward(turn, who);
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

/// Returns `true` if these lessons end a step. Leaving the dungeon counts once the fight is won, since the text of that
/// step is about what the player carries out; before that, the player comes back to go in elsewhere.
fn is_met(steps: &[GuideStep], at: usize, moments: &BTreeSet<Lesson>, done: &BTreeSet<String>) -> bool {
    let fight = |step: &GuideStep| step.moments.contains(&Lesson::Won) && !done.contains(&step.key);
    let counts = |lesson: &&Lesson| **lesson != Lesson::CameHome || !steps[..at].iter().any(fight);
    steps[at].moments.iter().filter(counts).any(|lesson| moments.contains(lesson))
}

/// Completes the steps of the guide that the present situation ends, before the current step is shown.
pub(crate) fn catch_up(turn: &mut Turn, who: CharacterId) {
    if turn.read_only {
        return;
    }
    let mut present = BTreeSet::new();
    notice(turn, who, &mut present);
    complete(turn, who, &present);
}

/// Completes the steps of the guide that these lessons end, and shows the next one. Returns `true` if a step was shown.
fn advance(turn: &mut Turn, who: CharacterId, moments: &BTreeSet<Lesson>) -> bool {
    let is_new = complete(turn, who, moments);
    if is_new {
        say_step(turn, who);
    }
    is_new
}

/// Completes the steps of the guide that these lessons end. Returns `true` if the guide is on and has another current step.
fn complete(turn: &mut Turn, who: CharacterId, moments: &BTreeSet<Lesson>) -> bool {
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let steps = &catalog.guide.steps;
    let row = &turn.world.characters[who].guide;
    if !row.state.is_open() {
        return false;
    }
    let ends = |at: usize, done: &BTreeSet<String>| {
        !done.contains(&steps[at].key) && is_met(steps, at, moments, done)
    };
    if !(0..steps.len()).any(|at| ends(at, &row.done)) {
        return false;
    }
    let open = |done: &BTreeSet<String>| steps.iter().position(|step| !done.contains(&step.key));
    let before = open(&row.done);
    let mut done = row.done.clone();
    let mut tips = row.tips.clone();
    for (at, step) in steps.iter().enumerate() {
        if ends(at, &done) {
            let is_led = row.state == GuideState::On;
            // Who looks into the well before the guide begins has passed over nothing.
            let from = if step.passes && is_led { 0 } else { at };
            done.extend(steps[from..=at].iter().map(|step| step.key.clone()));
            // A lesson taught by the guide needs no tip.
            if is_led {
                tips.extend(step.moments.iter().map(|lesson| lesson.name().to_owned()));
            }
        }
    }
    let (state, after) = (row.state, open(&done));
    if let Some(body) = turn.world.characters.edit(who) {
        (body.guide.done, body.guide.tips) = (done, tips);
        if after.is_none() {
            body.guide.state = GuideState::Done;
        }
    }
    state == GuideState::On && before != after
}

/// Shows the current step of the guide, or the text for its end.
pub(crate) fn say_step(turn: &mut Turn, who: CharacterId) {
    // A step may be about supplies that another player has taken.
    spawn_supplies(turn, who);
    let guide = &turn.catalog.guide;
    let done = &turn.world.characters[who].guide.done;
    let current = guide.steps.iter().enumerate().find(|(_, step)| !done.contains(&step.key));
    let Some((at, step)) = current else {
        let mut message = Markup::styled(Style::Hint, "Guide: ");
        message.append(&guide.ends);
        return tell::tell(turn, who, Class::Notice, message);
    };
    let head = format!("Guide, step {} of {}: ", at + 1, guide.steps.len());
    let mut message = Markup::styled(Style::Hint, &head);
    message.append(&step.words);
    let commands = commands_for(turn, who, step);
    for (at, line) in commands.iter().enumerate() {
        // Each command is shown on its own line, as it must be typed.
        message.line(Style::Plain, if at == 0 { "Type: " } else { "Then type: " });
        message.push(Style::Command, line);
    }
    turn.awake.edit(who).lessons.suggest(commands);
    tell::tell(turn, who, Class::Notice, message);
}

/// Returns the commands to type for a step: none during a fight or while wounds close. If no command of the step is
/// possible now, the step can be skipped.
fn commands_for(turn: &Turn, who: CharacterId, step: &GuideStep) -> Vec<String> {
    let urgent = urgent_commands(turn, who);
    if let Some(commands) = urgent.as_ref().filter(|commands| !commands.is_empty()) {
        return commands.clone();
    }
    // In a fight, a creature can be weighed up, and nothing else of a step is possible.
    let weighs = |lines: &&Vec<SuggestedCommand>| {
        lines.iter().flatten().any(|piece| *piece == CommandPiece::Blank(Blank::Creature))
    };
    let mut lines = step.lines.iter().filter(|lines| urgent.is_none() || weighs(lines));
    let found = lines.find_map(|lines| suggested_commands(turn, who, lines));
    found.unwrap_or_else(|| if urgent.is_some() { Vec::new() } else { vec!["guide skip".to_owned()] })
}

/// Tells a player who follows the guide below ground, and has just walked, what to type next.
fn say_way_onward(turn: &mut Turn, who: CharacterId) {
    let body = &turn.world.characters[who];
    let is_below = turn.world.rooms[body.room].branch.is_some();
    if body.guide.state != GuideState::On || !is_below {
        return;
    }
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let Some(step) = catalog.guide.steps.iter().find(|step| !body.guide.done.contains(&step.key)) else {
        return;
    };
    let commands = commands_for(turn, who, step);
    if let Some(line) = commands.first() {
        let message = Markup::styled(Style::Hint, "Guide: ").and("Type: ").with(Style::Command, line);
        tell::tell(turn, who, Class::Notice, message);
    }
    turn.awake.edit(who).lessons.suggest(commands);
}

/// Shows at most one due tip not shown before, if the last was long enough ago. Tips that have to wait are stored.
fn tip(turn: &mut Turn, who: CharacterId, noted: &BTreeSet<Lesson>, moments: &BTreeSet<Lesson>) {
    if !has_tips(turn, who) {
        return;
    }
    pass_over_known(turn, who, noted);
    let shown = &turn.world.characters[who].guide.tips;
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let tips = &catalog.guide.tips;
    let due = |lesson: &&Lesson| tips.contains_key(lesson) && !shown.contains(lesson.name());
    let fights = turn.world.characters[who].target.is_some();
    let gap = if fights { turn.config.round } else { Span::secs(catalog.rules.tips.gap_secs.into()) };
    let too_soon = turn.awake.get(who).is_some_and(|body| body.lessons.was_tipped_within(gap, turn.now));
    let now = moments.iter().find(due).copied().filter(|_| !too_soon);
    let waiting: BTreeSet<Lesson> = noted.iter().filter(due).copied().filter(|l| Some(*l) != now).collect();
    turn.awake.edit(who).lessons.put_off(waiting);
    let Some(lesson) = now else { return };
    turn.world.characters.change(who, |body| body.guide.tips.insert(lesson.name().to_owned()));
    turn.awake.edit(who).lessons.tell(turn.now);
    let mut message = Markup::styled(Style::Hint, "Tip: ");
    message.append(&tips[&lesson]);
    tell::tell(turn, who, Class::Notice, message);
}

/// Marks tips as shown if the player has already done what they explain.
fn pass_over_known(turn: &mut Turn, who: CharacterId, noted: &BTreeSet<Lesson>) {
    let shown = &turn.world.characters[who].guide.tips;
    let known = noted.iter().filter_map(|lesson| lesson.obsoletes_tip_of()).map(Lesson::name);
    let known: Vec<String> = known.filter(|name| !shown.contains(*name)).map(str::to_owned).collect();
    if !known.is_empty() {
        turn.world.characters.change(who, |body| body.guide.tips.extend(known.iter().cloned()));
    }
}

/// Spawns supplies again for the other players in a room, after a player has taken something there.
fn restock(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    if turn.world.rooms[room].supplies.is_empty() {
        return;
    }
    for other in turn.world.occupants(room).to_vec() {
        spawn_supplies(turn, other);
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
