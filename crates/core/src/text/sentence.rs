//! Detection of repeated sentences: two sentences count as equal if they differ only in directions, sides and numbers.

/// Returns the sentences of a text.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    SentenceParts { text, at: 0, is_read: false, joined: &[] }
}

/// Returns the statements of a text: its sentences, the parts of joined sentences, and quotations within them.
pub fn statements(text: &str) -> impl Iterator<Item = &str> {
    SentenceParts { text, at: 0, is_read: false, joined: &["; ", ": '"] }
}

/// Iterator over the parts of a text. It allocates nothing, as each new room splits dozens of texts.
struct SentenceParts<'t> {
    text: &'t str,
    /// Start of the next part.
    at: usize,
    /// Set once the last part has been returned.
    is_read: bool,
    /// Separators between two parts of one sentence.
    joined: &'static [&'static str],
}

impl SentenceParts<'_> {
    /// Returns the end of the current part, the start of the next one, and `true` if a sentence ends between them.
    /// `None` if this is the last part.
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

impl<'t> Iterator for SentenceParts<'t> {
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

/// Returns the fingerprint of each statement of a text.
pub fn marks(text: &str) -> impl Iterator<Item = u32> {
    statements(text).map(mark)
}

/// Returns the fingerprint of a statement. Equal fingerprints mean equal statements, apart from directions, sides and
/// numbers; other collisions have a chance of about 1 in 4 billion.
pub fn mark(statement: &str) -> u32 {
    TextFingerprint::of(statement).number()
}

/// Returns `true` if a text has no character that could separate statements.
pub fn has_no_stop(text: &str) -> bool {
    !text.bytes().any(|byte| STOPS[usize::from(byte)])
}

/// Bytes that can separate two statements.
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

/// Lower-case form of letters and digits; 0 for bytes that separate words. Each draft of a room is read through this
/// table.
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

/// Fingerprint of a text of whole words. Fingerprints of two texts can be combined into that of their concatenation, so
/// each part of a pattern is read only once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextFingerprint {
    /// Words as digits of a number in base [`Self::BASE`].
    digits: u64,
    /// Base to the power of the number of words.
    worth: u64,
}

impl Default for TextFingerprint {
    fn default() -> Self {
        Self { digits: 0, worth: 1 }
    }
}

impl TextFingerprint {
    /// Base of the digits; also the multiplier that spreads the letters of a word over all bits of its digit.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Returns the fingerprint of a text.
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

    /// Returns the fingerprint of this text followed by another.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        Self {
            digits: self.digits.wrapping_mul(next.worth).wrapping_add(next.digits),
            worth: self.worth.wrapping_mul(next.worth),
        }
    }

    /// Returns the stored form.
    pub const fn number(self) -> u32 {
        (self.digits.wrapping_mul(Self::BASE) >> u32::BITS) as u32
    }

    /// Appends a word of at most eight letters, or the end of a longer one.
    fn with_word(self, word: u64) -> Self {
        if SKIPPED[place_of(word)] == word { self } else { self.with_digit(word) }
    }

    const fn with_digit(self, letters: u64) -> Self {
        let spread = letters.wrapping_mul(Self::BASE);
        self.then(Self { digits: spread ^ spread >> u32::BITS, worth: Self::BASE })
    }
}

/// Marker before the letters of a word that continue after the first eight; not a letter itself.
const GOES_ON: u64 = 1;

/// Words ignored in comparisons: a wall to the north equals walls to the south and west, and a room of ten paces equals
/// a room of twelve. Each word is at its value modulo the number of slots, so that one look-up finds it. Other slots
/// hold 0, which is not a word.
static SKIPPED: [u64; PLACES] = {
    let words: [&[u8]; 39] = [
        b"is", b"the", b"and", b"all", b"are", b"east", b"west", b"side", b"four", b"north", b"south",
        b"sides", b"one", b"two", b"three", b"five", b"six", b"seven", b"eight", b"nine", b"ten", b"eleven",
        b"twelve", b"thirteen", b"fourteen", b"fifteen", b"sixteen", b"eighteen", b"nineteen", b"twenty",
        b"thirty", b"forty", b"fifty", b"sixty", b"seventy", b"eighty", b"ninety",
        // "seventeen" does not fit into eight letters.
        b"seventee", b"\x01n",
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

/// Number of slots.
const PLACES: usize = 315;

#[expect(clippy::cast_possible_truncation, reason = "it is less than the number of places")]
const fn place_of(word: u64) -> usize {
    (word % PLACES as u64) as usize
}

/// Returns the letters of a short word as one number.
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

    /// Directions, sides and case are ignored; every other word counts.
    #[test]
    fn fingerprint_ignores_directions_sides_and_numbers() {
        assert!(alike("Rough rock closes the north side.", "rough rock closes the south and west sides."));
        assert!(alike("The south and east sides are of brick.", "The west side is of brick."));
        assert!(alike("It is ten paces by nine.", "It is seventeen paces by twenty-four."));
        assert!(!alike("A rotten plank lies here.", "A barrel lid lies here."));
        assert!(!alike("The bricklayers rest here.", "The bricklayer rests here."));
        assert!(!alike("Rock on clay.", "Clay on rock."));
        assert!(!alike("The stairs turn clockwise.", "The stairs turn anticlockwise."));
    }

    /// The text is cut between any two words.
    #[test]
    fn fingerprints_of_parts_combine() {
        let text = "The waterclosets of the north side are of greenish brick.";
        for (at, _) in text.match_indices(' ') {
            let (front, back) = text.split_at(at);
            assert_eq!(
                TextFingerprint::of(front).then(TextFingerprint::of(back)),
                TextFingerprint::of(text),
                "{front}|{back}"
            );
        }
    }

    /// Includes clauses joined by a semicolon, and a speaker with the quoted question.
    #[test]
    fn joined_statements_are_separate() {
        let text = "Brick lies underfoot; rock closes the west side. It says: 'What has teeth? Eat.' So.";
        let parts: Vec<&str> = statements(text).collect();
        let apart = [
            "Brick lies underfoot",
            "rock closes the west side.",
            "It says",
            "What has teeth?",
            "Eat.'",
            "So.",
        ];
        assert_eq!(parts, apart);
    }
}
