//! Phrases that players can chalk on the walls of branches.

use crate::data::{CatalogError, Reader, definition};

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "chalk.toml";

/// Placeholder for an exit in a phrase.
const EXIT: &str = "{exit}";

definition! {
    /// Phrases for walls, from `content/chalk.toml`. Without the file, there are none.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Chalk {
        /// Key of the item that writing one phrase uses up.
        pub item: String = text(),
        /// Phrases, numbered from 1 on. `{exit}` is an exit that the player names.
        pub phrases: Vec<String> = texts(1),
    }
}

impl Chalk {
    /// Returns `true` if a phrase speaks of an exit.
    pub fn has_exit(phrase: &str) -> bool {
        phrase.contains(EXIT)
    }

    /// Returns the phrase with the exit filled in.
    pub fn with(phrase: &str, exit: &str) -> String {
        phrase.replace(EXIT, exit)
    }
}

/// Reads the file.
pub(in crate::catalog) fn read(text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Chalk> {
    Reader::whole(FILE, text, mistakes, Chalk::read)
}
