//! Functions of scripts that failed of late. One that fails again and again is set aside for a while: a creature whose mind
//! does not come to an end would cost each tick as much as a script may.

use crate::base::{GameTime, Span};
use std::collections::BTreeMap;

/// How long failures are counted from the first on.
const WHILE: Span = Span::secs(60);

/// How often a function may fail meanwhile.
const MOST: u32 = 10;

/// The functions, by script and name: how often each has failed, and until when that counts.
#[derive(Debug, Default)]
pub(crate) struct ScriptFaults(BTreeMap<(String, String), (u32, GameTime)>);

/// What a failure is among those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The first one for a while.
    First,
    /// One more.
    Again,
    /// The one after which the function is set aside.
    Last,
}

impl ScriptFaults {
    /// Whether a function is not called for now.
    pub(crate) fn is_set_aside(&self, script: &str, function: &str, now: GameTime) -> bool {
        let failed = self.0.get(&(script.to_owned(), function.to_owned()));
        failed.is_some_and(|(times, until)| *times >= MOST && now < *until)
    }

    /// Notes that a function has failed.
    pub(crate) fn note(&mut self, script: &str, function: &str, now: GameTime) -> Failure {
        self.0.retain(|_, (_, until)| now < *until);
        let failed = self.0.entry((script.to_owned(), function.to_owned())).or_insert((0, now + WHILE));
        failed.0 += 1;
        match failed.0 {
            1 => Failure::First,
            MOST => Failure::Last,
            _ => Failure::Again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function is set aside for the rest of the minute, alone, and begins anew afterwards.
    #[test]
    fn what_fails_often_rests() {
        let (mut faults, now) = (ScriptFaults::default(), GameTime::default());
        let failures: Vec<Failure> = (0..MOST).map(|_| faults.note("maze", "turn", now)).collect();
        assert_eq!((failures[0], failures[1], failures[9]), (Failure::First, Failure::Again, Failure::Last));
        assert!(faults.is_set_aside("maze", "turn", now + Span::secs(59)));
        assert!(
            !faults.is_set_aside("maze", "enter", now) && !faults.is_set_aside("maze", "turn", now + WHILE)
        );
        assert_eq!(faults.note("maze", "turn", now + WHILE), Failure::First);
    }
}
