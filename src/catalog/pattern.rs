//! Sentences as content has them: text with slots. `dungeon::describe` draws a word for each.

/// A sentence with slots: `The {wall} is {wet}.`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(pub Vec<Piece>);

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands.
    Text(String),
    /// The name of a list to draw a word from.
    Slot(String),
}

impl Pattern {
    /// The slot filled by the direction of a way on.
    pub const EXIT: &'static str = "exit";

    /// Reads a sentence. None if a brace is not paired or a slot has no name.
    pub fn parse(source: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = source;
        while let Some((text, after)) = rest.split_once('{') {
            let (slot, tail) = after.split_once('}')?;
            if slot.is_empty() || slot.contains('{') || text.contains('}') {
                return None;
            }
            if !text.is_empty() {
                pieces.push(Piece::Text(text.to_owned()));
            }
            pieces.push(Piece::Slot(slot.to_owned()));
            rest = tail;
        }
        if rest.contains('}') {
            return None;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Some(Self(pieces))
    }

    /// The names of its slots in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Slot(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}
