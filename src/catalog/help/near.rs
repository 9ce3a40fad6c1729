//! Which pages come nearest to words that lead to none: by a slip of the pen in what they are called, by words of one
//! stem, and by what their text speaks of, of which a rare word says more than one that stands everywhere.

use std::collections::{BTreeMap, BTreeSet};

use super::{HelpTopic, plain_words};
use crate::text::slips_between;

/// Words of a question that say nothing about what is asked.
const EMPTY: &[&str] = &[
    "a", "about", "all", "an", "and", "are", "be", "can", "do", "does", "for", "get", "go", "have", "help",
    "how", "i", "in", "is", "it", "make", "me", "my", "of", "on", "one", "or", "some", "that", "the",
    "there", "these", "this", "to", "use", "what", "when", "where", "which", "who", "why", "with", "you",
    "your",
];

/// What a word of a page's names is worth, by how it is like the word that was asked.
const SAME: u32 = 60;
const SLIP: u32 = 40;
const BEGINNING: u32 = 30;
/// What a word of its text is worth at most, and how often one counts.
const SPOKEN_OF: u32 = 24;
const TIMES_MOST: u32 = 3;
/// Letters that a name needs for a slip in it to be one, unless both words have as many.
const SLIP_CHARS: usize = 4;
/// Letters that a beginning needs to be one.
const BEGINNING_CHARS: usize = 4;

/// The words of all pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearness {
    /// The words of keys, titles and aliases, and the keys they belong to.
    named: BTreeMap<String, BTreeSet<String>>,
    /// The stems of what the texts say, and how often in which.
    spoken: BTreeMap<String, BTreeMap<String, u32>>,
}

impl Nearness {
    pub(super) fn of<'a>(topics: impl Iterator<Item = &'a HelpTopic>) -> Self {
        let mut nearness = Self::default();
        for topic in topics {
            let names = [&topic.key, &topic.title].into_iter().chain(&topic.aliases);
            let names: Vec<String> = names.map(|name| plain_words(name)).collect();
            for word in names.iter().flat_map(|name| words(name)) {
                nearness.named.entry(word.to_owned()).or_default().insert(topic.key.clone());
            }
            let body = topic.body.text().to_lowercase();
            for word in words(&body) {
                *nearness.spoken.entry(stem(word)).or_default().entry(topic.key.clone()).or_default() += 1;
            }
        }
        nearness
    }

    /// The keys of so many pages at most that come near, the nearest first.
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
        // Of all the names of a page the one that is most like the word.
        let mut by_name: BTreeMap<&str, u32> = BTreeMap::new();
        for (name, keys) in &self.named {
            let likeness = likeness(word, &asked, name);
            for key in keys.iter().filter(|_| likeness > 0) {
                let best = by_name.entry(key).or_default();
                *best = likeness.max(*best);
            }
        }
        for (key, likeness) in by_name {
            *worth.entry(key).or_default() += likeness;
        }
        let Some(spoken) = self.spoken.get(&asked) else { return };
        let pages = u32::try_from(spoken.len()).unwrap_or(u32::MAX);
        for (key, times) in spoken {
            *worth.entry(key).or_default() += (SPOKEN_OF / pages).max(1) * (*times).min(TIMES_MOST);
        }
    }
}

/// How much a word of a page's name is like one that was asked, whose stem this is.
fn likeness(word: &str, asked: &str, name: &str) -> u32 {
    if stem(name) == asked {
        return SAME;
    }
    let long = name.chars().count();
    let compared = long >= SLIP_CHARS || long == word.chars().count();
    if compared && slips_between(slips_in(word), word, name).is_some() {
        return SLIP;
    }
    let short = word.chars().count().min(name.chars().count());
    if short >= BEGINNING_CHARS && (name.starts_with(word) || word.starts_with(name)) { BEGINNING } else { 0 }
}

/// How many slips a word may have and still be meant for another.
fn slips_in(word: &str) -> usize {
    if word.chars().count() <= 6 { 1 } else { 2 }
}

/// The words that say something.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| word.len() >= 2 && !EMPTY.contains(word))
}

/// A word without its ending: parties and party have one stem, as have running and run.
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
    fn words_of_one_stem_are_one() {
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
