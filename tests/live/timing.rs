//! Bounds of time on a machine that is busy with other things: what a server takes is the least of several measurements; one
//! that is too slow by itself is so every time.

use std::time::{Duration, Instant};

/// How often something is measured before it counts as too slow.
const ATTEMPTS: u32 = 4;

/// Tries something until it comes out well, a few times at the most.
pub(crate) fn try_again(mut attempt: impl FnMut() -> Result<(), String>) {
    let mut wrong = Vec::new();
    for _ in 0..ATTEMPTS {
        match attempt() {
            Ok(()) => return,
            Err(why) => wrong.push(why),
        }
    }
    panic!("every time: {}", wrong.join("; "));
}

/// Whether something took no longer than it may; else a sentence.
pub(crate) fn within(most: Duration, took: Duration, what: &str) -> Result<(), String> {
    if took < most { Ok(()) } else { Err(format!("{what} took {took:?}, and may take {most:?}")) }
}

/// How long something takes.
pub(crate) fn timed<T>(something: impl FnOnce() -> T) -> Duration {
    let before = Instant::now();
    something();
    before.elapsed()
}
