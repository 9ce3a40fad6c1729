//! Last errors and notes of each script. They are kept in memory only, for the builder who writes it.

use deepwell_core::base::GameTime;
use std::collections::{BTreeMap, VecDeque};

/// Errors and notes by script.
#[derive(Debug, Default)]
pub(crate) struct ScriptLog(BTreeMap<String, VecDeque<LogEntry>>);

/// An error or a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LogEntry {
    /// Time of its last occurrence.
    pub(crate) at: GameTime,
    pub(crate) text: String,
    /// Number of times that it occurred without another one in between.
    pub(crate) times: u32,
}

impl ScriptLog {
    /// Adds an entry. The oldest entries of the script beyond `most` are forgotten.
    pub(crate) fn add(&mut self, script: &str, at: GameTime, text: String, most: usize) {
        let entries = self.0.entry(script.to_owned()).or_default();
        match entries.back_mut().filter(|last| last.text == text) {
            Some(last) => (last.at, last.times) = (at, last.times.saturating_add(1)),
            None => entries.push_back(LogEntry { at, text, times: 1 }),
        }
        let over = entries.len().saturating_sub(most);
        entries.drain(..over);
    }

    /// Forgets scripts that do not exist any more.
    pub(crate) fn forget_others(&mut self, exists: impl Fn(&str) -> bool) {
        self.0.retain(|script, _| exists(script));
    }

    /// Returns the entries of a script, oldest first.
    pub(crate) fn of(&self, script: &str) -> impl Iterator<Item = &LogEntry> {
        self.0.get(script).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_of_a_script_is_bounded_and_counts_repetitions() {
        let mut log = ScriptLog::default();
        for (at, text) in [(1, "a"), (2, "b"), (3, "b"), (4, "c")] {
            log.add("bell", GameTime(at), text.into(), 2);
        }
        let kept: Vec<_> =
            log.of("bell").map(|entry| (entry.at.0, entry.text.as_str(), entry.times)).collect();
        assert_eq!(kept, [(3, "b", 2), (4, "c", 1)]);
        log.forget_others(|script| script != "bell");
        assert_eq!(log.of("bell").count(), 0);
    }
}
