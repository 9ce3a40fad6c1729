//! What was typed behind a command, and the ways to take it apart. Nothing in here knows what is in the world.

use crate::game::refusal::Refusal;

/// Words that stand before a name and mean nothing by themselves.
const ARTICLES: &[&str] = &["the", "a", "an", "some"];

/// Words without spaces around them and without the article before them, if something follows it.
pub(crate) fn without_article(words: &str) -> &str {
    let words = words.trim();
    match words.split_once(char::is_whitespace) {
        Some((first, rest)) if ARTICLES.iter().any(|article| first.eq_ignore_ascii_case(article)) => {
            rest.trim_start()
        }
        _ => words,
    }
}

/// What was typed behind a command, or a part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    text: &'a str,
    /// What to type if something is missing.
    missing: &'static str,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str, missing: &'static str) -> Self {
        Self { text: text.trim(), missing }
    }

    /// The same advice about another text.
    fn with(self, text: &'a str) -> Self {
        Self::new(text, self.missing)
    }

    /// As they were typed.
    pub(crate) const fn text(self) -> &'a str {
        self.text
    }

    /// The same advice about nothing.
    pub(crate) fn without(self) -> Self {
        self.with("")
    }

    /// Without the article before a name.
    pub(crate) fn bare(self) -> &'a str {
        without_article(self.text)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Says what to type instead.
    pub(crate) const fn missing(self) -> Refusal {
        Refusal::Missing(self.missing)
    }

    /// Refuses a command behind which nothing stands.
    pub(crate) const fn required(self) -> Result<Self, Refusal> {
        if self.is_empty() { Err(self.missing()) } else { Ok(self) }
    }

    /// The first word in small letters, and what stands behind it.
    pub(crate) fn keyword(self) -> (String, Self) {
        let (word, rest) = self.first_word();
        (word.text.to_lowercase(), rest)
    }

    /// The first word, and what stands behind it.
    pub(crate) fn first_word(self) -> (Self, Self) {
        let (word, rest) = self.text.split_once(char::is_whitespace).unwrap_or((self.text, ""));
        (self.with(word), self.with(rest))
    }

    /// What stands before the last word, and that word; none if there is only one.
    pub(crate) fn last_word(self) -> Option<(Self, Self)> {
        let (rest, word) = self.text.rsplit_once(' ')?;
        Some((self.with(rest), self.with(word)))
    }

    /// Every way to part them between two words, the shortest beginning first.
    pub(crate) fn partings(self) -> impl Iterator<Item = (Self, Self)> {
        self.text
            .match_indices(' ')
            .map(move |(at, _)| (self.with(&self.text[..at]), self.with(&self.text[at..])))
    }

    /// What stands on both sides of the last of a word such as "from".
    pub(crate) fn around(self, word: &str) -> Option<(Self, Self)> {
        let (before, behind) = self.text.rsplit_once(&format!(" {word} "))?;
        Some((self.with(before), self.with(behind)))
    }

    /// What stands on both sides of the first `=`; nothing behind it counts as no `=`.
    pub(crate) fn sides(self) -> (Self, Option<Self>) {
        match self.text.split_once('=') {
            Some((left, right)) => {
                (self.with(left), Some(self.with(right)).filter(|right| !right.is_empty()))
            }
            None => (self, None),
        }
    }

    /// The first word and what it is to stand for, with or without an `=` between them.
    pub(crate) fn name_and_value(self) -> (Self, Self) {
        let (name, value) = self.text.split_once([' ', '=']).unwrap_or((self.text, ""));
        (self.with(name), self.with(value.trim_start_matches([' ', '='])))
    }

    /// What follows a word at the beginning, without it; all of it otherwise.
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
    fn articles_stand_before_a_name_only() {
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
    fn words_are_taken_apart() {
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
        assert_eq!(words("at the well").behind(&["at", "in"]).bare(), "well");
        assert_eq!(words("north =").sides().1.map(Words::text), None);
        assert_eq!(words("").required().err(), Some(Refusal::Missing("something")));
    }
}
