//! State of fights between rounds.

pub(crate) mod stance;

use deepwell_core::base::{CharacterId, GameTime, RoomId};
use deepwell_core::text::{Markup, Style, grammar};
use std::collections::{BTreeMap, BTreeSet};

/// Blows of one fighter at another, summed up for players in brief combat mode since the last summary.
#[derive(Clone, Debug)]
pub(crate) struct BlowTally {
    pub(crate) room: RoomId,
    pub(crate) who: CharacterId,
    pub(crate) target: CharacterId,
    /// Name of the fighter, stored because the blow may be the last of either.
    pub(crate) name: Markup,
    pub(crate) whom: String,
    pub(crate) hits: u32,
    pub(crate) points: i32,
    /// Hit points of the target after the last blow.
    pub(crate) left: i32,
}

impl BlowTally {
    /// Formats the summary for the fighter, its target or another viewer.
    pub(crate) fn words(&self, viewer: Option<CharacterId>) -> Markup {
        let Self { whom, left, .. } = self;
        let harm = (self.hits > 0).then_some(self.points);
        if viewer == Some(self.who) {
            return own_blow(whom, harm).into();
        }
        let name = self.name.clone();
        match (harm, viewer == Some(self.target)) {
            (Some(points), true) => {
                let message = format!(" hits you for {}; you have {left} left.", counted(points));
                name.with(Style::Harm, &message)
            }
            (Some(points), false) => name.and(&format!(" hits {whom} for {}.", counted(points))),
            (None, true) => name.and(" misses you."),
            (None, false) => name.and(&format!(" misses {whom}.")),
        }
    }
}

/// Damage that players have done to living creatures, for the shares of a kill.
#[derive(Debug, Default)]
pub(crate) struct Wounds {
    by_victim: BTreeMap<CharacterId, BTreeMap<CharacterId, u32>>,
}

impl Wounds {
    /// Number of creatures after which those that no longer exist are removed.
    const VICTIMS_MAX: usize = 1_000;

    /// Adds damage.
    pub(crate) fn add(&mut self, victim: CharacterId, by: CharacterId, points: u32) {
        let sum = self.by_victim.entry(victim).or_default().entry(by).or_default();
        *sum = sum.saturating_add(points);
    }

    /// Returns the players who have damaged a creature, with the damage of each.
    pub(crate) fn of(&self, victim: CharacterId) -> impl Iterator<Item = (CharacterId, u32)> {
        self.by_victim.get(&victim).into_iter().flatten().map(|(by, points)| (*by, *points))
    }

    /// Removes a creature.
    pub(crate) fn forget(&mut self, victim: CharacterId) {
        self.by_victim.remove(&victim);
    }

    /// Removes the creatures that no longer exist, if there are many.
    pub(crate) fn trim(&mut self, exists: impl Fn(CharacterId) -> bool) {
        if self.by_victim.len() > Self::VICTIMS_MAX {
            self.by_victim.retain(|victim, _| exists(*victim));
        }
    }
}

/// Summaries not yet sent to players in brief combat mode.
#[derive(Debug, Default)]
pub(crate) struct Blows {
    tallies: Vec<BlowTally>,
    /// Number of lines formatted so far; must not grow in fights without viewers.
    #[cfg(test)]
    pub(crate) texts: u64,
}

impl Blows {
    /// Returns the summary of one fighter's blows at another, if any.
    pub(crate) fn tally(&mut self, who: CharacterId, target: CharacterId) -> Option<&mut BlowTally> {
        self.tallies.iter_mut().find(|tally| tally.who == who && tally.target == target)
    }

    /// Begins a summary.
    pub(crate) fn begin(&mut self, tally: BlowTally) {
        self.tallies.push(tally);
    }

    /// Takes all summaries to be sent.
    pub(crate) fn take(&mut self) -> Vec<BlowTally> {
        std::mem::take(&mut self.tallies)
    }

    /// Counts a formatted line about a blow.
    #[cfg(test)]
    pub(crate) const fn count_text(&mut self) {
        self.texts += 1;
    }
}

/// Times of the next rounds in rooms with a present or recent fight.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    due: BTreeMap<RoomId, GameTime>,
    /// Original due times of held rounds, which wait for a command of the player.
    held: BTreeMap<RoomId, GameTime>,
    /// Keys of the props that were used in each fight. A restart forgets them, so that they can be used once more.
    used_props: BTreeMap<RoomId, BTreeSet<String>>,
}

impl Rounds {
    /// Returns the time of a room's next round.
    pub(crate) fn next(&self, room: RoomId) -> Option<GameTime> {
        self.due.get(&room).copied()
    }

    /// Returns `true` if a round is scheduled in the room.
    pub(crate) fn is_round_scheduled(&self, room: RoomId) -> bool {
        self.due.contains_key(&room)
    }

    /// Schedules a round. Returns `false` if one is scheduled already.
    pub(crate) fn begin(&mut self, room: RoomId, next: GameTime) -> bool {
        let is_new = !self.is_round_scheduled(room);
        if is_new {
            self.due.insert(room, next);
        }
        is_new
    }

    /// Forgets a fight that is over.
    pub(crate) fn end_fight(&mut self, room: RoomId) {
        self.used_props.remove(&room);
    }

    /// Returns `true` if a prop was used in the fight of a room.
    pub(crate) fn is_used(&self, room: RoomId, prop: &str) -> bool {
        self.used_props.get(&room).is_some_and(|used| used.contains(prop))
    }

    /// Notes the use of a prop.
    pub(crate) fn note_used(&mut self, room: RoomId, prop: &str) {
        self.used_props.entry(room).or_default().insert(prop.to_owned());
    }

    /// Postpones the round of a room.
    pub(crate) fn put_off(&mut self, room: RoomId, next: GameTime) {
        self.due.insert(room, next);
    }

    /// Removes the round of a room after it was played.
    pub(crate) fn end(&mut self, room: RoomId) {
        self.due.remove(&room);
    }

    /// Holds the round of a room. The `due` time of a round already held is kept.
    pub(crate) fn hold(&mut self, room: RoomId, due: GameTime) {
        self.held.entry(room).or_insert(due);
    }

    /// Returns the original due time of a held round.
    pub(crate) fn held_since(&self, room: RoomId) -> Option<GameTime> {
        self.held.get(&room).copied()
    }

    /// Releases the held round of a room and returns its original due time.
    pub(crate) fn release(&mut self, room: RoomId) -> Option<GameTime> {
        self.held.remove(&room)
    }

    /// Forgets all scheduled rounds.
    #[cfg(test)]
    pub(crate) fn clear(&mut self) {
        self.due.clear();
    }
}

/// Index of incapacitated players.
#[derive(Debug, Default)]
pub(crate) struct Fallen(BTreeMap<CharacterId, u32>);

impl Fallen {
    /// Adds an incapacitated player.
    pub(crate) fn fall(&mut self, who: CharacterId) {
        self.0.insert(who, 0);
    }

    /// Counts a try to help an incapacitated player up. Returns the number of tries so far.
    pub(crate) fn count_try(&mut self, who: CharacterId) -> u32 {
        let tries = self.0.entry(who).or_default();
        *tries += 1;
        *tries
    }

    /// Removes a player who is no longer incapacitated.
    pub(crate) fn rise(&mut self, who: CharacterId) {
        self.0.remove(&who);
    }

    /// Returns all incapacitated players.
    pub(crate) fn all(&self) -> Vec<CharacterId> {
        self.0.keys().copied().collect()
    }
}

/// Times of the next checks of affects.
#[derive(Debug, Default)]
pub(crate) struct AffectTimes {
    looks: BTreeMap<CharacterId, GameTime>,
    /// Next ticks of affects that change hit points.
    ticks: BTreeMap<CharacterId, GameTime>,
}

impl AffectTimes {
    /// Sets the time of a character's check. Returns `false` if an earlier or equal one is pending.
    pub(crate) fn look(&mut self, who: CharacterId, at: GameTime) -> bool {
        let is_new = self.looks.get(&who).is_none_or(|look| at < *look);
        if is_new {
            self.looks.insert(who, at);
        }
        is_new
    }

    /// Removes the character's check if it is the one due at `due`. Returns `false` for an obsolete timer.
    pub(crate) fn take_check(&mut self, who: CharacterId, due: GameTime) -> bool {
        let is_due = self.looks.get(&who) == Some(&due);
        if is_due {
            self.looks.remove(&who);
        }
        is_due
    }

    /// Returns the time of the character's next tick, setting it to `next` if none is pending.
    pub(crate) fn tick(&mut self, who: CharacterId, next: GameTime) -> GameTime {
        *self.ticks.entry(who).or_insert(next)
    }

    /// Removes the character's tick if it is due. The caller sets the next one.
    pub(crate) fn take_tick(&mut self, who: CharacterId, now: GameTime) -> bool {
        let is_due = self.ticks.get(&who).is_some_and(|at| *at <= now);
        if is_due {
            self.ticks.remove(&who);
        }
        is_due
    }

    /// Removes the tick of a character without affects.
    pub(crate) fn end(&mut self, who: CharacterId) {
        self.ticks.remove(&who);
    }
}

pub(crate) fn counted(points: i32) -> String {
    grammar::counted(points.unsigned_abs(), "point")
}

pub(crate) fn own_blow(whom: &str, harm: Option<i32>) -> String {
    match harm {
        Some(points) => format!("You hit {whom} for {}.", counted(points)),
        None => format!("You miss {whom}."),
    }
}
