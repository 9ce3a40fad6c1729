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

/// What is known of fights from one round to the next and need not outlive the process.
#[derive(Debug, Default)]
pub(crate) struct Fights {
    /// Who has used up the blow of the round to come.
    pub(crate) spent: BTreeSet<CharacterId>,
    /// Since when somebody waits for whatever may come.
    pub(crate) ready: BTreeMap<CharacterId, GameTime>,
    /// When somebody who is held may struggle again.
    pub(crate) strained: BTreeMap<CharacterId, GameTime>,
    /// Rooms whose round waits for a command, by when it would have come.
    pub(crate) held: BTreeMap<RoomId, GameTime>,
    /// When whoever bleeds or mends does so next.
    pub(crate) ticks: BTreeMap<CharacterId, GameTime>,
    /// When what hangs on a body is looked at next.
    pub(crate) looks: BTreeMap<CharacterId, GameTime>,
    /// Who is down, to be found without a search.
    pub(crate) fallen: BTreeSet<CharacterId>,
    /// Blows not told yet to those who like it brief.
    pub(crate) tallies: Vec<Tally>,
    /// Lines about blows put into words so far.
    pub(crate) texts: u64,
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
