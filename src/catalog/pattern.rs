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
    /// Whether its text is one statement, and its slots stand for whole words in it.
    pub is_one_statement: bool,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands, with its mark.
    Text(String, Mark),
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
                pieces.push(Piece::text(text));
            }
            pieces.push(Piece::Slot(slot.to_owned()));
            rest = tail;
        }
        if rest.contains('}') {
            return None;
        }
        if !rest.is_empty() {
            pieces.push(Piece::text(rest));
        }
        let mark = pieces.iter().fold(Mark::default(), |mark, piece| match piece {
            Piece::Text(_, text) => mark.then(*text),
            Piece::Slot(_) => mark,
        });
        let said: Option<String> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text, _) => Some(text.as_str()),
                Piece::Slot(slot) => {
                    Self::WHERE.iter().find(|(name, _)| name == slot).map(|(_, words)| *words)
                }
            })
            .collect();
        let marks = said.map(|said| sentence::marks(&said).collect());
        let is_one_statement = is_one_statement(&pieces);
        Some(Self { pieces, mark: mark.number(), marks, is_one_statement })
    }

    /// Whether there are words to draw for it that make a difference.
    pub const fn has_words(&self) -> bool {
        self.marks.is_none()
    }

    /// The names of its slots in order.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Slot(name) => Some(name.as_str()),
            Piece::Text(..) => None,
        })
    }
}

impl Piece {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned(), Mark::of(text))
    }
}

/// Whether nothing ends a statement before the end, and no word is put together from what is drawn and what stands there.
fn is_one_statement(pieces: &[Piece]) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let stands_apart = |pair: &[Piece]| match pair {
        [Piece::Text(text, _), Piece::Slot(_)] => sentence::has_no_stop(text) && !text.ends_with(is_letter),
        [Piece::Slot(_), Piece::Text(text, _)] => !text.starts_with(is_letter),
        _ => false,
    };
    let ends = match pieces {
        [.., Piece::Text(text, _)] => {
            sentence::has_no_stop(text.strip_suffix(['.', '!', '?']).unwrap_or(text))
        }
        _ => true,
    };
    ends && pieces.windows(2).all(stands_apart)
}
