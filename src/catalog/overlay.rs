//! What of the content can be made in the game, and what is kept of the files so that it can be laid over them.

use super::figures::Figures;
use super::heritage::ThemeTexts;
use super::mob::MobFiles;
use super::{Catalog, help};
use crate::base::{Shared, listed};
use crate::data::{SUFFIX, Value, edit};
use crate::level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

listed! {
    /// What of the content can be made in the game.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DefinitionKind {
        /// A creature.
        Creature = "creature",
        /// A thing.
        Thing = "thing",
        /// A page of help.
        Help = "help",
        /// A theme of branches.
        Theme = "theme",
    }
}

/// Letters of the longest key.
const KEY_CHARS_MAX: usize = 40;

impl DefinitionKind {
    /// What one of them is called in a sentence.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Creature | Self::Thing | Self::Theme => self.name(),
            Self::Help => "page",
        }
    }

    /// The folder of its files below `content/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Creature => "mobs",
            Self::Thing => "items",
            Self::Help => "help",
            Self::Theme => "themes",
        }
    }

    /// What the names of its files end with.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Creature | Self::Thing | Self::Theme => SUFFIX,
            Self::Help => ".md",
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

    /// The field that says what it is called.
    pub const fn name_field(self) -> &'static str {
        match self {
            Self::Creature | Self::Thing | Self::Theme => "name",
            Self::Help => "title",
        }
    }

    /// The field that is written line by line, if there is one.
    pub const fn text_field(self) -> Option<&'static str> {
        match self {
            Self::Creature | Self::Thing => Some("description"),
            Self::Help => Some(help::text::BODY),
            Self::Theme => None,
        }
    }

    /// What a text of the kind says, field by field, in the order in which they stand; none if it cannot be read.
    pub fn fields(self, text: &str) -> Option<Vec<(String, Value)>> {
        match self {
            Self::Creature | Self::Thing | Self::Theme => edit::fields(text),
            Self::Help => Some(help::text::fields(text)),
        }
    }

    /// A text of the kind with a field that says this, or that is not there any more; none if it cannot be read.
    pub fn edited(self, text: &str, field: &str, value: Option<&Value>) -> Option<String> {
        match self {
            Self::Creature | Self::Thing | Self::Theme => edit::with(text, field, value),
            Self::Help => Some(help::text::with(text, field, value)),
        }
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
    /// The text of its file; none if it is to be what the files say of it.
    pub text: Option<&'a str>,
}

/// What is kept of the files, so that others can be laid over them.
#[derive(Clone, Default)]
pub(super) struct Sources {
    /// The texts of those that can be changed in the game, whatever is laid over them.
    texts: Shared<BTreeMap<(DefinitionKind, String), String>>,
    /// What is said of creatures, before one inherits from another.
    pub(super) mobs: Shared<MobFiles>,
    /// The texts of themes, before one inherits from another.
    pub(super) themes: Shared<ThemeTexts>,
    /// What levels are made of.
    pub(super) parts: Option<Arc<level::Registry>>,
    /// What slots in texts stand for, as the files say it.
    pub(super) figures: Shared<Figures>,
}

/// What they say shows in the definitions.
impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sources")
    }
}

impl Sources {
    /// The texts of some files.
    pub(super) fn keep_texts(&mut self, files: &[(&str, &str)]) {
        self.texts.extend(files.iter().filter_map(|(path, text)| {
            let (kind, key) = DefinitionKind::of_path(path)?;
            Some(((kind, key.to_owned()), (*text).to_owned()))
        }));
    }
}

impl Catalog {
    /// The text of the file that defines something; none if no file does.
    pub fn text_of_file(&self, kind: DefinitionKind, key: &str) -> Option<&str> {
        self.sources.texts.get(&(kind, key.to_owned())).map(String::as_str)
    }

    /// Whether there is something of a kind, whoever defined it.
    pub fn defines(&self, kind: DefinitionKind, key: &str) -> bool {
        self.called(kind, key).is_some()
    }

    /// What something is called.
    pub fn called(&self, kind: DefinitionKind, key: &str) -> Option<&str> {
        let name = match kind {
            DefinitionKind::Creature => self.mobs.get(key).map(|mob| &mob.name),
            DefinitionKind::Thing => self.items.get(key).map(|item| &item.name),
            DefinitionKind::Help => self.help.topic(key).map(|topic| &topic.title),
            DefinitionKind::Theme => self.themes.get(key).map(|theme| &theme.name),
        };
        name.map(String::as_str)
    }

    /// The keys there are of a kind.
    pub fn defined(&self, kind: DefinitionKind) -> Vec<&str> {
        match kind {
            DefinitionKind::Creature => self.mobs.keys().map(String::as_str).collect(),
            DefinitionKind::Thing => self.items.keys().map(String::as_str).collect(),
            DefinitionKind::Help => self.help.topics().map(|topic| topic.key.as_str()).collect(),
            DefinitionKind::Theme => self.themes.keys().map(String::as_str).collect(),
        }
    }
}
