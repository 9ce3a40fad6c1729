//! Commands available to guests, and the one that turns a guest into a character. All others are refused: a guest
//! explores the town and one branch of the well, follows the guide and fights, and leaves nothing behind.

use crate::access::sanctions;
use crate::account::guests;
use crate::command::account::password::asks_session;
use crate::command::parse::meaning::Meaning;
use crate::command::spec::{Before, CommandSpec, Needs, run};
use crate::effect::Local;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::AccountId;

/// Commands available to guests.
const OPEN: &[&str] = &[
    "affects", "ask", "brief", "buy", "commands", "compare", "config", "consider", "enter", "equipment",
    "examine", "exits", "feint", "flee", "get", "go", "guide", "help", "history", "hp", "inventory", "hint",
    "join", "jump", "kill", "light", "list", "listen", "logout", "look", "map", "netinfo", "news", "path",
    "press", "prompt", "pull", "push", "quit", "read", "recall", "remove", "repeat", "replay", "rest",
    "rules", "say", "scan", "score", "screenreader", "search", "stand", "stop", "talk", "time", "use",
    "value", "wait", "wear", "where", "who", "whois", "wield",
];

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "join",
    needs: Needs::Storage,
    summary: "Makes a character of a guest, who keeps what they have. You are asked for a name, and twice for a password.",
    example: "join: the name you want:",
    takes_words: true,
    is_protected: true,
    before: Before::Password,
    run: run!(|turn, actor, ()| {
        guests::require_guest(turn, actor.account)?;
        asks_session(turn, actor, Local::Join);
        Ok(())
    }),
    ..CommandSpec::PLAYER
}];

/// Returns an error if a guest may not use the command. Guests may use exits and everything else in their room.
pub(crate) fn require_open(turn: &Turn, account: AccountId, meaning: &Meaning<'_>) -> Result<(), Refusal> {
    let is_open = || match meaning {
        Meaning::Command(spec) => OPEN.contains(&spec.name),
        Meaning::Social(_) => false,
        _ => true,
    };
    if !sanctions::is_guest(turn, account) || is_open() { Ok(()) } else { Err(sanctions::not_for_guests()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::names;

    #[test]
    fn guest_allow_list_names_only_commands() {
        for word in OPEN {
            assert!(names().any(|name| name == *word), "{word}");
        }
    }
}
