//! Snooping by staff, and output to be shown to them at the end of the step.

use deepwell_core::base::{AccountId, SessionId};
use deepwell_core::text::Markup;
use std::collections::BTreeMap;
use std::mem::take;
use std::sync::Arc;

/// Snooping sessions, each with one account.
#[derive(Debug, Default)]
pub(crate) struct Snoops {
    readers: BTreeMap<SessionId, AccountId>,
    /// Output not yet shown to the snooping sessions.
    heard: Vec<(AccountId, Arc<Markup>)>,
}

impl Snoops {
    /// Begins snooping on an account.
    pub(crate) fn begin(&mut self, reader: SessionId, subject: AccountId) {
        self.readers.insert(reader, subject);
    }

    /// Ends snooping and returns the account.
    pub(crate) fn end(&mut self, reader: SessionId) -> Option<AccountId> {
        self.readers.remove(&reader)
    }

    /// Returns the accounts that are snooped on, by session.
    pub(crate) const fn readers(&self) -> &BTreeMap<SessionId, AccountId> {
        &self.readers
    }

    /// Returns `true` if any session snoops on the account.
    pub(crate) fn is_read(&self, account: AccountId) -> bool {
        self.readers.values().any(|subject| *subject == account)
    }

    /// Adds output of an account.
    pub(crate) fn note(&mut self, account: AccountId, text: &Arc<Markup>) {
        self.heard.push((account, Arc::clone(text)));
    }

    /// Takes the output to be shown.
    pub(crate) fn take(&mut self) -> Vec<(AccountId, Arc<Markup>)> {
        take(&mut self.heard)
    }
}
