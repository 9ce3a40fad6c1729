//! Props: things in a room that a fighter can use, once in each fight.

use crate::catalog::script::sentence::{TargetNeed, sentence};
use crate::catalog::{Answer, Catalog};
use crate::data::{CatalogError, Position, definition};
use crate::text::act::Template;

/// Words of sentences about an exit.
const SIDES: [&str; 4] = ["north", "east", "south", "west"];

definition! {
    /// A prop, from `content/props/KEY.toml`. A room has it if its text names it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Prop {
        /// Stable key in content.
        pub key: String => |file| file.key(),
        /// Nouns that name it in the text of a room, singular and plural.
        pub nouns: Vec<String> = texts(1),
        /// Words that say in the same sentence that something else is meant, or that it is of no use.
        pub unless: Vec<String> = texts(0),
        /// Set if a sentence about an exit may name it: a doorway is at hand, a ledge on the way north is not.
        pub at_exits: bool = bool_or(false),
        /// Message to the room when a fighter uses it against an opponent.
        pub told: Template => |file| sentence(file, "told", TargetNeed::Named),
        /// Answer to an announcement that its use counts as. A guard takes half the damage.
        pub counts_as: Answer = choice_or(&Answer::NAMES, Answer::Strike),
        /// Damage to the opponent in percent of a usual blow; 0 for no blow.
        pub strike_percent: u32 = number_or(0..=100, 0),
        /// Affect of the opponent, by key.
        pub affect: Option<String> = filled_text(),
        /// Duration of that affect in rounds; the affect's default if absent.
        pub affect_rounds: Option<u32> = number_if_any(&(1..=20)),
        /// Affect of the user, by key.
        pub own_affect: Option<String> = filled_text(),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

impl Prop {
    /// Returns `true` if a word names it in a sentence.
    pub fn is_named(&self, word: &str, sentence: &[String]) -> bool {
        let is_at_exit = || sentence.iter().any(|word| SIDES.contains(&word.as_str()));
        self.nouns.iter().any(|noun| noun == word)
            && !sentence.iter().any(|word| self.unless.contains(word))
            && (self.at_exits || !is_at_exit())
    }

    /// Returns the keys of affects that it names.
    pub fn affects(&self) -> impl Iterator<Item = &String> {
        self.affect.iter().chain(&self.own_affect)
    }
}

/// Records nouns of props that no text can name, or that mean two props. `place_of` returns the place of a name in a table.
pub(super) fn check(
    catalog: &Catalog,
    place_of: impl Fn(&Position, &str) -> Position,
    mistakes: &mut Vec<CatalogError>,
) {
    let nouns = catalog.props.values().flat_map(|prop| prop.nouns.iter().map(move |noun| (prop, noun)));
    for (prop, noun) in nouns {
        let place = place_of(&prop.place, noun);
        if !noun.chars().all(|letter| letter.is_ascii_lowercase()) {
            let mistake = format!("`{noun}` is no single word");
            mistakes.push(CatalogError::new(&place, mistake, "small letters only"));
        }
        let mut others = catalog.props.range(..prop.key.clone());
        if let Some((other, _)) = others.find(|(_, other)| other.nouns.contains(noun)) {
            let mistake = format!("`{noun}` is a noun of the prop `{other}` too");
            mistakes.push(CatalogError::new(&place, mistake, "a word of its own"));
        }
    }
}
