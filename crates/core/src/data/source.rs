//! Conversion of byte offsets into lines and columns.

use super::Position;

/// A file with an index of its lines.
pub struct SourceFile<'a> {
    pub(super) path: &'a str,
    text: &'a str,
    /// Offset of the first byte of each line.
    lines: Vec<usize>,
    /// Number of lines of the file above the text, if the text is a later part of a file.
    above: u32,
    /// Next file, whose byte offsets continue after this file's.
    beyond: Option<Box<SourceFile<'a>>>,
}

impl<'a> SourceFile<'a> {
    /// Creates a source from a file name and its text.
    pub fn new(path: &'a str, text: &'a str) -> Self {
        let further = text.match_indices('\n').map(|(end, _)| end + 1);
        Self { path, text, lines: std::iter::once(0).chain(further).collect(), above: 0, beyond: None }
    }

    /// Creates a source from a later part of a file, below a number of lines.
    pub(super) fn below(path: &'a str, text: &'a str, above: u32) -> Self {
        Self { above, ..Self::new(path, text) }
    }

    /// Creates a chain of files with continuous byte offsets.
    pub(super) fn chain(path: &'a str, text: &'a str, beyond: &[(&'a str, &'a str)]) -> Self {
        let beyond = beyond.split_first().map(|((path, text), rest)| Box::new(Self::chain(path, text, rest)));
        Self { beyond, ..Self::new(path, text) }
    }

    /// Returns the position of a byte.
    pub fn place_of(&self, byte: usize) -> Position {
        if let Some(beyond) = self.beyond.as_ref().filter(|_| byte >= self.text.len()) {
            return beyond.place_of(byte - self.text.len());
        }
        let line = self.lines.partition_point(|begin| *begin <= byte);
        let begin = line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(0);
        let column = self.text.get(begin..byte).map_or(0, |before| before.chars().count()) + 1;
        Position {
            file: self.path.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX).saturating_add(self.above),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let place = |text: &str, byte| SourceFile::new("f", text).place_of(byte).to_string();
        assert_eq!(place("a\nüü = 1", 7), "f:2:4");
        assert_eq!(place("", 0), "f:1:1");
    }

    #[test]
    fn byte_offsets_continue_across_files() {
        let source = SourceFile::chain("f", "a\n", &[("g", "b\n"), ("h", "c\nd")]);
        let places = [0, 2, 4, 6].map(|byte| source.place_of(byte).to_string());
        assert_eq!(places, ["f:1:1", "g:1:1", "h:1:1", "h:2:1"]);
    }
}
