//! Budget of work that is spread over several steps: searches and the respawn check.

use deepwell_core::base::{GameTime, Span};

/// Interval between two slices of the same work, which is free for other inputs.
pub(crate) const PAUSE: Span = Span::millis(5);
/// Delay of a slice that must wait for another one. Different from [`PAUSE`], so that two kinds of work in progress
/// alternate.
pub(crate) const WAIT: Span = Span::millis(1);

/// Grants one slice per moment to all work that is spread over steps. Slices run by timers only, and the server plays a
/// batch of inputs at one moment, so they never add up to one long wait.
#[derive(Debug, Default)]
pub(crate) struct Slices {
    /// Moment of the last slice.
    last: Option<GameTime>,
}

impl Slices {
    /// Takes the slice of this moment. Returns `false` if it has been used.
    pub(crate) fn take(&mut self, now: GameTime) -> bool {
        self.last.replace(now) != Some(now)
    }
}
