//! Slots in the texts of scripts, such as `{player}` and `{var:bells}`: words that are filled in when a line runs. Other
//! braces are ordinary characters.

use crate::text::nearest;

/// Slot in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextSlot<'t> {
    /// Word that the game knows: one of [`WORDS`].
    Word(&'t str),
    /// Value of a variable.
    Variable(&'t str),
}

/// Names of the slots other than variables. Those that begin with a capital letter do so in the text as well.
pub const WORDS: [&str; 8] =
    ["player", "player.they", "player.them", "player.their", "creature", "Creature", "room", "words"];

/// Prefix of the slot of a variable.
const VARIABLE: &str = "var:";

/// Piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextPiece<'t> {
    /// Text as it is.
    Text(&'t str),
    /// Slot.
    Slot(TextSlot<'t>),
}

/// Splits a text into its pieces. Braces around other words are text.
pub fn pieces(text: &str) -> impl Iterator<Item = TextPiece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut from = 0;
        while let Some(open) = rest[from..].find('{').map(|at| from + at) {
            let slot = rest[open + 1..].split_once('}').and_then(|(name, after)| Some((slot(name)?, after)));
            match slot {
                Some((slot, after)) if open == 0 => {
                    rest = after;
                    return Some(TextPiece::Slot(slot));
                }
                Some(_) => {
                    let (before, slot) = rest.split_at(open);
                    rest = slot;
                    return Some(TextPiece::Text(before));
                }
                None => from = open + 1,
            }
        }
        Some(TextPiece::Text(std::mem::take(&mut rest)))
    })
}

fn slot(name: &str) -> Option<TextSlot<'_>> {
    match name.strip_prefix(VARIABLE) {
        Some(name) => is_name(name).then_some(TextSlot::Variable(name)),
        None => WORDS.iter().find(|word| **word == name).map(|word| TextSlot::Word(word)),
    }
}

/// Returns `true` for `NAME` and `ZONE/NAME`, without requiring that they exist.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '/');
    !name.is_empty() && name.chars().all(fits)
}

/// Returns the words in braces that are probably meant as a slot and are none: `{plyer}`.
pub(in crate::catalog) fn unknown(text: &str) -> impl Iterator<Item = &str> {
    let looks = |name: &&str| {
        let is_near = || name.starts_with(VARIABLE) || nearest(name, WORDS).is_some();
        slot(name).is_none() && is_near()
    };
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).filter(looks)
}

/// Returns the text with its variables renamed.
pub(in crate::catalog) fn with_variables(text: &str, mut rename: impl FnMut(&str) -> String) -> String {
    let piece = |piece| match piece {
        TextPiece::Text(text) => text.to_owned(),
        TextPiece::Slot(TextSlot::Word(word)) => format!("{{{word}}}"),
        TextPiece::Slot(TextSlot::Variable(name)) => format!("{{{VARIABLE}{}}}", rename(name)),
    };
    pieces(text).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_found_and_other_braces_are_text() {
        let text = "{player} {has} {var:mill/bells} of {3} bells{";
        assert_eq!(
            pieces(text).collect::<Vec<_>>(),
            [
                TextPiece::Slot(TextSlot::Word("player")),
                TextPiece::Text(" {has} "),
                TextPiece::Slot(TextSlot::Variable("mill/bells")),
                TextPiece::Text(" of {3} bells{"),
            ]
        );
        assert_eq!(unknown(text).count(), 0);
        assert_eq!(
            unknown("{Player} {var:Bells} {} {a b} {you}").collect::<Vec<_>>(),
            ["Player", "var:Bells"]
        );
        let renamed = with_variables(text, |name| format!("x{name}"));
        assert_eq!(renamed, "{player} {has} {var:xmill/bells} of {3} bells{");
        assert_eq!(pieces("").count(), 0);
    }
}
