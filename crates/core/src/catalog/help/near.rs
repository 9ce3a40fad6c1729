//! Similarity search for help pages. Names match with typing errors, by word stem or by prefix. Bodies match by word
//! stem, where rare words count more than frequent ones.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::Shared;
use crate::catalog::help::{HelpTopic, plain_words};
use crate::text::slips_between;

/// Stop words, which are ignored in questions.
const EMPTY: &[&str] = &[
    "a", "about", "all", "an", "and", "are", "be", "can", "do", "does", "for", "get", "go", "have", "help",
    "how", "i", "in", "is", "it", "make", "me", "my", "of", "on", "one", "or", "some", "that", "the",
    "there", "these", "this", "to", "use", "what", "when", "where", "which", "who", "why", "with", "you",
    "your",
];

/// Scores of a matching word of a page's names: equal stem, typing error, prefix.
const SAME: u32 = 60;
const SLIP: u32 = 40;
const BEGINNING: u32 = 30;
/// Maximum score of a word in a page's body, and the maximum number of occurrences that count.
const BODY_MATCH: u32 = 24;
const TIMES_MOST: u32 = 3;
/// Minimum length of a name to allow a typing error, unless both words are equally long.
const SLIP_CHARS: usize = 4;
/// Minimum length of a prefix.
const BEGINNING_CHARS: usize = 4;

/// Indexed words of all pages, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct SimilarityIndex(BTreeMap<String, Shared<IndexedPage>>);

/// Indexed words of a page.
#[derive(Clone, Debug, Default)]
struct IndexedPage {
    /// Words of its key, title and aliases.
    names: BTreeSet<String>,
    /// Stems of the words in its body, with their number of occurrences.
    stems: BTreeMap<String, u32>,
}

impl SimilarityIndex {
    /// Indexes a page.
    pub(super) fn learn(&mut self, topic: &HelpTopic) {
        let mut spoken = IndexedPage::default();
        let names = [&topic.key, &topic.title].into_iter().chain(&topic.aliases);
        for name in names.map(|name| plain_words(name)) {
            spoken.names.extend(words(&name).map(str::to_owned));
        }
        for word in words(&topic.body.text().to_lowercase()) {
            *spoken.stems.entry(stem(word)).or_default() += 1;
        }
        self.0.insert(topic.key.clone(), spoken.into());
    }

    /// Removes a page.
    pub(super) fn forget(&mut self, key: &str) {
        self.0.remove(key);
    }

    /// Returns the keys of at most `most` similar pages, best first.
    pub(super) fn keys(&self, asked: &str, most: usize) -> Vec<&str> {
        let mut worth: BTreeMap<&str, u32> = BTreeMap::new();
        for word in words(asked) {
            self.weigh(word, &mut worth);
        }
        let mut keys: Vec<(&str, u32)> = worth.into_iter().collect();
        keys.sort_by_key(|&(key, worth)| (std::cmp::Reverse(worth), key));
        let best = keys.first().map_or(0, |(_, worth)| *worth);
        keys.retain(|(_, worth)| worth * 2 >= best);
        keys.truncate(most);
        keys.into_iter().map(|(key, _)| key).collect()
    }

    fn weigh<'a>(&'a self, word: &str, worth: &mut BTreeMap<&'a str, u32>) {
        let asked = stem(word);
        let says = |spoken: &&Shared<IndexedPage>| spoken.stems.contains_key(&asked);
        let pages = u32::try_from(self.0.values().filter(says).count()).unwrap_or(u32::MAX);
        for (key, spoken) in &self.0 {
            // Only the most similar name of a page counts.
            let likest = spoken.names.iter().map(|name| likeness(word, &asked, name)).max().unwrap_or(0);
            let times = spoken.stems.get(&asked).copied().unwrap_or(0);
            let worthy = likest + (BODY_MATCH / pages.max(1)).max(1) * times.min(TIMES_MOST);
            if worthy > 0 {
                *worth.entry(key).or_default() += worthy;
            }
        }
    }
}

/// Returns the score of a name for a query word, whose stem is `asked`.
fn likeness(word: &str, asked: &str, name: &str) -> u32 {
    if stem(name) == asked {
        return SAME;
    }
    let long = name.chars().count();
    let compared = long >= SLIP_CHARS || long == word.chars().count();
    if compared && slips_between(allowed_typos(word), word, name).is_some() {
        return SLIP;
    }
    let short = word.chars().count().min(name.chars().count());
    if short >= BEGINNING_CHARS && (name.starts_with(word) || word.starts_with(name)) { BEGINNING } else { 0 }
}

/// Returns the number of typing errors allowed in a word.
fn allowed_typos(word: &str) -> usize {
    if word.chars().count() <= 6 { 1 } else { 2 }
}

/// Returns the words of a text without stop words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| word.len() >= 2 && !EMPTY.contains(word))
}

/// Returns a word without its ending, so that parties and party, or running and run, are equal.
fn stem(word: &str) -> String {
    let mut rest = word;
    for ending in ["ing", "ies", "ied", "ed", "es", "s", "y", "e"] {
        if let Some(begin) = rest.strip_suffix(ending).filter(|begin| begin.len() >= 3) {
            rest = begin;
            break;
        }
    }
    let mut stem = rest.to_owned();
    let twice =
        stem.as_bytes().last().is_some_and(|last| stem.len() > 3 && stem.as_bytes()[stem.len() - 2] == *last);
    if twice && rest.len() < word.len() {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_have_the_same_stem() {
        for (one, other) in [
            ("party", "parties"),
            ("running", "run"),
            ("moved", "moving"),
            ("trap", "traps"),
            ("heal", "healing"),
            ("curse", "cursed"),
        ] {
            assert_eq!(stem(one), stem(other), "{one}, {other}");
        }
        assert_ne!(stem("rope"), stem("room"));
    }
}
