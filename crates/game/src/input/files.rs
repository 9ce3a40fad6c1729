//! Answers to file requests.

use crate::Input;
use crate::effect::Declined;
use crate::effect::files::{ExportFile, FileKind, FileOperation, FileRequest};
use serde::{Deserialize, Serialize};

/// Result of writing a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrittenFile {
    /// Name of the file within its kind.
    pub name: String,
    /// Digest of the text to be written.
    pub digest: String,
    /// Location of the written file, or the reason for not writing it.
    pub result: Result<String, Declined>,
}

/// Storage of the files. Paths are those of [`FileKind::path`].
pub trait FileStore {
    /// Returns the location of a file, as shown to builders.
    fn location(&self, path: &str) -> String;

    /// Writes a file if it is missing or its present digest is known.
    ///
    /// # Errors
    /// If the file has been changed by another program or cannot be written.
    fn write(&mut self, path: &str, file: &ExportFile) -> Result<(), Declined>;

    /// Returns the text of a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read(&mut self, path: &str) -> Result<String, Declined>;

    /// Returns the names of all files in the folder of definitions.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn definitions(&self) -> Result<Vec<String>, Declined>;
}

impl FileRequest {
    /// Carries out the request and returns its answer.
    pub fn carry_out(&self, store: &mut impl FileStore) -> Input {
        let Self { asker, kind, ref operation } = *self;
        let definitions = if kind == FileKind::Definition { Some(store.definitions()) } else { None };
        match operation {
            FileOperation::Write(files) => {
                let mut others = definitions.and_then(Result::ok).unwrap_or_default();
                others.retain(|name| files.iter().all(|file| file.name != *name));
                let others = others.iter().map(|name| store.location(&kind.path(name))).collect();
                let write = |file: &ExportFile| {
                    let path = kind.path(&file.name);
                    store.write(&path, file).map(|()| store.location(&path))
                };
                Input::FilesWritten { asker, kind, files: results(files, write), others }
            }
            FileOperation::Read { names, purpose, prefix } => {
                let names = definitions.unwrap_or_else(|| Ok(names.clone()));
                let mut read = |name: String| store.read(&kind.path(&name)).map(|text| (name, text));
                let files = names.and_then(|names| names.into_iter().map(&mut read).collect());
                Input::FilesRead { asker, kind, purpose: *purpose, prefix: prefix.clone(), files }
            }
        }
    }

    /// Returns the answer to a request that cannot be carried out.
    pub fn decline(&self, reason: &Declined) -> Input {
        let Self { asker, kind, ref operation } = *self;
        match operation {
            FileOperation::Write(files) => {
                let files = results(files, |_| Err(reason.clone()));
                Input::FilesWritten { asker, kind, files, others: Vec::new() }
            }
            FileOperation::Read { purpose, prefix, .. } => {
                let (prefix, files) = (prefix.clone(), Err(reason.clone()));
                Input::FilesRead { asker, kind, purpose: *purpose, prefix, files }
            }
        }
    }
}

fn results(
    files: &[ExportFile],
    mut write: impl FnMut(&ExportFile) -> Result<String, Declined>,
) -> Vec<WrittenFile> {
    let result = |file: &ExportFile| {
        let (name, digest) = (file.name.clone(), file.digest.clone());
        WrittenFile { name, digest, result: write(file) }
    };
    files.iter().map(result).collect()
}
