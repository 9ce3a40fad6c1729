//! Lines typed on this connection, for `history`, `!` and `!3`. Lines of the login dialog and of password prompts are
//! never recorded.

use std::collections::VecDeque;

use deepwell_core::base::limits::Limits;
use deepwell_core::text::{Markup, Style};

/// Last lines typed, numbered from the start of the connection.
#[derive(Debug, Default)]
pub(super) struct LineHistory {
    lines: VecDeque<String>,
    bytes: usize,
    /// Number of lines dropped.
    dropped: u32,
}

impl LineHistory {
    /// Adds a line; drops the oldest lines over the limits.
    pub(super) fn push(&mut self, line: &str, limits: &Limits) {
        self.bytes += line.len();
        self.lines.push_back(line.to_owned());
        let (lines_most, bytes_most) = (limits.history as usize, limits.replay_bytes as usize);
        while self.lines.len() > 1 && (self.lines.len() > lines_most || self.bytes > bytes_most) {
            if let Some(oldest) = self.lines.pop_front() {
                self.bytes -= oldest.len();
                self.dropped = self.dropped.saturating_add(1);
            }
        }
    }

    /// Returns the last line.
    pub(super) fn last(&self) -> Option<&str> {
        self.lines.back().map(String::as_str)
    }

    /// Returns the line with a number.
    pub(super) fn numbered(&self, number: u32) -> Option<&str> {
        let at = number.checked_sub(self.dropped)?.checked_sub(1)?;
        self.lines.get(at as usize).map(String::as_str)
    }

    /// Returns the last lines with their numbers, oldest first.
    pub(super) fn page(&self, most: u32) -> Markup {
        let count = self.lines.len();
        let skip = count.saturating_sub(most as usize);
        let mut page = Markup::styled(Style::Heading, "What you typed last:");
        for (number, line) in (self.dropped + 1..).zip(&self.lines).skip(skip) {
            page.line(Style::Plain, &format!("{number}: "));
            page.push(Style::Command, line);
        }
        page.line(Style::Plain, "An exclamation mark and a number type that line again.");
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a8_line_numbers_stay_stable_when_lines_are_dropped() {
        let limits = Limits { history: 3, ..Limits::default() };
        let mut history = LineHistory::default();
        assert_eq!((history.last(), history.numbered(1)), (None, None));
        for line in ["one", "two", "three", "four"] {
            history.push(line, &limits);
        }
        assert_eq!(history.last(), Some("four"));
        let numbered: Vec<_> = (0..6).map(|number| history.numbered(number)).collect();
        assert_eq!(numbered, [None, None, Some("two"), Some("three"), Some("four"), None]);
        assert!(
            history.page(2).text().starts_with("What you typed last:\n3: three\n4: four\nAn exclamation")
        );
        let narrow = Limits { replay_bytes: 10, ..limits };
        history.push("a long line", &narrow);
        assert_eq!((history.lines.len(), history.bytes, history.numbered(5)), (1, 11, Some("a long line")));
    }
}
