//! What counts as one sentence that is told again: the same words, whatever ways and sides it speaks of.

/// Words that do not make two sentences different: a wall to the north is told like a wall to the south and west.
const SKIPPED: &[&str] =
    &["north", "east", "south", "west", "the", "and", "side", "sides", "all", "four", "is", "are"];

/// The longest of them.
const SKIPPED_MAX: usize = 5;

/// The sentences of a text.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '.' | '!' | '?' => ended = true,
            '\'' | '"' if ended => {}
            ' ' if ended => {
                let next =
                    text.get(at + 1..).and_then(|rest| rest.trim_start_matches(['\'', '"']).chars().next());
                if next.is_none_or(|next| !next.is_lowercase()) {
                    sentences.extend(text.get(start..at));
                    start = at + 1;
                }
                ended = false;
            }
            _ => ended = false,
        }
    }
    sentences.extend(text.get(start..));
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// What somebody reads of a text as one statement each: its sentences, the halves of those that are joined, and what is
/// quoted in them.
pub fn statements(text: &str) -> impl Iterator<Item = &str> {
    let halves = sentences(text).into_iter().flat_map(|sentence| sentence.split("; "));
    halves.flat_map(|half| half.split(": '"))
}

/// A statement as it is remembered: two statements with one mark are one in four thousand million, unless they differ in
/// the ways and sides that they speak of alone.
pub fn mark(statement: &str) -> u32 {
    Mark::default().with(statement).0
}

/// A mark in the making.
#[derive(Clone, Copy)]
pub struct Mark(pub u32);

impl Default for Mark {
    fn default() -> Self {
        Self(0x811c_9dc5)
    }
}

impl Mark {
    /// With the words of a text that follows.
    #[must_use]
    pub fn with(self, text: &str) -> Self {
        let words = text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
        words.filter(|word| !is_skipped(word)).fold(self, |mark, word| {
            let letters = word.iter().map(u8::to_ascii_lowercase).chain([b' ']);
            Self(letters.fold(mark.0, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
        })
    }
}

fn is_skipped(word: &[u8]) -> bool {
    word.len() <= SKIPPED_MAX
        && (word.is_empty() || SKIPPED.iter().any(|skipped| word.eq_ignore_ascii_case(skipped.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, two: &str) -> bool {
        mark(one) == mark(two)
    }

    /// Ways, sides and the case of letters make no difference, every other word does.
    #[test]
    fn a_statement_is_known_by_its_words() {
        assert!(alike("Rough rock closes the north side.", "rough rock closes the south and west sides."));
        assert!(alike("The south and east sides are of brick.", "The west side is of brick."));
        assert!(!alike("It is ten paces by nine.", "It is nine paces by nine."));
        assert!(!alike("A rotten plank lies here.", "A barrel lid lies here."));
    }

    /// Joined sentences are two, and so are a face and what it asks.
    #[test]
    fn what_is_joined_counts_apart() {
        let text = "Brick lies underfoot; rock closes the west side. It says: 'What has teeth? Eat.' So.";
        let told: Vec<&str> = statements(text).collect();
        let apart = [
            "Brick lies underfoot",
            "rock closes the west side.",
            "It says",
            "What has teeth?",
            "Eat.'",
            "So.",
        ];
        assert_eq!(told, apart);
    }
}
