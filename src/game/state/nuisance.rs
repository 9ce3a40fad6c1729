//! Budgets against nuisance, which refill with time: lines that a room is told of one player, speech of one player, and
//! log-ins of one account.

use crate::base::budgets::Budgets;
use crate::base::limits::Limits;
use crate::base::{AccountId, CharacterId, GameTime, RoomId, Span};

/// Bodies, and accounts, of which it is remembered at a time.
const REMEMBERED: usize = 4_096;
/// Letters of speech times hearers that count as one.
const LOAD_UNIT: u32 = 100;
/// Letters that a line of speech costs besides its own: the name, and what it takes to send it.
const LINE_LETTERS: usize = 20;
/// Time in which the whole budget of speech comes back.
const SPEECH_PERIOD: Span = Span::secs(20);

/// The budgets.
#[derive(Debug)]
pub(crate) struct Nuisance {
    deeds: Budgets<(CharacterId, RoomId)>,
    speech: Budgets<CharacterId>,
    logins: Budgets<AccountId>,
}

/// Kind of a line about a body, by what it costs.
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

    /// Takes the cost of a line about a body out of the budget of its room; `false` if the room is not to be told.
    pub(crate) fn tells(&mut self, who: CharacterId, room: RoomId, deed: Deed, now: GameTime) -> bool {
        let lines = if deed == Deed::Passage { 2 } else { 1 };
        self.deeds.try_take(&(who, room), lines, now)
    }

    /// Takes the cost of a line of speech out of the budget of a speaker; `false` if it may not be said yet.
    pub(crate) fn speaks(&mut self, who: CharacterId, letters: usize, hearers: usize, now: GameTime) -> bool {
        let load = (letters + LINE_LETTERS).saturating_mul(hearers) / LOAD_UNIT as usize;
        self.speech.try_take(&who, u32::try_from(load).unwrap_or(u32::MAX), now)
    }

    /// Takes a log-in out of the budget of an account; `false` if it must wait.
    pub(crate) fn admits(&mut self, account: AccountId, now: GameTime) -> bool {
        self.logins.try_take(&account, 1, now)
    }
}
