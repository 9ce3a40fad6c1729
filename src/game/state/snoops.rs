//! Which members of staff read along with whom, and what they are to be shown at the end of the step.

use crate::base::{AccountId, SessionId};
use crate::text::Markup;
use std::collections::BTreeMap;
use std::mem::take;
use std::sync::Arc;

/// Who reads along with whom: one at a time each.
#[derive(Debug, Default)]
pub(crate) struct Snoops {
    readers: BTreeMap<SessionId, AccountId>,
    /// What they have not been shown yet.
    told: Vec<(AccountId, Arc<Markup>)>,
}

impl Snoops {
    /// A client reads along with an account from now on.
    pub(crate) fn begin(&mut self, reader: SessionId, subject: AccountId) {
        self.readers.insert(reader, subject);
    }

    /// A client reads along with nobody any more; with whom it did.
    pub(crate) fn end(&mut self, reader: SessionId) -> Option<AccountId> {
        self.readers.remove(&reader)
    }

    /// Who reads along with whom.
    pub(crate) const fn readers(&self) -> &BTreeMap<SessionId, AccountId> {
        &self.readers
    }

    /// Whether anybody reads along with an account.
    pub(crate) fn is_read(&self, account: AccountId) -> bool {
        self.readers.values().any(|subject| *subject == account)
    }

    /// An account was told something.
    pub(crate) fn note(&mut self, account: AccountId, text: &Arc<Markup>) {
        self.told.push((account, Arc::clone(text)));
    }

    /// Gives away what is to be shown.
    pub(crate) fn take(&mut self) -> Vec<(AccountId, Arc<Markup>)> {
        take(&mut self.told)
    }
}
