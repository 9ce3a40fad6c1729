//! What people read of a fight, each as they like it: every blow as it falls, one line a fighter and round, or only
//! what concerns them. Nothing is put into words for rooms in which nobody listens.

use crate::base::{CharacterId, Dice, RoomId, SessionId};
use crate::game::sound::Sound;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::CombatText;
use std::sync::Arc;

/// The blows of one fighter at another since they were last told to those who like it brief.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    room: RoomId,
    who: CharacterId,
    target: CharacterId,
    /// Their names, kept because the blow may be the last of either.
    name: Markup,
    whom: String,
    hits: u32,
    points: i32,
    /// Hit points that the last blow leaves.
    left: i32,
}

impl Game {
    /// How a client wants to read of fights. Who has text read aloud gets it brief unless they say otherwise.
    fn combat_text(&self, session: SessionId) -> CombatText {
        let Some(seat) = self.seats.get(&session) else { return CombatText::Full };
        let otherwise = if self.is_read_aloud(seat.account) { CombatText::Brief } else { CombatText::Full };
        self.world.accounts[seat.account].settings.combat.unwrap_or(otherwise)
    }

    /// Whether anybody in a room reads what happens there.
    pub(crate) fn is_heard(&self, room: RoomId) -> bool {
        self.world.occupants(room).iter().any(|who| self.seated.contains_key(who))
    }

    /// Tells a blow: its harm, or none if it missed. Comes before the harm is done.
    pub(super) fn tell_blow(&mut self, who: CharacterId, target: CharacterId, harm: Option<i32>) {
        if harm.is_some() {
            self.sounds(who, Sound::Hit);
            self.sounds(target, Sound::Hurt);
        }
        let room = self.world.characters[who].room;
        if !self.is_heard(room) {
            return;
        }
        let mut readers = Vec::new();
        let mut briefly = false;
        for viewer in self.world.occupants(room) {
            let Some(session) = self.seated.get(viewer).copied() else { continue };
            match self.combat_text(session) {
                CombatText::Brief => briefly = true,
                CombatText::Own if *viewer != who && *viewer != target => {}
                CombatText::Own | CombatText::Full => readers.push((*viewer, session)),
            }
        }
        if briefly {
            self.tally(room, who, target, harm);
        }
        if readers.is_empty() {
            return;
        }
        let strikes = self.strikes(who);
        let (name, whom) = (self.name_of(who), self.the(target));
        let mut shared = None;
        for (viewer, session) in readers {
            let words = match (viewer == who, viewer == target) {
                (true, _) => Arc::new(Markup::from(own_blow(&whom, harm))),
                (_, true) => Arc::new(blow_at_you(name.clone(), &strikes, harm)),
                _ => Arc::clone(shared.get_or_insert_with(|| {
                    let strikes = if harm.is_some() { &strikes } else { "misses" };
                    Arc::new(name.clone().and(&format!(" {strikes} {whom}.")))
                })),
            };
            self.fights.texts += 1;
            self.outbox.text(session, Class::Combat, &words);
        }
    }

    /// Tells those who read every blow that somebody's wounds have become worse to look at.
    pub(super) fn tell_condition(&mut self, victim: CharacterId) {
        let room = self.world.characters[victim].room;
        if !self.is_heard(room) {
            return;
        }
        let mut words = None;
        for viewer in self.world.occupants(room) {
            let Some(session) = self.seated.get(viewer).copied() else { continue };
            let concerned = self.world.characters[*viewer].target == Some(victim);
            match self.combat_text(session) {
                CombatText::Full => {}
                CombatText::Own if concerned => {}
                _ => continue,
            }
            let words = words.get_or_insert_with(|| {
                let words = format!(" is {}.", self.condition_of(victim));
                Arc::new(self.name_of(victim).and(&words))
            });
            self.fights.texts += 1;
            self.outbox.text(session, Class::Combat, words);
        }
    }

    /// Tells what only adds colour to a fight; who likes it brief does without.
    pub(super) fn tell_flourish(&mut self, room: RoomId, line: &str) {
        let words = Arc::new(Markup::plain(line));
        for viewer in self.world.occupants(room) {
            let Some(session) = self.seated.get(viewer).copied() else { continue };
            if self.combat_text(session) != CombatText::Brief {
                self.outbox.text(session, Class::Combat, &words);
            }
        }
    }

    /// How a body strikes, as others read it: "bites".
    fn strikes(&mut self, who: CharacterId) -> String {
        let prototype = self.world.characters[who].mob.as_ref().and_then(|key| self.catalog.mobs.get(key));
        let words = prototype.and_then(|mob| self.dice.flavour.pick(&mob.strikes));
        words.map_or("hits", String::as_str).to_owned()
    }

    /// Keeps a blow for those who read one line a fighter and round.
    fn tally(&mut self, room: RoomId, who: CharacterId, target: CharacterId, harm: Option<i32>) {
        let left = (self.hp(target) - harm.unwrap_or(0)).max(0);
        let known = self.fights.tallies.iter().position(|tally| tally.who == who && tally.target == target);
        let at = known.unwrap_or_else(|| {
            let (name, whom) = (self.name_of(who), self.the(target));
            self.fights.tallies.push(Tally { room, who, target, name, whom, hits: 0, points: 0, left });
            self.fights.tallies.len() - 1
        });
        if let Some(tally) = self.fights.tallies.get_mut(at) {
            tally.hits += u32::from(harm.is_some());
            tally.points = tally.points.saturating_add(harm.unwrap_or(0));
            tally.left = left;
        }
    }

    /// Tells what was kept for those who like it brief, one line a fighter. Comes before anything that must be read
    /// after it, such as a death, and at the end of each round.
    pub(super) fn tell_tallies(&mut self) {
        for tally in std::mem::take(&mut self.fights.tallies) {
            let mut shared = None;
            for viewer in self.world.occupants(tally.room) {
                let Some(session) = self.seated.get(viewer).copied() else { continue };
                if self.combat_text(session) != CombatText::Brief {
                    continue;
                }
                let words = if *viewer == tally.who || *viewer == tally.target {
                    Arc::new(tally.words(Some(*viewer)))
                } else {
                    Arc::clone(shared.get_or_insert_with(|| Arc::new(tally.words(None))))
                };
                self.fights.texts += 1;
                self.outbox.text(session, Class::Combat, &words);
            }
        }
    }

    /// How many lines about blows were put into words since the start: what a fight that nobody reads must not add to.
    pub const fn combat_texts(&self) -> u64 {
        self.fights.texts
    }
}

impl Tally {
    /// The sum as the fighter, its opponent or anybody else reads it.
    fn words(&self, viewer: Option<CharacterId>) -> Markup {
        let Self { whom, left, .. } = self;
        let harm = (self.hits > 0).then_some(self.points);
        if viewer == Some(self.who) {
            return own_blow(whom, harm).into();
        }
        let name = self.name.clone();
        match (harm, viewer == Some(self.target)) {
            (Some(points), true) => {
                let words = format!(" hits you for {}; you have {left} left.", counted(points));
                name.with(Style::Harm, &words)
            }
            (Some(points), false) => name.and(&format!(" hits {whom} for {}.", counted(points))),
            (None, true) => name.and(" misses you."),
            (None, false) => name.and(&format!(" misses {whom}.")),
        }
    }
}

fn counted(points: i32) -> String {
    grammar::counted(points.unsigned_abs(), "point", None)
}

fn own_blow(whom: &str, harm: Option<i32>) -> String {
    match harm {
        Some(points) => format!("You hit {whom} for {}.", counted(points)),
        None => format!("You miss {whom}."),
    }
}

fn blow_at_you(name: Markup, strikes: &str, harm: Option<i32>) -> Markup {
    match harm {
        Some(points) => name.with(Style::Harm, &format!(" {strikes} you for {}.", counted(points))),
        None => name.and(" misses you."),
    }
}
