//! Form of a sentence that a player reads. Included by `tests/tidy`, too.

/// Returns `true` if a text is one or more whole statements.
pub(crate) fn is_sentence(text: &str) -> bool {
    let first = text.chars().next();
    text.ends_with('.')
        && !text.ends_with("..")
        && !text.contains("  ")
        && text.trim() == text
        && first.is_some_and(|first| !first.is_whitespace())
}
