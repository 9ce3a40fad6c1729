//! Sanctions on accounts: the actions that they forbid, their texts, and messages of the server to an account.
//! `moderation` imposes and lifts sanctions.

use crate::effect::Class;
use crate::message::{notices, tell};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, GameTime};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Exit, Notice, Sanction, SanctionSentence};

/// Returns the sanction of a kind that is in effect for an account, if any.
fn sentence_of(turn: &Turn, account: AccountId, restraint: Sanction) -> Option<&SanctionSentence> {
    let sentence = turn.world.accounts.get(account)?.sentences.get(&restraint)?;
    Some(sentence).filter(|sentence| !sentence.is_over(turn.now))
}

/// Refuses if an account is under a sanction of this kind.
pub(crate) fn require_no_sanction(
    turn: &Turn,
    account: AccountId,
    restraint: Sanction,
) -> Result<(), Refusal> {
    match sentence_of(turn, account, restraint) {
        Some(sentence) => Err(Refusal::Said(words(restraint, sentence, turn.now).into())),
        None => Ok(()),
    }
}

/// Returns `true` if an account is frozen.
pub(crate) fn is_frozen(turn: &Turn, account: AccountId) -> bool {
    sentence_of(turn, account, Sanction::Freeze).is_some()
}

/// Returns `true` if an account is a guest account.
pub(crate) fn is_guest(turn: &Turn, account: AccountId) -> bool {
    turn.world.accounts.get(account).is_some_and(|row| row.guest)
}

/// Refuses guests an action that requires a registered character.
pub(crate) fn require_character(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    let account = turn.world.characters[who].account;
    if account.is_some_and(|account| is_guest(turn, account)) { Err(not_for_guests()) } else { Ok(()) }
}

/// Refuses a guest every branch except the first that they entered.
pub(crate) fn guest_may_enter_branch(turn: &Turn, who: CharacterId, exit: &Exit) -> Result<(), Refusal> {
    let Some(first) = turn.awake.get(who).and_then(|body| body.guest_branch) else { return Ok(()) };
    let leads_there = exit.to.is_some_and(|to| turn.world.rooms[to].branch == Some(first));
    if leads_there || require_character(turn, who).is_ok() {
        Ok(())
    } else {
        Err(refuse!(
            "As a guest you see one branch of the well, and you have seen yours. Type join to have a \
             character, who may go where the others lead."
        ))
    }
}

/// Stores the branch that a guest has entered.
pub(crate) fn note_guest_branch(turn: &mut Turn, who: CharacterId) {
    let body = &turn.world.characters[who];
    let (account, branch) = (body.account, body.branch);
    if account.is_some_and(|account| is_guest(turn, account)) {
        turn.awake.edit(who).guest_branch = branch;
    }
}

/// Refuses speech to a muted player.
pub(crate) fn require_voice(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    turn.world.characters[who]
        .account
        .map_or(Ok(()), |account| require_no_sanction(turn, account, Sanction::Mute))
}

/// Describes a sanction, its end and its reason, for the sanctioned player.
pub(crate) fn words(restraint: Sanction, sentence: &SanctionSentence, now: GameTime) -> String {
    let what = match restraint {
        Sanction::Mute => "nobody hears what you say",
        Sanction::Freeze => "you can look, ask for help, report somebody and quit, and nothing else",
    };
    format!("You are {} {}: {what}.{}", restraint.name(), end_of(sentence, now), reason_of(sentence))
}

/// Describes the end of a sanction.
pub(crate) fn end_of(sentence: &SanctionSentence, now: GameTime) -> String {
    match sentence.until {
        Some(until) => format!("until {}, {} from now", until.utc(), until.since(now)),
        None => "until staff end it".into(),
    }
}

/// Returns the reason of a sanction as a separate sentence; empty if no reason was given.
pub(crate) fn reason_of(sentence: &SanctionSentence) -> String {
    let reason = sentence.reason.trim_end_matches('.');
    if reason.is_empty() { String::new() } else { format!(" The reason: {reason}.") }
}

/// Sends text to the connected players of an account, or stores it as a notice for the next login.
pub(crate) fn notify_account(turn: &mut Turn, account: AccountId, notice: &str) {
    let playing: Vec<CharacterId> =
        turn.seats.values().filter(|seat| seat.account == account).map(|seat| seat.character).collect();
    if playing.is_empty() {
        notices::keep(turn, account, None, notice);
    }
    for who in playing {
        tell::tell(turn, who, Class::System, Markup::styled(Style::System, &format!("Server: {notice}")));
    }
}

/// Sends a connecting player the notices kept for the account and for this character, and the active sanctions.
pub(crate) fn send_notices(turn: &mut Turn, account: AccountId, who: CharacterId) {
    let kept = if turn.read_only { Vec::new() } else { turn.world.accounts.take_notices(account, who) };
    for Notice { to, at, text } in kept {
        if to.is_none() {
            notify_account(turn, account, &text);
        } else {
            let since = turn.now.since(at);
            tell::tell(turn, who, Class::Notice, format!("While you were away, {since} ago: {text}"));
        }
    }
    let sentences = turn.world.accounts[account].sentences.iter();
    let lasting = sentences.filter(|(_, sentence)| !sentence.is_over(turn.now));
    let lines: Vec<String> =
        lasting.map(|(restraint, sentence)| words(*restraint, sentence, turn.now)).collect();
    for line in lines {
        notify_account(turn, account, &line);
    }
}

/// Returns the refusal for a guest whose command needs a character.
pub(crate) fn not_for_guests() -> Refusal {
    refuse!("That is for those who have a character. Type join to become one, and keep what you have.")
}
