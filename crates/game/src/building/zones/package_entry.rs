//! Files of a package, by path.

use super::require_key;
use crate::effect::files::FileKind;
use deepwell_core::catalog::DefinitionKind;
use deepwell_core::data::SUFFIX;

/// File of a package.
#[derive(Clone, Copy)]
pub(super) enum PackageEntry<'a> {
    /// Zone, by key.
    Zone(&'a str),
    /// Vault, by key.
    Vault(&'a str),
    /// Definition, by kind and key.
    Definition(DefinitionKind, &'a str),
}

impl<'a> PackageEntry<'a> {
    /// Returns the content of a file by its path; `None` if it is no file of a package.
    pub(super) fn of_path(path: &'a str) -> Option<Self> {
        let key = |folder| {
            let key = path.strip_prefix(folder)?.strip_suffix(SUFFIX)?;
            require_key(key).is_ok().then_some(key)
        };
        let definition = || {
            let (kind, key) = DefinitionKind::of_path(path)?;
            (kind.path(key) == path).then_some(Self::Definition(kind, key))
        };
        key("zones/").map(Self::Zone).or_else(|| key("vaults/").map(Self::Vault)).or_else(definition)
    }

    /// Returns the path of the file.
    pub(super) fn path(self) -> String {
        match self {
            Self::Zone(key) => FileKind::Zone.path(key),
            Self::Vault(key) => format!("vaults/{key}{SUFFIX}"),
            Self::Definition(kind, key) => kind.path(key),
        }
    }
}
