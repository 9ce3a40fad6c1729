//! Notices about changes that others make to a character: told at once to a connected player, else kept for the next
//! login, over restarts.

use crate::effect::Class;
use crate::message::{naming, tell};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId};
use deepwell_core::text::Markup;
use deepwell_core::world::Notice;

/// Tells a player of a change to their character that another player, a creature or a timer has made. For a player who
/// is not connected the notice is kept.
pub(crate) fn tell(turn: &mut Turn, who: CharacterId, message: impl Into<Markup>) {
    let message = message.into();
    if is_away(turn, who)
        && let Some(account) = turn.world.account_of(who)
    {
        keep(turn, account, Some(who), message.text());
    }
    tell::tell(turn, who, Class::Notice, message);
}

/// Keeps a notice for a player who is not connected. A connected player has other words for the change.
pub(crate) fn keep_if_away(turn: &mut Turn, who: CharacterId, message: &str) {
    if is_away(turn, who)
        && let Some(account) = turn.world.account_of(who)
    {
        keep(turn, account, Some(who), message);
    }
}

/// Keeps a notice of things or coins for a receiver who is not connected. The words do not vary with the gift, so that
/// many gifts evict no other notices.
pub(crate) fn keep_gift(turn: &mut Turn, giver: CharacterId, receiver: CharacterId) {
    let message = format!("{} gave you something: you carry it.", naming::name_of(turn, giver).text());
    keep_if_away(turn, receiver, &message);
}

/// Returns `true` for a character of a player that is not connected and does not build in the web builder.
pub(crate) fn is_away(turn: &Turn, who: CharacterId) -> bool {
    let builds = turn.web_builder.as_ref().is_some_and(|web_builder| web_builder.who == who);
    !builds && !turn.seated.contains_key(&who) && turn.world.is_players(who)
}

/// Keeps a notice for an account, or for one of its characters.
pub(crate) fn keep(turn: &mut Turn, account: AccountId, to: Option<CharacterId>, message: &str) {
    let most = turn.config.limits.notices as usize;
    let notice = Notice { to, at: turn.now, text: message.to_owned() };
    turn.world.accounts.keep_notice(account, notice, most);
}
