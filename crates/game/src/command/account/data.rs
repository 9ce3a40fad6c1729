//! Commands for a player's own data: export and account deletion.

use crate::access::audit_log;
use crate::account::{deletion, export};
use crate::branch::asleep;
use crate::command::account::password::{asks_session, leave_to_session, may_store_secret};
use crate::command::parse::{Actor, Count};
use crate::command::spec::{CommandSpec, LineKind, Needs, WhenFrozen, run};
use crate::effect::Local;
use crate::message::tell;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, SessionId};
use deepwell_core::text::{Markup, Style};

/// Ledger reason for items and money removed with a deleted account.
pub(crate) const WHY: &str = "deleted";

/// Lines per page of exported data.
const PAGE: usize = 60;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "export",
        syntax: "export [PAGE]",
        summary: "Shows everything that the server keeps of you, a page at a time. Your password is not among it.",
        example: "export 2: the second page of what is kept of you.",
        missing: "export, and if you like the number of a page",
        when_frozen: WhenFrozen::Done,
        run: run!(show_export),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "delete",
        needs: Needs::Storage,
        syntax: "delete account",
        summary: "Deletes your account for good, with all that belongs to it. You are asked for your password and for its name.",
        example: "delete account: your password now:",
        takes_words: true,
        is_protected: true,
        before: LineKind::Password,
        run: run!(|turn, actor, ()| {
            deletion::require_no_open_sanctions(turn, actor.account)?;
            asks_session(turn, actor, Local::DeleteAccount);
            Ok(())
        }),
        ..CommandSpec::PLAYER
    },
];

fn show_export(turn: &mut Turn, actor: Actor, page: Option<Count>) -> Result<(), Refusal> {
    asleep::require_awake_around(turn, actor.account)?;
    let lines = export::lines(turn, actor.session, actor.account);
    let pages = lines.len().div_ceil(PAGE);
    let page = page.map_or(1, |page| page.0 as usize).clamp(1, pages);
    let heading = format!("What is kept of you, page {page} of {pages}");
    let mut list = Markup::styled(Style::Heading, &heading);
    for line in lines.iter().skip((page - 1) * PAGE).take(PAGE) {
        list.line(Style::Plain, line);
    }
    if page < pages {
        list.line(Style::Plain, "Type ");
        list.push(Style::Command, &format!("export {}", page + 1));
        list.push(Style::Plain, " for more.");
    }
    actor.answer(turn, list)
}

/// Deletes an account whose player has confirmed password and name, unless a staff sanction prevents it.
pub(crate) fn delete_own(turn: &mut Turn, session: SessionId, account: AccountId) {
    if !may_store_secret(turn, session, account) {
        return;
    }
    if let Err(refusal) = deletion::require_no_open_sanctions(turn, account) {
        let who = turn.seats[&session].character;
        tell::refuse(turn, who, &refusal);
        return leave_to_session(turn, session, Local::AccountKept);
    }
    deletion::remove_account(turn, account, "Your account is deleted with all that it had. Farewell.", WHY);
    audit_log::audit_own(turn, &format!("delete: account {account} is gone by its own wish"));
}
