//! Files of definitions that builders created in the game, in `made/` of the state folder, with the same layout as
//! `content/`. Like zone files, each is replaced atomically.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::base::SessionId;
use crate::game::{Declined, Input, MadeFile, MadeFileResult, ZoneUse};
use crate::server::state_file::{FileError, place, read, write};

/// Name of the folder below the state folder.
const FOLDER: &str = "made";
/// Maximum number of files to read.
const FILES_MAX: usize = 100_000;

/// Writes files, and lists the other files in the folder.
pub(super) fn write_all(asker: SessionId, state: &Path, files: Vec<MadeFile>, bytes_max: u64) -> Input {
    let there = listed(state).unwrap_or_default();
    let others = there.into_iter().filter(|path| !files.iter().any(|file| file.path == *path));
    let others = others.map(|path| state.join(FOLDER).join(path).display().to_string()).collect();
    let came = files.into_iter().map(|MadeFile { path, text, digest, known }| {
        let came = placed(state, &path)
            .and_then(|file| write(&file, &text, &known, bytes_max).map(|()| file.display().to_string()));
        MadeFileResult { path, digest, came: came.map_err(|error| Declined::Reason(error.to_string())) }
    });
    Input::MadeWritten { asker, came: came.collect(), others }
}

/// Reads all files.
pub(super) fn read_all(asker: SessionId, state: &Path, then: ZoneUse, bytes_max: u64) -> Input {
    let came = listed(state).and_then(|paths| {
        let texts =
            paths.into_iter().map(|path| Ok((path.clone(), read(&placed(state, &path)?, bytes_max)?)));
        texts.collect::<Result<Vec<_>, FileError>>()
    });
    Input::MadeRead { asker, then, came: came.map_err(|error| Declined::Reason(error.to_string())) }
}

fn placed(state: &Path, path: &str) -> Result<PathBuf, FileError> {
    place(state, &Path::new(FOLDER).join(path))
}

/// Returns the paths of all files one level below the folder, sorted. Skips hidden files, which belong to editors or
/// git, and temporary files, which end with `.next`.
fn listed(state: &Path) -> Result<Vec<String>, FileError> {
    let folder = &placed(state, "")?;
    let failed = |source: io::Error| FileError::Unreadable { path: folder.to_owned(), source };
    let names = |folder: &Path| -> io::Result<Vec<String>> {
        let entries =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names = entries.collect::<io::Result<Vec<String>>>()?.into_iter();
        Ok(names.filter(|name| !name.starts_with('.') && name.rsplit('.').next() != Some("next")).collect())
    };
    let mut paths = Vec::new();
    for below in names(folder).map_err(failed)? {
        let inner = folder.join(&below);
        if inner.is_dir() {
            let files = names(&inner).map_err(failed)?.into_iter();
            paths.extend(files.map(|name| format!("{below}/{name}")));
        } else {
            paths.push(below);
        }
    }
    if paths.len() > FILES_MAX {
        return Err(failed(io::Error::other("too many files lie there")));
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Digest;

    fn file(path: &str, text: &str, known: &[&str]) -> MadeFile {
        let digest = |text: &str| Digest::of_text(text).to_string();
        let known = known.iter().map(|text| digest(text)).collect();
        MadeFile { path: path.into(), text: text.into(), digest: digest(text), known }
    }

    #[test]
    fn externally_changed_file_is_kept_and_others_written() {
        let state = tempfile::tempdir().unwrap();
        let all = |known: &[&str], text: &str| {
            let files = vec![file("items/sack.toml", text, known), file("mobs/rat.toml", text, known)];
            match write_all(SessionId(7), state.path(), files, 100) {
                Input::MadeWritten { came, others, .. } => {
                    (came.iter().map(|one| one.came.is_ok()).collect::<Vec<_>>(), others)
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(all(&[], "one"), (vec![true, true], Vec::new()));
        fs::write(state.path().join("made/mobs/rat.toml"), "an edit").unwrap();
        fs::write(state.path().join("made/mobs/bat.toml"), "new").unwrap();
        let (came, others) = all(&["one"], "two");
        assert_eq!(came, [true, false]);
        assert!(others.len() == 1 && others[0].ends_with("made/mobs/bat.toml"), "{others:?}");
        let Input::MadeRead { came, .. } = read_all(SessionId(7), state.path(), ZoneUse::Import, 100) else {
            panic!("files are read")
        };
        let texts = [("items/sack.toml", "two"), ("mobs/bat.toml", "new"), ("mobs/rat.toml", "an edit")];
        assert_eq!(came.unwrap(), texts.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn symlinked_folders_are_refused() {
        let (state, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(state.path().join("made")).unwrap();
        fs::write(elsewhere.path().join("rat.toml"), "theirs").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), state.path().join("made/mobs")).unwrap();
        let written =
            write_all(SessionId(7), state.path(), vec![file("mobs/rat.toml", "ours", &["theirs"])], 100);
        let Input::MadeWritten { came, .. } = written else { panic!("files are written") };
        assert!(came[0].came.as_ref().unwrap_err().to_string().contains("made/mobs is a link"), "{came:?}");
        assert_eq!(fs::read_to_string(elsewhere.path().join("rat.toml")).unwrap(), "theirs");
        let Input::MadeRead { came, .. } = read_all(SessionId(7), state.path(), ZoneUse::Import, 100) else {
            panic!("files are read")
        };
        assert!(came.unwrap_err().to_string().contains("is a link"));
    }

    #[test]
    fn missing_folder_is_reported() {
        let state = tempfile::tempdir().unwrap();
        let Input::MadeRead { came, .. } = read_all(SessionId(7), state.path(), ZoneUse::Import, 100) else {
            panic!("files are read")
        };
        assert!(came.unwrap_err().to_string().contains("made cannot be read: No such file"));
    }
}
