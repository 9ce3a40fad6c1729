//! State of the host as a gateway sees it: linked, silent, restarting or out of reach.

use std::time::Duration;

use tokio::time::Instant;

use super::backlog::LinkLoss;
use super::frame::{LinkError, SILENCE};
use super::way::HostWay;

/// Time after which a restart has probably failed.
const RESTART: Duration = Duration::from_secs(5);

/// State of the host.
#[derive(Debug, Default)]
pub(super) struct HostState {
    /// Version of the host's program, once the host has attached the sessions.
    program: Option<String>,
    /// Set if the host sends signs of life.
    has_beats: bool,
    /// Set while the host does not answer, though the link is open.
    is_silent: bool,
    /// Number of links since the start.
    links: u64,
    /// Last reason why there is no link; a repeated one is not logged again.
    failure: String,
    /// Time of the host's restart, until it is back.
    restarted_at: Option<Instant>,
}

impl HostState {
    /// Takes note that the host has attached the sessions.
    pub(super) fn link(&mut self, program: String, has_beats: bool) {
        self.program = Some(program);
        self.has_beats = has_beats;
        self.links += 1;
        self.restarted_at = None;
        self.failure.clear();
    }

    /// Takes note that the link is lost, or could not be made. Returns `true` if there was one.
    pub(super) fn unlink(&mut self, way: &HostWay, loss: LinkLoss, error: &LinkError) -> bool {
        self.note_loss(way, loss, error);
        self.is_silent = false;
        self.program.take().is_some()
    }

    /// Returns `true` if there is a link.
    pub(super) const fn is_linked(&self) -> bool {
        self.program.is_some()
    }

    /// Returns `true` if there is a link, and the host answers.
    pub(super) const fn is_answered(&self) -> bool {
        self.is_linked() && !self.is_silent
    }

    /// Returns the version of the host's program, if the host answers.
    pub(super) fn answering(&self) -> Option<String> {
        self.program.clone().filter(|_| self.is_answered())
    }

    /// Returns the number of links since the start.
    pub(super) const fn links(&self) -> u64 {
        self.links
    }

    /// Returns the reason why the gateway is not healthy, if there is one.
    pub(super) fn problem(&self) -> Option<String> {
        if !self.is_linked() {
            return Some(format!("no link to the host: {}", self.failure));
        }
        self.is_silent.then(|| self.failure.clone())
    }

    /// Takes note of the time since the last frame of the host. Returns `true` if it does not answer any more, and
    /// `false` if it does so again; `None` without a change.
    pub(super) fn note_silence(&mut self, way: &HostWay, silence: Duration) -> Option<bool> {
        let is_silent = self.is_linked() && self.has_beats && silence > SILENCE;
        if is_silent == self.is_silent {
            return None;
        }
        self.is_silent = is_silent;
        if is_silent {
            "the host does not answer".clone_into(&mut self.failure);
            tracing::warn!(host = %way, "the host does not answer, though the link is open");
        } else {
            self.failure.clear();
            tracing::info!("the host answers again");
        }
        Some(is_silent)
    }

    /// Logs the loss of the link, or a failed try to reach the host if its reason is new.
    fn note_loss(&mut self, way: &HostWay, loss: LinkLoss, error: &LinkError) {
        if self.is_linked() && loss == LinkLoss::Restart {
            self.restarted_at = Some(Instant::now());
            "the host restarts".clone_into(&mut self.failure);
            tracing::info!("the host restarts");
            return;
        }
        let reason = error.to_string();
        let restarts = self.restarted_at.is_some_and(|at| at.elapsed() < RESTART);
        if self.is_linked() || !(restarts || reason == self.failure) {
            tracing::warn!(host = %way, %error, "no link to the host; trying again");
        }
        if !restarts {
            self.failure = reason;
        }
    }
}
