//! Kinds of content that can be edited in the game, and the file contents that such edits override.

use super::Catalog;
use super::draft_key;
use super::figures::TextFigures;
use crate::base::{Shared, listed};
use crate::catalog::creature::prototype::CreatureFiles;
use crate::catalog::help;
use crate::catalog::references::Referent;
use crate::catalog::theme::inheritance::ThemeTexts;
use crate::data::{FileValue, SUFFIX, edit};
use crate::{level, script};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

listed! {
    /// A kind of content that can be edited in the game.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DefinitionKind {
        /// Creature.
        Creature = "creature",
        /// Item.
        #[serde(rename = "thing", alias = "item")]
        Item = "item",
        /// Help page.
        Help = "help",
        /// Theme of branches.
        Theme = "theme",
        /// Dialogue.
        Dialogue = "dialogue",
        /// Quest.
        Quest = "quest",
        /// Luau script.
        Script = "script",
    }
}

/// Maximum length of a key.
const KEY_CHARS_MAX: usize = 40;

impl DefinitionKind {
    /// Returns the noun for messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Creature | Self::Item | Self::Theme | Self::Dialogue | Self::Quest | Self::Script => {
                self.name()
            }
            Self::Help => "page",
        }
    }

    /// Returns the kind of referenced content, if builders can make it.
    pub const fn of(referent: Referent) -> Option<Self> {
        match referent {
            Referent::Creature => Some(Self::Creature),
            Referent::Item => Some(Self::Item),
            Referent::Dialogue => Some(Self::Dialogue),
            Referent::Quest => Some(Self::Quest),
            Referent::Script => Some(Self::Script),
            Referent::Affect | Referent::Loot | Referent::Manoeuvre => None,
        }
    }

    /// Returns the folder of its files below `content/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Creature => "mobs",
            Self::Item => "items",
            Self::Help => "help",
            Self::Theme => "themes",
            Self::Dialogue => "dialogues",
            Self::Quest => "quests",
            Self::Script => "scripts",
        }
    }

    /// Returns the suffix of its files.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Creature | Self::Item | Self::Theme | Self::Dialogue | Self::Quest => SUFFIX,
            Self::Help => ".md",
            Self::Script => script::SUFFIX,
        }
    }

    /// Returns the path of a definition's file below `content/`.
    pub fn path(self, key: &str) -> String {
        format!("{}/{key}{}", self.folder(), self.suffix())
    }

    /// Returns the kind and key of a file below `content/`; `None` if it cannot be edited in the game.
    pub fn of_path(path: &str) -> Option<(Self, &str)> {
        let (folder, name) = path.split_once('/')?;
        let kind = Self::ALL.into_iter().find(|kind| kind.folder() == folder)?;
        let key = name.rsplit('/').next()?.strip_suffix(kind.suffix())?;
        Self::is_key(key).then_some((kind, key))
    }

    /// Returns the field that holds the name; a script has none.
    pub const fn name_field(self) -> &'static str {
        match self {
            Self::Creature | Self::Item | Self::Theme | Self::Dialogue | Self::Quest | Self::Script => "name",
            Self::Help => "title",
        }
    }

    /// Returns the field that is edited line by line, if any.
    pub const fn text_field(self) -> Option<&'static str> {
        match self {
            Self::Creature | Self::Item => Some("description"),
            Self::Help => Some(help::text::BODY),
            Self::Theme | Self::Dialogue | Self::Quest | Self::Script => None,
        }
    }

    /// Returns the fields of a text in file order; `None` if it cannot be parsed.
    pub fn fields(self, text: &str) -> Option<Vec<(String, FileValue)>> {
        match self {
            Self::Creature | Self::Item | Self::Theme | Self::Dialogue | Self::Quest => edit::fields(text),
            Self::Help => Some(help::text::fields(text)),
            // A script is one text.
            Self::Script => Some(Vec::new()),
        }
    }

    /// Returns the text with a field set, or removed for `None`. `None` if the text cannot be parsed.
    pub fn edited(self, text: &str, field: &str, value: Option<&FileValue>) -> Option<String> {
        match self {
            Self::Creature | Self::Item | Self::Theme | Self::Dialogue | Self::Quest => {
                edit::with(text, field, value)
            }
            Self::Help => Some(help::text::with(text, field, value)),
            Self::Script => None,
        }
    }

    /// Returns `true` for a valid key, also that of a draft's version.
    pub fn is_key(key: &str) -> bool {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let (draft, plain) = draft_key::split(key).unwrap_or(("", key));
        let has_length = (1..=KEY_CHARS_MAX).contains(&plain.len()) && draft.len() <= KEY_CHARS_MAX;
        has_length && key.chars().all(fits)
    }
}

/// A definition that overrides that of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverridingText<'a> {
    /// Kind.
    pub kind: DefinitionKind,
    /// Key.
    pub key: &'a str,
    /// Text of its file; `None` to restore the file's own definition.
    pub text: Option<&'a str>,
}

/// File contents that are stored so that overrides can be applied to them.
#[derive(Clone, Default)]
pub(super) struct OverlaySources {
    /// Texts of the files that can be edited in the game, without overrides.
    texts: Shared<BTreeMap<(DefinitionKind, String), String>>,
    /// Creatures before inheritance.
    pub(super) creatures: Shared<CreatureFiles>,
    /// Themes before inheritance.
    pub(super) themes: Shared<ThemeTexts>,
    /// Parts of levels.
    pub(super) parts: Option<Arc<level::LevelRegistry>>,
    /// Values of slots in texts, from the files.
    pub(super) figures: Shared<TextFigures>,
}

/// Prints only the name; the contents are visible in the definitions.
impl fmt::Debug for OverlaySources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sources")
    }
}

impl OverlaySources {
    /// Stores the texts of files.
    pub(super) fn keep_texts(&mut self, files: &[(&str, &str)]) {
        self.texts.extend(files.iter().filter_map(|(path, text)| {
            let (kind, key) = DefinitionKind::of_path(path)?;
            Some(((kind, key.to_owned()), (*text).to_owned()))
        }));
    }
}

impl Catalog {
    /// Returns the text of the file that defines something; `None` if no file does.
    pub fn text_of_file(&self, kind: DefinitionKind, key: &str) -> Option<&str> {
        self.sources.texts.get(&(kind, key.to_owned())).map(String::as_str)
    }

    /// Returns `true` if a definition exists, from a file or an override.
    pub fn defines(&self, kind: DefinitionKind, key: &str) -> bool {
        self.called(kind, key).is_some()
    }

    /// Returns the name of a definition.
    pub fn called(&self, kind: DefinitionKind, key: &str) -> Option<&str> {
        let name = match kind {
            DefinitionKind::Creature => self.creatures.get(key).map(|creature| &creature.name),
            DefinitionKind::Item => self.items.get(key).map(|item| &item.name),
            DefinitionKind::Help => self.help.topic(key).map(|topic| &topic.title),
            DefinitionKind::Theme => self.themes.get(key).map(|theme| &theme.name),
            DefinitionKind::Dialogue => self.dialogues.get(key).map(|dialogue| &dialogue.name),
            DefinitionKind::Quest => self.quests.get(key).map(|quest| &quest.name),
            DefinitionKind::Script => self.scripts.get_key_value(key).map(|(key, _)| key),
        };
        name.map(String::as_str)
    }

    /// Returns the keys of all definitions of a kind.
    pub fn defined(&self, kind: DefinitionKind) -> Vec<&str> {
        match kind {
            DefinitionKind::Creature => self.creatures.keys().map(String::as_str).collect(),
            DefinitionKind::Item => self.items.keys().map(String::as_str).collect(),
            DefinitionKind::Help => self.help.topics().map(|topic| topic.key.as_str()).collect(),
            DefinitionKind::Theme => self.themes.keys().map(String::as_str).collect(),
            DefinitionKind::Dialogue => self.dialogues.keys().map(String::as_str).collect(),
            DefinitionKind::Quest => self.quests.keys().map(String::as_str).collect(),
            DefinitionKind::Script => self.scripts.keys().map(String::as_str).collect(),
        }
    }
}
