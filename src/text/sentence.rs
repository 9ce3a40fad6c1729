//! What counts as one sentence that is told again: the same words, whatever ways and sides it speaks of.

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
            let at = from
                + bytes
                    .get(from..)?
                    .iter()
                    .position(|byte| matches!(byte, b'.' | b'!' | b'?' | b';' | b':'))?;
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

/// A statement as it is remembered: two statements with one mark are one in four thousand million, unless they differ in
/// the ways and sides that they speak of alone.
pub fn mark(statement: &str) -> u32 {
    Mark::default().with(statement).0
}

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
        let add = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        // With all words so far, and with the one that is being read; the last eight of its letters.
        let (mut whole, mut hash, mut word) = (self.0, self.0, 0);
        text.bytes().chain([b' ']).for_each(|byte| {
            let letter = LETTERS[usize::from(byte)];
            if letter > 0 {
                hash = add(hash, letter);
                word = word << 8 | u64::from(letter);
                return;
            }
            if word >> SKIPPED_BITS > 0 || !SKIPPED.contains(&word) {
                whole = add(hash, b' ');
            }
            (hash, word) = (whole, 0);
        });
        Self(whole)
    }
}

/// Words that do not make two sentences different: a wall to the north is told like a wall to the south and west. The first is
/// no word at all.
const SKIPPED: [u64; 13] = [
    packed(b""),
    packed(b"is"),
    packed(b"the"),
    packed(b"and"),
    packed(b"all"),
    packed(b"are"),
    packed(b"east"),
    packed(b"west"),
    packed(b"side"),
    packed(b"four"),
    packed(b"north"),
    packed(b"south"),
    packed(b"sides"),
];

/// More bits than any of them has.
const SKIPPED_BITS: u32 = 40;

/// The last eight letters of a word as one number.
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
