//! How much of one player others are told, and how often an account may come in: budgets that refill with time.

use crate::base::budgets::Budgets;
use crate::base::limits::Limits;
use crate::base::{AccountId, CharacterId, GameTime, RoomId, Span};

/// Bodies, and accounts, of which it is remembered at a time.
const REMEMBERED: usize = 4_096;
/// Letters of speech times hearers that count as one.
const LOAD_UNIT: u32 = 100;
/// Letters that a line of speech costs besides its own: the name, and what it takes to send it.
const LINE_LETTERS: usize = 20;
/// How long it takes until a whole burst of speech may be said again.
const SPEECH_PERIOD: Span = Span::secs(20);

/// The budgets.
#[derive(Debug)]
pub(crate) struct Nuisance {
    deeds: Budgets<(CharacterId, RoomId)>,
    speech: Budgets<CharacterId>,
    logins: Budgets<AccountId>,
}

/// What a line about a body tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// It comes or goes.
    Passage,
    /// Anything else that is no word and no blow.
    Act,
}

impl Nuisance {
    pub(crate) fn new(limits: &Limits) -> Self {
        // A whole budget is a burst of acts; one act comes back in two seconds, and a passage counts as two.
        let deeds = limits.deed_lines.max(2);
        let per_second = limits.speech_load.div_ceil(LOAD_UNIT);
        let speech = per_second.saturating_mul(u32::try_from(SPEECH_PERIOD.0 / 1_000).unwrap_or(1));
        Self {
            deeds: Budgets::new(deeds, Span::secs(2 * i64::from(deeds)), REMEMBERED),
            speech: Budgets::new(speech, SPEECH_PERIOD, REMEMBERED),
            logins: Budgets::new(limits.logins_per_minute, Span::mins(1), REMEMBERED),
        }
    }

    /// Whether a room is told of another deed of a body.
    pub(crate) fn tells(&mut self, who: CharacterId, room: RoomId, deed: Deed, now: GameTime) -> bool {
        let lines = if deed == Deed::Passage { 2 } else { 1 };
        self.deeds.try_take(&(who, room), lines, now)
    }

    /// Whether a body has breath for so many letters to so many hearers.
    pub(crate) fn speaks(&mut self, who: CharacterId, letters: usize, hearers: usize, now: GameTime) -> bool {
        let load = (letters + LINE_LETTERS).saturating_mul(hearers) / LOAD_UNIT as usize;
        self.speech.try_take(&who, u32::try_from(load).unwrap_or(u32::MAX), now)
    }

    /// Whether an account may come in once more.
    pub(crate) fn admits(&mut self, account: AccountId, now: GameTime) -> bool {
        self.logins.try_take(&account, 1, now)
    }
}
