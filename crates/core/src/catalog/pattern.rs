//! Sentences of content: text with slots, for which `dungeon::describe` picks words at random.

use crate::text::sentence::{self, TextFingerprint};

/// A sentence with slots: `The {wall} is {wet}.`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Text and slots in order.
    pub pieces: Vec<PatternPiece>,
    /// Hash of its fixed text, to recognise the pattern regardless of the words in its slots.
    pub mark: u32,
    /// Hashes of its statements; `None` if they depend on the words in its slots.
    pub marks: Option<Vec<u32>>,
    /// Set if its text is one statement and each slot is separate from the words around it.
    pub is_one_statement: bool,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternPiece {
    /// Literal text, with its hash.
    Text(String, TextFingerprint),
    /// Name of the word list to pick from.
    Slot(String),
}

impl Pattern {
    /// Slot of the direction of an exit that leads on.
    pub const EXIT: &'static str = "exit";
    /// Slot of the closed sides: "the north and west sides".
    pub const SIDES: &'static str = "sides";
    /// Slot of "is" or "are", to agree with the sides.
    pub const ARE: &'static str = "are";
    /// Slots that express only a location, each with an example. Sentences that differ only in these count as equal.
    const WHERE: &[(&'static str, &'static str)] =
        &[(Self::EXIT, "north"), (Self::SIDES, "the north side"), (Self::ARE, "is")];

    /// Parses a sentence. `None` if a brace is not paired or a slot has no name.
    pub fn parse(source: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = source;
        while let Some((text, after)) = rest.split_once('{') {
            let (slot, tail) = after.split_once('}')?;
            if slot.is_empty() || slot.contains('{') || text.contains('}') {
                return None;
            }
            if !text.is_empty() {
                pieces.push(PatternPiece::text(text));
            }
            pieces.push(PatternPiece::Slot(slot.to_owned()));
            rest = tail;
        }
        if rest.contains('}') {
            return None;
        }
        if !rest.is_empty() {
            pieces.push(PatternPiece::text(rest));
        }
        let mark = pieces.iter().fold(TextFingerprint::default(), |mark, piece| match piece {
            PatternPiece::Text(_, text) => mark.then(*text),
            PatternPiece::Slot(_) => mark,
        });
        let statement: Option<String> = pieces
            .iter()
            .map(|piece| match piece {
                PatternPiece::Text(text, _) => Some(text.as_str()),
                PatternPiece::Slot(slot) => {
                    Self::WHERE.iter().find(|(name, _)| name == slot).map(|(_, phrase)| *phrase)
                }
            })
            .collect();
        let marks = statement.map(|statement| sentence::marks(&statement).collect());
        let is_one_statement = is_one_statement(&pieces);
        Some(Self { pieces, mark: mark.number(), marks, is_one_statement })
    }

    /// Returns `true` if the statement depends on words picked for its slots.
    pub const fn has_words(&self) -> bool {
        self.marks.is_none()
    }

    /// Returns the names of its slots in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            PatternPiece::Slot(name) => Some(name.as_str()),
            PatternPiece::Text(..) => None,
        })
    }
}

impl PatternPiece {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned(), TextFingerprint::of(text))
    }
}

/// Returns `true` if the pieces form a single statement and no slot is part of a longer word.
fn is_one_statement(pieces: &[PatternPiece]) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let stands_apart = |pair: &[PatternPiece]| match pair {
        [PatternPiece::Text(text, _), PatternPiece::Slot(_)] => {
            sentence::has_no_stop(text) && !text.ends_with(is_letter)
        }
        [PatternPiece::Slot(_), PatternPiece::Text(text, _)] => !text.starts_with(is_letter),
        _ => false,
    };
    let ends = match pieces {
        [.., PatternPiece::Text(text, _)] => {
            sentence::has_no_stop(text.strip_suffix(['.', '!', '?']).unwrap_or(text))
        }
        _ => true,
    };
    ends && pieces.windows(2).all(stands_apart)
}
