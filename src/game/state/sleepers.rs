//! Branches that are about to fall asleep or to wake, and the inputs that wait for a branch to wake.

use crate::base::{BranchId, GameTime, SessionId};
use crate::game::input::envelope::Envelope;
use std::collections::{BTreeSet, VecDeque};

/// Maximum number of branches read from storage at a time.
const READ_AT_ONCE: usize = 2;

/// Branches on their way from or to storage.
#[derive(Debug, Default)]
pub(crate) struct Sleepers {
    /// Idle branches, with the time from which a cut may put them to sleep.
    idle: BTreeSet<(GameTime, BranchId)>,
    /// Branches to read next, oldest request first.
    requested: VecDeque<BranchId>,
    reading: BTreeSet<BranchId>,
    /// Branches that collapse as soon as they are awake.
    doomed: BTreeSet<BranchId>,
    /// Branch whose rows could not be read, while the inputs that waited for it are played.
    unreadable: Option<BranchId>,
    /// Inputs that wait for a branch, in order.
    waiting: Vec<(BranchId, Envelope)>,
    /// Inputs that waited and are played next.
    ready: VecDeque<Envelope>,
}

impl Sleepers {
    /// Adds an idle branch, to be put to sleep by a cut from `at` on.
    pub(crate) fn note_idle(&mut self, branch: BranchId, at: GameTime) {
        self.idle.insert((at, branch));
    }

    /// Takes the next idle branch that is to be put to sleep.
    pub(crate) fn take_idle(&mut self, now: GameTime) -> Option<BranchId> {
        let (at, branch) = self.idle.first().copied().filter(|(at, _)| *at <= now)?;
        self.idle.remove(&(at, branch));
        Some(branch)
    }

    /// Requests a branch to be read.
    pub(crate) fn request(&mut self, branch: BranchId) {
        if !self.reading.contains(&branch) && !self.requested.contains(&branch) {
            self.requested.push_back(branch);
        }
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

    /// Returns the next branch to read, if it can be read now. With `collapses` the branches that are to collapse
    /// come after those requested.
    pub(crate) fn next_read(&mut self, collapses: bool) -> Option<BranchId> {
        if self.reading.len() >= READ_AT_ONCE {
            return None;
        }
        let doomed = self.doomed.iter().find(|branch| !self.reading.contains(branch)).copied();
        let next = self.requested.pop_front().or_else(|| doomed.filter(|_| collapses))?;
        self.reading.insert(next);
        Some(next)
    }

    /// Records that a branch has been read, and lets the inputs that waited for it be played.
    pub(crate) fn note_read(&mut self, branch: BranchId, is_readable: bool) {
        self.reading.remove(&branch);
        self.unreadable = (!is_readable).then_some(branch);
        let ready = self.waiting.extract_if(.., |(waits_for, _)| *waits_for == branch);
        self.ready.extend(ready.map(|(_, envelope)| envelope));
    }

    /// Returns `true` if the rows of a branch could not be read just now.
    pub(crate) fn is_unreadable(&self, branch: BranchId) -> bool {
        self.unreadable == Some(branch)
    }

    /// Returns the branch that the inputs of a session wait for.
    pub(crate) fn awaited_by(&self, session: SessionId) -> Option<BranchId> {
        let of_session = |(_, envelope): &&(_, Envelope)| envelope.input.session() == Some(session);
        self.waiting.iter().rev().find(of_session).map(|(branch, _)| *branch)
    }

    /// Keeps an input until a branch is awake. Returns `false` if its session has too many inputs waiting.
    pub(crate) fn defer(&mut self, branch: BranchId, envelope: Envelope, most: u32) -> bool {
        let session = envelope.input.session();
        let count = self.waiting.iter().filter(|(_, other)| other.input.session() == session).count();
        let fits = count < most as usize;
        if fits {
            self.waiting.push((branch, envelope));
        }
        fits
    }

    /// Takes the next input that has waited for a branch.
    pub(crate) fn take_ready(&mut self) -> Option<Envelope> {
        let next = self.ready.pop_front();
        if next.is_none() {
            self.unreadable = None;
        }
        next
    }
}
