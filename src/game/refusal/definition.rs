//! What is refused to whoever makes creatures and things, or changes what they are.

use thiserror::Error;

/// Why something of the content is not made, changed or taken away. Texts are keys and names.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum DefinitionRefusal {
    #[error("There is no {kind} {key}.{}", meant.as_ref().map_or(String::new(), |meant| format!(" Did you mean {meant}?")))]
    NoSuch { kind: &'static str, key: String, meant: Option<String> },
    #[error("A key is made of small letters, figures and _, forty at most, as in mill_rat.")]
    BadKey,
    #[error("There is a {kind} {key} already. examine {kind} {key} tells what it is.")]
    Taken { kind: &'static str, key: String },
    #[error("At most {0} creatures and things are made in the game.")]
    TooMany(u32),
    #[error("That would be too long: its text has at most {0} bytes.")]
    TooLong(u32),
    #[error(
        "{name} made the {kind} {key}, and says what it is. make {kind} NEW_KEY like {key} makes one like it."
    )]
    NotAuthor { kind: &'static str, key: String, name: String },
    #[error(
        "The {kind} {key} is in the files of the server; only an admin changes it here. make {kind} NEW_KEY like {key} makes one like it."
    )]
    OfFiles { kind: &'static str, key: String },
    #[error("The {kind} {key} is in the files of the server, and goes with its file alone.")]
    FileStays { kind: &'static str, key: String },
    #[error("The {kind} {key} stays, for it is used: {by}.")]
    InUse { kind: &'static str, key: String, by: String },
    #[error("There is no {kind} {key} any more, which would come back with it. Nothing is changed.")]
    Gone { kind: &'static str, key: String },
    #[error("Nothing of the content has been made in the game. The word make makes a creature or a thing.")]
    NothingMade,
    #[error("Nothing is changed{}", told(.0))]
    Mistakes(Vec<String>),
}

/// One mistake behind a colon, several on lines of their own.
fn told(mistakes: &[String]) -> String {
    match mistakes {
        [mistake] => format!(": {}", ended(mistake)),
        mistakes => {
            let lines: Vec<String> = mistakes.iter().map(|mistake| format!("\n{}", ended(mistake))).collect();
            format!(", for these mistakes:{}", lines.concat())
        }
    }
}

/// With a full stop, unless it ends with a question.
fn ended(words: &str) -> String {
    let stop = if words.ends_with('?') { "" } else { "." };
    format!("{words}{stop}")
}
