//! Semantic markup: text spans with a meaning instead of a look. Text of players is data and is never parsed for
//! styles. Colours and line breaks are added by the renderer.

use super::renderings::Renderings;
use crate::base::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// Meaning of a text span. The palette maps it to a look; colour is never the only carrier of meaning.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
    pub enum Style {
        /// Plain text.
        #[default]
        Plain,
        /// Room title, on its own line.
        RoomName,
        /// Direction or exit name.
        Exit,
        /// Notice that an exit is blocked (red).
        Blocked,
        /// Advice to the player (yellow).
        Hint,
        /// Name of a player character.
        Player,
        /// Name of a creature.
        #[serde(rename = "Mob")]
        Creature,
        /// Name of an item.
        Item,
        /// Speech.
        Speech,
        /// Harm: wounds, death, collapse (red).
        Harm,
        /// Death of a creature, with the experience gained (orange).
        Kill,
        /// Benefit: healing, reward, a cleared room.
        Boon,
        /// Command to type.
        Command,
        /// Heading in help and lists.
        Heading,
        /// Message from the server or its staff.
        System,
        /// Text of minor importance.
        Faint,
        /// Phrase that the player has chosen to have marked.
        Highlight,
    }
}

/// Styled text. Lines are separated by `\n`, without one at the end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Markup {
    text: String,
    /// Byte length and style of each run, in order; together they cover `text`.
    runs: Vec<(u32, Style)>,
    /// Renderings for clients that read the same text.
    #[serde(skip)]
    renderings: Renderings,
}

impl Markup {
    /// Creates empty markup.
    pub const fn new() -> Self {
        Self { text: String::new(), runs: Vec::new(), renderings: Renderings::new() }
    }

    /// Creates empty markup with capacity for a number of bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            runs: Vec::with_capacity(16),
            renderings: Renderings::new(),
        }
    }

    /// Creates plain text.
    pub fn plain(text: &str) -> Self {
        Self::new().and(text)
    }

    /// Creates text of one style.
    pub fn styled(style: Style, text: &str) -> Self {
        Self::new().with(style, text)
    }

    /// Appends plain text.
    #[must_use]
    pub fn and(self, text: &str) -> Self {
        self.with(Style::Plain, text)
    }

    /// Appends text of a style.
    #[must_use]
    pub fn with(mut self, style: Style, text: &str) -> Self {
        self.push(style, text);
        self
    }

    /// Appends text of a style in place.
    pub fn push(&mut self, style: Style, text: &str) {
        let len = u32::try_from(text.len()).unwrap_or(0);
        if len == 0 {
            return;
        }
        self.renderings = Renderings::new();
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some((run, last)) if *last == style => *run += len,
            _ => self.runs.push((len, style)),
        }
    }

    /// Appends other markup.
    pub fn append(&mut self, other: &Self) {
        for (style, text) in other.runs() {
            self.push(style, text);
        }
    }

    /// Starts a new line, unless the markup is empty.
    pub fn new_line(&mut self) {
        if !self.text.is_empty() {
            self.push(Style::Plain, "\n");
        }
    }

    /// Appends a line, with a line break before it if needed.
    pub fn line(&mut self, style: Style, text: &str) {
        self.new_line();
        self.push(style, text);
    }

    /// Returns the text without styles.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the runs in order.
    pub fn runs(&self) -> impl Iterator<Item = (Style, &str)> {
        let mut at = 0;
        self.runs.iter().map(move |(len, style)| {
            let from = at;
            at += *len as usize;
            (*style, self.text.get(from..at).unwrap_or_default())
        })
    }

    /// Returns the renderings that are kept with this text.
    pub(super) const fn renderings(&self) -> &Renderings {
        &self.renderings
    }

    /// Returns `true` if there is no text.
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
    fn runs_cover_the_text_and_equal_styles_merge() {
        let m = Markup::plain("You see ").and("a ").with(Style::Item, "lämp").and(".");
        assert_eq!(m.text(), "You see a lämp.");
        let runs: Vec<_> = m.runs().collect();
        assert_eq!(runs, [(Style::Plain, "You see a "), (Style::Item, "lämp"), (Style::Plain, ".")]);
    }
}
