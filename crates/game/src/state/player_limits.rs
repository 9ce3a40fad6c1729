//! Rate limits against nuisances: messages to a room about one player, speech of one player, and lines on channels, logins
//! and mail of one account.

use deepwell_core::base::address::{IpAddr, IpNet, household};
use deepwell_core::base::budgets::RateLimits;
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{AccountId, CharacterId, GameTime, RoomId, Span};

/// Maximum number of keys remembered per rate limit.
const REMEMBERED: usize = 4_096;
/// Characters of speech times hearers that count as one unit.
const LOAD_UNIT: u32 = 100;
/// Fixed cost of a line of speech in characters, for the name and for sending.
const LINE_LETTERS: usize = 20;
/// Time in which the whole speech budget refills.
const SPEECH_PERIOD: Span = Span::secs(20);

/// Rate limits with budgets that refill with time.
#[derive(Debug)]
pub(crate) struct PlayerLimits {
    deeds: RateLimits<(CharacterId, RoomId)>,
    speech: RateLimits<CharacterId>,
    channels: RateLimits<AccountId>,
    logins: RateLimits<AccountId>,
    post: RateLimits<AccountId>,
    purses: RateLimits<Newcomers>,
}

/// New characters that share a number of purses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Newcomers {
    OfAccount(AccountId),
    FromAddress(IpNet),
}

/// Kind of a message about a character, which determines its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LimitedMessage {
    /// Arrival or departure.
    Passage,
    /// Any other act except speech and combat.
    Act,
}

impl PlayerLimits {
    pub(crate) fn new(limits: &Limits) -> Self {
        // The whole budget allows a burst of acts. One act refills in two seconds; an arrival or departure costs two.
        let deeds = limits.deed_lines.max(2);
        let per_second = limits.speech_load.div_ceil(LOAD_UNIT);
        let speech = per_second.saturating_mul(u32::try_from(SPEECH_PERIOD.0 / 1_000).unwrap_or(1));
        Self {
            deeds: RateLimits::new(deeds, Span::secs(2 * i64::from(deeds)), REMEMBERED),
            speech: RateLimits::new(speech, SPEECH_PERIOD, REMEMBERED),
            channels: RateLimits::new(
                limits.channel_lines,
                Span::secs(limits.channel_lines.max(1).into()),
                REMEMBERED,
            ),
            logins: RateLimits::new(limits.logins_per_minute, Span::mins(1), REMEMBERED),
            post: RateLimits::new(limits.mails_per_day, Span::mins(24 * 60), REMEMBERED),
            purses: RateLimits::new(limits.purses_per_day, Span::mins(24 * 60), REMEMBERED),
        }
    }

    /// Charges a message about a character to its budget in the room. Returns `false` if the room is not to be
    /// notified.
    pub(crate) fn charge_message(
        &mut self,
        who: CharacterId,
        room: RoomId,
        deed: LimitedMessage,
        now: GameTime,
    ) -> bool {
        let lines = if deed == LimitedMessage::Passage { 2 } else { 1 };
        self.deeds.try_take(&(who, room), lines, now)
    }

    /// Charges a line of speech to the speaker's budget. Returns `false` if it must wait.
    pub(crate) fn charge_speech(
        &mut self,
        who: CharacterId,
        letters: usize,
        hearers: usize,
        now: GameTime,
    ) -> bool {
        let load = (letters + LINE_LETTERS).saturating_mul(hearers) / LOAD_UNIT as usize;
        self.speech.try_take(&who, u32::try_from(load).unwrap_or(u32::MAX), now)
    }

    /// Charges a line on a channel to the account's budget. Returns `false` if it must wait.
    pub(crate) fn charge_channel_line(&mut self, account: AccountId, now: GameTime) -> bool {
        self.channels.try_take(&account, 1, now)
    }

    /// Charges a login to the account's budget. Returns `false` if it must wait.
    pub(crate) fn charge_login(&mut self, account: AccountId, now: GameTime) -> bool {
        self.logins.try_take(&account, 1, now)
    }

    /// Charges a mail or a note to the author's budget. Returns `false` if it must wait.
    pub(crate) fn charge_post(&mut self, account: AccountId, now: GameTime) -> bool {
        self.post.try_take(&account, 1, now)
    }

    /// Charges a purse to the account of a new character and to its address, unless a proxy on this machine may connect
    /// many players. Returns `false` if the character begins without.
    pub(crate) fn charge_purse(
        &mut self,
        account: AccountId,
        address: Option<IpAddr>,
        now: GameTime,
    ) -> bool {
        let address = address.filter(|address| !address.to_canonical().is_loopback()).map(household);
        let payers = [Some(Newcomers::OfAccount(account)), address.map(Newcomers::FromAddress)];
        let has_all = payers.iter().flatten().all(|payer| self.purses.is_left(payer, now));
        if has_all {
            payers.into_iter().flatten().for_each(|payer| self.purses.take(payer, now));
        }
        has_all
    }
}
