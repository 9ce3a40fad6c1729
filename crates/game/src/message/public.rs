//! Events for bridges: what is shown outside of the game. The settings in section `[bridge]` and those of the player
//! decide.

use crate::effect::Effect;
use crate::effect::public_event::PublicEvent;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::world::Channel;

/// Shows a message of a channel that is shared.
pub(crate) fn show_speech(turn: &mut Turn, channel: Channel, name: &str, via: Option<&str>, text: &str) {
    if turn.config.sharing.channels.contains(channel) {
        let (name, via, text) = (name.to_owned(), via.map(str::to_owned), text.to_owned());
        publish(turn, PublicEvent::Speech { channel, name, via, text });
    }
}

/// Shows that a player has come.
pub(crate) fn show_login(turn: &mut Turn, who: CharacterId) {
    if is_shown(turn, who) {
        let name = turn.world.characters[who].name.clone();
        publish(turn, PublicEvent::Login { name });
    }
}

/// Shows that a player has left.
pub(crate) fn show_logout(turn: &mut Turn, who: CharacterId) {
    if is_shown(turn, who) {
        let name = turn.world.characters[who].name.clone();
        publish(turn, PublicEvent::Logout { name });
    }
}

/// Returns `true` if logins and logouts of a character are shown: not those of guests and of players who do not want to
/// be seen.
fn is_shown(turn: &Turn, who: CharacterId) -> bool {
    let account = turn.world.account_of(who).and_then(|account| turn.world.accounts.get(account));
    turn.config.sharing.logins && account.is_some_and(|row| !row.guest && !row.settings.unseen)
}

/// Shows news from below.
pub(crate) fn show_news(turn: &mut Turn, text: String) {
    publish(turn, PublicEvent::News { text });
}

/// Shows an announcement of the operator.
pub(crate) fn show_announcement(turn: &mut Turn, text: &str) {
    if turn.config.sharing.news {
        publish(turn, PublicEvent::Announcement { text: text.to_owned() });
    }
}

fn publish(turn: &mut Turn, event: PublicEvent) {
    turn.outbox.push(Effect::Public(Box::new(event)));
}
