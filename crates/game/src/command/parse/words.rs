//! Text after a command, and ways to split it. Independent of the state of the world.

use crate::refusal::Refusal;

/// Articles that may precede a name.
const ARTICLES: &[&str] = &["the", "a", "an", "some"];

/// Trims the text and strips a leading article, if another word follows.
pub(crate) fn without_article(text: &str) -> &str {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) if ARTICLES.iter().any(|article| first.eq_ignore_ascii_case(article)) => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Text after a command, or a piece of that text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    text: &'a str,
    /// Usage shown if an argument is missing.
    missing: &'static str,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str, missing: &'static str) -> Self {
        Self { text: text.trim(), missing }
    }

    /// Returns another text with the same usage.
    fn with(self, text: &'a str) -> Self {
        Self::new(text, self.missing)
    }

    /// Returns the text as typed.
    pub(crate) const fn text(self) -> &'a str {
        self.text
    }

    /// Returns an empty text with the same usage.
    pub(crate) fn without(self) -> Self {
        self.with("")
    }

    /// Returns the text without a leading article.
    pub(crate) fn bare(self) -> &'a str {
        without_article(self.text)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns the refusal that shows the usage.
    pub(crate) const fn missing(self) -> Refusal {
        Refusal::Missing(self.missing)
    }

    /// Returns an error if the text is empty.
    pub(crate) const fn required(self) -> Result<Self, Refusal> {
        if self.is_empty() { Err(self.missing()) } else { Ok(self) }
    }

    /// Splits off the first word, in lower case.
    pub(crate) fn keyword(self) -> (String, Self) {
        let (word, rest) = self.first_word();
        (word.text.to_lowercase(), rest)
    }

    /// Splits off the first word.
    pub(crate) fn first_word(self) -> (Self, Self) {
        let (word, rest) = self.text.split_once(char::is_whitespace).unwrap_or((self.text, ""));
        (self.with(word), self.with(rest))
    }

    /// Splits off the last word; `None` if there is only one.
    pub(crate) fn last_word(self) -> Option<(Self, Self)> {
        let (rest, word) = self.text.rsplit_once(' ')?;
        Some((self.with(rest), self.with(word)))
    }

    /// Splits off `page NUMBER` at the end; the default is the first page.
    pub(crate) fn split_page(self) -> (Self, usize) {
        let split = self.last_word().and_then(|(before, number)| {
            let (before, page) = before.last_word().unwrap_or((self.with(""), before));
            let number = number.text().parse().ok().filter(|number| *number > 0)?;
            page.text().eq_ignore_ascii_case("page").then_some((before, number))
        });
        split.unwrap_or((self, 1))
    }

    /// Splits off a page number at the end; the default is the first page.
    pub(crate) fn split_page_number(self) -> (Self, usize) {
        let (before, last) = self.last_word().unwrap_or((self.without(), self));
        last.text().parse().map_or((self, 1), |page: usize| (before, page.max(1)))
    }

    /// Returns all splits between two words, the shortest beginning first.
    pub(crate) fn partings(self) -> impl Iterator<Item = (Self, Self)> {
        self.text
            .match_indices(' ')
            .map(move |(at, _)| (self.with(&self.text[..at]), self.with(&self.text[at..])))
    }

    /// Splits around the last occurrence of a word such as "from".
    pub(crate) fn around(self, word: &str) -> Option<(Self, Self)> {
        let (before, behind) = self.text.rsplit_once(&format!(" {word} "))?;
        Some((self.with(before), self.with(behind)))
    }

    /// Splits at the first `=`. Nothing after the `=` counts as no `=`.
    pub(crate) fn sides(self) -> (Self, Option<Self>) {
        match self.text.split_once('=') {
            Some((left, right)) => {
                (self.with(left), Some(self.with(right)).filter(|right| !right.is_empty()))
            }
            None => (self, None),
        }
    }

    /// Splits off the first word, with or without an `=` after it.
    pub(crate) fn name_and_value(self) -> (Self, Self) {
        let (name, value) = self.text.split_once([' ', '=']).unwrap_or((self.text, ""));
        (self.with(name), self.with(value.trim_start_matches([' ', '='])))
    }

    /// Strips a leading word if it is in the list and other words follow.
    pub(crate) fn behind(self, words: &[&str]) -> Self {
        let (first, rest) = self.keyword();
        if words.contains(&first.as_str()) && !rest.is_empty() { rest } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words<'_> {
        Words::new(text, "something")
    }

    #[test]
    fn leading_article_is_stripped_before_a_name() {
        for (typed, bare) in [
            ("the lamp", "lamp"),
            ("  A  clay lamp ", "clay lamp"),
            ("an axe", "axe"),
            ("Some coins", "coins"),
            ("the", "the"),
            ("another lamp", "another lamp"),
            ("", ""),
        ] {
            assert_eq!(without_article(typed), bare, "{typed}");
        }
    }

    #[test]
    fn words_are_split() {
        let texts = |(one, other): (Words<'_>, Words<'_>)| (one.text().to_owned(), other.text().to_owned());
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(words("lamp from old bag").around("from").map(texts), Some(pair("lamp", "old bag")));
        assert_eq!(words("from bag").around("from").map(texts), None);
        assert_eq!(words("a b c").last_word().map(texts), Some(pair("a b", "c")));
        assert_eq!(
            words("a b c").partings().map(texts).collect::<Vec<_>>(),
            [pair("a", "b c"), pair("a b", "c")]
        );
        assert_eq!(words("New  Bera").keyword().0, "new");
        let paged = |typed| {
            let (before, page) = words(typed).split_page_number();
            (before.text(), page)
        };
        assert_eq!(
            ["", "a b", "a 3", "3", "a 0"].map(paged),
            [("", 1), ("a b", 1), ("a", 3), ("", 3), ("a", 1)]
        );
        assert_eq!(words("at the well").behind(&["at", "in"]).bare(), "well");
        assert_eq!(words("north =").sides().1.map(Words::text), None);
        assert_eq!(words("").required().err(), Some(Refusal::Missing("something")));
    }
}
