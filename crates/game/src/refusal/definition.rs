//! Refusals about defining and changing content, such as creatures and items.

use deepwell_core::catalog::DefinitionKind;
use thiserror::Error;

/// Reason why content cannot be created, changed or removed. Texts are keys and names.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum DefinitionRefusal {
    #[error("There is no {} {key}.{}", kind.noun(), meant.as_ref().map_or(String::new(), |meant| format!(" Did you mean {meant}?")))]
    NoSuch { kind: DefinitionKind, key: String, meant: Option<String> },
    #[error("A key is made of small letters, figures and _, forty at most, as in mill_rat.")]
    BadKey,
    #[error("There is a {} {key} already. examine {} {key} tells what it is.", kind.noun(), kind.name())]
    Taken { kind: DefinitionKind, key: String },
    #[error("At most {0} creatures, things, pages and others are made in the game.")]
    TooMany(u32),
    #[error("That would be too long: its text has at most {0} bytes.")]
    TooLong(u32),
    #[error(
        "{name} made the {} {key}, and says what it is. make {} NEW_KEY like {key} makes one like it.", kind.noun(), kind.name()
    )]
    NotAuthor { kind: DefinitionKind, key: String, name: String },
    #[error(
        "The {} {key} is in the files of the server; only an admin changes it here. make {} NEW_KEY like {key} makes one like it.", kind.noun(), kind.name()
    )]
    OfFiles { kind: DefinitionKind, key: String },
    #[error("The {} {key} is in the files of the server, and goes with its file alone.", kind.noun())]
    FileStays { kind: DefinitionKind, key: String },
    #[error("The {} {key} stays, for it is used: {by}.", kind.noun())]
    InUse { kind: DefinitionKind, key: String, by: String },
    #[error("There is no {} {key} any more, which would come back with it. Nothing is changed.", kind.noun())]
    Gone { kind: DefinitionKind, key: String },
    #[error(
        "Nothing of the content has been made in the game. The word make makes a creature, a thing, a page of help or a theme."
    )]
    NothingMade,
    #[error("{0} is a word that one types, and help {0} tells of it. Call the page otherwise.")]
    CommandWord(String),
    #[error("A theme needs much. make theme KEY like OTHER makes one that is like another, such as well.")]
    NeedsAnother,
    #[error(
        "There is no text of a {0} to write. examine {0} tells its fields, and set {0} FIELD = VALUE changes one."
    )]
    NoText(String),
    #[error("A script is one text without fields. script edit {0} writes it, and script show {0} shows it.")]
    NoFields(String),
    #[error("A script has at most {0} lines.")]
    TooManyLines(u32),
    #[error("The script {key} is not in force: {why}")]
    NotInForce { key: String, why: String },
    #[error("Nothing is changed{}", told(.0))]
    Mistakes(Vec<String>),
}

/// Formats one mistake after a colon, or several on lines of their own.
fn told(mistakes: &[String]) -> String {
    match mistakes {
        [mistake] => format!(": {}", ended(mistake)),
        mistakes => {
            let lines: Vec<String> = mistakes.iter().map(|mistake| format!("\n{}", ended(mistake))).collect();
            format!(", for these mistakes:{}", lines.concat())
        }
    }
}

/// Adds a full stop unless the text ends with a question mark.
fn ended(words: &str) -> String {
    let stop = if words.ends_with('?') { "" } else { "." };
    format!("{words}{stop}")
}
