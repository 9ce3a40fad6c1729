//! Socials: gestures performed with a single word, either alone, to another character or to oneself. Each sentence is
//! written once and rendered for the actor, the target and bystanders.

use crate::catalog::script::sentence::{TargetNeed, sentence};
use crate::data::{CatalogError, Position, Reader};
use crate::text::act::Template;
use std::collections::BTreeMap;

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "socials.toml";

/// Physical requirement of a social.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhysicalRequirement {
    /// Face or voice; possible while lying down.
    Face,
    /// Arms or upper body.
    Hands,
    /// Standing.
    Feet,
}

impl PhysicalRequirement {
    const NAMES: [(&'static str, Self); 3] =
        [("face", Self::Face), ("hands", Self::Hands), ("feet", Self::Feet)];
}

/// A social.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Social {
    /// Command word.
    pub word: String,
    /// Aliases.
    pub aliases: Vec<String>,
    /// Physical requirement.
    pub takes: PhysicalRequirement,
    /// Message without a target.
    pub alone: Template,
    /// Message with a target.
    pub at: Template,
    /// Message if the actor is the target.
    pub oneself: Template,
}

impl Social {
    /// Returns `true` if this is the word or an alias of the social.
    pub fn is_called(&self, word: &str) -> bool {
        self.word == word || self.aliases.iter().any(|own| own == word)
    }
}

/// Socials by command word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Socials(BTreeMap<String, Social>);

impl Socials {
    /// Returns the social with this word or alias.
    pub fn named(&self, word: &str) -> Option<&Social> {
        self.0.values().find(|social| social.is_called(word))
    }

    /// Returns the first social whose word begins with `word`.
    pub fn begun_by(&self, word: &str) -> Option<&Social> {
        self.0
            .range(word.to_owned()..)
            .next()
            .map(|(_, social)| social)
            .filter(|found| found.word.starts_with(word))
    }

    /// Returns all socials in the order of their words.
    pub fn iter(&self) -> impl Iterator<Item = &Social> {
        self.0.values()
    }

    /// Returns all words and aliases.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.values().flat_map(|social| social.aliases.iter().chain([&social.word])).map(String::as_str)
    }
}

/// Reads the file, which is optional.
pub(in crate::catalog) fn read(text: Option<&str>, mistakes: &mut Vec<CatalogError>) -> Socials {
    let Some(mut file) = text.and_then(|text| Reader::parse(FILE, text, mistakes)) else {
        return Socials::default();
    };
    let mut socials = BTreeMap::new();
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    let read = file.tables("socials", |table| {
        let aliases = table.placed_texts("aliases", 0);
        let places: Vec<(Position, String)> = aliases
            .iter()
            .cloned()
            .chain([(table.place_of("word"), table.peek_text("word").unwrap_or_default())])
            .collect();
        let social = Social {
            word: table.text("word"),
            aliases: aliases.into_iter().map(|(_, word)| word).collect(),
            takes: table.choice_or("takes", &PhysicalRequirement::NAMES, PhysicalRequirement::Hands),
            alone: sentence(table, "alone", TargetNeed::Absent),
            at: sentence(table, "at", TargetNeed::Named),
            oneself: sentence(table, "oneself", TargetNeed::Absent),
        };
        for (place, word) in places.into_iter().filter(|(_, word)| !word.is_empty()) {
            if !word.chars().all(|c| c.is_ascii_lowercase()) {
                table.note(CatalogError::new(
                    &place,
                    format!("`{word}` is not one word"),
                    "small letters only",
                ));
            }
            if let Some(other) = words.insert(word.clone(), social.word.clone()) {
                let mistake = format!("`{word}` means `{other}` already");
                table.note(CatalogError::new(&place, mistake, "a word of its own for each social"));
            }
        }
        social
    });
    socials.extend(read.into_iter().map(|social| (social.word.clone(), social)));
    file.finish();
    Socials(socials)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOD: &str = "[[socials]]\nword = \"nod\"\naliases = [\"agree\"]\ntakes = \"face\"\nalone = \"{actor} {nods|nod}.\"\n\
        at = \"{actor} {nods|nod} to {target}.\"\noneself = \"{actor} {nods|nod} to {actor.themself}.\"\n";

    fn mistakes(text: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        read(Some(text), &mut mistakes);
        mistakes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn socials_file_is_parsed() {
        let mut mistakes = Vec::new();
        let socials = read(Some(NOD), &mut mistakes);
        assert_eq!(mistakes, []);
        assert_eq!(socials.named("agree").map(|social| social.word.as_str()), Some("nod"));
        assert_eq!(socials.begun_by("no").map(|social| social.takes), Some(PhysicalRequirement::Face));
        assert_eq!(socials.begun_by("nob"), None);
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        let first_mistake = |from: &str, to: &str| {
            assert!(NOD.contains(from), "{from}");
            mistakes(&NOD.replacen(from, to, 1)).remove(0)
        };
        let mistake = first_mistake("{actor.themself}", "{actor.themsef}");
        assert!(mistake.starts_with("socials.toml:7:11: unknown placeholder `actor.themsef`"), "{mistake}");
        assert!(mistake.ends_with("did you mean `actor.themself`?"), "{mistake}");
        let mistake = first_mistake("\"face\"", "\"fase\"");
        assert!(mistake.starts_with("socials.toml:4:9: unknown takes `fase`"), "{mistake}");
        assert!(mistake.ends_with("did you mean `face`?"), "{mistake}");
        assert_eq!(
            first_mistake("to {target}.", "to {target."),
            "socials.toml:6:6: `at` has a brace without its other half"
        );
        assert!(first_mistake("to {target}.", "along.").contains("`at` does not say to whom"));
        assert!(first_mistake("{nods|nod}.", "{nods|nod} to {target}.").contains("`alone` has a `{target}`"));
        assert!(first_mistake("\"agree\"", "\"I agree\"").contains("`I agree` is not one word"));
        assert!(
            mistakes(&format!("{NOD}{NOD}"))
                .iter()
                .any(|mistake| mistake.contains("`nod` means `nod` already"))
        );
        assert!(first_mistake("takes =", "take =").contains("unknown key `take`"));
    }
}
