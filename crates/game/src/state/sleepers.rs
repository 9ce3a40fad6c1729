//! Parts of the world that are about to fall asleep or to wake, and the inputs that wait for a part to wake.

use crate::input::envelope::Envelope;
use deepwell_core::base::{AccountId, BranchId, GameTime, SessionId};
use deepwell_core::world::WorldPart;
use std::collections::{BTreeSet, VecDeque};

/// Maximum number of parts read from storage at a time.
const READ_AT_ONCE: usize = 2;

/// Parts on their way from or to storage.
#[derive(Debug, Default)]
pub(crate) struct Sleepers {
    /// Idle parts, with the time from which a cut may put them to sleep.
    idle: BTreeSet<(GameTime, WorldPart)>,
    /// Parts to read next, oldest request first.
    requested: VecDeque<WorldPart>,
    /// Parts that are requested or read.
    reading: BTreeSet<WorldPart>,
    /// Number of parts that are read.
    reads: usize,
    /// Branches that collapse as soon as they are awake.
    doomed: BTreeSet<BranchId>,
    /// Absent accounts that are perhaps unused, and removed in that case when they are awake.
    perhaps_unused: BTreeSet<AccountId>,
    /// Part whose rows could not be read, while the inputs that waited for it are played.
    unreadable: Option<WorldPart>,
    /// Inputs that wait for a part, in order.
    waiting: Vec<(WorldPart, Envelope)>,
    /// Inputs that waited and are played next.
    ready: VecDeque<Envelope>,
}

impl Sleepers {
    /// Adds an idle part, to be put to sleep by a cut from `at` on.
    pub(crate) fn note_idle(&mut self, part: WorldPart, at: GameTime) {
        self.idle.insert((at, part));
    }

    /// Takes the next idle part that is to be put to sleep.
    pub(crate) fn take_idle(&mut self, now: GameTime) -> Option<WorldPart> {
        let (at, part) = self.idle.first().copied().filter(|(at, _)| *at <= now)?;
        self.idle.remove(&(at, part));
        Some(part)
    }

    /// Requests a part to be read.
    pub(crate) fn request(&mut self, part: WorldPart) {
        if self.reading.insert(part) {
            self.requested.push_back(part);
        }
    }

    /// Requests an absent account, to remove it if it is unused.
    pub(crate) fn check_if_unused(&mut self, account: AccountId) {
        self.perhaps_unused.insert(account);
        self.request(WorldPart::Account(account));
    }

    /// Removes the mark of an account that is perhaps unused. Returns `false` if it has none.
    pub(crate) fn take_perhaps_unused(&mut self, account: AccountId) -> bool {
        self.perhaps_unused.remove(&account)
    }

    /// Lets a branch collapse when it is awake. It is read when nothing more urgent is to be read.
    pub(crate) fn doom(&mut self, branch: BranchId) {
        self.doomed.insert(branch);
    }

    /// Returns `true` if a branch is to collapse when it is awake.
    pub(crate) fn is_doomed(&self, branch: BranchId) -> bool {
        self.doomed.contains(&branch)
    }

    /// Removes the mark of a branch that is to collapse. Returns `false` if it has none.
    pub(crate) fn take_doomed(&mut self, branch: BranchId) -> bool {
        self.doomed.remove(&branch)
    }

    /// Returns the next part to read, if it can be read now. With `collapses` the branches that are to collapse come
    /// after those requested.
    pub(crate) fn next_read(&mut self, collapses: bool) -> Option<WorldPart> {
        if self.reads >= READ_AT_ONCE {
            return None;
        }
        let next = self.requested.pop_front().or_else(|| {
            let mut doomed = self.doomed.iter().map(|branch| WorldPart::Branch(*branch));
            doomed.find(|part| collapses && self.reading.insert(*part))
        })?;
        self.reads += 1;
        Some(next)
    }

    /// Records that a part has been read, and lets the inputs that waited for it be played.
    pub(crate) fn note_read(&mut self, part: WorldPart, is_readable: bool) {
        // A game that was reloaded from storage may get rows that it has not requested.
        if self.reading.remove(&part) {
            let unread = self.requested.len();
            self.requested.retain(|other| *other != part);
            self.reads -= usize::from(self.requested.len() == unread);
        }
        self.unreadable = (!is_readable).then_some(part);
        let ready = self.waiting.extract_if(.., |(waits_for, _)| *waits_for == part);
        self.ready.extend(ready.map(|(_, envelope)| envelope));
    }

    /// Returns `true` if the rows of a part could not be read just now.
    pub(crate) fn is_unreadable(&self, part: WorldPart) -> bool {
        self.unreadable == Some(part)
    }

    /// Returns the part that the inputs of a session wait for.
    pub(crate) fn awaited_by(&self, session: SessionId) -> Option<WorldPart> {
        let of_session = |(_, envelope): &&(_, Envelope)| envelope.input.session() == Some(session);
        self.waiting.iter().rev().find(of_session).map(|(part, _)| *part)
    }

    /// Keeps an input until a part is awake. Returns `false` if its session has too many inputs waiting.
    pub(crate) fn defer(&mut self, part: WorldPart, envelope: Envelope, most: u32) -> bool {
        let session = envelope.input.session();
        let count = self.waiting.iter().filter(|(_, other)| other.input.session() == session).count();
        let fits = count < most as usize;
        if fits {
            self.waiting.push((part, envelope));
        }
        fits
    }

    /// Takes the next input that has waited for a part.
    pub(crate) fn take_ready(&mut self) -> Option<Envelope> {
        let next = self.ready.pop_front();
        if next.is_none() {
            self.unreadable = None;
        }
        next
    }
}
