//! Words for getting in: the password and what helps when it is forgotten. Secrets never come here: the session asks
//! for them and the authenticator looks at them.

use super::spec::{Actor, CommandSpec, Touches};
use crate::base::{AccountId, SessionId};
use crate::game::effect::Local;
use crate::game::{Closed, Effect, Game, Output};
use crate::text::{Markup, Style};
use crate::world::{Role, Settings};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "password",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "password",
        summary: "Changes your password. You are asked for the one you have, and twice for another; nothing of it is shown.",
        example: "password: your password now:",
        run: |game, actor, _| {
            game.asks_session(actor, Local::ChangePassword);
            Ok(())
        },
    },
    CommandSpec {
        name: "recovery",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "recovery",
        summary: "Gives you a code that lets you in once if you forget your password. You are asked for your password first.",
        example: "recovery: your password now:",
        run: |game, actor, _| {
            game.asks_session(actor, Local::MakeRecovery);
            Ok(())
        },
    },
];

impl Game {
    fn asks_session(&mut self, actor: Actor, what: Local) {
        self.outbox.push(Effect::Output { session: actor.session, output: Output::Local(what) });
    }

    /// The password of an account has become another; whoever else plays with it must know it first.
    pub(in crate::game) fn new_password(
        &mut self,
        session: SessionId,
        account: AccountId,
        credential: String,
    ) {
        if !self.may_keep(session, account) {
            return;
        }
        self.keep_credential(account, credential, Some(session));
        self.leave_to_session(session, Local::PasswordChanged);
    }

    /// The hash of a recovery code, which replaces any before it.
    pub(in crate::game) fn new_recovery(
        &mut self,
        session: SessionId,
        account: AccountId,
        credential: String,
    ) {
        if !self.may_keep(session, account) {
            return;
        }
        if let Some(row) = self.world.accounts.edit(account) {
            row.recovery = Some(credential);
        }
        self.leave_to_session(session, Local::RecoveryKept);
    }

    /// Somebody at the door had a recovery code: the account has a new password, the code is used up, and they enter.
    pub(in crate::game) fn recovered(
        &mut self,
        session: SessionId,
        account: AccountId,
        name: &str,
        credential: String,
        wishes: &Settings,
    ) {
        if self.read_only {
            let words = "The server cannot write just now; please try again in a minute.";
            return self.refuse_entry(session, words);
        }
        // Of two who came with it at once only the first has a code that counts.
        let code = self.world.accounts.edit(account).and_then(|row| row.recovery.take());
        if code.is_none() {
            return self.refuse_entry(session, "That name and that code do not belong together.");
        }
        self.keep_credential(account, credential, None);
        self.login(session, account, name, wishes);
    }

    /// Whether a secret of an account can be kept for who plays with it; says so if nothing can be written.
    fn may_keep(&mut self, session: SessionId, account: AccountId) -> bool {
        if self.seats.get(&session).is_none_or(|seat| seat.account != account) {
            return false;
        }
        if self.read_only {
            self.leave_to_session(session, Local::PasswordNotKept);
        }
        !self.read_only
    }

    /// Has the session go on by itself.
    fn leave_to_session(&mut self, session: SessionId, what: Local) {
        self.outbox.push(Effect::Output { session, output: Output::Local(what) });
        self.outbox.prompt(session);
    }

    /// Keeps a new credential and lets go of every other connection of the account.
    fn keep_credential(&mut self, account: AccountId, credential: String, but: Option<SessionId>) {
        if let Some(row) = self.world.accounts.edit(account) {
            row.credential = credential;
        }
        let others: Vec<SessionId> = self
            .seats
            .iter()
            .filter(|(session, seat)| seat.account == account && Some(**session) != but)
            .map(|(session, _)| *session)
            .collect();
        for session in others {
            let words = "The password of your account has been changed elsewhere, and this connection ends.";
            self.outbox.text(
                session,
                crate::game::Class::System,
                &Markup::styled(Style::System, words).into(),
            );
            self.lost(session);
            self.close(session, Closed::Kicked);
        }
    }
}
