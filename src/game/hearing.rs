//! Who hears whom: ignored players, muted channels, and whether somebody's client reads aloud.

use super::restraint;
use crate::base::{AccountId, CharacterId};
use crate::game::refusal::{Refusal, TalkRefusal};
use crate::game::turn::Turn;
use crate::text::sanitise;
use crate::world::Channel;

/// Cleans and bounds what somebody says.
pub(crate) fn words(turn: &Turn, text: &str) -> Result<String, Refusal> {
    let words = sanitise::clean_line(text, turn.config.limits.speech_chars as usize);
    if words.is_empty() { Err(Refusal::NothingToSay) } else { Ok(words) }
}

/// The same for what somebody says to others, who must have a voice.
pub(crate) fn spoken(turn: &Turn, who: CharacterId, text: &str) -> Result<String, Refusal> {
    restraint::require_voice(turn, who)?;
    words(turn, text)
}

/// Refuses speech beyond the budget of the speaker: many long lines to a crowd cost everybody.
pub(crate) fn require_breath(
    turn: &mut Turn,
    who: CharacterId,
    words: &str,
    hearers: usize,
) -> Result<(), Refusal> {
    let has_breath = turn.nuisance.speaks(who, words.len(), hearers, turn.now);
    if has_breath { Ok(()) } else { Err(TalkRefusal::TooMuch.into()) }
}

/// Whether words from one to one must be heard, because somebody above the other says them.
pub(crate) fn speaks_as_staff(turn: &Turn, speaker: CharacterId, to: CharacterId) -> bool {
    let account = |id: CharacterId| turn.world.characters.get(id).and_then(|body| body.account);
    let role = |id| account(id).and_then(|account| turn.world.accounts.get(account)).map(|row| row.role);
    role(speaker) > role(to)
}

/// Nobody speaks on a channel whose answers they would not hear.
pub(crate) fn must_hear(turn: &Turn, who: CharacterId, channel: Channel) -> Result<(), Refusal> {
    if has_muted(turn, who, channel) { Err(TalkRefusal::Muted(channel).into()) } else { Ok(()) }
}

pub(crate) fn has_muted(turn: &Turn, who: CharacterId, channel: Channel) -> bool {
    let account = turn.world.characters[who].account.and_then(|account| turn.world.accounts.get(account));
    account.is_some_and(|account| account.settings.muted.contains(&channel))
}

/// Returns `true` if each message to the player begins with a word for its kind.
pub(crate) fn wants_cues(turn: &Turn, who: CharacterId) -> bool {
    let account = turn.world.characters[who].account;
    account.and_then(|account| turn.world.accounts.get(account)).is_some_and(|account| account.settings.cues)
}

/// Returns `true` if a screen reader reads to the player of this body.
pub(crate) fn reads_aloud(turn: &Turn, who: CharacterId) -> bool {
    turn.world.characters[who].account.is_some_and(|account| uses_screen_reader(turn, account))
}

/// Whether what this account is told is read aloud: then everything drawn is put into words.
pub(crate) fn uses_screen_reader(turn: &Turn, account: AccountId) -> bool {
    turn.world.accounts[account].settings.screen_reader == Some(true)
}
