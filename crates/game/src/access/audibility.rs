//! Audibility: muted channels, messages of staff and screen readers.

use crate::access::sanctions;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, RuleLimit};
use deepwell_core::text::sanitise;
use deepwell_core::world::Channel;

/// Cleans and limits spoken text.
pub(crate) fn words(turn: &Turn, text: &str) -> Result<String, Refusal> {
    let cleaned = sanitise::clean_line(text, turn.config.limits.speech_chars as usize);
    if cleaned.is_empty() { Err(nothing_to_say()) } else { Ok(cleaned) }
}

/// Cleans and limits text spoken to others; refuses a player whom staff have muted.
pub(crate) fn spoken(turn: &Turn, who: CharacterId, text: &str) -> Result<String, Refusal> {
    sanctions::require_voice(turn, who)?;
    words(turn, text)
}

/// Refuses speech beyond the speaker's rate limit, which counts the length of the text and the number of hearers.
pub(crate) fn require_speech_budget(
    turn: &mut Turn,
    who: CharacterId,
    speech: &str,
    hearers: usize,
) -> Result<(), Refusal> {
    let has_breath = turn.player_limits.charge_speech(who, speech.len(), hearers, turn.now);
    if has_breath { Ok(()) } else { Err(refusal::at_limit(RuleLimit::SpeechLoad, too_much_said())) }
}

/// Refuses lines on channels beyond the rate limit of the speaker's account.
pub(crate) fn require_channel_budget(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    let is_allowed = turn.player_limits.charge_channel_line(account, turn.now);
    if is_allowed { Ok(()) } else { Err(refusal::at_limit(RuleLimit::ChannelLines, too_much_said())) }
}

/// Returns `true` if a private message cannot be ignored, because the speaker's role is above the receiver's.
pub(crate) fn speaks_as_staff(turn: &Turn, speaker: CharacterId, to: CharacterId) -> bool {
    let role = |id| {
        turn.world.account_of(id).and_then(|account| turn.world.accounts.get(account)).map(|row| row.role)
    };
    role(speaker) > role(to)
}

/// Refuses to speak on a channel that the speaker has muted.
pub(crate) fn require_unmuted(turn: &Turn, who: CharacterId, channel: Channel) -> Result<(), Refusal> {
    if has_muted(turn, who, channel) {
        let name = channel.name();
        Err(refuse!("You do not listen to {name} just now. Type channel {name} on to hear it again."))
    } else {
        Ok(())
    }
}

pub(crate) fn has_muted(turn: &Turn, who: CharacterId, channel: Channel) -> bool {
    let account = turn.world.characters[who].account.and_then(|account| turn.world.accounts.get(account));
    account.is_some_and(|account| account.settings.muted.contains(&channel))
}

/// Returns `true` if each message to the player begins with a keyword for its kind.
pub(crate) fn wants_cues(turn: &Turn, who: CharacterId) -> bool {
    let account = turn.world.characters[who].account;
    account.and_then(|account| turn.world.accounts.get(account)).is_some_and(|account| account.settings.cues)
}

/// Returns `true` if the character's player uses a screen reader.
pub(crate) fn has_screen_reader(turn: &Turn, who: CharacterId) -> bool {
    turn.world.characters[who].account.is_some_and(|account| uses_screen_reader(turn, account))
}

/// Returns `true` if the account uses a screen reader, so that drawings must be replaced by text.
pub(crate) fn uses_screen_reader(turn: &Turn, account: AccountId) -> bool {
    turn.world.accounts[account].settings.screen_reader == Some(true)
}

/// Returns the refusal of speech beyond a rate limit.
fn too_much_said() -> Refusal {
    refuse!("You have said so much to so many that your breath is gone. Say it again in a moment.")
}

/// Returns the refusal of an empty message.
pub(crate) fn nothing_to_say() -> Refusal {
    refuse!("What do you want to say?")
}

/// Returns the refusal to speak to a player who is not connected.
pub(crate) fn not_listening(name: &str) -> Refusal {
    refuse!("{name} is not here to listen.")
}
