//! Reads the content folder, or the embedded content, into the catalogue. Parsing is in `catalog`.

pub mod reload;

use crate::server::config::ServerConfig;
use deepwell_core::catalog::{BUILTIN, Catalog, CatalogError};
use std::path::{Path, PathBuf};
use std::{fs, io};
use tokio::task::JoinError;

/// Reason why the content cannot be loaded or reloaded.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// A file or folder cannot be read.
    #[error("{0}: cannot be read: {1}")]
    Unreadable(PathBuf, io::Error),
    /// Mistakes in the files of a folder.
    #[error("{}", located(.0, .1).join("\n"))]
    Mistakes(PathBuf, Vec<CatalogError>),
    /// The task that reads the content has panicked.
    #[error("reading the content has failed ({0}); deepwell check may tell why")]
    Ended(#[from] JoinError),
    /// The world could not take over valid content.
    #[error(
        "the new content could not be applied, because the world cannot be written or was reloaded; the old content \
         stays in use: see the log, and try again"
    )]
    NotApplied,
}

impl ContentError {
    /// Returns one line per mistake.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Mistakes(folder, mistakes) => located(folder, mistakes),
            Self::Unreadable(..) | Self::Ended(_) | Self::NotApplied => vec![self.to_string()],
        }
    }
}

/// Formats mistakes with paths relative to the working directory.
pub(super) fn located(folder: &Path, mistakes: &[CatalogError]) -> Vec<String> {
    mistakes.iter().map(|mistake| format!("{}/{mistake}", folder.display())).collect()
}

/// Loads the content folder. If it is the default folder and missing, loads the embedded content.
pub fn load(config: &ServerConfig) -> Result<Catalog, ContentError> {
    Catalog::load(&files(config)?)
        .map_err(|mistakes| ContentError::Mistakes(config.content_dir.clone(), mistakes))
}

/// Returns the files of the content folder, or the embedded ones.
pub(super) fn files(config: &ServerConfig) -> Result<Vec<(String, String)>, ContentError> {
    let folder = &config.content_dir;
    if config.content_may_be_builtin() && !folder.exists() {
        return Ok(BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect());
    }
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort();
    Ok(files)
}

/// Reads a folder recursively. Skips hidden files, which belong to editors or git.
fn collect(folder: &Path, below: &str, files: &mut Vec<(String, String)>) -> Result<(), ContentError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| ContentError::Unreadable(path, error)
    };
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(&path, &format!("{below}{name}/"), files)?;
        } else {
            let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
            files.push((format!("{below}{name}"), text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(folder: &Path) -> ServerConfig {
        ServerConfig { content_dir: folder.to_owned(), ..ServerConfig::default() }
    }

    #[test]
    fn content_folder_equals_embedded_content() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        let catalog = load(&config(&folder)).unwrap();
        assert_eq!(format!("{catalog:?}"), format!("{:?}", Catalog::builtin()));
    }

    #[test]
    fn unknown_layout_part_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let (part, misspelled) = ("part = \"frontier\"", "part = \"frontear\"");
        for (path, text) in BUILTIN {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replace(part, misspelled)).unwrap();
        }
        let lines = load(&config(folder.path())).unwrap_err().lines();
        let files = BUILTIN.iter().filter(|(_, text)| text.contains(part)).count();
        assert_eq!(lines.len(), files, "{lines:?}");
        assert!(lines.iter().all(|line| line.contains("did you mean `frontier`?")), "{lines:?}");
    }

    #[test]
    fn missing_configured_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = load(&config(&folder.path().join("none"))).unwrap_err();
        assert!(error.to_string().contains("none: cannot be read: "), "{error}");
    }

    #[test]
    fn mistakes_include_the_file_path() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("items")).unwrap();
        fs::write(folder.path().join("items/lamp.toml"), "name = \n").unwrap();
        fs::write(folder.path().join("items/.lamp.toml.swp"), b"\xff").unwrap();
        let lines = load(&config(folder.path())).unwrap_err().lines();
        let place = format!("{}/items/lamp.toml:1:", folder.path().display());
        assert!(lines.iter().any(|line| line.starts_with(&place)), "{lines:?}");
    }
}
