//! Lines typed in the line-by-line editor: lines of the text, changes of earlier lines, commands, and the end.

/// Meaning of a line within a text.
pub(crate) enum EditorLine<'a> {
    /// End of the text.
    End,
    /// Cancellation of the text.
    Cancel,
    /// Command to run outside the text.
    Command(&'a str),
    /// Change of the lines so far, or their list.
    Edit(Edit<'a>),
    /// Line of the text.
    Text(&'a str),
}

impl<'a> EditorLine<'a> {
    /// Parses an input line.
    pub(crate) fn read(line: &'a str) -> Self {
        match line.trim() {
            "." => Self::End,
            "~" => Self::Cancel,
            word if word.eq_ignore_ascii_case("cancel") => Self::Cancel,
            trimmed => {
                let command = trimmed.strip_prefix('/').map(Self::Command);
                command.or_else(|| Edit::read(trimmed).map(Self::Edit)).unwrap_or(Self::Text(line))
            }
        }
    }
}

/// Change of the lines of a text, with line numbers from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edit<'a> {
    /// Lists the lines from this one on.
    List(usize),
    /// Replaces a line.
    Replace(usize, &'a str),
    /// Inserts a line before this one.
    Insert(usize, &'a str),
    /// Deletes the lines from the first to the last.
    Delete(usize, usize),
    /// A line of this kind without its numbers.
    Unclear,
}

impl<'a> Edit<'a> {
    /// Parses a line such as `.replace 3 = TEXT`; `None` if it is no such line.
    fn read(line: &'a str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
        let with_text = |make: fn(usize, &'a str) -> Self| {
            let (at, text) = rest.split_once('=')?;
            Some(make(number(at)?, text.strip_prefix(' ').unwrap_or(text)))
        };
        let read = match word {
            ".list" if rest.is_empty() => Some(Self::List(1)),
            ".list" => number(rest).map(Self::List),
            ".replace" => with_text(Self::Replace),
            ".insert" => with_text(Self::Insert),
            ".delete" if rest.trim() == "all" => Some(Self::Delete(1, usize::MAX)),
            ".delete" => {
                let (first, last) = rest.split_once('-').unwrap_or((rest, rest));
                number(first).zip(number(last)).map(|(first, last)| Self::Delete(first, last))
            }
            _ => return None,
        };
        Some(read.unwrap_or(Self::Unclear))
    }
}

/// Returns `true` if a text may be broken into two lines at a space, to be rejoined by a space. Neither part may read
/// as a command or as the end of the text, and the second may not begin a paragraph.
pub(crate) fn can_break(text: &str, at: usize) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let is_text =
        |line: &str| matches!(EditorLine::read(line), EditorLine::Text(_)) && !line.starts_with("- ");
    is_text(before) && is_text(after) && !before.ends_with(' ') && !after.starts_with([' ', '.', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotted_words_change_lines_and_other_dots_are_text() {
        let read = |line: &'static str| match EditorLine::read(line) {
            EditorLine::Edit(edit) => Some(edit),
            _ => None,
        };
        assert_eq!(read(".replace 3 =   return M"), Some(Edit::Replace(3, "  return M")));
        assert_eq!(read(".insert 1 ="), Some(Edit::Insert(1, "")));
        assert_eq!(read(".delete 2-4"), Some(Edit::Delete(2, 4)));
        assert_eq!(read(".delete 0"), Some(Edit::Unclear));
        assert_eq!(read(".lists"), None);
        assert!(matches!(EditorLine::read("    x = 1"), EditorLine::Text("    x = 1")));
    }
}
