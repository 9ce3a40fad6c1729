//! Recent failures of script functions. A function that fails repeatedly is suspended for a while. Otherwise a creature
//! script that never ends would use the whole script budget in each tick.

use deepwell_core::base::{GameTime, Span};
use std::collections::BTreeMap;

/// Period, from the first failure, in which failures are counted.
const WHILE: Span = Span::secs(60);

/// Number of failures within the period that suspends a function.
const MOST: u32 = 10;

/// Failure counts by script and function, with the end of their period.
#[derive(Debug, Default)]
pub(crate) struct ScriptFaults(BTreeMap<(String, String), (u32, GameTime)>);

/// Position of a failure in its period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailurePosition {
    /// First failure of the period.
    First,
    /// Further failure.
    Again,
    /// Failure that suspends the function.
    Last,
}

impl ScriptFaults {
    /// Returns `true` while the function is suspended.
    pub(crate) fn is_suspended(&self, script: &str, function: &str, now: GameTime) -> bool {
        let failed = self.0.get(&(script.to_owned(), function.to_owned()));
        failed.is_some_and(|(times, until)| *times >= MOST && now < *until)
    }

    /// Records a failure of a function.
    pub(crate) fn note(&mut self, script: &str, function: &str, now: GameTime) -> FailurePosition {
        self.0.retain(|_, (_, until)| now < *until);
        let failed = self.0.entry((script.to_owned(), function.to_owned())).or_insert((0, now + WHILE));
        failed.0 += 1;
        match failed.0 {
            1 => FailurePosition::First,
            MOST => FailurePosition::Last,
            _ => FailurePosition::Again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A failing function is suspended for the rest of the minute, other functions are not, and its count then
    /// restarts.
    #[test]
    fn repeatedly_failing_function_is_suspended() {
        let (mut faults, now) = (ScriptFaults::default(), GameTime::default());
        let failures: Vec<FailurePosition> = (0..MOST).map(|_| faults.note("maze", "turn", now)).collect();
        assert_eq!(
            (failures[0], failures[1], failures[9]),
            (FailurePosition::First, FailurePosition::Again, FailurePosition::Last)
        );
        assert!(faults.is_suspended("maze", "turn", now + Span::secs(59)));
        assert!(
            !faults.is_suspended("maze", "enter", now) && !faults.is_suspended("maze", "turn", now + WHILE)
        );
        assert_eq!(faults.note("maze", "turn", now + WHILE), FailurePosition::First);
    }
}
