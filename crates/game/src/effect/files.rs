//! Requests to write and read the files that builders edit: zones, vaults, definitions created in the game, and packages.

use deepwell_core::base::SessionId;
use serde::{Deserialize, Serialize};

/// Request to write or read files of one kind.
#[derive(PartialEq, Eq, Debug)]
pub struct FileRequest {
    /// Session that receives the answer.
    pub asker: SessionId,
    /// Kind of all files of the request.
    pub kind: FileKind,
    /// Operation to carry out.
    pub operation: FileOperation,
}

/// Suffix of packages.
pub const PACKAGE: &str = ".zip";

/// Content of a file; determines its folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FileKind {
    /// Zone, named by its key.
    Zone,
    /// Vault, named by its key.
    Vault,
    /// Definition created in the game, named by its path below `content/`.
    Definition,
    /// Zip archive of a zone with all that belongs to it, named by a key. Its text is the JSON of a
    /// [`deepwell_core::data::archive::Archive`].
    Package,
}

impl FileKind {
    /// Returns the path of a file below the state folder.
    pub fn path(self, name: &str) -> String {
        match self {
            Self::Zone => format!("zones/{name}.toml"),
            Self::Vault => format!("zones/vaults/{name}.toml"),
            Self::Definition => format!("made/{name}"),
            Self::Package => format!("packages/{name}{PACKAGE}"),
        }
    }
}

/// File operation.
#[derive(PartialEq, Eq, Debug)]
pub enum FileOperation {
    /// Write files, except those changed by another program.
    Write(Vec<ExportFile>),
    /// Read zones by name, or all definitions.
    Read {
        /// Names of the zones; empty for definitions.
        names: Vec<String>,
        /// Purpose of reading.
        purpose: FilePurpose,
        /// Prefix for the keys of a package.
        prefix: Option<String>,
    },
}

/// Purpose of reading a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FilePurpose {
    /// Import into the world, if the change can be undone.
    Import,
    /// Import into the world, also a change of more rooms than can be undone.
    ImportMany,
    /// Comparison with the world.
    Compare,
}

impl FilePurpose {
    /// Returns `true` if the files change the world.
    pub const fn is_import(self) -> bool {
        !matches!(self, Self::Compare)
    }
}

/// File to be written.
#[derive(PartialEq, Eq, Debug)]
pub struct ExportFile {
    /// Name of the file within its kind.
    pub name: String,
    /// New text of the file.
    pub text: String,
    /// Digest of the text.
    pub digest: String,
    /// Digests that the present file may have to be overwritten.
    pub known: Vec<String>,
}
