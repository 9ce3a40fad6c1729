//! Chains of clues: a name on a wall, a grave of that name with a key in it, and a coffer of that name which the key
//! opens. The rooms are chosen at random by the weights of a theme; the texts are the same in all themes.

use crate::data::{CatalogError, Reader, definition};

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "clues.toml";

/// Placeholder for the name in a sentence.
const NAME: &str = "{name}";

definition! {
    /// Texts of chains of clues, from `content/clues.toml`.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Clues {
        /// Names of the buried. Each is used in at most one chain of a branch.
        pub names: Vec<String> = texts(1),
        /// Key of the item that graves contain and coffers require.
        pub key: String = text(),
        /// Writings with which a chain begins.
        pub signs: Vec<String> => |file| with_name(file, "signs"),
        /// Room sentences for a grave.
        pub graves: Vec<String> => |file| with_name(file, "graves"),
        /// Room sentences for a coffer.
        pub coffers: Vec<String> => |file| with_name(file, "coffers"),
        /// Nouns for a closer look at a writing.
        pub sign_nouns: Vec<String> = texts(1),
        /// Text for a closer look.
        pub sign_detail: String = text(),
        /// Nouns for a closer look at a grave.
        pub grave_nouns: Vec<String> = texts(1),
        /// Text for a closer look.
        pub grave_detail: String = text(),
        /// Room sentence for a grave from which the key was taken.
        pub grave_open: String = text(),
        /// Nouns for a closer look at a coffer.
        pub coffer_nouns: Vec<String> = texts(1),
        /// Text for a closer look.
        pub coffer_detail: String = text(),
        /// Room sentence for an opened coffer.
        pub coffer_open: String = text(),
    }
}

impl Clues {
    /// Returns the sentence with the name filled in.
    pub fn with(sentence: &str, name: &str) -> String {
        sentence.replace(NAME, name)
    }
}

fn with_name(file: &mut Reader<'_>, list: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for (place, sentence) in file.placed_texts(list, 1) {
        if !sentence.contains(NAME) {
            file.note(CatalogError::new(
                &place,
                format!("`{NAME}` is missing"),
                "a sentence that says whose it is",
            ));
        }
        sentences.push(sentence);
    }
    sentences
}

/// Reads the file.
pub(in crate::catalog) fn read(text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Clues> {
    Reader::whole(FILE, text, mistakes, Clues::read)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E40: a sentence without the placeholder is reported with its place.
    #[test]
    fn e40_sentence_without_name_placeholder_is_rejected() {
        let mut mistakes = Vec::new();
        let text = "names = [\"Hadda Oakes\"]\nkey = \"old_key\"\nsigns = [\"{name} lies below.\"]\n\
                    graves = [\"A slab.\"]\ncoffers = [\"{name}'s coffer.\"]\n\
                    sign_nouns = [\"name\"]\nsign_detail = \"a\"\ngrave_nouns = [\"slab\"]\ngrave_detail = \"b\"\n\
                    grave_open = \"c\"\ncoffer_nouns = [\"lid\"]\ncoffer_detail = \"d\"\ncoffer_open = \"e\"\n";
        let clues = read(text, &mut mistakes).unwrap();
        assert_eq!(Clues::with(&clues.signs[0], &clues.names[0]), "Hadda Oakes lies below.");
        assert_eq!(mistakes.len(), 1);
        assert!(
            mistakes[0].to_string().starts_with("clues.toml:4:11: `{name}` is missing"),
            "{}",
            mistakes[0]
        );
    }
}
