//! Names of content in commands, such as `creature mill_rat`.

use deepwell_core::catalog::DefinitionKind;

/// Definition named by words such as `creature mill_rat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DefinitionName {
    pub(crate) kind: DefinitionKind,
    pub(crate) key: String,
}

impl DefinitionName {
    /// Parses a definition name; `None` if the words do not begin with a kind of content.
    pub(crate) fn read(words: &str) -> Option<Self> {
        let (kind, key) = words.trim().split_once(char::is_whitespace)?;
        let kind = match kind.to_lowercase().as_str() {
            "creature" | "mob" => DefinitionKind::Creature,
            "thing" | "item" | "object" => DefinitionKind::Thing,
            "help" | "page" => DefinitionKind::Help,
            "theme" => DefinitionKind::Theme,
            "dialogue" => DefinitionKind::Dialogue,
            "quest" => DefinitionKind::Quest,
            "script" => DefinitionKind::Script,
            _ => return None,
        };
        let key: Vec<String> = key.split_whitespace().map(str::to_lowercase).collect();
        Some(Self { kind, key: key.join("_") })
    }

    /// Returns the name in sentences: `page mill_rules`.
    pub(crate) fn described(&self) -> String {
        format!("{} {}", self.kind.noun(), self.key)
    }

    /// Returns the name in commands: `creature mill_rat`.
    pub(crate) fn words(&self) -> String {
        format!("{} {}", self.kind.name(), self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definition_key_is_one_word() {
        let read = |words| DefinitionName::read(words).map(|named| named.words());
        assert_eq!(read("creature Mill rat").as_deref(), Some("creature mill_rat"));
        assert_eq!(read("item lamp").as_deref(), Some("thing lamp"));
        assert_eq!(read("creature"), None);
        assert_eq!(read("here"), None);
    }
}
