//! Conversion of texts: paragraphs instead of terminal lines, names without articles, and keys made of names.

use std::borrow::Cow;

use super::picture;
use deepwell_core::base::unicode;
use deepwell_core::text::grammar;
use deepwell_core::text::sanitise::text_form;

/// Maximum number of letters of a key before a distinguishing suffix.
const KEY_CHARS: usize = 22;
/// Number of leading spaces that start a paragraph.
const INDENT: usize = 3;

/// A name and its article.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NameWithArticle {
    /// Name without the article.
    pub(super) name: String,
    /// Name with the article; `None` if the game would choose the same article.
    pub(super) with_article: Option<String>,
}

/// Decodes a file as UTF-8, or else as Latin-1; the second value is `true` for Latin-1.
pub(super) fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)), false),
        Err(_) => (Cow::Owned(bytes.iter().copied().map(char::from).collect()), true),
    }
}

fn cleaned(text: &str) -> String {
    let words: Vec<String> = unicode::clean(text).split_whitespace().map(str::to_owned).collect();
    // Joining can leave a combining mark without a base letter, so the text is cleaned again.
    unicode::clean(&words.join(" ")).trim().to_owned()
}

/// Returns a text as one line.
pub(super) fn line(text: &str) -> String {
    cleaned(text)
}

/// Returns a text as paragraphs, one per line. Lines of ASCII art keep their spaces.
pub(super) fn paragraphs(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let drawn = picture::drawn(&lines);
    let mut paragraphs: Vec<String> = Vec::new();
    let mut begins = true;
    for (line, is_drawn) in lines.iter().zip(drawn) {
        if is_drawn {
            paragraphs.push(picture::line(line));
            begins = true;
            continue;
        }
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let content = cleaned(line);
        begins |= content.is_empty() || indent >= INDENT;
        match paragraphs.last_mut().filter(|_| !begins) {
            Some(last) => *last = cleaned(&format!("{last} {content}")),
            None if !content.is_empty() => paragraphs.push(content.clone()),
            None => {}
        }
        begins = content.is_empty();
    }
    text_form(&paragraphs.join("\n"))
}

/// Returns a text as one line, or as paragraphs if it contains ASCII art.
pub(super) fn line_or_picture(text: &str) -> String {
    if is_picture(text) { paragraphs(text) } else { line(text) }
}

/// Returns `true` if some lines of a text are ASCII art: a map, a sign or a frame.
pub(super) fn is_picture(text: &str) -> bool {
    picture::drawn(&text.lines().collect::<Vec<_>>()).contains(&true)
}

/// Cuts a text behind a word to at most `most` characters. The second value is `true` if the text was cut.
pub(super) fn cut(text: &str, most: u32) -> (String, bool) {
    let Some((end, _)) = text.char_indices().nth(most as usize) else { return (text.to_owned(), false) };
    let kept = text.get(..end).unwrap_or_default();
    let end = kept.rfind([' ', '\n']).unwrap_or(kept.len());
    (kept.get(..end).unwrap_or(kept).trim_end().to_owned(), true)
}

/// Splits `the beastly fido` into article and name; `None` if there is no name.
fn name(short: &str, most: u32) -> Option<NameWithArticle> {
    let whole = line(short);
    let whole = cut(whole.trim_end_matches(['.', '!', ',']).trim_end(), most).0;
    let (article, rest) = whole.split_once(' ').unwrap_or(("", &whole));
    let article = article.to_lowercase();
    let known = ["a", "an", "the", "some"].contains(&article.as_str());
    let name = if known { cleaned(rest) } else { whole.clone() };
    let with_article = if known { format!("{article} {name}") } else { whole.clone() };
    let usual = grammar::with_article(&name, None);
    (!name.is_empty())
        .then(|| NameWithArticle { name, with_article: (with_article != usual).then_some(with_article) })
}

/// Returns the name of a creature or an item: that of its short description, else its keywords, else `otherwise`.
pub(super) fn name_or_keywords(short: &str, keys: &str, otherwise: &str, most: u32) -> NameWithArticle {
    let named = name(short, most).or_else(|| name(&keywords(keys).join(" "), most));
    named.unwrap_or_else(|| NameWithArticle { name: otherwise.to_owned(), with_article: None })
}

/// Splits a list of keywords.
pub(super) fn keywords(text: &str) -> Vec<String> {
    let lower = line(text).to_lowercase().replace(',', " ");
    let mut found: Vec<String> = Vec::new();
    for word in lower.split_whitespace().map(cleaned) {
        if !word.is_empty() && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Returns a key made of a name: lower-case letters, digits and `_`.
pub(super) fn slug(name: &str, otherwise: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut key = String::new();
    for word in words.map(str::to_ascii_lowercase) {
        if key.len() + word.len() > KEY_CHARS && !key.is_empty() {
            break;
        }
        if !key.is_empty() {
            key.push('_');
        }
        key.extend(word.chars().take(KEY_CHARS));
    }
    if key.is_empty() { otherwise.to_owned() } else { key }
}

/// Returns the text with an upper-case first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_lines_become_paragraphs() {
        assert_eq!(
            paragraphs("   You see\na mill. \r\n\r\nIt\tturns.\n   Slowly.\n"),
            "You see a mill.\nIt turns.\nSlowly."
        );
        assert_eq!(paragraphs("+---+\n|  a|\n+---+"), "+---+\n|  a|\n+---+");
        assert_eq!(
            paragraphs("You see a map.\nIt says:\n  +---+\n  | N |  \n  +---+\nThat is\nall.\n"),
            "You see a map. It says:\n  +---+\n  | N |\n  +---+\nThat is all."
        );
        assert_eq!(paragraphs(" \n\t\n"), "");
    }

    #[test]
    fn name_is_split_from_its_article() {
        let parts = |short: &str| {
            let NameWithArticle { name, with_article } = name(short, 60).expect("a name");
            (name, with_article)
        };
        assert_eq!(parts("the beastly fido."), ("beastly fido".into(), Some("the beastly fido".into())));
        assert_eq!(parts("An old man"), ("old man".into(), None));
        assert_eq!(parts("Marta"), ("Marta".into(), Some("Marta".into())));
        assert!(name("the ", 60).is_some() && name(" . ", 60).is_none());
    }

    #[test]
    fn keys_are_made_of_names() {
        assert_eq!(slug("The Red Room!", "room"), "the_red_room");
        assert_eq!(slug("ÄÖ", "room"), "room");
        assert_eq!(slug("A name that never comes to an end", "room"), "a_name_that_never_comes");
        assert_eq!(cut("one two three", 9), ("one two".into(), true));
    }
}
