//! What fights keep in mind from one round to the next.

use crate::base::{CharacterId, GameTime, RoomId};
use crate::text::{Markup, Style, grammar};
use std::collections::{BTreeMap, BTreeSet};

/// The blows of one fighter at another since they were last told to those who like it brief.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) room: RoomId,
    pub(crate) who: CharacterId,
    pub(crate) target: CharacterId,
    /// Their names, kept because the blow may be the last of either.
    pub(crate) name: Markup,
    pub(crate) whom: String,
    pub(crate) hits: u32,
    pub(crate) points: i32,
    /// Hit points that the last blow leaves.
    pub(crate) left: i32,
}

impl Tally {
    /// The sum as the fighter, its opponent or anybody else reads it.
    pub(crate) fn words(&self, viewer: Option<CharacterId>) -> Markup {
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

/// Blows that are not told yet to those who like it brief.
#[derive(Debug, Default)]
pub(crate) struct Blows {
    tallies: Vec<Tally>,
    /// Lines put into words so far: what a fight that nobody reads must not add to.
    #[cfg(test)]
    pub(crate) texts: u64,
}

impl Blows {
    /// The sum of one fighter's blows at another, if there is one.
    pub(crate) fn tally(&mut self, who: CharacterId, target: CharacterId) -> Option<&mut Tally> {
        self.tallies.iter_mut().find(|tally| tally.who == who && tally.target == target)
    }

    /// Begins a sum.
    pub(crate) fn begin(&mut self, tally: Tally) {
        self.tallies.push(tally);
    }

    /// All sums, to be told now.
    pub(crate) fn take(&mut self) -> Vec<Tally> {
        std::mem::take(&mut self.tallies)
    }

    /// A line about a blow has been put into words.
    #[cfg(test)]
    pub(crate) const fn count_text(&mut self) {
        self.texts += 1;
    }
}

/// When the next round comes in rooms where somebody fights or fought a moment ago.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    due: BTreeMap<RoomId, GameTime>,
    /// Rooms whose round waits for a command, by when it would have come.
    held: BTreeMap<RoomId, GameTime>,
}

impl Rounds {
    /// When the next round of a room comes.
    pub(crate) fn next(&self, room: RoomId) -> Option<GameTime> {
        self.due.get(&room).copied()
    }

    /// Whether a round is to come in a room.
    pub(crate) fn is_to_come(&self, room: RoomId) -> bool {
        self.due.contains_key(&room)
    }

    /// A round is to come; false if one is already.
    pub(crate) fn begin(&mut self, room: RoomId, next: GameTime) -> bool {
        let is_new = !self.is_to_come(room);
        if is_new {
            self.due.insert(room, next);
        }
        is_new
    }

    /// The round of a room is looked at again later.
    pub(crate) fn put_off(&mut self, room: RoomId, next: GameTime) {
        self.due.insert(room, next);
    }

    /// The round of a room is played.
    pub(crate) fn end(&mut self, room: RoomId) {
        self.due.remove(&room);
    }

    /// The round of a room waits for a command from when it was due, unless it does already.
    pub(crate) fn hold(&mut self, room: RoomId, due: GameTime) {
        self.held.entry(room).or_insert(due);
    }

    /// Since when the round of a room waits for a command, if it does.
    pub(crate) fn held_since(&self, room: RoomId) -> Option<GameTime> {
        self.held.get(&room).copied()
    }

    /// The round of a room waits no longer; since when it did.
    pub(crate) fn release(&mut self, room: RoomId) -> Option<GameTime> {
        self.held.remove(&room)
    }

    /// Forgets all rounds to come.
    #[cfg(test)]
    pub(crate) fn clear(&mut self) {
        self.due.clear();
    }
}

/// Who is down, to be found without a search.
#[derive(Debug, Default)]
pub(crate) struct Fallen(BTreeSet<CharacterId>);

impl Fallen {
    /// Somebody is down.
    pub(crate) fn fall(&mut self, who: CharacterId) {
        self.0.insert(who);
    }

    /// Somebody is down no longer.
    pub(crate) fn rise(&mut self, who: CharacterId) {
        self.0.remove(&who);
    }

    /// All who are down.
    pub(crate) fn all(&self) -> Vec<CharacterId> {
        self.0.iter().copied().collect()
    }
}

/// When what hangs on bodies is looked at next.
#[derive(Debug, Default)]
pub(crate) struct AffectTimes {
    looks: BTreeMap<CharacterId, GameTime>,
    /// When whoever bleeds or mends does so next.
    ticks: BTreeMap<CharacterId, GameTime>,
}

impl AffectTimes {
    /// A body is to be looked at then; false if that happens no later already.
    pub(crate) fn look(&mut self, who: CharacterId, at: GameTime) -> bool {
        let is_new = self.looks.get(&who).is_none_or(|look| at < *look);
        if is_new {
            self.looks.insert(who, at);
        }
        is_new
    }

    /// Whether a look is the one that was meant; it is over then.
    pub(crate) fn take_look(&mut self, who: CharacterId, due: GameTime) -> bool {
        let is_due = self.looks.get(&who) == Some(&due);
        if is_due {
            self.looks.remove(&who);
        }
        is_due
    }

    /// When a body bleeds or mends next: then, if nothing was said before.
    pub(crate) fn tick(&mut self, who: CharacterId, next: GameTime) -> GameTime {
        *self.ticks.entry(who).or_insert(next)
    }

    /// Whether a body bleeds or mends now; the next time is to be said.
    pub(crate) fn take_tick(&mut self, who: CharacterId, now: GameTime) -> bool {
        let is_due = self.ticks.get(&who).is_some_and(|at| *at <= now);
        if is_due {
            self.ticks.remove(&who);
        }
        is_due
    }

    /// Nothing hangs on a body any more.
    pub(crate) fn end(&mut self, who: CharacterId) {
        self.ticks.remove(&who);
    }
}

pub(crate) fn counted(points: i32) -> String {
    grammar::counted(points.unsigned_abs(), "point", None)
}

pub(crate) fn own_blow(whom: &str, harm: Option<i32>) -> String {
    match harm {
        Some(points) => format!("You hit {whom} for {}.", counted(points)),
        None => format!("You miss {whom}."),
    }
}
