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
        let mut ended = false;
        for (at, byte) in self.text.bytes().enumerate().skip(self.at) {
            match byte {
                b'.' | b'!' | b'?' => ended = true,
                b'\'' | b'"' if ended => {}
                b' ' if ended => {
                    let rest = self.text.get(at + 1..).unwrap_or_default();
                    let next = rest.trim_start_matches(['\'', '"']).chars().next();
                    if next.is_none_or(|next| !next.is_lowercase()) {
                        return Some((at, at + 1, true));
                    }
                    ended = false;
                }
                b';' | b':' => {
                    let rest = self.text.get(at..).unwrap_or_default();
                    if let Some(joint) = self.joined.iter().find(|joint| rest.starts_with(**joint)) {
                        return Some((at, at + joint.len(), false));
                    }
                    ended = false;
                }
                _ => ended = false,
            }
        }
        None
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
        let add = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        // With all words so far, and with the one that is being read; where it began.
        let (mut whole, mut hash, mut start) = (self.0, self.0, 0);
        for (at, byte) in text.bytes().chain([b' ']).enumerate() {
            if byte.is_ascii_alphanumeric() {
                hash = add(hash, byte.to_ascii_lowercase());
                continue;
            }
            if !text.as_bytes().get(start..at).is_none_or(is_skipped) {
                whole = add(hash, b' ');
            }
            (hash, start) = (whole, at + 1);
        }
        Self(whole)
    }
}

/// Words that do not make two sentences different: a wall to the north is told like a wall to the south and west.
fn is_skipped(word: &[u8]) -> bool {
    let is = |list: &[&[u8]]| list.iter().any(|skipped| word.eq_ignore_ascii_case(skipped));
    match word.len() {
        0 => true,
        2 => is(&[b"is"]),
        3 => is(&[b"the", b"and", b"all", b"are"]),
        4 => is(&[b"east", b"west", b"side", b"four"]),
        5 => is(&[b"north", b"south", b"sides"]),
        _ => false,
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
