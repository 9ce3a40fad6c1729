//! The machine's clock for people, which is set while the server runs: by somebody, by the network, after a long sleep.

use deepwell::base::{GameTime, Span};
use std::cell::Cell;
use tokio::time::Instant;

thread_local! {
    /// When it was set last, and to what; a run has a thread of its own.
    static SET: Cell<Option<(Instant, GameTime)>> = const { Cell::new(None) };
}

/// What it shows.
pub(super) fn now() -> GameTime {
    let (at, time) = SET.get().expect("it was set");
    time + Span::millis(i64::try_from(at.elapsed().as_millis()).unwrap())
}

/// Somebody sets it.
pub(super) fn set(time: GameTime) {
    SET.set(Some((Instant::now(), time)));
}
