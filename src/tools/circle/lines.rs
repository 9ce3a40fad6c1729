//! Line reader for area files: splits a file into records and reads their lines. A record ends where the next record
//! number begins, even if a text is not terminated.

use super::place::Place;
use super::report::{Kind, Report};
use std::ops::Range;

/// Lowest record number that marks the end of an old file.
const END_MARK: i64 = 99_999;

/// Error on a line, for which its record is left out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {wrong}")]
pub(super) struct Malformed {
    pub(super) place: Place,
    pub(super) wrong: String,
}

/// Reader of the lines of one record.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    file: &'a str,
    /// Line number of the first line.
    first: usize,
    all: &'a [&'a str],
    /// Number of lines read.
    taken: usize,
}

/// A record: its number and the lines after it.
#[derive(Clone, Debug)]
pub(super) struct Record<'a> {
    pub(super) number: i64,
    pub(super) place: Place,
    pub(super) lines: Lines<'a>,
}

/// Parses the number at the start of a record: `#3001`, `#3001~`, or with a comment behind it, as in zone files.
fn number_of(line: &str) -> Option<i64> {
    let rest = line.strip_prefix('#')?;
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let tail = digits.trim_start();
    let is_number = digits.len() < rest.len()
        && (tail.trim_end().is_empty()
            || tail.trim_end() == "~"
            || (tail.len() < digits.len() && tail.starts_with('*')));
    is_number.then(|| rest.get(..rest.len() - digits.len())?.parse().ok()).flatten()
}

fn is_end(line: &str) -> bool {
    matches!(line.trim_end(), "$" | "$~")
}

/// Splits a file into its records; lines outside of records are reported.
pub(super) fn records<'a>(file: &'a str, lines: &'a [&'a str], report: &mut Report) -> Vec<Record<'a>> {
    let place = |at: usize| Place { file: file.to_owned(), line: number(at + 1) };
    let (mut begun, mut records): (Option<(i64, usize)>, Vec<Record<'a>>) = (None, Vec::new());
    let mut end = lines.len();
    for (at, line) in lines.iter().enumerate() {
        let number = number_of(line);
        let ends = is_end(line) || number.is_some_and(|number| number >= END_MARK);
        if number.is_some() || ends {
            records.extend(begun.take().map(|(number, start)| record(file, lines, number, start..at)));
        }
        if ends {
            end = at;
            break;
        }
        begun = number.map(|number| (number, at)).or(begun);
        let is_header = at == 0 && line.trim_end().ends_with('~');
        if begun.is_none() && !is_header && !is_blank(line) {
            report.note(
                Kind::Mistake,
                &place(at),
                "outside of all records",
                "left out: `#NUMBER` is missing above it",
            );
        }
    }
    records.extend(begun.map(|(number, start)| record(file, lines, number, start..lines.len())));
    if end == lines.len() {
        report.note(
            Kind::Mistake,
            &place(end.saturating_sub(1)),
            "the end of the file",
            "`$` is missing; all was read",
        );
    } else if let Some(at) =
        (end + 1..lines.len()).find(|at| lines.get(*at).is_some_and(|line| !is_blank(line)))
    {
        report.note(
            Kind::Mistake,
            &place(at),
            "behind the end of the file",
            "left out: it stands behind `$`",
        );
    }
    records
}

/// Creates a record; `range` are the indices of its lines, from that of its number on.
fn record<'a>(file: &'a str, lines: &'a [&'a str], number: i64, range: Range<usize>) -> Record<'a> {
    let place = Place { file: file.to_owned(), line: self::number(range.start + 1) };
    let all = lines.get(range.start + 1..range.end).unwrap_or_default();
    Record { number, place, lines: Lines { file, first: range.start + 2, all, taken: 0 } }
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// Returns `true` if a line is empty or a comment.
fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('*')
}

/// Returns the leading numbers of a line.
pub(super) fn numbers(line: &str) -> Vec<i64> {
    line.split_whitespace().map_while(|word| word.parse().ok()).collect()
}

/// Returns the number in a script line such as `T 3001`.
pub(super) fn trigger_of(line: &str) -> Option<i64> {
    numbers(line.strip_prefix('T')?).first().copied()
}

impl<'a> Lines<'a> {
    /// Returns the place of the last line read.
    pub(super) fn place(&self) -> Place {
        let line = self.first + self.taken.max(1) - 1;
        Place { file: self.file.to_owned(), line: number(line) }
    }

    /// Returns an error for the last line read.
    pub(super) fn malformed(&self, wrong: impl Into<String>) -> Malformed {
        Malformed { place: self.place(), wrong: wrong.into() }
    }

    fn take(&mut self) -> Option<&'a str> {
        let line = self.all.get(self.taken).copied()?;
        self.taken += 1;
        Some(line)
    }

    /// Returns the next line that is neither empty nor a comment.
    pub(super) fn next_line(&mut self) -> Option<&'a str> {
        loop {
            let line = self.take()?;
            if !is_blank(line) {
                return Some(line.trim());
            }
        }
    }

    /// Returns the next line that is neither empty nor a comment, or an error at the end of the record.
    pub(super) fn line(&mut self, wanted: &str) -> Result<&'a str, Malformed> {
        self.next_line().ok_or_else(|| self.malformed(format!("the record ends before {wanted}")))
    }

    /// Reads a line with at least `least` numbers.
    pub(super) fn numbers(&mut self, least: usize, wanted: &str) -> Result<Vec<i64>, Malformed> {
        let found = numbers(self.line(wanted)?);
        if found.len() >= least { Ok(found) } else { Err(self.malformed(format!("{wanted} was expected"))) }
    }

    /// Reads a text up to a `~` at the end of a line. `\~` is a literal tilde.
    pub(super) fn text(&mut self, wanted: &str) -> Result<String, Malformed> {
        let mut text = String::new();
        let begins = self.taken;
        while let Some(line) = self.take() {
            let line = line.trim_end();
            let whole = line.strip_suffix('~').filter(|rest| !rest.ends_with('\\'));
            text.push_str(&whole.map_or(line, |rest| rest.trim_end_matches('~')).replace("\\~", "~"));
            if whole.is_some() {
                return Ok(text);
            }
            text.push('\n');
        }
        self.taken = (begins + 1).min(self.all.len());
        Err(self.malformed(format!("{wanted} begins here and has no `~` at its end")))
    }

    /// Reads script lines such as `T 3001` and returns their numbers. The first other line is not consumed.
    pub(super) fn triggers(&mut self) -> Vec<i64> {
        let mut found = Vec::new();
        loop {
            let before = self.taken;
            let Some(number) = self.next_line().and_then(trigger_of) else {
                self.taken = before;
                return found;
            };
            found.push(number);
        }
    }

    /// Reports the lines after the end of a record.
    pub(super) fn finish(&mut self, whose: &str, report: &mut Report) {
        if self.next_line().is_some() {
            report.note(
                Kind::Mistake,
                &self.place(),
                whose,
                "left out: this stands behind the end of the record",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(report: &Report) -> String {
        report.to_string()
    }

    #[test]
    fn record_ends_at_the_next_number() {
        let lines: Vec<&str> = "#1\nname~\n#2 \n#x\n#3 * the third\n$~\n#4".lines().collect();
        let mut report = Report::default();
        let found = records("a.wld", &lines, &mut report);
        assert_eq!(found.iter().map(|record| record.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(found[1].place.to_string(), "a.wld:3");
        assert!(told(&report).contains("a.wld:7: behind the end of the file"), "{report}");
    }

    #[test]
    fn tilde_at_end_of_line_ends_a_text() {
        let lines: Vec<&str> = "#1\na ~ b\nc\\~\nd~  \nopen\n$".lines().collect();
        let mut record = records("a.wld", &lines, &mut Report::default()).remove(0);
        assert_eq!(record.lines.text("a text").unwrap(), "a ~ b\nc~\nd");
        let wrong = record.lines.text("a name").unwrap_err().to_string();
        assert_eq!(wrong, "a.wld:5: a name begins here and has no `~` at its end");
    }
}
