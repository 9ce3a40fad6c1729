//! What newcomers are told: the guided start, one step at a time, and a tip when something is met for the first time.
//! The words are content; here is when they are due. Moments are noted while a step of the game is played and told at
//! its end, so that no explanation ever stands between a blow and its outcome. Nothing in here changes what happens.

use crate::base::{CharacterId, Direction, ItemId, RoomId, SessionId, Span};
use crate::catalog::ItemClass;
use crate::catalog::guide::{Blank, Lesson, Line, Piece};
use crate::game::effect::Class;
use crate::game::state::Lessons;
use crate::game::turn::Turn;
use crate::game::{body, look, spawn, tell};
use crate::text::{Markup, Style};
use crate::world::{Exit, ExitKind, ExitState, Guide, GuideState, Place, Room, RoomKind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many rooms a search for the way looks at.
const WAY_ROOMS: usize = 500;

/// How few more things somebody can carry who is told that hands are full.
const HANDS_LEFT: usize = 3;

/// How a new character stands to the guide.
pub(crate) fn guide_offer(turn: &Turn) -> Guide {
    let state = if turn.config.guidance { GuideState::Offered } else { GuideState::Off };
    Guide { state, ..Guide::default() }
}

/// Tells a new character that there is a guide.
pub(crate) fn offer_guide(turn: &mut Turn, who: CharacterId) {
    let offer = turn.catalog.guide.offer.clone();
    if turn.config.guidance && !offer.is_empty() {
        tell::tell(turn, who, Class::Notice, offer);
    }
}

/// Begins or ends the guide.
pub(crate) fn set_guide(turn: &mut Turn, who: CharacterId, state: GuideState) {
    if let Some(body) = turn.world.characters.edit(who) {
        body.guide.state = state;
    }
}

/// Passes over the current step.
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

/// Begins the guide at its first step.
pub(crate) fn restart_guide(turn: &mut Turn, who: CharacterId) {
    if let Some(body) = turn.world.characters.edit(who) {
        body.guide.state = GuideState::On;
        body.guide.done.clear();
    }
}

/// Somebody has come to a moment that may end a step of the guide, or that a tip belongs to. Cheap for whoever
/// is no newcomer.
pub(crate) fn learn(turn: &mut Turn, who: CharacterId, lesson: Lesson) {
    if is_newcomer(turn, who) {
        turn.awake.edit(who).lessons.note(lesson);
    }
}

/// Whether somebody gets tips or follows the guide.
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

/// At the end of a step: whoever read something in it, and is new, may read a step of the guide or a tip besides.
/// Only whoever acted, moved, fights or has something to learn is looked at: a crowd that hears somebody arrive is
/// not.
pub(crate) fn finish_guidance(turn: &mut Turn, actor: Option<SessionId>) {
    if turn.read_only || !turn.config.guidance {
        return;
    }
    for session in turn.outbox.prompted() {
        let Some(who) = turn.seats.get(&session).map(|seat| seat.character) else { continue };
        if actor != Some(session) && !is_concerned(turn, who) {
            continue;
        }
        if !is_newcomer(turn, who) {
            turn.awake.take(who, |body| body.lessons = Lessons::default());
            continue;
        }
        let (mut moments, mut noted) = turn.awake.edit(who).lessons.take();
        noted.extend(moments.iter().copied());
        notice(turn, who, &mut moments);
        if advance(turn, who, &moments) {
            turn.awake.edit(who).lessons.tell(turn.now);
        }
        moments.extend(noted.iter().copied());
        moments.retain(|lesson| is_still_helpful(turn, who, *lesson));
        tip(turn, who, &noted, &moments);
    }
}

/// Whether something may have happened to somebody that is worth a word, by no doing of their own.
fn is_concerned(turn: &Turn, who: CharacterId) -> bool {
    let body = &turn.world.characters[who];
    body.arrived_at == turn.now
        || body.target.is_some()
        || turn.awake.get(who).is_some_and(|body| body.lessons.are_noted())
}

/// Whether a word about a moment still helps: whoever is up again needs none about being down.
fn is_still_helpful(turn: &Turn, who: CharacterId, lesson: Lesson) -> bool {
    match lesson {
        Lesson::WentDown => body::is_down(turn, who),
        Lesson::Hurt => turn.world.characters[who].target.is_some(),
        Lesson::Fled => turn.world.characters[who].target.is_none(),
        _ => true,
    }
}

/// Ends the steps of the guide that these moments end; says the next one. True if something was said.
fn advance(turn: &mut Turn, who: CharacterId, moments: &BTreeSet<Lesson>) -> bool {
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let steps = &catalog.guide.steps;
    let row = &turn.world.characters[who].guide;
    if !row.state.is_open() {
        return false;
    }
    let open = |done: &BTreeSet<String>| steps.iter().position(|step| !done.contains(&step.key));
    let before = open(&row.done);
    let mut done = row.done.clone();
    let mut told = row.tips.clone();
    for (at, step) in steps.iter().enumerate() {
        if !done.contains(&step.key) && step.moments.iter().any(|lesson| moments.contains(lesson)) {
            let from = if step.passes { 0 } else { at };
            done.extend(steps[from..=at].iter().map(|step| step.key.clone()));
            // What the guide has led to needs no tip.
            if row.state == GuideState::On {
                told.extend(step.moments.iter().map(|lesson| lesson.name().to_owned()));
            }
        }
    }
    if done == row.done {
        return false;
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

/// Says the current step of the guide, or that there is none left.
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
    let lines = step.lines.iter().find_map(|lines| to_type(turn, who, lines));
    for (at, line) in lines.unwrap_or_default().iter().enumerate() {
        if at == 0 {
            words.line(Style::Plain, "Type: ");
        } else {
            words.push(Style::Plain, ", then ");
        }
        words.push(Style::Command, line);
    }
    tell::tell(turn, who, Class::Notice, words);
}

/// One tip that is due and was never said, if the last is long enough ago. What has to wait is kept.
fn tip(turn: &mut Turn, who: CharacterId, noted: &BTreeSet<Lesson>, moments: &BTreeSet<Lesson>) {
    if !has_tips(turn, who) {
        return;
    }
    let said = &turn.world.characters[who].guide.tips;
    let catalog = std::sync::Arc::clone(&turn.catalog);
    let tips = &catalog.guide.tips;
    let due = |lesson: &&Lesson| tips.contains_key(lesson) && !said.contains(lesson.name());
    let fights = turn.world.characters[who].target.is_some();
    let gap = if fights { turn.config.round } else { Span::secs(catalog.rules.tips.gap_secs.into()) };
    let too_soon = turn.awake.get(who).is_some_and(|body| body.lessons.were_told_within(gap, turn.now));
    let now = moments.iter().find(due).copied().filter(|_| !too_soon);
    let waiting: BTreeSet<Lesson> = noted.iter().filter(due).copied().filter(|l| Some(*l) != now).collect();
    turn.awake.edit(who).lessons.put_off(waiting);
    let Some(lesson) = now else { return };
    if let Some(body) = turn.world.characters.edit(who) {
        body.guide.tips.insert(lesson.name().to_owned());
    }
    turn.awake.edit(who).lessons.tell(turn.now);
    let mut words = Markup::styled(Style::Hint, "Tip: ");
    words.append(&tips[&lesson]);
    tell::tell(turn, who, Class::Notice, words);
}

/// The moments that anybody can read off where somebody stands.
fn notice(turn: &Turn, who: CharacterId, moments: &mut BTreeSet<Lesson>) {
    let body = &turn.world.characters[who];
    let room = &turn.world.rooms[body.room];
    let mut when = |true_now: bool, lesson: Lesson| {
        if true_now {
            moments.insert(lesson);
        }
    };
    when(body::is_down(turn, who), Lesson::WentDown);
    when(body.target.is_some() && body::hp(turn, who) * 2 < body::max_hp_of(turn, who), Lesson::Hurt);
    when(body.target.is_some(), Lesson::Fought);
    when(body::is_held(turn, who), Lesson::Caught);
    when(!body.affects.is_empty(), Lesson::GotAffect);
    when(turn.world.party_of(who).is_some(), Lesson::Joined);
    when(body.trainings > 0, Lesson::Levelled);
    when(body.money.run > 0, Lesson::GotMoney);
    when(room.branch.is_some(), Lesson::EnteredBranch);
    when(room.web, Lesson::SawWeb);
    let is_over = room.kind.is_guarded() && room.clear;
    moments.extend(room.kind.spec().lesson.filter(|_| !is_over));
    notice_exits(turn, room, moments);
    notice_beings(turn, who, room, moments);
    notice_things(turn, who, moments);
}

fn notice_exits(turn: &Turn, room: &Room, moments: &mut BTreeSet<Lesson>) {
    for exit in turn.world.exits_of(room.id) {
        if exit.omen.is_some() && exit.state == ExitState::Unexplored {
            moments.insert(Lesson::SawOmen);
        }
        if exit.kind == ExitKind::Stairs && exit.direction == Some(Direction::Down) {
            moments.insert(Lesson::SawStairs);
        }
        if exit.state == ExitState::OneWay {
            moments.insert(Lesson::SawOneWay);
        }
    }
}

fn notice_beings(turn: &Turn, who: CharacterId, room: &Room, moments: &mut BTreeSet<Lesson>) {
    let creature = creature_here(turn, who);
    if creature.is_some() {
        moments.insert(Lesson::MetCreature);
    }
    if !room.clear {
        moments.insert(match (creature, room.challenge.puzzle()) {
            (Some(_), _) => Lesson::RoomBlocked,
            (None, Some(_)) => Lesson::SawGate,
            (None, None) => Lesson::SawLever,
        });
    }
    let mut others = turn.world.occupants(room.id).iter().filter(|other| **other != who);
    if others.any(|other| turn.world.characters[*other].is_player() && body::is_down(turn, *other)) {
        moments.insert(Lesson::SawFallen);
    }
}

fn notice_things(turn: &Turn, who: CharacterId, moments: &mut BTreeSet<Lesson>) {
    let carried = turn.world.carried(who);
    let class = |id: &ItemId| {
        let item = &turn.world.items[*id];
        let prototype = turn.catalog.items.get(&item.prototype).filter(|_| item.worn.is_none());
        prototype.map(|prototype| (prototype.class, prototype.slot.is_some()))
    };
    for (class, wearable) in carried.iter().filter_map(class) {
        if wearable {
            moments.insert(Lesson::FoundGear);
        }
        if matches!(class, ItemClass::Potion | ItemClass::Food) {
            moments.insert(Lesson::FoundPotion);
        }
    }
    if carried.len() + HANDS_LEFT >= turn.config.limits.items_carried as usize {
        moments.insert(Lesson::HandsFull);
    }
    let ground = turn.world.ground(turn.world.characters[who].room);
    if ground.iter().filter_map(class).any(|(class, _)| class == ItemClass::Corpse) {
        moments.insert(Lesson::SawCorpse);
    }
}

/// A creature that is nobody's companion.
fn creature_here(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let body = &turn.world.characters[who];
    let fights = body.target.filter(|target| !turn.world.characters[*target].is_player());
    let stands = |id: &&CharacterId| {
        let other = &turn.world.characters[**id];
        !other.is_player() && other.master.is_none()
    };
    fights.or_else(|| turn.world.occupants(body.room).iter().find(stands).copied())
}

/// Lays out what a room has for those who come with nothing: one of each kind, if none lies here and the
/// newcomer has none.
pub(crate) fn lay_out(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    if turn.read_only || turn.world.rooms[room].supplies.is_empty() {
        return;
    }
    for key in turn.world.rooms[room].supplies.clone() {
        let near = turn.world.ground(room).iter().chain(turn.world.carried(who));
        let has = near.clone().any(|id| turn.world.items[*id].prototype == key);
        if !has {
            spawn::spawn_item(turn, &key, Place::Room(room), "supplies");
        }
    }
}

/// The lines with their blanks filled; none if one cannot be filled, or if nothing is left to type.
fn to_type(turn: &Turn, who: CharacterId, lines: &[Line]) -> Option<Vec<String>> {
    let mut typed = Vec::new();
    for line in lines {
        if let [Piece::Blank(blank @ (Blank::WayTo(_) | Blank::WayToGear | Blank::Onward))] = line.as_slice()
        {
            typed.extend(steps_for(turn, who, *blank)?);
            continue;
        }
        let mut words = String::new();
        for piece in line {
            match piece {
                Piece::Words(text) => words.push_str(text),
                Piece::Blank(blank) => words.push_str(&self::blank(turn, who, *blank)?),
            }
        }
        typed.push(words);
    }
    (!typed.is_empty()).then_some(typed)
}

fn blank(turn: &Turn, who: CharacterId, blank: Blank) -> Option<String> {
    let unworn = |id: &&ItemId| {
        let item = &turn.world.items[**id];
        let prototype = turn.catalog.items.get(&item.prototype);
        item.worn.is_none() && prototype.is_some_and(|prototype| prototype.slot.is_some())
    };
    let name = |id: &ItemId| {
        turn.catalog.items.get(&turn.world.items[*id].prototype).map(|prototype| prototype.name.clone())
    };
    match blank {
        Blank::Creature => creature_here(turn, who).map(|id| turn.world.characters[id].name.clone()),
        Blank::Thing => turn.world.ground(turn.world.characters[who].room).first().and_then(name),
        Blank::Gear => turn.world.carried(who).iter().find(unworn).and_then(name),
        Blank::Onward | Blank::WayTo(_) | Blank::WayToGear => {
            steps_for(turn, who, blank).map(|steps| steps.join(", "))
        }
    }
}

fn steps_for(turn: &Turn, who: CharacterId, blank: Blank) -> Option<Vec<String>> {
    let here = turn.world.characters[who].room;
    match blank {
        Blank::WayTo(kind) => way_to(turn, here, |room| room.kind == kind),
        Blank::WayToGear => way_to(turn, here, |room| !room.supplies.is_empty()),
        _ => onward(turn, who, here),
    }
}

/// What takes one further: at the well the first opening, in a branch a way that nobody has taken, or what stands
/// in front of it.
fn onward(turn: &Turn, who: CharacterId, here: RoomId) -> Option<Vec<String>> {
    let room = &turn.world.rooms[here];
    let opening = |exit: &&&Exit| exit.kind == ExitKind::Branch;
    let unknown = |exit: &&&Exit| exit.state == ExitState::Unexplored;
    let exits = look::exits_in_order(turn, here);
    if room.kind == RoomKind::Start {
        return exits.iter().find(opening).map(|exit| vec![exit.name.clone()]);
    }
    if room.branch.is_none() {
        return way_to(turn, here, |room| room.kind == RoomKind::Start);
    }
    if !room.clear {
        if let Some(creature) = creature_here(turn, who) {
            return Some(vec![format!("kill {}", turn.world.characters[creature].name)]);
        }
        let lever = room.challenge.lever_in.unwrap_or(here);
        let mut steps = way_to(turn, here, |room| room.id == lever)?;
        steps.push("pull lever".into());
        return Some(steps);
    }
    let calm = exits.iter().filter(unknown).min_by_key(|exit| exit.omen.is_some());
    if let Some(exit) = calm {
        return Some(vec![exit.name.clone()]);
    }
    let more = |room: &Room| turn.world.exits_of(room.id).any(|exit| unknown(&&exit));
    way_to(turn, here, |other| other.branch == room.branch && more(other))
}

/// The exits to take to the nearest room of a sort, over explored exits; empty if one is there.
fn way_to(turn: &Turn, from: RoomId, wanted: impl Fn(&Room) -> bool) -> Option<Vec<String>> {
    let mut ways: BTreeMap<RoomId, Vec<String>> = BTreeMap::from([(from, Vec::new())]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        let way = ways.get(&at).cloned().unwrap_or_default();
        if wanted(&turn.world.rooms[at]) {
            return Some(way);
        }
        if ways.len() > WAY_ROOMS {
            return None;
        }
        for exit in look::exits_in_order(turn, at) {
            let Some(to) = exit.to.filter(|_| exit.state != ExitState::Unexplored) else { continue };
            // A branch that somebody else has opened is no way to anywhere.
            if exit.kind != ExitKind::Branch && !ways.contains_key(&to) {
                ways.insert(to, way.iter().cloned().chain([exit.name.clone()]).collect());
                queue.push_back(to);
            }
        }
    }
    None
}
