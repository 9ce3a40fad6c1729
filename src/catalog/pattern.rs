//! Sentences as content has them: text with slots. `dungeon::describe` draws a word for each.

use crate::text::sentence::{self, Mark};

/// A sentence with slots: `The {wall} is {wet}.`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its text and its slots in order.
    pub pieces: Vec<Piece>,
    /// What it is remembered by, whatever its slots are filled with. Where it has no words to draw, this is the mark of
    /// what it says.
    pub mark: u32,
    /// The marks of what it says; none if there are words to draw for it that make a difference.
    pub marks: Option<Vec<u32>>,
}

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
    /// The slot of the sides that a wall closes: "the north and west sides".
    pub const SIDES: &'static str = "sides";
    /// The slot of "is" or "are", as these sides need it.
    pub const ARE: &'static str = "are";
    /// Slots that say where, and nothing else, each with words that may stand there: what differs in these alone is the
    /// same sentence.
    const WHERE: &[(&'static str, &'static str)] =
        &[(Self::EXIT, "north"), (Self::SIDES, "the north side"), (Self::ARE, "is")];

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
        let mark = pieces.iter().fold(Mark::default(), |mark, piece| match piece {
            Piece::Text(text) => mark.with(text),
            Piece::Slot(_) => mark,
        });
        let said: Option<String> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                Piece::Slot(slot) => {
                    Self::WHERE.iter().find(|(name, _)| name == slot).map(|(_, words)| *words)
                }
            })
            .collect();
        Some(Self { pieces, mark: mark.0, marks: said.map(|said| sentence::marks(&said).collect()) })
    }

    /// Whether there are words to draw for it that make a difference.
    pub const fn has_words(&self) -> bool {
        self.marks.is_none()
    }

    /// The names of its slots in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Slot(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}
