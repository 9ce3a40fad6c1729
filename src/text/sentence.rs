//! Sentences that count as the same when they are told again: the same words, with any ways, sides and numbers.

/// The sentences of a text.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    Parts { text, at: 0, is_read: false, joined: &[] }
}

/// What somebody reads of a text as one statement each: its sentences, the halves of those that are joined, and what is
/// quoted in them.
pub fn statements(text: &str) -> impl Iterator<Item = &str> {
    Parts { text, at: 0, is_read: false, joined: &["; ", ": '"] }
}

/// The parts of a text one after the other; new rooms take dozens of texts apart, so nothing is kept of what was read.
struct Parts<'t> {
    text: &'t str,
    /// Where the next part begins.
    at: usize,
    /// Whether the last part was given.
    is_read: bool,
    /// What stands between two parts of one sentence.
    joined: &'static [&'static str],
}

impl Parts<'_> {
    /// Where the part that begins here ends, where the next one begins, and whether a sentence ends between them. None
    /// if this is the last part.
    fn end(&self) -> Option<(usize, usize, bool)> {
        let bytes = self.text.as_bytes();
        let mut from = self.at;
        loop {
            let at = from + bytes.get(from..)?.iter().position(|byte| STOPS[usize::from(*byte)])?;
            let rest = self.text.get(at..).unwrap_or_default();
            if rest.starts_with([';', ':']) {
                if let Some(joint) = self.joined.iter().find(|joint| rest.starts_with(**joint)) {
                    return Some((at, at + joint.len(), false));
                }
                from = at + 1;
                continue;
            }
            let after = rest.trim_start_matches(['.', '!', '?', '\'', '"']);
            from = self.text.len() - after.len();
            if let Some(next) = after.strip_prefix(' ') {
                let next = next.trim_start_matches(['\'', '"']).chars().next();
                if next.is_none_or(|next| !next.is_lowercase()) {
                    return Some((from, from + 1, true));
                }
            }
        }
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        while !self.is_read {
            let (start, found) = (self.at, self.end());
            let (end, next, ends_sentence) = found.unwrap_or((self.text.len(), self.text.len(), true));
            (self.at, self.is_read) = (next, found.is_none());
            let part = self.text.get(start..end)?;
            if !ends_sentence || !part.trim().is_empty() {
                return Some(part);
            }
        }
        None
    }
}

/// The marks of what a text says, one of each statement.
pub fn marks(text: &str) -> impl Iterator<Item = u32> {
    statements(text).map(mark)
}

/// A statement as it is remembered: two statements with one mark are one in four thousand million, unless they differ
/// only in the ways, sides and numbers that they speak of.
pub fn mark(statement: &str) -> u32 {
    Mark::of(statement).number()
}

/// Whether a text has none of what may stand between two statements.
pub fn has_no_stop(text: &str) -> bool {
    !text.bytes().any(|byte| STOPS[usize::from(byte)])
}

/// Which bytes may stand between two statements.
static STOPS: [bool; 256] = {
    let (mut stops, mut byte) = ([false; 256], 0_u8);
    loop {
        stops[byte as usize] = matches!(byte, b'.' | b'!' | b'?' | b';' | b':');
        if byte == u8::MAX {
            break stops;
        }
        byte += 1;
    }
};

/// Letters and digits as words are compared, in small letters; 0 for all that stands between words. Every draft of a room is read
/// by this.
static LETTERS: [u8; 256] = {
    let (mut letters, mut byte) = ([0; 256], 0_u8);
    loop {
        if byte.is_ascii_alphanumeric() {
            letters[byte as usize] = byte.to_ascii_lowercase();
        }
        if byte == u8::MAX {
            break letters;
        }
        byte += 1;
    }
};

/// What is remembered of a text of whole words. That of two texts is told from those of both, whatever they say, so that
/// what stands in a pattern is read once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The words as the digits of a number.
    digits: u64,
    /// What the digits before are worth: the base to the power of the number of words.
    worth: u64,
}

impl Default for Mark {
    fn default() -> Self {
        Self { digits: 0, worth: 1 }
    }
}

impl Mark {
    /// The base of the digits, and what spreads the letters of a word over all bits of one.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The mark of a text.
    pub fn of(text: &str) -> Self {
        let (mut mark, mut word) = (Self::default(), 0);
        for byte in text.bytes() {
            let letter = LETTERS[usize::from(byte)];
            if letter == 0 {
                mark = mark.with_word(word);
                word = 0;
                continue;
            }
            if word >> (u64::BITS - u8::BITS) > 0 {
                mark = mark.with_word(word);
                word = GOES_ON;
            }
            word = word << u8::BITS | u64::from(letter);
        }
        mark.with_word(word)
    }

    /// The mark of this text and one that follows.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        Self {
            digits: self.digits.wrapping_mul(next.worth).wrapping_add(next.digits),
            worth: self.worth.wrapping_mul(next.worth),
        }
    }

    /// As it is kept.
    pub const fn number(self) -> u32 {
        (self.digits.wrapping_mul(Self::BASE) >> u32::BITS) as u32
    }

    /// With a word of at most eight letters, or with the end of a longer one.
    fn with_word(self, word: u64) -> Self {
        if SKIPPED[place_of(word)] == word { self } else { self.with_digit(word) }
    }

    const fn with_digit(self, letters: u64) -> Self {
        let spread = letters.wrapping_mul(Self::BASE);
        self.then(Self { digits: spread ^ spread >> u32::BITS, worth: Self::BASE })
    }
}

/// Stands before the letters of a word that more than eight went before; no letter is this.
const GOES_ON: u64 = 1;

/// Words that do not make two sentences different: a wall to the north is told like a wall to the south and west, and a
/// room of ten paces like a room of twelve. Each
/// stands where the rest of its division by the number of places says, so that one look tells whether a word is one of
/// them; 0, which is no word at all, is in all other places.
static SKIPPED: [u64; PLACES] = {
    let words: [&[u8]; 39] = [
        b"is",
        b"the",
        b"and",
        b"all",
        b"are",
        b"east",
        b"west",
        b"side",
        b"four",
        b"north",
        b"south",
        b"sides",
        b"one",
        b"two",
        b"three",
        b"five",
        b"six",
        b"seven",
        b"eight",
        b"nine",
        b"ten",
        b"eleven",
        b"twelve",
        b"thirteen",
        b"fourteen",
        b"fifteen",
        b"sixteen",
        b"eighteen",
        b"nineteen",
        b"twenty",
        b"thirty",
        b"forty",
        b"fifty",
        b"sixty",
        b"seventy",
        b"eighty",
        b"ninety",
        // "seventeen" is longer than a word that is told at once.
        b"seventee",
        b"\x01n",
    ];
    let (mut skipped, mut next) = ([0; PLACES], 0);
    while next < words.len() {
        let word = packed(words[next]);
        let place = place_of(word);
        assert!(place > 0 && skipped[place] == 0, "two words have one place: there must be more of them");
        skipped[place] = word;
        next += 1;
    }
    skipped
};

/// How many places there are for them.
const PLACES: usize = 315;

#[expect(clippy::cast_possible_truncation, reason = "it is less than the number of places")]
const fn place_of(word: u64) -> usize {
    (word % PLACES as u64) as usize
}

/// The letters of a short word as one number.
const fn packed(word: &[u8]) -> u64 {
    match word {
        [before @ .., last] => packed(before) << 8 | *last as u64,
        [] => 0,
    }
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
        assert!(alike("It is ten paces by nine.", "It is seventeen paces by twenty-four."));
        assert!(!alike("A rotten plank lies here.", "A barrel lid lies here."));
        assert!(!alike("The bricklayers rest here.", "The bricklayer rests here."));
        assert!(!alike("Rock on clay.", "Clay on rock."));
        assert!(!alike("The stairs turn clockwise.", "The stairs turn anticlockwise."));
    }

    /// What a text is remembered by can be told from its parts, wherever it is cut between two words.
    #[test]
    fn the_mark_of_a_text_is_told_from_its_parts() {
        let text = "The waterclosets of the north side are of greenish brick.";
        for (at, _) in text.match_indices(' ') {
            let (front, back) = text.split_at(at);
            assert_eq!(Mark::of(front).then(Mark::of(back)), Mark::of(text), "{front}|{back}");
        }
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
