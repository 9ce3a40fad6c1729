//! Snooping: staff read the output of another player. The player is notified, unless the owner of the server has
//! disabled it. Passwords and codes are never included, because the game does not receive them. Nothing is stored.

use super::{moderation, not_connected};
use crate::access::{permissions, sanctions};
use crate::effect::Class;
use crate::refusal::Refusal;
use crate::speech::scrollback;
use crate::turn::{PlayerSession, Turn};
use deepwell_core::base::{AccountId, CharacterId, Right, SessionId};
use deepwell_core::text::{Markup, Style};
use std::sync::Arc;

/// Starts to snoop on a connected player.
pub(crate) fn snoop(turn: &mut Turn, reader: SessionId, whom: CharacterId) -> Result<String, Refusal> {
    let body = &turn.world.characters[whom];
    let (account, name) = (body.account.ok_or(Refusal::NotAllowed)?, body.name.clone());
    moderation::Authority::of(turn, reader).require_above(turn, account)?;
    if !turn.seated.contains_key(&whom) {
        return Err(not_connected(&name));
    }
    end(turn, reader);
    inform(turn, account, "Staff read along with you from now on.");
    // Messages sent before this point are not shown to the reader.
    scrollback::store_new_messages(turn);
    turn.snoops.begin(reader, account);
    Ok(format!("You read along with {name} until you type snoop off."))
}

/// Stops snooping. Returns `false` if the session was not snooping.
pub(crate) fn end(turn: &mut Turn, reader: SessionId) -> bool {
    let subject = turn.snoops.end(reader);
    if let Some(account) = subject
        && turn.seats.values().any(|seat| seat.account == account)
    {
        inform(turn, account, "Staff read along with you no more.");
    }
    subject.is_some()
}

/// Shows each reader the messages of this step. Ends the snoop if either has disconnected or the reader has lost the
/// right. Runs at the end of a step.
pub(crate) fn show(turn: &mut Turn) {
    if turn.snoops.readers().is_empty() {
        return;
    }
    let heard = turn.snoops.take();
    for (reader, subject) in turn.snoops.readers().clone() {
        if !may_still_snoop(turn, reader, subject) {
            end(turn, reader);
            continue;
        }
        for (account, text) in heard.iter().filter(|(account, _)| *account == subject) {
            let name = turn.world.accounts[*account].name.clone();
            let mut copy = Markup::default();
            for (n, line) in text.text().lines().enumerate() {
                if n > 0 {
                    copy.new_line();
                }
                copy.push(Style::Faint, &format!("{name} reads: "));
                copy.push(Style::Plain, line);
            }
            turn.outbox.text(reader, Class::Notice, &Arc::new(copy));
        }
    }
    turn.outbox.mark_texts_kept();
}

fn may_still_snoop(turn: &Turn, reader: SessionId, subject: AccountId) -> bool {
    let may_read = |seat: &PlayerSession| {
        let quelled = turn.awake.get(seat.character).is_some_and(|body| body.quelled);
        !quelled && permissions::has(turn, seat.account, Right::Snoop)
    };
    turn.seats.get(&reader).is_some_and(may_read)
        && turn.seats.values().any(|seat| seat.account == subject)
        && moderation::Authority::of(turn, reader).require_above(turn, subject).is_ok()
}

fn inform(turn: &mut Turn, account: AccountId, notice: &str) {
    if turn.config.snoop_told {
        sanctions::notify_account(turn, account, notice);
    }
}
