//! Texts of puzzles: decks of cards in content files.

use crate::base::{Dice, Rng};
use crate::data::{CatalogError, Reader};
use std::collections::BTreeMap;

/// Separator between the texts of a card.
const SEPARATOR: &str = " | ";

/// Text file of a puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProseFile {
    /// Path below `content/`.
    pub(super) path: &'static str,
    /// Built-in texts.
    pub(super) shipped: &'static str,
    /// Decks in the file, with the number of texts per card.
    pub(super) decks: &'static [(&'static str, usize)],
}

impl ProseFile {
    /// Returns the built-in texts.
    pub(super) fn shipped(&self) -> Prose {
        self.read(self.shipped, &mut Vec::new())
    }

    /// Returns the texts of a content file; `None` if it is not this file.
    pub(super) fn find(&self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Prose> {
        (path == self.path).then(|| self.read(text, mistakes))
    }

    fn read(&self, text: &str, mistakes: &mut Vec<CatalogError>) -> Prose {
        let decks = |file: &mut Reader<'_>| {
            let decks = self.decks.iter();
            decks.map(|(name, texts)| ((*name).to_owned(), cards(file, name, *texts))).collect()
        };
        Prose { decks: Reader::whole(self.path, text, mistakes, decks).unwrap_or_default() }
    }
}

fn cards(file: &mut Reader<'_>, name: &str, texts: usize) -> Vec<String> {
    let cards = file.placed_texts(name, 1);
    for (place, card) in cards.iter().filter(|(_, card)| card.split(SEPARATOR).count() != texts) {
        let mistake = format!("`{card}` does not fit into `{name}`");
        file.note(CatalogError::new(place, mistake, format!("{texts} texts, apart by `{SEPARATOR}`")));
    }
    cards.into_iter().map(|(_, card)| card).collect()
}

/// Decks by name, in file order.
#[derive(Clone, Debug)]
pub(super) struct Prose {
    decks: BTreeMap<String, Vec<String>>,
}

impl Prose {
    /// Returns the cards of a deck in file order.
    pub(super) fn cards(&self, deck: &str) -> &[String] {
        self.decks.get(deck).map_or(&[], Vec::as_slice)
    }

    /// Returns a shuffled deck.
    pub(super) fn deck<const N: usize>(&self, name: &str, dice: &mut Rng) -> Deck<'_, N> {
        Deck::of(self.cards(name), dice)
    }
}

/// Cards in random order. When all have been drawn, they repeat in the same order.
#[derive(Clone, Debug)]
pub(super) struct Deck<'p, const N: usize> {
    cards: Vec<[&'p str; N]>,
    next: usize,
}

impl<'p, const N: usize> Deck<'p, N> {
    fn of(cards: &'p [String], dice: &mut Rng) -> Self {
        let card = |card: &'p String| {
            let mut texts = card.split(SEPARATOR).map(str::trim);
            [(); N].map(|()| texts.next().unwrap_or_default())
        };
        let mut cards: Vec<_> = cards.iter().map(card).collect();
        dice.shuffle(&mut cards);
        Self { cards, next: 0 }
    }

    /// Returns the next card; blank only if the deck is empty.
    pub(super) fn draw(&mut self) -> [&'p str; N] {
        let card = self.cards.get(self.next % self.cards.len().max(1)).copied();
        self.next += 1;
        card.unwrap_or([""; N])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::puzzle::shipped;

    #[test]
    fn deck_repeats_only_when_used_up() {
        let cards = ["a | one", "b | two", "c | three"].map(str::to_owned);
        let mut deck = Deck::<2>::of(&cards, &mut Seed(1).rng());
        let mut drawn: Vec<_> = (0..3).map(|_| deck.draw()).collect();
        assert_eq!(deck.draw(), drawn[0]);
        drawn.sort_unstable();
        assert_eq!(drawn, [["a", "one"], ["b", "two"], ["c", "three"]]);
        assert_eq!(Deck::<1>::of(&[], &mut Seed(1).rng()).draw(), [""]);
    }

    /// Mistakes in a file have a position, and built-in files have none.
    #[test]
    fn text_mistakes_have_a_position() {
        let source = ProseFile { path: "puzzles/a.toml", shipped: "", decks: &[("halls", 2), ("beasts", 1)] };
        let mut mistakes = Vec::new();
        assert!(source.find("puzzles/b.toml", "", &mut mistakes).is_none() && mistakes.is_empty());
        source.find("puzzles/a.toml", "halls = [\"a | b\",\n \"c\"]\nbeast = [\"d\"]\n", &mut mistakes);
        mistakes.sort();
        let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "puzzles/a.toml:1:1: `beasts` is missing, expected a list of at least one text",
                "puzzles/a.toml:2:2: `c` does not fit into `halls`, expected 2 texts, apart by ` | `",
                "puzzles/a.toml:3:1: unknown key `beast`, expected one of halls, beasts, did you mean `beasts`?",
            ]
        );
        let all = [shipped::lock_and_key::WORDS, shipped::levers::WORDS, shipped::plates::WORDS];
        for source in all.into_iter().chain([shipped::riddle::WORDS, shipped::myhero::WORDS]) {
            source.find(source.path, source.shipped, &mut mistakes);
            assert_eq!(mistakes.len(), 3, "{mistakes:?}");
        }
    }
}
