//! Requests of clients: answered from the game, passed on to it as inputs, or started as a password check.

use std::sync::Arc;

use crate::net::ClientEvent;
use crate::server::access::login::{create, join, log_in};
use crate::server::access::passwords::{
    Holder, Recovery, change_password, delete_account, make_code, make_recovery, recover,
};
use crate::server::access::seat_token;
use crate::server::access::verification::Attempt;
use crate::server::game_loop::driver::GameDriver;
use crate::session::{Delivery, NameStatus, Request};
use deepwell_core::base::address::IpAddr;
use deepwell_core::base::{AccountId, SessionId};
use deepwell_core::world::Settings;
use deepwell_game::{Envelope, Input, SEAT_REFUSED};

impl GameDriver {
    /// Converts a client event into a game input, or handles it here and returns `None`.
    pub(super) fn take(&mut self, event: ClientEvent) -> Option<Envelope> {
        match event {
            ClientEvent::Connected { session, address, outbox } => {
                self.pipeline.connect(session, address, outbox);
                None
            }
            ClientEvent::Asked { session, request, place } => {
                self.pipeline.retain_receipt(session, place);
                self.carry_out(session, request)
            }
            ClientEvent::Resumed { session, address, outbox, account, name } => {
                Some(self.pipeline.resume(session, address, outbox, (account, name)))
            }
            ClientEvent::Verified(envelope) => self.admit(envelope.input.session()?, *envelope),
            ClientEvent::Ended { session, receipt: _ } => {
                self.pipeline.disconnect(session).then(|| Input::Lost { session }.into())
            }
        }
    }

    /// Handles a client request, or returns the input if it is for the game.
    fn carry_out(&mut self, session: SessionId, request: Request) -> Option<Envelope> {
        match request {
            Request::LookUp { name } => self.deliver(session, Delivery::NameLookedUp(self.standing(&name))),
            Request::CheckName { name } => {
                let flaw = self.pipeline.game().name_flaw(&name);
                self.deliver(session, Delivery::NameChecked { name, flaw });
            }
            Request::Who => self.deliver(session, Delivery::Show(Arc::new(self.pipeline.game().who()))),
            Request::Players => self.deliver(session, Delivery::Players(self.pipeline.game().players())),
            Request::Status => {
                let figures = self.refresh_figures();
                self.deliver(session, Delivery::Status(figures));
            }
            Request::Authenticate { name, password, pre_login } => {
                let attempt = self.attempt(session)?;
                let known = self.credential_at(&name, attempt.address);
                log_in(attempt, name, known, password, pre_login);
            }
            Request::Visit { pre_login } => return self.visit(session, pre_login),
            Request::Join { name, password } => join(self.attempt(session)?, name, password),
            Request::Create { name, password, pre_login } => {
                create(self.attempt(session)?, name, password, pre_login);
            }
            Request::ChangePassword { old, new } => {
                change_password(self.attempt(session)?, self.holder(session)?, old, new);
            }
            Request::MakeRecovery { password } => {
                make_recovery(self.attempt(session)?, self.holder(session)?, password);
            }
            Request::DeleteAccount { password, name } => {
                delete_account(self.attempt(session)?, self.holder(session)?, password, &name);
            }
            Request::MakeCode { account } => make_code(self.attempt(session)?, account),
            Request::Recover { name, code, password, pre_login } => {
                let known = self.recovery_of(&name);
                let recovery = Recovery { name, code, password, pre_login };
                recover(self.attempt(session)?, known, recovery);
            }
            Request::KeepSeat { browser, token } => {
                let account = self.pipeline.router().account(session)?;
                let token = seat_token::hash(&token, browser)?;
                return Some(Input::KeepSeat { session, account, token }.into());
            }
            Request::TakeSeat { name, browser, token, next, pre_login } => {
                let tokens = [token, next].map(|token| seat_token::hash(&token, browser));
                return self.take_seat(session, name, tokens, pre_login);
            }
            Request::Report { to, text } if self.inspections.awaits(to) => {
                let lines = text.text().lines().map(str::to_owned).collect();
                self.inspections.answer(to, Some(lines));
            }
            Request::Report { to, text } => self.deliver(to, Delivery::Show(Arc::new(text))),
            Request::Game(input) => return self.admit(session, input.into()),
        }
        None
    }

    fn deliver(&self, session: SessionId, delivery: Delivery) {
        self.pipeline.router().deliver(session, delivery);
    }

    /// Returns an input for the game, unless its client has left or its login is refused for a while.
    fn admit(&mut self, session: SessionId, envelope: Envelope) -> Option<Envelope> {
        if let Some(why) =
            envelope.input.entering_account().and_then(|account| self.pipeline.held_back(account))
        {
            self.deliver(session, Delivery::LoginPostponed(why.into()));
            return None;
        }
        self.pipeline.admit(envelope)
    }

    /// Logs in a guest. This counts against the address's limit for account creation.
    fn visit(&mut self, session: SessionId, pre_login: Box<Settings>) -> Option<Envelope> {
        let (address, _) = self.pipeline.router().client(session)?;
        if let Err(denied) = self.auth.take_account(address) {
            self.deliver(session, denied.into());
            return None;
        }
        self.admit(session, Input::Visit { session, pre_login }.sent_from(address))
    }

    /// Logs in a client that presents a valid seat token.
    fn take_seat(
        &mut self,
        session: SessionId,
        name: String,
        tokens: [Option<String>; 2],
        pre_login: Box<Settings>,
    ) -> Option<Envelope> {
        let account = self.pipeline.game().credential(&name).map(|(account, _)| account);
        let (Some(account), [Some(token), Some(next)]) = (account, tokens) else {
            self.deliver(session, Delivery::LoginFailed(SEAT_REFUSED.into()));
            return None;
        };
        let (address, _) = self.pipeline.router().client(session)?;
        let take = Input::TakeSeat { session, account, name, token, next, pre_login };
        self.admit(session, take.sent_from(address))
    }

    fn attempt(&self, session: SessionId) -> Option<Attempt> {
        let (address, outbox) = self.pipeline.router().client(session)?;
        let (auth, metrics) = (Arc::clone(&self.auth), Arc::clone(&self.metrics));
        Some(Attempt { auth, requests: self.channels.logins.clone(), outbox, metrics, address, session })
    }

    /// Returns the account that plays on a session.
    fn holder(&self, session: SessionId) -> Option<Holder> {
        let account = self.pipeline.router().account(session)?;
        let row = self.pipeline.game().account(account)?;
        Some(Holder { account, name: row.name.clone(), credential: row.credential.as_str().into() })
    }

    /// Returns the account of a name and its credential. Tells the limits of password attempts that the account knows the
    /// address, since they forget it at a restart.
    pub(super) fn credential_at(&self, name: &str, address: IpAddr) -> Option<(AccountId, Arc<str>)> {
        let game = self.pipeline.game();
        let (account, credential) = game.credential(name)?;
        if game.account(account)?.knows_address(address, self.clock.now()) {
            self.auth.welcome(address, account);
        }
        Some((account, credential))
    }

    /// Returns the account of this name and the hash of its recovery code, if it has a valid one.
    fn recovery_of(&self, name: &str) -> Option<(AccountId, Arc<str>)> {
        let (account, _) = self.pipeline.game().credential(name)?;
        let row = self.pipeline.game().account(account)?;
        Some((account, row.recovery_at(self.clock.now())?.into()))
    }

    /// Returns whether a name has an account, is available, or is not allowed.
    fn standing(&self, name: &str) -> NameStatus {
        let game = self.pipeline.game();
        match game.credential(name) {
            Some(_) => NameStatus::Known,
            None => game.name_flaw(name).map_or(NameStatus::Free, NameStatus::Unfit),
        }
    }
}
