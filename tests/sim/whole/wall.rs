//! Simulated wall clock of the machine, which is set while the server runs: by the operator, by NTP, or after a
//! suspend.

use deepwell::base::{GameTime, Span};
use std::cell::Cell;
use tokio::time::Instant;

thread_local! {
    /// Time of the last setting, and the value; each run has its own thread.
    static SET: Cell<Option<(Instant, GameTime)>> = const { Cell::new(None) };
}

/// Returns the current reading.
pub(super) fn now() -> GameTime {
    let (at, time) = SET.get().expect("it was set");
    time + Span::millis(i64::try_from(at.elapsed().as_millis()).unwrap())
}

/// Sets the clock.
pub(super) fn set(time: GameTime) {
    SET.set(Some((Instant::now(), time)));
}
