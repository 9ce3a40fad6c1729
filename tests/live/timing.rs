//! Time limits that tolerate a busy machine: a measurement is repeated, and the fastest attempt counts. Code that is
//! too slow fails every attempt.

use crate::PATIENCE;
use std::time::{Duration, Instant};

/// Number of attempts before a measurement counts as too slow.
const ATTEMPTS: u32 = 4;

/// Repeats the check, which asks the server or waits itself, until it returns `true`.
pub(crate) fn until(what: &str, mut looks: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !looks() {
        assert!(begun.elapsed() < PATIENCE * 4, "{what} does not come");
    }
}

/// Repeats the attempt until it succeeds; panics after [`ATTEMPTS`] failures.
pub(crate) fn try_again(mut attempt: impl FnMut() -> Result<(), String>) {
    let mut failures = Vec::new();
    for _ in 0..ATTEMPTS {
        match attempt() {
            Ok(()) => return,
            Err(why) => failures.push(why),
        }
    }
    panic!("every time: {}", failures.join("; "));
}

/// Returns an error message if the duration exceeds the limit.
pub(crate) fn within(most: Duration, took: Duration, what: &str) -> Result<(), String> {
    if took < most { Ok(()) } else { Err(format!("{what} took {took:?}, and may take {most:?}")) }
}

/// Returns the duration of the call.
pub(crate) fn timed<T>(something: impl FnOnce() -> T) -> Duration {
    let before = Instant::now();
    something();
    before.elapsed()
}
