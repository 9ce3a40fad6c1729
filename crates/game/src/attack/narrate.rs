//! Combat text, at the detail each player chose: every blow, one line per fighter and round, or only what concerns the
//! player. No text is built for rooms without readers.

use crate::access::audibility;
use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::state::event::{GameEvent, Sound};
use crate::state::fights::{BlowTally, counted, own_blow};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, RoomId, SessionId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::CombatText;
use std::sync::Arc;

/// Returns the combat detail for a session. Screen readers get `Brief` unless the player chose otherwise.
fn combat_text(turn: &Turn, session: SessionId) -> CombatText {
    let Some(seat) = turn.seats.get(&session) else { return CombatText::Full };
    let otherwise =
        if audibility::uses_screen_reader(turn, seat.account) { CombatText::Brief } else { CombatText::Full };
    turn.world.accounts[seat.account].settings.combat.unwrap_or(otherwise)
}

/// Announces a blow with its damage, or `None` for a miss. Must be called before the damage is applied.
pub(crate) fn tell_blow(turn: &mut Turn, who: CharacterId, target: CharacterId, harm: Option<i32>) {
    if harm.is_some() {
        turn.emit_event(GameEvent::Sounded { who, sound: Sound::Hit });
        turn.emit_event(GameEvent::Sounded { who: target, sound: Sound::Hurt });
    }
    let room = turn.world.characters[who].room;
    if !tell::has_audience(turn, room) {
        return;
    }
    let mut readers = Vec::new();
    let mut briefly = false;
    for viewer in turn.world.occupants(room) {
        let Some(session) = turn.seated.get(viewer).copied() else { continue };
        match combat_text(turn, session) {
            CombatText::Brief => briefly = true,
            CombatText::Own if *viewer != who && *viewer != target => {}
            CombatText::Own | CombatText::Full => readers.push((*viewer, session)),
        }
    }
    if briefly {
        tally(turn, room, who, target, harm);
    }
    if readers.is_empty() {
        return;
    }
    let strikes = random_attack_verb(turn, who);
    let (name, whom) = (naming::name_of(turn, who), naming::the(turn, target));
    let mut shared = None;
    for (viewer, session) in readers {
        let message = match (viewer == who, viewer == target) {
            (true, _) => Arc::new(Markup::from(own_blow(&whom, harm))),
            (_, true) => Arc::new(blow_at_you(name.clone(), &strikes, harm)),
            _ => Arc::clone(shared.get_or_insert_with(|| {
                let strikes = if harm.is_some() { &strikes } else { "misses" };
                Arc::new(name.clone().and(&format!(" {strikes} {whom}.")))
            })),
        };
        #[cfg(test)]
        turn.blows.count_text();
        turn.outbox.text(session, Class::Combat, &message);
    }
}

/// Announces that a victim looks worse: to all players with full combat text, and to opponents with combat text limited
/// to their own fights.
pub(crate) fn tell_condition(turn: &mut Turn, victim: CharacterId) {
    let room = turn.world.characters[victim].room;
    if !tell::has_audience(turn, room) {
        return;
    }
    let mut shared = None;
    for viewer in turn.world.occupants(room) {
        let Some(session) = turn.seated.get(viewer).copied() else { continue };
        let concerned = turn.world.characters[*viewer].target == Some(victim);
        match combat_text(turn, session) {
            CombatText::Full => {}
            CombatText::Own if concerned => {}
            _ => continue,
        }
        let message = shared.get_or_insert_with(|| {
            let condition = format!(" is {}.", stats::condition_of(turn, victim));
            Arc::new(naming::name_of(turn, victim).and(&condition))
        });
        #[cfg(test)]
        turn.blows.count_text();
        turn.outbox.text(session, Class::Combat, message);
    }
}

/// Sends a flavour line to a room, except to players with brief combat text.
pub(crate) fn tell_flavour(turn: &mut Turn, room: RoomId, line: &str) {
    let message = Arc::new(Markup::plain(line));
    for viewer in turn.world.occupants(room) {
        let Some(session) = turn.seated.get(viewer).copied() else { continue };
        if combat_text(turn, session) != CombatText::Brief {
            turn.outbox.text(session, Class::Combat, &message);
        }
    }
}

/// Returns a random attack verb of a creature in the third person: "bites".
fn random_attack_verb(turn: &mut Turn, who: CharacterId) -> String {
    let prototype =
        turn.world.characters[who].prototype.as_ref().and_then(|key| turn.catalog.creatures.get(key));
    let verb = prototype.and_then(|creature| turn.dice.flavour.pick(&creature.strikes));
    verb.map_or("hits", String::as_str).to_owned()
}

/// Adds a blow to the tallies for players with brief combat text.
fn tally(turn: &mut Turn, room: RoomId, who: CharacterId, target: CharacterId, harm: Option<i32>) {
    let left = (stats::hp(turn, target) - harm.unwrap_or(0)).max(0);
    if let Some(tally) = turn.blows.tally(who, target) {
        tally.hits += u32::from(harm.is_some());
        tally.points = tally.points.saturating_add(harm.unwrap_or(0));
        tally.left = left;
        return;
    }
    let (name, whom) = (naming::name_of(turn, who), naming::the(turn, target));
    let (hits, points) = (u32::from(harm.is_some()), harm.unwrap_or(0));
    turn.blows.begin(BlowTally { room, who, target, name, whom, hits, points, left });
}

/// Sends pending tallies, one line per fighter, to players with brief combat text. Called at the end of each round and
/// before any text that must follow them, such as a death.
pub(crate) fn tell_tallies(turn: &mut Turn) {
    for tally in turn.blows.take() {
        let mut shared = None;
        for viewer in turn.world.occupants(tally.room) {
            let Some(session) = turn.seated.get(viewer).copied() else { continue };
            if combat_text(turn, session) != CombatText::Brief {
                continue;
            }
            let message = if *viewer == tally.who || *viewer == tally.target {
                Arc::new(tally.words(Some(*viewer)))
            } else {
                Arc::clone(shared.get_or_insert_with(|| Arc::new(tally.words(None))))
            };
            #[cfg(test)]
            turn.blows.count_text();
            turn.outbox.text(session, Class::Combat, &message);
        }
    }
}

fn blow_at_you(name: Markup, strikes: &str, harm: Option<i32>) -> Markup {
    match harm {
        Some(points) => name.with(Style::Harm, &format!(" {strikes} you for {}.", counted(points))),
        None => name.and(" misses you."),
    }
}
