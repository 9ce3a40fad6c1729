//! What of the content can be made in the game, and what is kept of the files so that it can be laid over them.

use super::Catalog;
use super::mob::MobFile;
use crate::base::listed;
use crate::data::SUFFIX;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

listed! {
    /// What of the content can be made in the game.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DefinitionKind {
        /// A creature.
        Creature = "creature",
        /// A thing.
        Thing = "thing",
    }
}

/// Letters of the longest key.
const KEY_CHARS_MAX: usize = 40;

impl DefinitionKind {
    /// The folder of its files below `content/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Creature => "mobs",
            Self::Thing => "items",
        }
    }

    /// What the names of its files end with.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Creature | Self::Thing => SUFFIX,
        }
    }

    /// The file of one of them, below `content/`.
    pub fn path(self, key: &str) -> String {
        format!("{}/{key}{}", self.folder(), self.suffix())
    }

    /// What a file below `content/` is, with its key; none if nothing of the kind is made in the game.
    pub fn of_path(path: &str) -> Option<(Self, &str)> {
        let (folder, name) = path.split_once('/')?;
        let kind = Self::ALL.into_iter().find(|kind| kind.folder() == folder)?;
        let key = name.rsplit('/').next()?.strip_suffix(kind.suffix())?;
        Self::is_key(key).then_some((kind, key))
    }

    /// Whether something can be called so.
    pub fn is_key(key: &str) -> bool {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        (1..=KEY_CHARS_MAX).contains(&key.len()) && key.chars().all(fits)
    }
}

/// A definition as it is laid over the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written<'a> {
    /// What it is.
    pub kind: DefinitionKind,
    /// Its key.
    pub key: &'a str,
    /// The text of its file.
    pub text: &'a str,
}

/// What is kept of the files, so that others can be laid over them.
#[derive(Default)]
pub(super) struct Sources {
    /// The texts of those that can be changed in the game.
    texts: BTreeMap<(DefinitionKind, String), String>,
    /// What they say of creatures, before one inherits from another.
    pub(super) mobs: BTreeMap<String, MobFile>,
}

/// What they say shows in the definitions.
impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sources")
    }
}

impl Sources {
    /// Those of some files.
    pub(super) fn of(files: &[(&str, &str)], mobs: BTreeMap<String, MobFile>) -> Self {
        let text = |(path, text): &(&str, &str)| {
            let (kind, key) = DefinitionKind::of_path(path)?;
            Some(((kind, key.to_owned()), (*text).to_owned()))
        };
        Self { texts: files.iter().filter_map(text).collect(), mobs }
    }
}

impl Catalog {
    /// The text of the file that defines something; none if no file does.
    pub fn text_of_file(&self, kind: DefinitionKind, key: &str) -> Option<&str> {
        self.sources.texts.get(&(kind, key.to_owned())).map(String::as_str)
    }

    /// Whether there is something of a kind, whoever defined it.
    pub fn defines(&self, kind: DefinitionKind, key: &str) -> bool {
        match kind {
            DefinitionKind::Creature => self.mobs.contains_key(key),
            DefinitionKind::Thing => self.items.contains_key(key),
        }
    }
}
