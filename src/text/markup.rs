//! Text with meaning: spans that say what they are, never how they look. Player text put in here is data and
//! stays data; nothing turns it into style. Colours and line breaks are the renderer's.

use crate::base::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// What a span of text is. The palette decides how that looks; colour never carries the meaning alone.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
    pub enum Style {
        /// Running text.
        #[default]
        Plain,
        /// The name of a room, on a line of its own.
        RoomName,
        /// A direction or the name of an exit.
        Exit,
        /// That the way is blocked (red).
        Blocked,
        /// Advice about what to do (yellow).
        Hint,
        /// A person that somebody plays.
        Player,
        /// A creature that rules play.
        Mob,
        /// A thing.
        Item,
        /// What somebody says.
        Speech,
        /// Harm: wounds, death, collapse (red).
        Harm,
        /// The end of a creature, with the experience for it (orange).
        Kill,
        /// Good fortune: healing, reward, a room cleared.
        Boon,
        /// A word to type.
        Command,
        /// A heading in help and lists.
        Heading,
        /// From the server or its staff.
        System,
        /// Less important.
        Faint,
    }
}

/// Styled text. Lines are parted by `\n`; there is none at the end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Markup {
    text: String,
    /// Byte length and style of each run, in order; together they cover `text`.
    runs: Vec<(u32, Style)>,
}

impl Markup {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { text: String::new(), runs: Vec::new() }
    }

    /// Nothing yet, with room for so many bytes of text.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), runs: Vec::with_capacity(16) }
    }

    /// Running text.
    pub fn plain(text: &str) -> Self {
        Self::new().and(text)
    }

    /// Text of one style.
    pub fn styled(style: Style, text: &str) -> Self {
        Self::new().with(style, text)
    }

    /// Adds running text.
    #[must_use]
    pub fn and(self, text: &str) -> Self {
        self.with(Style::Plain, text)
    }

    /// Adds text of a style.
    #[must_use]
    pub fn with(mut self, style: Style, text: &str) -> Self {
        self.push(style, text);
        self
    }

    /// Adds text of a style in place.
    pub fn push(&mut self, style: Style, text: &str) {
        let len = u32::try_from(text.len()).unwrap_or(0);
        if len == 0 {
            return;
        }
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some((run, last)) if *last == style => *run += len,
            _ => self.runs.push((len, style)),
        }
    }

    /// Adds another piece of markup.
    pub fn append(&mut self, other: &Self) {
        for (style, text) in other.runs() {
            self.push(style, text);
        }
    }

    /// Begins a new line, unless nothing has been written yet.
    pub fn new_line(&mut self) {
        if !self.text.is_empty() {
            self.push(Style::Plain, "\n");
        }
    }

    /// Adds a line: a line break where needed, then the text.
    pub fn line(&mut self, style: Style, text: &str) {
        self.new_line();
        self.push(style, text);
    }

    /// The words without their styles.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The runs in order.
    pub fn runs(&self) -> impl Iterator<Item = (Style, &str)> {
        let mut at = 0;
        self.runs.iter().map(move |(len, style)| {
            let from = at;
            at += *len as usize;
            (*style, self.text.get(from..at).unwrap_or_default())
        })
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Self {
        Self::plain(text)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Self {
        Self::plain(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_the_text_and_join_where_alike() {
        let m = Markup::plain("You see ").and("a ").with(Style::Item, "lämp").and(".");
        assert_eq!(m.text(), "You see a lämp.");
        let runs: Vec<_> = m.runs().collect();
        assert_eq!(runs, [(Style::Plain, "You see a "), (Style::Item, "lämp"), (Style::Plain, ".")]);
    }
}
