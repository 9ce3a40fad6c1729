//! The command that turns a guest into a character, and the refusal of commands that are not open to guests: a guest
//! explores the town and one branch of the well, follows the guide and fights, and leaves nothing behind.

use crate::access::sanctions;
use crate::account::guests;
use crate::command::account::password::asks_session;
use crate::command::parse::meaning::Meaning;
use crate::command::spec::{CommandSpec, LineKind, Needs, run};
use crate::effect::Local;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::AccountId;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "join",
    needs: Needs::Storage,
    summary: "Makes a character of a guest, who keeps what they have. You are asked for a name, and twice for a password.",
    example: "join: the name you want:",
    takes_words: true,
    is_protected: true,
    before: LineKind::Password,
    run: run!(|turn, actor, ()| {
        guests::require_guest(turn, actor.account)?;
        asks_session(turn, actor, Local::Join);
        Ok(())
    }),
    ..CommandSpec::GUEST
}];

/// Returns an error if a guest may not use the command. Guests may use exits and everything else in their room.
pub(crate) fn require_open(turn: &Turn, account: AccountId, meaning: &Meaning<'_>) -> Result<(), Refusal> {
    let is_open = || match meaning {
        Meaning::Command(spec) => spec.for_guests,
        Meaning::Social(_) => false,
        _ => true,
    };
    if !sanctions::is_guest(turn, account) || is_open() { Ok(()) } else { Err(sanctions::not_for_guests()) }
}
