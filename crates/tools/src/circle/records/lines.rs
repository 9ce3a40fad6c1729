//! Line reader for area files: reads the records of a file one after the other, each to its own end. Texts end with `~`
//! only, so that a line such as `#12` or `$` may be part of a text.

use crate::circle::place::FileLine;
use crate::circle::report::{ImportReport, NoteKind};

/// Lowest record number that marks the end of an old file if no record follows it.
const END_MARK: i64 = 99_999;
/// Maximum length of a text, which is above that of the servers that write these files.
const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Maximum number of lines within texts of a record that are examined because they may begin another record.
const CROSSED_MAX: usize = 16;

/// Error on a line, for which its record is left out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub(in crate::circle) struct Malformed {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) message: String,
}

/// Reader of the lines of one record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct RecordLines<'a> {
    file: &'a str,
    /// All lines of the file.
    all: &'a [&'a str],
    /// Index of the first line behind the number of the record.
    from: usize,
    /// Index of the next line.
    at: usize,
    /// Index behind the last line that may be read.
    end: usize,
    /// Lines within texts that look like the beginning of another record, or like the end of the file.
    crossed: Vec<usize>,
}

/// A record: its number and the lines after it.
#[derive(Clone, Debug)]
pub(in crate::circle) struct Record<'a> {
    pub(in crate::circle) number: i64,
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) lines: RecordLines<'a>,
}

/// A record that was read, or the reason why not.
pub(in crate::circle) struct RecordOutcome<T> {
    pub(in crate::circle) number: i64,
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) read: Result<T, Malformed>,
    /// Notes about the record.
    pub(in crate::circle) notes: ImportReport,
    /// Index of the next line.
    at: usize,
    crossed: Vec<usize>,
}

/// Parses the number at the start of a record: `#3001`, `#3001~`, or with a comment behind it, as in zone files.
fn number_of(line: &str) -> Option<i64> {
    let rest = line.strip_prefix('#')?;
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.get(..rest.len() - digits.len())?.parse().ok()
}

/// Returns `true` if a line outside of texts ends a record: the beginning of the next one, or the end of the file.
fn is_mark(line: &str) -> bool {
    line.starts_with('$') || number_of(line).is_some()
}

/// Function that reads a record.
pub(in crate::circle) type ReadRecord<'r, 'a, T> =
    &'r dyn Fn(&mut Record<'a>, &mut ImportReport) -> Result<T, Malformed>;

/// The lines of a file, with the function that reads its records.
struct RecordFile<'r, 'a, T> {
    name: &'a str,
    lines: &'a [&'a str],
    read: ReadRecord<'r, 'a, T>,
}

/// Reads the records of a file; `what` names their kind. Lines outside of records are reported.
pub(in crate::circle) fn records<'a, T>(
    name: &'a str,
    lines: &'a [&'a str],
    what: &str,
    report: &mut ImportReport,
    read: ReadRecord<'_, 'a, T>,
) -> Vec<RecordOutcome<T>> {
    let file = RecordFile { name, lines, read };
    let mut found: Vec<RecordOutcome<T>> = Vec::new();
    let mut at = 0;
    loop {
        let mark = (at..lines.len()).find(|at| lines.get(*at).is_some_and(|line| is_mark(line)));
        let between = (at..mark.unwrap_or(lines.len())).filter(|at| !file.is_blank(*at));
        match found.last_mut() {
            // The rest of a malformed record was reported with it.
            Some(last) if last.read.is_err() => {}
            Some(last) => last.tell_rest(&file, what, between),
            None => file.tell_outside(between, report),
        }
        let Some(mark) = mark else {
            let place = file.place(lines.len().saturating_sub(1));
            report.note(NoteKind::Mistake, &place, "the end of the file", "`$` is missing; all was read");
            return found;
        };
        if file.is_end(mark) {
            let behind = (mark + 1..lines.len()).find(|at| !file.is_blank(*at));
            // The usual mark may follow the old one.
            if let Some(behind) = behind.filter(|at| !file.is_last_end(*at)) {
                let remark = "left out: it stands behind `$`";
                report.note(NoteKind::Mistake, &file.place(behind), "behind the end of the file", remark);
            }
            return found;
        }
        let record = file.record(mark);
        at = record.at.max(mark + 1);
        found.push(record);
    }
}

impl<T> RecordOutcome<T> {
    /// Reports the first line behind the end of the record.
    fn tell_rest(&mut self, file: &RecordFile<'_, '_, T>, what: &str, mut rest: impl Iterator<Item = usize>) {
        let Some(at) = rest.next() else { return };
        let is_number = file.lines.get(at).is_some_and(|line| line.starts_with('#'));
        let remark = if is_number {
            "the number of the record behind it is none; left out"
        } else {
            "left out: this stands behind the end of the record"
        };
        self.notes.note(NoteKind::Mistake, &file.place(at), &format!("{what} {}", self.number), remark);
    }
}

impl<T> RecordFile<'_, '_, T> {
    fn place(&self, at: usize) -> FileLine {
        FileLine { file: self.name.to_owned(), line: number(at + 1) }
    }

    fn is_blank(&self, at: usize) -> bool {
        self.lines.get(at).is_none_or(|line| is_blank(line))
    }

    /// Returns `true` if the line is an end mark and no line follows it.
    fn is_last_end(&self, at: usize) -> bool {
        self.lines.get(at).is_some_and(|line| line.starts_with('$'))
            && (at + 1..self.lines.len()).all(|at| self.is_blank(at))
    }

    /// Returns `true` if a mark ends the file: `$`, or an old end mark without a record behind it.
    fn is_end(&self, at: usize) -> bool {
        let is_old = |at: usize| {
            let number = self.lines.get(at).and_then(|line| number_of(line));
            let next = (at + 1..self.lines.len()).find(|at| !self.is_blank(*at));
            number.is_some_and(|number| number >= END_MARK) && next.is_none_or(|next| self.is_last_end(next))
        };
        self.lines.get(at).is_some_and(|line| line.starts_with('$')) || is_old(at)
    }

    fn tell_outside(&self, between: impl Iterator<Item = usize>, report: &mut ImportReport) {
        let is_header =
            |at: usize| at == 0 && self.lines.first().is_some_and(|line| line.trim_end().ends_with('~'));
        for at in between.filter(|at| !is_header(*at)) {
            let remark = "left out: `#NUMBER` is missing above it";
            report.note(NoteKind::Mistake, &self.place(at), "outside of all records", remark);
        }
    }

    /// Reads the record that begins at a line. A text without an end would take the next record with it, so that the rest
    /// does not fit: then the record ends where another one begins.
    fn record(&self, start: usize) -> RecordOutcome<T> {
        let whole = self.attempt(start, self.lines.len());
        let Some(first) = whole.crossed.first().copied().filter(|_| !self.fits(&whole)) else { return whole };
        let mut others = Vec::new();
        for at in &whole.crossed {
            let other = self.attempt(*at, self.lines.len());
            if self.is_last_end(*at) || self.fits(&other) {
                others.push((other.crossed.len(), *at));
            }
        }
        // A text may also have lines that look like a record, but then it takes further records with it.
        match others.into_iter().min() {
            Some((_, other)) => self.attempt(start, other),
            None if whole.read.is_ok() => whole,
            None => self.attempt(start, first),
        }
    }

    /// Returns `true` if a record was read, and another one or the end of the file follows.
    fn fits(&self, record: &RecordOutcome<T>) -> bool {
        let next = (record.at..self.lines.len()).find(|at| !self.is_blank(*at));
        let follows = next.is_none_or(|at| self.lines.get(at).is_some_and(|line| is_mark(line)));
        record.read.is_ok() && follows
    }

    /// Reads the record that begins at a line, and no line from `end` on.
    fn attempt(&self, start: usize, end: usize) -> RecordOutcome<T> {
        let number = self.lines.get(start).and_then(|line| number_of(line)).unwrap_or_default();
        let from = start + 1;
        let lines =
            RecordLines { file: self.name, all: self.lines, from, at: from, end, crossed: Vec::new() };
        let place = self.place(start);
        let mut record = Record { number, place: place.clone(), lines };
        let mut notes = ImportReport::default();
        let read = (self.read)(&mut record, &mut notes);
        let RecordLines { at, crossed, .. } = record.lines;
        RecordOutcome { number, place, read, notes, at, crossed }
    }
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// Returns `true` if a line is empty or a comment.
fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('*')
}

/// Returns the leading numbers of a line.
pub(in crate::circle) fn numbers(line: &str) -> Vec<i64> {
    line.split_whitespace().map_while(|word| word.parse().ok()).collect()
}

/// Returns the number in a script line such as `T 3001`.
pub(in crate::circle) fn trigger_of(line: &str) -> Option<i64> {
    numbers(line.strip_prefix('T')?).first().copied()
}

impl<'a> RecordLines<'a> {
    /// Returns the place of the last line read.
    pub(in crate::circle) fn place(&self) -> FileLine {
        FileLine { file: self.file.to_owned(), line: number(self.at.max(self.from + 1)) }
    }

    /// Returns an error for the last line read.
    pub(in crate::circle) fn malformed(&self, message: impl Into<String>) -> Malformed {
        Malformed { place: self.place(), message: message.into() }
    }

    fn peek(&self) -> Option<&'a str> {
        self.all.get(self.at).copied().filter(|_| self.at < self.end)
    }

    /// Returns the next line that is neither empty nor a comment; `None` at the end of the record.
    pub(in crate::circle) fn next_line(&mut self) -> Option<&'a str> {
        loop {
            let line = self.peek().filter(|line| !is_mark(line))?;
            self.at += 1;
            if !is_blank(line) {
                return Some(line.trim());
            }
        }
    }

    /// Returns the last line to the reader.
    pub(in crate::circle) fn put_back(&mut self) {
        self.at = self.at.saturating_sub(1).max(self.from);
    }

    /// Returns the next line that is neither empty nor a comment, or an error at the end of the record.
    pub(in crate::circle) fn read_line(&mut self, wanted: &str) -> Result<&'a str, Malformed> {
        self.next_line().ok_or_else(|| self.malformed(format!("the record ends before {wanted}")))
    }

    /// Reads a line with at least `least` numbers.
    pub(in crate::circle) fn read_numbers(
        &mut self,
        least: usize,
        wanted: &str,
    ) -> Result<Vec<i64>, Malformed> {
        let found = numbers(self.read_line(wanted)?);
        if found.len() >= least { Ok(found) } else { Err(self.malformed(format!("{wanted} was expected"))) }
    }

    /// Reads a text up to a `~` at the end of a line. `\~` is a literal tilde.
    pub(in crate::circle) fn read_text(&mut self, wanted: &str) -> Result<String, Malformed> {
        let mut text = String::new();
        let begins = self.at;
        while let Some(line) = self.peek().filter(|_| text.len() <= TEXT_BYTES_MAX) {
            if self.may_be_mark(line) && self.crossed.len() < CROSSED_MAX {
                self.crossed.push(self.at);
            }
            self.at += 1;
            let line = line.trim_end();
            let mut kept = line;
            while let Some(rest) = kept.strip_suffix('~').filter(|rest| !rest.ends_with('\\')) {
                kept = rest;
            }
            text.push_str(&kept.replace("\\~", "~"));
            if kept.len() < line.len() {
                return Ok(text);
            }
            text.push('\n');
        }
        self.at = (begins + 1).min(self.end);
        Err(self.malformed(format!("{wanted} begins here and has no `~` at its end")))
    }

    /// Returns `true` if the next line, in a text, may begin a record or end the file.
    fn may_be_mark(&self, line: &str) -> bool {
        let is_last = || self.all.iter().skip(self.at + 1).all(|line| is_blank(line));
        number_of(line).is_some() || line.starts_with('$') && is_last()
    }

    /// Reads script lines such as `T 3001` and returns their numbers. The first other line is not consumed.
    pub(in crate::circle) fn read_triggers(&mut self) -> Vec<i64> {
        let mut found = Vec::new();
        loop {
            let before = self.at;
            let Some(number) = self.next_line().and_then(trigger_of) else {
                self.at = before;
                return found;
            };
            found.push(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of a record, and its parts or the mistake in it.
    type Read = (i64, Result<String, String>);

    /// Reads records of a name, a text and a number.
    fn read(file: &str) -> (Vec<Read>, String) {
        let lines: Vec<&str> = file.lines().collect();
        let mut report = ImportReport::default();
        let triple = |record: &mut Record<'_>, _: &mut ImportReport| {
            let (name, text) = (record.lines.read_text("a name")?, record.lines.read_text("a text")?);
            let number = record.lines.read_numbers(1, "a number")?.first().copied().unwrap_or_default();
            Ok(format!("{name}|{text}|{number}"))
        };
        let found = records("a.wld", &lines, "triple", &mut report, &triple);
        let mut outcomes = Vec::new();
        for outcome in found {
            outcomes.push((outcome.number, outcome.read.map_err(|mistake| mistake.to_string())));
            report.merge(outcome.notes);
        }
        (outcomes, report.to_string())
    }

    fn good(file: &str) -> Vec<(i64, String)> {
        let (found, report) = read(file);
        assert_eq!(report.lines().count(), 1, "{report}");
        found.into_iter().map(|(number, read)| (number, read.unwrap())).collect()
    }

    #[test]
    fn records_end_where_their_grammar_ends() {
        let found =
            good("#1\na ~ b\nc\\~~\n~\n1\n#2 \nd~  \n~\n* comment\n2 x\n#3 * the third\ne~\nf~\n\n3\n$~\n");
        assert_eq!(found, [(1, "a ~ b\nc~||1".into()), (2, "d||2".into()), (3, "e|f|3".into())]);
    }

    /// Marks of records and of the end of the file are part of a text up to its `~`.
    #[test]
    fn marks_within_texts_are_text() {
        for mark in ["$", "$5", "$~ x", "#12", "#3", "#99999", "#3~ x", "* comment", "", "S", "T 100"] {
            let file = format!("#1\nSign~\nOn the door:\n{mark}\nGold.~\n1\n#3\nYard~\nGrass.~\n3\n$\n");
            let sign = format!("Sign|On the door:\n{mark}\nGold.|1");
            assert_eq!(good(&file), [(1, sign), (3, "Yard|Grass.|3".into())]);
        }
    }

    /// A text without an end takes no other record with it.
    #[test]
    fn record_with_an_open_text_ends_at_the_next_record() {
        let open = "a.wld:3: a text begins here and has no `~` at its end";
        for text in ["Grass.", "Grass.\n#9\nAnd moss."] {
            let (found, _) = read(&format!("#1\nHall~\nBig.\n1\n#2\nYard~\n{text}~\n2\n$~\n"));
            assert_eq!(found, [(1, Err(open.to_owned())), (2, Ok(format!("Yard|{text}|2")))]);
        }
        let (found, _) = read("#2\nYard~\nGrass.~\n2\n#1\nHall~\nBig.\n1\n$~\n");
        assert_eq!(found.len(), 2);
        assert!(found[0].1.is_ok() && found[1].1.is_err());
    }

    #[test]
    fn lines_outside_of_records_are_reported() {
        let (found, report) = read("x\n#1\na~\n~\n1\ny\nz\n#x\n#2\nb~\n~\n2\n#x\n$~\n#4\n");
        assert_eq!(found.len(), 2);
        for line in [
            "a.wld:1: outside of all records",
            "a.wld:6: triple 1: left out: this stands behind the end of the record",
            "a.wld:13: triple 2: the number of the record behind it is none",
            "a.wld:15: behind the end of the file",
        ] {
            assert!(report.contains(line), "{line}\n{report}");
        }
    }

    /// Old files end with a number that is no record.
    #[test]
    fn high_number_ends_the_file_only_without_a_record() {
        assert_eq!(good("#1\na~\n~\n1\n#99999\n$~\n").len(), 1);
        let (found, _) = read("#1\na~\n~\n1\n#99999\n");
        assert_eq!(found.len(), 1);
        let found = good("#99999\na~\n~\n1\n#120000\nb~\n~\n2\n$~\n");
        assert_eq!(found, [(99_999, "a||1".into()), (120_000, "b||2".into())]);
    }
}
