//! Names of content in commands, such as `creature mill_rat`.

use crate::access::draft_names;
use crate::building::zones;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::{DefinitionKind, draft_key};

/// Definition named by words such as `creature mill_rat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DefinitionName {
    pub(crate) kind: DefinitionKind,
    /// Key of its row or file: that of the draft's version, if there is one.
    pub(crate) key: String,
    /// Draft whose version is meant.
    pub(crate) draft: Option<String>,
}

impl DefinitionName {
    /// Parses a definition name; `None` if the words do not begin with a kind of content.
    pub(crate) fn read(typed: &str) -> Option<Self> {
        let (kind, key) = typed.trim().split_once(char::is_whitespace)?;
        let kind = match kind.to_lowercase().as_str() {
            "creature" | "mob" => DefinitionKind::Creature,
            "thing" | "item" | "object" => DefinitionKind::Item,
            "help" | "page" => DefinitionKind::Help,
            "theme" => DefinitionKind::Theme,
            "dialogue" => DefinitionKind::Dialogue,
            "quest" => DefinitionKind::Quest,
            "script" => DefinitionKind::Script,
            _ => return None,
        };
        let key: Vec<String> = key.split_whitespace().map(str::to_lowercase).collect();
        Some(Self { kind, key: key.join("_"), draft: None })
    }

    /// Parses a definition name as [`Self::read`], and finds the version of the draft that it names or that the builder
    /// works in.
    pub(crate) fn meant(turn: &Turn, who: CharacterId, typed: &str) -> Option<Self> {
        Self::read(typed).map(|named| Self::of(turn, who, named.kind, &named.key))
    }

    /// Returns the definition with a key, or its version in the draft that the key names or that the builder works in.
    pub(crate) fn of(turn: &Turn, who: CharacterId, kind: DefinitionKind, key: &str) -> Self {
        let is_draft = |draft: &str| zones::row(turn, draft).draft.is_some();
        let typed = draft_key::split(key).filter(|(draft, _)| is_draft(draft));
        let around = draft_names::draft_at(turn, turn.workplace(who)).map(|draft| (draft, key));
        let Some((draft, plain)) = typed.or(around) else {
            return Self { kind, key: key.to_owned(), draft: None };
        };
        let version = draft_key::join(draft, plain);
        let has_version = turn.world.definitions.find(kind, &version).is_some();
        let key = if has_version { version } else { plain.to_owned() };
        Self { kind, key, draft: Some(draft.to_owned()) }
    }

    /// Returns the key as it is typed.
    pub(crate) fn plain(&self) -> &str {
        draft_key::plain(&self.key)
    }

    /// Returns the name in sentences: `page mill_rules`.
    pub(crate) fn described(&self) -> String {
        format!("{} {}", self.kind.noun(), self.plain())
    }

    /// Returns the name in sentences, with the place: `page mill_rules in the draft`.
    pub(crate) fn described_in_draft(&self) -> String {
        self.described() + self.place()
    }

    /// Returns the place of what the name means, behind other words; empty for the world as players see it.
    pub(crate) const fn place(&self) -> &'static str {
        if self.draft.is_some() { " in the draft" } else { "" }
    }

    /// Returns the name in commands: `creature mill_rat`.
    pub(crate) fn words(&self) -> String {
        format!("{} {}", self.kind.name(), self.plain())
    }

    /// Returns the name in commands that may be carried out elsewhere: that of a version has its draft.
    pub(crate) fn full_words(&self) -> String {
        format!("{} {}", self.kind.name(), self.full_key())
    }

    /// Returns the key with its draft.
    pub(crate) fn full_key(&self) -> String {
        self.draft.as_ref().map_or_else(|| self.key.clone(), |draft| draft_key::join(draft, self.plain()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definition_key_is_one_word() {
        let read = |typed| DefinitionName::read(typed).map(|named| named.words());
        assert_eq!(read("creature Mill rat").as_deref(), Some("creature mill_rat"));
        for typed in ["item lamp", "object lamp", "thing lamp"] {
            assert_eq!(read(typed).as_deref(), Some("item lamp"));
        }
        assert_eq!(read("creature"), None);
        assert_eq!(read("here"), None);
    }
}
